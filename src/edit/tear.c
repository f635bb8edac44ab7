// tear.c: tears overloaded rows after a frame, and counts tears and pieces.
//
// Rows that were loaded beyond their strength are processed by load, the greatest first, then by kind and number. At
// each, one vertex is split: a plane through the vertex, perpendicular to the direction of the pull, separates the
// cells on its two sides (Mueller, Heidelberger, Hennix, Ratcliff 2006, 4.4). Vertices at an edge or at the end of a
// rip come first, so that rips grow. A vertex that has been split, and its neighbours, are not split again until the
// next step has redistributed the load.
#include "core/union_find.h"
#include "edit/add.h"
#include "edit/tear.h"
#include "groups/group.h"
#include "groups/joints.h"
#include "model/world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct overload
{
    float load;
    int32_t kind;
    int64_t row;
} overload;

static int compare_loads(const void *p, const void *q)
{
    const overload *a = p, *b = q;
    if (a->load != b->load)
        return a->load > b->load ? -1 : 1;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    return (a->row > b->row) - (a->row < b->row);
}

// Lists the rows loaded beyond their strength, the greatest load first.
static pl_result list_overloads(pl_world *w, overload **out, int64_t *count, int64_t *capacity)
{
    pl_result result = PL_OK;
    *count = 0;
    for (int kind = 0; kind < PL_KIND_COUNT; kind++)
        for (int64_t i = 0; result == PL_OK && w->rows[kind].damage && i < w->rows[kind].count; i++)
        {
            const damage *m = &w->rows[kind].damage[i];
            if (!(m->load > 1.0f) || m->broken > 0.0f)
                continue;
            result = array_reserve(&w->memory, out, capacity, *count + 1, sizeof **out);
            if (result == PL_OK)
                (*out)[(*count)++] = (overload){m->load, kind, i};
        }
    if (*count)
        qsort(*out, (size_t)*count, sizeof **out, compare_loads);
    return result;
}

// ---- the direction of the pull -------------------------------------------------------------------------------------

static const float *position_of(const pl_world *w, int32_t number)
{
    return w->state.slot[SLOT_X] + 4 * (size_t)w->numbers.slot_of[number];
}

// Computes the eigenvector of the largest eigenvalue of a symmetric matrix by power iteration. The matrix is shifted so
// that this eigenvalue is also the largest in magnitude.
static void principal(double m[3][3], double n[3])
{
    double size = 0.0, start[3] = {0.61, 0.53, 0.47};
    for (int i = 0; i < 9; i++)
        size += fabs(m[i / 3][i % 3]);
    memcpy(n, start, sizeof start);
    for (int k = 0; k < 64; k++)
    {
        double next[3], length = 0.0;
        for (int i = 0; i < 3; i++)
        {
            next[i] = size * n[i] + m[i][0] * n[0] + m[i][1] * n[1] + m[i][2] * n[2];
            length += next[i] * next[i];
        }
        if (!(length > 0.0))
            return;
        for (int i = 0; i < 3; i++)
            n[i] = next[i] / sqrt(length);
    }
}

// Computes the columns of F, and the stress in material axes; for a neo-Hookean tetrahedron, the stretch F^T F instead
// of the stress.
static void strain_of(const pl_world *w, int kind, int64_t row, double f[3][3], double m[3][3])
{
    static const int at[6][2] = {{0, 0}, {1, 1}, {2, 2}, {1, 2}, {0, 2}, {0, 1}}, flat[3] = {0, 1, 5};
    const kind_facts *k = facts_of(kind);
    const rows *r = &w->rows[kind];
    const float *param = r->param + row * k->info.params;
    const int32_t *index = r->index + row * k->info.arity;
    int axes = k->info.arity - 1;
    memset(f, 0, 9 * sizeof f[0][0]);
    memset(m, 0, 9 * sizeof m[0][0]);
    for (int i = 0; i < axes; i++)
        for (int e = 0; e < axes; e++)
            for (int c = 0; c < 3; c++)
                f[i][c] += (double)param[axes * e + i] *
                           ((double)position_of(w, index[e + 1])[c] - (double)position_of(w, index[0])[c]);
    for (int part = 0; part < k->info.parts && k->info.parts > 2; part++)
    {
        const int *to = at[axes == 2 ? flat[part] : part];
        double stress = (double)row_lambda(w, kind, row, part);
        m[to[0]][to[1]] = m[to[1]][to[0]] = -stress;
    }
    for (int i = 0; i < 9 && k->info.parts == 2; i++)
        for (int c = 0; c < 3; c++)
            m[i / 3][i % 3] += f[i / 3][c] * f[i % 3][c];
}

