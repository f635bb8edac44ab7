// links_one_kernel.cu: runs all colours of a kind of links in one kernel, in scenes with few links. One kernel per
// colour costs more than the work itself. Also, a row need not wait for a whole colour, but only for the earlier rows
// that share a point with it.
//
// A point is in at most one row of a colour, so its displacement passes from row to row in the order of the colours.
// The first row reads it from SLOT_D, and the last one writes it back there. Between them it is passed on through a
// handoff (handoff.h), with the number of rows that have had it. Between two kernels all these numbers are 0. For each
// row, `turn` says for both of its points how many rows come before, and whether one follows; it is computed when rows
// have changed.
//
// Blocks claim rows in the order of the colours. So the first unfinished row has always been claimed and waits for no
// other row: the kernel terminates however few threads fit on the device.
#include "backend/cuda/links.h"
#include "backend/cuda/handoff.h"

enum
{
    PASS_FEWEST = 3,     // fewer colours are not worth it
    PASS_THREADS = 128,  // per block
    PASS_MOST = 1 << 14, // rows: with more, the waiting threads slow down those that work
};

// ---- order of the rows ---------------------------------------------------------------------------------------------

// Bits for one point of a row.
enum
{
    TURN_BITS = 8,
    TURN_LAST = 1 << 7, // no row follows
    TURN_NONE = 0xffff, // of a row: padding
};

static __host__ __device__ __forceinline__ int32_t first_row(const colour_list *l) { return l->colour[0].begin; }
static __host__ __device__ __forceinline__ int32_t last_row(const colour_list *l)
{
    return l->colour[l->count - 1].end;
}

// The colour of row k; -1: it lies between two colours, or is padding.
static __device__ __forceinline__ int colour_at(const packed_rows &r, const colour_list &l, uint32_t outside, int32_t k)
{
    int c = 0;
    while (c < l.count && k >= l.colour[c].end)
        c++;
    return c < l.count && k >= l.colour[c].begin && r.index[0][k] < outside ? c : -1;
}

// Finds the colours that each point is in. There are at most 64: COLOURS_AT_ONCE.
static __global__ void __launch_bounds__(WIDE)
    mark_colours(const __grid_constant__ packed_rows r, const __grid_constant__ colour_list l, uint32_t outside,
                 unsigned long long *mask)
{
    EACH(int32_t, i, last_row(&l) - first_row(&l))
    {
        int32_t k = first_row(&l) + i;
        int colour = colour_at(r, l, outside, k);
        for (int c = 0; c < 2 && colour >= 0; c++)
            atomicOr(mask + r.index[c][k] / 4, 1ull << colour);
    }
}

// For both points of each row: the number of rows before it, and whether it is the last.
static __global__ void __launch_bounds__(WIDE)
    find_turns(const __grid_constant__ packed_rows r, const __grid_constant__ colour_list l, uint32_t outside,
               const unsigned long long *mask, uint16_t *turn)
{
    EACH(int32_t, i, last_row(&l) - first_row(&l))
    {
        int32_t k = first_row(&l) + i;
        int colour = colour_at(r, l, outside, k);
        unsigned both = colour < 0 ? (unsigned)TURN_NONE : 0;
        for (int c = 0; c < 2 && colour >= 0; c++)
        {
            unsigned long long in = mask[r.index[c][k] / 4];
            unsigned before = (unsigned)__popcll(in & ((1ull << colour) - 1));
            both |= (before | (in >> colour == 1 ? (unsigned)TURN_LAST : 0)) << (c * TURN_BITS);
        }
        turn[i] = (uint16_t)both;
    }
}

// ---- rows ----------------------------------------------------------------------------------------------------------

struct pass_stage : link_stage
{
    const uint16_t *turn;
    float4 *handoff;
    int32_t *claims;
};

// One of a row's points.
struct passed
{
    uint32_t index;
    unsigned had;    // number of rows that have had it
    bool last, here; // here: the displacement is known

    __device__ __forceinline__ void open(uint32_t i, unsigned turn)
    {
        index = i;
        had = turn & (TURN_LAST - 1);
        last = turn & TURN_LAST;
        here = false;
    }

    __device__ __forceinline__ void take(const pass_stage &q, float *p)
    {
        if (here)
            return;
        point now;
        here = get_handoff(q.handoff + index / 4, had, &now);
        p[0] = now.x, p[1] = now.y, p[2] = now.z;
    }

