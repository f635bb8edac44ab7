// untangle.c: pulls crossing surfaces apart.
//
// An edge and a triangle alone do not show which side is right. Two methods decide:
//   strays    Cut all edges that cross something. Where that cuts a surface into parts, all but the largest are on
//             the wrong side. A crossing edge with one stray end is pulled back through the triangle by that end, so
//             the stray part shrinks row by row. After Baraff, Witkin, Kass 2003, who fill regions between contours.
//   contours  Where nothing is cut off, an edge is moved along the triangle so that the intersection line of the
//             surfaces becomes shorter:  G = sum over the edge's faces of R - (E.R)/(E.N) N,  E the edge, N the
//             triangle's normal, R the direction of that line in the face, away from the edge.
//             Volino, Magnenat-Thalmann 2006.
// Around crossings, the contacts of pairs in the tangle are switched off, and new lists are made each substep.
#include "collide/bvh.h"
#include "core/union_find.h"
#include "kernels/surface_contact.h"
#include "model/world.h"
#include "neighbours/surface/surfaces.h"

#include <string.h>

#define PULL_STEP 0.25f // of the thickness, in a substep; contacts correct half of what they are asked for
#define STEEP 0.1f      // lower bound of |E.N|, so that an edge almost parallel to the triangle is not moved far

// The search for pulls, with its scratch memory.
typedef struct untangling
{
    pl_world *w;
    surfaces *k;
    const float *x;
    const surface_pair *crossing; // a: edge, b: triangle
    int64_t crossings;
    // For each slot the root of its surface, and of its part when crossing edges are cut (union_find).
    int32_t *whole, *cut;
    int32_t *count, *largest_part; // for each part its size; for each surface its largest part, -1: no strays
    int32_t *tangled;              // for each slot: 1 in a tangle, 2 next to one
    int32_t *crossed;              // for each edge: does it cross a triangle?
} untangling;

static vec corner_at(const untangling *t, int32_t slot)
{
    const float *p = t->x + 4 * (size_t)slot;
    return vec_of(p[0], p[1], p[2]);
}

// ---- strays --------------------------------------------------------------------------------------------------------

// Finds the parts of each surface when all crossing edges are cut, and its largest part.
static void find_parts(untangling *t)
{
    surfaces *k = t->k;
    for (int32_t i = 0; i < k->vertices; i++)
    {
        int32_t slot = k->vertex[i];
        t->whole[slot] = t->cut[slot] = slot;
        t->count[slot] = t->tangled[slot] = 0;
        t->largest_part[slot] = -1;
    }
    for (int32_t i = 0; i < k->particles; i++)
        t->tangled[k->particle[i]] = 0;
    memset(t->crossed, 0, (size_t)k->edges * sizeof *t->crossed);
    for (int64_t i = 0; i < t->crossings; i++)
        t->crossed[t->crossing[i].a] = 1;
    for (int32_t e = 0; e < k->edges; e++)
    {
        union_join(t->whole, k->edge[2 * e], k->edge[2 * e + 1]);
        if (!t->crossed[e])
            union_join(t->cut, k->edge[2 * e], k->edge[2 * e + 1]);
    }
    for (int32_t i = 0; i < k->vertices; i++)
        t->count[union_find(t->cut, k->vertex[i])]++;
    for (int32_t i = 0; i < k->vertices; i++) // of equally large parts the first wins
    {
        int32_t part = k->vertex[i], *largest_part = &t->largest_part[union_find(t->whole, part)];
        if (t->cut[part] == part && (*largest_part < 0 || t->count[part] > t->count[*largest_part]))
            *largest_part = part;
    }
}

static bool is_stray(untangling *t, int32_t slot)
{
    int32_t largest_part = t->largest_part[union_find(t->whole, slot)];
    return largest_part >= 0 && union_find(t->cut, slot) != largest_part;
}

// Counts the stray corners of each surface.
static void count_strays(untangling *t, int32_t *strays)
{
    for (int32_t i = 0; i < t->k->vertices; i++)
        strays[t->k->vertex[i]] = 0;
    for (int32_t i = 0; i < t->k->vertices; i++)
        strays[union_find(t->whole, t->k->vertex[i])] += is_stray(t, t->k->vertex[i]);
}

