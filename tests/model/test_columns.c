// The table of columns tells the truth: every array that is packed is in it, and is treated in a frame, in a snapshot and after a failed frame
// as the table says.
#include "model/model_columns.h"
#include "groups/group.h"
#include "support/support.h"

// ---- worlds that together have something in every column -------------------------------------------------------------

typedef struct sample
{
    const char *name, *scene; // scene NULL: fill_world and a hub
    const char *sets[8];
} sample;

static const sample samples[] = {
    {"everything", NULL, {NULL}},
    {"cloth, BDF2", "flag", {"cloth.size=[14,14]", "integrator=bdf2"}},
    {"Chebyshev", "flag", {"cloth.size=[14,14]", "solver=chebyshev"}},
    {"hierarchy", "flag", {"cloth.size=[14,14]", "solver=hierarchy"}},
    {"direct", "flag", {"cloth.size=[14,14]", "solver=direct", "substeps=2"}},
    {"plastic", "bent_metal", {"bar[0].plastic.yield=0.0001", "gravity=[0,-9.81,0]", "substeps=6"}},
    {"bodies", "jelly", {"body[0].spacing=0.16", "body[1].spacing=0.16"}},
    {"oriented", "orient", {"shape[1].position=[1,1.5,0.2]", "substeps=2"}},
    {"lattice", "lattice", {"substeps=2"}},
    {"strands", "ftl", {"substeps=2"}},
    {"balloon", "balloon", {"substeps=3"}},
    {"water", "dam_break", {"fluid.size=[0.06,0.09,0.06]", "substeps=2"}},
    {"smoke", "smoke", {"emitter.capacity=900", "emitter.speed=4", "substeps=2"}},
    {"honey", "honey", {"fluid.size=[0.04,0.06,0.04]", "substeps=2"}},
    {"water and bodies", "buoyancy", {"fluid.size=[0.56,0.06,0.28]", "rigid[0].position=[-0.18,0.1,0]", "substeps=2"}},
    {"skins", "drape", {"cloth.size=[14,14]", "cloth.thickness=0.04", "cloth.origin=[-1,0.62,-1]"}},
    {"tearing", "tear", {"cloth.size=[10,10]", "substeps=3"}},
    {"tiles", "curtain", {"cloth.size=[260,260]", "substeps=1", "iterations=1"}},
};

enum
{
    SAMPLES = sizeof samples / sizeof *samples,
    FRAMES = 3,
};

// A particle with more links than there are colours, and a cluster of every sort.
static void add_hub_and_clusters(pl_world *w)
{
    enum
    {
        SPOKES = 90,
    };
    float at[3 * (SPOKES + 1)] = {0};
    int32_t ends[2 * SPOKES], start[2] = {0, 8}, members[8];
    uint64_t seed = 7;
    for (int i = 3; i < 3 * (SPOKES + 1); i++)
        at[i] = 10.0f + dice(&seed);
    pl_particles_def p = pl_default_particles_def();
    pl_id object;
    int first, count;
    p.count = SPOKES + 1, p.position = at;
    good(pl_add_particles(w, &p, &object));
    good(pl_object_range(w, object, &first, &count));
    for (int i = 0; i < SPOKES; i++)
        ends[2 * i] = first, ends[2 * i + 1] = first + 1 + i;
    add_rows(w, PL_KIND_DISTANCE, SPOKES, ends, NULL, 0.0f);
    for (int match = 0; match < 3; match++)
    {
        pl_clusters_def d = pl_default_clusters_def();
        for (int i = 0; i < 8; i++)
            members[i] = first + 1 + 10 * match + i;
        d.count = 1, d.start = start, d.particles = members;
        d.material.match = match == 0 ? PL_MATCH_RIGID : match == 1 ? PL_MATCH_LINEAR : PL_MATCH_QUADRATIC;
        good(pl_add_clusters(w, &d, NULL));
    }
}

