// test_fuse.c: which stages may run as one, and which fast paths the built-in scenes take on the CPU and on CUDA.
// fast_paths.txt has the latter; `test_step_fuse write` writes it anew.
#include "support/support.h"

#include "backend/cpu/wave.h"
#include "backend/cuda/schedule.h"
#include "backend/cpu/cpu.h"
#include "model/world.h"

#define TABLE PLIANT_SOURCE_DIR "/tests/plan/fast_paths.txt"

static const fuse_world plain = {R(TURN) | R(SPIN) | R(WAY) | R(TURN_SAFE), false, true};

// ---- the rule ------------------------------------------------------------------------------------------------------

static void own_items_may(void **unused)
{
    (void)unused;
    assert_true(fuse_may(&plain, FUSE_PARTICLE, OP_VELOCITY, OP_FARTHEST, 0, false));
    assert_true(fuse_may(&plain, FUSE_PARTICLE, OP_AIR, OP_PREDICT, 0, false));
    assert_true(fuse_may(&plain, FUSE_PARTICLE, OP_SHAPE_CONTACTS, OP_VELOCITY, 0, false));
    assert_true(fuse_may(&plain, FUSE_TILE, OP_PREDICT, OP_TILES, 0, false));
    assert_true(fuse_may(&plain, FUSE_CLUSTER, OP_MATCH_SOLVE, OP_MATCH_MOVE, 0, false));
    assert_true(fuse_may(&plain, FUSE_CLUSTER, OP_SHAPE_CONTACTS, OP_MATCH_SUM, 0, false));
    assert_true(fuse_may(&plain, FUSE_SLAB, OP_PREDICT, OP_PAIRS, 0, false));
    assert_true(fuse_may(&plain, FUSE_PARTICLE, OP_SHAPE_CONTACT_EVENT, OP_PAIRS_EVENT, 0, true)); // both only add
}

// Stages that change particles of others, or whose items are no part of the loop's.
static void others_items_may_not(void **unused)
{
    (void)unused;
    static const int moving[] = {OP_SWEEP,        OP_PAIRS,        OP_SURFACE,   OP_PAIRS_PART,  OP_PAIRS_BOUNCE,
                                 OP_VOLUME_MOVE,  OP_LATTICE_MOVE, OP_MATCH_SUM, OP_MATCH_SOLVE, OP_MATCH_MOVE,
                                 OP_MOTION_SOLVE, OP_JACOBI,       OP_WIND,      OP_ADVANCE,     OP_TILES};
    for (size_t i = 0; i < sizeof moving / sizeof *moving; i++)
        for (int op = 0; op < OP_COUNT; op++)
            assert_false(fuse_may(&plain, FUSE_PARTICLE, moving[i], op, 0, false));
}

// A stage that reads others' entries of what another writes.
static void reads_of_others_may_not(void **unused)
{
    (void)unused;
    // A gathered warm start reads where others' substep began, which the prediction leaves as it is.
    assert_true(fuse_may(&plain, FUSE_PARTICLE, OP_PREDICT, OP_PAIRS_WARM, 0, true));
    assert_false(fuse_may(&plain, FUSE_PARTICLE, OP_SHAPE_CONTACT_LIFT, OP_PAIRS_WARM, 0, true));
    assert_false(fuse_may(&plain, FUSE_PARTICLE, OP_VELOCITY, OP_PAIRS_WARM, 0, true));
    assert_true(fuse_may(&plain, FUSE_PARTICLE, OP_SHAPE_CONTACT_WARM, OP_PAIRS_WARM, 0, true));
    // Bodies write the ways out of them, which it reads.
    assert_false(fuse_may(&plain, FUSE_CLUSTER, OP_PAIRS_WARM, OP_MATCH_MOVE, 0, true));
    assert_true(fuse_may(&plain, FUSE_CLUSTER, OP_PAIRS_WARM, OP_MATCH_MOVE, R(NORMAL), true));
    // Multipliers of a pair belong to both of its particles.
    assert_false(fuse_may(&plain, FUSE_PARTICLE, OP_PAIRS_WARM, OP_PAIRS_EVENT, 0, true));
    // Surfaces: each slot sums what its contacts push it by.
    assert_true(fuse_may(&plain, FUSE_PARTICLE, OP_SURFACE_WARM, OP_SURFACE_BOUND, 0, false));
    assert_false(fuse_may(&plain, FUSE_PARTICLE, OP_SURFACE_BOUND, OP_SURFACE_PROBE, 0, false));
}

