// The table of group kinds, kind by kind: add, step, save, load, remove, lose particles, run out of memory.
// A new kind needs one function here that adds groups of it.
#include "support/faulty.h"
#include "model/world.h"
#include "groups/emission.h"
#include "groups/group.h"
#include "groups/joints.h"
#include "groups/rigids.h"

enum
{
    SIDE = 3,
    BOX = SIDE * SIDE * SIDE, // particles of an object
};

// A box of particles at (x, 1, 0), as one object; returns the first one's number.
static int add_box(pl_world *w, float x, pl_id *object)
{
    pl_particles_def def = pl_default_particles_def();
    float at[3 * BOX];
    int first, count;
    for (int i = 0; i < BOX; i++)
    {
        at[3 * i] = x + 0.1f * (float)(i % SIDE);
        at[3 * i + 1] = 1.0f + 0.1f * (float)(i / SIDE % SIDE);
        at[3 * i + 2] = 0.1f * (float)(i / SIDE / SIDE);
    }
    def.count = BOX;
    def.position = at;
    def.mass_each = 0.1f;
    good(pl_add_particles(w, &def, object));
    good(pl_object_range(w, *object, &first, &count));
    return first;
}

// ---- one function a kind: adds groups of a box's particles -----------------------------------------------------------

typedef pl_result add_fn(pl_world *w, pl_id object, int first, pl_id *id);

static pl_result add_clusters(pl_world *w, pl_id object, int first, pl_id *id)
{
    (void)object;
    const int32_t start[3] = {0, 12, BOX};
    int32_t member[BOX];
    pl_clusters_def def = pl_default_clusters_def();
    for (int i = 0; i < BOX; i++)
        member[i] = first + i;
    def.count = 2;
    def.start = start;
    def.particles = member;
    def.material.stiffness = 0.5f;
    return pl_add_clusters(w, &def, id);
}

static pl_result add_oriented(pl_world *w, pl_id object, int first, pl_id *id)
{
    (void)object;
    const int32_t member[3] = {first + 1, first + 4, first + 20};
    const float spin[9] = {1.0f, 0.0f, 0.0f, 0.0f, 2.0f, 0.0f, 0.5f, 0.5f, 0.5f};
    pl_orient_def def = pl_default_orient_def();
    def.count = 3;
    def.particles = member;
    def.spin = spin;
    def.radii_each = (pl_vec3){0.02f, 0.03f, 0.04f};
    return pl_orient(w, &def, id);
}

static pl_result add_lattice(pl_world *w, pl_id object, int first, pl_id *id)
{
    (void)object;
    int32_t member[BOX], cell[3 * BOX];
    pl_lattice_def def = pl_default_lattice_def();
    for (int i = 0; i < BOX; i++)
    {
        member[i] = first + i;
        cell[3 * i] = i % SIDE, cell[3 * i + 1] = i / SIDE % SIDE, cell[3 * i + 2] = i / SIDE / SIDE;
    }
    def.count = BOX;
    def.particles = member;
    def.cells = cell;
    def.half_width = 1;
    def.stiffness = 0.5f;
    return pl_add_lattice(w, &def, id);
}

static pl_result add_volume(pl_world *w, pl_id object, int first, pl_id *id)
{
    (void)object;
    const int32_t o = first, x = first + SIDE - 1, y = first + SIDE * (SIDE - 1), z = first + SIDE * SIDE * (SIDE - 1);
    const int32_t triangle[12] = {o, y, x, o, x, z, o, z, y, x, y, z};
    pl_volume_def def = pl_default_volume_def();
    def.triangle_count = 4;
    def.triangles = triangle;
    def.pressure = 1.2f;
    return pl_add_volume(w, &def, id);
}

static pl_result add_visual(pl_world *w, pl_id object, int first, pl_id *id)
{
    float x[9], at[3 * BOX];
    const int32_t triangle[3] = {0, 1, 2};
    pl_visual_def def = pl_default_visual_def();
    good(pl_get(w, PL_ATTRIBUTE_POSITION, first, BOX, at));
    memcpy(x, at + 3, sizeof x);
    x[1] += 0.01f;
    def.object = object;
    def.vertex_count = 3;
    def.vertices = x;
    def.triangle_count = 1;
    def.triangles = triangle;
    return pl_add_visual(w, &def, id);
}

