// fields_set.c: implements `--set path=value`. It walks the path in the tree and in the tables at once, so that a key
// that the text leaves out can be added, and a name that does not exist is refused with the nearest one that does.
#include "fields.h"

#include "core/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct step
{
    const char *name; // NULL: an index
    long index;
    size_t offset; // in the text, for messages
};

enum
{
    MAX_STEPS = 16,
};

static pl_result path_error(const struct json_source *source, size_t offset)
{
    return source_fail(source, offset, "bad path; PATH=VALUE looks like cloth.size=[200,200] or cloth[1].mass=2");
}

// Splits "cloth[1].mass" or "cloth.1.mass" into steps.
static pl_result split(struct store *store, const struct json_source *source, size_t end, struct step *steps,
                       int *count)
{
    const char *text = source->text;
    size_t at = 0;
    *count = 0;
    while (at < end)
    {
        bool bracket = text[at] == '[';
        size_t start = at + (bracket || (text[at] == '.' && *count > 0)), stop = start;
        while (stop < end && text[stop] != '.' && text[stop] != '[' && text[stop] != ']')
        {
            stop++;
        }
        if (stop == start || *count == MAX_STEPS || (bracket && (stop == end || text[stop] != ']')) ||
            (!bracket && stop < end && text[stop] == ']'))
        {
            return path_error(source, at);
        }
        char *name = store_text(store, text + start, stop - start), *rest = NULL;
        if (!name)
        {
            return fail(PL_ERROR_MEMORY, "no memory for a change of the scene; use a smaller scene");
        }
        bool digits = strspn(name, "0123456789") == stop - start && stop - start < 9;
        if (bracket && !digits)
        {
            return source_fail(source, start, "\"%.40s\" is no index; expected a number counted from 0", name);
        }
        steps[(*count)++] =
            (struct step){.name = digits ? NULL : name, .index = strtol(name, &rest, 10), .offset = start};
        at = stop + bracket;
    }
    return *count ? PL_OK : path_error(source, 0);
}

// Reads the value's text as JSON or, if it is not JSON, as a string.
static pl_result read_value(struct store *store, const struct json_source *source, size_t offset, struct json **value)
{
    struct json_source *copy = store_take(store, sizeof *copy);
    if (!copy)
    {
        return fail(PL_ERROR_MEMORY, "no memory for a change of the scene; use a smaller scene");
    }
    *copy = *source;
    const char *text = source->text + offset;
    pl_result result = json_parse_source(store, copy, offset, value);
    if (result == PL_OK || text[0] == '[' || text[0] == '{' || text[0] == '"')
    {
        return result; // text that begins like JSON was meant as JSON, so its error is the more useful one
    }
    struct json here = {.source = copy, .offset = (uint32_t)offset};
    *value = json_new(store, JSON_STRING, &here);
    if (*value)
    {
        (*value)->text = text;
    }
    return *value ? PL_OK : fail(PL_ERROR_MEMORY, "no memory for a change of the scene; use a smaller scene");
}

struct setter
{
    struct store *store;
    const struct json_source *source;
    const struct step *steps;
    int count;
    struct json *value;
};

static struct json *place(const struct setter *s, int i, struct json *node)
{
    *node = (struct json){
        .source = s->source, .offset = (uint32_t)s->steps[i].offset, .key_offset = (uint32_t)s->steps[i].offset};
    return node;
}

static pl_result set_step(const struct setter *s, int i, const struct record *record, struct json *node);

// Step i names the child `old` of `node`; the last step replaces it, any other continues inside it.
static pl_result set_child(const struct setter *s, int i, const struct record *record, struct json *node,
                           struct json *old)
{
    if (i + 1 == s->count)
    {
        json_replace(node, old, s->value);
        return PL_OK;
    }
    return set_step(s, i + 1, record, old);
}

