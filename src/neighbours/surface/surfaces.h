// surfaces.h: collision surfaces: triangle meshes that collide with each other and with themselves by their vertices,
// edges and triangles.
//
// A face whose corners all have a thickness is part of a collision surface. Pairs of a vertex and a triangle, and of
// two edges, that share no corner are searched together with their motion: a pair is listed when its distance is less
// than its reach, a margin, and the distance by which the two can approach each other until the list's horizon at their
// present velocities. So a falling cloth lists no more pairs than one at rest. The list is valid until the horizon,
// while no particle is farther from its predicted path than a quarter of the margin. The next substep may use another
// quarter, and SURFACE_PART of the thickness, before two elements that are not listed could touch.
//
// Crossings, where an edge passes through a triangle, are searched with each list. There are none unless a scene starts
// with them or fixed particles are moved through a surface; then neighbours/surface/untangle.c pulls them apart.
#pragma once
#include "core/parallel_for.h"
#include "model/world.h"

// surface_mesh.c
pl_result surface_compile(pl_world *w); // called after the particles have their slots
void surface_bvh_free(pl_world *w);
// surfaces.c
bool surface_is_due(const pl_world *w, bool stale); // whether surface_refresh builds the list again
pl_result surface_refresh(pl_world *w, bool stale); // before a substep: builds the list again if needed
void surfaces_free(pl_world *w);
// surface_kept.c
pl_result surface_keep(pl_world *w);  // copies the multipliers to `kept`
pl_result surface_carry(pl_world *w); // from `kept` to `carry`
void surface_drop_gone(pl_world *w);  // drops the kept multipliers of pairs that have lost a particle
bool kept_surface_holds(const pl_world *w, const kept_surface *item); // are all of its particles there?
void surface_forget(pl_world *w);
// particles_near_surface.c: sets how many leeways each free particle has, which may shorten the horizon; and lists the
// particles that may touch a surface
void surface_mark_particles(pl_world *w, const parallel *threads);
pl_result surface_list_particles(pl_world *w);
// surface_elements.c: the elements in the order in which they are searched, and their boxes
pl_result surface_list_elements(pl_world *w);           // after the tree has been built
pl_result surface_list_searched_particles(pl_world *w); // from `particle`
void surface_fit(pl_world *w, const element_search *q, enum element_kind kind, const parallel *threads);
void surface_elements_free(pl_world *w);
// surface_search.c: fills `pairs` and `crossed` from SLOT_SURFACE and SLOT_SURFACE_V
pl_result surface_search(pl_world *w, const parallel *threads);
pl_result surface_crossings(pl_world *w, int64_t *count); // at the current positions
// untangle.c: switches off the contacts of crossing elements and pulls them apart instead
pl_result surface_untangle(pl_world *w);
// surface_pack.c
pl_result surface_pack(pl_world *w, const parallel *threads);
static inline void surface_corners(const surfaces *k, const surface_pair *p, int32_t corner[4])
{
    pair_corners(k->triangle, k->edge, k->pulls, p, corner);
}
// surface_forces.c: the loads of surface contacts, for events
extern const press_source surface_presses;