// Computes the direction of the pull in an overloaded row: along a link, or the principal stress of an element.
static void pull_of(const pl_world *w, int kind, int64_t row, double d[3])
{
    const int32_t *index = w->rows[kind].index + row * facts_of(kind)->info.arity;
    double f[3][3], m[3][3], n[3];
    if (facts_of(kind)->info.parts == 1)
    {
        for (int c = 0; c < 3; c++)
            d[c] = (double)position_of(w, index[1])[c] - (double)position_of(w, index[0])[c];
        return;
    }
    strain_of(w, kind, row, f, m);
    principal(m, n);
    for (int c = 0; c < 3; c++)
        d[c] = f[0][c] * n[0] + f[1][c] * n[1] + f[2][c] * n[2];
}

// ---- splitting -----------------------------------------------------------------------------------------------------

typedef struct plane
{
    double origin[3], normal[3];
} plane;

static bool above(const plane *p, const pl_world *w, const cell *c)
{
    double side = 0.0;
    for (int k = 0; k < c->points; k++)
        for (int i = 0; i < 3; i++)
            side += p->normal[i] * ((double)position_of(w, c->point[k])[i] - p->origin[i]);
    return side > 0.0;
}

static bool torn_apart(const void *user, const pl_world *w, const cell *a, const cell *b)
{
    return above(user, w, a) != above(user, w, b);
}

// Is the vertex at an edge of a surface or at the end of a rip? Then some neighbour shares only one cell with it.
static pl_result at_edge(pl_world *w, int32_t vertex, bool *edge, bool *inside)
{
    cell *cells;
    int32_t count;
    pl_result result = incidence_cells(w, vertex, &cells, &count);
    *edge = false;
    *inside = result == PL_OK && count > 0;
    for (int32_t i = 0; result == PL_OK && i < count && cells[i].points == 3; i++)
        for (int k = 0; k < 3; k++)
        {
            int with = 0;
            for (int32_t j = 0; j < count; j++)
                for (int l = 0; l < 3; l++)
                    with += cells[j].point[l] == cells[i].point[k];
            *edge |= with == 1;
        }
    return result;
}

// Splits one vertex of an overloaded row. in_cells: some vertex belongs to a cell; if none does, the row breaks.
static pl_result split_beside(pl_world *w, const overload *o, bool *split, bool *in_cells)
{
    int arity = facts_of(o->kind)->info.arity;
    int32_t vertex[PL_MAX_ARITY];
    bool edge[PL_MAX_ARITY], inside;
    plane p;
    memcpy(vertex, w->rows[o->kind].index + o->row * arity, (size_t)arity * sizeof *vertex);
    pull_of(w, o->kind, o->row, p.normal);
    *split = *in_cells = false;
    pl_result result = PL_OK;
    for (int i = 0; result == PL_OK && i < arity; i++)
    {
        result = at_edge(w, vertex[i], &edge[i], &inside);
        *in_cells |= inside;
    }
    for (int pass = 0; pass < 2; pass++) // first the vertices at an edge
        for (int i = 0; result == PL_OK && !*split && i < arity; i++)
        {
            const float *x = position_of(w, vertex[i]);
            if (edge[i] != (pass == 0) || w->tear.mark[vertex[i]] ||
                !(inverse_mass(w, w->numbers.slot_of[vertex[i]]) > 0.0f))
                continue;
            for (int c = 0; c < 3; c++)
                p.origin[c] = (double)x[c];
            result = tear_vertex(w, vertex[i], torn_apart, &p, split);
        }
    return result;
}

// Breaks a joint: its row, and its limits and motors.
static pl_result break_joint(pl_world *w, const overload *o)
{
    pl_result result = tear_row(w, o->kind, o->row);
    for (int64_t i = 0; result == PL_OK && i < w->joints.count; i++)
    {
        const joint_record *r = &w->joints.record[i];
        const id_entry *base = joint_entry(w, r, PL_JOINT_BASE);
        if (!base || base->kind != o->kind || base->first != o->row)
            continue;
        for (int k = PL_JOINT_BASE + 1; result == PL_OK && k < PL_JOINT_ROWS; k++)
        {
            const id_entry *t = joint_entry(w, r, (pl_joint_row)k);
            if (t)
                result = tear_row(w, t->kind, t->first);
        }
        break;
    }
    return result;
}

