// common.c: see cli.h.
#include "cli.h"

#include "core/printable.h"
#include "io/fields.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int bad_usage(const char *format, ...)
{
    char text[2048];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    make_printable(text);
    fprintf(stderr, "pliant: error: %s\n", text);
    return EXIT_USAGE;
}

int report_failure(int code)
{
    // Messages about a file already say where; the others say who speaks.
    static const char constant[] = "PL_BACKEND_CPU"; // in the library's words; the program's user has an option
    const char *message = pl_error_message(), *found = strstr(message, constant);
    fputs(strstr(message, ": error: ") ? "" : "pliant: error: ", stderr);
    if (found)
    {
        fprintf(stderr, "%.*s--backend cpu", (int)(found - message), message);
        message = found + sizeof constant - 1;
    }
    fprintf(stderr, "%s\n", message);
    return code;
}

bool asks_for_help(const char *argument) { return strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0; }

const char *nearest_of(const char *word, const char *(*known)(const void *list, int number), const void *list)
{
    const char *nearest = NULL;
    int least = (int)strlen(word) / 3 + 2;
    for (int i = 0; known(list, i); i++)
    {
        int distance = word_distance(word, known(list, i));
        if (distance < least)
        {
            least = distance;
            nearest = known(list, i);
        }
    }
    return nearest;
}

struct word_function
{
    const char *(*known)(int number);
};

static const char *known_word(const void *list, int number)
{
    return ((const struct word_function *)list)->known(number);
}

const char *nearest_word(const char *word, const char *(*known)(int number))
{
    struct word_function function = {known};
    return nearest_of(word, known_word, &function);
}

bool allow_paths;

pl_result find_scene(const char *name, const char *const *sets, int set_count, pl_scene **scene)
{
    pl_scene_source source = {.file = name, .sets = sets, .set_count = set_count, .allow_paths = allow_paths};
    source.text = pl_builtin_scene(name, &source.length);
    return pl_scene_open(&source, scene);
}

pl_result load_scene(const char *name, const char *const *sets, int set_count, pl_scene **scene)
{
    if (!pl_builtin_scene(name, NULL) && !strchr(name, '/') && !strchr(name, '.'))
    {
        FILE *file = fopen(name, "rb");
        if (!file)
        {
            const char *nearest = nearest_word(name, pl_builtin_scene_name);
            bad_usage(nearest ? "no scene \"%s\", neither built in nor a file; did you mean \"%s\"?"
                              : "no scene \"%s\", neither built in nor a file; `pliant list` lists the built-in ones%s",
                      name, nearest ? nearest : "");
            return PL_ERROR_ARGUMENT;
        }
        fclose(file);
    }
    pl_result result = find_scene(name, sets, set_count, scene);
    if (result != PL_OK)
    {
        report_failure(EXIT_USAGE);
    }
    return result;
}

void short_name(const char *name, char *out, size_t size)
{
    const char *slash = strrchr(name, '/'), *base = slash ? slash + 1 : name;
    size_t length = strcspn(base, ".");
    snprintf(out, size, "%.*s", (int)length, base);
}

double milliseconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

const char *grouped(long long number, char out[32])
{
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%lld", number), used = 0;
    for (int i = 0; i < length; i++)
    {
        if (i > 0 && (length - i) % 3 == 0 && digits[i - 1] != '-')
        {
            out[used++] = ',';
        }
        out[used++] = digits[i];
    }
    out[used] = 0;
    return out;
}

const char *counted(long long number, const char *what, char out[64])
{
    char digits[32];
    snprintf(out, 64, "%s %s%s", grouped(number, digits), what, number == 1 ? "" : "s");
    return out;
}