static pl_result add_rigid(pl_world *w, pl_id object, int first, pl_id *id)
{
    (void)object;
    const int32_t member[2] = {first + 2, first + 9};
    const rigid_part part[2] = {
        {.kind = PL_RIGID_BOX, .shape = {.rotation = {0.0f, 0.0f, 0.0f, 1.0f}, .half = {0.1f, 0.1f, 0.1f}}},
        {.kind = PL_RIGID_SPHERE, .shape = {.rotation = {0.0f, 0.0f, 0.0f, 1.0f}, .radius = 0.1f}}};
    rigid_made made[2];
    for (int i = 0; i < 2; i++)
    {
        made[i] = (rigid_made){
            .pose = {{0.0f, 0.0f, 0.0f, 1.0f}, {0}, {1.0f, 2.0f, 3.0f, 0.0f}}, .part = part, .parts = 1 + i};
        made[i].form = (rigid_form){.mass = 0.1f,
                                    .axes = {0.0f, 0.0f, 0.0f, 1.0f},
                                    .inertia = {0.01f, 0.02f, 0.015f},
                                    .gravity_scale = 0.5f,
                                    .linear_damping = 0.1f,
                                    .locks = PL_LOCK_X};
    }
    return rigids_add(w, member, made, 2, id);
}

// The record of a joint, without the rows of the joint.
static pl_result add_joint(pl_world *w, pl_id object, int first, pl_id *id)
{
    (void)object;
    const int32_t ends[2] = {first + 1, first + 4};
    const joint_record record = {.direct = 1};
    return joint_record_add(w, ends, &record, id);
}

static pl_result add_emitter(pl_world *w, pl_id object, int first, pl_id *id)
{
    (void)object;
    emitter e = {.stop = 1e30,
                 .axis = {{1.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 1.0f}, {0.0f, -1.0f, 0.0f}},
                 .spacing = 0.05f,
                 .weight = 10.0f,
                 .speed = 1.0f,
                 .size = {0.03f, 0.03f},
                 .on = 1};
    e.phase = phase_of(w->state.slot[SLOT_COLLISION], slot_of(w, first));
    emitter_lattice(&e);
    return emitter_add(w, &e, first, BOX, id);
}

static pl_result add_drain(pl_world *w, pl_id object, int first, pl_id *id)
{
    pl_drain_def def = pl_default_drain_def();
    (void)object, (void)first;
    return pl_add_drain(w, &def, id);
}

static pl_result add_strands(pl_world *w, pl_id object, int first, pl_id *id)
{
    (void)object;
    const int32_t start[3] = {0, 4, 7};
    const int32_t point[7] = {first + 3, first + 4, first + 5, first + 14, first + 9, first + 10, first + 11};
    const int32_t carrier[6] = {first, first + 1, first + 2, first, first + 18, first + 19};
    const float share[6] = {0.5f, 0.25f, 0.25f, 0.2f, 0.3f, 0.5f};
    pl_strands_def def = pl_default_strands_def();
    def.count = 2;
    def.start = start;
    def.particles = point;
    def.carriers = carrier;
    def.shares = share;
    def.correction = 0.9f;
    return pl_add_strands(w, &def, id);
}

static add_fn *const adders[GROUP_KINDS] = {
    [GROUP_KIND_CLUSTERS] = add_clusters, [GROUP_KIND_ORIENTED] = add_oriented, [GROUP_KIND_LATTICE] = add_lattice,
    [GROUP_KIND_VOLUME] = add_volume,     [GROUP_KIND_VISUAL] = add_visual,     [GROUP_KIND_RIGID] = add_rigid,
    [GROUP_KIND_JOINT] = add_joint,       [GROUP_KIND_EMITTER] = add_emitter,   [GROUP_KIND_DRAIN] = add_drain,
    [GROUP_KIND_STRANDS] = add_strands,
};

// ---- the scene -----------------------------------------------------------------------------------------------------

typedef struct scene
{
    pl_world *world;
    pl_id object[2], group[2];
} scene;

static pl_world *start_world(int threads, int lanes)
{
    pl_world_def def = small_def(4, 2);
    pl_world *w;
    def.threads = threads;
    def.lanes = lanes;
    good(pl_world_create(&def, &w));
    return w;
}

// Two boxes, each with groups of the kind.
static scene make_scene(int kind, int threads, int lanes)
{
    scene s = {.world = start_world(threads, lanes)};
    for (int i = 0; i < 2; i++)
    {
        int first = add_box(s.world, 2.0f * (float)i, &s.object[i]);
        good(adders[kind](s.world, s.object[i], first, &s.group[i]));
    }
    return s;
}