static pl_result tear_overloads(pl_world *w)
{
    overload *loads = NULL;
    int64_t count = 0, capacity = 0;
    pl_result result = tear_begin(w);
    if (result == PL_OK)
        result = list_overloads(w, &loads, &count, &capacity);
    for (int64_t i = 0; result == PL_OK && i < count; i++)
    {
        bool split, in_cells;
        if (facts_of(loads[i].kind)->frames)
        {
            result = break_joint(w, &loads[i]);
            continue;
        }
        result = split_beside(w, &loads[i], &split, &in_cells);
        if (result == PL_OK && !in_cells)
            result = tear_row(w, loads[i].kind, loads[i].row);
    }
    array_free(&w->memory, &loads, &capacity, sizeof *loads);
    return result == PL_OK ? tear_end(w) : result;
}

void tear_settle(pl_world *w, pl_result result)
{
    if (result == PL_OK || result == PL_ERROR_DEVICE)
        memory_keep(&w->memory);
    else
        memory_undo(&w->memory);
}

pl_result tear_frame(pl_world *w)
{
    pl_result result = memory_guard(&w->memory);
    if (result != PL_OK)
        return result;
    result = tear_overloads(w);
    tear_settle(w, result);
    return result;
}

// ---- counting ------------------------------------------------------------------------------------------------------

pl_tear_counts pl_world_tears(const pl_world *w)
{
    return w ? (pl_tear_counts){w->tear.splits, w->tear.broken} : (pl_tear_counts){0};
}

pl_result pl_get_split_origins(const pl_world *w, int first, int count, int32_t *out)
{
    NEED(w);
    if (first < 0 || count < 0 || (int64_t)first + count > w->numbers.end)
        return fail(PL_ERROR_ARGUMENT, "split origins: particles %d to %lld were asked for; there are %d", first,
                    (long long)first + count - 1, w->numbers.end);
    if (count && !out)
        return fail(PL_ERROR_ARGUMENT, "split origins: the array is NULL; it must hold a number for each particle");
    for (int i = 0; i < count; i++)
        out[i] = ROOT_OF(w, first + i);
    return PL_OK;
}

// Joins all particles that unbroken rows, faces or groups connect.
static void join_all(const pl_world *w, int32_t *up)
{
    for (int kind = 0; kind < PL_KIND_COUNT; kind++)
    {
        const rows *r = &w->rows[kind];
        int arity = facts_of(kind)->info.arity;
        for (int64_t i = 0; i < r->count; i++)
            for (int k = 1; k < arity && !(r->damage && r->damage[i].broken > 0.0f); k++)
                union_join(up, r->index[i * arity], r->index[i * arity + k]);
    }
    for (int64_t i = 0; i < w->faces.count; i++)
        for (int k = 1; k < 3; k++)
            union_join(up, w->faces.index[3 * i], w->faces.index[3 * i + k]);
    for (int n = 0; n < GROUP_KINDS; n++)
        for (int64_t i = 0; group_kinds[n]->connects && i < group_count(w, group_kinds[n]); i++)
        {
            group_members m = members_of(w, group_kinds[n], i, 1);
            for (int64_t k = 1; k < m.count; k++)
                union_join(up, m.number[k - 1], m.number[k]);
        }
}

pl_result pl_count_pieces(const pl_world *world, pl_id object, int *pieces)
{
    NEED(world);
    NEED(pieces);
    pl_world *w = (pl_world *)world; // writes scratch memory only
    if (object.index && !id_find(w, object, ID_OBJECT, "count pieces"))
        return PL_ERROR_ARGUMENT;
    void *block = NULL;
    size_t bytes = (size_t)w->numbers.end * sizeof(int32_t) + sizeof(int32_t);
    pl_result result = pull(w, ARRAY_BIT(SLOT_REST));
    if (result == PL_OK)
        result = memory_resize(&w->memory, &block, 0, bytes);
    if (result != PL_OK)
        return result;
    int32_t *up = block;
    *pieces = 0;
    for (int32_t n = 0; n < w->numbers.end; n++)
        up[n] = n;
    join_all(w, up);
    for (int32_t n = 0; n < w->numbers.end; n++)
        *pieces +=
            w->numbers.slot_of[n] >= 0 && up[n] == n && (!object.index || object_at(w, n) == (int32_t)object.index);
    memory_free(&w->memory, block, bytes);
    return PL_OK;
}
