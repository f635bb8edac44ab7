// series.c: puts the number of a frame into a file name, in place of %d or %04d.
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

// Where the number stands in a name, and its least number of digits.
struct number_range
{
    const char *start, *after; // NULL: there is none
    int width;
};

static bool find_number(const char *path, struct number_range *range)
{
    *range = (struct number_range){.start = strchr(path, '%')};
    if (!range->start)
    {
        return true;
    }
    const char *p = range->start + 1;
    while (*p >= '0' && *p <= '9' && range->width <= DIGITS_MOST)
    {
        range->width = range->width * 10 + (*p++ - '0');
    }
    bool good = *p == 'd' && range->width <= DIGITS_MOST && !strchr(p + 1, '%');
    range->after = good ? p + 1 : NULL;
    return good;
}

bool series_good(const char *path)
{
    struct number_range range;
    return find_number(path, &range);
}

bool series_numbered(const char *path)
{
    struct number_range range;
    return find_number(path, &range) && range.start;
}

int series_name(const char *path, int64_t frame, char *name, size_t size)
{
    struct number_range range;
    if (!find_number(path, &range) || !range.start)
    {
        return snprintf(name, size, "%s", path);
    }
    return snprintf(name, size, "%.*s%0*lld%s", (int)(range.start - path), path, range.width ? range.width : 1,
                    (long long)frame, range.after);
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
