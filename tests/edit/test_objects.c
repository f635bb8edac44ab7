// test_objects.c: objects that come whole to a world that runs. Nobody else's slot or colour changes, what is refused leaves no trace, and
// the object moves as it would have if everything had been ordered anew.
#include "support/faulty.h"
#include "model/backend.h"
#include "edit/edits.h"
#include "edit/objects.h"

static pl_world_def def_of(void)
{
    pl_world_def def = pl_default_world_def();
    def.threads = 1, def.lanes = 8;
    def.settings.substeps = 4;
    def.settings.internal_damping = 0.2f;
    def.settings.wind = (pl_wind){{3.0f, 0.0f, 1.0f}, 0.5f, 0.3f, 1.2f};
    return def;
}

// A cloth that may break, a metal bar, a block of grains on a floor, and gaps where something has been: edits have come already.
static pl_world *busy_world(const pl_world_def *def)
{
    pl_world *w;
    pl_id gap;
    pl_cloth_def cloth = pl_default_cloth_def();
    pl_shape_def floor = pl_default_shape_def();
    const int32_t corners[2] = {0, 11};
    cloth.columns = cloth.rows = 12;
    cloth.pinned = corners, cloth.pinned_count = 2;
    cloth.tethers = true;
    cloth.bending = PL_BENDING_DIHEDRAL;
    cloth.bend.compliance = 1e-2f;
    cloth.strength = 50.0f;
    floor.kind = PL_SHAPE_PLANE;
    floor.position.y = -1.5f;
    good(pl_world_create(def, &w));
    good(pl_add_cloth(w, &cloth, NULL));
    good(make_object(w, OBJECT_ROPE, (pl_vec3){3.0f, 0.0f, 0.0f}, &gap));
    good(make_object(w, OBJECT_BAR_METAL, (pl_vec3){5.0f, 0.0f, 0.0f}, NULL));
    good(pl_add_shape(w, &floor, NULL));
    for (int i = 0; i < 20; i++)
    {
        int grain = add_one(w, 0.09f * (float)(i % 5), -1.4f + 0.09f * (float)(i / 5), 8.0f, 0.1f, NULL);
        good(pl_set(w, PL_ATTRIBUTE_RADIUS, grain, 1, &(float){0.05f}));
    }
    play(w, 3);
    good(pl_remove(w, gap));
    play(w, 2);
    return w;
}

typedef struct snapshot
{
    int32_t *slot, end;
    uint8_t *colour[PL_KIND_COUNT];
    int64_t rows[PL_KIND_COUNT];
} snapshot;

static snapshot look_at(const pl_world *w)
{
    snapshot s = {.end = w->numbers.end};
    s.slot = malloc((size_t)s.end * sizeof *s.slot);
    memcpy(s.slot, w->numbers.slot_of, (size_t)s.end * sizeof *s.slot);
    for (int kind = 0; kind < PL_KIND_COUNT; kind++)
    {
        s.rows[kind] = w->rows[kind].count;
        s.colour[kind] = malloc((size_t)s.rows[kind] + 1);
        if (s.rows[kind])
            memcpy(s.colour[kind], w->rows[kind].colour, (size_t)s.rows[kind]);
    }
    return s;
}

static void stays(const pl_world *w, snapshot *s, const char *what)
{
    for (int32_t i = 0; i < s->end; i++)
        if (s->slot[i] >= 0 && s->slot[i] != w->numbers.slot_of[i])
            fail_msg("%s: particle %d was in slot %d and is in %d", what, i, s->slot[i], w->numbers.slot_of[i]);
    for (int kind = 0; kind < PL_KIND_COUNT; kind++)
    {
        if (s->rows[kind] && memcmp(s->colour[kind], w->rows[kind].colour, (size_t)s->rows[kind]))
            fail_msg("%s: some %s has another colour", what, facts_of(kind)->info.name);
        free(s->colour[kind]);
    }
    free(s->slot);
}

