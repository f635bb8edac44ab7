// visuals.c: adds visual meshes to objects and computes the positions of their vertices. particle_rotation.c computes
// the rotations of the particles that carry them.
//   bone i of a vertex: a particle at x_i, rotated by R_i, with plastic deformation P_i:   p_i = x_i + R_i P_i o_i,
//   o_i fixed
//   the vertex: the dual quaternions of (R_i B_i^-1, p_i), B_i the rotation when it was bound, summed by weight and
//   normalized:
//   v = p_0 + vec(sum w_i (0, p_i - p_0) q_i  q*)/|q|^2,   q_i = R_i B_i^-1, q = sum w_i q_i
// Source: Kavan, Collins, Zara, O'Sullivan 2007. It runs in double on the host and does not affect the simulation.
#include "core/stream.h"
#include "groups/group.h"
#include "groups/particle_rotation.h"
#include "groups/visuals.h"
#include "model/model_columns.h"
#include "model/world.h"

#include <math.h>
#include <string.h>

static void times3(const double m[9], const double v[3], double out[3])
{
    for (int r = 0; r < 3; r++)
        out[r] = m[3 * r] * v[0] + m[3 * r + 1] * v[1] + m[3 * r + 2] * v[2];
}

// Solves m x = v by cofactors. Returns v if m is singular.
static void solve3(const double m[9], const double v[3], double out[3])
{
    double c[9];
    for (int r = 0; r < 3; r++)
        for (int k = 0; k < 3; k++)
            c[3 * r + k] = m[3 * ((r + 1) % 3) + (k + 1) % 3] * m[3 * ((r + 2) % 3) + (k + 2) % 3] -
                           m[3 * ((r + 1) % 3) + (k + 2) % 3] * m[3 * ((r + 2) % 3) + (k + 1) % 3];
    double det = m[0] * c[0] + m[1] * c[1] + m[2] * c[2];
    for (int k = 0; k < 3; k++)
        out[k] = det != 0.0 ? (c[k] * v[0] + c[3 + k] * v[1] + c[6 + k] * v[2]) / det : v[k];
}

static void position_of(const pl_world *w, int32_t number, double out[3])
{
    const float *x = w->state.slot[SLOT_X] + 4 * (size_t)slot_of(w, number);
    for (int c = 0; c < 3; c++)
        out[c] = (double)x[c];
}

// ---- adding --------------------------------------------------------------------------------------------------------

// The most vertices, triangles and carrying particles in one world.
enum
{
    VISUALS_MOST = INT32_MAX / 64,
};

static pl_result reserve(pl_world *w, int64_t vertices, int64_t triangles, int64_t bones)
{
    visuals *v = &w->visuals;
    const visual_ends *end = &v->ends[v->count];
    if (end->vertex + vertices > VISUALS_MOST || end->triangle + triangles > VISUALS_MOST ||
        end->bone + bones > VISUALS_MOST)
        return fail(
            PL_ERROR_ARGUMENT,
            "add visual: %lld vertices, %lld triangles and %lld particles of all visuals together; at most %d of "
            "each fit one world",
            (long long)(end->vertex + vertices), (long long)(end->triangle + triangles), (long long)(end->bone + bones),
            VISUALS_MOST);
    pl_result r = columns_reserve(w, PER_VISUALS_VERTEX, 0, end->vertex + vertices);
    if (r == PL_OK)
        r = columns_reserve(w, PER_VISUALS_TRIANGLE, 0, end->triangle + triangles);
    return r == PL_OK ? columns_reserve(w, PER_VISUALS_BONE, 0, end->bone + bones) : r;
}

// The array has one more entry than there are visuals: the first visual begins at 0.
static pl_result reserve_ends(pl_world *w)
{
    visuals *v = &w->visuals;
    bool fresh = v->ends_capacity == 0;
    pl_result r = columns_reserve(w, PER_VISUALS_START, 0, v->count + 2);
    if (r == PL_OK && fresh)
        v->ends[0] = (visual_ends){0};
    return r;
}

