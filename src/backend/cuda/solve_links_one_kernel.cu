// solve_links_one_kernel.cu: runs all colours of a kind of links in one kernel, in scenes with few links. One kernel
// per colour costs more than the work itself. Also, a row need not wait for a whole colour, but only for the earlier
// rows that share a point with it.
//
// A point is in at most one row of a colour, so its displacement passes from row to row in the order of the colours.
// The first row reads it from SLOT_D, and the last one writes it back there. Between them it is passed on through a
// handoff (handoff.h), with the number of rows that have had it. Between two kernels all these numbers are 0. For each
// row, `order` says for both of its points how many rows come before, and whether one follows; it is computed when rows
// have changed.
//
// Blocks claim rows in the order of the colours. So the first unfinished row has always been claimed and waits for no
// other row: the kernel terminates however few threads fit on the device.
#include "backend/cuda/links.h"
#include "backend/cuda/handoff.h"

enum
{
    ORDERED_FEWEST = 3,     // fewer colours are not worth it
    ORDERED_THREADS = 128,  // per block
    ORDERED_MOST = 1 << 14, // rows: with more, the waiting threads slow down those that work
};

// ---- order of the rows ---------------------------------------------------------------------------------------------

// Bits for one point of a row.
enum
{
    ORDER_BITS = 8,
    ORDER_LAST = 1 << 7, // no row follows
    ORDER_NONE = 0xffff, // of a row: padding
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
    find_order(const __grid_constant__ packed_rows r, const __grid_constant__ colour_list l, uint32_t outside,
               const unsigned long long *mask, uint16_t *order)
{
    EACH(int32_t, i, last_row(&l) - first_row(&l))
    {
        int32_t k = first_row(&l) + i;
        int colour = colour_at(r, l, outside, k);
        unsigned both = colour < 0 ? (unsigned)ORDER_NONE : 0;
        for (int c = 0; c < 2 && colour >= 0; c++)
        {
            unsigned long long in = mask[r.index[c][k] / 4];
            unsigned before = (unsigned)__popcll(in & ((1ull << colour) - 1));
            both |= (before | (in >> colour == 1 ? (unsigned)ORDER_LAST : 0)) << (c * ORDER_BITS);
        }
        order[i] = (uint16_t)both;
    }
}

// ---- rows ----------------------------------------------------------------------------------------------------------

struct ordered_stage : link_stage
{
    const uint16_t *order;
    float4 *handoff;
    int32_t *claims;
};

// One of a row's points.
struct handed_point
{
    uint32_t index;
    unsigned had;    // number of rows that have had it
    bool last, here; // here: the displacement is known

    __device__ __forceinline__ void open(uint32_t i, unsigned order)
    {
        index = i;
        had = order & (ORDER_LAST - 1);
        last = order & ORDER_LAST;
        here = false;
    }

    __device__ __forceinline__ void take(const ordered_stage &q, float *p)
    {
        if (here)
            return;
        point now;
        here = get_handoff(q.handoff + index / 4, had, &now);
        p[0] = now.x, p[1] = now.y, p[2] = now.z;
    }

    // Passes the displacement on to the next row, or, from the last one, writes it back to SLOT_D.
    __device__ __forceinline__ void hand_on(const ordered_stage &q, const float *p) const
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
static __device__ __forceinline__ void solve_ordered_row(const ordered_stage &q, rows_view v, handed_point a,
                                                         handed_point b, bool mine, Sweep sweep)
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
            a.hand_on(q, p);
            b.hand_on(q, p + 4);
            mine = false;
        }
    }
}

template <class Sweep> static __device__ __forceinline__ void solve_ordered_links(const ordered_stage &q, Sweep sweep)
{
    __shared__ int32_t taken;
    const uint32_t index[2] = {0, 4};
    const substep no_matter = {}; // a link reads only its points
    allow_next_kernel();
    if (threadIdx.x == 0)
        taken = atomicAdd(q.claims, 1);
    __syncthreads();
    int32_t i = taken * ORDERED_THREADS + (int32_t)threadIdx.x, k = q.begin + i;
    bool mine = k < q.end;
    k = mine ? k : q.begin;
    unsigned order = mine ? __ldg(q.order + i) : (unsigned)ORDER_NONE;
    mine = order != ORDER_NONE;
    handed_point a, b;
    a.open(__ldg(q.index[0] + k), order), b.open(__ldg(q.index[1] + k), order >> ORDER_BITS);
    float param = q.param_of(k), compliance = q.compliance_of(k);
    rows_view v = q.view(&no_matter);
    launch_args g = q.as_launch_args();
    wait_for_previous_writes();
    stamp_time(g);
    if (!substep_is_active(q.now, g))
        return;
    solve_ordered_row(q, plain_view(v, index, &param, &compliance), a, b, mine, sweep);
}

