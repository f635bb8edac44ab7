// links.cu: plain links: links that are solved once in a substep and whose multipliers are not used afterwards (XPBD,
// first order, no damping). They are most of the work of a cloth or a rope. Kernels for them have less than half of the
// instructions of the general ones, and small arguments. In tiles such a row takes eight bytes; it is packed when the
// rows have changed.
#include "backend/cuda/links.h"
#include "backend/cuda/prefetch.h"
#include "backend/cuda/tile.h"

bool plain_links(const device *d, const stage *g, int kind)
{
    const packed_rows *r = &d->captured.rows[kind];
    return is_link(kind) && !d->captured.pbd && !d->captured.second && !r->damped && !r->damaged && g->first &&
           !g->keep;
}

// ---- colours -------------------------------------------------------------------------------------------------------

template <int Writes, class Sweep> static __device__ __forceinline__ void visit_links(const link_stage &q, Sweep sweep)
{
    int32_t i = q.begin + (int32_t)(blockIdx.x * THREADS + threadIdx.x), k = i < q.end ? i : q.begin;
    const uint32_t index[2] = {__ldg(q.index[0] + k), __ldg(q.index[1] + k)};
    float param = q.param_of(k), compliance = q.compliance_of(k);
    const substep no_matter = {}; // a link reads only its points
    point_copies<2> p;
    rows_view v = plain_view(q.view(&no_matter), index, &param, &compliance);
    v.d = q.d;
    launch_args g = q.as_launch_args();
    if (q.follows)
        p.load_x(q.x, index);
    wait_for_previous_rows(q.follows);
    stamp_time(g);
    if (i >= q.end || !substep_is_active(q.now, g))
        return;
    if (!q.follows)
        p.load_x(q.x, index);
    p.load_d(v, index);
    p.show(&v);
    sweep(&v);
    p.put_back(q.d, index, Writes);
}

#define LINK_KERNEL(name, NAME, arity, writes, params, ...)                                                            \
    static __global__ void __launch_bounds__(THREADS) run_links_##name(const __grid_constant__ link_stage q)           \
    {                                                                                                                  \
        if (IS_LINK(arity, params))                                                                                    \
            visit_links<writes>(q, [](const rows_view *v) {                                                            \
                stage g = plain_stage();                                                                               \
                sweep_##name(v, &g, 0, 1);                                                                             \
            });                                                                                                        \
    }
PL_ROW_KINDS(LINK_KERNEL)

bool launch_links(device *d, const launch_args *g, bool early, device_error *why)
{
    static void (*const kernels[])(const link_stage) = {
#define ENTRY(name, ...) run_links_##name,
        PL_ROW_KINDS(ENTRY)
#undef ENTRY
    };
    return start(why, d->stream, early, (int64_t)g->end - g->begin, THREADS, 0, kernels[g->kind], link_stage_of(d, g));
}

// ---- tiles ---------------------------------------------------------------------------------------------------------

extern __shared__ float4 tile_memory[];

static __device__ __forceinline__ uint16_t near_offset(const tile &t, uint32_t index)
{
    return (uint16_t)(4 * tile_index<true>((int32_t)(index / 4) - t.first));
}

static __global__ void __launch_bounds__(TILE_THREADS)
    pack_links(const __grid_constant__ state s, near_link *to, int kind)
{
    __shared__ run near_runs[TILE_RUNS];
    tile t = open_tile(&s, near_runs);
    const packed_rows *r = &s.rows[kind];
    for (int32_t n = 0; n < t.runs; n++)
        for (int32_t k = t.run[n].begin + (int32_t)threadIdx.x; k < t.run[n].end; k += TILE_THREADS)
        {
            bool real = r->index[0][k] < 4 * (uint32_t)s.particles;
            near_link l = {0, 0, r->param[0][r->param_step[0] ? k : 0]};
            if (real)
                l.one = near_offset(t, r->index[0][k]), l.other = near_offset(t, r->index[1][k]);
            to[k] = l;
        }
}

// Called before a frame is captured, and before a frame whose rows have changed.
bool ready_links(device *d, device_error *why)
{
    const state *s = &d->captured;
    int kind = d->tile_kind;
    if (d->links_ready || kind < 0 || !is_link(kind) || s->rows[kind].damaged)
        return true;
    if (!grow((void **)&d->links, &d->links_bytes, sizeof(near_link) * (size_t)s->rows[kind].jacobi_end, why) ||
        !start(why, d->stream, false, (int64_t)s->tiles * TILE_THREADS, TILE_THREADS, 0, pack_links, *s, d->links,
               kind))
        return false;
    d->links_ready = true;
    return true;
}

