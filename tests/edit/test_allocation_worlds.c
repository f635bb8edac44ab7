// test_allocation_worlds.c: the allocator fails at its n-th call, in every call of the API that allocates, in worlds of every kind
// (tests/worlds): the call fails with PL_ERROR_MEMORY and has changed nothing; made once more it succeeds, and what follows has the
// bits of a world in which nothing failed. Nothing leaks. A step that fails after its frame is completed by the next one, to the
// same bits. One that fails in the middle of its frame, in a search for contacts, has its start's positions and velocities, but
// contacts begin anew.
// long: too
#include "support/faulty.h"
#include "support/long.h"
#include "worlds/worlds.h"

enum
{
    AFTER = 2,        // frames after the call
    SHORT_TRIES = 12, // positions of a call in a short test
};

typedef struct place
{
    pl_world *w;
    const pl_scene *scene;
    pl_id object;      // one of the world's
    int particle;      // one of that object
    const void *saved; // an earlier snapshot
    size_t size;
} place;

typedef pl_result call(place *p);

static pl_result step_on(place *p) { return pl_world_step(p->w, pl_scene_describe(p->scene).dt); }

static pl_result cut_all(place *p)
{
    const pl_blade blade = {{-20.0f, 0.7f, 0.33f}, {40.0f, 0.0f, 0.0f}, {0.0f, 0.9f, 0.1f}};
    return pl_cut(p->w, (pl_id){0, 0}, &blade, NULL);
}

static pl_result cut_across(place *p)
{
    const pl_blade blade = {{2.47f, -5.0f, -5.0f}, {0.0f, 10.0f, 0.0f}, {0.0f, 0.0f, 10.0f}};
    return pl_cut(p->w, (pl_id){0, 0}, &blade, NULL);
}

static pl_result add_cloth(place *p)
{
    pl_cloth_def d = pl_default_cloth_def();
    const int32_t pinned[1] = {0};
    d.columns = d.rows = 5, d.origin = (pl_vec3){0.0f, 3.0f, 0.0f}, d.thickness = 0.05f,
    d.bending = PL_BENDING_DIHEDRAL;
    d.pinned = pinned, d.pinned_count = 1, d.tethers = true;
    return pl_add_cloth(p->w, &d, NULL);
}

static pl_result add_rope(place *p)
{
    pl_rope_def d = pl_default_rope_def();
    d.segments = 9, d.from = (pl_vec3){0.0f, 4.0f, 0.0f}, d.to = (pl_vec3){1.0f, 4.0f, 0.0f};
    return pl_add_rope(p->w, &d, NULL);
}

static pl_result add_bar(place *p)
{
    pl_bar_def d = pl_default_bar_def();
    d.cells[0] = d.cells[1] = d.cells[2] = 2, d.origin = (pl_vec3){-3.0f, 4.0f, 0.0f};
    return pl_add_bar(p->w, &d, NULL);
}

static pl_result add_rigid(place *p)
{
    pl_rigid_def d = pl_default_rigid_def();
    pl_rigid_shape s = pl_default_rigid_shape();
    d.shapes = &s, d.shape_count = 1, d.position = (pl_vec3){-2.0f, 3.0f, 0.0f};
    return pl_add_rigid(p->w, &d, NULL);
}

static pl_result add_joint(place *p)
{
    pl_joint_def d = pl_default_joint_def();
    pl_joint joint;
    int first, count;
    pl_rigid_def body = pl_default_rigid_def();
    if (pl_object_range(p->w, p->object, &first, &count) != PL_OK || pl_get_rigid(p->w, p->object, &body) != PL_OK)
        return PL_OK; // no body
    d.kind = PL_JOINT_HINGE, d.a = p->object, d.point = body.position, d.axis = (pl_vec3){0.0f, 0.0f, 1.0f};
    d.twist.limited = true, d.twist.low = -1.0f, d.twist.high = 1.0f;
    return pl_add_joint(p->w, &d, &joint);
}

