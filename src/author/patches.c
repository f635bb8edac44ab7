// patches.c: finds the patches of a mesh of tetrahedra: groups that share up to eight vertices and one volume.
//
// A patch starts at the first tetrahedron that has none yet and grows over common faces: by the one that adds the fewest
// vertices, then shares the most faces with the patch, then has the fewest free neighbours, then comes first. Cubes of
// five tetrahedra become patches of five again, those of body-centred lattices of five to seven. There should be about as
// many patches as vertices: more resist bending (locking), fewer let it wobble.
#include "author/patches.h"
#include "author/solid.h"
#include "core/error.h"
#include "elements/patch_volume.h"

#include <string.h>

enum
{
    MOST_TETS = 32, // of a patch; eight points in convex position have at most 15
};

typedef struct finder
{
    memory *m;
    const float *x;
    const int32_t *tets;
    int32_t vertices;
    int64_t count;
    int32_t *start, *list; // tetrahedra at each vertex: list[start[v]] to list[start[v + 1] - 1]
    int32_t *patch;        // of each tetrahedron; -1: none yet
    int64_t start_capacity, list_capacity, patch_capacity;
} finder;

typedef struct patch
{
    int32_t number;
    int32_t point[PATCH_POINTS], tet[MOST_TETS];
    int points, tets;
} patch;

static pl_result open_finder(finder *f)
{
    pl_result result = array_reserve(f->m, &f->start, &f->start_capacity, (int64_t)f->vertices + 2, sizeof *f->start);
    if (result == PL_OK)
        result = array_reserve(f->m, &f->list, &f->list_capacity, 4 * f->count, sizeof *f->list);
    if (result == PL_OK)
        result = array_reserve(f->m, &f->patch, &f->patch_capacity, f->count, sizeof *f->patch);
    if (result != PL_OK)
        return result;
    memset(f->start, 0, ((size_t)f->vertices + 2) * sizeof *f->start);
    memset(f->patch, -1, (size_t)f->count * sizeof *f->patch);
    for (int64_t i = 0; i < 4 * f->count; i++)
        f->start[f->tets[i] + 2]++;
    for (int32_t v = 0; v < f->vertices; v++)
        f->start[v + 2] += f->start[v + 1];
    for (int64_t i = 0; i < 4 * f->count; i++)
        f->list[f->start[f->tets[i] + 1]++] = (int32_t)(i / 4);
    return PL_OK;
}

static void close_finder(finder *f)
{
    array_free(f->m, &f->start, &f->start_capacity, sizeof *f->start);
    array_free(f->m, &f->list, &f->list_capacity, sizeof *f->list);
    array_free(f->m, &f->patch, &f->patch_capacity, sizeof *f->patch);
}

// The vertices that a tetrahedron has in common with a set.
static int common(const int32_t *tet, const int32_t *set, int count)
{
    int shared = 0;
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < count; k++)
            shared += tet[i] == set[k];
    return shared;
}

// Finds the tetrahedra that share a face with one; at most four in a mesh, more are left out.
static int neighbours_of(const finder *f, int32_t tet, int32_t *out)
{
    const int32_t *own = f->tets + 4 * (size_t)tet;
    int count = 0;
    for (int i = 0; i < 2; i++) // a common face has the first vertex or the second
        for (int32_t k = f->start[own[i]]; k < f->start[own[i] + 1] && count < 4; k++)
        {
            const int32_t *other = f->tets + 4 * (size_t)f->list[k];
            bool seen = i == 1 && common(other, own, 1) == 1;
            if (f->list[k] != tet && !seen && common(other, own, 4) == 3)
                out[count++] = f->list[k];
        }
    return count;
}

static void take(finder *f, patch *p, int32_t tet)
{
    const int32_t *own = f->tets + 4 * (size_t)tet;
    for (int i = 0; i < 4; i++)
    {
        int k = 0;
        while (k < p->points && p->point[k] != own[i])
            k++;
        if (k == p->points)
            p->point[p->points++] = own[i];
    }
    p->tet[p->tets++] = tet;
    f->patch[tet] = p->number;
}

// Returns the tetrahedron that the patch takes next, or -1.
static int32_t choose_next(const finder *f, const patch *p)
{
    int32_t best = -1;
    int rank_of_best = 0;
    for (int t = 0; t < p->tets; t++)
    {
        int32_t near[4], beyond[4];
        int nears = neighbours_of(f, p->tet[t], near);
        for (int i = 0; i < nears; i++)
        {
            int added = 4 - common(f->tets + 4 * (size_t)near[i], p->point, p->points);
            if (f->patch[near[i]] >= 0 || p->points + added > PATCH_POINTS)
                continue;
            int links = 0, free = 0, beyonds = neighbours_of(f, near[i], beyond);
            for (int k = 0; k < beyonds; k++)
                links += f->patch[beyond[k]] == p->number, free += f->patch[beyond[k]] < 0;
            int rank = 100 * added - 10 * links + free;
            if (best < 0 || rank < rank_of_best || (rank == rank_of_best && near[i] < best))
                best = near[i], rank_of_best = rank;
        }
    }
    return best;
}

static bool has_point(const patch *p, int32_t vertex)
{
    bool found = false;
    for (int k = 0; k < p->points; k++)
        found |= p->point[k] == vertex;
    return found;
}

