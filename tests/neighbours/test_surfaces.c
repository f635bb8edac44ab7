// test_skin.c: lists of pairs of skin equal those of a plain search over all; the same bits on every width, from a snapshot and
// after edits; no allocation once warm; what is refused.
#include "kernels/surface_contact.h"
#include "support/support.h"
#include "model/world.h"

#define THICK 0.02f

// A sheet of n x n particles, thrown about by the dice.
static pl_id add_crumpled(pl_world *w, int n, float height, float crumple, uint64_t seed)
{
    pl_cloth_def def = pl_default_cloth_def();
    pl_id id;
    int first, count;
    def.columns = def.rows = n;
    def.origin = (pl_vec3){-0.25f, height, -0.25f};
    def.u = (pl_vec3){0.5f, 0.0f, 0.0f};
    def.v = (pl_vec3){0.0f, 0.0f, 0.5f};
    def.thickness = THICK;
    def.drag = 0.0f;
    good(pl_add_cloth(w, &def, &id));
    good(pl_object_range(w, id, &first, &count));
    for (int i = first; i < first + count; i++)
    {
        float x[3];
        good(pl_get(w, PL_ATTRIBUTE_POSITION, i, 1, x));
        for (int c = 0; c < 3; c++)
            x[c] += crumple * dice(&seed);
        good(pl_set(w, PL_ATTRIBUTE_POSITION, i, 1, x));
    }
    return id;
}

// A cloth that falls on a ball and on the floor, with another on top.
static pl_world *falling(int threads, int lanes, const pl_allocator *allocator)
{
    pl_world_def def = small_def(6, 1);
    pl_world *w = NULL;
    def.threads = threads;
    def.lanes = lanes;
    if (allocator)
        def.allocator = *allocator;
    good(pl_world_create(&def, &w));
    add_crumpled(w, 15, 0.26f, 0.002f, 1);
    add_crumpled(w, 12, 0.31f, 0.002f, 2);
    pl_shape_def floor = pl_default_shape_def(), ball = floor;
    floor.kind = PL_SHAPE_PLANE;
    ball.kind = PL_SHAPE_SPHERE;
    ball.radius = 0.1f;
    ball.position = (pl_vec3){0.02f, 0.1f, 0.01f};
    good(pl_add_shape(w, &floor, NULL));
    good(pl_add_shape(w, &ball, NULL));
    return w;
}

// ---- lists ---------------------------------------------------------------------------------------------------------

static vec corner(const float *x, int32_t slot)
{
    return vec_of(x[4 * (size_t)slot], x[4 * (size_t)slot + 1], x[4 * (size_t)slot + 2]);
}

static bool listed(const surfaces *k, int mode, int32_t a, int32_t b)
{
    for (int64_t i = 0; i < k->pairs.count; i++)
    {
        const surface_pair *p = &k->pairs.items[i];
        if (p->mode == mode && ((p->a == a && p->b == b) || (mode == SURFACE_EDGES && p->a == b && p->b == a)))
            return true;
    }
    return false;
}

static void compare(const pl_world *w, int mode, int32_t a, int32_t b, const int32_t c[4], int64_t *count)
{
    const surfaces *k = &w->surfaces;
    const float *x = w->state.slot[SLOT_SURFACE];
    for (int i = 0; i < (mode == SURFACE_VERTEX ? 1 : 2); i++)
        for (int j = mode == SURFACE_VERTEX ? 1 : 2; j < 4; j++)
            if (c[i] == c[j])
                return;
    closest near = mode == SURFACE_VERTEX
                       ? point_triangle(corner(x, c[0]), corner(x, c[1]), corner(x, c[2]), corner(x, c[3]))
                       : edge_edge(corner(x, c[0]), corner(x, c[1]), corner(x, c[2]), corner(x, c[3]));
    double far = sqrt((double)near.square), limit = (double)k->thickness + (double)k->margin;
    bool there = listed(k, mode, a, b);
    *count += there;
    if (fabs(far - limit) > 1e-6 && there != (far < limit))
        fail_msg("%s %d and %d are %.6f m apart, of %.6f, and %s",
                 mode == SURFACE_VERTEX ? "vertex and triangle" : "edges", a, b, far, limit,
                 there ? "are listed" : "are not");
}