static void structure_decides(void **unused)
{
    (void)unused;
    fuse_world overlapping = plain, chunked = plain;
    overlapping.overlap = true;
    chunked.whole = false;
    assert_true(fuse_may(&plain, FUSE_PARTICLE, OP_VELOCITY, OP_MATCH_TURN, 0, false));
    assert_false(fuse_may(&overlapping, FUSE_PARTICLE, OP_VELOCITY, OP_MATCH_TURN, 0, false));
    assert_false(fuse_may(&overlapping, FUSE_CLUSTER, OP_SHAPE_CONTACTS, OP_MATCH_SUM, 0, false));
    assert_false(fuse_may(&chunked, FUSE_CLUSTER, OP_MATCH_SUM, OP_MATCH_SOLVE, 0, false));
}

static void order_may_change(void **unused)
{
    (void)unused;
    assert_true(fuse_commute(&plain, OP_VELOCITY, OP_MATCH_SPIN, 0));
    assert_false(fuse_commute(&plain, OP_MATCH_MOVE, OP_MATCH_SPIN, 0));
    assert_false(fuse_commute(&plain, OP_VELOCITY, OP_WIND, 0));
    assert_false(fuse_commute(&plain, OP_VELOCITY, OP_WIND, R(V)));
    assert_true(fuse_commute(&plain, OP_VELOCITY, OP_WIND, R(X) | R(V)));
    assert_true(fuse_commute(&plain, OP_PREDICT, OP_WIND, 0)); // the prediction changes displacements alone
    assert_true(fuse_commute(&plain, OP_PAIRS_EVENT, OP_SHAPE_CONTACT_EVENT, 0));
    assert_false(fuse_commute(&plain, OP_PAIRS_EVENT, OP_ADVANCE, 0));
}

// Runs follow the loop's order, and colours of a stage count once.
static void runs(void **unused)
{
    (void)unused;
    static const fusion loop = {FUSE_SLAB, 3, {OP_PREDICT, OP_PAIRS, OP_VELOCITY}, 0, 0};
    const stage in_order[] = {{.op = OP_PREDICT}, {.op = OP_PAIRS}, {.op = OP_PAIRS, .colour = 1}, {.op = OP_VELOCITY}};
    const stage back[] = {{.op = OP_PAIRS}, {.op = OP_PREDICT}};
    const stage again[] = {{.op = OP_PAIRS, .colour = 7}, {.op = OP_PAIRS}};
    assert_int_equal(fuse_run(&loop, &plain, in_order, 4, 0).count, 4);
    assert_int_equal(fuse_run(&loop, &plain, in_order, 4, 0).bits, 7);
    assert_int_equal(fuse_run(&loop, &plain, in_order, 3, 0).bits, 3);
    assert_int_equal(fuse_run(&loop, &plain, back, 2, 0).count, 1);
    assert_int_equal(fuse_run(&loop, &plain, again, 2, 0).count, 1);
    assert_int_equal(fuse_colours(in_order + 1, 3), 2);
    assert_int_equal(fuse_next_access(in_order, 4, R(V1)), 0);
    assert_int_equal(fuse_next_access(in_order + 1, 3, R(D)), 0);
}

// A stage that goes before a kernel is not forgotten, wherever that kernel begins.
static void hoisted(void **unused)
{
    (void)unused;
    stage stages[] = {
        {.op = OP_SHAPE_CONTACT_GUARD}, {.op = OP_VELOCITY}, {.op = OP_MATCH_SPIN}, {.op = OP_MATCH_TURN}};
    plan p = {.stages = stages, .count = 4, .body = 4};
    schedule_world w = {.fuse = plain, .contacts = true, .clusters = true};
    launch l[LAUNCHES_AT_ONCE];
    w.fuse.whole = false;
    int64_t i = 0;
    assert_int_equal(schedule_next(&w, &p, &i, 4, l), 2);
    assert_int_equal(i, 4);
    assert_int_equal(l[0].stage, 2);
    assert_true(l[0].hoisted && !l[0].ended);
    assert_int_equal(l[1].per_particle, PER_PARTICLE_GUARD | PER_PARTICLE_VELOCITY | PER_PARTICLE_TURN);
    w.fuse.whole = true; // found inside the clusters' kernel
    i = 0;
    assert_int_equal(schedule_next(&w, &p, &i, 4, l), 1);
}