static void add_rigid(pl_world *w)
{
    pl_rigid_shape shape = pl_default_rigid_shape();
    pl_rigid_def def = pl_default_rigid_def();
    def.shapes = &shape, def.shape_count = 1;
    def.position.x = -20.0f;
    def.angular_damping = 0.1f;
    pl_id body;
    good(pl_add_rigid(w, &def, &body));
    pl_joint_def joint = pl_default_joint_def();
    joint.b = body, joint.point.x = -20.5f, joint.direct = true;
    good(pl_add_joint(w, &joint, NULL));
    static const float corners[12] = {0.0f, 0.0f, 0.0f, 1.0f, 0.0f, 0.0f, 0.0f, 1.0f, 0.0f, 0.0f, 0.0f, 1.0f};
    shape.kind = PL_RIGID_HULL, shape.vertices = corners, shape.vertex_count = 4;
    def.position.y = 0.5f;
    good(pl_add_rigid(w, &def, NULL));
    add_one(w, -20.45f, 0.499f, -0.3f, 1.0f, NULL); // rests on the box
    pl_cloth_def sheet = pl_default_cloth_def();    // which stands on its one face
    sheet.columns = sheet.rows = 2, sheet.thickness = 0.02f, sheet.origin = (pl_vec3){-22.0f, -0.505f, -2.0f};
    sheet.u = (pl_vec3){4.0f, 0.0f, 0.0f}, sheet.v = (pl_vec3){0.0f, 0.0f, 4.0f};
    good(pl_add_cloth(w, &sheet, NULL));
}

static pl_world *open_sample(const sample *s)
{
    pl_world_def def = small_def(4, 2);
    pl_world *w;
    if (!s->scene)
    {
        def.settings.sleep = true;
        good(pl_world_create(&def, &w));
        fill_world(w, 8);
        add_hub_and_clusters(w);
        add_rigid(w);
        pl_watch_def watch = pl_default_watch_def(); // of bodies: it has columns of its own
        watch.particles = watch.shapes = watch.surfaces = false;
        good(pl_watch_contacts(w, &watch));
        return w;
    }
    pl_scene *scene;
    size_t length;
    int sets = 0;
    const char *text = pl_builtin_scene(s->scene, &length);
    while (s->sets[sets])
        sets++;
    good(pl_scene_parse(text, length, s->scene, s->sets, sets, &scene));
    good(pl_scene_world(scene, &def, &w));
    pl_scene_free(scene);
    return w;
}

static void compiled(pl_world *w) { assert_true(pl_world_order(w).colours >= 0 && !w->order_stale); }

// ---- packed ----------------------------------------------------------------------------------------------------------

static bool in_table(const state *s, size_t member)
{
    for (packed_walk w = PACKED_WALK; packed_next(&w);)
        if (packed_member(&w) == member)
            return true;
    (void)s;
    return false;
}

// Whatever in a state points into what is packed is a column: else it would point nowhere on a device.
static void every_pointer_is_a_column(void **unused)
{
    (void)unused;
    for (int i = 0; i < SAMPLES; i++)
    {
        pl_world *w = open_sample(&samples[i]);
        compiled(w);
        for (size_t at = 0; at + sizeof(char *) <= sizeof w->state; at += sizeof(char *))
        {
            uintptr_t value, low = (uintptr_t)w->packing;
            memcpy(&value, (char *)&w->state + at, sizeof value);
            if (value >= low && value < low + (uintptr_t)w->packing_used && !in_table(&w->state, at))
                fail_msg("%s: byte %zu of a state points into what is packed and is no column", samples[i].name, at);
        }
        pl_world_destroy(w);
    }
}

// Columns lie in their order, one behind the other, and each has something in it in some world.
static void columns_lie_apart(void **unused)
{
    (void)unused;
    bool filled[PACKED_COLUMNS] = {0};
    for (int i = 0; i < SAMPLES; i++)
    {
        pl_world *w = open_sample(&samples[i]);
        compiled(w);
        const char *end = w->packing;
        for (packed_walk p = PACKED_WALK; packed_next(&p);)
        {
            const char *array = packed_get(&w->state, &p);
            if (packed_items(&w->state, &p) < 0)
            {
                assert_null(array);
                continue;
            }
            if (array < end || array + packed_bytes(&w->state, &p) > w->packing + w->packing_used)
                fail_msg("%s: %s lies where another does", samples[i].name, packed_columns[p.column].name);
            end = array + packed_bytes(&w->state, &p);
            filled[p.column] |= packed_bytes(&w->state, &p) > 0;
        }
        pl_world_destroy(w);
    }
    for (int c = 0; c < PACKED_COLUMNS; c++)
        if (!filled[c])
            fail_msg("no world of this test has anything in %s", packed_columns[c].name);
}

