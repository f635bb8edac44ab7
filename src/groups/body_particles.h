// body_particles.h: declares the lists of contacts between rigid bodies and particles.
#pragma once
#include "model/world.h"
#include "plan/hooks.h"

struct arena;
struct stream;
struct planner;

// ---- body_particles.c
// Before a frame of dt, after rigid_contacts_refresh: brings the list of rows up to date. *again: the packed arrays were
// too small; pack the groups again, then call both once more.
pl_result body_particles_refresh(pl_world *w, float dt, bool *again);
void body_particles_free(pl_world *w);

// Can the particle of a row move, or does it? Then its body stays awake.
bool body_row_stirs(const pl_world *w, int64_t row);

// ---- body_particles_pack.c: parts of the group kind `rigids`
void body_particles_size(pl_world *w);
void body_particles_lay_out(pl_world *w, struct arena *a);
void body_particles_fill(pl_world *w);
void body_particles_unpack(pl_world *w);
void body_particles_back(pl_world *w);
void body_particles_walk(struct stream *s, pl_world *w);
pl_result body_particles_check(const pl_world *w);
void body_particles_plan(struct planner *p, enum plan_hook hook);
// Writes the rows that were found, with the multipliers that were kept.
pl_result body_particles_restore(pl_world *w);

// A world of bodies alone has no such contacts.
static inline bool may_touch_bodies(const pl_world *w)
{
    return w->rigid_contacts.of_bodies > 0 && w->live > w->rigids.count;
}

static inline bool has_body_particles(const pl_world *w) { return w->state.body_particles.row_room > 0; }

// A row while it is listed: the collider, and below it the particle's number.
enum
{
    BODY_NUMBER_BITS = 31,
};
static inline int32_t body_row_collider(const body_particles *b, int64_t row)
{
    return (int32_t)(b->sort.key[row] >> BODY_NUMBER_BITS);
}
static inline int32_t body_row_body(const pl_world *w, int64_t row)
{
    return w->rigid_contacts.owner[body_row_collider(&w->body_particles, row)];
}
static inline int32_t body_row_particle(const body_particles *b, int64_t row)
{
    return (int32_t)(b->sort.key[row] & INT32_MAX);
}
