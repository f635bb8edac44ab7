// sets.h: the "path=value" changes that a trial makes to its scene.
#ifndef PLIANT_CLI_SETS_H
#define PLIANT_CLI_SETS_H

#include <stdbool.h>

struct sets
{
    const char **items;
    char *text; // memory of the sets that were put together here
    int count;
};

// Begins with the sets that all trials have, and makes room for `more`. Free it in any case.
bool sets_open(struct sets *s, const char *const *common, int count, int more);
void sets_add(struct sets *s, const char *field, const char *value);
void sets_add_number(struct sets *s, const char *field, double value);
void sets_free(struct sets *s);

#endif
