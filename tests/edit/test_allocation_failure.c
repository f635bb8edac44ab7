// The allocator fails at its n-th call, for every n: always PL_ERROR_MEMORY, no leak, and the world goes on.
#include "support/faulty.h"

typedef struct story
{
    faulty f;
    int failures;
} story;

// Runs a call until it succeeds; each failure must be one of memory and must leave the world as it was.
#define TRY(world, call)                                                                                               \
    do                                                                                                                 \
    {                                                                                                                  \
        picture before = picture_of(world);                                                                            \
        pl_result result = (call);                                                                                     \
        if (result == PL_ERROR_MEMORY)                                                                                 \
        {                                                                                                              \
            s->failures++;                                                                                             \
            same_picture(&before, world, #call);                                                                       \
            result = (call);                                                                                           \
        }                                                                                                              \
        pl_free(before.data);                                                                                          \
        good(result);                                                                                                  \
    }                                                                                                                  \
    while (0)

static pl_world *create(story *s)
{
    pl_world_def def = small_def(2, 1);
    pl_world *w;
    def.threads = 2;
    def.allocator = (pl_allocator){faulty_resize, &s->f};
    pl_result result = pl_world_create(&def, &w);
    if (result == PL_ERROR_MEMORY)
    {
        s->failures++;
        assert_null(w);
        assert_int_equal(s->f.blocks, 0);
        result = pl_world_create(&def, &w);
    }
    good(result);
    return w;
}

// A step that lacks memory has not begun: hash and time stay, and its bytes may only have been put in order.
static void step(story *s, pl_world *w)
{
    uint64_t hash = pl_world_hash(w);
    double time = pl_world_time(w);
    pl_result result = pl_world_step(w, 1.0f / 60.0f);
    if (result == PL_ERROR_MEMORY)
    {
        s->failures++;
        assert_true(hash == pl_world_hash(w));
        assert_true(time == pl_world_time(w));
        result = pl_world_step(w, 1.0f / 60.0f);
    }
    good(result);
}

static pl_world *reload(story *s, pl_world *w)
{
    picture p = picture_of(w);
    pl_world_def def = small_def(1, 1);
    pl_world *loaded;
    def.allocator = (pl_allocator){faulty_resize, &s->f};
    int64_t blocks = s->f.blocks;
    pl_result result = pl_world_load_memory(&def, p.data, p.size, &loaded);
    if (result != PL_OK)
    {
        assert_int_equal(result, PL_ERROR_MEMORY);
        s->failures++;
        assert_null(loaded);
        assert_int_equal(s->f.blocks, blocks);
        good(pl_world_load_memory(&def, p.data, p.size, &loaded));
    }
    pl_free(p.data);
    return loaded;
}

// A chain of particles that turn, a lattice of them, and a mesh that rides on them.
static void turning(story *s, pl_world *w)
{
    pl_oriented_form_def chain = pl_default_oriented_form_def();
    pl_cluster_material match = pl_default_cluster_material();
    pl_lattice_def lattice = pl_default_lattice_def();
    pl_visual_def visual = pl_default_visual_def();
    int32_t member[4], cells[12] = {0, 0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0}, triangle[3] = {0, 1, 2};
    const float x[9] = {0.1f, 0.0f, 0.0f, 0.1f, 0.5f, 0.0f, 0.0f, 0.9f, 0.1f};
    int first, count;
    pl_id id;
    chain.form = PL_ORIENTED_CHAIN;
    chain.size[0] = 4;
    TRY(w, pl_add_oriented_form(w, &chain, &match, 0.5f, &visual.object));
    good(pl_object_range(w, visual.object, &first, &count));
    for (int i = 0; i < 4; i++)
        member[i] = first + i;
    lattice.count = 4;
    lattice.particles = member;
    lattice.cells = cells;
    TRY(w, pl_add_lattice(w, &lattice, &id));
    visual.vertex_count = 3;
    visual.vertices = x;
    visual.triangle_count = 1;
    visual.triangles = triangle;
    TRY(w, pl_add_visual(w, &visual, &id));
}

static uint64_t tell(story *s)
{
    pl_world *w = create(s);
    pl_cloth_def cloth = pl_default_cloth_def();
    const int32_t pinned[2] = {0, 4};
    cloth.columns = cloth.rows = 5;
    cloth.pinned = pinned;
    cloth.pinned_count = 2;
    cloth.tethers = true;
    cloth.bending = PL_BENDING_DIHEDRAL;
    pl_rope_def rope = pl_default_rope_def();
    rope.segments = 6;
    pl_bar_def bar = pl_default_bar_def();
    bar.cells[0] = bar.cells[1] = bar.cells[2] = 2;
    pl_id cloth_id, rope_id, drag;
    TRY(w, pl_add_cloth(w, &cloth, &cloth_id));
    TRY(w, pl_add_rope(w, &rope, &rope_id));
    step(s, w);
    TRY(w, pl_add_bar(w, &bar, NULL));
    turning(s, w);
    TRY(w, pl_drag_begin(w, 12, 1e-3f, &drag));
    TRY(w, pl_add_field(w, &(pl_field){.kind = PL_FIELD_UNIFORM, .vector = {1, 0, 0}}, NULL));
    step(s, w);
    TRY(w, pl_world_set_workers(w, 3, 0));
    good(pl_remove(w, cloth_id));
    step(s, w);
    pl_world *loaded = reload(s, w);
    step(s, w);
    step(s, loaded);
    assert_true(pl_world_hash(w) == pl_world_hash(loaded));
    uint64_t hash = pl_world_hash(w);
    pl_world_destroy(w);
    pl_world_destroy(loaded);
    assert_int_equal(s->f.blocks, 0);
    assert_int_equal(s->f.bytes, 0);
    return hash;
}

static void every_call_may_fail(void **state)
{
    (void)state;
    story whole = {0};
    uint64_t hash = tell(&whole);
    assert_int_equal(whole.failures, 0);
    for (int64_t n = 1;; n++)
    {
        story s = {.f = {.fail_at = n}};
        uint64_t after = tell(&s);
        if (after != hash)
            fail_msg("a failure at call %lld changes what follows", (long long)n);
        if (s.f.calls < n)
        {
            assert_true(n > 100);
            print_message("%lld calls\n", (long long)n - 1);
            break;
        }
        if (s.failures != 1)
            fail_msg("call %lld failed and nobody said so", (long long)n);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_call_may_fail)};
    return cmocka_run_group_tests_name("allocation_failure", tests, NULL, NULL);
}