// If two surfaces that cross both have strays, they would pull past each other: the one with more strays does not pull.
static void choose_sides(untangling *t)
{
    int32_t *strays = t->count; // the sizes of the parts are no longer needed
    count_strays(t, strays);
    for (int64_t i = 0; i < t->crossings; i++)
    {
        int32_t a = union_find(t->whole, t->k->edge[2 * (size_t)t->crossing[i].a]);
        int32_t b = union_find(t->whole, t->k->triangle[3 * (size_t)t->crossing[i].b]);
        if (a == b || t->largest_part[a] < 0 || t->largest_part[b] < 0 || !strays[a] || !strays[b])
            continue;
        int32_t yields = strays[a] > strays[b] || (strays[a] == strays[b] && a > b) ? a : b;
        t->largest_part[yields] = -1; // none of its corners counts as stray any more
        strays[yields] = 0;
    }
}

// ---- pulls ---------------------------------------------------------------------------------------------------------

static void add_pull(untangling *t, int32_t slot, int32_t triangle, vec n, const float *weight)
{
    surface_pull *p = &t->k->pulls[t->k->pull_count++];
    *p = (surface_pull){slot, triangle, {n.x, n.y, n.z}, {weight[0], weight[1], weight[2]}};
}

static vec face_normal(const untangling *t, int32_t triangle)
{
    const int32_t *c = t->k->triangle + 3 * (size_t)triangle;
    vec a = corner_at(t, c[0]);
    float len;
    return direction(cross(sub(corner_at(t, c[1]), a), sub(corner_at(t, c[2]), a)), vec_of(0.0f, 1.0f, 0.0f), &len);
}

// The direction that shortens the contour, for one face of the edge.
static vec contour_direction(const untangling *t, int32_t face, vec from, vec e, vec n)
{
    const int32_t *c = t->k->triangle + 3 * (size_t)face;
    vec centre = times(1.0f / 3.0f, add(corner_at(t, c[0]), add(corner_at(t, c[1]), corner_at(t, c[2]))));
    vec inward = sub(centre, from), zero = vec_of(0.0f, 0.0f, 0.0f);
    inward = sub(inward, times(dot(inward, e), e));
    float len, steep = dot(e, n);
    vec r = direction(cross(face_normal(t, face), n), zero, &len);
    r = dot(r, inward) < 0.0f ? sub(zero, r) : r;
    if (steep < STEEP && steep > -STEEP)
        steep = steep < 0.0f ? -STEEP : STEEP;
    return sub(r, times(dot(e, r) / steep, n));
}

// Pulls both ends of the edge in the direction that shortens the contour.
static void pull_contour(untangling *t, int32_t edge, int32_t triangle, const float *weight)
{
    const int32_t *ends = t->k->edge + 2 * (size_t)edge, *face = t->k->edge_face + 2 * (size_t)edge;
    vec from = corner_at(t, ends[0]), n = face_normal(t, triangle), zero = vec_of(0.0f, 0.0f, 0.0f), g;
    float len;
    vec e = direction(sub(corner_at(t, ends[1]), from), zero, &len);
    g = contour_direction(t, face[0], from, e, n);
    if (face[1] >= 0)
        g = add(g, contour_direction(t, face[1], from, e, n));
    g = direction(g, zero, &len);
    if (len < 1e-3f)
        return; // no direction shortens the contour
    add_pull(t, ends[0], triangle, g, weight);
    add_pull(t, ends[1], triangle, g, weight);
}