#define ORDERED_KERNEL(name, NAME, arity, writes, params, ...)                                                         \
    static __global__ void __launch_bounds__(ORDERED_THREADS)                                                          \
        run_ordered_##name(const __grid_constant__ ordered_stage q)                                                    \
    {                                                                                                                  \
        if (IS_LINK(arity, params))                                                                                    \
            solve_ordered_links(q, [](const rows_view *v) {                                                            \
                stage g = plain_stage();                                                                               \
                sweep_##name(v, &g, 0, 1);                                                                             \
            });                                                                                                        \
    }
PL_ROW_KINDS(ORDERED_KERNEL)

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
    if (l->count < ORDERED_FEWEST || rows > ORDERED_MOST)
        l->count = 0;
    return l->count;
}

static bool same_colours(const colour_list *a, const colour_list *b)
{
    return a->count == b->count && memcmp(a->colour, b->colour, (size_t)a->count * sizeof *a->colour) == 0;
}

int links_one_kernel_joins(const device *d, const stage *from, int64_t left)
{
    colour_list l;
    int count = d->link_handoffs ? list_colours(d, from, left, &l) : 0;
    return count && same_colours(&l, &d->ordered[from[0].kind].colours) && d->claims_used < d->claims_room ? count : 0;
}

// Lists the first colours of each kind, which are the same in every substep. Returns the number of kernels in a frame.
static size_t list_ordered(device *d, const plan *p)
{
    size_t kernels = 0;
    for (int k = 0; k < PL_KIND_COUNT; k++)
        d->ordered[k].colours.count = 0;
    for (int64_t i = 0; i < p->count; i++)
    {
        colour_list l, *first = &d->ordered[p->stages[i].kind].colours;
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

static size_t order_bytes(const colour_list *l)
{
    return l->count ? ((size_t)(last_row(l) - first_row(l)) * sizeof(uint16_t) + 15) / 16 * 16 : 0;
}

static bool make_order(device *d, const ordered_links *p, int kind, device_error *why)
{
    const state *s = &d->captured;
    const colour_list *l = &p->colours;
    uint32_t outside = 4 * (uint32_t)s->particles;
    unsigned long long *mask = (unsigned long long *)d->link_handoffs; // the memory of the handoffs
    int64_t rows = spread(d, last_row(l) - first_row(l));
    TRY(cudaMemsetAsync(mask, 0, sizeof *mask * (size_t)s->slots, d->stream), "finding turns");
    return start(why, d->stream, false, rows, WIDE, 0, mark_colours, s->rows[kind], *l, outside, mask) &&
           start(why, d->stream, false, rows, WIDE, 0, find_order, s->rows[kind], *l, outside,
                 (const unsigned long long *)mask, p->order);
}

// Called before a frame; does nothing unless rows have changed.
bool ready_order(device *d, device_error *why)
{
    if (d->order_ready || !d->link_handoffs)
        return true;
    for (int k = 0; k < PL_KIND_COUNT; k++)
        if (d->ordered[k].colours.count && !make_order(d, &d->ordered[k], k, why))
            return false;
    TRY(cudaMemsetAsync(d->link_handoffs, 0, sizeof *d->link_handoffs * (size_t)d->captured.slots, d->stream),
        "opening handoffs");
    d->order_ready = true;
    return true;
}

// Called before a frame is captured.
bool ready_links_one_kernel(device *d, const plan *p, device_error *why)
{
    size_t bytes = sizeof *d->link_handoffs * (size_t)d->captured.slots;
    d->link_handoffs = NULL;
    d->order_ready = false;
    d->link_kernels = d->in_cluster.count ? 0 : list_ordered(d, p);
    if (!d->link_kernels)
        return true;
    for (int k = 0; k < PL_KIND_COUNT; k++)
        bytes += order_bytes(&d->ordered[k].colours);
    if (!grow((void **)&d->link_handoff_memory.at, &d->link_handoff_memory.bytes, bytes, why))
        return false;
    d->link_handoffs = (float4 *)d->link_handoff_memory.at;
    char *at = d->link_handoff_memory.at + sizeof *d->link_handoffs * (size_t)d->captured.slots;
    for (int k = 0; k < PL_KIND_COUNT; k++)
    {
        d->ordered[k].order = (uint16_t *)at;
        at += order_bytes(&d->ordered[k].colours);
    }
    return ready_order(d, why);
}

static ordered_stage ordered_stage_of(const device *d, const launch_args *g)
{
    const ordered_links *p = &d->ordered[g->kind];
    ordered_stage q = {};
    *(link_stage *)&q = link_stage_of(d, g);
    q.begin = first_row(&p->colours), q.end = last_row(&p->colours);
    q.order = p->order, q.handoff = d->link_handoffs, q.claims = g->claims;
    return q;
}

bool launch_links_one_kernel(device *d, launch_args *g, bool early, device_error *why)
{
    static void (*const kernels[])(const ordered_stage) = {
#define ENTRY(name, ...) run_ordered_##name,
        PL_ROW_KINDS(ENTRY)
#undef ENTRY
    };
    g->claims = d->claims + d->claims_used++;
    ordered_stage q = ordered_stage_of(d, g);
    return start(why, d->stream, early, (int64_t)q.end - q.begin, ORDERED_THREADS, 0, kernels[g->kind], q);
}
