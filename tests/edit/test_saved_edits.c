// test_saved_edits.c: a world that is saved and loaded between edits and frames is the world that never was. Objects of
// every sort lie on each other and on shapes: surfaces, grains, bodies, oriented particles. After each of many random
// edits the twin that is saved and loaded again and again has the bits of the other.
// long: too
#include "edit/objects.h"
#include "support/long.h"

enum
{
    MOST = 64,
    SHAPES = 4,
};

typedef struct twin
{
    pl_world *w;
    uint64_t seed;
    pl_id object[MOST], block[MOST], shape[SHAPES];
    int objects, blocks, shapes;
    bool bare; // there are no shapes
} twin;

static pl_world_def def_of(void)
{
    pl_world_def def = small_def(3, 2);
    def.settings.damping = 0.2f;
    return def;
}

static int roll(twin *p, int sides) { return (int)((0.5 + 0.5 * (double)dice(&p->seed)) * sides) % sides; }

static float between(twin *p, float low, float high) { return low + (high - low) * (0.5f + 0.5f * dice(&p->seed)); }

static int any_particle(twin *p)
{
    float x[3];
    for (;;)
    {
        int number = roll(p, pl_particle_end(p->w));
        if (pl_get(p->w, PL_ATTRIBUTE_POSITION, number, 1, x) == PL_OK)
            return number;
    }
}

// ---- edits ---------------------------------------------------------------------------------------------------------

static void step_on(twin *p)
{
    for (int f = 1 + roll(p, 3); f > 0; f--)
    {
        pl_result result = pl_world_step(p->w, 1.0f / 60.0f);
        if (result != PL_ERROR_DIVERGED) // then the frame is undone, in both
            good(result);
    }
}

static void add_grains(twin *p)
{
    enum
    {
        GRAINS = 24
    };
    float x[3 * GRAINS], radius[GRAINS];
    int first, count;
    pl_particles_def d = pl_default_particles_def();
    d.count = 1 + roll(p, GRAINS);
    for (int i = 0; i < d.count; i++)
    {
        x[3 * i] = 0.06f * (float)(i % 4) + between(p, 0.0f, 0.01f);
        x[3 * i + 1] = 0.06f * (float)(i / 4 % 3) + 0.12f;
        x[3 * i + 2] = 0.06f * (float)(i / 12) + between(p, 0.0f, 0.01f);
        radius[i] = 0.02f + 0.01f * (float)(i % 2);
    }
    d.position = x, d.mass_each = 0.02f;
    if (p->objects == MOST)
        return;
    good(pl_add_particles(p->w, &d, &p->object[p->objects]));
    good(pl_object_range(p->w, p->object[p->objects++], &first, &count));
    good(pl_set(p->w, PL_ATTRIBUTE_RADIUS, first, count, radius));
}

static void add_object(twin *p)
{
    int sort = roll(p, 3) ? roll(p, OBJECT_SORTS) : OBJECT_CLOTH_SKIN, first, count;
    pl_vec3 at = {between(p, -0.1f, 0.1f), between(p, 0.05f, 0.3f), between(p, -0.1f, 0.1f)};
    float radius[16];
    if (p->objects == MOST)
        return;
    good(make_object(p->w, sort, at, &p->object[p->objects]));
    good(pl_object_range(p->w, p->object[p->objects++], &first, &count));
    for (int i = 0; i < 16; i++)
        radius[i] = 0.02f;
    if (sort != OBJECT_CLOTH_SKIN && sort < OBJECT_PLAIN)
        good(pl_set(p->w, PL_ATTRIBUTE_RADIUS, first, count < 16 ? count : 16, radius));
}

static void remove_one(twin *p, pl_id *list, int *count)
{
    if (*count == 0)
        return;
    int which = roll(p, *count);
    pl_remove(p->w, list[which]); // a block may have gone with an object
    list[which] = list[--*count];
}

static void remove_object(twin *p)
{
    if (p->objects > 4)
        remove_one(p, p->object, &p->objects);
}

static void remove_block(twin *p) { remove_one(p, p->block, &p->blocks); }

