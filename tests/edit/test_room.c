// test_room.c: edits at the edges of the room that there is for them: none is written past, none is taken for nothing, and what fails is whole.
#include "edit/edits.h"

#include "model/backend.h"

static pl_world_def def_of(void)
{
    pl_world_def def = pl_default_world_def();
    def.threads = 1, def.lanes = 8;
    def.settings.substeps = 2;
    def.settings.internal_damping = 0.5f;
    return def;
}

static void add_cloth(pl_world *w, int side)
{
    pl_cloth_def c = pl_default_cloth_def();
    c.columns = c.rows = side;
    c.stretch.compliance = c.shear.compliance = 1e-5f;
    good(pl_add_cloth(w, &c, NULL));
}

// Many links to one particle, which are solved the Jacobi way.
static pl_world *hub(pl_id *object, pl_id *block)
{
    enum
    {
        SPOKES = 200,
    };
    pl_world_def def = def_of();
    pl_world *w;
    float x[3 * (SPOKES + 1)] = {0};
    int32_t index[2 * SPOKES];
    uint64_t seed = 5;
    for (int i = 0; i < SPOKES; i++)
    {
        for (int k = 0; k < 3; k++)
            x[3 * (i + 1) + k] = dice(&seed);
        index[2 * i] = 0, index[2 * i + 1] = i + 1;
    }
    pl_particles_def p = pl_default_particles_def();
    p.count = SPOKES + 1, p.position = x, p.mass_each = 0.1f;
    good(pl_world_create(&def, &w));
    good(pl_add_particles(w, &p, object));
    *block = add_rows(w, PL_KIND_DISTANCE, SPOKES, index, NULL, 1e-3f);
    return w;
}

static void *count_resize(void *user, void *block, size_t old_size, size_t new_size)
{
    (void)old_size;
    ++*(int *)user;
    if (new_size)
        return realloc(block, new_size);
    free(block);
    return NULL;
}

// Where there is room, what comes and goes takes no memory.
static void no_memory_where_there_is_room(void **state)
{
    (void)state;
    int calls = 0, before = 0;
    pl_world_def def = def_of();
    pl_world *w;
    def.allocator = (pl_allocator){count_resize, &calls};
    good(pl_world_create(&def, &w));
    pl_rope_def rope = pl_default_rope_def();
    rope.segments = 40;
    good(pl_add_rope(w, &rope, NULL));
    for (int round = 0; round < 20; round++)
    {
        pl_id one, link;
        int number = 0, count;
        good(pl_world_step(w, 1.0f / 60.0f));
        add_one(w, 0.1f * (float)round, 1.0f, 0.0f, 0.1f, &one);
        good(pl_object_range(w, one, &number, &count));
        link = add_rows(w, PL_KIND_DISTANCE, 1, (int32_t[]){5, number}, NULL, 1e-3f);
        good(pl_world_step(w, 1.0f / 60.0f));
        good(pl_remove(w, round % 2 ? link : one)); // a link goes with its particle
        if (round % 2)
            good(pl_remove(w, one));
        before = round == 3 ? calls : before;
    }
    assert_int_equal(calls, before);
    pl_world_destroy(w);
}

static pl_result no_read(pl_world *w, int array)
{
    (void)w, (void)array;
    return fail(PL_ERROR_MEMORY, "reading was made to fail");
}

// Where rows of a hub go, multipliers have to come home from a device; if they cannot, nothing has gone.
static void a_removal_that_fails_takes_nothing(void **state)
{
    (void)state;
    pl_id object, block;
    pl_world *w = hub(&object, &block);
    good(pl_world_step(w, 1.0f / 60.0f));
    add_one(w, 0.0f, 1.0f, 0.0f, 0.1f, NULL); // from now on there is room
    good(pl_world_step(w, 1.0f / 60.0f));
    const backend *sound = w->backend;
    backend broken = *sound;
    broken.read = no_read;
    rows *r = &w->rows[PL_KIND_DISTANCE];
    uint8_t *colour = malloc((size_t)r->count);
    memcpy(colour, r->colour, (size_t)r->count);
    assert_int_equal(pl_world_order(w).jacobi, 200);
    for (int whole_object = 0; whole_object < 2; whole_object++)
    {
        int64_t count = r->count;
        w->backend = &broken;
        w->device_newer = ALL_ARRAYS;
        assert_int_equal(pl_remove(w, whole_object ? object : block), PL_ERROR_MEMORY);
        assert_int_equal(r->count, count);
        assert_memory_equal(r->colour, colour, (size_t)count);
        w->backend = sound;
        w->device_newer = 0;
        check_packing(w);
    }
    good(pl_remove(w, block));
    check_packing(w);
    assert_int_equal(pl_world_order(w).jacobi, 0);
    good(pl_world_step(w, 1.0f / 60.0f));
    free(colour);
    pl_world_destroy(w);
}

