// conduct.cu: heat flows after a frame, as on the host (world/conduct.c): those that are warm are sorted by their cells, each looks for
// everybody around it, and then each sums what its neighbours bring it, step after step (stages/conduct.h). Numbers, not particles, go to
// and fro: what is warm, and the few that the host decides by.
//
//   bounds of cells -> keys -> sorted -> places -> how many neighbours -> where each one's begin -> who they are -> the greatest rate
//
// The host waits twice, for the cells and for the rate; a list that finds no room is made again when there is more.
#include "cuda/room.h"
#include "cuda/sums.h"

#include "collide/cells.h"
#include "collide/radix.h"
#include "stages/conduct.h"

// ---- who is where --------------------------------------------------------------------------------------------------

static __global__ void forget_told(warm_told *now)
{
    for (int a = 0; a < 3; a++)
        now->bounds[a] = INT32_MAX, now->bounds[3 + a] = INT32_MIN;
    now->rows = 0;
    now->rate = 0;
}

static __global__ void find_warm_bounds(const __grid_constant__ warm_arrays w, const float *x)
{
    __shared__ int32_t low[3], high[3]; // a block's first, so that few meet at one address
    if (threadIdx.x < 3)
        low[threadIdx.x] = INT32_MAX, high[threadIdx.x] = INT32_MIN;
    __syncthreads();
    EACH(int32_t, i, w.count)
    for (int a = 0; a < 3; a++)
    {
        int32_t cell = cell_at(x[4 * (size_t)w.told[i].slot + a], w.inverse);
        atomicMin(&low[a], cell);
        atomicMax(&high[a], cell);
    }
    __syncthreads();
    if (threadIdx.x < 3)
    {
        atomicMin(w.now->bounds + threadIdx.x, low[threadIdx.x]);
        atomicMax(w.now->bounds + 3 + threadIdx.x, high[threadIdx.x]);
    }
}

static __global__ void make_warm_keys(const __grid_constant__ warm_arrays w, const float *x)
{
    EACH(int32_t, i, w.count)
    {
        int32_t cell[3];
        for (int a = 0; a < 3; a++)
            cell[a] = cell_at(x[4 * (size_t)w.told[i].slot + a], w.inverse) - w.low[a];
        w.key_in[i] = key_of_cell(cell, w.bits);
        w.value_in[i] = i;
    }
}

static __global__ void place_warm(const __grid_constant__ warm_arrays w, const float *x, const float *grain)
{
    EACH(int32_t, i, w.count)
    {
        const device_warm *m = w.told + w.value[i];
        const float *from = x + 4 * (size_t)m->slot;
        warm_spot s = {};
        s.heat = m->heat;
        s.mass = from[3] > 0.0f ? 1.0 / (double)from[3] : 0.0;
        s.rule = m->what >> 1;
        s.molten = m->what & 1;
        s.phase = phase_of(grain, m->slot);
        w.spot[i] = s;
        for (int a = 0; a < 3; a++)
            w.at[4 * (size_t)i + a] = from[a];
        w.at[4 * (size_t)i + 3] = HEAT_NEAR * grain[4 * (size_t)m->slot];
    }
}

// ---- who is near whom ----------------------------------------------------------------------------------------------

template <class Found> static __device__ __forceinline__ void each_near(const warm_arrays &w, int32_t i, Found found)
{
    const float *me = w.at + 4 * (size_t)i;
    for (int row = 1 - CELL_ROWS; row < CELL_ROWS; row++)
    {
        uint64_t middle = row_key_around(w.bits, w.key[i], row);
        for (int32_t j = first_key(w.key, 0, w.count, middle - 1); j < w.count && w.key[j] <= middle + 1; j++)
            if (spots_near(me, w.at + 4 * (size_t)j, me[3]) && j != i)
                found(j);
    }
}

static __global__ void count_near(const __grid_constant__ warm_arrays w)
{
    __shared__ unsigned long long all; // may be more than the sums below can count: then nothing is filled
    if (threadIdx.x == 0)
        all = 0;
    __syncthreads();
    EACH(int32_t, i, w.count + 1)
    {
        int32_t found = 0;
        if (i < w.count)
            each_near(w, i, [&](int32_t) { found++; });
        w.neighbours[i] = found;
        if (found)
            atomicAdd(&all, (unsigned long long)found);
    }
    __syncthreads();
    if (threadIdx.x == 0)
        atomicAdd(&w.now->rows, all);
}

struct warm_sum
{
    warm_arrays w;
    const int32_t *count;
    __device__ __forceinline__ int64_t size() const { return (int64_t)w.count + 1; }
    __device__ __forceinline__ void put(int32_t k, tally before, int32_t, bool) const { w.first[k] = (int32_t)before; }
    __device__ __forceinline__ bool skips(int64_t, int64_t) const { return false; }
};

