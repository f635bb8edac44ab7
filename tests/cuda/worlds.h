// worlds.h: worlds for the comparison of backends: every kind, model and oddity, and what a user does to them.
#pragma once
#include <pliant/pliant.h>

void must(pl_result result); // or the program ends
extern int world_threads;    // on a CPU; 0: all there are
extern int world_pace;       // edits of skins come so many times as early
pl_world *make_world(pl_backend backend, pl_settings settings);

typedef void build_fn(pl_world *w);
build_fn cloth, soft_cloth, isometric_cloth, tiled_cloth, tiled_links, still_tiles, flags, bar, elements, oddments,
    layers, dipped, slit, ellipsoids, joints, long_joints, worn, melting, warming, company, company_of_hulls, rain;
void edit(pl_world *w, int frame);
void edit_skins(pl_world *w, int frame);
void edit_blade(pl_world *w, int frame);
void edit_ellipsoids(pl_world *w, int frame);
void edit_floor(pl_world *w, int frame);
void edit_often(pl_world *w, int frame);
void edit_ties(pl_world *w, int frame);
void edit_objects(pl_world *w, int frame);
pl_result add_part(pl_world *w, int which, pl_vec3 at, pl_id *id); // a small object: ropes, cloths, bars, bodies
void edit_still(pl_world *w, int frame);
void edit_flags(pl_world *w, int frame);
