// fields.h: declares the tables of the fields that each part of a scene has. One table drives the reading of a scene,
// its messages, `--set`, and scenes/schema.json, so that a new field is one line.
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
    FIELD_NODE,    // const struct json *: a value with its own syntax, read elsewhere; .schema describes it
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

// The struct of every record begins with one, unless .plain says that it is a struct of the public API.
struct head
{
    const struct json *node; // its place in the text
    uint64_t present;        // bit i: the text sets field i of the table
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

// A condition of a field: it has an effect only if another field, a choice, is one of a few words, or if another field
// that is not a choice is given.
struct field_use
{
    const char *field, *choice;
    const char *words; // separated by blanks; if `choice` is not a choice: what the field is for
};

struct record
{
    const char *name; // "a cloth"
    const char *about;
    const struct field *fields;   // ends with a name of NULL
    const struct field_use *uses; // ends with a field of NULL; NULL: every field always has an effect
    size_t size;
    bool plain;
    void (*defaults)(void *values);
};

// Returns the n-th word of a FIELD_CHOICE, or NULL.
const char *field_choice(const struct field *field, int number);

// Reads an object into `values`, which it first fills with the defaults. called: its name in messages, which is the
// field that contains it.
pl_result record_read(struct store *store, const struct record *record, const char *called, const struct json *node,
                      void *values);
// Returns whether the text set the field at this offset.
bool record_has(const struct record *record, const void *values, size_t offset);
// Returns the condition that the field does not meet with these values, or NULL if the field has an effect.
const struct field_use *record_idle(const struct record *record, const void *values, const struct field *field);
// Returns the field of a name, or NULL.
const struct field *record_field(const struct record *record, const char *name);
// Returns how many letters must be added, dropped, changed or swapped to turn one word into the other.
int word_distance(const char *a, const char *b);
// Fails at the key with a message that suggests the nearest known name.
pl_result record_unknown(const struct record *record, const char *called, const struct json *node, const char *name);

// Applies one change, "path=value", to the tree before it is read. Names are checked against the table.
pl_result record_set(struct store *store, const struct record *record, struct json *root, const char *set);

// Writes the whole table as a JSON Schema. Free it with free().
char *record_schema(const struct record *record, const char *title);

#endif