// Faces of particles that have some already, with the same corners as another face or not.
static void add_faces(twin *p)
{
    int32_t index[9];
    int faces = pl_face_count(p->w);
    if (faces < 3 || p->blocks == MOST)
        return;
    for (int i = 0; i < 3; i++)
        good(pl_get_faces(p->w, roll(p, faces), 1, index + 3 * i));
    if (index[2] != index[3] && index[2] != index[4])
        index[5] = index[2];
    good(pl_add_faces(p->w, &(pl_faces_def){3, index, 0.0f, 0.0f}, &p->block[p->blocks++]));
}

static void add_links(twin *p)
{
    pl_constraints_def d = pl_default_constraints_def();
    int32_t index[2] = {any_particle(p), any_particle(p)};
    d.kind = PL_KIND_DISTANCE, d.count = 1, d.index = index, d.soft.compliance = 1e-3f;
    if (index[0] != index[1] && p->blocks < MOST)
        good(pl_add_constraints(p->w, &d, &p->block[p->blocks++]));
}

static void cut(twin *p)
{
    float x[3];
    good(pl_get(p->w, PL_ATTRIBUTE_POSITION, any_particle(p), 1, x));
    pl_blade b = {{x[0] - 0.1f, x[1] - 1.0f, x[2] - 0.1f}, {0.2f, 0.01f, 0.2f * dice(&p->seed)}, {0.0f, 2.0f, 0.0f}};
    good(pl_cut(p->w, (pl_id){0, 0}, &b, NULL));
}

static void set_one(twin *p)
{
    static const pl_attribute what[] = {PL_ATTRIBUTE_MASS,     PL_ATTRIBUTE_RADIUS,   PL_ATTRIBUTE_THICKNESS,
                                        PL_ATTRIBUTE_VELOCITY, PL_ATTRIBUTE_POSITION, PL_ATTRIBUTE_FORCE};
    int which = roll(p, 6), n = any_particle(p);
    float value[3];
    good(pl_get(p->w, what[which], n, 1, value));
    if (which == 0)
        value[0] = roll(p, 3) ? between(p, 0.01f, 0.1f) : 0.0f;
    else if (which < 3)
        value[0] = roll(p, 3) ? between(p, 0.005f, 0.02f) : 0.0f;
    else
        for (int i = 0; i < 3; i++)
            value[i] += between(p, -0.01f, 0.01f);
    pl_set(p->w, what[which], n, 1, value); // oriented particles refuse a mass of 0 or a radius
}

static void set_phases(twin *p)
{
    pl_phase phase;
    int n = any_particle(p);
    good(pl_get_phase(p->w, n, &phase));
    phase.material = roll(p, 2);
    phase.mask = roll(p, 3) ? 255 : 1;
    phase.self = roll(p, 2);
    good(pl_set_phase(p->w, n, 1, &phase));
}

static void set_materials(twin *p)
{
    pl_material m = {between(p, 0.2f, 0.8f), between(p, 0.0f, 0.2f), between(p, 0.0f, 0.5f), 0.1f, 0.0f, 0.0f};
    good(pl_set_material(p->w, roll(p, 2), &m));
    if (roll(p, 2))
        good(pl_set_material_pair(p->w, 0, 1, &m));
}

static void change_shapes(twin *p)
{
    pl_shape_def d = pl_default_shape_def();
    int which = p->shapes ? roll(p, p->shapes) : 0, what = roll(p, 4);
    pl_quat rotation = {0.0f, 0.0f, 0.0f, 1.0f};
    pl_vec3 at = {between(p, -0.3f, 0.3f), between(p, -0.1f, 0.05f), between(p, -0.3f, 0.3f)};
    d.kind = roll(p, 2) ? PL_SHAPE_SPHERE : PL_SHAPE_BOX;
    d.radius = 0.1f, d.half = (pl_vec3){0.1f, 0.05f, 0.1f};
    d.position = at;
    if (p->bare)
        return;
    if (what == 0 && p->shapes < SHAPES)
        good(pl_add_shape(p->w, &d, &p->shape[p->shapes++]));
    else if (what == 1)
        remove_one(p, p->shape, &p->shapes);
    else if (what == 2 && p->shapes)
        good(pl_move_shape(p->w, p->shape[which], at, rotation));
    else if (p->shapes)
        good(pl_set_shape_velocity(p->w, p->shape[which], (pl_vec3){between(p, -0.2f, 0.2f), 0.0f, 0.0f},
                                   (pl_vec3){0.0f, between(p, -1.0f, 1.0f), 0.0f}));
}

