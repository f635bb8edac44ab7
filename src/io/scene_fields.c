// scene_fields.c: lists a scene's fields with their values, using the tables that read it, so that a user interface
// always shows every field of the format.
#include "scene.h"

#include <stdio.h>
#include <string.h>

struct walk
{
    pl_scene_field *out;
    int count, capacity;
};

// The properties that a record passes on to the fields inside it.
struct standing
{
    const char *prefix;
    bool given;
    const char *idle;
    const char *object; // its name
};

static void visit(struct walk *w, const struct record *record, const char *values, const struct standing *outer);

static void put_path(char *out, size_t size, const char *prefix, const char *name, int index)
{
    const char *dot = prefix[0] ? "." : "";
    if (index >= 0)
    {
        snprintf(out, size, "%s%s%s[%d]", prefix, dot, name, index);
    }
    else
    {
        snprintf(out, size, "%s%s%s", prefix, dot, name);
    }
}

// Reads the numbers of a field; false: it has none that can be changed.
static bool read_value(const struct field *f, const char *at, pl_scene_field *to)
{
    const struct numbers *list = (const struct numbers *)at;
    const float *x = (const float *)at;
    const int *n = (const int *)at;
    to->type = PL_VALUE_NUMBER;
    to->count = 1;
    switch (f->type)
    {
    case FIELD_INT:
    case FIELD_COUNTS:
        to->type = PL_VALUE_INT;
        to->count = f->type == FIELD_INT ? 1 : f->length;
        break;
    case FIELD_BOOL:
        to->type = PL_VALUE_BOOL;
        to->value[0] = *(const bool *)at;
        return true;
    case FIELD_CHOICE:
        to->type = PL_VALUE_CHOICE;
        to->value[0] = n[0];
        to->choices = f->choices;
        return f->choices != NULL;
    case FIELD_NUMBER:
        break;
    case FIELD_VECTOR:
        to->count = 3;
        break;
    case FIELD_NUMBERS:
    case FIELD_VECTORS:
        to->count = f->type == FIELD_VECTORS ? 3 : 1;
        x = list->values;
        if (list->count != 1 || !x)
        {
            return false;
        }
        break;
    default:
        return false;
    }
    for (int i = 0; i < to->count; i++)
    {
        to->value[i] = to->type == PL_VALUE_INT ? (double)n[i] : (double)x[i];
    }
    return true;
}

// What a record has as its "name"; NULL: nothing.
static const char *name_of(const struct record *record, const char *values)
{
    for (const struct field *f = record->fields; f->name; f++)
    {
        if (f->type == FIELD_TEXT && strcmp(f->name, "name") == 0)
            return *(const char *const *)(values + f->offset);
    }
    return NULL;
}

static void visit_field(struct walk *w, const struct field *f, const char *values, const struct standing *s)
{
    const char *at = values + f->offset;
    char path[sizeof w->out->path];
    struct standing inner = {path, s->given, s->idle, s->object};
    if (f->type == FIELD_RECORD)
    {
        put_path(path, sizeof path, s->prefix, f->name, -1);
        visit(w, f->record, at, &inner);
        return;
    }
    if (f->type == FIELD_RECORDS)
    {
        const struct records *list = (const struct records *)at;
        for (int i = 0; i < list->count; i++)
        {
            const char *item = (const char *)list->items + (size_t)i * f->record->size;
            put_path(path, sizeof path, s->prefix, f->name, i);
            inner.object = s->object ? s->object : name_of(f->record, item);
            visit(w, f->record, item, &inner);
        }
        return;
    }
    pl_scene_field one = {
        .about = f->about, .min = f->min, .max = f->max, .given = s->given, .only_for = s->idle, .object = s->object};
    put_path(one.path, sizeof one.path, s->prefix, f->name, -1);
    if (!read_value(f, at, &one))
    {
        return;
    }
    if (w->count < w->capacity)
    {
        w->out[w->count] = one;
    }
    w->count++;
}

static void visit(struct walk *w, const struct record *record, const char *values, const struct standing *outer)
{
    for (const struct field *f = record->fields; f->name; f++)
    {
        if (f->record == &expect_record)
        {
            continue;
        }
        const struct field_use *use = record_idle(record, values, f);
        // A struct of the public API does not record which fields were set: it counts as set with the field that
        // contains it.
        bool given = record->plain ? outer->given : outer->given && record_has(record, values, f->offset);
        visit_field(w, f, values,
                    &(struct standing){outer->prefix, given, use ? use->words : outer->idle, outer->object});
    }
}

int pl_scene_fields(const pl_scene *scene, pl_scene_field *out, int capacity)
{
    struct walk w = {.out = out, .capacity = out ? capacity : 0};
    if (scene)
    {
        visit(&w, &scene_record, (const char *)scene, &(struct standing){"", true, NULL, NULL});
    }
    return w.count;
}
