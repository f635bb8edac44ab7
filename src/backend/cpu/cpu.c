// cpu.c: runs the stages of a plan on the CPU's worker threads. Each worker takes a fixed share of every stage, so that
// the data of one iteration is still in its core's cache in the next. How a stage is shared out does not change the
// result.
#include "backend/cpu/cpu.h"
#include "backend/cpu/wave.h"
#include "core/rounding.h"

#include <string.h>
#include <time.h>

enum
{
    SMALL_STAGE = 512, // items; about a microsecond of work
};

enum walk_kind
{
    WALK_BEGIN,
    WALK_WAVE,  // a phase of a wave
    WALK_SLOTS, // stages that run slot by slot
    WALK_STAGE,
};

// The stages [at, end) of a plan that are to be run, and what the workers run now: `count` stages from `at` on.
typedef struct walk
{
    cpu *c;
    state *s;
    const plan *p;
    fuse_world world;
    int64_t at, end, count;
    pl_timing *timing;
    double since;
    int workers;
    enum walk_kind kind;
    int phase; // of a wave
} walk;

double cpu_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

// Is the stage done sooner than the workers need to share it out? Then one of them runs it alone. This makes a small
// scene as fast on many threads as on one.
static bool is_small(const stage *g)
{
    if (g->range) // groups of contacts, a hundred or more each
        return (int64_t)(g->range[1] - g->range[0]) * 128 <= SMALL_STAGE;
    int items = stage_of(g->op)->items, each = items == ITEMS_LIST_SUMS ? MOTION_CHUNK / MOTION_SUMS : 1;
    return items != ITEMS_TILES && (int64_t)(g->end - g->begin) * each <= SMALL_STAGE;
}

// Returns the first group of the first slab that begins at this group or later.
static int64_t slab_from(const packed_pairs *p, int64_t group)
{
    int32_t low = 0, high = p->slabs;
    while (low < high)
    {
        int32_t middle = low + (high - low) / 2;
        if (p->slab[4 * middle] < group)
            low = middle + 1;
        else
            high = middle;
    }
    return p->slab[4 * low];
}

static void do_share(const walk *w, const stage *g, int worker, int workers)
{
    const packed_pairs *p = &w->s->pairs;
    int64_t begin = g->range ? g->range[0] : g->begin, end = g->range ? g->range[1] : g->end;
    int64_t units = (end - begin + g->grain_size - 1) / g->grain_size;
    int64_t first = begin + units * worker / workers * g->grain_size;
    int64_t last = begin + units * (worker + 1) / workers * g->grain_size;
    if (last > end)
        last = end;
    if (g->whole_slabs && p->slab)
        first = slab_from(p, first), last = slab_from(p, last);
    if (first < last)
        w->c->lanes->stage[g->op](w->s, g, (int32_t)first, (int32_t)last);
}

// Stages that may run slot by slot are run together on one stretch of slots after another, while the stretch is in the
// cache.
static const fusion slot_loop = {FUSE_PARTICLE, 3, {OP_COMPONENT_RETURN, OP_VELOCITY, OP_FARTHEST}, 0, 0};

int64_t cpu_slot_run(const fuse_world *world, const stage *from, int64_t left)
{
    return fuse_run(&slot_loop, world, from, left, 0).count;
}

static void do_slots(const walk *w, const stage *g, int64_t count, int worker, int workers)
{
    int64_t units = (g->end + SLOT_STRETCH - 1) / SLOT_STRETCH;
    for (int64_t u = units * worker / workers; u < units * (worker + 1) / workers; u++)
    {
        int64_t begin = u * SLOT_STRETCH, end = begin + SLOT_STRETCH < g->end ? begin + SLOT_STRETCH : g->end;
        for (int64_t k = 0; k < count; k++)
            w->c->lanes->stage[g[k].op](w->s, g + k, (int32_t)begin, (int32_t)end);
    }
}

static void walk_share(void *arg, int share)
{
    PLAIN_ROUNDING;
    const walk *w = arg;
    const stage *g = &w->p->stages[w->at];
    if (w->kind == WALK_WAVE)
        wave_phase(w->c->lanes, w->s, g, w->phase, share, w->workers);
    else if (w->kind == WALK_SLOTS)
        do_slots(w, g, w->count, share, w->workers);
    else
        do_share(w, g, share, w->workers);
}

// Goes on behind the stages that have been run; their time counts where the next stage is of another group.
static void walk_on(walk *w)
{
    int group = w->p->stages[w->at + w->count - 1].group;
    w->at += w->count;
    if (w->at < w->end && w->p->stages[w->at].group == group)
        return;
    double now = cpu_now();
    w->timing->stage[group] += now - w->since;
    w->since = now;
}

// Chooses what the workers run next; runs small stages itself. false: all stages have been run.
static bool walk_next(void *arg)
{
    PLAIN_ROUNDING;
    walk *w = arg;
    if (w->kind == WALK_WAVE && ++w->phase < WAVE_PHASES)
        return true;
    if (w->kind != WALK_BEGIN)
        walk_on(w);
    for (; w->at < w->end; walk_on(w))
    {
        const stage *g = &w->p->stages[w->at];
        w->kind = WALK_WAVE, w->phase = 0;
        w->count = wave_length(w->s, w->p, w->at, w->end, w->workers);
        if (w->count)
            return true;
        w->kind = WALK_STAGE, w->count = 1;
        if (!is_small(g))
        {
            int64_t run = cpu_slot_run(&w->world, g, w->end - w->at);
            if (run > 1)
                w->kind = WALK_SLOTS, w->count = run;
            return true;
        }
        do_share(w, g, 0, 1);
    }
    return false;
}

int cpu_workers(const cpu *c) { return c->tasks.run ? c->pieces : pool_threads(c->workers); }

void cpu_walk(cpu *c, state *s, const plan *p, int64_t begin, int64_t end, pl_timing *timing)
{
    walk w = {.c = c, .s = s, .p = p, .world = fuse_world_of(s), .at = begin, .end = end, .timing = timing};
    w.since = cpu_now();
    w.workers = cpu_shares(c);
    if (!walk_next(&w))
        return;
    if (!c->tasks.run)
    {
        pool_run(c->workers, walk_share, walk_next, &w);
        return;
    }
    do
        c->tasks.run(c->tasks.user, c->pieces, walk_share, &w);
    while (walk_next(&w));
}

pl_result cpu_open(cpu *c, memory *m, int threads, int lanes, const pl_tasks *tasks)
{
    if (threads < 0 || threads > 256)
        return fail(PL_ERROR_ARGUMENT, "threads is %d; it must be from 1 to 256, or 0 for one for each core", threads);
    const lane_table *table = lanes ? lanes_of(lanes) : lanes_best();
    if (!table)
        return fail(PL_ERROR_UNSUPPORTED,
                    "this CPU or this build cannot run %d lanes; the widest that it can run is %d", lanes,
                    pl_lane_widths()[0]);
    if (threads == 0)
        threads = pool_processors();
    cpu fresh = {table, table->elements, NULL, *tasks, threads};
    pl_result result = pool_open(m, tasks->run ? 1 : threads, &fresh.workers);
    if (result == PL_OK)
        *c = fresh;
    return result;
}

void cpu_close(cpu *c, memory *m)
{
    pool_close(m, c->workers);
    c->workers = NULL;
}
