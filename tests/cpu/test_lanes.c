// Every kind, in every mode, gives the same bits at every lane width: random rows through the tables' own stages.
#include "support/support.h"

#include "elements/kinds.h"
#include "backend/cpu/lanes.h"

extern const lane_table lane_table_1, lane_table_4, lane_table_8, lane_table_8_vl, lane_table_16;

enum
{
    ROWS = 96,
    SLOTS = ROWS * PL_MAX_ARITY
};

typedef struct bench
{
    _Alignas(64) float x[4 * SLOTS], d[4 * SLOTS], d1[4 * SLOTS];
    _Alignas(64) uint32_t index[PL_MAX_ARITY][ROWS];
    _Alignas(64) float param[PL_MAX_PARAMS][ROWS], compliance[ROWS], damping[ROWS], stiffness[ROWS];
    _Alignas(64) float lambda[PL_MAX_PARTS * ROWS];
    _Alignas(64) float split[4 * SLOTS], delta[4 * SLOTS];
    _Alignas(64) orient_pose pose[SLOTS];
    _Alignas(64) orient_way way[SLOTS];
    _Alignas(64) frame_inertia inertia[SLOTS];
    int32_t of_slot[SLOTS];
} bench;

static int arity_of(int kind) { return pl_kind_describe((pl_kind)kind)->arity; }

// Most slots have a frame.
static void roll_frame(bench *b, int slot, uint64_t *seed)
{
    float *q[2] = {b->pose[slot].rotation, b->way[slot].middle};
    for (int i = 0; i < 2; i++)
    {
        float size = 0.0f;
        for (int c = 0; c < 4; c++)
        {
            q[i][c] = (i ? q[0][c] : 0.0f) + (i ? 0.02f : 1.0f) * dice(seed);
            size += q[i][c] * q[i][c];
        }
        for (int c = 0; c < 4; c++)
            q[i][c] /= sqrtf(size);
    }
    for (int c = 0; c < 3; c++)
    {
        b->way[slot].rotated[c] = 0.02f * dice(seed);
        b->inertia[slot].inverse[c] = 2.0f + dice(seed);
    }
    b->of_slot[slot] = slot % 7 == 0 ? -1 : slot;
}

// Where the i-th point of a row lies, about: the corners of a cube for kinds of eight points.
static float corner_of(int kind, int i, int c)
{
    static const float corner[4][3] = {{0, 0, 0}, {1, 0.1f, 0}, {0.3f, 1, 0.1f}, {0.5f, -0.9f, 0.2f}};
    return arity_of(kind) > 4 ? (float)(i >> c & 1) : corner[i][c];
}

static void roll(bench *b, int kind, bool uniform)
{
    uint64_t seed = 77 + (uint64_t)kind;
    memset(b, 0, sizeof *b);
    for (int r = 0; r < ROWS; r++)
    {
        float points[8 * PL_MAX_ARITY] = {0}, param[PL_MAX_PARAMS];
        for (int i = 0; i < arity_of(kind); i++)
        {
            int slot = (r * 37 % ROWS) * PL_MAX_ARITY + i;
            b->index[i][r] = 4 * (uint32_t)slot;
            for (int c = 0; c < 3; c++)
            {
                points[4 * i + c] =
                    kind == PL_KIND_ISOMETRIC && c == 2 ? 0.0f : corner_of(kind, i, c) + 0.3f * dice(&seed);
                b->x[4 * slot + c] = corner_of(kind, i, c) + 0.3f * dice(&seed);
                b->d[4 * slot + c] = 0.01f * dice(&seed);
                b->d1[4 * slot + c] = 0.01f * dice(&seed);
            }
            points[4 * i + 3] = 1.0f;
            b->x[4 * slot + 3] = float_of((uint32_t)(r * 104729 + slot * 7919) & 0x3fffffff);
            b->d[4 * slot + 3] = r % 11 == 0 ? 0.0f : 1.0f + 0.9f * dice(&seed);
            if (r % 13 == 0) // a dead row: all in one place
                memset(b->x + 4 * slot, 0, 3 * sizeof(float)), memset(b->d + 4 * slot, 0, 3 * sizeof(float));
            b->split[4 * slot] = (float)(1 + slot % 3);
            roll_frame(b, slot, &seed);
            if (b->of_slot[slot] >= 0)
                memcpy(points + 4 * (arity_of(kind) + i), b->pose[slot].rotation, 4 * sizeof(float));
        }
        lane_table_1.rest[kind](points, param);
        for (int i = 0; i < pl_kind_describe((pl_kind)kind)->params; i++)
            b->param[i][r] = param[i];
        b->compliance[r] = uniform ? 1e-4f : 1e-4f * (1.0f + dice(&seed));
        b->damping[r] = uniform ? 10.0f : 10.0f * (1.0f + dice(&seed));
        b->stiffness[r] = uniform ? 0.3f : 0.5f + 0.5f * dice(&seed);
        for (int part = 0; part < PL_MAX_PARTS; part++)
            b->lambda[part * ROWS + r] = 0.01f * dice(&seed);
    }
}

