// transfer.cu: copies arrays between host and device, and applies edits to the device's copy.
#include "backend/cuda/device_internal.h"

#include "model/columns.h"

bool grow(void **block, size_t *capacity, size_t bytes, device_error *why)
{
    if (bytes <= *capacity)
        return true;
    cudaFree(*block);
    *block = NULL;
    *capacity = 0;
    TRY(cudaMalloc(block, bytes), "taking memory on the device");
    *capacity = bytes;
    return true;
}

// Points a host's state at the device's arrays: every packed column has the same offset there as on the host.
void relocate_state(const device *d, state *s)
{
    for (int a = 0; a < SLOT_ARRAYS; a++)
        s->slot[a] = d->slot[a];
    for (packed_walk w = PACKED_WALK; packed_next(&w);)
        if (const char *array = packed_get(s, &w))
            packed_set(s, &w, d->packing + (array - d->host_packing));
    s->substeps = d->substeps;
    s->fields = d->fields;
    s->now = &d->now->go;
    s->solids = d->solids;
    s->shape_data = d->shape_data;
    s->shape_data_change = 0; // the data is copied in place: a change of it needs no new graph
    s->placements = d->placements;
    s->pairs = d->lists.pairs;
    s->shape_contacts = d->lists.shape_contacts;
    s->shape_contacts.near_first = d->lists.shapes ? d->lists.near_first : NULL;
    s->shape_contacts.near_row = NULL;
    clients_show(d, s);
    float leeway = s->surfaces.leeway;
    s->surfaces = d->surfaces.rows;
    s->surfaces.leeway = leeway;
}

// Marks what is derived from rows and faces as out of date.
static void forget_made(device *d) { d->links_ready = d->order_ready = d->cluster_ready = false; }

bool device_structure(device *d, const state *host, device_shape shape, device_error *why)
{
    if (!grow((void **)&d->packing, &d->packing_capacity, shape.packing_bytes, why))
        return false;
    keep_forget(d); // the slots have changed
    d->packing_bytes = shape.packing_bytes;
    d->host_packing = shape.packing;
    size_t slot_bytes = 16 * (size_t)host->slots;
    if (slot_bytes > d->slot_capacity)
    {
        for (int a = 0; a < SLOT_ARRAYS; a++)
        {
            size_t none = 0;
            if (!grow((void **)&d->slot[a], &none, slot_bytes + slot_bytes / 2, why))
                return false;
        }
        d->slot_capacity = slot_bytes + slot_bytes / 2;
    }
    for (int a = 0; a < SLOT_ARRAYS; a++)
        TRY(cudaMemcpyAsync(d->slot[a], host->slot[a], slot_bytes, cudaMemcpyHostToDevice, d->stream),
            "copying particles");
    TRY(cudaMemcpyAsync(d->packing, shape.packing, shape.packing_bytes, cudaMemcpyHostToDevice, d->stream),
        "copying constraints");
    forget_made(d);
    d->tile_kind = host->tiles ? host->tile_run[0].kind : -1;
    for (int32_t r = 0; host->tiles && r < host->tile_start[host->tiles]; r++)
        if (host->tile_run[r].kind != d->tile_kind)
            d->tile_kind = -1;
    TRY(cudaStreamSynchronize(d->stream), "copying the structure");
    return true;
}

bool device_rows(device *d, const state *host, int kind, device_error *why)
{
    const packed_rows *r = &host->rows[kind];
    d->links_ready &= kind != d->tile_kind;
    d->cluster_ready = false;
    static_assert(offsetof(packed_rows, param) < offsetof(packed_rows, lambda), "columns lie in the table's order");
    // The parameters lie before the multipliers.
    const char *from = (const char *)r->param[0], *to = (const char *)r->lambda;
    size_t at = (size_t)(from - d->host_packing), bytes = (size_t)(to - from);
    TRY(cudaMemcpyAsync(d->packing + at, from, bytes, cudaMemcpyHostToDevice, d->stream), "copying parameters");
    if (r->damaged) // parameters that plastic flow changes are part of a saved state
        keep_write(d, -1, at, from, bytes, true);
    return true;
}

bool device_write(device *d, const state *host, int array, device_error *why)
{
    size_t bytes = 16 * (size_t)host->slots;
    TRY(cudaMemcpyAsync(d->slot[array], host->slot[array], bytes, cudaMemcpyHostToDevice, d->stream),
        "copying particles");
    keep_write(d, array, 0, host->slot[array], bytes, false);
    return true;
}

bool device_read(device *d, const state *host, int array, device_error *why)
{
    if (!fetch(d, array, host->slot[array], d->slot[array], 16 * (size_t)host->slots, why))
        return false;
    if (!d->copies_on_host)
        TRY(cudaStreamSynchronize(d->stream), "reading particles");
    return true;
}

// Reads the packed columns of one life (model/columns.h) into the host's arrays.
bool device_read_packed(device *d, const state *host, int life, device_error *why)
{
    bool any = false;
    if (d->copies_on_host)
        return fetch_packed(d, (char *)d->host_packing, why);
    for (packed_walk w = PACKED_WALK; packed_next(&w);)
    {
        size_t bytes = life_comes_with(packed_life(host, &w), life) ? packed_bytes(host, &w) : 0;
        char *to = packed_get(host, &w);
        if (!bytes)
            continue;
        TRY(cudaMemcpyAsync(to, d->packing + (to - d->host_packing), bytes, cudaMemcpyDeviceToHost, d->stream),
            "reading what is packed");
        any = true;
    }
    if (any)
        TRY(cudaStreamSynchronize(d->stream), "reading what is packed");
    return true;
}

