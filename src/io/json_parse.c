// json_parse.c: parses a JSON text into a tree.
//
// jsmn splits the text into tokens. It is lax, so the walk below keeps a cursor in the text, takes the tokens in order
// and requires that only the right punctuation stands between them. That makes the parser strict, and messages point at
// the cursor.
#include "json.h"

#include "core/error.h"
#include "number.h"

#include <stdlib.h>
#include <string.h>

#define JSMN_STATIC
#define JSMN_PARENT_LINKS
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#include <jsmn.h>
#pragma GCC diagnostic pop

struct walk
{
    struct store *store;
    const struct json_source *source;
    size_t at;              // the cursor
    const jsmntok_t *token; // the next one
    const jsmntok_t *end;
};

static pl_result out_of_memory(void)
{
    return fail(PL_ERROR_MEMORY, "no memory for the scene's text; use a smaller scene");
}

static void skip_space(struct walk *w)
{
    const char *text = w->source->text;
    while (w->at < w->source->length &&
           (text[w->at] == ' ' || text[w->at] == '\n' || text[w->at] == '\r' || text[w->at] == '\t'))
    {
        w->at++;
    }
}

// Returns the character at the cursor, or 0 at the end. A 0 in the text is an error like any other stray character.
static char here(const struct walk *w) { return w->at < w->source->length ? w->source->text[w->at] : 0; }

static pl_result unexpected(const struct walk *w, const char *wanted)
{
    if (w->at >= w->source->length)
    {
        return source_fail(w->source, w->at, "the text ends too early; expected %s", wanted);
    }
    unsigned char c = (unsigned char)here(w);
    if (c < 32 || c >= 127)
    {
        return source_fail(w->source, w->at, "unexpected byte 0x%02x; expected %s", c, wanted);
    }
    return source_fail(w->source, w->at, "unexpected '%c'; expected %s", c, wanted);
}

// Takes the string at the cursor.
static pl_result take_string(struct walk *w, const char **text)
{
    if (w->token == w->end || w->token->type != JSMN_STRING || (size_t)w->token->start != w->at + 1)
    {
        return source_fail(w->source, w->at,
                           "this string is broken off or has a bad escape; write \"...\" on one line");
    }
    pl_result result = json_string(w->store, w->source, (size_t)w->token->start, (size_t)w->token->end, text);
    w->at = (size_t)w->token->end + 1;
    w->token++;
    return result;
}

// Takes the number or the literal at the cursor.
static pl_result take_primitive(struct walk *w, struct json *node)
{
    if (w->token == w->end || w->token->type != JSMN_PRIMITIVE || (size_t)w->token->start != w->at)
    {
        return unexpected(w, "a value");
    }
    const char *text = w->source->text + w->token->start;
    size_t length = (size_t)(w->token->end - w->token->start);
    if (length == 4 && memcmp(text, "null", 4) == 0)
    {
        node->type = JSON_NULL;
    }
    else if ((length == 4 && memcmp(text, "true", 4) == 0) || (length == 5 && memcmp(text, "false", 5) == 0))
    {
        node->type = JSON_BOOL;
        node->boolean = length == 4;
    }
    else if (number_read(text, length, NUMBER_JSON, &node->number))
    {
        node->type = JSON_NUMBER;
        if (!(node->number - node->number == 0.0))
        {
            return source_fail(w->source, w->at, "%.*s is too large a number; at most 1.7e308 fits",
                               length > 40 ? 40 : (int)length, text);
        }
    }
    else
    {
        int shown = length > 40 ? 40 : (int)length;
        return source_fail(w->source, w->at,
                           "%.*s is no JSON value; expected a number, true, false, null, \"text\", [ or {", shown,
                           text);
    }
    w->at += length;
    w->token++;
    return PL_OK;
}

static pl_result take_value(struct walk *w, int depth, struct json *node);

// Takes the key and the colon of a member.
static pl_result take_key(struct walk *w, const struct json *object, struct json *member)
{
    if (here(w) != '"')
    {
        return unexpected(w, here(w) == '}' && object->count ? "another key (the comma before it is one too many)"
                                                             : "a key in double quotes");
    }
    member->key_offset = (uint32_t)w->at;
    pl_result result = take_string(w, &member->key);
    if (result != PL_OK)
    {
        return result;
    }
    if (json_member(object, member->key))
    {
        return source_fail(w->source, member->key_offset, "key \"%.40s\" a second time; each key may appear once",
                           member->key);
    }
    if (object->count >= JSON_MAX_KEYS)
    {
        return source_fail(w->source, member->key_offset, "more than %d keys in one object; use a list", JSON_MAX_KEYS);
    }
    skip_space(w);
    if (here(w) != ':')
    {
        return unexpected(w, "':' and the key's value");
    }
    w->at++;
    skip_space(w);
    return PL_OK;
}

