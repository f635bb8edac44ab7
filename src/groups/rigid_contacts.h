// rigid_contacts.h: declares the lists of contacts between rigid bodies, and with shapes of the world.
#pragma once
#include "model/world.h"
#include "plan/hooks.h"

struct arena;
struct stream;
struct planner;

// ---- rigid_geometry.c
// Finds or builds the polyhedron of the hull of points; the tree of a mesh. *out is valid until the next call.
pl_result rigid_find_hull(pl_world *w, const float *x, int64_t vertices, const rigid_hull **out);
pl_result rigid_find_mesh(pl_world *w, const pl_shape_def *mesh, const rigid_hull **out);

// ---- rigid_colliders.c
// Lists the shapes of all bodies, and those of the world, if bodies or shapes have changed.
pl_result rigid_colliders_list(pl_world *w);
bool rigid_colliders_changed(const pl_world *w);
void rigid_colliders_free(pl_world *w);
// The box of a shape of the world at its present pose.
void rigid_world_box(const pl_world *w, const rigid_collider *k, float low[3], float high[3]);

// ---- rigid_pairs.c
// Do all shapes of the world stay in their boxes in the coming frame of dt?
bool rigid_shapes_stay(const pl_world *w, float dt);
// Finds new boxes, if wanted, and lists the pairs.
pl_result rigid_find_pairs(pl_world *w, float dt, bool find);
// Can contacts move the shape?
bool rigid_moves(const pl_world *w, const rigid_collider *k);

// ---- rigid_contacts.c
// Before a frame of dt: brings the list of pairs up to date. *again: the packed arrays were too small; pack the groups
// again, then call it once more.
pl_result rigid_contacts_refresh(pl_world *w, float dt, bool *again);
// While the list is made: are the shapes of a pair so far apart that it has no points at first?
bool rigid_is_apart(const rigid_contacts *c, const rigid_pair *p);
void rigid_contacts_free(pl_world *w);

// ---- rigid_sweeps.c
// Measures the height of stacks in the list.
pl_result rigid_contacts_measure(pl_world *w);
// How often an iteration solves the contacts of rigid bodies.
int rigid_sweeps(const pl_world *w);

// ---- rigid_fast.c
// Lists for each body the pairs that may stop it. body: for each collider of a body its number.
pl_result rigid_fast_list(pl_world *w, const int32_t *body);

// ---- rigid_contacts_pack.c: parts of the group kind `rigids`
pl_result rigid_contacts_size(pl_world *w);
void rigid_contacts_lay_out(pl_world *w, struct arena *a);
void rigid_contacts_fill(pl_world *w);
void rigid_contacts_unpack(pl_world *w);
void rigid_contacts_back(pl_world *w);
void rigid_contacts_walk(struct stream *s, pl_world *w);
pl_result rigid_contacts_check(const pl_world *w);
void rigid_contacts_plan(struct planner *p, enum plan_hook hook, int iteration);
// Copies kept multipliers into new rows.
pl_result rigid_contacts_restore(pl_world *w);
void rigid_kept_sort(rigid_kept *k, int64_t count); // by name

// ---- rigid_events.c
// After a frame: adds the contacts of bodies to those that contact events report (neighbours/contact/events.h).
pl_result rigid_events_collect(pl_world *w);
// Then: gives the reported events the user data of bodies.
void rigid_events_name(pl_world *w);

static inline bool rigid_watched(const pl_world *w) { return w->events.on && w->events.watch.bodies; }
static inline bool has_rigid_contacts(const pl_world *w) { return w->state.rigid_contacts.of_bodies > 0; }
