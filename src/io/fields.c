// fields.c: reads a part of a scene according to its table of fields.
#include "fields.h"

#include "core/error.h"
#include "core/printable.h"
#include "number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static pl_result out_of_memory(void) { return fail(PL_ERROR_MEMORY, "no memory for the scene; use a smaller one"); }

static pl_result wrong_type(const struct json *node, const char *what, const char *wanted)
{
    return json_fail(node, "\"%s\" is %s; expected %s", what, json_type_name(node->type), wanted);
}

static pl_result check_number(const struct field *f, const struct json *node, const char *wanted)
{
    char value[NUMBER_TEXT], min[NUMBER_TEXT], max[NUMBER_TEXT];
    if (node->type != JSON_NUMBER)
    {
        return wrong_type(node, f->name, wanted);
    }
    if (node->number >= f->min && node->number <= f->max)
    {
        return PL_OK;
    }
    number_write(node->number, value);
    return json_fail(node, "\"%s\" is %s; %s to %s is allowed", f->name, value, number_write(f->min, min),
                     number_write(f->max, max));
}

static pl_result read_int(const struct field *f, const struct json *node, int *value)
{
    pl_result result = check_number(f, node, "a whole number");
    if (result == PL_OK && floor(node->number) != node->number)
    {
        char text[NUMBER_TEXT];
        return json_fail(node, "\"%s\" is %s; expected a whole number", f->name, number_write(node->number, text));
    }
    *value = result == PL_OK ? (int)node->number : 0;
    return result;
}

static pl_result read_float(const struct field *f, const struct json *node, float *value)
{
    pl_result result = check_number(f, node, "a number");
    *value = result == PL_OK ? (float)node->number : 0.0f;
    return result;
}

static pl_result read_floats(const struct field *f, const struct json *node, int count, float *values)
{
    if (node->type != JSON_ARRAY || node->count != count)
    {
        return node->type == JSON_ARRAY
                   ? json_fail(node, "\"%s\" has %d numbers; expected [x, y, z]", f->name, node->count)
                   : wrong_type(node, f->name, "[x, y, z]");
    }
    pl_result result = PL_OK;
    for (const struct json *child = node->first; child && result == PL_OK; child = child->next)
    {
        result = read_float(f, child, values++);
    }
    return result;
}

const char *field_choice(const struct field *field, int number)
{
    return field->choice ? field->choice(number) : field->choices[number];
}

static pl_result read_choice(const struct field *f, const struct json *node, int *value)
{
    char known[256];
    size_t used = 0;
    const char *word;
    for (int i = 0; (word = field_choice(f, i)) != NULL; i++)
    {
        if (node->type == JSON_STRING && strcmp(node->text, word) == 0)
        {
            *value = i;
            return PL_OK;
        }
        used += (size_t)snprintf(known + used, sizeof known - used, "%s\"%s\"", i ? ", " : "", word);
        used = used < sizeof known ? used : sizeof known - 1;
    }
    if (node->type != JSON_STRING)
    {
        return json_fail(node, "\"%s\" is %s; expected one of %s", f->name, json_type_name(node->type), known);
    }
    return json_fail(node, "\"%s\" is \"%.40s\"; expected one of %s", f->name, node->text, known);
}

static pl_result read_counts(const struct field *f, const struct json *node, int *values)
{
    const char *wanted = f->length == 2 ? "[columns, rows]" : "[a, b, c], whole numbers,";
    if (node->type != JSON_ARRAY || node->count != f->length)
    {
        return json_fail(node, "\"%s\" is not %d numbers; expected %s", f->name, f->length, wanted);
    }
    pl_result result = PL_OK;
    for (const struct json *child = node->first; child && result == PL_OK; child = child->next)
    {
        result = read_int(f, child, values++);
    }
    return result;
}

static pl_result read_range(const struct field *f, const struct json *node, struct range *range)
{
    if (node->type != JSON_ARRAY || node->count != 2 || node->first->type != JSON_NUMBER ||
        node->last->type != JSON_NUMBER || node->first->number > node->last->number)
    {
        return json_fail(node, "\"%s\" is not a range; expected [least, most]", f->name);
    }
    *range = (struct range){node->first->number, node->last->number};
    return PL_OK;
}

// Reads a number or an array of numbers; with width 3, a vector or an array of vectors.
static pl_result read_numbers(struct store *store, const struct field *f, const struct json *node, int width,
                              struct numbers *out)
{
    bool many = node->type == JSON_ARRAY && (width == 1 || (node->first && node->first->type == JSON_ARRAY));
    int count = many ? node->count : 1;
    float *values = store_take(store, (size_t)count * (size_t)width * sizeof *values);
    if (!values)
    {
        return out_of_memory();
    }
    *out = (struct numbers){.values = values, .count = count};
    pl_result result = PL_OK;
    for (const struct json *child = many ? node->first : node; child && result == PL_OK;
         child = many ? child->next : NULL)
    {
        result = width == 1 ? read_float(f, child, values) : read_floats(f, child, width, values);
        values += width;
    }
    return result;
}