static pl_result set_member(const struct setter *s, int i, const struct record *record, struct json *node)
{
    struct json here;
    const char *name = s->steps[i].name;
    const struct field *f = record ? record_field(record, name) : NULL;
    if (record && !f)
    {
        const char *called = record->name; // the last step that has a name
        for (int k = 0; k < i; k++)
            called = s->steps[k].name ? s->steps[k].name : called;
        return record_unknown(record, called, place(s, i, &here), name);
    }
    struct json *child = json_member(node, name);
    if (!child && !f)
    {
        return json_fail(place(s, i, &here), "there is no key \"%.40s\"; set the whole value instead", name);
    }
    if (!child)
    {
        bool object = f->type == FIELD_RECORD || f->type == FIELD_RECORDS;
        if (i + 1 < s->count && !object)
        {
            return json_fail(place(s, i, &here), "the scene does not set \"%s\"; set the whole value", name);
        }
        child = json_new(s->store, JSON_OBJECT, place(s, i, &here));
        if (!child)
        {
            return fail(PL_ERROR_MEMORY, "no memory for a change of the scene; use a smaller scene");
        }
        child->key = name;
        json_append(node, child);
    }
    return set_child(s, i, f ? f->record : NULL, node, child);
}

static pl_result set_step(const struct setter *s, int i, const struct record *record, struct json *node)
{
    struct json here;
    const struct step *step = &s->steps[i];
    if (node->type == JSON_ARRAY)
    {
        if (step->name && node->count == 1 && node->first->type == JSON_OBJECT)
        {
            return set_step(s, i, record, node->first); // a list of one item needs no index
        }
        if (step->name)
        {
            return json_fail(place(s, i, &here), "this is a list of %d; select one with [0] to [%d]", node->count,
                             node->count - 1);
        }
        struct json *child = json_child(node, (int)step->index);
        if (!child)
        {
            return json_fail(place(s, i, &here), "no element %ld; the list has %d, counted from 0", step->index,
                             node->count);
        }
        return set_child(s, i, record, node, child);
    }
    if (node->type == JSON_OBJECT && step->name)
    {
        return set_member(s, i, record, node);
    }
    if (node->type == JSON_OBJECT && step->index == 0 && i > 0)
    {
        return i + 1 == s->count ? json_fail(place(s, i, &here), "this is a single object; set it without [0]")
                                 : set_step(s, i + 1, record, node); // one object counts as a list of one
    }
    if (node->type == JSON_OBJECT)
    {
        return json_fail(place(s, i, &here), "no element %ld; this is a single object, [0]", step->index);
    }
    return json_fail(place(s, i, &here), "this is %s, which has no parts of that name; set the whole value",
                     json_type_name(node->type));
}

// Returns the name of the source in messages: the set itself, because there may be several; a long one is truncated.
static const char *name_of(struct store *store, const char *set)
{
    enum
    {
        MOST = 60,
    };
    char name[MOST + 16];
    snprintf(name, sizeof name, "--set %.*s%s", MOST, set, strlen(set) > MOST ? "..." : "");
    for (char *c = name; *c; c++)
    {
        *c = (unsigned char)*c < 32 ? ' ' : *c;
    }
    const char *copy = store_text(store, name, strlen(name));
    return copy ? copy : "--set";
}

pl_result record_set(struct store *store, const struct record *record, struct json *root, const char *set)
{
    struct json_source *source = store_take(store, sizeof *source);
    size_t length = strlen(set);
    char *text = store_text(store, set, length);
    if (!source || !text)
    {
        return fail(PL_ERROR_MEMORY, "no memory for a change of the scene; use a smaller scene");
    }
    *source = (struct json_source){.file = name_of(store, set), .text = text, .length = length};
    const char *equals = strchr(text, '=');
    if (!equals || length > JSON_MAX_BYTES)
    {
        return path_error(source, 0);
    }
    struct step steps[MAX_STEPS];
    struct setter s = {.store = store, .source = source, .steps = steps};
    pl_result result = split(store, source, (size_t)(equals - text), steps, &s.count);
    if (result == PL_OK)
    {
        result = read_value(store, source, (size_t)(equals - text) + 1, &s.value);
    }
    return result == PL_OK ? set_step(&s, 0, record, root) : result;
}
