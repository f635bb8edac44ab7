// heat.cu: heat conduction after a frame, as on the host (neighbours/heat/conduction.c). The particles with a
// temperature are a client of the neighbour search (neighbours.h): a full list, made from their current positions. Then
// each particle sums the heat from its neighbours, step after step (kernels/heat_conduction.h). The host sends the heat
// of the particles, reads the greatest rate, and reads the heat back; positions stay on the device.
#include "backend/cuda/neighbours.h"
#include "backend/cuda/list_memory.h"

#include "kernels/heat_conduction.h"

// ---- neighbours ----------------------------------------------------------------------------------------------------

struct heat_search
{
    static constexpr bool FULL = true;
    heat_arrays w;
    const float *x, *d, *grain; // slot arrays

    __host__ __device__ __forceinline__ const neighbour_arrays &list() const { return w; }
    __device__ __forceinline__ neighbour_query query() const
    {
        return {x, d, grain, NULL, NULL, w.items, HEAT_NEAR, w.widest, 0.0f, NEIGHBOURS_ALL, 1};
    }
    __device__ __forceinline__ const float *moved_from() const { return x; }
    __device__ __forceinline__ int32_t slot(int32_t i) const { return w.told[i].slot; }
    __device__ __forceinline__ void open() const {}
    __device__ __forceinline__ void put(int32_t, int32_t, int32_t) const {}

    __device__ __forceinline__ void placed(int32_t place, int32_t i, int32_t slot) const
    {
        const device_warm *m = w.told + i;
        float weight = d[4 * (size_t)slot + 3];
        warm_spot s = {};
        s.heat = m->heat;
        s.mass = weight > 0.0f ? 1.0 / (double)weight : 0.0;
        s.rule = m->what >> 1;
        s.molten = m->what & 1;
        s.phase = phase_of(grain, slot);
        w.warm[place] = s;
        w.told_as[place] = i;
    }
};

static __global__ void open_heat(const __grid_constant__ heat_arrays w)
{
    wait_for_previous_kernel();
    if (first_item() == 0)
        *w.now = heat_told{};
    open_cells(w);
}

// ---- conduction ----------------------------------------------------------------------------------------------------

// turn: number of the step. Temperatures are double buffered.
static __device__ __forceinline__ conduction conduction_of(const heat_arrays &w, int turn)
{
    conduction c = {w.rules, w.warm, &w.spot->x, w.start, w.neighbour, w.conducts, w.t, w.t + w.items};
    if (turn & 1)
        c.before = w.t + w.items, c.after = w.t;
    return c;
}

static __global__ void open_warm(const __grid_constant__ heat_arrays w)
{
    __shared__ unsigned long long most;
    if (threadIdx.x == 0)
        most = 0;
    __syncthreads();
    conduction c = conduction_of(w, 0);
    if (!halted(w))
        EACH(int32_t, i, w.items)
        {
            conduct_open(&c, i);
            for (int32_t k = 0; k < w.hot_count; k++)
                conduct_shape(&c, w.shape_data, &w.hot[k], i);
            conduct_air(&c, i, w.ambient);
            double rate = conduct_rate(&c, i);
            if (rate > 0.0) // positive doubles compare like their bits
                atomicMax(&most, (unsigned long long)__double_as_longlong(rate));
        }
    __syncthreads();
    if (threadIdx.x == 0)
        atomicMax(&w.now->rate, most);
}

static __global__ void step_warm(const __grid_constant__ heat_arrays w, int turn, double dt)
{
    conduction c = conduction_of(w, turn);
    EACH(int32_t, i, w.items)
    conduct_step(&c, i, dt);
}

static __global__ void put_warm(const __grid_constant__ heat_arrays w)
{
    EACH(int32_t, i, w.items)
    {
        device_warm *m = w.told + w.told_as[i];
        m->heat = w.warm[i].heat;
        m->what = 2 * w.warm[i].rule + w.warm[i].molten;
    }
}

