// surfaces.c: decides when surface pairs are searched again. surface_mesh.c builds the surface, surface_kept.c carries
// the multipliers from list to list.
#include "model/world.h"
#include "neighbours/surface/surfaces.h"
#include "stages/surface_list_validity.h"

#include <string.h>

// ---- list validity -------------------------------------------------------------------------------------------------

// The square of the greatest speed of a corner relative to the mean velocity of all corners.
static double greatest_relative_speed(const pl_world *w)
{
    const surfaces *k = &w->surfaces;
    const float *v = w->state.slot[SLOT_SURFACE_V];
    double mean[3] = {0}, sum[3], most = 0.0;
    for (int32_t i = 0; i < k->vertices; i += VELOCITY_CHUNK)
    {
        sum_velocities(v, k->vertex, i, i + VELOCITY_CHUNK < k->vertices ? i + VELOCITY_CHUNK : k->vertices, sum);
        for (int c = 0; c < 3; c++)
            mean[c] += sum[c];
    }
    for (int c = 0; c < 3; c++)
        mean[c] /= k->vertices;
    for (int32_t i = 0; i < k->vertices; i++)
    {
        double square = relative_speed_squared(v, k->vertex[i], mean);
        most = square > most ? square : most;
    }
    return most;
}

static void choose_reach(pl_world *w)
{
    surfaces *k = &w->surfaces;
    k->margin = SURFACE_MARGIN * k->thickness;
    k->horizon = surface_horizon(greatest_relative_speed(w), w->state.h, k->thickness);
}

// Stores the positions and velocities from which the predicted paths of the vertices start.
static void mark_paths(pl_world *w)
{
    const surfaces *k = &w->surfaces;
    state *s = &w->state;
    memset(s->slot[SLOT_SURFACE], 0, 16 * (size_t)s->slots);
    memset(s->slot[SLOT_SURFACE_V], 0, 16 * (size_t)s->slots);
    for (int32_t i = 0; i < k->vertices; i++)
    {
        size_t at = 4 * (size_t)k->vertex[i];
        memcpy(s->slot[SLOT_SURFACE] + at, s->slot[SLOT_X] + at, 12);
        memcpy(s->slot[SLOT_SURFACE_V] + at, s->slot[SLOT_V] + at, 12);
        s->slot[SLOT_SURFACE][at + 3] = 1.0f;
    }
}

static pl_result build(pl_world *w)
{
    surfaces *k = &w->surfaces;
    parallel threads = cpu_parallel(&w->cpu);
    pl_result r = surface_keep(w);
    if (r == PL_OK)
        r = surface_carry(w);
    k->listed = false;
    if (r == PL_OK)
        r = surface_list_particles(w);
    if (r == PL_OK)
        r = surface_search(w, &threads);
    if (r == PL_OK)
        r = surface_untangle(w);
    if (r == PL_OK)
        r = surface_pack(w, &threads);
    k->listed = r == PL_OK;
    k->resume = false;
    return r;
}

// Is the list still valid? While there are crossings, a new list is made each substep.
static bool still_holds(const pl_world *w)
{
    const surfaces *k = &w->surfaces;
    return k->listed && k->crossings == 0 &&
           surface_list_holds(w->flow.surface_age, w->state.h, k->horizon, w->flow.drifted, k->margin);
}

bool surface_is_due(const pl_world *w, bool stale)
{
    return has_surface(w) && (w->surfaces.resume || stale || !still_holds(w));
}

pl_result surface_refresh(pl_world *w, bool stale)
{
    surfaces *k = &w->surfaces;
    if (!has_surface(w))
        return PL_OK;
    pl_result r = k->resume ? build(w) : PL_OK;
    if (r == PL_OK && (stale || !still_holds(w)))
    {
        parallel threads = cpu_parallel(&w->cpu);
        mark_paths(w);
        choose_reach(w);
        surface_mark_particles(w, &threads);
        w->flow.surface_age = 0.0f;
        r = build(w);
    }
    w->state.surfaces.leeway = surface_leeway(k->margin, k->thickness);
    return r;
}

void surfaces_free(pl_world *w)
{
    surfaces *k = &w->surfaces;
    memory *m = &w->memory;
    array_free(m, &k->triangle, &k->triangle_capacity, sizeof(int32_t));
    array_free(m, &k->triangle_edge, &k->triangle_edge_capacity, sizeof(int32_t));
    array_free(m, &k->owns, &k->owns_capacity, 1);
    array_free(m, &k->edge, &k->edge_capacity, sizeof(int32_t));
    array_free(m, &k->edge_face, &k->edge_face_capacity, sizeof(int32_t));
    array_free(m, &k->edge_first, &k->edge_first_capacity, sizeof(int32_t));
    array_free(m, &k->edge_triangle, &k->edge_triangle_capacity, sizeof(int32_t));
    array_free(m, &k->slot_edge, &k->slot_edge_capacity, sizeof(int32_t));
    array_free(m, &k->leaf, &k->leaf_capacity, sizeof(int32_t));
    array_free(m, &k->vertex, &k->vertex_capacity, sizeof(int32_t));
    array_free(m, &k->particle, &k->particle_capacity, sizeof(int32_t));
    surface_bvh_free(w);
    array_free(m, &k->node_last, &k->node_last_capacity, sizeof(int32_t));
    array_free(m, &k->cell, &k->cell_capacity, sizeof(int32_t));
    surface_elements_free(w);
    array_free(m, &k->found.items, &k->found.capacity, sizeof(element_pair));
    array_free(m, &k->found.count, &k->found.count_capacity, sizeof(int32_t));
    array_free(m, &k->crossed.items, &k->crossed.capacity, sizeof(surface_pair));
    array_free(m, &k->pairs.items, &k->pairs.capacity, sizeof(surface_pair));
    array_free(m, &k->pulls, &k->pull_capacity, sizeof(surface_pull));
    array_free(m, &k->mark, &k->mark_capacity, sizeof(int32_t));
    sortable_free(m, &k->sorted, k->sorted_capacity);
    blocks_free(&k->blocks, m);
    array_free(m, &k->row, &k->row_capacity, sizeof(int32_t));
    array_free(m, &k->packing, &k->packing_capacity, 1);
    carry_free(&k->carry, m);
    array_free(m, &k->kept.items, &k->kept.capacity, sizeof(kept_surface));
}
