/* Text in a page: whatever users wrote is text there, never markup. */
#include <string.h>

#include "internal.h"

void
html_text(struct buf *out, const char *text)
{
	struct buf visible;
	const char *p;

	buf_init(&visible);
	buf_put_visible(&visible, text);
	for (p = visible.data; *p; p++) {
		switch (*p) {
		case '&':
			buf_puts(out, "&amp;");
			break;
		case '<':
			buf_puts(out, "&lt;");
			break;
		case '>':
			buf_puts(out, "&gt;");
			break;
		case '"':
			buf_puts(out, "&quot;");
			break;
		case '\'':
			buf_puts(out, "&#39;");
			break;
		default:
			buf_putc(out, *p);
		}
	}
	buf_free(&visible);
}

void
html_user(struct buf *out, const char *text)
{
	buf_puts(out, "<bdi>");
	html_text(out, text);
	buf_puts(out, "</bdi>");
}

void
html_commit(const struct html *html, const char *id)
{
	bool link = html->web && strlen(id) == 40 &&
	    strspn(id, "0123456789abcdef") == 40;

	if (link) {
		buf_puts(html->out, "<a href=\"");
		html_text(html->out, html->web);
		buf_printf(html->out, "%s\">", id);
	}
	buf_puts(html->out, "<code>");
	html_text(html->out, short_commit(html->arena, id));
	buf_puts(html->out, "</code>");
	if (link)
		buf_puts(html->out, "</a>");
}

void
html_day(struct buf *out, const char *at)
{
	buf_puts(out, "<time datetime=\"");
	html_text(out, at);
	buf_puts(out, "\">");
	buf_printf(out, "%.10s", at);
	if (strlen(at) >= 16)
		buf_printf(out, " %.5s", at + 11);
	buf_puts(out, "</time>");
}

void
html_open(const struct html *html, const char *title)
{
	struct buf *out = html->out;

	/*
	 * Nothing is loaded from anywhere, and no other script than ours
	 * runs, should a text ever get out of its place.
	 */
	buf_puts(out,
	    "<!doctype html>\n<html lang=\"en\">\n<head>\n"
	    "<meta charset=\"utf-8\">\n"
	    "<meta http-equiv=\"Content-Security-Policy\" content=\""
	    "default-src 'none'; img-src data:; base-uri 'none'; "
	    "form-action 'none'; style-src 'sha256-");
	html_hash(out, html_css);
	buf_puts(out, "'; script-src 'sha256-");
	html_hash(out, html_js);
	buf_puts(out,
	    "'\">\n"
	    "<meta name=\"viewport\" "
	    "content=\"width=device-width, initial-scale=1\">\n"
	    "<meta name=\"referrer\" content=\"no-referrer\">\n"
	    "<link rel=\"icon\" href=\"data:,\">\n<title>");
	html_text(out, title);
	buf_puts(out, "</title>\n<style>");
	buf_puts(out, html_css);
	buf_puts(out,
	    "</style>\n</head>\n<body>\n"
	    "<svg class=\"defs\" aria-hidden=\"true\"><defs>"
	    "<marker id=\"dot\" viewBox=\"-4 -4 8 8\" markerWidth=\"8\" "
	    "markerHeight=\"8\" markerUnits=\"userSpaceOnUse\">"
	    "<circle r=\"2.25\"/></marker>"
	    "<marker id=\"ring\" viewBox=\"-4 -4 8 8\" markerWidth=\"8\" "
	    "markerHeight=\"8\" markerUnits=\"userSpaceOnUse\">"
	    "<circle r=\"2.25\"/></marker>"
	    "<marker id=\"cross\" viewBox=\"-4 -4 8 8\" markerWidth=\"8\" "
	    "markerHeight=\"8\" markerUnits=\"userSpaceOnUse\">"
	    "<path d=\"M-3-3 3 3M3-3-3 3\"/></marker>"
	    "<marker id=\"end\" viewBox=\"-4 -4 8 8\" markerWidth=\"8\" "
	    "markerHeight=\"8\" markerUnits=\"userSpaceOnUse\">"
	    "<circle r=\"2\"/></marker>"
	    "</defs></svg>\n"
	    "<a class=\"skip\" href=\"#main\">To the report</a>\n");
}

void
html_close(const struct html *html, const char *tool)
{
	buf_puts(html->out, "<footer class=\"wrap\">Made by evalgate ");
	html_text(html->out, tool);
	buf_puts(html->out,
	    " from results and git notes alone. This file needs no network "
	    "and no script; a script adds sorting, search and what stands at "
	    "each point of a chart.</footer>\n<script>");
	buf_puts(html->out, html_js);
	buf_puts(html->out, "</script>\n</body>\n</html>\n");
}

/* A sign that says the same as its colour does. */
void
html_stamp(struct buf *out, const char *verdict)
{
	const char *path = "M15 24l6 6 12-12";

	if (strcmp(verdict, "fail") == 0)
		path = "M17 17l14 14M31 17L17 31";
	else if (strcmp(verdict, "pass") != 0)
		path =
		    "M19 19.5a5 5 0 1 1 7.5 4.3c-1.6 1-2.5 2-2.5 3.7M24 33v.1";
	buf_printf(out,
	    "<svg viewBox=\"0 0 48 48\" aria-hidden=\"true\"><circle cx=\"24\""
	    " cy=\"24\" r=\"22.5\" fill=\"none\" stroke=\"currentColor\" "
	    "stroke-width=\"3\"/><path d=\"%s\" fill=\"none\" "
	    "stroke=\"currentColor\" stroke-width=\"4\" "
	    "stroke-linecap=\"round\" stroke-linejoin=\"round\"/></svg>",
	    path);
}
