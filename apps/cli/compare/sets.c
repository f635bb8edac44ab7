// sets.c: see sets.h.
#include "sets.h"

#include <stdio.h>
#include <stdlib.h>

enum
{
    LONGEST = 4096, // a set: a list of many particles may be varied too
};

bool sets_open(struct sets *s, const char *const *common, int count, int more)
{
    *s = (struct sets){0};
    s->items = calloc((size_t)(count + more) + 1, sizeof *s->items);
    s->text = calloc((size_t)(count + more) + 1, LONGEST);
    for (int i = 0; s->items && i < count; i++)
    {
        s->items[s->count++] = common[i];
    }
    return s->items && s->text;
}

void sets_free(struct sets *s)
{
    free(s->items);
    free(s->text);
}

void sets_add(struct sets *s, const char *field, const char *value)
{
    char *to = s->text + LONGEST * (size_t)s->count;
    snprintf(to, LONGEST, "%s=%s", field, value);
    s->items[s->count++] = to;
}

void sets_add_number(struct sets *s, const char *field, double value)
{
    char text[32];
    snprintf(text, sizeof text, "%.9g", value);
    sets_add(s, field, text);
}
