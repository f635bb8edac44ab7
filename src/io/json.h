// json.h: declares a JSON text as a tree in which every node knows its position in the text, so that a message can
// point at it.
//
// The parser is strict (RFC 8259): no trailing commas, no comments, no duplicate keys, no control characters in
// strings, nothing after the end. It has limits: 64 levels, 64 MiB, four million values.
#ifndef PLIANT_IO_JSON_H
#define PLIANT_IO_JSON_H

#include "store.h"

#include <pliant/pliant.h>
#include <stdint.h>

enum json_type
{
    JSON_NULL,
    JSON_BOOL,
    JSON_NUMBER,
    JSON_STRING,
    JSON_ARRAY,
    JSON_OBJECT,
};

enum
{
    JSON_MAX_DEPTH = 64,
    JSON_MAX_KEYS = 256, // in one object
    JSON_MAX_VALUES = 4 << 20,
    JSON_MAX_BYTES = 64 << 20,
};

// A text that nodes point into.
struct json_source
{
    const char *file; // its name in messages
    const char *text;
    size_t length;
};

struct json
{
    enum json_type type;
    bool boolean;
    int count;           // children
    uint32_t offset;     // where the value begins
    uint32_t key_offset; // where its key begins
    const struct json_source *source;
    struct json *first, *last, *next;
    const char *key;  // inside an object
    const char *text; // a string's, 0-terminated; it holds no other 0
    double number;    // finite
};

// Parses a text. It is copied into the store; the tree lives as long as the store.
pl_result json_parse(struct store *store, const char *text, size_t length, const char *file, struct json **root);
// The same for a text already in the store; in a message, offsets count from before `offset`.
pl_result json_parse_source(struct store *store, const struct json_source *source, size_t offset, struct json **root);

// Returns the string between two quotes, with its escapes resolved; offsets are in the source's text.
pl_result json_string(struct store *store, const struct json_source *source, size_t start, size_t stop,
                      const char **text);

// Makes a new node, for changes from outside; its position is that of `where`.
struct json *json_new(struct store *store, enum json_type type, const struct json *where);
void json_append(struct json *parent, struct json *child);
// Replaces `old` by `value` among the children of `parent`.
void json_replace(struct json *parent, struct json *old, struct json *value);
// Returns the member of that name, or NULL.
struct json *json_member(const struct json *object, const char *key);
// Returns the n-th child, or NULL.
struct json *json_child(const struct json *parent, int n);
// Returns "a number", "an array" ...
const char *json_type_name(enum json_type type);

// Fails with `file:line:column: error: ...`, pointing at a value, at its key, or at a position in a text.
pl_result json_fail(const struct json *node, const char *format, ...) __attribute__((format(printf, 2, 3)));
pl_result json_fail_key(const struct json *node, const char *format, ...) __attribute__((format(printf, 2, 3)));
pl_result json_fail_code(const struct json *node, pl_result code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// Finds the line and the column, counted from 1, of a position in a text.
void source_place(const struct json_source *source, size_t offset, int *line, int *column);
pl_result source_fail(const struct json_source *source, size_t offset, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
