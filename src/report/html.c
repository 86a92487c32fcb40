/* The format of pages: one file that needs nothing else, to be looked at. */
#include "internal.h"

const struct format format_html = {
    .name = "html",
    .page = true,
    .history = html_history,
    .summary = "a page with charts, one file",
};
