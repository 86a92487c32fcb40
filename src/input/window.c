/*
 * The window that streaming readers see a file through.  It moves by whole
 * lines, and what it shows is sound text: UTF-8 without NUL.
 */
#include <stdlib.h>
#include <string.h>

#include "fast.h"

#if HAVE_VECTOR
#include <emmintrin.h>
#endif

/*
 * It stays in the second cache.  Of a small file less is read at a time: new
 * pages cost more than what reading it costs.
 */
#define CHUNK ((size_t)1 << 18)
#define CHUNK_SMALL ((size_t)1 << 16)
#define SMALL_FILE ((uint64_t)4 << 20)
/* Offsets within a question are kept in 32 bits. */
#define KEEP_MAX ((size_t)1 << 31)

void
window_init(struct window *window, struct stream *stream, const char *file,
    const struct run_options *options)
{
	uint64_t done, size;

	stream_progress(stream, &done, &size);
	*window = (struct window){
	    .stream = stream,
	    .file = file,
	    .options = options,
	    .chunk = options->chunk         ? options->chunk
		: size && size < SMALL_FILE ? CHUNK_SMALL
					    : CHUNK,
	    .vector = HAVE_VECTOR && options->reader != READER_SCALAR,
	    .line = 1,
	    .begins = true,
	};
}

int
window_rewind(struct window *window, struct error *e)
{
	window->len = window->keep = window->at = window->complete = 0;
	window->line = 1;
	window->ended = window->odd = false;
	window->begins = true;
	return stream_rewind(window->stream, e);
}

void
window_free(struct window *window)
{
	free(window->data);
	window->data = NULL;
}

/* Moves what is needed to the front, and makes room for a chunk. */
static void
make_room(struct window *window)
{
	size_t moved = window->keep, need;

	if (moved) {
		window->len -= moved;
		memmove(window->data, window->data + moved, window->len);
		window->at -= moved;
		window->complete -= moved;
		window->keep = 0;
	}
	need = window->len + window->chunk + SLACK;
	if (need > window->cap) {
		/* What is kept may grow again; pages unused cost nothing. */
		window->cap = need + need / 2 + 4096;
		window->data = memory_resize(window->data, window->cap, 1);
	}
}

static void
tell_progress(const struct window *window)
{
	const struct progress *progress = window->options->progress;
	uint64_t done, size;

	if (!progress)
		return;
	stream_progress(window->stream, &done, &size);
	progress->tell(progress->context, window->file, done, size);
}

/* One read, and where its last whole line ends. */
static int
read_chunk(struct window *window, struct error *e)
{
	size_t got, n = 0;
	char *data = window->data + window->len;

	if (stream_read(window->stream, data, window->chunk, &got, e) < 0)
		return -1;
	window->len += got;
	window->ended = got == 0;
	/* A last line without its end gets one, which is not counted. */
	memset(window->data + window->len, '\n', SLACK);
	if (window->ended) {
		window->complete = window->len;
		return 0;
	}
	for (n = got; n && data[n - 1] != '\n';)
		n--;
	if (n)
		window->complete = (size_t)(data - window->data) + n;
	return 0;
}

/* Reads until there is one more whole line, and looks at its text. */
static enum stream_result
read_on(struct window *window, struct error *e)
{
	size_t checked, n;
	const char *text;

	make_room(window);
	checked = window->complete;
	do {
		if (window->len - checked > LONG_LINE || window->len > KEEP_MAX)
			return STREAM_ODD;
		make_room(window);
		if (read_chunk(window, e) < 0)
			return STREAM_FAILED;
	} while (!window->ended && window->complete == checked);
	tell_progress(window);
	if (window->begins && window->len >= 3 &&
	    memcmp(window->data, "\xef\xbb\xbf", 3) == 0)
		window->at = window->keep = 3;
	window->begins = false;
	text = window->data + checked;
	n = window->complete - checked;
	if (!plain_text(text, n, window->vector) &&
	    (memchr(text, '\0', n) || utf8_check(text, n) < n))
		return STREAM_ODD;
	return window->at < window->complete ? STREAM_LINES : STREAM_DONE;
}

enum stream_result
window_fill(struct window *window, struct error *e)
{
	if (window->odd)
		return STREAM_ODD;
	if (window->at < window->complete)
		return STREAM_LINES;
	return window->ended ? STREAM_DONE : read_on(window, e);
}

bool
window_extend(struct window *window, struct error *e)
{
	enum stream_result result = STREAM_DONE;

	if (!window->ended && !window->odd)
		result = read_on(window, e);
	window->odd |= result == STREAM_ODD || result == STREAM_FAILED;
	return result == STREAM_LINES;
}

static bool
plain_scalar(const char *data, size_t len)
{
	static const uint64_t ones = 0x0101010101010101u;
	uint64_t bad = 0, w;
	size_t i;

	for (i = 0; i + sizeof(w) <= len; i += sizeof(w)) {
		memcpy(&w, data + i, sizeof(w));
		/* Bytes above 0x7f, and bytes that are 0. */
		bad |= (w | (w - ones)) & (ones << 7);
	}
	for (; i < len; i++)
		bad |= data[i] == '\0' || (unsigned char)data[i] > 0x7f;
	return !bad;
}

#if HAVE_VECTOR
static bool
plain_vector(const char *data, size_t len)
{
	const __m128i zero = _mm_setzero_si128();
	__m128i bad = zero, a, b;
	size_t i;

	for (i = 0; i + 32 <= len; i += 32) {
		a = _mm_loadu_si128((const __m128i *)(const void *)(data + i));
		b = _mm_loadu_si128(
		    (const __m128i *)(const void *)(data + i + 16));
		bad = _mm_or_si128(bad, _mm_or_si128(a, b));
		bad =
		    _mm_or_si128(bad, _mm_cmpeq_epi8(_mm_min_epu8(a, b), zero));
	}
	return _mm_movemask_epi8(bad) == 0 && plain_scalar(data + i, len - i);
}
#endif

bool
plain_text(const char *data, size_t len, bool vector)
{
#if HAVE_VECTOR
	if (vector)
		return plain_vector(data, len);
#else
	(void)vector;
#endif
	return plain_scalar(data, len);
}