static pl_result add_ragdoll(place *p)
{
    pl_ragdoll_def d = pl_default_ragdoll_def();
    pl_ragdoll doll;
    d.position = (pl_vec3){-5.0f, 3.0f, 0.0f};
    return pl_add_ragdoll(p->w, &d, &doll);
}

static pl_result add_fluid(place *p)
{
    pl_fluid_def d = pl_default_fluid_def();
    d.spacing = 0.1f, d.origin = (pl_vec3){-6.0f, 1.0f, 0.0f}, d.size = (pl_vec3){0.3f, 0.3f, 0.3f};
    return pl_add_fluid(p->w, &d, NULL);
}

static pl_result add_emitter(place *p)
{
    pl_emitter_def d = pl_default_emitter_def();
    d.fluid.spacing = 0.1f, d.position = (pl_vec3){-7.0f, 1.0f, 0.0f}, d.size[0] = 0.12f, d.speed = 1.0f,
    d.capacity = 200;
    return pl_add_emitter(p->w, &d, NULL);
}

static pl_result add_drain(place *p)
{
    pl_drain_def d = pl_default_drain_def();
    return pl_add_drain(p->w, &d, NULL);
}

static pl_result add_shape(place *p)
{
    static const float corners[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    static const int32_t triangles[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    pl_shape_def d = pl_default_shape_def();
    d.kind = PL_SHAPE_MESH, d.vertices = corners, d.vertex_count = 4, d.triangles = triangles, d.triangle_count = 4;
    d.position = (pl_vec3){0.0f, -9.0f, 0.0f};
    return pl_add_shape(p->w, &d, NULL);
}

static pl_result add_jelly(place *p)
{
    static float corners[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    static int32_t triangles[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    const pl_mesh mesh = {.vertices = corners, .vertex_count = 4, .triangles = triangles, .triangle_count = 4};
    pl_body_def d = pl_default_body_def();
    d.mesh = &mesh, d.spacing = 0.15f, d.position = (pl_vec3){0.0f, 6.0f, 0.0f};
    return pl_add_body(p->w, &d, NULL);
}

static pl_result add_field(place *p)
{
    return pl_add_field(p->w, &(pl_field){.kind = PL_FIELD_UNIFORM, .vector = {1, 0, 0}}, NULL);
}

static pl_result add_particles(place *p)
{
    const float at[6] = {0.0f, 7.0f, 0.0f, 1.0f, 7.0f, 0.0f};
    pl_particles_def d = pl_default_particles_def();
    d.count = 2, d.position = at;
    return pl_add_particles(p->w, &d, NULL);
}

static pl_result orient_one(place *p)
{
    const float at[3] = {3.0f, 7.0f, 0.0f};
    pl_oriented_def d = pl_default_oriented_def();
    d.count = 1, d.position = at;
    return pl_add_oriented(p->w, &d, NULL);
}

static pl_result drag(place *p) { return pl_drag_begin(p->w, p->particle, 1e-3f, &(pl_id){0, 0}); }
static pl_result remove_one(place *p) { return pl_remove(p->w, p->object); }
static pl_result shift(place *p) { return pl_world_shift_origin(p->w, (pl_vec3){10.0f, 0.0f, -5.0f}); }
static pl_result restore(place *p) { return pl_world_restore(p->w, p->saved, p->size); }
static pl_result more_workers(place *p) { return pl_world_set_workers(p->w, 3, 0); }

static pl_result more_substeps(place *p)
{
    pl_settings s = pl_world_settings(p->w);
    s.substeps += 3, s.iterations += 1, s.integrator = PL_INTEGRATOR_BDF2;
    return pl_world_set_settings(p->w, &s);
}

static pl_result other_solver(place *p)
{
    pl_settings s = pl_world_settings(p->w);
    s.solver = PL_SOLVER_CHEBYSHEV;
    return pl_world_set_settings(p->w, &s);
}

static pl_result heavier(place *p)
{
    const float mass = 3.0f;
    return pl_set(p->w, PL_ATTRIBUTE_MASS, p->particle, 1, &mass);
}

static pl_result larger(place *p)
{
    const float radius = 0.07f;
    return pl_set(p->w, PL_ATTRIBUTE_RADIUS, p->particle, 1, &radius);
}

static pl_result new_material(place *p)
{
    pl_material m = pl_default_material();
    int number;
    m.restitution = 0.5f;
    return pl_add_material(p->w, &m, &number);
}

static pl_result watch(place *p)
{
    pl_watch_def d = pl_default_watch_def();
    return pl_watch_contacts(p->w, &d);
}

static pl_result pieces(place *p)
{
    int count;
    pl_result result = pl_count_pieces(p->w, p->object, &count);
    return result == PL_ERROR_MEMORY ? result : PL_OK;
}

static pl_result cast(place *p)
{
    pl_cast_def d = pl_default_cast_def();
    pl_hit hit;
    d.origin = (pl_vec3){0.0f, 5.0f, 0.0f}, d.direction = (pl_vec3){0.0f, -1.0f, 0.0f}, d.distance = 10.0f;
    return pl_cast(p->w, &d, &hit);
}

static pl_result probe(place *p)
{
    pl_fluid_probe out;
    return pl_probe_fluid(p->w, (pl_vec3){0.0f, 0.1f, 0.0f}, &out);
}

static const struct
{
    const char *name;
    call *call;
} calls[] = {
    {"step", step_on},
    {"cut all", cut_all},
    {"cut across", cut_across},
    {"cloth", add_cloth},
    {"rope", add_rope},
    {"bar", add_bar},
    {"rigid", add_rigid},
    {"joint", add_joint},
    {"ragdoll", add_ragdoll},
    {"fluid", add_fluid},
    {"emitter", add_emitter},
    {"drain", add_drain},
    {"shape", add_shape},
    {"jelly", add_jelly},
    {"field", add_field},
    {"particles", add_particles},
    {"oriented", orient_one},
    {"drag", drag},
    {"remove", remove_one},
    {"shift the origin", shift},
    {"restore", restore},
    {"workers", more_workers},
    {"substeps", more_substeps},
    {"solver", other_solver},
    {"mass", heavier},
    {"radius", larger},
    {"material", new_material},
    {"watch", watch},
    {"pieces", pieces},
    {"cast", cast},
    {"probe", probe},
};

enum
{
    CALLS = sizeof calls / sizeof *calls
};

typedef struct world_under_test
{
    int which, age;
    pl_scene *scene;
    void *saved;
    size_t size;
} world_under_test;

static place make_place(const world_under_test *t, faulty *f)
{
    place p = {.scene = t->scene, .saved = t->saved, .size = t->size};
    pl_world_def def = small_def(1, 1);
    def.allocator = (pl_allocator){faulty_resize, f};
    good(small_world_make(t->scene, &def, t->age, &p.w));
    p.particle = pl_particle_end(p.w) / 3;
    p.object = pl_object_of_particle(p.w, p.particle);
    return p;
}

static uint64_t play_on(place *p)
{
    for (int i = 0; i < AFTER; i++)
    {
        pl_result result = small_world_play(p->scene, p->w, 1);
        if (result != PL_ERROR_DIVERGED)
            good(result);
    }
    return pl_world_hash(p->w);
}

typedef struct tally
{
    int64_t positions, changed, other;
    int64_t began_anew; // steps that failed in the middle of their frame
} tally;

// Lets the n-th allocation of a call fail. Returns false if the call makes fewer.
static bool try_position(const world_under_test *t, int c, int64_t n, pl_result whole, uint64_t hash, tally *sum)
{
    faulty f = {0};
    place p = make_place(t, &f);
    picture before = picture_of(p.w);
    uint64_t was = pl_world_hash(p.w);
    int64_t first = f.calls, frame = pl_world_frame(p.w);
    f.fail_at = first + n;
    pl_result result = calls[c].call(&p);
    bool reached = f.calls >= first + n;
    f.fail_at = 0;
    if (reached)
    {
        sum->positions++;
        if (result != PL_ERROR_MEMORY && result != whole)
            fail_msg("%s, %s: allocation %lld failed, and the result is %s: %s", small_worlds[t->which], calls[c].name,
                     (long long)n, pl_result_name(result), pl_error_message());
        bool finished = pl_world_frame(p.w) > frame; // its frame has succeeded, only the work after it has not
        bool same = pl_world_hash(p.w) == was || (calls[c].call == step_on && finished);
        if (result == PL_ERROR_MEMORY && calls[c].call != step_on && calls[c].call != pieces)
        {
            picture now = picture_of(p.w);
            same = same && now.size == before.size && memcmp(now.data, before.data, now.size) == 0;
            pl_free(now.data);
        }
        if (result == PL_ERROR_MEMORY && !same)
        {
            sum->changed++;
            print_error("%s after %d frames, %s: allocation %lld failed and changed the world\n",
                        small_worlds[t->which], t->age, calls[c].name, (long long)n);
        }
        if (result == PL_ERROR_MEMORY)
            result = calls[c].call(&p);
        if (result != whole)
            fail_msg("%s, %s: after allocation %lld failed, the second call gives %s: %s", small_worlds[t->which],
                     calls[c].name, (long long)n, pl_result_name(result), pl_error_message());
        bool other = play_on(&p) != hash;
        if (other && calls[c].call == step_on && !finished)
            sum->began_anew++;
        else if (other)
        {
            sum->other++;
            print_error("%s after %d frames, %s: allocation %lld failed; what follows has other bits\n",
                        small_worlds[t->which], t->age, calls[c].name, (long long)n);
        }
    }
    pl_free(before.data);
    pl_world_destroy(p.w);
    assert_int_equal(f.blocks, 0);
    assert_int_equal(f.bytes, 0);
    return reached;
}

// Every position; in a short test about SHORT_TRIES of them.
static void try_call(const world_under_test *t, int c, tally *sum)
{
    faulty f = {0};
    place p = make_place(t, &f);
    int64_t first = f.calls;
    pl_free(picture_of(p.w).data); // as the others do
    first = f.calls;
    pl_result whole = calls[c].call(&p);
    int64_t positions = f.calls - first;
    uint64_t hash = play_on(&p);
    pl_world_destroy(p.w);
    int64_t stride = is_long() || positions <= SHORT_TRIES ? 1 : (positions + SHORT_TRIES - 1) / SHORT_TRIES;
    for (int64_t n = 1 + (stride > 1 ? c % stride : 0); n <= positions; n += stride)
        try_position(t, c, n, whole, hash, sum);
}

static void every_call_in_every_world(void **state)
{
    (void)state;
    static const int ages[] = {0, 1, 4};
    tally sum = {0};
    for (int which = 0; which < SMALL_WORLDS; which++)
        for (int a = 0; a < 3; a++)
        {
            world_under_test t = {.which = which, .age = ages[a]};
            pl_world_def def = small_def(1, 1);
            pl_world *w = NULL;
            good(small_world_scene(which, &t.scene));
            good(small_world_make(t.scene, &def, 2, &w));
            good(pl_world_save_memory(w, &t.saved, &t.size));
            pl_world_destroy(w);
            for (int c = 0; c < CALLS; c++)
                try_call(&t, c, &sum);
            pl_free(t.saved);
            pl_scene_free(t.scene);
        }
    print_message(
        "%lld allocations failed, %lld of them changed the world, %lld what follows; after %lld contacts began "
        "anew\n",
        (long long)sum.positions, (long long)sum.changed, (long long)sum.other, (long long)sum.began_anew);
    assert_true(sum.positions > 500);
    assert_int_equal(sum.changed, 0);
    assert_int_equal(sum.other, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_call_in_every_world)};
    return cmocka_run_group_tests_name("allocation_worlds", tests, NULL, NULL);
}