static void lists_equal_a_plain_search(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed < 3; seed++)
    {
        pl_world *w = make_world(1, 1);
        set_gravity(w, 0.0f);
        add_crumpled(w, 9, 0.0f, 0.02f, seed);
        add_crumpled(w, 8, 0.03f, 0.02f, seed + 10);
        play(w, 1);
        const surfaces *k = &w->surfaces;
        int64_t count = 0, pulls = k->pull_count;
        for (int32_t i = 0; i < k->vertices; i++)
            for (int32_t t = 0; t < k->triangles; t++)
            {
                const int32_t *c = k->triangle + 3 * t;
                compare(w, SURFACE_VERTEX, k->vertex[i], t, (int32_t[]){k->vertex[i], c[0], c[1], c[2]}, &count);
            }
        for (int32_t e = 0; e < k->edges; e++)
            for (int32_t f = e + 1; f < k->edges; f++)
            {
                const int32_t *a = k->edge + 2 * e, *b = k->edge + 2 * f;
                compare(w, SURFACE_EDGES, e, f, (int32_t[]){a[0], a[1], b[0], b[1]}, &count);
            }
        assert_int_equal(count + pulls, k->pairs.count); // each once
        assert_true(count > 500);
        pl_world_destroy(w);
    }
}

// Blocks of a colour, and lanes within a block's group, share no particle.
static void colours_share_nobody(void **state)
{
    (void)state;
    pl_world *w = falling(1, 1, NULL);
    play(w, 25);
    const packed_surface *p = &w->state.surfaces;
    int32_t *owner = calloc((size_t)w->state.slots, sizeof *owner), pairs = 0;
    for (int colour = 0; colour < PAIR_COLOURS; colour++)
    {
        memset(owner, 0, (size_t)w->state.slots * sizeof *owner);
        for (int32_t g = p->colour[colour]; g < p->colour[colour + 1]; g++)
            for (int32_t row = p->groups.row[g] * PAD; row < p->groups.row[g + 1] * PAD; row++)
                for (int i = 0; i < 4 && p->mode[row] < (float)SURFACE_NOTHING; i++)
                {
                    int32_t *who = &owner[p->index[i][row] / 4], me = 1 + g * PAD + row % PAD;
                    assert_true(*who == 0 || *who == me);
                    *who = me;
                    pairs += i == 0;
                }
    }
    assert_true(pairs > 1000);
    free(owner);
    pl_world_destroy(w);
}

// ---- bits ----------------------------------------------------------------------------------------------------------

static uint64_t hash_after(int threads, int lanes, int frames)
{
    pl_world *w = falling(threads, lanes, NULL);
    play(w, frames);
    assert_true(pl_world_penetration(w).crossings == 0);
    uint64_t hash = pl_world_hash(w);
    pl_world_destroy(w);
    return hash;
}

static void widths_and_threads_agree(void **state)
{
    (void)state;
    uint64_t wanted = hash_after(1, 1, 20);
    for (const int *lanes = pl_lane_widths(); *lanes; lanes++)
        assert_true(hash_after(lanes == pl_lane_widths() ? 3 : 1, *lanes, 20) == wanted);
}

static void a_snapshot_resumes(void **state)
{
    (void)state;
    for (int at = 4; at < 25; at += 16)
    {
        pl_world *w = falling(1, 0, NULL), *again;
        play(w, at);
        picture p = picture_of(w);
        pl_world_def def = small_def(1, 1);
        good(pl_world_load_memory(&def, p.data, p.size, &again));
        play(w, 6);
        play(again, 6);
        assert_true(pl_world_hash(w) == pl_world_hash(again));
        pl_free(p.data);
        pl_world_destroy(w);
        pl_world_destroy(again);
    }
}

// ---- edits ---------------------------------------------------------------------------------------------------------

static void thickness_comes_and_goes(void **state)
{
    (void)state;
    pl_world *w = make_world(4, 1);
    set_gravity(w, 0.0f);
    pl_id upper = add_crumpled(w, 8, 0.03f, 0.0f, 1), lower = add_crumpled(w, 8, 0.0f, 0.0f, 2);
    int first, count;
    float none[64] = {0}, fall[192];
    good(pl_object_range(w, upper, &first, &count));
    for (int i = 0; i < 192; i++)
        fall[i] = i % 3 == 1 ? -1.0f : 0.0f;
    play(w, 1);
    assert_true(w->surfaces.triangles == 2 * 98);
    good(pl_set(w, PL_ATTRIBUTE_THICKNESS, first, count, none));
    good(pl_set(w, PL_ATTRIBUTE_RADIUS, first, count, none));
    good(pl_set(w, PL_ATTRIBUTE_VELOCITY, first, count, fall));
    play(w, 6); // falls through
    float y[3];
    good(pl_get(w, PL_ATTRIBUTE_POSITION, first, 1, y));
    near_to("the height of a cloth without a skin", y[1], 0.03 - 0.1, 1e-3);
    assert_true(w->surfaces.triangles == 98);
    good(pl_remove(w, lower));
    play(w, 2);
    good(pl_remove(w, upper));
    play(w, 1);
    assert_true(w->surfaces.triangles == 0);
    pl_world_destroy(w);
}