static void solve(const lane_table *table, bench *b, int kind, int mode, bool first, bool second, int op, bool uniform)
{
    flow f = {.smooth = second ? 3 : 0};
    substep sub = {.ahead = 0.25f};
    static struct state s;
    memset(&s, 0, sizeof s);
    s.slot[SLOT_X] = b->x;
    s.slot[SLOT_D] = b->d;
    s.slot[SLOT_D1] = b->d1;
    s.oriented =
        (packed_oriented){.count = SLOTS, .of_slot = b->of_slot, .pose = b->pose, .way = b->way, .inertia = b->inertia};
    s.h = 1.0f / 300.0f;
    s.second = second;
    s.pbd = mode == MODE_PBD;
    s.substeps = &sub;
    s.now = &f;
    packed_rows *r = &s.rows[kind];
    for (int i = 0; i < PL_MAX_ARITY; i++)
        r->index[i] = b->index[i];
    for (int i = 0; i < PL_MAX_PARAMS; i++)
    {
        r->param[i] = b->param[i];
        r->param_step[i] = 1;
    }
    r->compliance = b->compliance, r->damping = b->damping, r->stiffness = b->stiffness, r->lambda = b->lambda;
    r->compliance_step = r->damping_step = r->stiffness_step = !uniform;
    r->damped = mode == MODE_DAMPED;
    r->split = b->split, r->delta = b->delta;
    r->jacobi_end = r->lambda_step = ROWS;
    const stage g = {.op = (uint8_t)op, .kind = (uint8_t)kind, .first = first, .end = ROWS, .grain_size = PAD};
    table->stage[op](&s, &g, 0, ROWS);
}

static void same_as_one_lane(const lane_table *table)
{
    static bench start, one, wide;
    for (int kind = 0; kind < PL_KIND_COUNT; kind++)
        for (int which = 0; which < 2 * 2 * 2 * 2 * 3; which++)
        {
            bool first = which & 1, second = which & 2, uniform = which & 4;
            int op = which & 8 ? OP_JACOBI : OP_SWEEP, mode = which / 16;
            roll(&start, kind, uniform);
            one = wide = start;
            solve(&lane_table_1, &one, kind, mode, first, second, op, uniform);
            solve(table, &wide, kind, mode, first, second, op, uniform);
            if (memcmp(&one, &wide, sizeof one) != 0)
                fail_msg("%d lanes differ from one: %s, mode %d, first %d, second %d, op %d", table->lanes,
                         pl_kind_describe((pl_kind)kind)->name, mode, first, second, op);
            if (memcmp(&one, &start, sizeof one) == 0)
                fail_msg("%s, mode %d did nothing", pl_kind_describe((pl_kind)kind)->name, mode);
            for (int i = 0; i < 4 * SLOTS; i++)
                assert_true(one.d[i] - one.d[i] == 0.0f);
        }
}

static void every_kind_and_mode(void **state)
{
    (void)state;
#if defined(PL_LANES_4)
    same_as_one_lane(&lane_table_4);
#endif
#if defined(PL_LANES_8)
    if (__builtin_cpu_supports("avx2"))
        same_as_one_lane(&lane_table_8);
#endif
#if defined(PL_LANES_8_vl)
    if (lanes_of(8) == &lane_table_8_vl)
        same_as_one_lane(&lane_table_8_vl);
    else
        print_message("8 lanes on AVX-512VL: not here\n");
#endif
#if defined(PL_LANES_16)
    if (lanes_of(16))
        same_as_one_lane(&lane_table_16);
    else
        print_message("16 lanes: not here\n");
#endif
}

// measure gives C, the same at every width.
static void measures(void **unused)
{
    (void)unused;
    static bench b;
    for (int kind = 0; kind < PL_KIND_COUNT; kind++)
    {
        roll(&b, kind, false);
        static struct state s;
        memset(&s, 0, sizeof s);
        s.slot[SLOT_X] = b.x;
        s.oriented = (packed_oriented){.count = SLOTS, .of_slot = b.of_slot, .pose = b.pose};
        for (int i = 0; i < PL_MAX_ARITY; i++)
            s.rows[kind].index[i] = b.index[i];
        for (int i = 0; i < PL_MAX_PARAMS; i++)
        {
            s.rows[kind].param[i] = b.param[i];
            s.rows[kind].param_step[i] = 1;
        }
        float wanted[ROWS], got[ROWS];
        lane_table_1.measure[kind](&s, 0, ROWS, wanted);
        for (const int *lanes = pl_lane_widths(); *lanes; lanes++)
        {
            lanes_of(*lanes)->measure[kind](&s, 0, ROWS, got);
            assert_memory_equal(got, wanted, sizeof got);
        }
    }
}

// dispatch.c: widths come widest first, and each is really of that width.
static void widths(void **state)
{
    (void)state;
    const int *w = pl_lane_widths();
    for (; *w; w++)
    {
        assert_non_null(lanes_of(*w));
        assert_int_equal(lanes_of(*w)->lanes, *w);
        assert_true(w[1] < w[0]);
        assert_true(w[1] != 0 || w[0] == 1);
    }
    assert_null(lanes_of(0));
    assert_null(lanes_of(3));
    assert_null(lanes_of(-8));
    assert_non_null(lanes_best());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_and_mode),
        cmocka_unit_test(measures),
        cmocka_unit_test(widths),
    };
    return cmocka_run_group_tests_name("lanes", tests, NULL, NULL);
}
