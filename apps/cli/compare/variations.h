// variations.h: the fields that a comparison varies, and the values that each takes.
#ifndef PLIANT_CLI_VARIATIONS_H
#define PLIANT_CLI_VARIATIONS_H

#include <stdbool.h>
#include <stddef.h>

// One --vary: "iterations=20,40,80".
struct variation
{
    const char *field; // "iterations"
    char **values;     // "20", "40", "80"
    double *numbers;   // the same as numbers; NAN where a value is none
    int count;
    bool numeric;
};

// Every combination of all values is a trial. The last variation changes fastest.
struct variations
{
    struct variation *items;
    int count;
    int trials;
    char *text; // the memory of the fields and values
};

enum
{
    TRIALS_MOST = 1000,
};

// Reads --vary options. Commas inside brackets, braces and quotes do not separate values. Returns an exit code, or -1 to go
// on; free in any case.
int variations_read(struct variations *v, const char *const *texts, int count);
void variations_free(struct variations *v);

// Returns which of its values a variation has in a trial.
int variation_choice(const struct variations *v, int trial, int variation);
// Returns the number of the variation of this field, or -1.
int variation_of(const struct variations *v, const char *field);
// Writes "solver=xpbd, iterations=20" without the variation `without` (-1: with all); "as the scene" if nothing is left.
void variations_label(const struct variations *v, int trial, int without, char *out, size_t size);
// The variation that makes the horizontal axis of plots: the numeric one with the most values; -1: none is numeric.
int variations_axis(const struct variations *v);

#endif