    // Passes the displacement on to the next row, or, from the last one, writes it back to SLOT_D.
    __device__ __forceinline__ void pass_on(const pass_stage &q, const float *p) const
    {
        point now = load_points(p);
        if (last)
            store_points(q.d + index, now);
        if (!last || had)
            put_handoff(q.handoff + index / 4, now, last ? 0 : had + 1);
    }
};

// A lane proceeds as soon as it has both points: it may wait for another lane of its warp.
template <class Sweep>
static __device__ __forceinline__ void pass_row(const pass_stage &q, rows_view v, passed a, passed b, bool mine,
                                                Sweep sweep)
{
    alignas(16) float x[8], p[8];
    if (mine)
    {
        store_points(x, load_points(q.x + a.index));
        store_points(x + 4, load_points(q.x + b.index));
        store_points(p, load_points(q.d + a.index));
        store_points(p + 4, load_points(q.d + b.index));
        a.here = a.had == 0, b.here = b.had == 0;
    }
    v.x = x, v.d = p;
    while (__any_sync(0xffffffffu, mine))
    {
        if (mine)
        {
            a.take(q, p);
            b.take(q, p + 4);
        }
        if (mine && a.here && b.here)
        {
            sweep(&v);
            a.pass_on(q, p);
            b.pass_on(q, p + 4);
            mine = false;
        }
    }
}

template <class Sweep> static __device__ __forceinline__ void pass_links(const pass_stage &q, Sweep sweep)
{
    __shared__ int32_t taken;
    const uint32_t index[2] = {0, 4};
    const substep no_matter = {}; // a link reads only its points
    allow_next_kernel();
    if (threadIdx.x == 0)
        taken = atomicAdd(q.claims, 1);
    __syncthreads();
    int32_t i = taken * PASS_THREADS + (int32_t)threadIdx.x, k = q.begin + i;
    bool mine = k < q.end;
    k = mine ? k : q.begin;
    unsigned turn = mine ? __ldg(q.turn + i) : (unsigned)TURN_NONE;
    mine = turn != TURN_NONE;
    passed a, b;
    a.open(__ldg(q.index[0] + k), turn), b.open(__ldg(q.index[1] + k), turn >> TURN_BITS);
    float param = q.param_of(k), compliance = q.compliance_of(k);
    rows_view v = q.view(&no_matter);
    launch_args g = q.as_launch_args();
    wait_for_previous_writes();
    stamp_time(g);
    if (!substep_is_active(q.now, g))
        return;
    pass_row(q, plain_view(v, index, &param, &compliance), a, b, mine, sweep);
}

#define PASS_KERNEL(name, NAME, arity, writes, params, ...)                                                            \
    static __global__ void __launch_bounds__(PASS_THREADS) run_pass_##name(const __grid_constant__ pass_stage q)       \
    {                                                                                                                  \
        if (IS_LINK(arity, params))                                                                                    \
            pass_links(q, [](const rows_view *v) {                                                                     \
                stage g = plain_stage();                                                                               \
                sweep_##name(v, &g, 0, 1);                                                                             \
            });                                                                                                        \
    }
PL_ROW_KINDS(PASS_KERNEL)

// ---- launches ------------------------------------------------------------------------------------------------------

// A point that a row only reads may be read by other rows of the colour too, so it cannot be passed from row to row.
static bool moves_both(int kind)
{
    static const bool both[] = {
#define ENTRY(name, NAME, arity, writes, params, ...) (writes) == (arity),
        PL_KINDS(ENTRY)
#undef ENTRY
    };
    return both[kind];
}

// Lists the colours from here on that are of one kind and can run in one kernel.
static int list_colours(const device *d, const stage *from, int64_t left, colour_list *l)
{
    bool able = from->op == OP_SWEEP && plain_links(d, from, from->kind) && moves_both(from->kind);
    int64_t alike = able ? fuse_alike(from, left) : 0;
    l->count = 0;
    for (int64_t i = 0; i < alike && l->count < COLOURS_AT_ONCE; i++)
    {
        const stage *g = &from[i];
        if (i > 0 && g->begin < from[i - 1].end)
            break;
        l->colour[l->count].begin = g->begin;
        l->colour[l->count++].end = g->end;
    }
    int32_t rows = l->count ? last_row(l) - first_row(l) : 0;
    if (l->count < PASS_FEWEST || rows > PASS_MOST)
        l->count = 0;
    return l->count;
}

