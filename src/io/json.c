// json.c: implements the nodes of the JSON tree and the error messages. The parser is in json_parse.c.
#include "json.h"

#include "core/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *json_type_name(enum json_type type)
{
    static const char *const names[] = {"null", "true or false", "a number", "a string", "an array", "an object"};
    return names[type];
}

struct json *json_new(struct store *store, enum json_type type, const struct json *where)
{
    struct json *node = store_take(store, sizeof *node);
    if (node)
    {
        node->type = type;
        node->source = where->source;
        node->offset = where->offset;
        node->key_offset = where->offset;
    }
    return node;
}

void json_append(struct json *parent, struct json *child)
{
    if (parent->last)
    {
        parent->last->next = child;
    }
    else
    {
        parent->first = child;
    }
    parent->last = child;
    parent->count++;
}

void json_replace(struct json *parent, struct json *old, struct json *value)
{
    value->next = old->next;
    value->key = old->key;
    for (struct json **link = &parent->first; *link; link = &(*link)->next)
    {
        if (*link == old)
        {
            *link = value;
            break;
        }
    }
    if (parent->last == old)
    {
        parent->last = value;
    }
}

struct json *json_member(const struct json *object, const char *key)
{
    struct json *child = object->type == JSON_OBJECT ? object->first : NULL;
    while (child && strcmp(child->key, key) != 0)
    {
        child = child->next;
    }
    return child;
}

struct json *json_child(const struct json *parent, int n)
{
    struct json *child = n < 0 ? NULL : parent->first;
    while (child && n-- > 0)
    {
        child = child->next;
    }
    return child;
}

// Columns count characters, not bytes, as editors do.
void source_place(const struct json_source *source, size_t offset, int *line, int *column)
{
    *line = 1;
    *column = 1;
    for (size_t i = 0; i < offset && i < source->length; i++)
    {
        unsigned char c = (unsigned char)source->text[i];
        if (c == '\n')
        {
            ++*line;
            *column = 1;
        }
        else if ((c & 0xC0) != 0x80)
        {
            ++*column;
        }
    }
}

static pl_result fail_place(const struct json_source *source, size_t offset, pl_result code, const char *format,
                            va_list arguments)
{
    char what[768];
    int line, column;
    vsnprintf(what, sizeof what, format, arguments);
    source_place(source, offset, &line, &column);
    return fail(code, "%s:%d:%d: error: %s", source->file, line, column, what);
}

pl_result source_fail(const struct json_source *source, size_t offset, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    pl_result result = fail_place(source, offset, PL_ERROR_FORMAT, format, arguments);
    va_end(arguments);
    return result;
}

pl_result json_fail(const struct json *node, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    pl_result result = fail_place(node->source, node->offset, PL_ERROR_FORMAT, format, arguments);
    va_end(arguments);
    return result;
}

pl_result json_fail_key(const struct json *node, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    pl_result result = fail_place(node->source, node->key_offset, PL_ERROR_FORMAT, format, arguments);
    va_end(arguments);
    return result;
}

pl_result json_fail_code(const struct json *node, pl_result code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    pl_result result = fail_place(node->source, node->offset, code, format, arguments);
    va_end(arguments);
    return result;
}
