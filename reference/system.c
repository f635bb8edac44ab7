// system.c: sparse symmetric positive definite systems by CHOLMOD (Davis and others), assembled from triplets.
#include "system.h"

#include <cholmod.h>
#include <stdlib.h>
#include <string.h>

struct linear_system
{
    cholmod_common common;
    int unknowns;
    size_t count, capacity;
    int *row, *column;
    double *value;
};

// CHOLMOD prints a warning for an indefinite matrix; here that is an answer, not a warning.
static void quiet(int status, const char *file, int line, const char *message)
{
    (void)status;
    (void)file;
    (void)line;
    (void)message;
}

linear_system *system_create(int unknowns)
{
    linear_system *s = calloc(1, sizeof *s);
    if (s == NULL)
    {
        return NULL;
    }
    cholmod_start(&s->common);
    s->common.error_handler = quiet;
    s->common.print = 0;
    s->unknowns = unknowns;
    return s;
}

void system_destroy(linear_system *s)
{
    if (s != NULL)
    {
        cholmod_finish(&s->common);
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
        s->row = realloc(s->row, s->capacity * sizeof *s->row);
        s->column = realloc(s->column, s->capacity * sizeof *s->column);
        s->value = realloc(s->value, s->capacity * sizeof *s->value);
        if (s->row == NULL || s->column == NULL || s->value == NULL)
        {
            abort(); // a test program out of memory has nothing to save
        }
    }
    s->row[s->count] = row;
    s->column[s->count] = column;
    s->value[s->count] = value;
    ++s->count;
}

bool system_solve(linear_system *s, const double *right, double *out)
{
    cholmod_common *common = &s->common;
    size_t n = (size_t)s->unknowns;
    cholmod_triplet triplets = {0};
    triplets.nrow = triplets.ncol = n;
    triplets.nzmax = triplets.nnz = s->count;
    triplets.i = s->row;
    triplets.j = s->column;
    triplets.x = s->value;
    triplets.stype = -1; // the lower triangle stands for both
    triplets.itype = CHOLMOD_INT;
    triplets.xtype = CHOLMOD_REAL;
    triplets.dtype = CHOLMOD_DOUBLE;

    cholmod_sparse *matrix = cholmod_triplet_to_sparse(&triplets, s->count, common);
    cholmod_factor *factor = cholmod_analyze(matrix, common);
    cholmod_factorize(matrix, factor, common);
    bool definite = common->status == CHOLMOD_OK && factor->minor == n;
    if (definite)
    {
        cholmod_dense *b = cholmod_zeros(n, 1, CHOLMOD_REAL, common);
        memcpy(b->x, right, n * sizeof *right);
        cholmod_dense *x = cholmod_solve(CHOLMOD_A, factor, b, common);
        memcpy(out, x->x, n * sizeof *out);
        cholmod_free_dense(&x, common);
        cholmod_free_dense(&b, common);
    }
    cholmod_free_factor(&factor, common);
    cholmod_free_sparse(&matrix, common);
    return definite;
}