static const id_entry *entry_at(const pl_world *w, pl_id id) { return &w->entries[id.index]; }

static int count_ids(const pl_world *w, const group_kind *k)
{
    int count = 0;
    for (int64_t i = 1; i < w->entry_count; i++)
        count += w->entries[i].type == k->id_entry;
    return count;
}

#define EACH_KIND(i, k)                                                                                                \
    for (int i = 0; i < GROUP_KINDS; i++)                                                                              \
        for (const group_kind *k = group_kinds[i]; k; k = NULL)

// ---- the tests -----------------------------------------------------------------------------------------------------

static void table_is_whole(void **state)
{
    (void)state;
    EACH_KIND(i, k)
    {
        print_message("%s\n", k->words);
        assert_non_null(adders[i]);
        assert_ptr_equal(group_kind_of(k->id_entry), k);
        assert_true(k->id_entry >= GROUP_ENTRIES && k->id_entry < ENTRY_TYPES);
        assert_non_null(id_type_name(k->id_entry));
        assert_true(k->roles || k->alone ? k->most > 0 : k->walk && k->compact && k->lost);
        assert_true((k->lay_out != NULL) == (k->fill != NULL));
        if (k->members != k->count)
            assert_non_null(k->member_words);
        assert_int_equal(k->start_column >= 0, k->members != k->count);
        assert_true(!k->roles || model_columns[k->member_column].owner == k->owner);
        assert_true(k->start_column < 0 || model_columns[k->start_column].domain == k->start);
    }
    for (int type = 0; type < GROUP_ENTRIES; type++)
        assert_null(group_kind_of(type));
}

static void adds(void **state)
{
    (void)state;
    EACH_KIND(i, k)
    {
        scene s = make_scene(i, 1, 0);
        const id_entry *a = entry_at(s.world, s.group[0]), *b = entry_at(s.world, s.group[1]);
        int first, count;
        assert_int_equal(a->type, k->id_entry);
        assert_int_equal(count_ids(s.world, k), 2);
        assert_int_equal(group_count(s.world, k), a->count + b->count);
        assert_int_equal(b->first, a->count);
        refused(pl_object_range(s.world, s.group[0], &first, &count), PL_ERROR_ARGUMENT, id_type_name(k->id_entry));
        group_members all = all_members(s.world, k), mine = members_of(s.world, k, b->first, b->count);
        if (k->roles)
            assert_ptr_equal(mine.number + mine.count, all.number + all.count);
        for (int64_t n = 0; n < mine.count; n++)
            assert_true(mine.number[n] >= BOX && mine.number[n] < 2 * BOX);
        pl_world_destroy(s.world);
    }
}

static void has_the_same_bits(void **state)
{
    (void)state;
    EACH_KIND(i, k)
    {
        scene a = make_scene(i, 1, 1), b = make_scene(i, 2, 0);
        play(a.world, 10);
        play(b.world, 10);
        assert_true(pl_world_hash(a.world) == pl_world_hash(b.world));
        picture p = picture_of(a.world);
        same_picture(&p, b.world, k->words);
        pl_free(p.data);
        pl_world_destroy(a.world);
        pl_world_destroy(b.world);
    }
}

// Also between a step and an edit, while groups are not packed.
static void saves_and_loads(void **state)
{
    (void)state;
    EACH_KIND(i, k)
    for (int open = 0; open < 2; open++)
    {
        scene s = make_scene(i, 1, 0);
        pl_world_def def = small_def(4, 2);
        pl_world *loaded;
        play(s.world, 5);
        if (open)
            good(groups_open(s.world));
        picture p = picture_of(s.world);
        good(pl_world_load_memory(&def, p.data, p.size, &loaded));
        same_picture(&p, loaded, k->words);
        assert_int_equal(group_count(loaded, k), group_count(s.world, k));
        play(s.world, 5);
        play(loaded, 5);
        assert_true(pl_world_hash(loaded) == pl_world_hash(s.world));
        pl_free(p.data);
        pl_world_destroy(loaded);
        pl_world_destroy(s.world);
    }
}

