// wave.c: see wave.h.
#include "cpu/wave.h"

typedef struct wave
{
    const lane_table *lanes;
    state *s;
    const stage *stage; // whatever the stages need to know of the substep
    int32_t units;
} wave;

static void go(const wave *w, int op, int32_t begin, int32_t end)
{
    if (begin < end)
        w->lanes->stage[op](w->s, w->stage, begin, end);
}

static void even(const wave *w, int op, int32_t u)
{
    const int32_t *slab = w->s->pairs.slab;
    go(w, op, slab[4 * u], slab[4 * (u + 1)]);
}

static void odd(const wave *w, int op, int32_t u)
{
    if (u >= 0)
        even(w, op, w->units + u);
}

static void touches(const wave *w, int op, int32_t u)
{
    const int32_t *unit = w->s->touches.unit;
    if (unit)
        go(w, op, unit[u], unit[u + 1]);
}

static void visit(const wave *w, int32_t u)
{
    touches(w, OP_TOUCH_WARM, u);
    even(w, OP_PAIRS, u);
}

// Units [a, b), where those at b - 1 have begun.
static void run_wave(const wave *w, int32_t a, int32_t b)
{
    for (int32_t k = a; k < b; k++)
    {
        if (k < b - 1)
            even(w, OP_PAIRS_WARM, k);
        odd(w, OP_PAIRS_WARM, k - 1);
        if (k - 1 >= a)
            visit(w, k - 1);
        if (k - 2 >= a)
            odd(w, OP_PAIRS, k - 2);
        if (k - 2 > a || (k - 2 == a && a == 0))
            touches(w, OP_TOUCHES, k - 2);
    }
}

// What is left at the end of [a, b): the next stretch has begun.
static void end_wave(const wave *w, int32_t b)
{
    if (b == w->units)
        odd(w, OP_PAIRS_WARM, b - 1);
    visit(w, b - 1);
    odd(w, OP_PAIRS, b - 2);
    touches(w, OP_TOUCHES, b - 2);
    odd(w, OP_PAIRS, b - 1);
    touches(w, OP_TOUCHES, b - 1);
    if (b < w->units)
        touches(w, OP_TOUCHES, b);
    else // those of particles that are in no unit
    {
        touches(w, OP_TOUCH_WARM, b);
        touches(w, OP_TOUCHES, b);
    }
}

void wave_phase(const lane_table *lanes, state *s, const stage *first, int phase, int worker, int workers)
{
    wave w = {lanes, s, first, s->pairs.slabs / 2};
    int32_t a = (int32_t)((int64_t)w.units * worker / workers),
            b = (int32_t)((int64_t)w.units * (worker + 1) / workers);
    if (phase == 0)
        even(&w, OP_PAIRS_WARM, b - 1);
    else if (phase == 1)
        run_wave(&w, a, b);
    else
        end_wave(&w, b);
}

static int64_t skip(const plan *p, int64_t i, int64_t end, int op, int most)
{
    for (int n = 0; n < most && i < end && p->stages[i].op == op; n++)
        i++;
    return i;
}

int64_t wave_length(const state *s, const plan *p, int64_t i, int64_t end, int workers)
{
    if (!s->pairs.slab || p->stages[i].op != OP_PAIRS_WARM || s->pairs.slabs / 2 < WAVE_STRETCH * workers)
        return 0;
    int64_t warm = skip(p, i, end, OP_PAIRS_WARM, PAIR_COLOURS), begun = skip(p, warm, end, OP_TOUCH_WARM, 1);
    int64_t visited = skip(p, begun, end, OP_PAIRS, PAIR_COLOURS), last = skip(p, visited, end, OP_TOUCHES, 1);
    bool whole = warm - i == PAIR_COLOURS && visited - begun == PAIR_COLOURS && begun - warm == last - visited;
    return whole && (begun == warm || s->touches.unit) ? last - i : 0;
}
