// device.cu: opens and closes a device, and runs a frame on it. The physics is in the headers that the CPU compiles
// too; this backend adds only memory, launches and the graph.
#include "backend/cuda/device_internal.h"

#include "build_id.h"

#include <atomic>

static const cuda_debug no_switches = {};
const cuda_debug *debug = &no_switches;
static void device_debug_set(const cuda_debug *switches) { debug = switches; }

// Several threads may step worlds, so the counter is atomic.
cudaError_t injected_failure(void)
{
    static std::atomic<long> calls;
    if (debug->fail_at <= 0)
        return cudaSuccess;
    long call = ++calls;
    if (debug->fail_lost)
        return call < debug->fail_at ? cudaSuccess : cudaErrorLaunchFailure;
    return call == debug->fail_at ? cudaErrorMemoryAllocation : cudaSuccess;
}

bool failed(cudaError_t code, const char *what, device_error *why)
{
    if (code == cudaSuccess)
        return false;
    why->memory = code == cudaErrorMemoryAllocation;
    cudaGetLastError(); // clear the error: it is reported once
    snprintf(why->text, sizeof why->text, "CUDA: %s: %s", what, cudaGetErrorString(code));
    return true;
}

// ---- opening and closing -------------------------------------------------------------------------------------------

static bool open_device(device *d, device_error *why)
{
    int count = 0;
    cudaError_t result = cudaGetDeviceCount(&count);
    if (result == cudaErrorInsufficientDriver)
    {
        snprintf(why->text, sizeof why->text, "CUDA: this machine has no NVIDIA driver, or one older than CUDA %d.%d",
                 CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10);
        return false;
    }
    if (result != cudaErrorNoDevice)
        TRY(result, "looking for a device");
    if (count == 0)
    {
        snprintf(why->text, sizeof why->text, "CUDA: this machine has no NVIDIA GPU");
        return false;
    }
    TRY(cudaSetDevice(0), "choosing the device");
    TRY(cudaGetDeviceProperties(&d->about, 0), "asking the device");
    TRY(cudaStreamCreateWithFlags(&d->stream, cudaStreamNonBlocking), "making a stream");
    TRY(cudaStreamCreateWithFlags(&d->side, cudaStreamNonBlocking), "making a stream");
    TRY(cudaStreamCreateWithFlags(&d->deep, cudaStreamNonBlocking), "making a stream");
    TRY(cudaStreamCreateWithFlags(&d->beside, cudaStreamNonBlocking), "making a stream");
    TRY(cudaEventCreateWithFlags(&d->parted, cudaEventDisableTiming), "making an event");
    TRY(cudaEventCreateWithFlags(&d->met, cudaEventDisableTiming), "making an event");
    if (!keep_open(d, why))
        return false;
    TRY(cudaEventCreate(&d->begin), "making an event");
    TRY(cudaEventCreate(&d->end), "making an event");
    d->no_graph = debug->no_graph;
    TRY(cudaMalloc(&d->decision, sizeof *d->decision), "taking memory");
    TRY(cudaMalloc(&d->now, sizeof *d->now), "taking memory");
    TRY(cudaMalloc(&d->fields, MAX_FIELDS * sizeof *d->fields), "taking memory");
    TRY(cudaMallocHost(&d->pinned_fields, MAX_FIELDS * sizeof *d->fields), "taking pinned memory");
    TRY(cudaMallocHost(&d->pinned, sizeof *d->pinned), "taking pinned memory");
    memset(d->pinned, 0, sizeof *d->pinned);
    TRY(cudaMalloc(&d->stamps, STAMPS * sizeof *d->stamps), "taking memory");
    TRY(cudaMallocHost(&d->pinned_stamps, STAMPS * sizeof *d->stamps), "taking pinned memory");
    return true;
}

static void device_close(device *d);

static device *device_open(device_error *why)
{
    device *d = (device *)calloc(1, sizeof *d);
    if (d && open_device(d, why))
        return d;
    device_close(d);
    return NULL;
}

