// test_inspect.c: what can be seen of a world's inside: contacts, cells, the order of constraints, each against what is known of
// the scene or counted anew by hand.
#include "support/support.h"

// A column of balls on the ground at rest.
static pl_world *column(int balls)
{
    pl_world *w = make_world(1, 1);
    pl_settings s = pl_world_settings(w);
    s.substeps = 20;
    s.damping = 4.0f;
    s.gravity = (pl_vec3){0.0f, -9.81f, 0.0f};
    good(pl_world_set_settings(w, &s));
    pl_shape_def ground = pl_default_shape_def();
    ground.kind = PL_SHAPE_PLANE;
    good(pl_add_shape(w, &ground, NULL));
    const float radius = 0.1f;
    for (int i = 0; i < balls; i++)
    {
        int p = add_one(w, 0.0f, 0.1f + 0.2f * (float)i, 0.0f, 2.0f, NULL);
        good(pl_set(w, PL_ATTRIBUTE_RADIUS, p, 1, &radius));
    }
    for (int i = 0; i < 240; i++)
        good(pl_world_step(w, 1.0f / 60.0f));
    return w;
}

static void contacts_carry_what_lies_above(void **state)
{
    (void)state;
    pl_world *w = column(3);
    pl_contact_info c[8];
    assert_int_equal(pl_get_contacts(w, NULL, 0), 3);
    assert_int_equal(pl_get_contacts(w, c, 8), 3);
    int ground = 0;
    for (int i = 0; i < 3; i++)
    {
        // Between balls the lower is `b`'s or `a`'s; whichever, above the contact lie the balls that are higher.
        double height = (double)c[i].point.y, above = 2.0 * 9.81 * (3.0 - floor(height / 0.2 + 0.5));
        ground += c[i].b < 0;
        near_to("force", (double)c[i].force, above, 0.02 * above);
        near_to("normal", fabs((double)c[i].normal.y), 1.0, 1e-3);
        near_to("height", height, 0.2 * floor(height / 0.2 + 0.5), 0.004);
        assert_true(c[i].b >= 0 || c[i].normal.y > 0.0f);
        if (c[i].b >= 0)
        {
            float a[3], b[3];
            good(pl_get(w, PL_ATTRIBUTE_POSITION, c[i].a, 1, a));
            good(pl_get(w, PL_ATTRIBUTE_POSITION, c[i].b, 1, b));
            assert_true((a[1] > b[1]) == (c[i].normal.y > 0.0f)); // a is pushed away from b
            near_to("overlap", (double)c[i].overlap, 0.2 - fabs((double)a[1] - (double)b[1]), 1e-5);
            assert_int_equal(c[i].shape.index, 0);
        }
        else
        {
            pl_id id = pl_shape_at(w, 0);
            assert_memory_equal(&c[i].shape, &id, sizeof id);
        }
    }
    assert_int_equal(ground, 1);
    c[1].a = -77; // no more is filled than there is room for
    assert_int_equal(pl_get_contacts(w, c, 1), 3);
    assert_int_equal(c[1].a, -77);
    pl_world_destroy(w);
}

static void cells_hold_every_particle_once(void **state)
{
    (void)state;
    pl_world *w = column(5);
    pl_cell_info cells[16];
    int count = pl_get_cells(w, cells, 16), sum = 0;
    assert_true(count >= 2 && count <= 5);
    for (int i = 0; i < count; i++)
    {
        sum += cells[i].particles;
        assert_true(cells[i].size >= 0.2f); // two that touch are in neighbouring cells
        int inside = 0;
        for (int p = 0; p < 5; p++)
        {
            float x[3];
            good(pl_get(w, PL_ATTRIBUTE_POSITION, p, 1, x));
            inside += x[0] >= cells[i].corner.x && x[0] < cells[i].corner.x + cells[i].size &&
                      x[1] >= cells[i].corner.y && x[1] < cells[i].corner.y + cells[i].size &&
                      x[2] >= cells[i].corner.z && x[2] < cells[i].corner.z + cells[i].size;
        }
        assert_int_equal(inside, cells[i].particles);
    }
    assert_int_equal(sum, 5);
    pl_world_destroy(w);
    w = make_world(1, 1);
    assert_int_equal(pl_get_cells(w, cells, 16), 0);
    assert_int_equal(pl_get_contacts(w, NULL, 0), 0);
    pl_world_destroy(w);
}

// Two rows of one batch and tile share no particle, and every row has a place.
static void check_batches(pl_world *w, pl_id block)
{
    pl_kind kind;
    int count, particles = pl_particle_end(w);
    good(pl_block_info(w, block, &kind, &count));
    int arity = pl_kind_describe(kind)->arity;
    pl_row_info *info = malloc((size_t)count * sizeof *info);
    int32_t *index = malloc((size_t)(count * arity) * sizeof *index);
    int64_t *last = calloc((size_t)particles * 64, sizeof *last); // for each particle and batch the row seen last
    int *tile = malloc((size_t)particles * sizeof *tile);
    good(pl_get_row_info(w, block, 0, count, info));
    good(pl_get_row_particles(w, block, 0, count, index));
    good(pl_get_tiles(w, 0, particles, tile));
    for (int i = 0; i < count; i++)
    {
        assert_true(info[i].batch >= 0 && info[i].batch < 64);
        for (int k = 0; k < arity; k++)
        {
            int p = index[i * arity + k];
            int64_t *seen = &last[(size_t)p * 64 + (size_t)info[i].batch];
            assert_true(info[i].tile < 0 || tile[p] == info[i].tile);
            if (*seen > 0 && info[*seen - 1].tile == info[i].tile)
                fail_msg("rows %d and %lld share particle %d and batch %d", i, (long long)*seen - 1, p, info[i].batch);
            *seen = i + 1;
        }
    }
    free(info);
    free(index);
    free(last);
    free(tile);
}

