// json_string.c: reads the inside of a JSON string: resolves escapes and accepts only valid UTF-8.
#include "json.h"

#include "core/error.h"

#include <string.h>

static int hex4(const char *p)
{
    int value = 0;
    for (int i = 0; i < 4; i++)
    {
        char c = p[i];
        int digit = c >= '0' && c <= '9'   ? c - '0'
                    : c >= 'a' && c <= 'f' ? c - 'a' + 10
                    : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                           : -1;
        if (digit < 0)
        {
            return -1;
        }
        value = value * 16 + digit;
    }
    return value;
}

static char *put_utf8(char *to, int code)
{
    if (code < 0x80)
    {
        *to++ = (char)code;
    }
    else if (code < 0x800)
    {
        *to++ = (char)(0xC0 | (code >> 6));
        *to++ = (char)(0x80 | (code & 0x3F));
    }
    else if (code < 0x10000)
    {
        *to++ = (char)(0xE0 | (code >> 12));
        *to++ = (char)(0x80 | ((code >> 6) & 0x3F));
        *to++ = (char)(0x80 | (code & 0x3F));
    }
    else
    {
        *to++ = (char)(0xF0 | (code >> 18));
        *to++ = (char)(0x80 | ((code >> 12) & 0x3F));
        *to++ = (char)(0x80 | ((code >> 6) & 0x3F));
        *to++ = (char)(0x80 | (code & 0x3F));
    }
    return to;
}

// Returns the length of the UTF-8 sequence at p, or 0 if it is invalid (overlong forms, surrogates and stray bytes
// included).
static size_t utf8_length(const unsigned char *p, size_t left)
{
    size_t length = p[0] < 0x80                   ? 1
                    : p[0] >= 0xC2 && p[0] < 0xE0 ? 2
                    : (p[0] & 0xF0) == 0xE0       ? 3
                    : p[0] >= 0xF0 && p[0] < 0xF5 ? 4
                                                  : 0;
    if (length == 0 || length > left)
    {
        return 0;
    }
    for (size_t i = 1; i < length; i++)
    {
        if ((p[i] & 0xC0) != 0x80)
        {
            return 0;
        }
    }
    bool wrong = (p[0] == 0xE0 && p[1] < 0xA0) || (p[0] == 0xED && p[1] >= 0xA0) || (p[0] == 0xF0 && p[1] < 0x90) ||
                 (p[0] == 0xF4 && p[1] >= 0x90);
    return wrong ? 0 : length;
}

// Reads \uXXXX, or a surrogate pair of them beyond 0xFFFF. Moves *p to its last character.
static int read_unicode(const char **p, const char *end)
{
    const char *s = *p + 1;
    int code = end - s >= 4 ? hex4(s) : -1;
    *p = s + 3;
    if (code >= 0xD800 && code < 0xDC00)
    {
        int low = end - s >= 10 && s[4] == '\\' && s[5] == 'u' ? hex4(s + 6) : -1;
        *p = s + 9;
        return low >= 0xDC00 && low < 0xE000 ? 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00) : -1;
    }
    return code >= 0xDC00 && code < 0xE000 ? -1 : code;
}

pl_result json_string(struct store *store, const struct json_source *source, size_t start, size_t stop,
                      const char **text)
{
    static const char from_escape[] = "\"\\/bfnrt", to_escape[] = "\"\\/\b\f\n\r\t";
    const char *base = source->text, *end = base + stop;
    char *copy = store_take(store, stop - start + 1), *to = copy;
    if (!copy)
    {
        return fail(PL_ERROR_MEMORY, "no memory for the scene's text; use a smaller scene");
    }
    for (const char *p = base + start; p < end; p++)
    {
        size_t offset = (size_t)(p - base), bytes = utf8_length((const unsigned char *)p, (size_t)(end - p));
        if (bytes == 0 || (unsigned char)*p < 32)
        {
            return source_fail(source, offset,
                               "byte 0x%02x in a string; write UTF-8, and \\n or \\u00XX for control characters",
                               (unsigned char)*p);
        }
        if (*p != '\\')
        {
            memcpy(to, p, bytes);
            to += bytes;
            p += bytes - 1;
            continue;
        }
        const char *escape = strchr(from_escape, *++p);
        int code = *p == 'u' ? read_unicode(&p, end) : escape ? to_escape[escape - from_escape] : -1;
        if (code <= 0)
        {
            return source_fail(
                source, offset,
                "bad escape in a string; \\\" \\\\ \\/ \\b \\f \\n \\r \\t and \\uXXXX (not 0000) exist");
        }
        to = put_utf8(to, code);
    }
    *text = copy;
    return PL_OK;
}
