// trials.h: a world of every kind, small, because each has a state of its own that a fault may harm; and what is done to it as it runs.
#ifndef PLIANT_TESTS_TRIALS_H
#define PLIANT_TESTS_TRIALS_H

#include "worlds.h"

// A scene, or a world that is built, and what is done to it before a step.
typedef struct trial
{
    const char *name, *scene;
    const char *sets[8];
    build_fn *build;
    pl_result (*act)(pl_world *w, int frame);
    int frames;
} trial;

// The structure is sent again.
static inline pl_result add_one(pl_world *w, int frame)
{
    const float x[3] = {0.0f, 1.0f, 0.0f};
    pl_particles_def p = pl_default_particles_def();
    p.count = 1;
    p.position = x;
    static int before;
    before = frame == 0 ? pl_particle_count(w) : before;
    bool now = frame == 4 && pl_particle_count(w) == before; // once, though the frame may come again
    return now ? pl_add_particles(w, &p, NULL) : PL_OK;
}

// Objects of every sort come whole, one before each frame.
static inline pl_result add_objects(pl_world *w, int frame)
{
    static int before;
    before = frame == 0 ? pl_world_objects(w, NULL, 0) : before;
    pl_result result = PL_OK;
    for (int i = pl_world_objects(w, NULL, 0) - before; result == PL_OK && i < frame - 1; i++)
        result = add_part(w, 2 * i + 1, (pl_vec3){0.1f * (float)i, 0.3f, 0.2f}, NULL);
    return result;
}

static inline pl_result watch_all(pl_world *w, int frame)
{
    pl_watch_def d = pl_default_watch_def();
    return frame == 0 ? pl_watch_contacts(w, &d) : PL_OK;
}

// Grains in a row, the first of which is hot.
static inline void warm_row(pl_world *w)
{
    const float x[12] = {0.0f, 0.1f, 0.0f, 0.1f, 0.1f, 0.0f, 0.2f, 0.1f, 0.0f, 0.3f, 0.1f, 0.0f}, hot = 90.0f;
    const float radius[4] = {0.05f, 0.05f, 0.05f, 0.05f};
    pl_particles_def p = pl_default_particles_def();
    pl_heat_def d = pl_default_heat_def();
    pl_id row;
    p.count = 4, p.position = x;
    d.conductivity = 100.0f, d.capacity = 1.0f;
    must(pl_add_particles(w, &p, &row));
    must(pl_set(w, PL_ATTRIBUTE_RADIUS, 0, 4, radius));
    must(pl_set_heat(w, row, &d));
    must(pl_set_temperature(w, 0, 1, &hot));
}

#define PLASTIC "body[0].match.yield=0.0005", "body[0].match.creep=10", "substeps=2"
#define BRICKS "body[0].copies=[2,2,1]", "body[1].copies=[1,2,1]", "body[2].copies=[1,2,1]"
static const trial trials[] = {
    {"cloth", "flag", {"cloth.size=[14,14]"}, NULL, NULL, 5},
    {"cloth, BDF2", "flag", {"cloth.size=[14,14]", "integrator=bdf2"}, NULL, NULL, 5},
    {"grains", "sandpile", {"grains.size=[5,6,5]"}, NULL, NULL, 6},
    {"grains, watched",
     "sandpile",
     {"grains.size=[4,5,4]", "grains.material.restitution=0.6", "substeps=3"},
     NULL,
     watch_all,
     6},
    {"bodies", "stack", {BRICKS, "body[1].velocity=[0,0.5,4]", "substeps=4"}, NULL, NULL, 4},
    {"plastic", "bent_metal", {"bar[0].plastic.yield=0.0001", "gravity=[0,-9.81,0]", "substeps=6"}, NULL, NULL, 4},
    {"plastic bodies", "jelly", {"body[0].spacing=0.16", "body[1].spacing=0.16", PLASTIC}, NULL, NULL, 3},
    {"oriented", "orient", {"shape[1].position=[1,1.5,0.2]", "substeps=2"}, NULL, NULL, 3},
    {"lattice", "lattice", {"substeps=2"}, NULL, NULL, 4},
    {"balloon", "balloon", {"substeps=3"}, NULL, NULL, 3},
    {"skins", "drape", {"cloth.size=[14,14]", "cloth.thickness=0.04", "cloth.origin=[-1,0.62,-1]"}, NULL, NULL, 4},
    {"tangled", NULL, {NULL}, dipped, NULL, 2},
    {"heat", "melt", {"body.spacing=0.1", "substeps=1", "heat.conductivity=100000"}, NULL, NULL, 2},
    {"warm", NULL, {NULL}, warm_row, NULL, 2},
    {"moving shapes", "tumbler", {"grains.size=[4,4,4]"}, NULL, NULL, 5},
    {"tearing", "tear", {"cloth.size=[10,10]", "cloth.strength=500", "substeps=3"}, NULL, NULL, 12},
    {"edits", NULL, {NULL}, layers, add_one, 6},
    {"objects", NULL, {NULL}, layers, add_objects, 7},
};

#undef PLASTIC
#undef BRICKS

#endif