static void bind_vertex(const pl_world *w, const id_entry *object, const bone *bones, const float *at,
                        const int32_t *near, float *offset)
{
    for (int k = 0; k < VISUAL_NEAR; k++)
    {
        const bone *b = &bones[near[k]];
        double x[3], d[3], o[3];
        position_of(w, object->first + near[k], x);
        for (int c = 0; c < 3; c++)
            d[c] = (double)at[c] - x[c];
        rotate3(double_quat_conjugate(b->q), d, o);
        solve3(b->shape, o, d);
        for (int c = 0; c < 3; c++)
            offset[3 * k + c] = (float)d[c];
    }
}

static void fill(pl_world *w, const id_entry *object, const visual_mesh *mesh, const bone *bones)
{
    visuals *v = &w->visuals;
    const visual_ends from = v->ends[v->count];
    for (int i = 0; i < mesh->vertices; i++)
    {
        size_t at = VISUAL_NEAR * ((size_t)from.vertex + (size_t)i);
        memcpy(v->carrier + at, mesh->carrier + VISUAL_NEAR * (size_t)i, VISUAL_NEAR * sizeof *v->carrier);
        memcpy(v->weight + at, mesh->weight + VISUAL_NEAR * (size_t)i, VISUAL_NEAR * sizeof *v->weight);
        memset(v->offset + 3 * at, 0, 3 * VISUAL_NEAR * sizeof *v->offset);
        if (mesh->position)
            bind_vertex(w, object, bones, mesh->position + 3 * (size_t)i, v->carrier + at, v->offset + 3 * at);
    }
    if (mesh->triangles)
        memcpy(v->triangle + 3 * (size_t)from.triangle, mesh->triangle,
               3 * (size_t)mesh->triangles * sizeof *v->triangle);
    for (int i = 0; i < object->count; i++)
    {
        float *to = v->bind + 4 * ((size_t)from.bone + (size_t)i);
        for (int c = 0; c < 3; c++)
            to[c] = (float)bones[i].q.v[c];
        to[3] = (float)bones[i].q.w;
    }
    v->ends[++v->count] = (visual_ends){from.vertex + mesh->vertices, from.triangle + mesh->triangles,
                                        from.bone + object->count, object->first, mesh->position == NULL};
}

pl_result visuals_add(pl_world *w, pl_id object, const visual_mesh *mesh, pl_id *id)
{
    const id_entry *t = id_find(w, object, ID_OBJECT, "add visual");
    bone *bones = NULL;
    int64_t capacity = 0;
    if (!t)
        return PL_ERROR_ARGUMENT;
    int32_t count = (int32_t)t->count;
    pl_result result = reserve_ends(w);
    if (result == PL_OK)
        result = reserve(w, mesh->vertices, mesh->triangles, count);
    if (result == PL_OK)
        result = id_reserve(w, 1);
    if (result == PL_OK)
        result = array_reserve(&w->memory, &bones, &capacity, count, sizeof *bones);
    t = result == PL_OK ? id_find(w, object, ID_OBJECT, "add visual") : t; // the array of entries may have moved
    if (result == PL_OK)
        result = find_bones(w, t->first, t->count, bones);
    if (result == PL_OK)
    {
        id_entry new = {.type = ID_VISUAL, .first = (int32_t)w->visuals.count, .count = 1, .owner = object.index};
        fill(w, t, mesh, bones);
        result = id_add(w, new, id);
    }
    array_free(&w->memory, &bones, &capacity, sizeof *bones);
    return result;
}

static void compact_one(pl_world *w, int64_t at)
{
    visuals *v = &w->visuals;
    const visual_ends from = v->ends[at], to = v->ends[at + 1];
    columns_remove(w, PER_VISUALS_VERTEX, 0, from.vertex, to.vertex - from.vertex);
    columns_remove(w, PER_VISUALS_TRIANGLE, 0, from.triangle, to.triangle - from.triangle);
    columns_remove(w, PER_VISUALS_BONE, 0, from.bone, to.bone - from.bone);
    for (int64_t i = at + 1; i < v->count; i++)
    {
        v->ends[i] = v->ends[i + 1];
        v->ends[i].vertex -= to.vertex - from.vertex;
        v->ends[i].triangle -= to.triangle - from.triangle;
        v->ends[i].bone -= to.bone - from.bone;
    }
    v->count--;
}

