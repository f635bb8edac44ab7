// fields_schema.c: writes the tables as a JSON Schema, so that editors complete and check what the loader accepts.
#include "fields.h"

#include "number.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct writer
{
    FILE *file;
    const struct record **seen; // as many as there are records
    int count, room;
};

// Collects every record that is referred to, once, so that each reference has its definition. Returns false if there is
// no memory.
static bool collect(struct writer *w, const struct record *record)
{
    bool good = true;
    for (const struct field *f = record->fields; f->name && good; f++)
    {
        bool known = !f->record;
        for (int i = 0; i < w->count; i++)
        {
            known |= w->seen[i] == f->record;
        }
        if (known)
        {
            continue;
        }
        if (w->count == w->room)
        {
            int room = w->room ? 2 * w->room : 32;
            const struct record **seen = realloc(w->seen, (size_t)room * sizeof *seen);
            good = seen != NULL;
            w->seen = seen ? seen : w->seen;
            w->room = seen ? room : w->room;
        }
        if (good)
        {
            w->seen[w->count++] = f->record;
            good = collect(w, f->record);
        }
    }
    return good;
}

static void put_string(FILE *file, const char *text)
{
    fputc('"', file);
    for (; *text; text++)
    {
        if (*text == '"' || *text == '\\')
        {
            fputc('\\', file);
        }
        fputc(*text, file);
    }
    fputc('"', file);
}

// {"type": "number", "minimum": 0, "maximum": 1}
static void put_number_type(FILE *file, const struct field *f, const char *type)
{
    char min[NUMBER_TEXT], max[NUMBER_TEXT];
    fprintf(file, "{\"type\": \"%s\", \"minimum\": %s, \"maximum\": %s}", type, number_write(f->min, min),
            number_write(f->max, max));
}

static void put_array(FILE *file, const struct field *f, const char *type, int length)
{
    fputs("{\"type\": \"array\", \"items\": ", file);
    put_number_type(file, f, type);
    if (length)
    {
        fprintf(file, ", \"minItems\": %d, \"maxItems\": %d", length, length);
    }
    fputs("}", file);
}

static void put_array_of(FILE *file, const struct field *f, const char *type, int length)
{
    fputs("{\"type\": \"array\", \"items\": ", file);
    put_array(file, f, type, length);
    fputs("}", file);
}

static void put_choices(FILE *file, const struct field *f)
{
    fputs("{\"enum\": [", file);
    const char *word;
    for (int i = 0; (word = field_choice(f, i)) != NULL; i++)
    {
        fputs(i ? ", " : "", file);
        put_string(file, word);
    }
    fputs("]}", file);
}

static void put_type(FILE *file, const struct field *f)
{
    switch (f->type)
    {
    case FIELD_TEXT:
        fputs("{\"type\": \"string\"}", file);
        break;
    case FIELD_INT:
        put_number_type(file, f, "integer");
        break;
    case FIELD_NUMBER:
        put_number_type(file, f, "number");
        break;
    case FIELD_BOOL:
        fputs("{\"type\": \"boolean\"}", file);
        break;
    case FIELD_VECTOR:
        put_array(file, f, "number", 3);
        break;
    case FIELD_CHOICE:
        put_choices(file, f);
        break;
    case FIELD_COUNTS:
        put_array(file, f, "integer", f->length);
        break;
    case FIELD_RANGE:
        fputs("{\"type\": \"array\", \"items\": {\"type\": \"number\"}, \"minItems\": 2, \"maxItems\": 2}", file);
        break;
    case FIELD_RECORD:
        fprintf(file, "{\"$ref\": \"#/definitions/%s\"}", f->record->name);
        break;
    case FIELD_RECORDS:
        fprintf(file,
                "{\"anyOf\": [{\"$ref\": \"#/definitions/%s\"}, {\"type\": \"array\", \"items\": {\"$ref\": "
                "\"#/definitions/%s\"}}]}",
                f->record->name, f->record->name);
        break;
    case FIELD_NUMBERS:
        fputs("{\"anyOf\": [", file);
        put_number_type(file, f, "number");
        fputs(", ", file);
        put_array(file, f, "number", 0);
        fputs("]}", file);
        break;
    case FIELD_VECTORS:
        fputs("{\"anyOf\": [", file);
        put_array(file, f, "number", 3);
        fputs(", ", file);
        put_array_of(file, f, "number", 3);
        fputs("]}", file);
        break;
    case FIELD_TRIPLES:
        put_array_of(file, f, "integer", 3);
        break;
    case FIELD_NODE:
        fputs(f->schema, file);
        break;
    }
}