static char *copy_packing(const pl_world *w)
{
    char *copy = malloc((size_t)w->packing_used);
    assert_non_null(copy);
    memcpy(copy, w->packing, (size_t)w->packing_used);
    return copy;
}

// Stages write what the table says, and nothing else.
static void frames_change_what_they_may(void **unused)
{
    (void)unused;
    bool changed[PACKED_COLUMNS] = {0};
    for (int i = 0; i < SAMPLES; i++)
    {
        pl_world *w = open_sample(&samples[i]);
        for (int frame = 0; frame < FRAMES; frame++)
        {
            compiled(w);
            char *before = copy_packing(w);
            const state was = w->state;
            int64_t torn = pl_world_tears(w).broken;
            play(w, 1);
            bool same = w->state.rows[0].index[0] == was.rows[0].index[0] && !w->order_stale && !w->groups_stale &&
                        torn == pl_world_tears(w).broken;
            for (packed_walk p = PACKED_WALK; same && packed_next(&p);)
            {
                const char *array = packed_get(&w->state, &p);
                bool equal = !packed_bytes(&w->state, &p) ||
                             memcmp(before + (array - w->packing), array, packed_bytes(&w->state, &p)) == 0;
                changed[p.column] |= !equal;
                if (!equal && packed_life(&w->state, &p) == LIFE_FIXED)
                    fail_msg("%s: a frame has changed %s, which is fixed", samples[i].name,
                             packed_columns[p.column].name);
            }
            free(before);
        }
        pl_world_destroy(w);
    }
    for (int c = 0; c < PACKED_COLUMNS; c++)
        if (!changed[c] && packed_columns[c].life >= LIFE_MULTIPLIER)
            fail_msg("no frame of this test has changed %s", packed_columns[c].name);
}

// What is scratch may hold anything before a frame; so may what a failed frame goes back to.
static void scratch_is_written_first(void **unused)
{
    (void)unused;
    for (int i = 0; i < SAMPLES; i++)
    {
        pl_world *w = open_sample(&samples[i]), *other = open_sample(&samples[i]);
        for (int frame = 0; frame < FRAMES; frame++)
        {
            play(w, 1);
            compiled(other);
            for (packed_walk p = PACKED_WALK; packed_next(&p);)
                if (packed_life(&other->state, &p) == LIFE_SCRATCH || packed_life(&other->state, &p) == LIFE_SAFE)
                    memset(packed_get(&other->state, &p), 0xff, packed_bytes(&other->state, &p));
            for (int a = 0; a < SLOT_ARRAYS; a++)
                if (slot_columns[a].undo >= 0)
                    memset(other->state.slot[slot_columns[a].undo], 0xff, 16 * (size_t)other->state.slots);
            play(other, 1);
            if (pl_world_hash(w) != pl_world_hash(other))
                fail_msg("%s: frame %d has read what was to be scratch", samples[i].name, frame);
        }
        pl_world_destroy(w);
        pl_world_destroy(other);
    }
}

// ---- model -----------------------------------------------------------------------------------------------------------

static int kinds_of(const model_column *c) { return c->owner == MODEL_OF_ROWS ? PL_KIND_COUNT : 1; }

// All of a model's columns, as they are while nothing is packed.
typedef struct model_copy
{
    char *bytes[MODEL_COLUMNS][PL_KIND_COUNT];
    size_t size[MODEL_COLUMNS][PL_KIND_COUNT];
    float *slot[SLOT_ARRAYS];
} model_copy;

static void copy_model(pl_world *w, model_copy *m)
{
    good(unpack_world(w));
    w->volumes.triangle_count = w->volumes.count ? w->volumes.start[w->volumes.count] : 0;
    for (int c = 0; c < MODEL_COLUMNS; c++)
        for (int k = 0; k < kinds_of(&model_columns[c]); k++)
        {
            const char *array = columns_array(w, c, k);
            int64_t items = array ? columns_items(w, model_columns[c].domain, k) : 0;
            m->size[c][k] = (size_t)(items * columns_width(c, k)) * model_columns[c].bytes;
            m->bytes[c][k] = malloc(m->size[c][k] + 1);
            assert_non_null(m->bytes[c][k]);
            if (m->size[c][k])
                memcpy(m->bytes[c][k], array, m->size[c][k]);
        }
    for (int a = 0; a < SLOT_ARRAYS; a++)
    {
        m->slot[a] = malloc(16 * (size_t)w->used + 1);
        assert_non_null(m->slot[a]);
        memcpy(m->slot[a], w->state.slot[a], 16 * (size_t)w->used);
    }
}

