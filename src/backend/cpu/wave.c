// wave.c: runs the stages of a substep slab by slab (wave.h).
#include "backend/cpu/wave.h"
#include "plan/fuse.h"

typedef struct wave
{
    const lane_table *lanes;
    state *s;
    const stage *stage; // the first stage of the wave: every stage gets it and reads the substep from it
    int32_t units, workers;
    bool whole; // the wave includes the prediction and the velocities
} wave;

// Runs a stage on [begin, end).
static void run_stage(const wave *w, int op, int32_t begin, int32_t end)
{
    if (begin < end)
        w->lanes->stage[op](w->s, w->stage, begin, end);
}

// Runs a stage on even slab u.
static void run_even(const wave *w, int op, int32_t u)
{
    const int32_t *slab = w->s->pairs.slab;
    run_stage(w, op, slab[4 * u], slab[4 * (u + 1)]);
}

// Runs a stage on odd slab u; the odd slabs are stored behind the even ones.
static void run_odd(const wave *w, int op, int32_t u)
{
    if (u >= 0)
        run_even(w, op, w->units + u);
}

// Runs a stage on the shape contacts of unit u.
static void run_shape_contacts(const wave *w, int op, int32_t u)
{
    const int32_t *unit = w->s->shape_contacts.unit;
    if (unit)
        run_stage(w, op, unit[u], unit[u + 1]);
}

// ---- stretches of slots --------------------------------------------------------------------------------------------

static int32_t run_begin(const wave *w, int32_t worker) { return (int32_t)((int64_t)w->units * worker / w->workers); }

// Returns the worker whose run has this unit.
static int32_t owner(const wave *w, int32_t unit)
{
    int32_t worker = (int32_t)((int64_t)unit * w->workers / w->units);
    return unit >= run_begin(w, worker + 1) ? worker + 1 : worker; // corrects the rounding of the division
}

// Can a stretch be predicted in the wave of its first unit? Only if all its units are in the same worker's run, and
// none is the run's last unit, which begins before all waves.
static bool begins_inside(const wave *w, int32_t stretch)
{
    int32_t low = w->s->stretches.low[stretch], high = w->s->stretches.high[stretch];
    return high < w->units && high < run_begin(w, owner(w, low) + 1) - 1;
}

// Can a stretch get its velocities in the wave of its last unit? Not if it has a unit that end_wave finishes: the first
// of a run (except unit 0) or one of the last two.
static bool ends_inside(const wave *w, int32_t stretch)
{
    int32_t low = w->s->stretches.low[stretch], high = w->s->stretches.high[stretch];
    if (high >= w->units)
        return false;
    int32_t worker = owner(w, low), a = run_begin(w, worker), b = run_begin(w, worker + 1);
    return (low > a || a == 0) && high < b - 2;
}

static void on_stretch(const wave *w, int op, int32_t stretch)
{
    int64_t begin = (int64_t)stretch * SLOT_STRETCH, end = begin + SLOT_STRETCH;
    run_stage(w, op, (int32_t)begin, (int32_t)(end < w->s->slots ? end : w->s->slots));
}

static void end_stretch(const wave *w, int32_t stretch)
{
    on_stretch(w, OP_VELOCITY, stretch);
    on_stretch(w, OP_FARTHEST, stretch);
}

static void predict_unit(const wave *w, int32_t u)
{
    const packed_stretches *p = &w->s->stretches;
    for (int32_t i = p->low_start[u]; w->whole && i < p->low_start[u + 1]; i++)
        if (begins_inside(w, p->low_item[i]))
            on_stretch(w, OP_PREDICT, p->low_item[i]);
}

static void end_unit(const wave *w, int32_t u)
{
    const packed_stretches *p = &w->s->stretches;
    run_shape_contacts(w, OP_SHAPE_CONTACTS, u);
    for (int32_t i = p->high_start[u]; w->whole && i < p->high_start[u + 1]; i++)
        if (ends_inside(w, p->high_item[i]))
            end_stretch(w, p->high_item[i]);
}

// Predicts (before) or ends (after) the stretches that no wave does; each worker takes a share of them.
static void share_stretches(const wave *w, int worker, bool before)
{
    int32_t count = w->whole ? w->s->stretches.count : 0;
    int32_t last = (int32_t)((int64_t)count * (worker + 1) / w->workers);
    for (int32_t i = (int32_t)((int64_t)count * worker / w->workers); i < last; i++)
        if (before && !begins_inside(w, i))
            on_stretch(w, OP_PREDICT, i);
        else if (!before && !ends_inside(w, i))
            end_stretch(w, i);
}

// ---- phases --------------------------------------------------------------------------------------------------------

static void begin_unit(const wave *w, int32_t u)
{
    if (w->whole)
        run_shape_contacts(w, OP_PROBE, u);
    run_even(w, OP_PAIRS_WARM, u);
}