// A stage that goes before a kernel would also go before the prediction that the kernel double buffers: such a kernel
// has none.
static void nothing_is_hoisted_over_a_lead(void **unused)
{
    (void)unused;
    stage stages[] = {{.op = OP_PREDICT},
                      {.op = OP_SHAPE_CONTACTS},
                      {.op = OP_VELOCITY},
                      {.op = OP_MATCH_SPIN},
                      {.op = OP_MATCH_TURN}};
    schedule_world w = {.fuse = plain, .contacts = true, .clusters = true};
    w.fuse.whole = false;
    for (int count = 3; count <= 5; count += 2) // without and with the stage that may go first
    {
        plan p = {.stages = stages, .count = count, .body = count};
        launch l[LAUNCHES_AT_ONCE];
        int64_t i = 0;
        assert_int_equal(schedule_next(&w, &p, &i, count, l), 1);
        assert_int_equal(i, count == 3 ? 3 : 1);
        assert_int_equal(l[0].lead, count == 3 ? PER_PARTICLE_PREDICT : 0);
        if (count == 3)
            continue;
        assert_int_equal(schedule_next(&w, &p, &i, count, l), 2);
        assert_int_equal(i, count);
        assert_true(l[0].hoisted && l[0].stage == 3);
        assert_int_equal(l[1].per_particle, PER_PARTICLE_SHAPE_CONTACTS | PER_PARTICLE_VELOCITY | PER_PARTICLE_TURN);
    }
}

// ---- the built-in scenes -------------------------------------------------------------------------------------------

typedef struct text
{
    char at[1 << 18];
    size_t length;
} text;

__attribute__((format(printf, 2, 3))) static void say(text *t, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int n = vsnprintf(t->at + t->length, sizeof t->at - t->length, format, arguments);
    va_end(arguments);
    assert_true(n >= 0 && t->length + (size_t)n < sizeof t->at);
    t->length += (size_t)n;
}

// On the CPU: runs of slots, and the wave that a pile would have if its pairs lay in slabs.
static void say_cpu(text *t, const pl_world *w)
{
    const plan *p = &w->plan;
    state s = w->state;
    fuse_world world = fuse_world_of(&s);
    s.pairs.slab = s.shape_contacts.unit = s.pairs.all;
    s.pairs.slabs = 1000, s.stretches.count = 1;
    for (int64_t i = p->head, end = p->head + p->body; i < end;)
    {
        int64_t wave = wave_length(&s, p, i, end, 1), run = cpu_slot_run(&world, p->stages + i, end - i);
        if (wave || run > 1)
            say(t, "  cpu   %s of %d: %s ... %s\n", wave ? "wave" : "run", (int)(wave ? wave : run),
                stage_of(p->stages[i].op)->name, stage_of(p->stages[i + (wave ? wave : run) - 1].op)->name);
        i += wave ? wave : run > 1 ? run : 1;
    }
}

static void say_own(text *t, const char *what, uint32_t bits)
{
    static const char *const names[] = {
#define NAME(op, bit) #bit,
        PER_PARTICLE_STAGES(NAME)
#undef NAME
    };
    if (bits)
        say(t, " %s", what);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (bits >> i & 1)
            say(t, " %s", names[i]);
}

static void say_launch(text *t, const plan *p, const launch *l, int64_t left)
{
    const stage *g = &p->stages[l->stage];
    int64_t colours = fuse_colours(g, left), alike = fuse_alike(g, left);
    bool rows = stage_of(g->op)->items == ITEMS_ROWS;
    say(t, "  cuda ");
    say_own(t, "lead", l->lead);
    say_own(t, "own", l->per_particle);
    if (!per_particle_stage(g->op))
        say(t, " %s%s", l->bodies ? "bodies " : l->joined ? "joined " : "", stage_of(g->op)->name);
    if (!l->per_particle && (rows ? alike : colours) > 1)
        say(t, " x %d", (int)(rows ? alike : colours));
    say_own(t, "after", l->after);
    say(t, "%s%s%s%s%s\n", l->joined == MATCH_JOINED_SPIN ? ", spin" : "", l->faces ? ", faces" : "",
        l->skips_velocities ? ", passing" : "", l->hoisted ? ", hoisted" : "", l->ended ? ", ended" : "");
}