// Fills up the eight points: with vertices beside the patch, or any. They have no part in its volume.
static void fill_up(const finder *f, patch *p)
{
    int own = p->points;
    for (int i = 0; i < own; i++)
        for (int32_t k = f->start[p->point[i]]; k < f->start[p->point[i] + 1]; k++)
            for (int c = 0; c < 4 && p->points < PATCH_POINTS; c++)
            {
                int32_t vertex = f->tets[4 * (size_t)f->list[k] + (size_t)c];
                if (!has_point(p, vertex))
                    p->point[p->points++] = vertex;
            }
    for (int32_t v = 0; v < f->vertices && p->points < PATCH_POINTS; v++)
        if (!has_point(p, v))
            p->point[p->points++] = v;
}

// Computes the gradients of the volume of a tetrahedron by its corners; returns the volume.
static double volume_gradients(const finder *f, int32_t tet, double g[4][3])
{
    const int32_t *v = f->tets + 4 * (size_t)tet;
    double e[3][3], volume = 0.0;
    for (int k = 0; k < 9; k++)
        e[k / 3][k % 3] =
            (double)f->x[3 * (size_t)v[k / 3 + 1] + (size_t)(k % 3)] - (double)f->x[3 * (size_t)v[0] + (size_t)(k % 3)];
    for (int k = 0; k < 3; k++)
        for (int c = 0; c < 3; c++)
        {
            const double *a = e[(k + 1) % 3], *b = e[(k + 2) % 3];
            g[k + 1][c] = (a[(c + 1) % 3] * b[(c + 2) % 3] - a[(c + 2) % 3] * b[(c + 1) % 3]) / 6.0;
        }
    for (int c = 0; c < 3; c++)
    {
        g[0][c] = -(g[1][c] + g[2][c] + g[3][c]);
        volume += e[0][c] * g[1][c];
    }
    return volume;
}

// Computes the parameters of elements/patch_volume.h.
static pl_result patch_params(const finder *f, const patch *p, float *param)
{
    double sum[PATCH_POINTS][3] = {{0}}, whole = 0.0;
    for (int t = 0; t < p->tets; t++)
    {
        double g[4][3], volume = volume_gradients(f, p->tet[t], g);
        if (!(volume > 0.0))
            return fail(PL_ERROR_ARGUMENT, "patches: tetrahedron %d has a volume of %g m^3; it must be above 0",
                        p->tet[t], volume);
        whole += volume;
        for (int i = 0; i < 4; i++)
            for (int k = 0; k < p->points; k++)
                for (int c = 0; c < 3 && p->point[k] == f->tets[4 * (size_t)p->tet[t] + (size_t)i]; c++)
                    sum[k][c] += g[i][c];
    }
    for (int k = 1; k < PATCH_POINTS; k++)
        for (int c = 0; c < 3; c++)
            param[3 * (k - 1) + c] = (float)(sum[k][c] / whole);
    param[PATCH_VOLUME_AT] = (float)whole;
    return PL_OK;
}

static pl_result write_patches(finder *f, pl_patches *out, int64_t *index_capacity, int64_t *param_capacity)
{
    pl_result result = PL_OK;
    for (int64_t first = 0; result == PL_OK && first < f->count; first++)
    {
        if (f->patch[first] >= 0)
            continue;
        patch p = {.number = out->count};
        int32_t next = (int32_t)first;
        for (; next >= 0 && p.tets < MOST_TETS; next = choose_next(f, &p))
            take(f, &p, next);
        fill_up(f, &p);
        result = array_reserve(f->m, &out->index, index_capacity, (int64_t)PATCH_POINTS * (out->count + 1),
                               sizeof *out->index);
        if (result == PL_OK)
            result = array_reserve(f->m, &out->param, param_capacity, (int64_t)PATCH_PARAMS * (out->count + 1),
                                   sizeof *out->param);
        if (result == PL_OK)
            result = patch_params(f, &p, out->param + (size_t)PATCH_PARAMS * (size_t)out->count);
        if (result == PL_OK)
            memcpy(out->index + (size_t)PATCH_POINTS * (size_t)out->count++, p.point, sizeof p.point);
    }
    return result;
}

pl_result find_patches(memory *m, const float *x, int32_t vertices, const int32_t *tets, int64_t count, pl_patches *out)
{
    finder f = {.m = m, .x = x, .tets = tets, .vertices = vertices, .count = count};
    int64_t index_capacity = 0, param_capacity = 0;
    *out = (pl_patches){0};
    if (vertices < PATCH_POINTS)
        return fail(PL_ERROR_ARGUMENT, "patches: there are %d vertices; there must be at least %d", vertices,
                    PATCH_POINTS);
    pl_result result = open_finder(&f);
    if (result == PL_OK)
        result = write_patches(&f, out, &index_capacity, &param_capacity);
    if (result == PL_OK)
        result = trim_items(m, &out->index, &index_capacity, (int64_t)PATCH_POINTS * out->count, sizeof *out->index);
    if (result == PL_OK)
        result = trim_items(m, &out->param, &param_capacity, (int64_t)PATCH_PARAMS * out->count, sizeof *out->param);
    close_finder(&f);
    if (result == PL_OK)
        return PL_OK;
    array_free(m, &out->index, &index_capacity, sizeof *out->index);
    array_free(m, &out->param, &param_capacity, sizeof *out->param);
    *out = (pl_patches){0};
    return result;
}

void patches_drop(memory *m, pl_patches *p)
{
    drop_items(m, &p->index, (int64_t)PATCH_POINTS * p->count, sizeof *p->index);
    drop_items(m, &p->param, (int64_t)PATCH_PARAMS * p->count, sizeof *p->param);
    *p = (pl_patches){0};
}
