// xml.c: finds the parts of a parsed XML text; xml_parse.c reads it.
#include "xml.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct xml_attribute *xml_attribute(const struct xml *node, const char *name)
{
    struct xml_attribute *a = node->attributes;
    while (a && strcmp(a->name, name) != 0)
        a = a->next;
    if (a)
        a->read = true;
    return a;
}

const char *xml_value(const struct xml *node, const char *name)
{
    const struct xml_attribute *a = xml_attribute(node, name);
    return a ? a->value : NULL;
}

bool xml_is(const struct xml *node, const char *name) { return strcmp(node->name, name) == 0; }

static struct xml *find_from(struct xml *node, const char *name)
{
    while (node && !xml_is(node, name))
        node = node->next;
    if (node)
        node->read = true;
    return node;
}

struct xml *xml_child(const struct xml *node, const char *name) { return find_from(node->first, name); }

struct xml *xml_next(const struct xml *node) { return find_from(node->next, node->name); }

pl_result xml_fail(const struct xml *node, const char *format, ...)
{
    char what[768];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return source_fail(node->source, node->offset, "%s", what);
}

pl_result xml_fail_at(const struct xml *node, const struct xml_attribute *attribute, const char *format, ...)
{
    char what[768];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return source_fail(node->source, attribute ? attribute->offset : node->offset, "%s", what);
}