// What is told of the order is what is packed.
static void order_is_told_as_it_is(void **state)
{
    (void)state;
    pl_world_def def = def_of();
    pl_world *w;
    good(pl_world_create(&def, &w));
    add_cloth(w, 257);
    good(pl_world_step(w, 1.0f / 60.0f));
    int64_t seams = pl_world_order(w).seams;
    assert_true(seams > 0);
    for (int i = 0; i < 3; i++)
    {
        pl_id link = add_rows(w, PL_KIND_DISTANCE, 1, (int32_t[]){5, 60000}, NULL, 1e-3f);
        assert_int_equal(pl_world_order(w).seams, seams + 1);
        good(pl_remove(w, link));
        assert_int_equal(pl_world_order(w).seams, seams);
    }
    pl_world_destroy(w);
}

// An emitter: a grain comes each frame, somewhere, and every 64th the grains change places. Nobody reads which object has which slots until
// damping does, and then there may be more objects than the room was made for.
static uint64_t emit(bool anew)
{
    pl_world_def def = def_of();
    pl_world *w;
    uint64_t seed = 3, hash = 0;
    def.settings.internal_damping = 0.0f;
    good(pl_world_create(&def, &w));
    for (int f = 0; f < 140; f++)
    {
        float x[3] = {4.0f * dice(&seed), 4.0f * dice(&seed), 4.0f * dice(&seed)};
        int grain = add_one(w, x[0], x[1], x[2], 0.1f, NULL);
        good(pl_set(w, PL_ATTRIBUTE_RADIUS, grain, 1, &(float){0.05f}));
        if (anew)
            good(unpack_all(w, false, false));
        good(pl_world_step(w, 1.0f / 60.0f));
        check_objects(w);
        hash = 31 * hash + pl_world_hash(w);
    }
    def.settings.internal_damping = 0.5f;
    good(pl_world_set_settings(w, &def.settings));
    check_packing(w);
    assert_false(w->objects_stale);
    good(pl_world_step(w, 1.0f / 60.0f));
    hash = 31 * hash + pl_world_hash(w);
    pl_world_destroy(w);
    return hash;
}

static void lists_that_nobody_reads(void **state)
{
    (void)state;
    assert_true(emit(false) == emit(true));
}

// A blade for all: what comes new belongs to the object it is in.
static void a_blade_through_all_keeps_owners(void **state)
{
    (void)state;
    const pl_blade blade = {{0.52f, -1.0f, -1.0f}, {0.0f, 2.0f, 0.0f}, {0.0f, 0.0f, 3.0f}};
    pl_world_def def = def_of();
    pl_bar_def bar = pl_default_bar_def();
    pl_world *w;
    int seen[2] = {0};
    good(pl_world_create(&def, &w));
    for (int i = 0; i < 2; i++)
    {
        add_cloth(w, 21);
        good(pl_add_bar(w, &bar, NULL));
    }
    good(pl_world_step(w, 1.0f / 60.0f));
    int64_t before = w->entry_count;
    good(pl_cut(w, (pl_id){0, 0}, &blade, NULL));
    for (int64_t i = before; i < w->entry_count; i++)
    {
        const id_entry *t = &w->entries[i];
        bool rows = t->type == ID_ROWS;
        if (!rows && t->type != ID_FACES)
            continue;
        int points = rows ? facts_of(t->kind)->info.arity : 3;
        const int32_t *index = rows ? w->rows[t->kind].index : w->faces.index;
        for (int64_t k = (int64_t)t->first * points; k < ((int64_t)t->first + t->count) * points; k++)
            assert_int_equal(object_at(w, index[k]), t->owner);
        seen[rows]++;
    }
    assert_true(seen[0] >= 2 && seen[1] >= 4);
    pl_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_memory_where_there_is_room),    cmocka_unit_test(a_removal_that_fails_takes_nothing),
        cmocka_unit_test(order_is_told_as_it_is),           cmocka_unit_test(lists_that_nobody_reads),
        cmocka_unit_test(a_blade_through_all_keeps_owners),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