static void free_model(model_copy *m)
{
    for (int c = 0; c < MODEL_COLUMNS; c++)
        for (int k = 0; k < kinds_of(&model_columns[c]); k++)
            free(m->bytes[c][k]);
    for (int a = 0; a < SLOT_ARRAYS; a++)
        free(m->slot[a]);
}

static bool same_column(const model_copy *a, const model_copy *b, int c)
{
    for (int k = 0; k < kinds_of(&model_columns[c]); k++)
        if (a->size[c][k] != b->size[c][k] || memcmp(a->bytes[c][k], b->bytes[c][k], a->size[c][k]) != 0)
            return false;
    return true;
}

static void saved_columns_survive(void **unused)
{
    (void)unused;
    bool filled[MODEL_COLUMNS] = {0};
    for (int i = 0; i < SAMPLES; i++)
    {
        pl_world *w = open_sample(&samples[i]), *loaded;
        pl_world_def def = small_def(1, 1);
        model_copy before, after;
        play(w, FRAMES);
        picture p = picture_of(w);
        good(pl_world_load_memory(&def, p.data, p.size, &loaded));
        copy_model(w, &before);
        copy_model(loaded, &after);
        for (int c = 0; c < MODEL_COLUMNS; c++)
        {
            for (int k = 0; k < kinds_of(&model_columns[c]); k++)
                filled[c] |= before.size[c][k] > 0;
            if (model_columns[c].saved && !same_column(&before, &after, c))
                fail_msg("%s: %s is not what it was", samples[i].name, model_columns[c].name);
        }
        for (int a = 0; a < SLOT_ARRAYS; a++)
            if (slot_columns[a].saved && memcmp(before.slot[a], after.slot[a], 16 * (size_t)w->used) != 0)
                fail_msg("%s: slots' %s is not what it was", samples[i].name, slot_columns[a].name);
        free_model(&before);
        free_model(&after);
        pl_free(p.data);
        pl_world_destroy(w);
        pl_world_destroy(loaded);
    }
    for (int c = 0; c < MODEL_COLUMNS; c++)
        if (!filled[c] && model_columns[c].owner != MODEL_OF_VISUALS)
            fail_msg("no world of this test has anything in %s", model_columns[c].name);
}

// A frame that blows up leaves everything but the multipliers as it was.
static void failed_frames_are_undone(void **unused)
{
    (void)unused;
    for (int i = 0; i < SAMPLES; i++)
    {
        pl_world *w = open_sample(&samples[i]);
        const float push[3] = {3e38f, 0.0f, 0.0f};
        model_copy before, after;
        play(w, FRAMES);
        for (int number = 0; number < w->numbers.end; number++)
            if (slot_of(w, number) >= 0)
                good(pl_set(w, PL_ATTRIBUTE_FORCE, number, 1, push));
        copy_model(w, &before);
        assert_int_equal(pl_world_step(w, 1.0f / 60.0f), PL_ERROR_DIVERGED);
        copy_model(w, &after);
        for (int c = 0; c < MODEL_COLUMNS; c++)
            if (model_columns[c].saved && c != MODEL_ROWS_lambda && !same_column(&before, &after, c))
                fail_msg("%s: %s is not what it was", samples[i].name, model_columns[c].name);
        for (int a = 0; a < SLOT_ARRAYS; a++)
            if (slot_columns[a].undo >= 0 && a != SLOT_V1 &&
                memcmp(before.slot[a], after.slot[a], 16 * (size_t)w->used) != 0)
                fail_msg("%s: slots' %s is not what it was", samples[i].name, slot_columns[a].name);
        free_model(&before);
        free_model(&after);
        pl_world_destroy(w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pointer_is_a_column),   cmocka_unit_test(columns_lie_apart),
        cmocka_unit_test(frames_change_what_they_may), cmocka_unit_test(scratch_is_written_first),
        cmocka_unit_test(saved_columns_survive),       cmocka_unit_test(failed_frames_are_undone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
