// xml_parse.c: implements xml_parse of xml.h in one pass over the text. The open element is a pointer into the tree, and
// its parents are the stack.
#include "xml.h"

#include "core/error.h"

#include <string.h>

struct reader
{
    struct store *store;
    const struct json_source *source;
    size_t at, length;
    const char *text;
    struct xml *root, *open;
    int depth, elements;
};

static pl_result fail_here(const struct reader *r, size_t at, const char *what)
{
    return source_fail(r->source, at, "%s", what);
}

static pl_result no_memory(void) { return fail(PL_ERROR_MEMORY, "no memory for the XML text; use a smaller one"); }

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

// Bytes of UTF-8 beyond ASCII are allowed in names.
static bool starts_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == ':' || (unsigned char)c >= 0x80;
}
static bool in_name(char c) { return starts_name(c) || (c >= '0' && c <= '9') || c == '-' || c == '.'; }

static bool begins(const struct reader *r, const char *word)
{
    size_t size = strlen(word);
    return r->length - r->at >= size && memcmp(r->text + r->at, word, size) == 0;
}

static void skip_space(struct reader *r)
{
    while (r->at < r->length && is_space(r->text[r->at]))
        r->at++;
}

// Skips to behind `end`, which closes what began at the present place with `head` bytes.
static pl_result skip_to(struct reader *r, size_t head, const char *end, const char *what)
{
    size_t start = r->at, size = strlen(end);
    for (r->at += head; r->at + size <= r->length; r->at++)
        if (memcmp(r->text + r->at, end, size) == 0)
        {
            r->at += size;
            return PL_OK;
        }
    return fail_here(r, start, what);
}

static pl_result read_name(struct reader *r, const char **name)
{
    size_t start = r->at;
    if (start >= r->length || !starts_name(r->text[start]))
        return fail_here(r, start, "a name is missing here; it begins with a letter, \"_\" or \":\"");
    while (r->at < r->length && in_name(r->text[r->at]))
        r->at++;
    *name = store_text(r->store, r->text + start, r->at - start);
    return *name ? PL_OK : no_memory();
}

// ---- references ----------------------------------------------------------------------------------------------------

static size_t put_utf8(uint32_t c, char *out)
{
    if (c < 0x80)
        return out[0] = (char)c, 1;
    if (c < 0x800)
        return out[0] = (char)(0xC0 | c >> 6), out[1] = (char)(0x80 | (c & 63)), 2;
    if (c < 0x10000)
        return out[0] = (char)(0xE0 | c >> 12), out[1] = (char)(0x80 | (c >> 6 & 63)), out[2] = (char)(0x80 | (c & 63)),
               3;
    out[0] = (char)(0xF0 | c >> 18), out[1] = (char)(0x80 | (c >> 12 & 63));
    out[2] = (char)(0x80 | (c >> 6 & 63)), out[3] = (char)(0x80 | (c & 63));
    return 4;
}

// Reads the digits of "&#65;" or "&#x41;" between `from` and `to`; 0 if they name no character.
static uint32_t character_of(const char *from, const char *to)
{
    uint32_t base = 10, value = 0;
    if (from < to && *from == 'x')
        base = 16, from++;
    if (from == to)
        return 0;
    for (; from < to; from++)
    {
        char c = *from;
        uint32_t digit = c >= '0' && c <= '9'   ? (uint32_t)(c - '0')
                         : c >= 'a' && c <= 'f' ? (uint32_t)(c - 'a') + 10
                         : c >= 'A' && c <= 'F' ? (uint32_t)(c - 'A') + 10
                                                : 99;
        if (digit >= base || value > 0x110000)
            return 0;
        value = value * base + digit;
    }
    bool plain = value >= 32 || value == 9 || value == 10 || value == 13;
    return value < 0x110000 && plain && !(value >= 0xD800 && value < 0xE000) ? value : 0;
}