static bool same_colours(const colour_list *a, const colour_list *b)
{
    return a->count == b->count && memcmp(a->colour, b->colour, (size_t)a->count * sizeof *a->colour) == 0;
}

int pass_joins(const device *d, const stage *from, int64_t left)
{
    colour_list l;
    int count = d->passing ? list_colours(d, from, left, &l) : 0;
    return count && same_colours(&l, &d->passes[from[0].kind].colours) && d->relays < d->relay_room ? count : 0;
}

// Lists the first colours of each kind, which are the same in every substep. Returns the number of kernels in a frame.
static size_t list_passes(device *d, const plan *p)
{
    size_t kernels = 0;
    for (int k = 0; k < PL_KIND_COUNT; k++)
        d->passes[k].colours.count = 0;
    for (int64_t i = 0; i < p->count; i++)
    {
        colour_list l, *first = &d->passes[p->stages[i].kind].colours;
        int count = list_colours(d, p->stages + i, p->count - i, &l);
        if (!count)
            continue;
        if (!first->count)
            *first = l;
        kernels++;
        i += count - 1;
    }
    return kernels;
}

static size_t turn_bytes(const colour_list *l)
{
    return l->count ? ((size_t)(last_row(l) - first_row(l)) * sizeof(uint16_t) + 15) / 16 * 16 : 0;
}

static bool make_turns(device *d, const pass_rows *p, int kind, device_error *why)
{
    const state *s = &d->captured;
    const colour_list *l = &p->colours;
    uint32_t outside = 4 * (uint32_t)s->particles;
    unsigned long long *mask = (unsigned long long *)d->passing; // the memory of the handoffs
    int64_t rows = spread(d, last_row(l) - first_row(l));
    TRY(cudaMemsetAsync(mask, 0, sizeof *mask * (size_t)s->slots, d->stream), "finding turns");
    return start(why, d->stream, false, rows, WIDE, 0, mark_colours, s->rows[kind], *l, outside, mask) &&
           start(why, d->stream, false, rows, WIDE, 0, find_turns, s->rows[kind], *l, outside,
                 (const unsigned long long *)mask, p->turn);
}

// Called before a frame; does nothing unless rows have changed.
bool ready_turns(device *d, device_error *why)
{
    if (d->turns_ready || !d->passing)
        return true;
    for (int k = 0; k < PL_KIND_COUNT; k++)
        if (d->passes[k].colours.count && !make_turns(d, &d->passes[k], k, why))
            return false;
    TRY(cudaMemsetAsync(d->passing, 0, sizeof *d->passing * (size_t)d->captured.slots, d->stream), "opening handoffs");
    d->turns_ready = true;
    return true;
}

// Called before a frame is captured.
bool ready_pass(device *d, const plan *p, device_error *why)
{
    size_t bytes = sizeof *d->passing * (size_t)d->captured.slots;
    d->passing = NULL;
    d->turns_ready = false;
    d->pass_kernels = d->small.count ? 0 : list_passes(d, p);
    if (!d->pass_kernels)
        return true;
    for (int k = 0; k < PL_KIND_COUNT; k++)
        bytes += turn_bytes(&d->passes[k].colours);
    if (!grow((void **)&d->pass_room.at, &d->pass_room.bytes, bytes, why))
        return false;
    d->passing = (float4 *)d->pass_room.at;
    char *at = d->pass_room.at + sizeof *d->passing * (size_t)d->captured.slots;
    for (int k = 0; k < PL_KIND_COUNT; k++)
    {
        d->passes[k].turn = (uint16_t *)at;
        at += turn_bytes(&d->passes[k].colours);
    }
    return ready_turns(d, why);
}

static pass_stage pass_stage_of(const device *d, const launch_args *g)
{
    const pass_rows *p = &d->passes[g->kind];
    pass_stage q = {};
    *(link_stage *)&q = link_stage_of(d, g);
    q.begin = first_row(&p->colours), q.end = last_row(&p->colours);
    q.turn = p->turn, q.handoff = d->passing, q.claims = g->claims;
    return q;
}

bool launch_pass(device *d, launch_args *g, bool early, device_error *why)
{
    static void (*const kernels[])(const pass_stage) = {
#define ENTRY(name, ...) run_pass_##name,
        PL_ROW_KINDS(ENTRY)
#undef ENTRY
    };
    g->claims = d->claims + d->relays++;
    pass_stage q = pass_stage_of(d, g);
    return start(why, d->stream, early, (int64_t)q.end - q.begin, PASS_THREADS, 0, kernels[g->kind], q);
}