static void visuals_compact(pl_world *w, int64_t first, int64_t count)
{
    for (int64_t i = first + count - 1; i >= first; i--)
        compact_one(w, i);
}

// A particle that carries the visual was removed.
static bool visual_lost(pl_world *w, int64_t at)
{
    const visual_ends *from = &w->visuals.ends[at], *to = from + 1;
    for (int32_t i = 0; i < to->bone - from->bone; i++)
        if (slot_of(w, to->first + i) < 0)
            return true;
    return false;
}

static bool ends_fit(const visual_ends *from, const visual_ends *to)
{
    return to->vertex > from->vertex && to->triangle >= from->triangle && to->bone > from->bone && to->first >= 0 &&
           to->vertex <= VISUALS_MOST && to->triangle <= VISUALS_MOST && to->bone <= VISUALS_MOST;
}

static bool visuals_ends_fit(const visuals *v)
{
    const visual_ends *e = v->ends;
    for (int64_t i = 0; i < v->count; i++)
        if (!ends_fit(&e[i], &e[i + 1]))
            return false;
    return v->count == 0 || (e[0].vertex == 0 && e[0].triangle == 0 && e[0].bone == 0);
}

static pl_result visuals_check(pl_world *w)
{
    const visuals *v = &w->visuals;
    for (int64_t i = 0; i < v->count; i++)
    {
        const visual_ends *from = &v->ends[i], *to = from + 1;
        if (visual_lost(w, i))
            return PL_ERROR_FORMAT;
        for (int64_t k = VISUAL_NEAR * (int64_t)from->vertex; k < VISUAL_NEAR * (int64_t)to->vertex; k++)
            if (v->carrier[k] < 0 || v->carrier[k] >= to->bone - from->bone)
                return PL_ERROR_FORMAT;
        for (int64_t k = 3 * (int64_t)from->triangle; k < 3 * (int64_t)to->triangle; k++)
            if (v->triangle[k] < 0 || v->triangle[k] >= to->vertex - from->vertex)
                return PL_ERROR_FORMAT;
    }
    return PL_OK;
}

static void walk_visuals(stream *s, pl_world *w)
{
    visuals *v = &w->visuals;
    memory *m = &w->memory;
    stream_number64(s, &v->count, 0, INT32_MAX / 64, "visuals");
    if (s->result != PL_OK || v->count == 0)
        return;
    stream_items(s, m, &v->ends, &v->ends_capacity, v->count + 1, sizeof *v->ends);
    if (s->result == PL_OK && !s->saving && !visuals_ends_fit(v))
        s->result = fail(PL_ERROR_FORMAT, "snapshot: a visual ends before it begins; the file is damaged");
    if (s->result != PL_OK)
    {
        if (!s->saving)
            v->count = 0; // so that nothing reads the damaged ends
        return;
    }
    columns_stream(s, w, MODEL_OF_VISUALS, 0);
}

// ---- reading -------------------------------------------------------------------------------------------------------

// Computes vertices as weighted sums of particles, as in a tetrahedron.
static void sum_plain(const pl_world *w, const visual_ends *end, const int32_t *near, const float *weight, float *out)
{
    double sum[3] = {0.0, 0.0, 0.0}, x[3];
    for (int k = 0; k < VISUAL_NEAR; k++)
    {
        position_of(w, end->first + near[k], x);
        for (int c = 0; c < 3; c++)
            sum[c] += (double)weight[k] * x[c];
    }
    for (int c = 0; c < 3; c++)
        out[c] = (float)sum[c];
}