static __global__ void fill_near(const __grid_constant__ warm_arrays w)
{
    if (w.now->rows > (unsigned long long)w.row_room)
        return;
    EACH(int32_t, i, w.count)
    {
        int32_t at = w.first[i];
        each_near(w, i, [&](int32_t j) { w.near[at++] = j; });
    }
}

// ---- flowing -------------------------------------------------------------------------------------------------------

// turn: temperatures go from one array to the other, and back.
static __device__ __forceinline__ conduction conduction_of(const warm_arrays &w, int turn)
{
    conduction c = {w.rules, w.spot, w.at, w.first, w.near, w.conducts, w.t, w.t + w.count};
    if (turn & 1)
        c.before = w.t + w.count, c.after = w.t;
    return c;
}

static __global__ void open_warm(const __grid_constant__ warm_arrays w)
{
    __shared__ unsigned long long most;
    if (threadIdx.x == 0)
        most = 0;
    __syncthreads();
    conduction c = conduction_of(w, 0);
    if (w.now->rows <= (unsigned long long)w.row_room)
        EACH(int32_t, i, w.count)
        {
            conduct_open(&c, i);
            for (int32_t k = 0; k < w.hot_count; k++)
                conduct_shape(&c, w.shape_data, &w.hot[k], i);
            conduct_air(&c, i, w.ambient);
            double rate = conduct_rate(&c, i);
            if (rate > 0.0) // then its bits are in the same order
                atomicMax(&most, (unsigned long long)__double_as_longlong(rate));
        }
    __syncthreads();
    if (threadIdx.x == 0)
        atomicMax(&w.now->rate, most);
}

static __global__ void step_warm(const __grid_constant__ warm_arrays w, int turn, double dt)
{
    conduction c = conduction_of(w, turn);
    EACH(int32_t, i, w.count)
    conduct_step(&c, i, dt);
}

static __global__ void put_warm(const __grid_constant__ warm_arrays w)
{
    EACH(int32_t, i, w.count)
    {
        device_warm *m = w.told + w.value[i];
        m->heat = w.spot[i].heat;
        m->what = 2 * w.spot[i].rule + w.spot[i].molten;
    }
}

// ---- on the host ---------------------------------------------------------------------------------------------------

static bool take_warm(device *d, const device_heat *what, device_error *why)
{
    warm_arrays *w = &d->warm;
    int64_t n = what->count;
    return take(
               d, &d->warm_told, [=](knife *k) { k->cut(&w->now, 1); }, why) &&
           take(
               d, &d->warm_places,
               [=](knife *k) {
                   k->cut(&w->told, n), k->cut(&w->rules, what->rule_count), k->cut(&w->hot, what->hot_count);
                   k->cut(&w->key_in, n), k->cut(&w->key, n), k->cut(&w->value_in, n), k->cut(&w->value, n);
                   k->cut(&w->at, 4 * n), k->cut(&w->spot, n), k->cut(&w->t, 2 * n);
                   k->cut(&w->neighbours, n + 1), k->cut(&w->first, n + 1), k->cut(&w->stretch, stretches_of(n + 1));
               },
               why) &&
           grow((void **)&d->warm_scratch.at, &d->warm_scratch.bytes, scratch_for((int32_t)n, 0, 0), why);
}

enum
{
    WARM_ROWS = INT32_MAX / 8, // of neighbours, at most
};

static bool take_rows(device *d, int64_t room, device_error *why)
{
    warm_arrays *w = &d->warm;
    w->row_room = 0;
    if (!take(
            d, &d->warm_rows, [=](knife *k) { k->cut(&w->near, room), k->cut(&w->conducts, room); }, why))
        return false;
    w->row_room = (int32_t)room;
    return true;
}

device_warm *device_heat_room(device *d, int32_t count, device_error *why)
{
    size_t bytes = (size_t)count * sizeof *d->pinned_warm;
    if (bytes <= d->pinned_warm_bytes)
        return d->pinned_warm;
    cudaFreeHost(d->pinned_warm);
    d->pinned_warm = NULL;
    d->pinned_warm_bytes = 0;
    cudaError_t told = told_to_fail();
    if (failed(told != cudaSuccess ? told : cudaMallocHost(&d->pinned_warm, bytes), "taking pinned memory", why))
        return NULL;
    d->pinned_warm_bytes = bytes;
    return d->pinned_warm;
}

static bool read_now(device *d, warm_told *now, device_error *why)
{
    TRY(cudaMemcpyAsync(now, d->warm.now, sizeof *now, cudaMemcpyDeviceToHost, d->stream), "reading heat");
    cudaError_t ended = cudaStreamSynchronize(d->stream);
    d->dead |= ended != cudaSuccess;
    TRY(ended, "reading heat");
    return true;
}

