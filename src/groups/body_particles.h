// body_particles.h: declares the lists of contacts between rigid bodies and particles.
#pragma once
#include "model/world.h"
#include "plan/hooks.h"

struct arena;
struct broad_box;
struct stream;
struct planner;

// ---- body_particles.c
// Before a frame of dt, after rigid_contacts_refresh: brings the list of rows up to date. *again: the packed arrays were
// too small; pack the groups again, then call both once more.
pl_result body_particles_refresh(pl_world *w, float dt, bool *again);
void body_particles_free(pl_world *w);

// Can a particle of a row move, or does it? Then its body stays awake.
bool body_row_stirs(const pl_world *w, int64_t row);

// ---- body_surfaces.c
// The triangles of surfaces near shapes of bodies: adds their rows to those of the particles.
pl_result body_surfaces_find(pl_world *w, const struct broad_box *all);
// What the first row of a triangle knows beside its corners.
body_face body_surface_face(const pl_world *w, int32_t triangle);

// ---- body_events.c
pl_result body_events_list(pl_world *w);    // with the rows: groups them by body and object, if contacts are watched
pl_result body_events_collect(pl_world *w); // after a frame: adds their loads to the contacts that were seen

// ---- body_particles.c: what body_surfaces.c shares
typedef struct row_search
{
    pl_world *w;
    int32_t particle[BODY_CORNERS];
    int corners;
    uint32_t channels;
    bool fixed;   // the particles have an infinite mass
    uint64_t low; // of the key
    pl_result result;
} row_search;
// Adds the rows of what the search is for with the shapes that its box reaches.
void body_rows_near(row_search *s, const struct broad_box *own);

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

// A row while it is listed: the collider, below it the particle's number, or BODY_FACE and the triangle of the surfaces, and
// which row of the pair it is.
enum
{
    BODY_NUMBER_BITS = 34,
    BODY_PART_BITS = 2,
};
#define BODY_FACE ((uint64_t)1 << (BODY_NUMBER_BITS - 1))

static inline int32_t body_row_collider(const body_particles *b, int64_t row)
{
    return (int32_t)(b->sort.key[row] >> BODY_NUMBER_BITS);
}
static inline int32_t body_row_body(const pl_world *w, int64_t row)
{
    return w->rigid_contacts.owner[body_row_collider(&w->body_particles, row)];
}
// The triangle of a row, or -1.
static inline int32_t body_row_triangle(const body_particles *b, int64_t row)
{
    const uint64_t key = b->sort.key[row];
    return key & BODY_FACE ? (int32_t)((key & (BODY_FACE - 1)) >> BODY_PART_BITS) : -1;
}
static inline int32_t body_row_part(const body_particles *b, int64_t row)
{
    return (int32_t)(b->sort.key[row] & ((1 << BODY_PART_BITS) - 1));
}
static inline int body_row_corners(const body_particles *b, int64_t row)
{
    return b->sort.key[row] & BODY_FACE ? BODY_CORNERS : 1;
}
// The number of the particle of a row, or of a corner of its triangle; -1: it has none.
static inline int32_t body_row_particle(const body_particles *b, int64_t row, int corner)
{
    return b->corner[BODY_CORNERS * row + corner];
}
