// Edits between steps: numbers stay, ids go stale, only what must go goes.
#include "support/support.h"

static float height(pl_world *w, int p)
{
    float x[3];
    good(pl_get(w, PL_ATTRIBUTE_POSITION, p, 1, x));
    return x[1];
}

static void numbers_stay(void **state)
{
    (void)state;
    pl_world *w = make_world(2, 1);
    pl_id a, b, c;
    pl_rope_def rope = pl_default_rope_def();
    rope.segments = 9;
    good(pl_add_rope(w, &rope, &a));
    rope.from.y = rope.to.y = 1.0f;
    good(pl_add_rope(w, &rope, &b));
    rope.from.y = rope.to.y = 2.0f;
    good(pl_add_rope(w, &rope, &c));
    play(w, 1);
    float before = height(w, 25);
    good(pl_remove(w, b));
    assert_int_equal(pl_particle_count(w), 20);
    assert_int_equal(pl_particle_end(w), 30);
    assert_int_equal(pl_constraint_count(w, PL_KIND_DISTANCE), 18);
    assert_true(height(w, 25) == before);
    float x[3];
    refused(pl_get(w, PL_ATTRIBUTE_POSITION, 15, 1, x), PL_ERROR_ARGUMENT, "particle 15 has been removed");
    refused(pl_get(w, PL_ATTRIBUTE_POSITION, 5, 10, x), PL_ERROR_ARGUMENT, "particle 10 has been removed");
    play(w, 1);
    int first, count;
    good(pl_object_range(w, c, &first, &count));
    assert_int_equal(first, 20);
    refused(pl_object_range(w, b, &first, &count), PL_ERROR_ARGUMENT, "names nothing");
    // The gap is used again, the id is not.
    pl_id d;
    rope.segments = 4;
    good(pl_add_rope(w, &rope, &d));
    good(pl_object_range(w, d, &first, &count));
    assert_int_equal(first, 10);
    assert_int_equal(count, 5);
    assert_false(d.index == b.index && d.generation == b.generation);
    refused(pl_remove(w, b), PL_ERROR_ARGUMENT, "names nothing");
    play(w, 1);
    good(pl_remove(w, c));
    assert_int_equal(pl_particle_end(w), 15);
    play(w, 1);
    good(pl_remove(w, a));
    good(pl_remove(w, d));
    assert_int_equal(pl_particle_end(w), 0);
    assert_int_equal(pl_constraint_count(w, PL_KIND_DISTANCE), 0);
    play(w, 1);
    pl_world_destroy(w);
}

// A block that spans two objects loses the rows that touched the removed one, and keeps the others and their softness.
static void blocks_across_objects(void **state)
{
    (void)state;
    pl_world *w = make_world(2, 1);
    pl_id removed;
    for (int i = 0; i < 6; i++)
        add_one(w, (float)i, 0, 0, 1, i == 2 ? &removed : NULL);
    const int32_t chain[10] = {0, 1, 1, 2, 2, 3, 3, 4, 4, 5}, face[6] = {0, 1, 2, 3, 4, 5};
    pl_softness each[5];
    for (int i = 0; i < 5; i++)
        each[i] = (pl_softness){1e-4f * (float)(i + 1), 0, 1};
    pl_constraints_def def = pl_default_constraints_def();
    def.kind = PL_KIND_DISTANCE;
    def.count = 5;
    def.index = chain;
    def.each = each;
    pl_id links, later, faces, later_faces;
    good(pl_add_constraints(w, &def, &links));
    const int32_t other[2] = {0, 5};
    later = add_rows(w, PL_KIND_DISTANCE, 1, other, NULL, 7e-4f);
    good(pl_add_faces(w, &(pl_faces_def){2, face, 1, 0}, &faces));
    good(pl_add_faces(w, &(pl_faces_def){1, face + 3, 1, 0}, &later_faces));
    play(w, 2);
    good(pl_remove(w, removed));
    pl_kind kind;
    int count;
    good(pl_block_info(w, links, &kind, &count));
    assert_int_equal(count, 3);
    int32_t index[6];
    float compliance[3];
    good(pl_get_row_particles(w, links, 0, 3, index));
    assert_memory_equal(index, ((int32_t[]){0, 1, 3, 4, 4, 5}), sizeof index);
    good(pl_get_rows(w, links, PL_ROW_COMPLIANCE, 0, 3, compliance));
    assert_true(compliance[0] == 1e-4f && compliance[1] == 1e-4f * 4.0f && compliance[2] == 1e-4f * 5.0f);
    good(pl_get_rows(w, later, PL_ROW_COMPLIANCE, 0, 1, compliance));
    assert_true(compliance[0] == 7e-4f);
    good(pl_get_row_particles(w, later, 0, 1, index));
    assert_memory_equal(index, other, sizeof other);
    assert_int_equal(pl_face_count(w), 2);
    good(pl_get_faces(w, 0, 2, index));
    assert_memory_equal(index, ((int32_t[]){3, 4, 5, 3, 4, 5}), sizeof index);
    play(w, 2);
    good(pl_remove(w, later_faces));
    good(pl_remove(w, links));
    assert_int_equal(pl_constraint_count(w, PL_KIND_DISTANCE), 1);
    refused(pl_block_info(w, links, &kind, &count), PL_ERROR_ARGUMENT, "names nothing");
    play(w, 2);
    pl_world_destroy(w);
}

static void objects_and_their_blocks(void **state)
{
    (void)state;
    pl_world *w = make_world(2, 1);
    pl_cloth_def cloth = pl_default_cloth_def();
    const int32_t pinned = 0;
    pl_id a, b, blocks[16];
    cloth.columns = cloth.rows = 5;
    cloth.pinned = &pinned;
    cloth.pinned_count = 1;
    cloth.tethers = true;
    good(pl_add_cloth(w, &cloth, &a));
    good(pl_add_cloth(w, &cloth, &b));
    assert_int_equal(pl_object_blocks(w, a, NULL, 0), 5); // stretch, shear, bend, tethers, faces
    assert_int_equal(pl_object_blocks(w, a, blocks, 16), 5);
    int64_t both = pl_constraint_count(w, PL_KIND_DISTANCE);
    good(pl_remove(w, blocks[1]));
    assert_int_equal(pl_object_blocks(w, a, blocks, 16), 4);
    good(pl_remove(w, a));
    assert_int_equal(pl_object_blocks(w, a, blocks, 16), 0);
    assert_int_equal(pl_object_blocks(w, b, blocks, 16), 5);
    assert_int_equal(pl_constraint_count(w, PL_KIND_DISTANCE), both / 2);
    play(w, 2);
    pl_world_destroy(w);
}

// A particle left alone by a removal moves as if the removed had never been there.
static void removal_touches_nothing_else(void **state)
{
    (void)state;
    uint64_t hash[2];
    for (int with = 0; with < 2; with++)
    {
        pl_world *w = make_world(3, 2);
        pl_rope_def rope = pl_default_rope_def();
        rope.pin_first = true;
        good(pl_add_rope(w, &rope, NULL));
        if (with)
        {
            pl_id bar;
            pl_bar_def def = pl_default_bar_def();
            good(pl_add_bar(w, &def, &bar));
            good(pl_remove(w, bar));
        }
        play(w, 10);
        hash[with] = pl_world_hash(w);
        pl_world_destroy(w);
    }
    assert_true(hash[0] == hash[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_stay),
        cmocka_unit_test(blocks_across_objects),
        cmocka_unit_test(objects_and_their_blocks),
        cmocka_unit_test(removal_touches_nothing_else),
    };
    return cmocka_run_group_tests_name("edits", tests, NULL, NULL);
}