// Reads a reference at '&', moves behind it, and writes what it stands for.
static pl_result read_reference(struct reader *r, char out[4], size_t *size)
{
    static const struct
    {
        const char *name;
        char is;
    } named[] = {{"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}, {"&apos;", '\''}};
    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        if (begins(r, named[i].name))
        {
            r->at += strlen(named[i].name);
            out[0] = named[i].is;
            *size = 1;
            return PL_OK;
        }
    if (begins(r, "&#"))
    {
        const char *from = r->text + r->at + 2;
        size_t left = r->length - r->at - 2;
        const char *to = memchr(from, ';', left < 10 ? left : 10);
        uint32_t c = to ? character_of(from, to) : 0;
        if (c)
        {
            *size = put_utf8(c, out);
            r->at = (size_t)(to - r->text) + 1;
            return PL_OK;
        }
    }
    return fail_here(r, r->at,
                     "an unknown reference; use &lt; &gt; &amp; &quot; &apos; or &#65;, and &amp; for \"&\" itself");
}

// ---- elements ------------------------------------------------------------------------------------------------------

static pl_result read_value(struct reader *r, struct xml_attribute *a)
{
    char quote = r->at < r->length ? r->text[r->at] : 0;
    if (quote != '"' && quote != '\'')
        return fail_here(r, r->at, "the value of an attribute without quotes; use name=\"value\"");
    size_t start = ++r->at, used = 0;
    const char *end = memchr(r->text + start, quote, r->length - start);
    if (!end)
        return fail_here(r, start - 1, "a quote that is never closed; end the value with the same quote");
    size_t stop = (size_t)(end - r->text);
    char *value = store_take(r->store, stop - start + 1); // a reference is longer than what it stands for
    if (!value)
        return no_memory();
    a->offset = (uint32_t)start;
    while (r->at < stop)
    {
        char c = r->text[r->at];
        size_t size = 1;
        if (c == '<')
            return fail_here(r, r->at, "\"<\" in the value of an attribute; close the quote, or use &lt;");
        if (c == '&')
        {
            pl_result result = read_reference(r, value + used, &size);
            if (result != PL_OK)
                return result;
        }
        else
        {
            value[used] = is_space(c) ? ' ' : c;
            r->at++;
        }
        used += size;
    }
    r->at = stop + 1;
    a->value = value;
    return PL_OK;
}

static pl_result read_attribute(struct reader *r, struct xml *node, int number, struct xml_attribute **last)
{
    struct xml_attribute *a = store_take(r->store, sizeof *a);
    size_t start = r->at;
    if (!a)
        return no_memory();
    if (number >= XML_MAX_ATTRIBUTES)
        return fail_here(r, start, "more than 64 attributes of one element; use fewer");
    pl_result result = read_name(r, &a->name);
    if (result != PL_OK)
        return result;
    for (const struct xml_attribute *b = node->attributes; b; b = b->next)
        if (strcmp(a->name, b->name) == 0)
            return source_fail(r->source, start, "a second attribute \"%.40s\"; each may appear once", a->name);
    skip_space(r);
    if (r->at >= r->length || r->text[r->at] != '=')
        return fail_here(r, r->at, "\"=\" is missing; use name=\"value\"");
    r->at++;
    skip_space(r);
    *(*last ? &(*last)->next : &node->attributes) = a;
    *last = a;
    return read_value(r, a);
}

static void append(struct reader *r, struct xml *node)
{
    node->parent = r->open;
    if (!r->open)
        r->root = node;
    else if (r->open->last)
        r->open->last->next = node;
    else
        r->open->first = node;
    if (r->open)
        r->open->last = node;
}

static pl_result open_element(struct reader *r)
{
    struct xml *node = store_take(r->store, sizeof *node);
    struct xml_attribute *last = NULL;
    size_t start = r->at++;
    if (!node)
        return no_memory();
    if (r->root && !r->open)
        return fail_here(r, start, "a second element outside of the first; one element holds everything");
    if (r->depth >= XML_MAX_DEPTH)
        return fail_here(r, start, "elements nested more than 64 levels deep; use fewer levels");
    if (++r->elements > XML_MAX_ELEMENTS)
        return fail_here(r, start, "more than a million elements; use a smaller file");
    pl_result result = read_name(r, &node->name);
    node->offset = (uint32_t)start;
    node->source = r->source;
    append(r, node);
    for (int number = 0; result == PL_OK; number++)
    {
        size_t before = r->at;
        skip_space(r);
        if (begins(r, "/>"))
        {
            r->at += 2;
            return PL_OK;
        }
        if (begins(r, ">"))
        {
            r->at++;
            r->open = node;
            r->depth++;
            return PL_OK;
        }
        if (r->at >= r->length)
            return fail_here(r, start, "an element that is never closed; end it with \"/>\" or \">\"");
        if (r->at == before)
            return fail_here(r, r->at, "a blank is missing before this; separate attributes by blanks");
        result = read_attribute(r, node, number, &last);
    }
    return result;
}

static pl_result close_element(struct reader *r)
{
    size_t start = r->at;
    const char *name;
    r->at += 2;
    pl_result result = read_name(r, &name);
    if (result != PL_OK)
        return result;
    if (!r->open || !xml_is(r->open, name))
        return source_fail(r->source, start, "</%.40s> closes nothing that is open here; %s%.40s%s", name,
                           r->open ? "</" : "remove it", r->open ? r->open->name : "", r->open ? "> was expected" : "");
    skip_space(r);
    if (!begins(r, ">"))
        return fail_here(r, r->at, "\">\" is missing at the end of a tag");
    r->at++;
    r->open = r->open->parent;
    r->depth--;
    return PL_OK;
}

static pl_result read_text(struct reader *r)
{
    char c = r->text[r->at], out[4];
    size_t size;
    if (!r->open && !is_space(c))
        return fail_here(r, r->at, "text outside of the elements; an XML text begins with \"<\"");
    if (c == '&')
        return read_reference(r, out, &size);
    r->at++;
    return PL_OK;
}

static pl_result read_next(struct reader *r)
{
    if (r->text[r->at] != '<')
        return read_text(r);
    if (begins(r, "<!--"))
        return skip_to(r, 4, "-->", "a comment that is never closed; end it with \"-->\"");
    if (begins(r, "<![CDATA["))
        return r->open ? skip_to(r, 9, "]]>", "CDATA that is never closed; end it with \"]]>\"")
                       : fail_here(r, r->at, "CDATA outside of the elements; remove it");
    if (begins(r, "<!"))
        return fail_here(r, r->at,
                         "a document type or a declaration of entities; remove it: they are not supported, nor what "
                         "they would include");
    if (begins(r, "<?"))
        return skip_to(r, 2, "?>", "a declaration that is never closed; end it with \"?>\"");
    return begins(r, "</") ? close_element(r) : open_element(r);
}

pl_result xml_parse(struct store *store, const char *text, size_t length, const char *file, struct xml **root)
{
    struct json_source *source = store_take(store, sizeof *source);
    char *copy = length <= XML_MAX_BYTES ? store_text(store, text, length) : NULL;
    char *name = store_text(store, file, strlen(file));
    if (length > XML_MAX_BYTES)
        return fail(PL_ERROR_FORMAT, "%s:1:1: error: %zu bytes; an XML text has at most %d", file, length,
                    XML_MAX_BYTES);
    if (!source || !copy || !name)
        return no_memory();
    *source = (struct json_source){.file = name, .text = copy, .length = length};
    struct reader r = {.store = store, .source = source, .length = length, .text = copy};
    const char *zero = memchr(copy, 0, length);
    if (zero)
        return fail_here(&r, (size_t)(zero - copy), "a byte of value 0; the text must be UTF-8");
    if (begins(&r, "\xEF\xBB\xBF")) // the mark that some editors put before UTF-8
        r.at = 3;
    pl_result result = PL_OK;
    while (r.at < length && result == PL_OK)
        result = read_next(&r);
    if (result != PL_OK)
        return result;
    if (r.open)
        return source_fail(source, r.open->offset, "<%.40s> is never closed; end it with </%.40s>", r.open->name,
                           r.open->name);
    if (!r.root)
        return fail_here(&r, 0, "no element in it; an XML text begins with \"<\"");
    *root = r.root;
    return PL_OK;
}