static pl_result read_triples(struct store *store, const struct field *f, const struct json *node, struct triples *out)
{
    if (node->type != JSON_ARRAY)
    {
        return wrong_type(node, f->name, "an array of [a, b, c]");
    }
    int32_t *values = store_take(store, (size_t)node->count * 3 * sizeof *values);
    if (!values)
    {
        return out_of_memory();
    }
    *out = (struct triples){.values = values, .count = node->count};
    for (const struct json *triple = node->first; triple; triple = triple->next)
    {
        if (triple->type != JSON_ARRAY || triple->count != 3)
        {
            return json_fail(triple, "not three numbers in \"%s\"; expected [a, b, c]", f->name);
        }
        for (const struct json *child = triple->first; child; child = child->next)
        {
            int value = 0;
            pl_result result = read_int(f, child, &value);
            if (result != PL_OK)
            {
                return result;
            }
            *values++ = value;
        }
    }
    return PL_OK;
}

static pl_result read_records(struct store *store, const struct field *f, const struct json *node, struct records *out)
{
    bool many = node->type == JSON_ARRAY;
    int count = many ? node->count : 1;
    char *items = store_take(store, (size_t)count * f->record->size);
    if (!items)
    {
        return out_of_memory();
    }
    *out = (struct records){.items = items, .count = count};
    pl_result result = PL_OK;
    for (const struct json *child = many ? node->first : node; child && result == PL_OK;
         child = many ? child->next : NULL)
    {
        result = record_read(store, f->record, f->name, child, items);
        items += f->record->size;
    }
    return result;
}

// Names and titles are printed, so they may not hold the sequences that command a terminal.
static pl_result check_text(const struct field *f, const struct json *node)
{
    for (const char *p = node->text; *p; p++)
        if (is_control(p))
            return json_fail(node, "\"%s\" holds the control character 0x%02x; leave it out", f->name,
                             (unsigned char)*p);
    return PL_OK;
}

static pl_result read_field(struct store *store, const struct field *f, const struct json *node, void *at)
{
    switch (f->type)
    {
    case FIELD_TEXT:
        *(const char **)at = node->text;
        return node->type == JSON_STRING ? check_text(f, node) : wrong_type(node, f->name, "a string");
    case FIELD_INT:
        return read_int(f, node, at);
    case FIELD_NUMBER:
        return read_float(f, node, at);
    case FIELD_BOOL:
        *(bool *)at = node->boolean;
        return node->type == JSON_BOOL ? PL_OK : wrong_type(node, f->name, "true or false");
    case FIELD_VECTOR:
        return read_floats(f, node, 3, at);
    case FIELD_CHOICE:
        return read_choice(f, node, at);
    case FIELD_COUNTS:
        return read_counts(f, node, at);
    case FIELD_RANGE:
        return read_range(f, node, at);
    case FIELD_RECORD:
        return record_read(store, f->record, f->name, node, at);
    case FIELD_RECORDS:
        return read_records(store, f, node, at);
    case FIELD_NUMBERS:
        return read_numbers(store, f, node, 1, at);
    case FIELD_VECTORS:
        return read_numbers(store, f, node, 3, at);
    case FIELD_TRIPLES:
        return read_triples(store, f, node, at);
    case FIELD_NODE:
        *(const struct json **)at = node;
        return PL_OK;
    }
    return PL_OK;
}

pl_result record_read(struct store *store, const struct record *record, const char *called, const struct json *node,
                      void *values)
{
    uint64_t present = 0;
    if (record->defaults)
    {
        record->defaults(values);
    }
    if (node->type != JSON_OBJECT)
    {
        return json_fail(node, "%s is %s; expected an object { ... }", called, json_type_name(node->type));
    }
    for (const struct json *child = node->first; child; child = child->next)
    {
        const struct field *f = record_field(record, child->key);
        if (!f)
        {
            return record_unknown(record, called, child, child->key);
        }
        pl_result result = read_field(store, f, child, (char *)values + f->offset);
        if (result != PL_OK)
        {
            return result;
        }
        present |= (uint64_t)1 << (f - record->fields);
    }
    for (const struct field *f = record->fields; f->name; f++)
    {
        if (f->required && !(present >> (f - record->fields) & 1))
        {
            return json_fail(node, "%s without \"%s\"; it is needed (%s)", called, f->name, f->about);
        }
    }
    if (!record->plain)
    {
        *(struct head *)values = (struct head){.node = node, .present = present};
    }
    return PL_OK;
}
