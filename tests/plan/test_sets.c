// test_sets.c: what stages.def says that a stage reads and writes is true. In the built-in scenes each stage runs
//   as it is                                            nothing changes but what it writes
//   with NaNs in everything that it does not read       it writes the same
//   on half of its items, with NaNs in the particles
//   that these do not have                              it writes the same, and nothing of other particles
// The last holds for stages whose items have particles: slots, rows, tiles, chunks, clusters.
// labels: slow
// long: too
#include "support/long.h"
#include "support/support.h"

#include "resources.h"
#include "plan/fuse.h"
#include "backend/cpu/cpu.h"
#include "neighbours/contact/contacts.h"
#include "world/cpu_backend.h"

enum
{
    FRAMES = 12, // of a scene
    FEW = 4,     // when the test is short
};

typedef struct checker
{
    bool checked[OP_COUNT][PL_KIND_COUNT]; // in this frame; kind: of its rows, or 0
    int seen[OP_COUNT][PL_KIND_COUNT], halves[OP_COUNT];
    uint8_t *mine; // for each slot: whether the half of the items has it
    size_t mine_room;
    char *copy[3][RESOURCE_COUNT];
    size_t room[3][RESOURCE_COUNT];
    const char *scene;
} checker;

static checker all;

static size_t bytes_of(const places *p)
{
    size_t bytes = 0;
    for (int i = 0; i < p->count; i++)
        bytes += p->list[i].count * p->list[i].size;
    return bytes;
}

enum way
{
    TO_COPY,
    FROM_COPY,
    POISON,
    COMPARE,
};

enum part
{
    OTHERS, // slots that all.mine does not have
    MINE,   // slots that it has
    ALL,
};

// Goes through the pieces of each list, of all slots or of some. Returns whether all are equal.
static bool each_piece(const places *p, char *copy, int way, int part)
{
    static const uint32_t nan_bits = 0x7fc0dead;
    bool same = true;
    for (int i = 0; i < p->count; i++)
    {
        const piece_list *l = &p->list[i];
        for (size_t k = 0; k < l->count; k++, copy += copy ? l->size : 0)
        {
            char *at = l->at + k * l->stride;
            if (part != ALL && all.mine[k] != part)
                continue;
            if (way == TO_COPY)
                memcpy(copy, at, l->size);
            else if (way == FROM_COPY)
                memcpy(at, copy, l->size);
            else if (way == COMPARE)
                same &= memcmp(at, copy, l->size) == 0;
            for (size_t b = 0; way == POISON && b < l->size; b++)
                at[b] = (char)(nan_bits >> b % 4 * 8);
        }
    }
    return same;
}

static void keep_all(const state *s, int where)
{
    static places p;
    for (int r = 0; r < RESOURCE_COUNT; r++)
    {
        places_of(s, r, &p);
        size_t bytes = bytes_of(&p) + 1;
        if (bytes > all.room[where][r])
        {
            free(all.copy[where][r]);
            all.copy[where][r] = malloc(all.room[where][r] = bytes);
        }
        each_piece(&p, all.copy[where][r], TO_COPY, ALL);
    }
}

static void restore_all(const state *s, int where)
{
    static places p;
    for (int r = 0; r < RESOURCE_COUNT; r++)
    {
        places_of(s, r, &p);
        each_piece(&p, all.copy[where][r], FROM_COPY, ALL);
    }
}

static bool same_as(const state *s, int where, int r, int part)
{
    static places p;
    places_of(s, r, &p);
    return each_piece(&p, all.copy[where][r], COMPARE, part);
}

static void poison(const state *s, int r, int part)
{
    static places p;
    places_of(s, r, &p);
    each_piece(&p, NULL, POISON, part);
}

static void run_stage(pl_world *w, const stage *g, int32_t begin, int32_t end)
{
    if (begin < end)
        w->cpu.lanes->stage[g->op](&w->state, g, begin, end);
}

#define EACH_IN(set, r)                                                                                                \
    for (int r = 0; r < RESOURCE_COUNT; r++)                                                                           \
        if ((set) >> r & 1)

static void take_rows(const packed_rows *r, int32_t begin, int32_t end)
{
    for (int i = 0; i < r->arity; i++)
        for (int32_t k = begin; k < end; k++)
            all.mine[r->index[i][k] / 4] = MINE;
}