static void masks_are_kept(void **state)
{
    (void)state;
    pl_world *w = make_world(4, 1);
    set_gravity(w, 0.0f);
    pl_id upper = add_crumpled(w, 8, 0.03f, 0.0f, 1);
    add_crumpled(w, 8, 0.0f, 0.0f, 2);
    int first, count;
    pl_phase phase;
    good(pl_object_range(w, upper, &first, &count));
    good(pl_get_phase(w, first, &phase));
    play(w, 1);
    assert_true(w->surfaces.pairs.count > 0);
    phase.mask = 0;
    good(pl_set_phase(w, first, count, &phase));
    play(w, 1);
    assert_true(w->surfaces.pairs.count == 0);
    pl_world_destroy(w);
}

static void bad_thickness_is_refused(void **state)
{
    (void)state;
    pl_world *w = make_world(1, 1);
    pl_cloth_def def = pl_default_cloth_def();
    def.thickness = -1.0f;
    refused(pl_add_cloth(w, &def, NULL), PL_ERROR_ARGUMENT, "thickness is -1 m");
    def.thickness = NAN;
    refused(pl_add_cloth(w, &def, NULL), PL_ERROR_ARGUMENT, "thickness is");
    // More than three times as thick as its particles are apart: of a grid by the closer of its two ways, of a mesh by its mean edge.
    def.columns = 11, def.rows = 6;
    def.u = (pl_vec3){1.0f, 0.0f, 0.0f}, def.v = (pl_vec3){0.0f, 0.0f, 1.0f};
    def.thickness = 0.301f;
    refused(pl_add_cloth(w, &def, NULL), PL_ERROR_ARGUMENT,
            "cloth: thickness is 0.301 m, but its particles are 0.1 m apart; it must be at most 3 times that");
    const float x[12] = {0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 1};
    const int32_t corners[6] = {0, 1, 2, 2, 1, 3};
    pl_cloth_def mesh = pl_default_cloth_def();
    mesh.vertices = x, mesh.vertex_count = 4;
    mesh.triangles = corners, mesh.triangle_count = 2;
    mesh.thickness = 3.5f; // edges of 1, 1 and 1.41 m
    refused(pl_add_cloth(w, &mesh, NULL), PL_ERROR_ARGUMENT,
            "thickness is 3.5 m, but its particles are 1.13807 m apart");
    assert_int_equal(pl_particle_count(w), 0); // and nothing is added
    def.thickness = 0.299f, mesh.thickness = 3.4f;
    good(pl_add_cloth(w, &def, NULL));
    good(pl_add_cloth(w, &mesh, NULL));
    int one = add_one(w, 0.0f, 5.0f, 0.0f, 1.0f, NULL);
    const float bad[2] = {-0.5f, INFINITY};
    refused(pl_set(w, PL_ATTRIBUTE_THICKNESS, one, 1, bad), PL_ERROR_ARGUMENT, "thickness: particle 70");
    refused(pl_set(w, PL_ATTRIBUTE_THICKNESS, one, 1, bad + 1), PL_ERROR_ARGUMENT, "not finite");
    pl_world_destroy(w);
}

// ---- memory --------------------------------------------------------------------------------------------------------

static void *count_calls(void *user, void *block, size_t old_size, size_t new_size)
{
    (void)old_size;
    ++*(int *)user;
    if (new_size == 0)
    {
        free(block);
        return NULL;
    }
    return realloc(block, new_size);
}

static void warm_steps_allocate_nothing(void **state)
{
    (void)state;
    int calls = 0;
    pl_allocator allocator = {count_calls, &calls};
    pl_world *w = falling(2, 0, &allocator);
    pl_watch_def watch = pl_default_watch_def();
    watch.stay = true;
    good(pl_watch_contacts(w, &watch));
    play(w, 70);
    int before = calls;
    play(w, 10);
    assert_int_equal(calls, before);
    assert_true(pl_contact_events(w, NULL, 0) > 0);
    assert_true(pl_world_penetration(w).contacts > 0);
    pl_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_equal_a_plain_search), cmocka_unit_test(colours_share_nobody),
        cmocka_unit_test(widths_and_threads_agree),   cmocka_unit_test(a_snapshot_resumes),
        cmocka_unit_test(thickness_comes_and_goes),   cmocka_unit_test(masks_are_kept),
        cmocka_unit_test(bad_thickness_is_refused),   cmocka_unit_test(warm_steps_allocate_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