static void nobody_else_moves(void **state)
{
    (void)state;
    pl_world_def def = def_of();
    for (int sort = 0; sort < OBJECT_SORTS; sort++)
    {
        pl_world *w = busy_world(&def);
        pl_id id[3];
        good(pl_world_step(w, 1.0f / 60.0f));
        for (int i = 0; i < 3; i++)
        {
            snapshot s = look_at(w);
            good(make_object(w, sort, (pl_vec3){-2.0f * (float)i, 1.0f, -3.0f}, &id[i]));
            // Rooms have the right size from the second on; groups are packed anew, and nobody else is.
            if (i == 2)
                assert_false(w->order_stale);
            if (i == 2 && sort > OBJECT_SOFT)
                assert_true(w->groups_stale);
            stays(w, &s, "added");
            check_packing(w);
            play(w, 2);
        }
        snapshot s = look_at(w);
        int32_t used = w->used;
        good(pl_remove(w, id[1]));
        good(make_object(w, sort, (pl_vec3){-2.0f, 1.5f, -3.0f}, NULL)); // where the other was
        assert_int_equal(w->used, used);
        stays(w, &s, "replaced");
        check_packing(w);
        play(w, 2);
        pl_world_destroy(w);
    }
}

// The n-th call for memory fails, for every n, in the midst of the world's life; and it lives on as if nobody had asked.
static void refused_for_want_of_memory(void **state)
{
    (void)state;
    for (int sort = 0; sort < OBJECT_SORTS; sort++)
    {
        faulty f = {0};
        pl_world_def def = def_of(), plain = def_of();
        def.allocator = (pl_allocator){faulty_resize, &f};
        pl_world *w = busy_world(&def), *particle_copy = busy_world(&plain);
        int failures = 0;
        for (int round = 0; round < 3; round++)
        {
            pl_result result = PL_ERROR_MEMORY;
            for (int64_t n = 1; result != PL_OK; n++)
            {
                picture before = picture_of(w);
                f.fail_at = f.calls + n;
                result = make_object(w, sort, (pl_vec3){0.1f, -1.0f, 8.0f}, NULL);
                f.fail_at = 0;
                failures += result != PL_OK;
                if (result != PL_OK)
                {
                    assert_int_equal(result, PL_ERROR_MEMORY);
                    same_picture(&before, w, "an object that was refused");
                    check_packing(w);
                    if (n % 4 == 3) // what it left behind, if anything, shows in a step
                    {
                        good(pl_world_step(w, 1.0f / 60.0f));
                        good(pl_world_step(particle_copy, 1.0f / 60.0f));
                        assert_true(pl_world_hash(w) == pl_world_hash(particle_copy));
                    }
                }
                pl_free(before.data);
            }
            good(make_object(particle_copy, sort, (pl_vec3){0.1f, -1.0f, 8.0f}, NULL));
            for (int i = 0; i < 3; i++)
            {
                good(pl_world_step(w, 1.0f / 60.0f));
                good(pl_world_step(particle_copy, 1.0f / 60.0f));
                assert_true(pl_world_hash(w) == pl_world_hash(particle_copy));
            }
        }
        assert_true(failures > 3);
        pl_world_destroy(w);
        pl_world_destroy(particle_copy);
        assert_int_equal(f.blocks, 0);
    }
}

// A part that is no good comes late: all of them have been put in by then.
static void refused_for_what_it_is(void **state)
{
    (void)state;
    pl_world_def def = def_of();
    pl_world *w = busy_world(&def);
    picture before = picture_of(w);
    pl_cloth_def cloth = pl_default_cloth_def();
    cloth.drag = -1.0f;
    refused(pl_add_cloth(w, &cloth, NULL), PL_ERROR_ARGUMENT, "drag");
    same_picture(&before, w, "a cloth of no drag");
    pl_rope_def rope = pl_default_rope_def();
    rope.bending = true;
    rope.strength = 2.0f;
    rope.bend.compliance = -1.0f;
    refused(pl_add_rope(w, &rope, NULL), PL_ERROR_ARGUMENT, "compliance");
    same_picture(&before, w, "a rope of no bending");
    check_packing(w);
    const pl_vec3 at[3] = {{0.0f, 2.0f, 0.0f}, {1.0f, 2.0f, 0.0f}, {NAN, 2.0f, 0.0f}};
    pl_mesh_def form = pl_default_mesh_def();
    pl_mesh mesh = {0};
    pl_body_def body = pl_default_body_def();
    pl_id ids[3];
    form.shape = "box";
    form.size = (pl_vec3){0.4f, 0.4f, 0.4f};
    good(pl_mesh_make(&form, &mesh));
    body.mesh = &mesh;
    body.spacing = 0.1f;
    refused(pl_add_body_copies(w, &body, 3, at, ids), PL_ERROR_ARGUMENT, "");
    same_picture(&before, w, "copies of which one is nowhere");
    check_packing(w);
    pl_mesh_free(&mesh);
    pl_free(before.data);
    pl_world_destroy(w);
}