static void take_chunks(const packed_clusters *c, int32_t begin, int32_t end)
{
    for (int32_t k = c->chunk_start[begin]; k < c->chunk_start[end]; k++)
        all.mine[c->member[k] / 4] = MINE;
}

// Marks the slots that belong to the items [begin, end). Returns false if the items are of another sort.
static bool take_slots(const state *s, const stage *g, int32_t begin, int32_t end)
{
    if ((size_t)s->slots > all.mine_room)
        all.mine = realloc(all.mine, all.mine_room = (size_t)s->slots);
    memset(all.mine, OTHERS, (size_t)s->slots);
    switch (stage_of(g->op)->items)
    {
    case ITEMS_SLOTS:
        memset(all.mine + begin, MINE, (size_t)(end - begin));
        return true;
    case ITEMS_ROWS:
        take_rows(&s->rows[g->kind], begin, end);
        return true;
    case ITEMS_TILES:
        for (int32_t i = s->tile_start[begin]; i < s->tile_start[end]; i++)
            take_rows(&s->rows[s->tile_run[i].kind], s->tile_run[i].begin, s->tile_run[i].end);
        return true;
    case ITEMS_CHUNKS:
        take_chunks(&s->clusters, begin, end);
        return true;
    case ITEMS_CLUSTERS:
        take_chunks(&s->clusters, s->clusters.cluster_chunk[begin], s->clusters.cluster_chunk[end]);
        return true;
    case ITEMS_LIST_SUMS:
    {
        const packed_lists *l = &s->lists[g->op == OP_MOTION_SUM ? LISTS_OBJECTS : LISTS_COMPONENTS];
        for (int32_t j = begin; j < end; j++)
            for (int32_t k = l->chunk_start[j / MOTION_SUMS] + j % MOTION_SUMS; k < l->chunk_start[j / MOTION_SUMS + 1];
                 k += MOTION_SUMS)
                all.mine[l->member[k] / 4] = MINE;
        return true;
    }
    default:
        return false;
    }
}

// On the first half of the items alone.
static void check_half(pl_world *w, const stage *g, int32_t begin, int32_t end)
{
    const stage_info *i = stage_of(g->op);
    const state *s = &w->state;
    bool padded = i->items == ITEMS_SLOTS || i->items == ITEMS_ROWS || i->items == ITEMS_LIST_SUMS;
    int32_t half = (end - begin) / 2 / (padded ? PAD : 1) * (padded ? PAD : 1);
    if (!half || !take_slots(s, g, begin, begin + half))
        return;
    all.halves[g->op]++;
    restore_all(s, 0);
    EACH_IN((i->reads | i->writes) & ~i->reads_others & ~i->reads_group, r)
    if (by_slot(r))
        poison(s, r, OTHERS);
    keep_all(s, 2);
    run_stage(w, g, begin, begin + half);
    EACH_IN(i->writes, r)
    {
        if (by_slot(r) && !same_as(s, 1, r, MINE))
            fail_msg("%s: %s finds another %s where other slots have NaNs", all.scene, i->name, resource_name(r));
        if (by_slot(r) && !same_as(s, 2, r, OTHERS))
            fail_msg("%s: %s writes %s of other slots", all.scene, i->name, resource_name(r));
    }
}

// The kind of rows that a stage runs over; 0 if it has no kind.
static int row_kind(const stage *g)
{
    int items = stage_of(g->op)->items;
    return items == ITEMS_ROWS || items == ITEMS_JACOBI_ROWS || items == ITEMS_JACOBI_SLOTS ? g->kind : 0;
}

static void check_stage(pl_world *w, const stage *g)
{
    const stage_info *i = stage_of(g->op);
    const state *s = &w->state;
    int32_t begin = g->range ? g->range[0] : g->begin, end = g->range ? g->range[1] : g->end;
    int kind = row_kind(g);
    if (all.checked[g->op][kind] || begin >= end)
    {
        run_stage(w, g, begin, end);
        return;
    }
    all.checked[g->op][kind] = true, all.seen[g->op][kind]++;
    keep_all(s, 0);
    run_stage(w, g, begin, end);
    EACH_IN(~stage_changes(g->op), r)
    if (!same_as(s, 0, r, ALL))
        fail_msg("%s: %s writes %s, which stages.def does not say", all.scene, i->name, resource_name(r));
    keep_all(s, 1);
    restore_all(s, 0);
    EACH_IN(~stage_accesses(g->op), r)
    poison(s, r, ALL);
    run_stage(w, g, begin, end);
    EACH_IN(stage_changes(g->op), r)
    if (!same_as(s, 1, r, ALL))
        fail_msg("%s: %s writes another %s where what it does not read is NaN", all.scene, i->name, resource_name(r));
    check_half(w, g, begin, end);
    restore_all(s, 1);
}

