// common.c: see cli.h.
#include "cli.h"

#include "io/fields.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int bad_usage(const char *format, ...)
{
    va_list arguments;
    fputs("pliant: error: ", stderr);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
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

static const char *nearest_scene(const char *name)
{
    const char *nearest = NULL;
    int least = (int)strlen(name) / 3 + 2;
    for (int i = 0; pl_builtin_scene_name(i); i++)
    {
        int distance = word_distance(name, pl_builtin_scene_name(i));
        if (distance < least)
        {
            least = distance;
            nearest = pl_builtin_scene_name(i);
        }
    }
    return nearest;
}

pl_result find_scene(const char *name, const char *const *sets, int set_count, pl_scene **scene)
{
    size_t length = 0;
    const char *text = pl_builtin_scene(name, &length);
    return text ? pl_scene_parse(text, length, name, sets, set_count, scene)
                : pl_scene_load(name, sets, set_count, scene);
}

pl_result load_scene(const char *name, const char *const *sets, int set_count, pl_scene **scene)
{
    if (!pl_builtin_scene(name, NULL) && !strchr(name, '/') && !strchr(name, '.'))
    {
        FILE *file = fopen(name, "rb");
        if (!file)
        {
            const char *nearest = nearest_scene(name);
            bad_usage(nearest ? "no scene \"%s\", neither built in nor a file; did you mean \"%s\"?"
                              : "no scene \"%s\", neither built in nor a file; `pliant list` names the built-in ones%s",
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

// Whether a field is of the record that the path's beginning names.
static bool within(const pl_scene_field *field, const char *path, int length)
{
    return strncmp(field->path, path, (size_t)length) == 0 && field->path[length] == '.';
}

// How much of a path names what does nothing: all of it or, where nothing in it counts, the record that it stands in:
// "cloth[0].fabric".
static int idle_length(const pl_scene_field *fields, int count, int i)
{
    const char *path = fields[i].path, *dot = strrchr(path, '.');
    int length = dot ? (int)(dot - path) : 0;
    for (int k = 0; k < count && length; k++)
    {
        if (within(&fields[k], path, length) && fields[k].idle != fields[i].idle)
        {
            length = 0;
        }
    }
    return length ? length : (int)strlen(path);
}

int warn_of_idle_fields(const pl_scene *scene, FILE *to, const char *before)
{
    int count = pl_scene_fields(scene, NULL, 0), warnings = 0;
    pl_scene_field *fields = calloc((size_t)count + 1, sizeof *fields);
    count = fields ? pl_scene_fields(scene, fields, count) : 0;
    for (int i = 0; i < count; i++)
    {
        if (!fields[i].given || !fields[i].idle)
        {
            continue;
        }
        int length = idle_length(fields, count, i);
        fprintf(to, "%swarning: %.*s does nothing here; it is for: %s\n", before, length, fields[i].path,
                fields[i].idle);
        warnings++;
        const char *told = fields[i].path;
        while (i + 1 < count && within(&fields[i + 1], told, length))
        {
            i++;
        }
    }
    free(fields);
    return warnings;
}

// The strains of neighbouring elements cannot all be brought to 0, which is what classic PBD tries; compliance is what lets them share.
int warn_of_solver(const pl_world *world, FILE *to, const char *before)
{
    char words[64];
    long long elements = 0, rubber = pl_constraint_count(world, PL_KIND_NEO_HOOKEAN);
    for (int k = 0; k < PL_KIND_COUNT; k++)
    {
        elements += pl_kind_describe((pl_kind)k)->parts > 1 ? pl_constraint_count(world, (pl_kind)k) : 0;
    }
    if (pl_world_settings(world).solver != PL_SOLVER_PBD || elements == 0)
    {
        return 0;
    }
    fprintf(to, "%swarning: solver is pbd, and its %s have no compliance then: %s; xpbd is right\n", before,
            counted(elements, "finite element", words),
            rubber ? "neo-Hookean ones blow up, others may" : "they may blow up");
    return 1;
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