static void device_close(device *d)
{
    if (!d)
        return;
    if (d->stream)
        cudaStreamSynchronize(d->stream);
    drop_graph(d);
    gl_free(d);
    heat_free(d);
    cudaFree(d->packing);
    for (int a = 0; a < SLOT_ARRAYS; a++)
        cudaFree(d->slot[a]);
    cudaFree(d->faces);
    cudaFree(d->substeps);
    lists_free(d);
    surfaces_free(d);
    cudaFree(d->solids);
    cudaFree(d->placements);
    cudaFree(d->shape_data);
    cudaFree(d->stamps);
    cudaFree(d->cluster_tasks);
    cudaFree(d->links);
    cudaFree(d->link_handoff_memory.at);
    cudaFree(d->decision);
    cudaFree(d->patches);
    cudaFree(d->now);
    cudaFree(d->fields);
    cudaFreeHost(d->pinned_fields);
    cudaFreeHost(d->pinned);
    cudaFreeHost(d->pinned_stamps);
    cudaFreeHost(d->pinned_solids);
    cudaFreeHost(d->pinned_placements);
    cudaFreeHost(d->pinned_substeps);
    keep_free(d);
    if (d->begin)
        cudaEventDestroy(d->begin);
    if (d->end)
        cudaEventDestroy(d->end);
    if (d->stream)
        cudaStreamDestroy(d->stream);
    if (d->side)
        cudaStreamDestroy(d->side);
    if (d->deep)
        cudaStreamDestroy(d->deep);
    if (d->beside)
        cudaStreamDestroy(d->beside);
    if (d->parted)
        cudaEventDestroy(d->parted);
    if (d->met)
        cudaEventDestroy(d->met);
    if (d->dead)
        // Everything else on the device is lost too. A world made later may find it working again.
        cudaDeviceReset();
    free(d);
}

static const char *device_name(const device *d) { return d->about.name; }

// ---- a frame -------------------------------------------------------------------------------------------------------

// A new plan is captured together with the settings of the next frame.
static bool device_plan(device *d, const plan *p, device_error *why)
{
    int32_t last = 0;
    for (int64_t i = 0; i < p->count; i++)
        last = p->stages[i].substep > last ? p->stages[i].substep : last;
    d->plan = p;
    drop_graph(d);
    return reserve_substeps(d, (size_t)last + 1, why);
}

// Captures the graph again if the kernels' arguments have changed.
static bool ready_graph(device *d, const state *host, device_error *why)
{
    state wanted;
    memcpy(&wanted, host, sizeof wanted);
    relocate_state(d, &wanted);
    if (d->graph && memcmp(&wanted, &d->captured, sizeof wanted) == 0)
        return true;
    memcpy(&d->captured, &wanted, sizeof wanted);
    return make_graph(d, why);
}

static bool run_graph(device *d, device_error *why)
{
    TRY(cudaEventRecord(d->begin, d->stream), "timing");
    if (d->no_graph)
    {
        if (!run_stages(d, why))
            return false;
    }
    else
        TRY(cudaGraphLaunch(d->graph, d->stream), "running the frame");
    TRY(cudaEventRecord(d->end, d->stream), "timing");
    cudaError_t ended = cudaStreamSynchronize(d->stream);
    d->dead |= ended != cudaSuccess;
    TRY(ended, "running the frame");
    return true;
}

// Distributes the frame's time over the groups: the stamps give the proportions, the events the total.
static void share_time(const device *d, float total, device_times *times)
{
    const unsigned long long *at = d->pinned_stamps;
    times->total += total;
    int last = d->stamp_count - 1;
    if (last < 1 || at[last] <= at[0])
    {
        times->group[PL_STAGE_ELEMENTS] += total;
        return;
    }
    float scale = total / (float)(at[last] - at[0]);
    for (int i = 0; i < last; i++)
        times->group[d->stamp_group[i]] += scale * (float)(at[i + 1] - at[i]);
}

// A list did not fit into its memory. Once there is more, the frame continues from where it stopped.
static bool is_short(const frame_now *f)
{
    return f->lists.search.trouble == LISTS_SHORT || f->surfaces.trouble == SURFACE_SHORT;
}