// ---- on the host ---------------------------------------------------------------------------------------------------

enum
{
    // Neighbours of a place that are stored while they are counted; on a lattice there are 6.
    HEAT_NOTES = 12,
    HEAT_EACH = 8, // initial capacity: entries per particle
};

// Takes the memory. now: result of the last search, if it has to be run again.
static bool take_heat(device *d, const device_heat *what, const neighbour_state *now, device_error *why)
{
    heat_arrays *w = &d->warm;
    int64_t n = what->count;
    w->items = what->count;
    w->notes = HEAT_NOTES;
    if (!neighbours_grow(w, now, true, HEAT_EACH, why) ||
        !take(
            d, &d->warm_told, [=](knife *k) { k->cut(&w->now, 1); }, why))
        return false;
    w->search = &w->now->search;
    return take(
               d, &d->warm_places,
               [=](knife *k) {
                   k->cut(&w->told, n), k->cut(&w->rules, what->rule_count), k->cut(&w->hot, what->hot_count);
                   k->cut(&w->warm, n), k->cut(&w->told_as, n), k->cut(&w->t, 2 * n);
                   neighbours_cut_places(w, true, k);
               },
               why) &&
           grow((void **)&d->warm_scratch.at, &d->warm_scratch.bytes, scratch_for((int32_t)n, 0, 0), why) &&
           take(
               d, &d->warm_rows,
               [=](knife *k) {
                   neighbours_cut_pairs(w, true, k);
                   k->cut(&w->conducts, w->pair_room);
               },
               why);
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

static bool read_now(device *d, heat_told *now, device_error *why)
{
    TRY(cudaMemcpyAsync(now, d->warm.now, sizeof *now, cudaMemcpyDeviceToHost, d->stream), "reading heat");
    cudaError_t ended = cudaStreamSynchronize(d->stream);
    d->dead |= ended != cudaSuccess;
    TRY(ended, "reading heat");
    return true;
}

static bool send_heat(device *d, const device_heat *what, device_error *why)
{
    heat_arrays *w = &d->warm;
    w->hot_count = what->hot_count;
    w->ambient = what->ambient;
    w->widest = what->widest;
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

// Makes the list and finds the greatest rate. now->search.trouble tells whether there was enough memory.
static bool open_list(device *d, heat_told *now, device_error *why)
{
    const heat_search c = {d->warm, d->slot[SLOT_X], d->slot[SLOT_D], d->slot[SLOT_COLLISION]};
    int64_t all = spread(d, c.w.items), cells = spread(d, table_room(c.w) / 4);
    return start(why, d->stream, false, cells > all ? cells : all, WIDE, 0, open_heat, c.w) &&
           make_neighbours(d, c, 0, d->warm_scratch, d->stream, why) &&
           start(why, d->stream, false, all, WIDE, 0, open_warm, c.w) && read_now(d, now, why);
}

bool device_heat_open(device *d, const device_heat *what, double *rate, device_error *why)
{
    heat_told now = {};
    do
        if (!take_heat(d, what, &now.search, why) || !send_heat(d, what, why) || !open_list(d, &now, why))
            return false;
    while (now.search.trouble == LISTS_SHORT);
    why->far = now.search.trouble == LISTS_FAR;
    memcpy(rate, &now.rate, sizeof *rate);
    return !why->far;
}

bool device_heat_flow(device *d, int steps, double dt, device_error *why)
{
    const heat_arrays *w = &d->warm;
    int64_t all = spread(d, w->items);
    for (int k = 0; k < steps; k++)
        if (!start(why, d->stream, false, all, WIDE, 0, step_warm, *w, k, dt))
            return false;
    if (!start(why, d->stream, false, all, WIDE, 0, put_warm, *w))
        return false;
    TRY(cudaMemcpyAsync(d->pinned_warm, w->told, (size_t)w->items * sizeof *w->told, cudaMemcpyDeviceToHost, d->stream),
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