// Adds the pulls for one crossing: of the stray end if exactly one end is stray, otherwise along the contour.
static void pull_crossing(untangling *t, const surface_pair *crossing)
{
    const int32_t *ends = t->k->edge + 2 * (size_t)crossing->a, *c = t->k->triangle + 3 * (size_t)crossing->b;
    vec p = corner_at(t, ends[0]), q = corner_at(t, ends[1]), a = corner_at(t, c[0]), n = face_normal(t, crossing->b);
    float above = dot(n, sub(p, a)), below = dot(n, sub(q, a)), along = above / (above - below);
    vec hit = add(p, times(clamp(along, 0.0f, 1.0f), sub(q, p)));
    closest near = point_triangle(hit, a, corner_at(t, c[1]), corner_at(t, c[2]));
    bool stray_p = is_stray(t, ends[0]), stray_q = is_stray(t, ends[1]);
    if (stray_p == stray_q)
    {
        pull_contour(t, crossing->a, crossing->b, near.weight);
        return;
    }
    if ((stray_p ? below : above) < 0.0f) // towards the end that is not stray
        n = sub(vec_of(0.0f, 0.0f, 0.0f), n);
    add_pull(t, stray_p ? ends[0] : ends[1], crossing->b, n, near.weight);
}

// ---- tangled pairs -------------------------------------------------------------------------------------------------

// Marks the corners of crossing elements, a ring around them, and all strays.
static void mark_tangled(untangling *t)
{
    surfaces *k = t->k;
    for (int64_t i = 0; i < t->crossings; i++)
    {
        const int32_t *ends = k->edge + 2 * (size_t)t->crossing[i].a, *c = k->triangle + 3 * (size_t)t->crossing[i].b;
        t->tangled[ends[0]] = t->tangled[ends[1]] = 1;
        t->tangled[c[0]] = t->tangled[c[1]] = t->tangled[c[2]] = 1;
    }
    for (int32_t e = 0; e < k->edges; e++) // add one ring of neighbours
    {
        int32_t *a = &t->tangled[k->edge[2 * e]], *b = &t->tangled[k->edge[2 * e + 1]];
        if (*a == 1 && *b == 0)
            *b = 2;
        else if (*b == 1 && *a == 0)
            *a = 2;
    }
    for (int32_t i = 0; i < k->vertices; i++)
        if (is_stray(t, k->vertex[i]))
            t->tangled[k->vertex[i]] = 1;
}

// Switches off the pairs that have a tangled corner on both sides.
static void switch_off_pairs(untangling *t)
{
    for (int64_t i = 0; i < t->k->pairs.count; i++)
    {
        surface_pair *p = &t->k->pairs.items[i];
        int32_t c[4], second = p->mode == SURFACE_VERTEX ? 1 : 2;
        bool one = false, other = false;
        surface_corners(t->k, p, c);
        for (int32_t j = 0; j < 4; j++)
            *(j < second ? &one : &other) |= t->tangled[c[j]] != 0;
        p->off = one && other;
    }
}

static pl_result add_pairs(untangling *t)
{
    surfaces *k = t->k;
    pl_result r = array_reserve(&t->w->memory, &k->pairs.items, &k->pairs.capacity, k->pairs.count + k->pull_count,
                                sizeof(surface_pair));
    for (int64_t i = 0; r == PL_OK && i < k->pull_count; i++)
        k->pairs.items[k->pairs.count++] =
            (surface_pair){SURFACE_UNTANGLE, k->pulls[i].slot, (int32_t)i, PULL_STEP * k->thickness, 0};
    return r;
}

pl_result surface_untangle(pl_world *w)
{
    surfaces *k = &w->surfaces;
    int64_t slots = w->state.slots;
    k->pull_count = 0;
    if (!k->crossings)
        return PL_OK;
    pl_result r = array_reserve(&w->memory, &k->pulls, &k->pull_capacity, 2 * k->crossings, sizeof(surface_pull));
    if (r == PL_OK)
        r = array_reserve(&w->memory, &k->mark, &k->mark_capacity, 5 * slots + k->edges, sizeof *k->mark);
    if (r != PL_OK)
        return r;
    int32_t *m = k->mark;
    untangling t = {w,
                    k,
                    w->state.slot[SLOT_SURFACE],
                    k->crossed.items,
                    k->crossings,
                    m,
                    m + slots,
                    m + 2 * slots,
                    m + 3 * slots,
                    m + 4 * slots,
                    m + 5 * slots};
    find_parts(&t);
    choose_sides(&t);
    mark_tangled(&t);
    switch_off_pairs(&t);
    for (int64_t i = 0; i < t.crossings; i++)
        pull_crossing(&t, &t.crossing[i]);
    return add_pairs(&t);
}