bool reserve_substeps(device *d, size_t count, device_error *why)
{
    if (count > d->substep_capacity)
    {
        cudaFreeHost(d->pinned_substeps);
        d->pinned_substeps = NULL;
        size_t none = 0;
        cudaFree(d->substeps);
        d->substeps = NULL;
        d->substep_capacity = 0;
        TRY(cudaMallocHost(&d->pinned_substeps, count * sizeof(substep)), "taking pinned memory");
        if (!grow((void **)&d->substeps, &none, count * sizeof(substep), why))
            return false;
        d->substep_capacity = count;
    }
    d->substep_count = count;
    return true;
}

// Reserves memory for shapes and for their placements in each substep of the frame.
bool reserve_shapes(device *d, const state *host, device_error *why)
{
    size_t shapes = (size_t)d->lists.shapes, sorted_count = shapes * (size_t)host->placement_step;
    if (shapes * sizeof(solid) > d->solid_capacity)
    {
        if (!grow((void **)&d->solids, &d->solid_capacity, 2 * shapes * sizeof(solid), why))
            return false;
        cudaFreeHost(d->pinned_solids);
        d->pinned_solids = NULL;
        TRY(cudaMallocHost(&d->pinned_solids, d->solid_capacity), "taking pinned memory");
    }
    if (sorted_count * sizeof(placement) > d->placement_capacity)
    {
        if (!grow((void **)&d->placements, &d->placement_capacity, 2 * sorted_count * sizeof(placement), why))
            return false;
        cudaFreeHost(d->pinned_placements);
        d->pinned_placements = NULL;
        TRY(cudaMallocHost(&d->pinned_placements, d->placement_capacity), "taking pinned memory");
    }
    d->placement_count = sorted_count;
    if (host->shape_data_size && d->shape_data_change != host->shape_data_change)
    {
        if (!grow((void **)&d->shape_data, &d->shape_data_capacity, (size_t)host->shape_data_size, why))
            return false;
        TRY(cudaMemcpyAsync(d->shape_data, host->shape_data, (size_t)host->shape_data_size, cudaMemcpyHostToDevice,
                            d->stream),
            "copying shapes");
        TRY(cudaStreamSynchronize(d->stream), "copying shapes");
        d->shape_data_change = host->shape_data_change;
    }
    return true;
}

// ---- edits ---------------------------------------------------------------------------------------------------------

struct patch_targets
{
    char *packing, *slot[SLOT_ARRAYS];
};

static __global__ void write_patches(const __grid_constant__ patch_targets t, const device_patch *list, int64_t count)
{
    EACH(int64_t, i, count)
    {
        const device_patch p = list[i];
        char *to = (p.array < 0 ? t.packing : t.slot[p.array]) + p.at;
        if (p.bytes == 1)
            *to = (char)p.value;
        else
            *(uint32_t *)to = p.value;
    }
}

static void patch_copies(device *d, const device_patch *list, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        keep_write(d, list[i].array, (size_t)list[i].at, &list[i].value, (size_t)list[i].bytes, true);
}

// Writes the patches one by one where there is no memory for the list: the world must still be able to leave the
// device.
static bool patch_slowly(device *d, const device_patch *list, int64_t count, device_error *why)
{
    for (int64_t i = 0; i < count; i++)
    {
        char *to = (list[i].array < 0 ? d->packing : (char *)d->slot[list[i].array]) + list[i].at;
        TRY(cudaMemcpyAsync(to, &list[i].value, (size_t)list[i].bytes, cudaMemcpyHostToDevice, d->stream),
            "sending an edit");
    }
    TRY(cudaStreamSynchronize(d->stream), "sending an edit");
    patch_copies(d, list, count);
    return true;
}

bool device_patch_set(device *d, const device_patch *list, int64_t count, device_error *why)
{
    size_t bytes = (size_t)count * sizeof *list;
    device_error full = {};
    for (int64_t i = 0; i < count; i++)
        if (list[i].array < 0)
            forget_made(d);
    if (!grow((void **)&d->patches, &d->patch_capacity, bytes + bytes / 2, &full))
        return full.memory ? patch_slowly(d, list, count, why) : (*why = full, false);
    TRY(cudaMemcpyAsync(d->patches, list, bytes, cudaMemcpyHostToDevice, d->stream), "sending an edit");
    patch_targets t = {d->packing, {}};
    for (int a = 0; a < SLOT_ARRAYS; a++)
        t.slot[a] = (char *)d->slot[a];
    if (!start(why, d->stream, false, spread(d, count), WIDE, 0, write_patches, t, (const device_patch *)d->patches,
               count))
        return false;
    TRY(cudaStreamSynchronize(d->stream), "sending an edit");
    patch_copies(d, list, count);
    return true;
}

bool device_send(device *d, const char *from, size_t bytes, device_error *why)
{
    forget_made(d);
    size_t at = (size_t)(from - d->host_packing);
    TRY(cudaMemcpyAsync(d->packing + at, from, bytes, cudaMemcpyHostToDevice, d->stream), "sending an edit");
    keep_write(d, -1, at, from, bytes, true);
    return true;
}