static void put_default(FILE *file, const char *before, const struct field *f, const void *at);

// Writes the default of a record, with all its parts, at the field that contains it: a record that several objects
// share, such as softness, has different defaults in each object.
static void put_parts(FILE *file, const struct record *record, const char *at)
{
    for (const struct field *f = record->fields; f->name; f++)
    {
        char before[64];
        snprintf(before, sizeof before, "%s\"%s\": ", f == record->fields ? "{" : ", ", f->name);
        put_default(file, before, f, at + f->offset);
    }
    fputc('}', file);
}

// Writes a default. `before` is written only if there is one.
static void put_default(FILE *file, const char *before, const struct field *f, const void *at)
{
    char text[3][NUMBER_TEXT];
    switch (f->type)
    {
    case FIELD_INT:
        fprintf(file, "%s%d", before, *(const int *)at);
        break;
    case FIELD_NUMBER:
        fprintf(file, "%s%s", before, number_write_float(*(const float *)at, text[0]));
        break;
    case FIELD_BOOL:
        fprintf(file, "%s%s", before, *(const bool *)at ? "true" : "false");
        break;
    case FIELD_CHOICE:
        fprintf(file, "%s\"%s\"", before, field_choice(f, *(const int *)at));
        break;
    case FIELD_VECTOR:
    {
        const pl_vec3 *v = at;
        fprintf(file, "%s[%s, %s, %s]", before, number_write_float(v->x, text[0]), number_write_float(v->y, text[1]),
                number_write_float(v->z, text[2]));
        break;
    }
    case FIELD_COUNTS:
    {
        const int *v = at;
        fprintf(file, "%s[%d, %d", before, v[0], v[1]);
        fprintf(file, f->length == 3 ? ", %d]" : "]", f->length == 3 ? v[2] : 0);
        break;
    }
    case FIELD_RECORD:
        if (f->record->plain)
        {
            fputs(before, file);
            put_parts(file, f->record, at);
        }
        break;
    default:
        break;
    }
}

static bool put_record(FILE *file, const struct record *record, const char *indent)
{
    void *values = calloc(1, record->size);
    bool required = false;
    if (!values)
    {
        return false;
    }
    if (record->defaults)
    {
        record->defaults(values);
    }
    fprintf(file, "%s\"description\": ", indent);
    put_string(file, record->about);
    fprintf(file, ",\n%s\"type\": \"object\",\n%s\"additionalProperties\": false,\n", indent, indent);
    for (const struct field *f = record->fields; f->name; f++)
    {
        if (f->required)
        {
            fprintf(file, required ? ", " : "%s\"required\": [", indent);
            put_string(file, f->name);
            required = true;
        }
    }
    fprintf(file, "%s%s\"properties\": {\n", required ? "],\n" : "", indent);
    for (const struct field *f = record->fields; f->name; f++)
    {
        // Each field is on one line: its description, its default, and, in allOf, its type.
        fprintf(file, "%s  ", indent);
        put_string(file, f->name);
        fputs(": {\"description\": ", file);
        put_string(file, f->about);
        if (!f->required && record->defaults)
        {
            put_default(file, ", \"default\": ", f, (char *)values + f->offset);
        }
        fputs(", \"allOf\": [", file);
        put_type(file, f);
        fprintf(file, "]}%s\n", f[1].name ? "," : "");
    }
    fprintf(file, "%s}", indent);
    free(values);
    return true;
}

char *record_schema(const struct record *record, const char *title)
{
    char *text = NULL;
    size_t length = 0;
    struct writer w = {.file = open_memstream(&text, &length)};
    if (!w.file)
    {
        return NULL;
    }
    bool good = collect(&w, record);
    fputs("{\n  \"$schema\": \"http://json-schema.org/draft-07/schema#\",\n  \"title\": ", w.file);
    put_string(w.file, title);
    fputs(",\n", w.file);
    good = put_record(w.file, record, "  ") && good;
    fputs(",\n  \"definitions\": {\n", w.file);
    for (int i = 0; i < w.count; i++)
    {
        fprintf(w.file, "    \"%s\": {\n", w.seen[i]->name);
        good = put_record(w.file, w.seen[i], "      ") && good;
        fprintf(w.file, "\n    }%s\n", i + 1 < w.count ? "," : "");
    }
    fputs("  }\n}\n", w.file);
    free(w.seen);
    if (fclose(w.file) != 0 || !good)
    {
        free(text); // an incomplete schema is not returned
        return NULL;
    }
    return text;
}
