// series.c: implements series.h.
#include "series.h"

#include "core/error.h"
#include "core/files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    DIGITS_MOST = 18,
};

// The place of the number in a name, and its least number of digits.
struct number_place
{
    const char *start, *after; // NULL: there is none
    int width;
};

static bool find_number(const char *path, struct number_place *place)
{
    *place = (struct number_place){.start = strchr(path, '%')};
    if (!place->start)
    {
        return true;
    }
    const char *p = place->start + 1;
    while (*p >= '0' && *p <= '9' && place->width <= DIGITS_MOST)
    {
        place->width = place->width * 10 + (*p++ - '0');
    }
    bool good = *p == 'd' && place->width <= DIGITS_MOST && !strchr(p + 1, '%');
    place->after = good ? p + 1 : NULL;
    return good;
}

bool series_good(const char *path)
{
    struct number_place place;
    return find_number(path, &place);
}

bool series_numbered(const char *path)
{
    struct number_place place;
    return find_number(path, &place) && place.start;
}

int series_name(const char *path, int64_t frame, char *name, size_t size)
{
    struct number_place place;
    if (!find_number(path, &place) || !place.start)
    {
        return snprintf(name, size, "%s", path);
    }
    return snprintf(name, size, "%.*s%0*lld%s", (int)(place.start - path), path, place.width ? place.width : 1,
                    (long long)frame, place.after);
}

pl_result series_check(const char *path, int64_t frame)
{
    size_t size = (size_t)series_name(path, frame, NULL, 0) + 1;
    char *name = malloc(size);
    if (!name)
    {
        return fail(PL_ERROR_MEMORY, "no memory to write %s; free some memory", path);
    }
    series_name(path, frame, name, size);
    pl_result result = out_check(name);
    free(name);
    return result;
}