static void check_stages(pl_world *w, int64_t begin, int64_t end)
{
    for (int64_t i = begin; i < end; i++)
        check_stage(w, &w->plan.stages[i]);
}

// As the CPU backend runs a frame, stage by stage.
static pl_result checked_frame(pl_world *w)
{
    const plan *p = &w->plan;
    pl_result result = PL_OK;
    check_stages(w, 0, p->head);
    for (int s = 0; s < w->settings.substeps && result == PL_OK; s++)
    {
        result = has_contacts(w) ? contacts_refresh(w, s) : PL_OK;
        if (result == PL_OK)
            check_stages(w, p->head + s * p->body, p->head + (s + 1) * p->body);
    }
    if (result == PL_OK)
        check_stages(w, p->head + w->settings.substeps * p->body, p->count);
    return result;
}

// scene: NULL, or what moves the world's pins and shapes.
static void check_world(pl_world *w, const pl_scene *scene, const char *name)
{
    backend spy = cpu_backend;
    pl_result result = PL_OK;
    const int frames = is_long() || !scene ? FRAMES : FEW;
    spy.frame = checked_frame;
    all.scene = name;
    for (int frame = 0; frame < frames && result == PL_OK; frame++)
    {
        memset(all.checked, 0, sizeof all.checked);
        w->backend = frame == 0 || frame == frames - 1 ? &spy : &cpu_backend; // in between some time goes by
        if (scene)
            good(pl_scene_before_step(scene, w));
        result = pl_world_step(w, scene ? pl_scene_describe(scene).dt : 1.0f / 60.0f);
    }
    w->backend = &cpu_backend;
    if (result != PL_ERROR_DIVERGED) // as some do with other settings
        good(result);
    pl_world_destroy(w);
}

static void check_scene(const char *name, int lanes, bool changed)
{
    size_t length = 0;
    const char *text = pl_builtin_scene(name, &length);
    pl_scene *scene;
    pl_world *w;
    pl_world_def def = pl_default_world_def();
    def.threads = 1, def.lanes = lanes;
    good(pl_scene_parse(text, length, name, NULL, 0, &scene));
    good(pl_scene_world(scene, &def, &w));
    if (changed)
    {
        pl_settings set = w->settings;
        set.integrator = set.integrator == PL_INTEGRATOR_BDF2 ? PL_INTEGRATOR_BDF1 : PL_INTEGRATOR_BDF2;
        set.stabilise = 1;
        set.internal_damping = 0.5f;
        set.wind.density = 1.2f;
        set.wind.velocity.x = 1.0f;
        set.sleep = true;
        good(pl_world_set_settings(w, &set));
        pl_material rubber = pl_default_material();
        rubber.restitution = 0.5f;
        good(pl_set_material(w, 0, &rubber));
    }
    check_world(w, scene, name);
    pl_scene_free(scene);
}

// A hub with more links than there are colours.
static void check_hub(void)
{
    enum
    {
        SPOKES = 100,
    };
    pl_world_def def = small_def(4, 2);
    pl_world *w;
    float x[3 * (SPOKES + 1)] = {0}, length[SPOKES];
    int32_t index[2 * SPOKES];
    uint64_t seed = 5;
    good(pl_world_create(&def, &w));
    for (int i = 0; i < SPOKES; i++)
    {
        for (int c = 0; c < 3; c++)
            x[3 * (i + 1) + c] = dice(&seed);
        index[2 * i] = 0, index[2 * i + 1] = i + 1;
        length[i] = 0.5f;
    }
    pl_particles_def particles = pl_default_particles_def();
    particles.count = SPOKES + 1;
    particles.position = x;
    particles.mass_each = 0.1f;
    good(pl_add_particles(w, &particles, NULL));
    add_rows(w, PL_KIND_DISTANCE, SPOKES, index, length, 1e-4f);
    check_world(w, NULL, "hub");
}

