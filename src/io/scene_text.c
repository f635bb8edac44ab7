// scene_text.c: writes a scene as JSON again: the text that was read, with all changes that were made to it. Numbers are
// written as they were.
#include "scene.h"

#include <stdio.h>
#include <string.h>

struct text_writer
{
    char *out;
    size_t size, length; // length: of the whole text, also of what did not fit
};

static void put_text(struct text_writer *w, const char *text, size_t length)
{
    if (w->out && w->length + length < w->size)
        memcpy(w->out + w->length, text, length);
    w->length += length;
}

static void put(struct text_writer *w, const char *text) { put_text(w, text, strlen(text)); }

static void put_string(struct text_writer *w, const char *text)
{
    put(w, "\"");
    for (const char *c = text; *c; c++)
    {
        char code[8];
        if (*c == '"' || *c == '\\')
            put(w, "\\");
        if ((unsigned char)*c >= 0x20)
        {
            put_text(w, c, 1);
            continue;
        }
        snprintf(code, sizeof code, "\\u%04x", (unsigned char)*c);
        put(w, code);
    }
    put(w, "\"");
}

static void put_line(struct text_writer *w, int depth)
{
    put(w, "\n");
    for (int i = 0; i < depth; i++)
        put(w, "  ");
}

static bool has_objects(const struct json *node)
{
    for (const struct json *c = node->first; c; c = c->next)
    {
        if (c->type == JSON_OBJECT)
            return true;
    }
    return false;
}

static void put_node(struct text_writer *w, const struct json *node, int depth);

// The scene itself and lists of objects have a line for each entry; what is inside these stands in one line.
static void put_children(struct text_writer *w, const struct json *node, int depth)
{
    bool object = node->type == JSON_OBJECT, lines = depth == 0 || (depth == 1 && !object && has_objects(node));
    put(w, object ? "{" : "[");
    for (const struct json *c = node->first; c; c = c->next)
    {
        if (lines)
            put_line(w, depth + 1);
        if (object)
        {
            put_string(w, c->key);
            put(w, ": ");
        }
        put_node(w, c, depth + 1);
        put(w, !c->next ? "" : lines ? "," : ", ");
    }
    if (lines)
        put_line(w, depth);
    put(w, object ? "}" : "]");
}

static void put_node(struct text_writer *w, const struct json *node, int depth)
{
    const char *number = node->source ? node->source->text + node->offset : "";
    switch (node->type)
    {
    case JSON_NULL:
        put(w, "null");
        break;
    case JSON_BOOL:
        put(w, node->boolean ? "true" : "false");
        break;
    case JSON_NUMBER:
        put_text(w, number, strspn(number, "+-.0123456789eE"));
        break;
    case JSON_STRING:
        put_string(w, node->text);
        break;
    case JSON_ARRAY:
    case JSON_OBJECT:
        put_children(w, node, depth);
        break;
    }
}

size_t pl_scene_text(const pl_scene *scene, char *out, size_t size)
{
    struct text_writer w = {.out = out, .size = out ? size : 0};
    if (scene && scene->root)
    {
        put_node(&w, scene->root, 0);
        put(&w, "\n");
    }
    if (w.size > 0)
        out[w.length < w.size ? w.length : w.size - 1] = 0;
    return w.length;
}
