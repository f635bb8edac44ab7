// field_macros.h: defines short forms for the tables of fields. THIS is the struct that the table describes.
#ifndef PLIANT_IO_FIELD_MACROS_H
#define PLIANT_IO_FIELD_MACROS_H

#define BIG 1e12
#define TINY 1e-12

// n: name, m: member, a: about
#define ENTRY(n, t, m, ...)                                                                                            \
    {                                                                                                                  \
        .name = n, .type = t, .offset = offsetof(THIS, m), __VA_ARGS__                                                 \
    }
#define TEXT(n, m, a) ENTRY(n, FIELD_TEXT, m, .about = a)
#define BOOL(n, m, a) ENTRY(n, FIELD_BOOL, m, .about = a)
#define RANGE(n, m, a) ENTRY(n, FIELD_RANGE, m, .about = a)
#define INT(n, m, lo, hi, a) ENTRY(n, FIELD_INT, m, .min = lo, .max = hi, .about = a)
#define NUMBER(n, m, lo, hi, a) ENTRY(n, FIELD_NUMBER, m, .min = lo, .max = hi, .about = a)
#define NUMBERS(n, m, lo, hi, a) ENTRY(n, FIELD_NUMBERS, m, .min = lo, .max = hi, .about = a)
#define COUNTS(n, m, k, lo, hi, a) ENTRY(n, FIELD_COUNTS, m, .length = k, .min = lo, .max = hi, .about = a)
#define VECTOR(n, m, a) ENTRY(n, FIELD_VECTOR, m, .min = -BIG, .max = BIG, .about = a)
#define VECTORS(n, m, a) ENTRY(n, FIELD_VECTORS, m, .min = -BIG, .max = BIG, .about = a)
#define TRIPLES(n, m, a) ENTRY(n, FIELD_TRIPLES, m, .max = SCENE_MAX_PARTICLES, .about = a)
#define CHOICE(n, m, c, a) ENTRY(n, FIELD_CHOICE, m, .choices = c, .about = a)
#define RECORD(n, m, r, a) ENTRY(n, FIELD_RECORD, m, .record = &r, .about = a)
#define RECORDS(n, m, r, a) ENTRY(n, FIELD_RECORDS, m, .record = &r, .about = a)
#define NODE(n, m, s, a) ENTRY(n, FIELD_NODE, m, .schema = s, .about = a)

// The schema of selectors (scene_select.c).
#define SELECT_SCHEMA                                                                                                  \
    "{\"anyOf\": [{\"type\": [\"string\", \"integer\", \"object\"]}, {\"type\": \"array\", \"items\": {\"anyOf\": "    \
    "[{\"type\": [\"string\", \"integer\", \"object\"]}, {\"type\": \"array\", \"items\": {\"type\": \"integer\"}, "   \
    "\"minItems\": 2, \"maxItems\": 2}]}}]}"

// The schema of particle references in a scene.
#define REFS_SCHEMA                                                                                                    \
    "{\"anyOf\": [{\"type\": [\"string\", \"integer\"]}, {\"type\": \"array\", \"items\": {\"anyOf\": [{\"type\": "    \
    "[\"string\", \"integer\"]}, {\"type\": \"array\", \"items\": {\"type\": [\"string\", \"integer\"]}}]}}]}"

#endif