static bool device_frame(device *d, const state *host, flow *now, list_now *lists, surface_now *surfaces_now,
                         device_times *times, device_error *why)
{
    memset(times, 0, sizeof *times);
    why->idle = true;
    if (!reserve_shapes(d, host, why))
        return false;
    d->pinned->go = *now;
    d->pinned->lists = *lists;
    d->pinned->surfaces = *surfaces_now;
    do
    {
        if (!lists_room(d, &d->pinned->lists, why) || !surface_room(d, &d->pinned->surfaces, why) ||
            !ready_graph(d, host, why) || !ready_links(d, why) || !ready_order(d, why) || !ready_images(d, why))
            return false;
        d->pinned->lists.search.trouble = LISTS_FIT;
        d->pinned->surfaces.trouble = SURFACE_FITS;
        memcpy(d->pinned_fields, host->fields, (size_t)host->field_count * sizeof(field));
        memcpy(d->pinned_substeps, host->substeps, d->substep_count * sizeof(substep));
        if (d->placement_count)
        {
            memcpy(d->pinned_solids, host->solids, (size_t)d->lists.shapes * sizeof(solid));
            memcpy(d->pinned_placements, host->placements, d->placement_count * sizeof(placement));
        }
        float total = 0.0f;
        why->idle = false;
        if (!run_graph(d, why))
            return false;
        TRY(cudaEventElapsedTime(&total, d->begin, d->end), "timing");
        share_time(d, total, times);
        if (is_short(d->pinned))
        {
            d->pinned->go.from = d->pinned->go.to;
            d->pinned->go.to = now->to;
        }
    }
    while (is_short(d->pinned));
    *now = d->pinned->go;
    *lists = d->pinned->lists;
    *surfaces_now = d->pinned->surfaces;
    why->far = lists->search.trouble == LISTS_FAR || surfaces_now->trouble == SURFACE_FAR;
    why->tangled = surfaces_now->trouble == SURFACE_TANGLED;
    return !why->far && !why->tangled;
}

static __global__ void __launch_bounds__(WIDE) copy_words(float4 *to, const float4 *from, int64_t count)
{
    EACH(int64_t, i, count) { to[i] = from[i]; }
}

// The best rate of several copies, larger than any cache, made by a kernel: the runtime's own copy reaches only two
// thirds of it.
static double device_copy_rate(device *d)
{
    const size_t bytes = (size_t)512 << 20;
    char *one = NULL, *other = NULL;
    device_error why = {};
    double best = 0.0;
    bool good = cudaMalloc(&one, bytes) == cudaSuccess && cudaMalloc(&other, bytes) == cudaSuccess;
    for (int i = 0; good && i < 6; i++)
    {
        float ms = 0.0f;
        good = cudaEventRecord(d->begin, d->stream) == cudaSuccess &&
               start(&why, d->stream, false, (int64_t)(bytes / 16), WIDE, 0, copy_words, (float4 *)other,
                     (const float4 *)one, (int64_t)(bytes / 16)) &&
               cudaEventRecord(d->end, d->stream) == cudaSuccess && cudaStreamSynchronize(d->stream) == cudaSuccess &&
               cudaEventElapsedTime(&ms, d->begin, d->end) == cudaSuccess;
        double rate = good && ms > 0.0f ? 2.0 * (double)bytes / (1e-3 * (double)ms) : 0.0;
        best = rate > best ? rate : best;
    }
    cudaFree(one);
    cudaFree(other);
    return best;
}

static void *device_address(const device *d, int array) { return d->slot[array]; }

extern "C" const device_api pliant_device_api = {
    BUILD_ID,         device_open,           device_close,          device_name,          device_structure,
    device_plan,      device_rows,           device_write,          device_colliders_set, device_carry_set,
    device_resume,    device_surface_set,    device_surface_carry,  device_surface_give,  device_surface_read,
    device_frame,     device_read,           device_read_packed,    device_read_lists,    device_keep,
    device_kept,      device_copies_on_host, device_copies_dropped, device_amend,         device_patch_set,
    device_send,      device_copy_rate,      device_address,        device_to_gl,         device_forget_gl,
    device_heat_room, device_heat_open,      device_heat_flow,      device_debug_set,
};