// Warm starts the shape contacts of unit u, then solves even slab u.
static void solve_even(const wave *w, int32_t u)
{
    run_shape_contacts(w, OP_SHAPE_CONTACT_WARM, u);
    run_even(w, OP_PAIRS, u);
}

// Runs units [a, b). Unit b - 1 has already begun, in phase 1.
static void run_wave(const wave *w, int32_t a, int32_t b)
{
    for (int32_t k = a; k < b; k++)
    {
        predict_unit(w, k);
        if (k < b - 1)
            begin_unit(w, k);
        run_odd(w, OP_PAIRS_WARM, k - 1);
        if (k - 1 >= a)
            solve_even(w, k - 1);
        if (k - 2 >= a)
            run_odd(w, OP_PAIRS, k - 2);
        if (k - 2 > a || (k - 2 == a && a == 0))
            end_unit(w, k - 2);
    }
}

// Finishes the units at the end of the run [a, b), and the first unit of the next run. All workers have run their waves
// before.
static void end_wave(const wave *w, int32_t b)
{
    if (b == w->units)
        run_odd(w, OP_PAIRS_WARM, b - 1);
    solve_even(w, b - 1);
    run_odd(w, OP_PAIRS, b - 2);
    run_shape_contacts(w, OP_SHAPE_CONTACTS, b - 2);
    run_odd(w, OP_PAIRS, b - 1);
    run_shape_contacts(w, OP_SHAPE_CONTACTS, b - 1);
    if (b == w->units) // shape contacts of particles that are in no unit
    {
        if (w->whole)
            run_shape_contacts(w, OP_PROBE, b);
        run_shape_contacts(w, OP_SHAPE_CONTACT_WARM, b);
    }
    run_shape_contacts(w, OP_SHAPE_CONTACTS, b);
}

void wave_phase(const lane_table *lanes, state *s, const stage *first, int phase, int worker, int workers)
{
    wave w = {lanes, s, first, s->pairs.slabs / 2, workers, stage_of(first->op)->items == ITEMS_SLOTS};
    int32_t a = run_begin(&w, worker), b = run_begin(&w, worker + 1);
    if (phase == 0)
        share_stretches(&w, worker, true);
    else if (phase == 1)
        begin_unit(&w, b - 1);
    else if (phase == 2)
        run_wave(&w, a, b);
    else if (phase == 3)
        end_wave(&w, b);
    else
        share_stretches(&w, worker, false);
}

// ---- the plan ------------------------------------------------------------------------------------------------------

// The stages that a wave runs for each slab, in this order.
static const fusion contact_wave = {
    FUSE_SLAB, 4, {OP_PAIRS_WARM, OP_SHAPE_CONTACT_WARM, OP_PAIRS, OP_SHAPE_CONTACTS}, 0, 0};
static const fusion whole_wave = {
    FUSE_SLAB,
    8,
    {OP_PREDICT, OP_PROBE, OP_PAIRS_WARM, OP_SHAPE_CONTACT_WARM, OP_PAIRS, OP_SHAPE_CONTACTS, OP_VELOCITY, OP_FARTHEST},
    0,
    0};

// Does the run of stages make a whole wave? It needs the stages `needed` and every colour of pairs; of shape contacts
// it needs both the warm start and the solve, or neither.
static bool is_wave(const fusion *f, fused_run r, const state *s, uint32_t needed)
{
    uint32_t pairs = fuse_bit(f, OP_PAIRS_WARM) | fuse_bit(f, OP_PAIRS), warm = fuse_bit(f, OP_SHAPE_CONTACT_WARM),
             solve = fuse_bit(f, OP_SHAPE_CONTACTS);
    bool shape_contacts = (r.bits & warm) != 0;
    int64_t stages = 2 * (PAIR_COLOURS - 1); // all colours of a stage share one bit
    for (int i = 0; i < f->count; i++)
        stages += r.bits >> i & 1;
    return !((needed | pairs) & ~r.bits) && stages == r.count && shape_contacts == ((r.bits & solve) != 0) &&
           (!shape_contacts || s->shape_contacts.unit);
}

int64_t wave_length(const state *s, const plan *p, int64_t i, int64_t end, int workers)
{
    if (!s->pairs.slab || s->pairs.slabs / 2 < WAVE_RUN * workers)
        return 0;
    fuse_world w = fuse_world_of(s);
    fused_run whole = fuse_run(&whole_wave, &w, p->stages + i, end - i, 0);
    uint32_t ends =
        fuse_bit(&whole_wave, OP_PREDICT) | fuse_bit(&whole_wave, OP_VELOCITY) | fuse_bit(&whole_wave, OP_FARTHEST);
    if (s->stretches.count && is_wave(&whole_wave, whole, s, ends))
        return whole.count;
    fused_run contacts = fuse_run(&contact_wave, &w, p->stages + i, end - i, 0);
    return is_wave(&contact_wave, contacts, s, 0) ? contacts.count : 0;
}