// What is behind a gap moves up with its members.
static void is_removed(void **state)
{
    (void)state;
    EACH_KIND(i, k)
    {
        scene s = make_scene(i, 1, 0);
        play(s.world, 2);
        int64_t left = entry_at(s.world, s.group[1])->count;
        good(pl_remove(s.world, s.group[0]));
        const id_entry *b = entry_at(s.world, s.group[1]);
        assert_int_equal(group_count(s.world, k), left);
        assert_int_equal(count_ids(s.world, k), 1);
        assert_int_equal(b->first, 0);
        group_members m = all_members(s.world, k);
        for (int64_t n = 0; n < m.count; n++)
            assert_true(m.number[n] >= BOX && m.number[n] < 2 * BOX);
        good(groups_check(s.world));
        play(s.world, 2);
        good(pl_remove(s.world, s.group[1]));
        assert_int_equal(group_count(s.world, k), 0);
        good(groups_check(s.world));
        play(s.world, 2);
        pl_world_destroy(s.world);
    }
}

static void goes_with_its_particles(void **state)
{
    (void)state;
    EACH_KIND(i, k)
    {
        scene s = make_scene(i, 1, 0);
        play(s.world, 2);
        int64_t left = entry_at(s.world, s.group[1])->count;
        good(pl_remove(s.world, s.object[0]));
        assert_int_equal(group_count(s.world, k), k->alone ? 2 : left);
        assert_int_equal(count_ids(s.world, k), k->alone ? 2 : 1);
        good(groups_check(s.world));
        play(s.world, 2);
        pl_world_def def = small_def(4, 2);
        pl_world *loaded;
        picture p = picture_of(s.world);
        good(pl_world_load_memory(&def, p.data, p.size, &loaded));
        same_picture(&p, loaded, k->words);
        pl_free(p.data);
        pl_world_destroy(loaded);
        pl_world_destroy(s.world);
    }
}

static void is_truncated(void **state)
{
    (void)state;
    EACH_KIND(i, k)
    {
        scene s = make_scene(i, 1, 0);
        int64_t counts[GROUP_KINDS] = {0};
        good(pl_remove(s.world, s.group[1]));
        counts[i] = group_count(s.world, k);
        picture before = picture_of(s.world);
        good(adders[i](s.world, s.object[1], BOX, &s.group[1]));
        s.world->entries[s.group[1].index] = (id_entry){.generation = s.group[1].generation - 1};
        groups_truncate(s.world, counts);
        same_picture(&before, s.world, k->words);
        pl_free(before.data);
        pl_world_destroy(s.world);
    }
}

static void is_adopted(void **state)
{
    (void)state;
    for (int i = 0; i < GROUP_KINDS; i++)
    {
        scene a = make_scene(i, 1, 0), b = make_scene(i, 1, 0);
        bool fits = false;
        play(a.world, 3);
        good(pl_world_copy_parameters(a.world, b.world, &fits));
        assert_true(fits);
        play(a.world, 3);
        good(pl_remove(b.world, b.group[1]));
        good(pl_world_copy_parameters(a.world, b.world, &fits));
        assert_false(fits);
        pl_world_destroy(a.world);
        pl_world_destroy(b.world);
    }
}

// Whichever call of the allocator fails, the world is what it was, and the second attempt succeeds.
static void runs_out_of_memory(void **state)
{
    (void)state;
    EACH_KIND(i, k)
    {
        bool failed = true;
        int64_t n = 0;
        for (n = 1; failed; n++)
        {
            faulty f = {0};
            pl_world_def def = small_def(4, 2);
            pl_world *w;
            pl_id object, id;
            def.allocator = (pl_allocator){faulty_resize, &f};
            good(pl_world_create(&def, &w));
            int first = add_box(w, 0.0f, &object);
            play(w, 1);
            picture before = picture_of(w);
            f.fail_at = f.calls + n;
            pl_result result = adders[i](w, object, first, &id);
            failed = result != PL_OK;
            if (failed)
            {
                assert_int_equal(result, PL_ERROR_MEMORY);
                assert_int_equal(group_count(w, k), 0);
                same_picture(&before, w, k->words);
                good(adders[i](w, object, first, &id));
            }
            f.fail_at = 0;
            play(w, 1);
            pl_free(before.data);
            pl_world_destroy(w);
            assert_int_equal(f.blocks, 0);
        }
        assert_true(n > 2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_is_whole),  cmocka_unit_test(adds),       cmocka_unit_test(has_the_same_bits),
        cmocka_unit_test(saves_and_loads), cmocka_unit_test(is_removed), cmocka_unit_test(goes_with_its_particles),
        cmocka_unit_test(is_truncated),    cmocka_unit_test(is_adopted), cmocka_unit_test(runs_out_of_memory),
    };
    return cmocka_run_group_tests_name("table", tests, NULL, NULL);
}