static void change_settings(twin *p)
{
    pl_settings s = pl_world_settings(p->w);
    s.iterations = 1 + roll(p, 3);
    s.integrator = roll(p, 2) ? PL_INTEGRATOR_BDF2 : PL_INTEGRATOR_BDF1;
    s.gravity.x = between(p, -2.0f, 2.0f);
    good(pl_world_set_settings(p->w, &s));
}

static void rest_here(twin *p) { good(pl_set_rest_positions(p->w, any_particle(p), 1)); }

static const struct
{
    const char *name;
    void (*edit)(twin *p);
} edits[] = {
    {"step", step_on},        {"step", step_on},
    {"step", step_on},        {"step", step_on},
    {"grains", add_grains},   {"object", add_object},
    {"object", add_object},   {"remove", remove_object},
    {"faces", add_faces},     {"links", add_links},
    {"block", remove_block},  {"cut", cut},
    {"set", set_one},         {"set", set_one},
    {"phase", set_phases},    {"material", set_materials},
    {"shape", change_shapes}, {"settings", change_settings},
    {"rest", rest_here},
};

// ---- twins ---------------------------------------------------------------------------------------------------------

static void open_twin(twin *p, uint64_t seed)
{
    pl_world_def def = def_of();
    pl_shape_def floor = pl_default_shape_def();
    pl_material slippery = {0.2f, 0.1f, 0.0f, 0.0f, 0.0f, 0.0f};
    int number;
    *p = (twin){.seed = seed};
    good(pl_world_create(&def, &p->w));
    floor.kind = PL_SHAPE_PLANE;
    p->bare = seed % 3 == 0;
    if (!p->bare)
        good(pl_add_shape(p->w, &floor, NULL));
    good(pl_add_material(p->w, &slippery, &number));
    for (int i = 0; i < 3; i++)
        good(make_object(p->w, OBJECT_CLOTH_SKIN, (pl_vec3){0.01f * (float)i, 0.03f + 0.03f * (float)i, 0.0f},
                         &p->object[p->objects++]));
    good(make_object(p->w, OBJECT_RIGID, (pl_vec3){0.2f, 0.4f, 0.1f}, &p->object[p->objects++]));
    good(make_object(p->w, OBJECT_CHAIN, (pl_vec3){-0.2f, 0.2f, 0.1f}, &p->object[p->objects++]));
    add_grains(p);
}

static void save_and_load(twin *p)
{
    void *data;
    size_t size;
    pl_world_def def = def_of();
    good(pl_world_save_memory(p->w, &data, &size));
    pl_world_destroy(p->w);
    good(pl_world_load_memory(&def, data, size, &p->w));
    pl_free(data);
}

static int play_twins(uint64_t seed, int count)
{
    twin one, other;
    char done[1024] = "";
    uint64_t when = 31 * seed + 7;
    open_twin(&one, seed);
    open_twin(&other, seed);
    bool same = true;
    for (int i = 0; i < count && same; i++)
    {
        int which = i % 3 ? roll(&one, sizeof edits / sizeof *edits) : 0;
        other.seed = one.seed;
        edits[which].edit(&one);
        edits[which].edit(&other);
        bool save = seed % 2 == 0 || dice(&when) < 0.0f;
        snprintf(done + strlen(done), sizeof done - strlen(done), " %s%s", edits[which].name, save ? "*" : "");
        same = pl_world_hash(one.w) == pl_world_hash(other.w);
        if (save)
            save_and_load(&other);
        same &= pl_world_hash(one.w) == pl_world_hash(other.w);
    }
    if (!same)
        print_error("seed %llu: saved at the stars, the bits are others after%s\n", (unsigned long long)seed, done);
    pl_world_destroy(one.w);
    pl_world_destroy(other.w);
    return !same;
}

static void saving_changes_nothing(void **state)
{
    (void)state;
    int wrong = 0, seeds = is_long() ? 200 : 8;
    for (int seed = 1; seed <= seeds; seed++)
        wrong += play_twins((uint64_t)seed, 60);
    if (wrong)
        fail_msg("%d of %d sequences of edits have other bits when the world is saved and loaded", wrong, seeds);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(saving_changes_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