// Rows of every kind: some that share no particle, and so many on one particle that not all have a colour.
static void check_kinds(int lanes)
{
    enum
    {
        HUB = 100, // rows that share particle 0
        BLOCKS = HUB + 64,
        COUNT = 1 + PL_MAX_ARITY * BLOCKS,
    };
    for (int kind = 0; kind < PL_KIND_COUNT; kind++)
    {
        pl_world_def def = small_def(2, 2);
        pl_world *w;
        float x[3 * COUNT];
        int32_t every[COUNT], index[PL_MAX_ARITY * BLOCKS];
        int arity = facts_of(kind)->info.arity, wide = arity > 4 ? 8 : 4;
        uint64_t seed = 7;
        def.threads = 1, def.lanes = lanes;
        good(pl_world_create(&def, &w));
        for (int i = 0; i < COUNT;
             i++) // each four of them a tetrahedron, at the hub or at the place of its own; or a cube
            for (int c = 0; c < 3; c++)
            {
                int corner = i ? (i - 1) % wide : 0;
                bool out = wide == 4 ? corner == c + 1 : corner >> c & 1;
                x[3 * i + c] = 0.1f * dice(&seed) + (out ? 0.5f : 0.0f) +
                               (c == 0 && i > wide * HUB ? 1.0f + 0.1f * (float)((i - 1) / wide) : 0.0f);
            }
        for (int i = 0; i < COUNT; i++)
            every[i] = i;
        for (int i = 0; i < BLOCKS; i++)
            for (int k = 0; k < arity; k++)
                index[arity * i + k] = k == 0 && i < HUB ? 0 : 1 + wide * i + k;
        pl_particles_def particles = pl_default_particles_def();
        pl_orient_def turns = pl_default_orient_def();
        pl_id id;
        particles.count = COUNT, particles.position = x, particles.mass_each = 0.1f;
        good(pl_add_particles(w, &particles, &id));
        turns.count = COUNT, turns.particles = every, turns.radii_each = (pl_vec3){0.1f, 0.05f, 0.02f};
        good(pl_orient(w, &turns, &id));
        add_rows(w, (pl_kind)kind, BLOCKS, index, NULL, 1e-4f);
        check_world(w, NULL, facts_of(kind)->info.name);
    }
}

// Two triangles that meet, and bounce.
static void check_surfaces(void)
{
    static const float x[18] = {0.03f, 0.03f, 0.04f, 0.9f, 1.0f,  0.1f,  -0.7f, 1.1f,   0.3f,
                                -0.5f, 0.0f,  -0.4f, 0.6f, 0.01f, -0.3f, 0.0f,  -0.02f, 0.7f};
    static const float v[18] = {0, -1, 0, 0, -1, 0, 0, -1, 0}, thick[6] = {0.01f, 0.01f, 0.01f, 0.01f, 0.01f, 0.01f};
    static const int32_t index[6] = {0, 1, 2, 3, 4, 5};
    pl_world_def def = small_def(8, 2);
    pl_world *w;
    def.settings.integrator = PL_INTEGRATOR_BDF2;
    good(pl_world_create(&def, &w));
    pl_material rubber = pl_default_material();
    rubber.restitution = 0.5f;
    good(pl_set_material(w, 0, &rubber));
    pl_particles_def particles = pl_default_particles_def();
    particles.count = 6;
    particles.position = x;
    particles.velocity = v;
    particles.mass_each = 0.1f;
    good(pl_add_particles(w, &particles, NULL));
    pl_faces_def faces = pl_default_faces_def();
    faces.count = 2;
    faces.index = index;
    good(pl_add_faces(w, &faces, NULL));
    good(pl_set(w, PL_ATTRIBUTE_THICKNESS, 0, 6, thick));
    check_world(w, NULL, "surfaces");
}

