// xml.h: declares an XML text as a tree in which every element and attribute knows its position in the text.
//
// The parser accepts what robot files use: elements, attributes, the five named entities, numeric character references,
// comments, CDATA, declarations and processing instructions. The text between elements is checked and dropped. A
// document type is refused, so no entity can be defined, expanded or fetched. It works in linear time, keeps no stack of
// its own depth, and has limits: 64 levels, 64 MiB, one million elements, 64 attributes of one element.
#ifndef PLIANT_IO_XML_H
#define PLIANT_IO_XML_H

#include "json.h"

enum
{
    XML_MAX_DEPTH = 64,
    XML_MAX_BYTES = 64 << 20,
    XML_MAX_ELEMENTS = 1 << 20,
    XML_MAX_ATTRIBUTES = 64,
};

struct xml_attribute
{
    const char *name, *value; // references are resolved; 0-terminated
    uint32_t offset;          // where the value begins
    bool read;                // somebody asked for it
    struct xml_attribute *next;
};

struct xml
{
    const char *name;
    uint32_t offset; // of its '<'
    bool read;       // it was visited
    const struct json_source *source;
    struct xml_attribute *attributes;
    struct xml *parent, *first, *last, *next;
};

// Parses a text. It is copied into the store; the tree lives as long as the store.
pl_result xml_parse(struct store *store, const char *text, size_t length, const char *file, struct xml **root);

// Returns the attribute of a name, marked as read, or NULL.
struct xml_attribute *xml_attribute(const struct xml *node, const char *name);
// Returns its value, or NULL if there is none.
const char *xml_value(const struct xml *node, const char *name);
// Returns the first child of a name, marked as read, or NULL; and the next of the same name.
struct xml *xml_child(const struct xml *node, const char *name);
struct xml *xml_next(const struct xml *node);
bool xml_is(const struct xml *node, const char *name);

// Fails with `file:line:column: error: ...` at an element, or at the value of one of its attributes.
pl_result xml_fail(const struct xml *node, const char *format, ...) __attribute__((format(printf, 2, 3)));
pl_result xml_fail_at(const struct xml *node, const struct xml_attribute *attribute, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
