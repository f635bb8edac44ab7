// support.h: what the tests of the library's parts share: checks that print both numbers, dice, small worlds.
#ifndef PLIANT_TESTS_SUPPORT_H
#define PLIANT_TESTS_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#undef fail // the library has a function of that name
#undef fail_msg
#define fail_msg(...) (print_error("ERROR: " __VA_ARGS__), print_error("\n"), _fail(__FILE__, __LINE__))
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pliant/pliant.h"

static inline void good(pl_result result)
{
    if (result != PL_OK)
        fail_msg("%s: %s", pl_result_name(result), pl_error_message());
}

// The call must fail so, with a message that holds `words`.
static inline void refused(pl_result result, pl_result wanted, const char *words)
{
    if (result != wanted)
        fail_msg("the result is %s; %s was wanted, with \"%s\"", pl_result_name(result), pl_result_name(wanted), words);
    if (!strstr(pl_error_message(), words))
        fail_msg("the message is \"%s\"; it should hold \"%s\"", pl_error_message(), words);
}

static inline void near_to(const char *what, double value, double wanted, double tolerance)
{
    if (!(fabs(value - wanted) <= tolerance))
        fail_msg("%s is %.9g; %.9g within %.3g was wanted", what, value, wanted, tolerance);
}

static inline void below(const char *what, double value, double bound)
{
    if (!(value < bound))
        fail_msg("%s is %.6g; below %.6g was wanted", what, value, bound);
}

// In [-1, 1), the same everywhere.
static inline float dice(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (float)((double)(int32_t)(*seed >> 32) / 2147483648.0);
}

static inline pl_world_def small_def(int substeps, int iterations)
{
    pl_world_def def = pl_default_world_def();
    def.threads = 1;
    def.settings.substeps = substeps;
    def.settings.iterations = iterations;
    return def;
}

static inline pl_world *make_world(int substeps, int iterations)
{
    pl_world_def def = small_def(substeps, iterations);
    pl_world *world = NULL;
    good(pl_world_create(&def, &world));
    return world;
}

static inline void set_gravity(pl_world *w, float y)
{
    pl_settings s = pl_world_settings(w);
    s.gravity = (pl_vec3){0.0f, y, 0.0f};
    good(pl_world_set_settings(w, &s));
}

// One particle as an object of its own; returns its number.
static inline int add_one(pl_world *w, float x, float y, float z, float mass, pl_id *object)
{
    const float at[3] = {x, y, z};
    pl_particles_def def = pl_default_particles_def();
    pl_id id;
    int first, count;
    def.count = 1;
    def.position = at;
    def.mass_each = mass;
    good(pl_add_particles(w, &def, &id));
    good(pl_object_range(w, id, &first, &count));
    if (object)
        *object = id;
    return first;
}

static inline pl_id add_rows(pl_world *w, pl_kind kind, int count, const int32_t *index, const float *param,
                             float compliance)
{
    pl_constraints_def def = pl_default_constraints_def();
    pl_id block;
    def.kind = kind;
    def.count = count;
    def.index = index;
    def.param = param;
    def.soft.compliance = compliance;
    good(pl_add_constraints(w, &def, &block));
    return block;
}

// A hanging cloth with everything that a world can hold beside it: tethers, wind, a rope, a bar, pins, a field.
static inline void fill_world(pl_world *w, int size)
{
    pl_cloth_def cloth = pl_default_cloth_def();
    const int32_t pinned[2] = {0, size - 1};
    cloth.columns = cloth.rows = size;
    cloth.v = (pl_vec3){0.0f, 0.3f, 1.0f};
    cloth.stretch.compliance = 1e-6f;
    cloth.bending = PL_BENDING_DIHEDRAL;
    cloth.bend = (pl_softness){1e-2f, 1e-3f, 0.2f};
    cloth.pinned = pinned;
    cloth.pinned_count = 2;
    cloth.tethers = true;
    cloth.lift = 0.5f;
    good(pl_add_cloth(w, &cloth, NULL));

    pl_rope_def rope = pl_default_rope_def();
    rope.segments = 20;
    rope.from = (pl_vec3){2.0f, 0.0f, 0.0f};
    rope.to = (pl_vec3){3.0f, 0.0f, 0.0f};
    rope.pin_first = rope.pull_only = true;
    good(pl_add_rope(w, &rope, NULL));

    pl_bar_def bar = pl_default_bar_def();
    bar.cells[0] = 4, bar.cells[1] = bar.cells[2] = 2;
    bar.origin = (pl_vec3){-2.0f, 0.0f, 0.0f};
    bar.edges.compliance = 1e-5f;
    bar.pin_start = true;
    good(pl_add_bar(w, &bar, NULL));

    const pl_field field = {.kind = PL_FIELD_POINT, .origin = {0.0f, -3.0f, 0.0f}, .strength = 0.5f, .radius = 0.5f};
    good(pl_add_field(w, &field, NULL));
    pl_settings s = pl_world_settings(w);
    s.wind.velocity = (pl_vec3){3.0f, 0.0f, 1.0f};
    s.wind.gust = 0.5f;
    s.internal_damping = 0.2f;
    good(pl_world_set_settings(w, &s));
}

static inline void play(pl_world *w, int frames)
{
    for (int i = 0; i < frames; i++)
        good(pl_world_step(w, 1.0f / 60.0f));
}

// All bytes of a world, to see that a call has left it as it was.
typedef struct picture
{
    void *data;
    size_t size;
} picture;

static inline picture picture_of(const pl_world *w)
{
    picture p;
    good(pl_world_save_memory(w, &p.data, &p.size));
    return p;
}

static inline void same_picture(picture *before, const pl_world *w, const char *after)
{
    picture now = picture_of(w);
    if (now.size != before->size || memcmp(now.data, before->data, now.size) != 0)
    {
        size_t at = 0;
        while (at < now.size && at < before->size && ((char *)now.data)[at] == ((char *)before->data)[at])
            at++;
        fail_msg("%s changed the world: %zu bytes were %zu, byte %zu differs", after, now.size, before->size, at);
    }
    pl_free(now.data);
}

#endif
