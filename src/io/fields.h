// fields.h: tables that say which fields a part of a scene has. One table drives the reading of a scene, its messages,
// `--set`, and scenes/schema.json; so a new field is one line.
#ifndef PLIANT_IO_FIELDS_H
#define PLIANT_IO_FIELDS_H

#include "json.h"

enum field_type
{
    FIELD_TEXT,    // const char *
    FIELD_INT,     // int
    FIELD_NUMBER,  // float
    FIELD_BOOL,    // bool
    FIELD_VECTOR,  // pl_vec3: [x, y, z]
    FIELD_CHOICE,  // int: the number of one of a few words
    FIELD_COUNTS,  // int[2] or int[3], see .length
    FIELD_RANGE,   // struct range: [least, most]
    FIELD_RECORD,  // an embedded struct with its own table
    FIELD_RECORDS, // struct records: one object or an array of them
    FIELD_NUMBERS, // struct numbers: a number or an array of them
    FIELD_VECTORS, // struct numbers, three for each: a vector or an array of them
    FIELD_TRIPLES, // struct triples: an array of [a, b, c], whole numbers
    FIELD_NODE, // const struct json *: a little language of its own, read elsewhere; .schema says what may stand there
};

struct range
{
    double least, most;
};

struct numbers
{
    float *values;
    int count; // of numbers, or of vectors
};

struct triples
{
    int32_t *values;
    int count;
};

struct records
{
    void *items; // an array of the record's structs
    int count;
};

// Every record's struct begins with one, except where .plain says that it is a struct of the public API.
struct head
{
    const struct json *node; // where it stood
    uint64_t present;        // bit i: the text sets the table's field i
};

struct field
{
    const char *name;
    enum field_type type;
    size_t offset;
    double min, max; // for each number
    int length;      // FIELD_COUNTS: 2 or 3
    bool required;
    const struct record *record;
    const char *const *choices;        // ends with NULL
    const char *(*choice)(int number); // or a function, for words that another table holds
    const char *schema;
    const char *about;
};

// A field that counts only where another one, a choice, is one of a few words; or where another one that is no choice is given.
struct field_use
{
    const char *field, *choice;
    const char *words; // with blanks between them; of what is no choice: what the field is for
};

struct record
{
    const char *name; // "a cloth"
    const char *about;
    const struct field *fields;   // ends with a name of NULL
    const struct field_use *uses; // ends with a field of NULL; NULL: every field always counts
    size_t size;
    bool plain;
    void (*defaults)(void *values);
};

// The n-th word of a FIELD_CHOICE, or NULL.
const char *field_choice(const struct field *field, int number);

// Reads an object into `values`, which this fills with the defaults first. called: what messages call it, the field that it stands in.
pl_result record_read(struct store *store, const struct record *record, const char *called, const struct json *node,
                      void *values);
// Whether the text set the field at this offset.
bool record_has(const struct record *record, const void *values, size_t offset);
// The use that this field is for, where it has none as the values are; else NULL.
const struct field_use *record_idle(const struct record *record, const void *values, const struct field *field);
// The field of a name, or NULL.
const struct field *record_field(const struct record *record, const char *name);
// How many letters must be added, dropped, changed or swapped to make one word of the other.
int word_distance(const char *a, const char *b);
// Fails at the key with the nearest known name.
pl_result record_unknown(const struct record *record, const char *called, const struct json *node, const char *name);

// One change, "path=value", made in the tree before it is read. Names are checked against the table.
pl_result record_set(struct store *store, const struct record *record, struct json *root, const char *set);

// The whole table as a JSON Schema. Free with free().
char *record_schema(const struct record *record, const char *title);

#endif