// Bodies with locks, damping, torque and gravity of their own.
static void check_rigids(pl_integrator how)
{
    pl_world_def def = small_def(4, 2);
    pl_world *w;
    def.settings.integrator = how;
    def.settings.sleep = true;
    good(pl_world_create(&def, &w));
    for (int i = 0; i < 6; i++)
    {
        pl_rigid_shape shape = pl_default_rigid_shape();
        pl_rigid_def body = pl_default_rigid_def();
        pl_id id;
        shape.half.x = 0.2f;
        body.shapes = &shape, body.shape_count = 1;
        body.position.x = (float)i, body.spin = (pl_vec3){1.0f, 2.0f, 3.0f};
        body.gravity_scale = 0.1f * (float)i, body.angular_damping = 0.5f;
        body.locks = i & 1 ? PL_LOCK_Z | PL_LOCK_TURN_X : 0;
        good(pl_add_rigid(w, &body, &id));
        good(pl_set_rigid_force(w, id, (pl_vec3){1.0f, 0.0f, 0.0f}, (pl_vec3){0.0f, 1.0f, 0.0f}));
    }
    check_world(w, NULL, "rigids");
}

// Bodies that touch each other, a plane and a cloth, in a world that watches its contacts.
static void check_watched_bodies(void)
{
    pl_world *w = make_world(4, 2);
    pl_shape_def ground = pl_default_shape_def();
    pl_watch_def watch = pl_default_watch_def();
    good(pl_add_shape(w, &ground, NULL));
    good(pl_watch_contacts(w, &watch));
    for (int i = 0; i < 6; i++)
    {
        pl_rigid_shape shape = pl_default_rigid_shape();
        pl_rigid_def body = pl_default_rigid_def();
        shape.kind = i & 1 ? PL_RIGID_SPHERE : PL_RIGID_BOX;
        body.shapes = &shape, body.shape_count = 1;
        body.position = (pl_vec3){0.1f * (float)i, 0.49f + 0.98f * (float)i, 0.0f};
        good(pl_add_rigid(w, &body, NULL));
    }
    pl_cloth_def sheet = pl_default_cloth_def();
    sheet.columns = sheet.rows = 3, sheet.thickness = 0.02f, sheet.origin = (pl_vec3){-1.0f, 0.995f, -1.0f};
    sheet.u = (pl_vec3){2.0f, 0.0f, 0.0f}, sheet.v = (pl_vec3){0.0f, 0.0f, 2.0f};
    good(pl_add_cloth(w, &sheet, NULL));
    check_world(w, NULL, "watched bodies");
}

// A cloth by a solver other than the default.
static void check_solver(pl_solver solver)
{
    pl_world_def def = small_def(2, 4);
    pl_cloth_def sheet = pl_default_cloth_def();
    pl_world *w;
    def.settings.solver = solver;
    good(pl_world_create(&def, &w));
    sheet.columns = sheet.rows = 8;
    good(pl_add_cloth(w, &sheet, NULL));
    check_world(w, NULL, "solver");
}

static void sets_are_true(void **unused)
{
    (void)unused;
    const int *lanes = pl_lane_widths();
    for (int i = 0; pl_builtin_scene_name(i); i++)
        for (int changed = 0; changed < 2; changed++)
            check_scene(pl_builtin_scene_name(i), changed ? 1 : lanes[0], changed);
    check_hub();
    check_surfaces();
    check_rigids(PL_INTEGRATOR_BDF1);
    check_rigids(PL_INTEGRATOR_BDF2);
    check_watched_bodies();
    check_kinds(1);
    check_kinds(lanes[0]);
    check_solver(PL_SOLVER_JACOBI);
    check_solver(PL_SOLVER_HYBRID);
    check_solver(PL_SOLVER_CHEBYSHEV);
    check_solver(PL_SOLVER_HIERARCHY);
    check_solver(PL_SOLVER_DIRECT);
    int missing = 0;
    for (int op = 0; op < OP_COUNT; op++)
    {
        int seen = 0;
        for (int kind = 0; kind < PL_KIND_COUNT; kind++)
        {
            seen += all.seen[op][kind];
            if ((op == OP_SWEEP || op == OP_JACOBI) && kind != PL_KIND_ATTACHMENT && !all.seen[op][kind])
                print_error("no scene has the stage %s of the kind %d\n", stage_of(op)->name, kind), missing++;
        }
        if (!seen)
            print_error("no scene has the stage %s\n", stage_of(op)->name), missing++;
    }
    assert_int_equal(missing, 0);
    assert_true(all.halves[OP_SWEEP] && all.halves[OP_TILES] && all.halves[OP_MATCH_MOVE] &&
                all.halves[OP_MOTION_DAMP]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sets_are_true)};
    return cmocka_run_group_tests_name("sets", tests, NULL, NULL);
}
