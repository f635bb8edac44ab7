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
    static constexpr bool FULL = true, TRANSPOSED = false;
    heat_arrays w;
    const float *x, *d, *collision; // slot arrays

    __host__ __device__ __forceinline__ const neighbour_arrays &list() const { return w; }
    __device__ __forceinline__ neighbour_query query() const
    {
        return {x, d, collision, NULL, NULL, w.items, HEAT_NEAR, w.widest, 0.0f, NEIGHBOURS_ALL, 1};
    }
    __device__ __forceinline__ const float *moved_from() const { return x; }
    __device__ __forceinline__ int32_t slot(int32_t i) const { return w.given[i].slot; }
    __device__ __forceinline__ void open() const {}
    __device__ __forceinline__ void put(int32_t, int32_t, int32_t) const {}

    __device__ __forceinline__ void placed(int32_t sorted_index, int32_t i, int32_t slot) const
    {
        const device_heat_particle *m = w.given + i;
        float weight = d[4 * (size_t)slot + 3];
        heat_node s = {};
        s.heat = m->heat;
        s.mass = weight > 0.0f ? 1.0 / (double)weight : 0.0;
        s.rule = m->what >> 1;
        s.molten = m->what & 1;
        s.phase = phase_of(collision, slot);
        w.node[sorted_index] = s;
        w.given_index[sorted_index] = i;
    }
};

static __global__ void open_heat(const __grid_constant__ heat_arrays w)
{
    wait_for_previous_kernel();
    if (first_item() == 0)
        *w.now = heat_result{};
    open_cells(w);
}

// ---- conduction ----------------------------------------------------------------------------------------------------

// step: its number. Temperatures are double buffered.
static __device__ __forceinline__ conduction conduction_of(const heat_arrays &w, int step)
{
    conduction c = {w.rules, w.node, &w.sphere->x, w.start, w.neighbour, w.conducts, w.t, w.t + w.items};
    if (step & 1)
        c.before = w.t + w.items, c.after = w.t;
    return c;
}

static __global__ void start_heat(const __grid_constant__ heat_arrays w)
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

static __global__ void step_heat(const __grid_constant__ heat_arrays w, int step, double dt)
{
    conduction c = conduction_of(w, step);
    EACH(int32_t, i, w.items)
    conduct_step(&c, i, dt);
}

static __global__ void put_heat(const __grid_constant__ heat_arrays w)
{
    EACH(int32_t, i, w.items)
    {
        device_heat_particle *m = w.given + w.given_index[i];
        m->heat = w.node[i].heat;
        m->what = 2 * w.node[i].rule + w.node[i].molten;
    }
}

// ---- on the host ---------------------------------------------------------------------------------------------------

enum
{
    // Neighbours of a particle that are stored while they are counted; on a lattice there are 6.
    HEAT_NOTES = 12,
    HEAT_EACH = 8, // initial capacity: entries per particle
};

// Takes the memory. now: result of the last search, if it has to be run again.
static bool take_heat(device *d, const device_heat *what, const neighbour_state *now, device_error *why)
{
    heat_arrays *w = &d->heat;
    int64_t n = what->count;
    w->items = what->count;
    w->notes = HEAT_NOTES;
    if (!neighbours_grow(w, now, true, HEAT_EACH, why) ||
        !take(
            d, &d->heat_result_memory, [=](region_divider *k) { k->cut(&w->now, 1); }, why))
        return false;
    w->search = &w->now->search;
    return take(
               d, &d->heat_sorted_memory,
               [=](region_divider *k) {
                   k->cut(&w->given, n), k->cut(&w->rules, what->rule_count), k->cut(&w->hot, what->hot_count);
                   k->cut(&w->node, n), k->cut(&w->given_index, n), k->cut(&w->t, 2 * n);
                   neighbours_cut_sorted(w, true, false, k);
               },
               why) &&
           grow((void **)&d->heat_scratch_memory.at, &d->heat_scratch_memory.bytes, scratch_for((int32_t)n, 0, 0),
                why) &&
           take(
               d, &d->heat_rows_memory,
               [=](region_divider *k) {
                   neighbours_cut_pairs(w, true, k);
                   k->cut(&w->conducts, w->pair_room);
               },
               why);
}

device_heat_particle *device_heat_room(device *d, int32_t count, device_error *why)
{
    size_t bytes = (size_t)count * sizeof *d->pinned_heat;
    if (bytes <= d->pinned_heat_bytes)
        return d->pinned_heat;
    cudaFreeHost(d->pinned_heat);
    d->pinned_heat = NULL;
    d->pinned_heat_bytes = 0;
    cudaError_t injected = injected_failure();
    if (failed(injected != cudaSuccess ? injected : cudaMallocHost(&d->pinned_heat, bytes), "taking pinned memory",
               why))
        return NULL;
    d->pinned_heat_bytes = bytes;
    return d->pinned_heat;
}

static bool read_now(device *d, heat_result *now, device_error *why)
{
    TRY(cudaMemcpyAsync(now, d->heat.now, sizeof *now, cudaMemcpyDeviceToHost, d->stream), "reading heat");
    cudaError_t ended = cudaStreamSynchronize(d->stream);
    d->dead |= ended != cudaSuccess;
    TRY(ended, "reading heat");
    return true;
}

static bool send_heat(device *d, const device_heat *what, device_error *why)
{
    heat_arrays *w = &d->heat;
    w->hot_count = what->hot_count;
    w->ambient = what->ambient;
    w->widest = what->widest;
    w->shape_data = d->shape_data;
    TRY(cudaMemcpyAsync(w->given, d->pinned_heat, (size_t)what->count * sizeof *w->given, cudaMemcpyHostToDevice,
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
static bool open_list(device *d, heat_result *now, device_error *why)
{
    const heat_search c = {d->heat, d->slot[SLOT_X], d->slot[SLOT_D], d->slot[SLOT_COLLISION]};
    int64_t all = spread(d, c.w.items), cells = spread(d, table_room(c.w) / 4);
    return start(why, d->stream, false, cells > all ? cells : all, WIDE, 0, open_heat, c.w) &&
           make_neighbours(d, c, 0, d->heat_scratch_memory, d->stream, why) &&
           start(why, d->stream, false, all, WIDE, 0, start_heat, c.w) && read_now(d, now, why);
}

bool device_heat_open(device *d, const device_heat *what, double *rate, device_error *why)
{
    heat_result now = {};
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
    const heat_arrays *w = &d->heat;
    int64_t all = spread(d, w->items);
    for (int k = 0; k < steps; k++)
        if (!start(why, d->stream, false, all, WIDE, 0, step_heat, *w, k, dt))
            return false;
    if (!start(why, d->stream, false, all, WIDE, 0, put_heat, *w))
        return false;
    TRY(cudaMemcpyAsync(d->pinned_heat, w->given, (size_t)w->items * sizeof *w->given, cudaMemcpyDeviceToHost,
                        d->stream),
        "reading heat");
    cudaError_t ended = cudaStreamSynchronize(d->stream);
    d->dead |= ended != cudaSuccess;
    TRY(ended, "letting heat flow");
    return true;
}

void heat_free(device *d)
{
    cudaFree(d->heat_result_memory.at);
    cudaFree(d->heat_sorted_memory.at);
    cudaFree(d->heat_rows_memory.at);
    cudaFree(d->heat_scratch_memory.at);
    cudaFreeHost(d->pinned_heat);
}