// A thread's rows of a colour, loaded ahead.
template <bool Soft> struct links_ahead
{
    near_link row[TILE_ROWS];
    float compliance[TILE_ROWS];

    __device__ __forceinline__ void load(const near_link *from, const float *softness, run q)
    {
        UNROLL
        for (int u = 0; u < TILE_ROWS; u++)
        {
            int32_t k = q.begin + (int32_t)(threadIdx.x + u * TILE_THREADS);
            row[u].one = row[u].other = 0;
            if (k >= q.end)
                continue;
            int2 bits = __ldg((const int2 *)from + k);
            memcpy(&row[u], &bits, sizeof bits);
            if (Soft)
                compliance[u] = __ldg(softness + k);
        }
    }
};

// Soft: each row has its own compliance.
template <bool Soft, class Sweep>
static __device__ __forceinline__ void visit_link_tile(const state &s, rows_view v, const launch_args &g,
                                                       const near_link *from, Sweep sweep)
{
    __shared__ run near_runs[TILE_RUNS];
    tile t = open_tile(&s, near_runs);
    const float *softness = v.rows.compliance;
    const float same = Soft ? 0.0f : __ldg(softness);
    links_ahead<Soft> next;
    next.load(from, softness, t.run[0]);
    tile_room *room = (tile_room *)tile_memory;
    v.x = (const float *)room->x, v.d = (float *)room->d;
    wait_for_previous_kernel();
    stamp_time(g);
    if (!substep_is_active(s.now, g))
        return;
    take_tile<true>(&s, g, t, room);
    for (int32_t r = 0; r < t.runs; r++)
    {
        links_ahead<Soft> here = next;
        run q = t.run[r];
        if (r + 1 < t.runs)
            next.load(from, softness, t.run[r + 1]);
        for (int32_t more = q.begin;; more += TILE_ROWS * TILE_THREADS)
        {
            UNROLL
            for (int u = 0; u < TILE_ROWS; u++)
                if (here.row[u].one != here.row[u].other)
                {
                    uint32_t index[2] = {here.row[u].one, here.row[u].other};
                    rows_view row_view = plain_view(v, index, &here.row[u].param, Soft ? &here.compliance[u] : &same);
                    sweep(&row_view);
                }
            q.begin = more + TILE_ROWS * TILE_THREADS;
            if (q.begin >= q.end)
                break;
            here.load(from, softness, q);
        }
        __syncthreads();
    }
    give_back<true>(&s, t, room);
}

// Thread blocks per multiprocessor: one of compute capability 7.5 holds 1,024 threads.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
#define AT_ONCE(tiles) (1024 / TILE_THREADS)
#else
#define AT_ONCE(tiles) tiles
#endif

#define LINK_TILE_KERNEL(name, NAME, arity, writes, params, ...)                                                       \
    template <bool Soft, int Tiles>                                                                                    \
    static __global__ void __launch_bounds__(TILE_THREADS, AT_ONCE(Tiles)) run_link_tiles_##name(                      \
        const __grid_constant__ state s, const __grid_constant__ launch_args g, const near_link *from)                 \
    {                                                                                                                  \
        if (IS_LINK(arity, params))                                                                                    \
            visit_link_tile<Soft>(s, view_rows(&s, PL_KIND_##NAME), g, from, [](const rows_view *v) {                  \
                stage plain = plain_stage();                                                                           \
                sweep_##name(v, &plain, 0, 1);                                                                         \
            });                                                                                                        \
    }
PL_ROW_KINDS(LINK_TILE_KERNEL)

// Four tiles per multiprocessor hide more latency. Three, with more registers each, are used where that leaves fewer
// multiprocessors idle at the end.
static bool three_at_once(const device *d, int64_t tiles)
{
    int64_t three = 3 * d->about.multiProcessorCount, four = 4 * d->about.multiProcessorCount;
    return 3 * ((tiles + three - 1) / three) <= 4 * ((tiles + four - 1) / four) && tiles < 4 * four;
}

bool launch_link_tiles(device *d, const launch_args *g, bool early, device_error *why)
{
    static void (*const kernels[][4])(const state, const launch_args, const near_link *) = {
#define ENTRY(name, ...)                                                                                               \
    {run_link_tiles_##name<false, 4>, run_link_tiles_##name<true, 4>, run_link_tiles_##name<false, 3>,                 \
     run_link_tiles_##name<true, 3>},
        PL_ROW_KINDS(ENTRY)
#undef ENTRY
    };
    int64_t tiles = (int64_t)g->end - g->begin;
    int which = (d->captured.rows[d->tile_kind].compliance_step != 0) + 2 * three_at_once(d, tiles);
    return start(why, d->stream, early, tiles * TILE_THREADS, TILE_THREADS, sizeof(tile_room),
                 kernels[d->tile_kind][which], d->captured, *g, (const near_link *)d->links);
}
