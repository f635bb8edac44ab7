// build.h: declares an object under construction. If any part of it fails, the whole object is removed again.
#pragma once
#include "model/world.h"

// The size of a world before the object was added; everything beyond belongs to the object.
typedef struct build_mark
{
    int64_t rows[PL_KIND_COUNT], faces, entries, groups[GROUP_KINDS];
    int64_t joined;
    int32_t live, used, hole, end, free, smooth;
    bool particles_stale, colours_stale, tear_on, worn[PL_KIND_COUNT];
    bool colliders_stale, contacts_stale, listed, resume, surface_stale, surface_listed,
        surface_resume; // lists of contacts
    bool rigid_stale, rigid_colliders_stale, rigid_loaded, places_stale;
    uint32_t rigids_added;
} build_mark;

typedef struct build
{
    pl_world *w;
    build_mark mark;
    pl_id object;
    pl_id block; // the last block
    int32_t first;
    pl_result result; // the first failure; later calls do nothing

    int32_t *index; // particle numbers of the block being collected
    int64_t index_count, index_capacity;
    float *param;
    int64_t param_count, param_capacity;
} build;

build_mark build_begin(const pl_world *w);
// Removes the objects that were added since the mark, after the failure `why`: the world is as it was.
void build_undo(pl_world *w, const build_mark *m, const pl_id *objects, int count, pl_result why);
void build_particles(build *b, const pl_particles_def *def);
// Returns the collision data of a particle for writing: radius, phase, thickness.
float *build_collision(build *b, int i);
void build_apart(build *b, int count); // its own particles do not collide with each other: its shape keeps them apart
void build_radius(build *b, int count, float radius); // of the first `count` particles
// Makes its faces take part in self-collision: half the thickness is the radius of its particles.
void build_thickness(build *b, int count, float thickness);
// Appends one constraint's particles (numbered within the object) to the block being collected.
void build_index(build *b, int count, const int32_t *local);
void build_param(build *b, float value);
// Ends the block: rows of a kind, or faces. An empty block adds nothing.
void build_rows(build *b, pl_kind kind, pl_softness soft);
// Makes the rows of the last block flow or break.
void build_plastic(build *b, const pl_plastic *plastic);
void build_strength(build *b, float strength);
void build_faces(build *b, float drag, float lift);
// Adds clusters made of the indices collected so far. start: count + 1 positions among them.
void build_clusters(build *b, const int32_t *start, int count, pl_cluster_material material, const float *field);
// Adds a closed surface made of the indices collected so far.
void build_volume(build *b, float pressure, float compliance);
// Adds strands of particles of the world.
void build_strands(build *b, const pl_strands_def *def);
pl_result build_end(build *b, pl_id *object);