static pl_result no_read(pl_world *w, int array)
{
    (void)w, (void)array;
    return fail(PL_ERROR_MEMORY, "reading was made to fail");
}

// What is on a device does not come home.
static void refused_by_a_device(void **state)
{
    (void)state;
    pl_world_def def = def_of();
    for (int sort = 0; sort < OBJECT_SORTS; sort++)
    {
        pl_world *w = busy_world(&def);
        picture before = picture_of(w);
        const backend *sound = w->backend;
        backend broken = *sound;
        broken.read = no_read;
        w->backend = &broken;
        w->device_newer = ALL_ARRAYS & ~ARRAY_BIT(ARRAY_CONTACTS);
        bool reads = sort != OBJECT_WATER; // particles alone: nothing has to come home
        assert_int_equal(make_object(w, sort, (pl_vec3){0.0f, 1.0f, 3.0f}, NULL), reads ? PL_ERROR_MEMORY : PL_OK);
        w->backend = sound;
        w->device_newer = 0;
        if (reads)
            same_picture(&before, w, "an object that a device refused");
        check_packing(w);
        good(make_object(w, sort, (pl_vec3){0.0f, 1.0f, 3.0f}, NULL));
        check_packing(w);
        play(w, 2);
        pl_free(before.data);
        pl_world_destroy(w);
    }
}

// ---- the same physics ----------------------------------------------------------------------------------------------

// Where a pinned object's centre is after a second, and the energy of all: put in place, or ordered and coloured anew with all others.
static void swing(int sort, bool anew, double *centre, double *energy)
{
    pl_world_def def = def_of();
    pl_id id;
    int first, count;
    float x[3 * 512];
    def.settings.substeps = 20;
    pl_world *w = busy_world(&def);
    good(make_object(w, sort, (pl_vec3){-4.0f, 2.0f, -3.0f}, &id));
    if (anew)
        good(unpack_all(w, true, true));
    play(w, 60);
    good(pl_object_range(w, id, &first, &count));
    assert_in_range(count, 1, 512);
    good(pl_get(w, PL_ATTRIBUTE_POSITION, first, count, x));
    for (int c = 0; c < 3; c++)
        centre[c] = 0.0;
    for (int i = 0; i < 3 * count; i++)
        centre[i % 3] += (double)x[i] / count;
    pl_energy e = pl_world_energy(w);
    *energy = e.kinetic + e.potential;
    pl_world_destroy(w);
}

static void same_physics(void **state)
{
    (void)state;
    static const int sorts[] = {OBJECT_ROPE, OBJECT_CLOTH, OBJECT_BAR, OBJECT_SOFT, OBJECT_RIGID};
    for (size_t k = 0; k < sizeof sorts / sizeof *sorts; k++)
    {
        double centre[2][3], energy[2];
        for (int anew = 0; anew < 2; anew++)
            swing(sorts[k], anew, centre[anew], &energy[anew]);
        for (int c = 0; c < 3; c++)
            near_to("the object's centre", centre[0][c], centre[1][c], 5e-3);
        near_to("the energy", energy[0], energy[1], 2e-3 * fabs(energy[1]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nobody_else_moves),      cmocka_unit_test(refused_for_want_of_memory),
        cmocka_unit_test(refused_for_what_it_is), cmocka_unit_test(refused_by_a_device),
        cmocka_unit_test(same_physics),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