// The launches of the second substep; a scene without contacts has no border between substeps. Colours that follow each
// other are one line.
static void say_cuda(text *t, const pl_world *w)
{
    const plan *p = &w->plan;
    bool hard = false;
    for (int32_t i = 0; i < w->contacts.shape_count; i++)
        hard |= w->contacts.shapes[i].def.kind > PL_SHAPE_BOX;
    schedule_world world = schedule_world_of(&w->state, has_contacts(w), has_surface(w), hard);
    bool second = w->settings.substeps > 1;
    int64_t from = p->head + (second ? p->body : 0), to = from + p->body, i = has_contacts(w) ? from : 0;
    int64_t end = has_contacts(w) && w->settings.substeps > 2 ? to : p->count;
    for (int64_t last = -1; i < end && i < to;)
    {
        launch l[LAUNCHES_AT_ONCE];
        int count = schedule_next(&world, p, &i, end, l);
        for (int n = 0; n < count; n++)
        {
            if (l[n].stage < from || l[n].stage >= to || (l[n].stage < last && !l[n].hoisted && !l[n].per_particle))
                continue;
            say_launch(t, p, &l[n], end - l[n].stage);
            const stage *g = &p->stages[l[n].stage];
            bool rows = stage_of(g->op)->items == ITEMS_ROWS;
            if (!l[n].per_particle)
                last = l[n].stage + (rows ? fuse_alike(g, end - l[n].stage) : fuse_colours(g, end - l[n].stage));
        }
    }
}

static void say_scene(text *t, const char *name)
{
    size_t length = 0;
    const char *source = pl_builtin_scene(name, &length);
    pl_scene *scene;
    pl_world *w;
    pl_world_def def = pl_default_world_def();
    def.threads = 1;
    good(pl_scene_parse(source, length, name, NULL, 0, &scene));
    good(pl_scene_world(scene, &def, &w));
    good(pl_scene_before_step(scene, w));
    good(pl_world_step(w, pl_scene_describe(scene).dt));
    say(t, "%s\n", name);
    say_cpu(t, w);
    say_cuda(t, w);
    pl_world_destroy(w);
    pl_scene_free(scene);
}

static text found, wanted;

static void find_paths(void)
{
    found.length = 0;
    say(&found, "# The stages that run as one in a substep of each built-in scene: tests/plan/test_fuse.c.\n");
    for (int i = 0; pl_builtin_scene_name(i); i++)
        say_scene(&found, pl_builtin_scene_name(i));
}

static void fast_paths(void **unused)
{
    (void)unused;
    FILE *file = fopen(TABLE, "r");
    assert_non_null(file);
    wanted.length = fread(wanted.at, 1, sizeof wanted.at - 1, file);
    wanted.at[wanted.length] = 0;
    fclose(file);
    find_paths();
    size_t line = 1, i = 0;
    for (; found.at[i] && found.at[i] == wanted.at[i]; i++)
        line += found.at[i] == '\n';
    if (found.at[i] || wanted.at[i])
        fail_msg("line %d of fast_paths.txt differs: a scene takes another path; if that was meant, run "
                 "`test_step_fuse write`",
                 (int)line);
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "write") == 0)
    {
        FILE *file = fopen(TABLE, "w");
        find_paths();
        bool written = file && fwrite(found.at, 1, found.length, file) == found.length;
        return file && fclose(file) == 0 && written ? 0 : 1;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(own_items_may),
        cmocka_unit_test(others_items_may_not),
        cmocka_unit_test(reads_of_others_may_not),
        cmocka_unit_test(structure_decides),
        cmocka_unit_test(order_may_change),
        cmocka_unit_test(runs),
        cmocka_unit_test(hoisted),
        cmocka_unit_test(nothing_is_hoisted_over_a_lead),
        cmocka_unit_test(fast_paths),
    };
    return cmocka_run_group_tests_name("fuse", tests, NULL, NULL);
}
