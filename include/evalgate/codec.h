/*
 * codec: YAML and JSON into one tree of values, and JSON out.
 *
 * yaml.c alone knows libyaml, json.c alone knows cJSON.  Both refuse what a
 * later reader could take two ways: repeated keys, several documents, bytes
 * that are no UTF-8, nesting or aliases without bound.
 */
#ifndef EVALGATE_CODEC_H
#define EVALGATE_CODEC_H

#include "evalgate/base.h"

enum value_type {
	VALUE_NULL, /* JSON null; YAML: nothing, or ~ */
	VALUE_BOOL, /* JSON only */
	VALUE_NUMBER, /* JSON only; text has the digits as written */
	VALUE_STRING, /* JSON strings; every other YAML scalar, as written */
	VALUE_LIST,
	VALUE_MAP
};

struct value;

struct member {
	const char *key;
	size_t line; /* of the key */
	const struct value *value;
};

struct value {
	enum value_type type;
	bool plain; /* a YAML scalar without quotes */
	size_t line; /* 1-based line of the file it begins on */
	const char *text; /* of scalars; "" for VALUE_NULL */
	size_t nitems;
	union {
		const struct value *const *items; /* VALUE_LIST */
		const struct member *members; /* VALUE_MAP, in file order */
	} u;
};

/* Text to read, and where it stands. */
struct source {
	const char *name; /* the file, for messages */
	size_t line; /* of the first byte, 1-based */
	const char *data;
	size_t len;
};

/*
 * Reads one document.  A byte order mark is passed over.  The tree lives in
 * the arena and does not refer to source->data.  NULL after an error, which
 * names file and line.  Each refuses: invalid UTF-8, NUL, a key twice,
 * nesting over 100, trailing text.  Repeated keys are all told (up to 20), any
 * other fault ends the reading.
 *
 * yaml_read: YAML 1.1 as libyaml reads it, but scalars stay text as written
 * (no, 039, 1e3, 2020-11-26); `<<` is refused by name, a second document by
 * its line, a tag other than !!str by name, an anchor given twice.  An alias
 * shares the value (and the line) of its anchor; one that stands inside what
 * it names is refused, and so are aliases that add more than 4 million nodes
 * or 1,000 for each byte of the document.  {min: 0,8}, which YAML reads as
 * two keys, is refused as a decimal comma.  An empty document is VALUE_NULL.
 *
 * json_read: RFC 8259; \u0000 and lone surrogates are refused.
 */
const struct value *yaml_read(
    struct arena *arena, const struct source *source, struct error *e);
const struct value *json_read(
    struct arena *arena, const struct source *source, struct error *e);

/*
 * The value of a key (exact bytes), NULL when absent or v is no map.  It
 * compares one by one: for maps of settings, not of thousands of ids.
 */
const struct value *value_get(const struct value *v, const char *key);
/* "a list", "a number", ... for messages. */
const char *value_type_name(const struct value *v);

/* What a key of a map takes. */
enum key_kind {
	KEY_TEXT,
	KEY_WORDS, /* a list of texts */
	KEY_TEXTS, /* one text, or a list of them */
	KEY_INTEGER, /* more: "1..10" */
	KEY_SHARE, /* 0..1 */
	KEY_DROP, /* a share, or a percentage */
	KEY_BOOL,
	KEY_CHOICE, /* more: "error|warn" */
	KEY_FIELDS, /* a map of texts */
	KEY_MAP, /* more: its section */
	KEY_LIST, /* of maps; more: their section */
	KEY_NAMED /* a map of maps by name; more: their section */
};

/* A key that a reader knows: for messages, editors and the manual. */
/* NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding): read as a table */
struct key_row {
	const char *section; /* of maps of one kind: "a threshold" */
	const char *name;
	enum key_kind kind;
	const char *more;
	bool required;
	const char *doc; /* a line */
};

/* Says every key of a map that its section does not have. */
void keys_unknown(const struct key_row *rows, size_t nrows, const char *section,
    const struct value *map, const char *file, struct error *e);

/*
 * What a reader means to find.  Each returns 0, or -1 with a message at the
 * value's line that names `what` (a key) and how to mend it.
 */
/* An id or other text: a string, or a JSON integer with all its digits. */
int value_text(const struct value *v, const char *file, const char *what,
    const char **text, struct error *e);
/* A finite number: JSON number, or a plain YAML scalar; says decimal comma. */
int value_number(const struct value *v, const char *file, const char *what,
    double *number, struct error *e);
/* A whole number from min to max; 3.0 and 1e2 are whole. */
int value_integer(const struct value *v, const char *file, const char *what,
    int64_t min, int64_t max, int64_t *number, struct error *e);
/* JSON true/false, or a plain YAML true/false. */
int value_bool(const struct value *v, const char *file, const char *what,
    bool *flag, struct error *e);

/* ------------------------------------------------------------- JSON out -- */

/*
 * Writes JSON in the order of the calls.  pretty > 0 puts the members of the
 * outermost `pretty` levels on lines of their own, a blank deeper each; what
 * is deeper, or all with 0, has no blanks.  There is no last line end.
 */
struct json {
	struct buf *out;
	int pretty;
	int depth;
	bool comma; /* something precedes on this level */
};

void json_init(struct json *json, struct buf *out, int pretty);
/* bracket: '{' or '['; key NULL inside lists. */
void json_open(struct json *json, const char *key, char bracket);
void json_close(struct json *json, char bracket);
/* text NULL writes null, a number that is not finite too. */
void json_text(struct json *json, const char *key, const char *text);
void json_number(struct json *json, const char *key, double number);
void json_integer(struct json *json, const char *key, int64_t number);
void json_bool(struct json *json, const char *key, bool flag);
void json_null(struct json *json, const char *key);
/*
 * A string's content between the quotes, escaped.  Valid UTF-8 stays, but for
 * U+2028 and U+2029; a byte that is no UTF-8 becomes \ufffd.
 */
void json_escape(struct buf *out, const char *text);

#endif