static void blend_bones(const pl_world *w, const visual_ends *end, const bone *bones, int64_t vertex, float *out)
{
    const visuals *v = &w->visuals;
    const int32_t *near = v->carrier + VISUAL_NEAR * vertex;
    const float *weight = v->weight + VISUAL_NEAR * vertex, *offset = v->offset + 3 * VISUAL_NEAR * vertex;
    const float *bind = v->bind + 4 * (size_t)(end - 1)->bone;
    double_quat sum = {{0}, 0.0}, dual = {{0}, 0.0};
    double base[3] = {0};
    for (int k = 0; k < VISUAL_NEAR; k++)
    {
        const bone *b = &bones[near[k]];
        double o[3] = {(double)offset[3 * k], (double)offset[3 * k + 1], (double)offset[3 * k + 2]}, s[3], p[3], x[3];
        times3(b->shape, o, s);
        rotate3(b->q, s, p);
        position_of(w, end->first + near[k], x);
        for (int c = 0; c < 3; c++)
        {
            p[c] += x[c];
            base[c] = k == 0 ? p[c] : base[c];
        }
        double_quat q = double_quat_times(b->q, double_quat_conjugate(double_quat_of(bind + 4 * (size_t)near[k])));
        double share = double_quat_dot(sum, q) < 0.0 ? -(double)weight[k] : (double)weight[k];
        sum = double_quat_add(sum, share, q);
        dual = double_quat_add(
            dual, share, double_quat_times((double_quat){{p[0] - base[0], p[1] - base[1], p[2] - base[2]}, 0.0}, q));
    }
    double_quat moved = double_quat_times(dual, double_quat_conjugate(sum));
    double size = double_quat_dot(sum, sum);
    for (int c = 0; c < 3; c++)
        out[c] = (float)(base[c] + (size > 0.0 ? moved.v[c] / size : 0.0));
}

pl_result pl_describe_visual(const pl_world *w, pl_id visual, pl_visual_info *out)
{
    NEED(w);
    NEED(out);
    const id_entry *t = id_find(w, visual, ID_VISUAL, "describe visual");
    if (!t)
        return PL_ERROR_ARGUMENT;
    const visual_ends *from = &w->visuals.ends[t->first], *to = from + 1;
    *out = (pl_visual_info){to->vertex - from->vertex, to->triangle - from->triangle, to->first, to->bone - from->bone};
    return PL_OK;
}

pl_result pl_get_visual(const pl_world *w, pl_id visual, float *vertices, int32_t *triangles)
{
    NEED(w);
    PLAIN_ROUNDING;
    const id_entry *t = id_find(w, visual, ID_VISUAL, "get visual");
    if (!t)
        return PL_ERROR_ARGUMENT;
    const visuals *v = &w->visuals;
    const visual_ends *from = &v->ends[t->first], *to = from + 1;
    memory *m = &((pl_world *)w)->memory; // scratch memory: no visible state changes
    bone *bones = NULL;
    int64_t capacity = 0, count = to->bone - from->bone;
    if (triangles)
        memcpy(triangles, v->triangle + 3 * (size_t)from->triangle,
               3 * (size_t)(to->triangle - from->triangle) * sizeof *triangles);
    if (!vertices)
        return PL_OK;
    pl_result result = array_reserve(m, &bones, &capacity, count, sizeof *bones);
    if (result == PL_OK)
        result = find_bones(w, to->first, (int)count, bones);
    for (int64_t i = from->vertex; i < to->vertex && result == PL_OK; i++)
    {
        float *out = vertices + 3 * (i - from->vertex);
        if (to->plain)
            sum_plain(w, to, v->carrier + VISUAL_NEAR * i, v->weight + VISUAL_NEAR * i, out);
        else
            blend_bones(w, to, bones, i, out);
    }
    array_free(m, &bones, &capacity, sizeof *bones);
    return result;
}

// ---- the description of the kind -----------------------------------------------------------------------------------

// Its arrays have items for vertices, triangles and bones, so it has its own functions for them.
const group_kind visuals_kind = {
    .words = "visuals",
    .id_entry = ID_VISUAL,
    .owner = MODEL_OF_VISUALS,
    .start_column = -1, // its starts are visual_ends
    .count = offsetof(pl_world, visuals.count),
    .members = offsetof(pl_world, visuals.count),
    .single = true,
    .check = visuals_check,
    .lost = visual_lost,
    .walk = walk_visuals,
    .compact = visuals_compact,
};