static bool send_warm(device *d, const device_heat *what, device_error *why)
{
    warm_arrays *w = &d->warm;
    w->count = what->count;
    w->hot_count = what->hot_count;
    w->ambient = what->ambient;
    w->inverse = 1.0 / (double)cell_size(what->widest, 0.0f);
    w->shape_data = d->shape_data;
    TRY(cudaMemcpyAsync(w->told, d->pinned_warm, (size_t)what->count * sizeof *w->told, cudaMemcpyHostToDevice,
                        d->stream),
        "sending heat");
    TRY(cudaMemcpyAsync(w->rules, what->rules, (size_t)what->rule_count * sizeof *w->rules, cudaMemcpyHostToDevice,
                        d->stream),
        "sending heat");
    TRY(cudaMemcpyAsync(w->hot, what->hot, (size_t)what->hot_count * sizeof *w->hot, cudaMemcpyHostToDevice, d->stream),
        "sending heat");
    return true;
}

// The cells from the least to the greatest, as in collide/grid.c. False: beyond what can be numbered.
static bool number_cells(warm_arrays *w, const warm_told *now)
{
    int all = 0;
    for (int a = 0; a < 3; a++)
    {
        w->low[a] = now->bounds[a] - 1;
        all += w->bits[a] = cell_bits((int64_t)now->bounds[3 + a] - w->low[a] + 1);
        if (now->bounds[3 + a] == CELL_MOST)
            return false;
    }
    return all <= KEY_BITS;
}

static bool sort_warm(device *d, device_error *why)
{
    warm_arrays *w = &d->warm;
    const float *x = d->slot[SLOT_X], *grain = d->slot[SLOT_GRAIN];
    int64_t all = spread(d, w->count);
    warm_told now;
    if (!start(why, d->stream, false, 1, 1, 0, forget_told, w->now) ||
        !start(why, d->stream, false, all, WIDE, 0, find_warm_bounds, *w, x) || !read_now(d, &now, why))
        return false;
    why->far = !number_cells(w, &now);
    return !why->far && start(why, d->stream, false, all, WIDE, 0, make_warm_keys, *w, x) &&
           sort_within(d->warm_scratch, d->stream, w->key_in, w->key, w->value_in, w->value, w->count,
                       w->bits[0] + w->bits[1] + w->bits[2], why) &&
           start(why, d->stream, false, all, WIDE, 0, place_warm, *w, x, grain) &&
           start(why, d->stream, false, spread(d, w->count + 1), WIDE, 0, count_near, *w) &&
           sum_all(d->stream, warm_sum{*w, w->neighbours}, (int64_t)w->count + 1, w->stretch, why);
}

bool device_heat_open(device *d, const device_heat *what, double *rate, device_error *why)
{
    warm_arrays *w = &d->warm;
    warm_told now;
    if (!take_warm(d, what, why) ||
        (!w->row_room &&
         !take_rows(d, 8 * (int64_t)what->count < WARM_ROWS ? 8 * (int64_t)what->count : WARM_ROWS, why)) ||
        !send_warm(d, what, why) || !sort_warm(d, why))
        return false;
    for (bool fits = false; !fits;)
    {
        int64_t all = spread(d, w->count);
        if (!start(why, d->stream, false, all, WIDE, 0, fill_near, *w) ||
            !start(why, d->stream, false, all, WIDE, 0, open_warm, *w) || !read_now(d, &now, why))
            return false;
        fits = now.rows <= (unsigned long long)w->row_room;
        why->far = now.rows > WARM_ROWS; // the host says that this is too many
        if (why->far || (!fits && !take_rows(d, (int64_t)(now.rows + now.rows / 4), why)))
            return false;
    }
    memcpy(rate, &now.rate, sizeof *rate);
    return true;
}

bool device_heat_flow(device *d, int steps, double dt, device_error *why)
{
    const warm_arrays *w = &d->warm;
    int64_t all = spread(d, w->count);
    for (int k = 0; k < steps; k++)
        if (!start(why, d->stream, false, all, WIDE, 0, step_warm, *w, k, dt))
            return false;
    if (!start(why, d->stream, false, all, WIDE, 0, put_warm, *w))
        return false;
    TRY(cudaMemcpyAsync(d->pinned_warm, w->told, (size_t)w->count * sizeof *w->told, cudaMemcpyDeviceToHost, d->stream),
        "reading heat");
    cudaError_t ended = cudaStreamSynchronize(d->stream);
    d->dead |= ended != cudaSuccess;
    TRY(ended, "letting heat flow");
    return true;
}

void heat_free(device *d)
{
    cudaFree(d->warm_told.at);
    cudaFree(d->warm_places.at);
    cudaFree(d->warm_rows.at);
    cudaFree(d->warm_scratch.at);
    cudaFreeHost(d->pinned_warm);
}