static pl_result take_container(struct walk *w, int depth, struct json *node)
{
    bool object = here(w) == '{';
    char close = object ? '}' : ']';
    if (depth >= JSON_MAX_DEPTH)
    {
        return source_fail(w->source, w->at, "nested more than %d deep; a scene needs 6", JSON_MAX_DEPTH);
    }
    if (w->token == w->end || (size_t)w->token->start != w->at)
    {
        return unexpected(w, "a value");
    }
    node->type = object ? JSON_OBJECT : JSON_ARRAY;
    w->token++;
    w->at++;
    skip_space(w);
    while (here(w) != close || node->count)
    {
        struct json *child = json_new(w->store, JSON_NULL, node);
        if (!child)
        {
            return out_of_memory();
        }
        pl_result result = object ? take_key(w, node, child) : PL_OK;
        if (result == PL_OK && !object && here(w) == ']')
        {
            result = unexpected(w, "another value (the comma before it is one too many)");
        }
        result = result == PL_OK ? take_value(w, depth + 1, child) : result;
        if (result != PL_OK)
        {
            return result;
        }
        json_append(node, child);
        skip_space(w);
        if (here(w) == close)
        {
            break;
        }
        if (here(w) != ',')
        {
            return unexpected(w, object ? "',' or '}'" : "',' or ']'");
        }
        w->at++;
        skip_space(w);
    }
    w->at++;
    return PL_OK;
}

static pl_result take_value(struct walk *w, int depth, struct json *node)
{
    node->offset = (uint32_t)w->at;
    switch (here(w))
    {
    case '{':
    case '[':
        return take_container(w, depth, node);
    case '"':
        node->type = JSON_STRING;
        return take_string(w, &node->text);
    case 0:
    case '}':
    case ']':
    case ',':
    case ':':
        return unexpected(w, "a value");
    default:
        return take_primitive(w, node);
    }
}

// Returns where the text first nests deeper than a scene may, or its length. jsmn gets the text up to there: at each end
// of a container it walks back over the containers around it, which takes minutes for a text of nothing but brackets.
// Strings and words end here where they end for jsmn, so that no quote hides brackets from one of the two.
static size_t shallow_part(const struct json_source *source, size_t at)
{
    const char *text = source->text;
    size_t length = source->length;
    int depth = 0;
    for (; at < length; at++)
    {
        if (text[at] == '"')
        {
            for (at++; at < length && text[at] != '"'; at++)
                at += text[at] == '\\';
        }
        else if (text[at] == '[' || text[at] == '{')
        {
            if (depth++ == JSON_MAX_DEPTH)
                return at;
        }
        else if (text[at] == ']' || text[at] == '}')
            depth -= depth > 0;
        else
            while (at + 1 < length && !memchr("\t\r\n ,]}:", text[at], 8) && !memchr("\t\r\n ,]}:", text[at + 1], 8))
                at++;
    }
    return length;
}

// Splits the text into tokens. The walk finds everything that jsmn refuses and describes it better, so only the count
// is kept.
static pl_result cut(const struct json_source *source, size_t offset, jsmntok_t **tokens, size_t *count)
{
    jsmn_parser parser;
    size_t capacity = 256;
    int result = JSMN_ERROR_NOMEM;
    const size_t length = shallow_part(source, offset);
    jsmn_init(&parser);
    parser.pos = (unsigned)offset;
    *tokens = NULL;
    while (result == JSMN_ERROR_NOMEM)
    {
        if (capacity > JSON_MAX_VALUES)
        {
            return source_fail(source, parser.pos, "more than %d values; use a mesh file", JSON_MAX_VALUES);
        }
        jsmntok_t *more = realloc(*tokens, capacity * sizeof **tokens);
        if (!more)
        {
            return out_of_memory();
        }
        *tokens = more;
        result = jsmn_parse(&parser, source->text, length, more, (unsigned)capacity);
        capacity *= 2;
    }
    *count = parser.toknext;
    return PL_OK;
}

pl_result json_parse_source(struct store *store, const struct json_source *source, size_t offset, struct json **root)
{
    jsmntok_t *tokens = NULL;
    size_t count = 0;
    pl_result result = cut(source, offset, &tokens, &count);
    struct walk w = {.store = store, .source = source, .at = offset, .token = tokens, .end = tokens + count};
    struct json *node = store_take(store, sizeof *node);
    if (result == PL_OK && !node)
    {
        result = out_of_memory();
    }
    if (result == PL_OK)
    {
        node->source = source;
        skip_space(&w);
        result = take_value(&w, 0, node);
        skip_space(&w);
        if (result == PL_OK && w.at != source->length)
        {
            result = unexpected(&w, "nothing more");
        }
    }
    free(tokens);
    *root = node;
    return result;
}

pl_result json_parse(struct store *store, const char *text, size_t length, const char *file, struct json **root)
{
    if (length > JSON_MAX_BYTES)
    {
        return fail(PL_ERROR_FORMAT, "%s:1:1: error: %zu bytes; a scene has at most %d", file, length, JSON_MAX_BYTES);
    }
    struct json_source *source = store_take(store, sizeof *source);
    char *file_copy = store_text(store, file, strlen(file)), *text_copy = store_text(store, text, length);
    if (!source || !file_copy || !text_copy)
    {
        return out_of_memory();
    }
    *source = (struct json_source){.file = file_copy, .text = text_copy, .length = length};
    if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
    {
        return source_fail(source, 0, "the text begins with a byte order mark (BOM); save it as UTF-8 without one");
    }
    return json_parse_source(store, source, 0, root);
}