static void batches_share_no_particle(void **state)
{
    (void)state;
    for (int size = 12; size <= 260; size += 248) // without tiles, and with them
    {
        pl_world *w = make_world(1, 1);
        pl_cloth_def def = pl_default_cloth_def();
        pl_id id, blocks[8];
        def.columns = def.rows = size;
        good(pl_add_cloth(w, &def, &id));
        pl_row_info info;
        int count = pl_world_blocks(w, blocks, 8), tile;
        good(pl_get_row_info(w, blocks[0], 0, 1, &info));
        assert_int_equal(info.batch, -1); // not placed yet
        assert_int_equal(pl_world_order(w).tiles > 0, size == 260);
        good(pl_world_step(w, 0.01f));
        good(pl_get_tiles(w, 0, 1, &tile));
        assert_int_equal(tile >= 0, size == 260);
        for (int i = 0; i < count; i++)
            check_batches(w, blocks[i]);
        refused(pl_get_row_info(w, blocks[0], 0, 1 << 20, &info), PL_ERROR_ARGUMENT, "were asked for");
        refused(pl_get_tiles(w, -1, 1, &tile), PL_ERROR_ARGUMENT, "tiles");
        pl_world_destroy(w);
    }
}

static void residuals_are_relative_and_spare_what_is_content(void **state)
{
    (void)state;
    pl_world *w = make_world(1, 1);
    int a = add_one(w, 0.0f, 0.0f, 0.0f, 1.0f, NULL), b = add_one(w, 3.0f, 0.0f, 0.0f, 1.0f, NULL);
    const int32_t pair[] = {a, b};
    const float rest = 2.0f;
    pl_row_info info;
    pl_id hard = add_rows(w, PL_KIND_DISTANCE, 1, pair, &rest, 0.0f);
    pl_id least = add_rows(w, PL_KIND_DISTANCE_MIN, 1, pair, &rest, 0.0f);
    pl_id most = add_rows(w, PL_KIND_DISTANCE_MAX, 1, pair, &rest, 0.0f);
    good(pl_get_row_info(w, hard, 0, 1, &info));
    near_to("distance", (double)info.residual, 0.5, 1e-6);
    good(pl_get_row_info(w, least, 0, 1, &info));
    near_to("at least", (double)info.residual, 0.0, 0.0);
    good(pl_get_row_info(w, most, 0, 1, &info));
    near_to("at most", (double)info.residual, 0.5, 1e-6);
    pl_world_destroy(w);
}

// Every box lies in the box that it is in, every leaf has triangles, and together they have all of the mesh's.
static void boxes_hold_all_triangles(void **state)
{
    (void)state;
    enum
    {
        N = 9
    };
    float x[3 * N * N];
    int32_t f[6 * (N - 1) * (N - 1)];
    int faces = 0;
    for (int i = 0; i < N * N; i++)
    {
        x[3 * i] = (float)(i % N);
        x[3 * i + 1] = 0.3f * (float)(i % 3);
        x[3 * i + 2] = (float)(i / N);
    }
    for (int i = 0; i < (N - 1) * (N - 1); i++)
    {
        int a = i / (N - 1) * N + i % (N - 1);
        const int32_t two[6] = {a, a + N, a + N + 1, a, a + N + 1, a + 1};
        memcpy(f + 3 * faces, two, sizeof two);
        faces += 2;
    }
    pl_world *w = make_world(1, 1);
    pl_shape_def d = pl_default_shape_def();
    pl_id id, plane;
    d.kind = PL_SHAPE_PLANE;
    good(pl_add_shape(w, &d, &plane));
    d.kind = PL_SHAPE_MESH;
    d.two_sided = true;
    d.vertices = x;
    d.vertex_count = N * N;
    d.triangles = f;
    d.triangle_count = faces;
    good(pl_add_shape(w, &d, &id));
    pl_box_info box[512], around[40];
    assert_int_equal(pl_get_shape_boxes(w, plane, box, 512), 0);
    int count = pl_get_shape_boxes(w, id, box, 512), sum = 0;
    assert_in_range(count, 2 * faces / 4 - 1, 512);
    assert_int_equal(box[0].depth, 0);
    assert_true(box[0].low.x <= 0.0f && box[0].high.x >= 8.0f && box[0].high.z >= 8.0f);
    for (int i = 0; i < count; i++)
    {
        const pl_box_info *b = &box[i];
        assert_true(b->depth >= 0 && b->depth < 40 && (i == 0) == (b->depth == 0));
        around[b->depth] = *b;
        sum += b->triangles;
        if (i == 0)
            continue;
        const pl_box_info *in = &around[b->depth - 1];
        assert_int_equal(in->triangles, 0);
        assert_true(b->low.x >= in->low.x && b->low.y >= in->low.y && b->low.z >= in->low.z &&
                    b->high.x <= in->high.x && b->high.y <= in->high.y && b->high.z <= in->high.z);
    }
    assert_int_equal(sum, faces);
    pl_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contacts_carry_what_lies_above),
        cmocka_unit_test(cells_hold_every_particle_once),
        cmocka_unit_test(boxes_hold_all_triangles),
        cmocka_unit_test(batches_share_no_particle),
        cmocka_unit_test(residuals_are_relative_and_spare_what_is_content),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
