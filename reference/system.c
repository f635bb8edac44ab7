// system.c: sparse symmetric systems, assembled from triplets and solved by core/cholesky.h.
#include "system.h"

#include "core/cholesky.h"

#include <stdlib.h>
#include <string.h>

enum
{
    BLOCK = 3, // unknowns of a particle
};

struct linear_system
{
    memory memory;
    int unknowns;
    size_t count, capacity;
    int32_t *row, *column; // of the triplets
    double *value;

    // What was made of the triplets of the last solution, for as long as they are in the same places.
    size_t sorted;
    int32_t *sorted_row, *sorted_column;
    int64_t *entry; // of each triplet in the matrix
    sparse_lower matrix;
    cholesky factor;
};

// A program out of memory has nothing to save here: the judge serves tests and comparisons.
static void *need_memory(void *block)
{
    if (block == NULL)
    {
        abort();
    }
    return block;
}

linear_system *system_create(int unknowns)
{
    linear_system *s = calloc(1, sizeof *s);
    if (s != NULL)
    {
        pl_allocator standard = {0};
        memory_open(&s->memory, &standard);
        s->unknowns = unknowns;
    }
    return s;
}

static void forget_matrix(linear_system *s)
{
    cholesky_close(&s->factor);
    free(s->matrix.start);
    free(s->matrix.column);
    free(s->matrix.value);
    free(s->sorted_row);
    free(s->sorted_column);
    free(s->entry);
    s->matrix = (sparse_lower){0};
    s->sorted_row = s->sorted_column = NULL;
    s->entry = NULL;
    s->sorted = 0;
}

void system_destroy(linear_system *s)
{
    if (s != NULL)
    {
        forget_matrix(s);
        free(s->row);
        free(s->column);
        free(s->value);
        free(s);
    }
}

void system_clear(linear_system *s) { s->count = 0; }

void system_add(linear_system *s, int row, int column, double value)
{
    if (row < column)
    {
        return;
    }
    if (s->count == s->capacity)
    {
        s->capacity = s->capacity ? 2 * s->capacity : 4096;
        s->row = need_memory(realloc(s->row, s->capacity * sizeof *s->row));
        s->column = need_memory(realloc(s->column, s->capacity * sizeof *s->column));
        s->value = need_memory(realloc(s->value, s->capacity * sizeof *s->value));
    }
    s->row[s->count] = row;
    s->column[s->count] = column;
    s->value[s->count] = value;
    ++s->count;
}

// Sorts the triplets stably by `key`: `from` is their order before, `to` the one after.
static void sort_by(const int32_t *key, int unknowns, const int64_t *from, int64_t *to, size_t count)
{
    int64_t *place = need_memory(calloc((size_t)unknowns + 1, sizeof *place));
    for (size_t i = 0; i < count; ++i)
    {
        ++place[key[i] + 1];
    }
    for (int k = 0; k < unknowns; ++k)
    {
        place[k + 1] += place[k];
    }
    for (size_t i = 0; i < count; ++i)
    {
        int64_t triplet = from ? from[i] : (int64_t)i;
        to[place[key[triplet]]++] = triplet;
    }
    free(place);
}

// Finds the entry of each triplet, in rows and, inside a row, rising columns.
static void make_pattern(linear_system *s)
{
    size_t n = (size_t)s->unknowns;
    int64_t *by_column = need_memory(malloc((s->count + 1) * sizeof *by_column));
    int64_t *by_row = need_memory(malloc((s->count + 1) * sizeof *by_row)), entries = 0;
    forget_matrix(s);
    s->sorted_row = need_memory(malloc((s->count + 1) * sizeof *s->row));
    s->sorted_column = need_memory(malloc((s->count + 1) * sizeof *s->column));
    s->entry = need_memory(malloc((s->count + 1) * sizeof *s->entry));
    s->matrix.rows = s->unknowns;
    s->matrix.start = need_memory(calloc(n + 1, sizeof *s->matrix.start));
    s->matrix.column = need_memory(malloc((s->count + 1) * sizeof *s->matrix.column));
    s->matrix.value = need_memory(malloc((s->count + 1) * sizeof *s->matrix.value));
    memcpy(s->sorted_row, s->row, s->count * sizeof *s->row);
    memcpy(s->sorted_column, s->column, s->count * sizeof *s->column);
    s->sorted = s->count;
    sort_by(s->column, s->unknowns, NULL, by_column, s->count);
    sort_by(s->row, s->unknowns, by_column, by_row, s->count);
    for (size_t i = 0; i < s->count; ++i)
    {
        int64_t t = by_row[i], before = i > 0 ? by_row[i - 1] : -1;
        if (before < 0 || s->row[before] != s->row[t] || s->column[before] != s->column[t])
        {
            s->matrix.column[entries++] = s->column[t];
        }
        s->entry[t] = entries - 1;
        s->matrix.start[s->row[t] + 1] = entries;
    }
    free(by_column);
    free(by_row);
    if (cholesky_open(&s->factor, &s->memory, &s->matrix, BLOCK) != PL_OK)
    {
        abort();
    }
}

bool system_solve(linear_system *s, const double *right, double *out)
{
    bool same = s->sorted == s->count && s->entry != NULL &&
                memcmp(s->row, s->sorted_row, s->count * sizeof *s->row) == 0 &&
                memcmp(s->column, s->sorted_column, s->count * sizeof *s->column) == 0;
    if (!same)
    {
        make_pattern(s);
    }
    memset(s->matrix.value, 0, (s->count + 1) * sizeof *s->matrix.value);
    for (size_t i = 0; i < s->count; ++i)
    {
        s->matrix.value[s->entry[i]] += s->value[i];
    }
    bool solved = cholesky_factor(&s->factor, &s->matrix) >= 0;
    if (solved)
    {
        cholesky_solve(&s->factor, right, out);
    }
    return solved;
}
