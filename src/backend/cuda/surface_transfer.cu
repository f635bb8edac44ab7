// surface_transfer.cu: device memory for the self-collision of surfaces, and the transfer of surfaces and their list of
// pairs between host and device.
#include "backend/cuda/device_internal.h"
#include "backend/cuda/list_memory.h"
#include "backend/cuda/surface_internal.h"

#include "stages/contact_stages.h"
#include "stages/surface_list_validity.h"

// ---- memory --------------------------------------------------------------------------------------------------------

static bool take_hunting(device *d, device_error *why)
{
    surface_arrays *k = &d->surfaces;
    int64_t finds = 2 * (int64_t)k->triangles + k->particles + 1;
    return take(
        d, &d->hunting,
        [=](region_divider *cut) {
            cut->cut(&k->box, k->triangles), cut->cut(&k->node_box, k->nodes), cut->cut(&k->edge_box, k->edges);
            cut->cut(&k->arrived, k->nodes), cut->cut(&k->chunk, 3 * ((int64_t)k->vertices / VELOCITY_CHUNK + 1));
            cut->cut(&k->count, finds), cut->cut(&k->first, finds);
            cut->cut(&k->cell, 3 * (int64_t)k->slots), cut->cut(&k->ranges, PAIR_COLOURS + 1);
            cut->cut(&k->rows.slot_start, k->slots + 1);
        },
        why);
}

static void cut_rows(packed_surface *r, region_divider *cut, int64_t n)
{
    for (int i = 0; i < 4; i++)
        cut->cut(&r->index[i], n), cut->cut(&r->weight[i], n);
    for (int i = 0; i < 3; i++)
        cut->cut(&r->normal[i], n);
    cut->cut(&r->mode, n), cut->cut(&r->reach, n), cut->cut(&r->gap, n), cut->cut(&r->aim, n), cut->cut(&r->limit, n);
    cut->cut(&r->stick, n), cut->cut(&r->slide, n), cut->cut(&r->bounce, n), cut->cut(&r->lambda[0], 4 * n),
        cut->cut(&r->push, 4 * n);
}

static bool take_pairs(device *d, device_error *why)
{
    surface_arrays *k = &d->surfaces;
    int64_t n = k->room;
    return take(
        d, &d->surface_pairs,
        [=](region_divider *cut) {
            cut->cut(&k->pair, n), cut->cut(&k->key_in, n), cut->cut(&k->key, n), cut->cut(&k->order_in, n);
            cut->cut(&k->order, n), cut->cut(&k->row_of, n), cut->cut(&k->head, n), cut->cut(&k->block_of, n);
            cut->cut(&k->block_start, n + 1), cut->cut(&k->entry_key_in, 4 * n), cut->cut(&k->entry_key, 4 * n);
            cut->cut(&k->entry_in, 4 * n), cut->cut(&k->entry, 4 * n), cut->cut(&k->rows.slot_entry, 4 * n);
            cut_rows(&k->rows, cut, n);
        },
        why);
}

static bool copy_on_device(device *d, void *to, const void *from, size_t bytes, device_error *why)
{
    TRY(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, d->stream), "moving multipliers");
    return true;
}

// The carried multipliers must outlive a list that grows: they are copied to the new memory.
static bool take_carried(device *d, device_error *why)
{
    surface_arrays *k = &d->surfaces, old = *k;
    region before = d->surface_carried;
    int64_t keys = (int64_t)k->slots + k->edges + 1, n = k->room;
    if (k->carry_first && k->room <= d->surface_carry_room)
        return true;
    d->surface_carried = region{};
    if (!take(
            d, &d->surface_carried,
            [=](region_divider *cut) {
                cut->cut(&k->carry_count, keys), cut->cut(&k->carry_first, keys), cut->cut(&k->carry_cursor, keys);
                cut->cut(&k->carry_other, n), cut->cut(&k->carry_lambda, n);
            },
            why))
    {
        d->surface_carried = before;
        *k = old;
        return false;
    }
    size_t some = 4 * (size_t)keys, entries = (size_t)d->surface_carry_room;
    if (old.carry_first && !(copy_on_device(d, k->carry_count, old.carry_count, some, why) &&
                             copy_on_device(d, k->carry_first, old.carry_first, some, why) &&
                             copy_on_device(d, k->carry_other, old.carry_other, 4 * entries, why) &&
                             copy_on_device(d, k->carry_lambda, old.carry_lambda, 16 * entries, why)))
    {
        cudaFree(before.at);
        return false;
    }
    cudaError_t moved = cudaStreamSynchronize(d->stream);
    cudaFree(before.at);
    TRY(moved, "moving multipliers");
    d->surface_carry_room = k->room;
    return true;
}

static int32_t more_than(int64_t needed) { return (int32_t)(needed + needed / 4 + 1024); }

static bool set_room(surface_arrays *k, const surface_now *now, device_error *why)
{
    int bits = now->bits[0] + now->bits[1] + now->bits[2];
    if (now->trouble == SURFACE_SHORT && (now->pairs < 0 || now->pairs > INT32_MAX / 64))
    {
        why->memory = true;
        snprintf(why->text, sizeof why->text,
                 "more than %d surface elements are near each other; use a smaller thickness", INT32_MAX / 64);
        return false;
    }
    int forced_room = debug->list_room; // for tests, as debug_list_room in neighbour_memory.cu
    if (!k->room)
        k->room = forced_room ? (forced_room > 64 ? forced_room : 64) : more_than(8 * (int64_t)k->vertices);
    if (!k->key_bits)
        k->key_bits = forced_room ? 8 : 24;
    if (now->pairs > k->room)
        k->room = more_than(now->pairs);
    if (now->trouble == SURFACE_SHORT && bits > k->key_bits)
        k->key_bits = (bits + 7) / 8 * 8;
    return true;
}

bool surface_room(device *d, const surface_now *now, device_error *why)
{
    surface_arrays *k = &d->surfaces, before = *k;
    const list_arrays *l = &d->lists; // the free particles are those that collide
    bool same = k->particle == l->collider && k->particles == l->items && k->radius == l->radius;
    if (!k->triangles || (same && now->trouble != SURFACE_SHORT && k->carry_first && now->pairs <= k->room))
        return true;
    k->particle = l->collider, k->particles = l->items, k->radius = l->radius;
    void *scratch = d->scratch;
    if (!set_room(k, now, why) || !take_hunting(d, why) || !take_carried(d, why) || !take_pairs(d, why))
        return false;
    int32_t keys = k->slots + k->edges + 1, finds = 2 * k->triangles + k->particles + 1,
            scans = keys > finds ? keys : finds;
    if (!grow(&d->scratch, &d->scratch_bytes, scratch_for(4 * k->room, 4 * k->room, scans), why))
        return false;
    k->now = &d->now->surfaces;
    if (memcmp(&before, k, sizeof before) != 0 || scratch != d->scratch)
        drop_graph(d);
    return true;
}

void surfaces_free(device *d)
{
    region *const all[] = {&d->surface, &d->hunting, &d->surface_pairs, &d->surface_pulls, &d->surface_carried};
    for (region *r : all)
        cudaFree(r->at);
}

// ---- from the host -------------------------------------------------------------------------------------------------

static bool send(device *d, const void *to, const void *from, size_t bytes, device_error *why)
{
    if (bytes)
        TRY(cudaMemcpyAsync((void *)to, from, bytes, cudaMemcpyHostToDevice, d->stream), "sending surfaces");
    return true;
}

bool device_surface_set(device *d, const device_surface *f, device_error *why)
{
    surface_arrays *k = &d->surfaces;
    drop_graph(d);
    k->triangles = f->triangles, k->edges = f->edges, k->vertices = f->vertices, k->nodes = f->nodes;
    k->slots = f->slots, k->thickness = f->thickness;
    k->carry_first = NULL; // is allocated again for the new sizes
    d->surface_carry_room = 0;
    size_t t = (size_t)f->triangles, e = (size_t)f->edges, v = (size_t)f->vertices, n = (size_t)f->nodes;
    if (!t)
        return true;
    if (!take(
            d, &d->surface,
            [=](region_divider *cut) {
                cut->cut(&k->triangle, (int64_t)(3 * t)), cut->cut(&k->triangle_edge, (int64_t)(3 * t));
                cut->cut(&k->edge, (int64_t)(2 * e)), cut->cut(&k->vertex, (int64_t)v), cut->cut(&k->id, (int64_t)t);
                cut->cut(&k->node_last, (int64_t)n), cut->cut(&k->parent, (int64_t)n);
                cut->cut(&k->owns, (int64_t)t), cut->cut(&k->node, (int64_t)n);
            },
            why))
        return false;
    if (!send(d, k->triangle, f->triangle, 12 * t, why) || !send(d, k->triangle_edge, f->triangle_edge, 12 * t, why) ||
        !send(d, k->edge, f->edge, 8 * e, why) || !send(d, k->vertex, f->vertex, 4 * v, why) ||
        !send(d, k->id, f->id, 4 * t, why) || !send(d, k->node_last, f->node_last, 4 * n, why) ||
        !send(d, k->parent, f->parent, 4 * n, why) || !send(d, k->owns, f->owns, t, why) ||
        !send(d, k->node, f->node, n * sizeof(bvh_node), why))
        return false;
    TRY(cudaStreamSynchronize(d->stream), "sending surfaces");
    const surface_now none = {};
    return surface_room(d, &none, why);
}

bool device_surface_carry(device *d, const device_carry *c, surface_now *surfaces_now, device_error *why)
{
    surface_arrays *k = &d->surfaces;
    surface_now need = *surfaces_now;
    need.pairs = (int32_t)c->entries;
    if (!surface_room(d, &need, why))
        return false;
    size_t keys = 4 * ((size_t)k->slots + (size_t)k->edges), entries = (size_t)c->entries;
    TRY(cudaMemsetAsync(k->carry_count, 0, keys + 4, d->stream), "sending surfaces");
    if (!send(d, k->carry_first, c->first, keys, why) || !send(d, k->carry_count, c->count, keys, why) ||
        !send(d, k->carry_other, c->other, 4 * entries, why) || !send(d, k->carry_lambda, c->lambda, 16 * entries, why))
        return false;
    TRY(cudaStreamSynchronize(d->stream), "sending surfaces");
    surfaces_now->listed = surfaces_now->pairs = 0;
    surfaces_now->carried = 1;
    return true;
}

static bool take_pulls(device *d, int32_t count, device_error *why)
{
    surface_arrays *k = &d->surfaces;
    if (count <= k->pull_room)
        return true;
    int32_t room = 2 * count;
    k->pull_room = 0; // stays 0 if the allocation fails
    drop_graph(d);
    if (!take(
            d, &d->surface_pulls, [=](region_divider *cut) { cut->cut(&k->pull, room); }, why))
        return false;
    k->pull_room = room;
    return true;
}

// Sends a list that the host has found, and packs it as if the device had found it.
bool device_surface_give(device *d, const state *host, const surface_pair *pairs, int32_t count,
                         const surface_pull *pulls, int32_t pull_count, surface_now *surfaces_now, device_error *why)
{
    surface_arrays *k = &d->surfaces;
    surfaces_now->trouble = SURFACE_FITS;
    surfaces_now->pairs = count;
    if (!take_pulls(d, pull_count, why))
        return false;
    do
    {
        if (!surface_room(d, surfaces_now, why))
            return false;
        surfaces_now->trouble = SURFACE_FITS;
        d->pinned->surfaces = *surfaces_now;
        memcpy(&d->captured, host, sizeof d->captured);
        relocate_state(d, &d->captured);
        drop_graph(d);
        if (!send(d, k->pair, pairs, (size_t)count * sizeof *pairs, why) ||
            !send(d, k->pull, pulls, (size_t)pull_count * sizeof *pulls, why) ||
            !send(d, k->now, &d->pinned->surfaces, sizeof *surfaces_now, why) || !pack_surface(d, d->stream, why))
            return false;
        TRY(cudaMemcpyAsync(&d->pinned->surfaces, k->now, sizeof *surfaces_now, cudaMemcpyDeviceToHost, d->stream),
            "reading surfaces");
        TRY(cudaStreamSynchronize(d->stream), "packing surfaces");
        *surfaces_now = d->pinned->surfaces;
    }
    while (surfaces_now->trouble == SURFACE_SHORT);
    why->far = surfaces_now->trouble == SURFACE_FAR;
    return !why->far;
}

// ---- to the host ---------------------------------------------------------------------------------------------------

// Collects values in the order of the pairs. what: 0: the multipliers; 1: the normal and the first weight; 2: the other
// weights.
static __global__ void collect_surface(const __grid_constant__ surface_arrays k, int32_t pairs, int what, float4 *all)
{
    EACH(int32_t, i, pairs)
    {
        const packed_surface &r = k.rows;
        int32_t row = k.row_of[i];
        float4 *to = all + i;
        if (what == 0)
            *to = ((const float4 *)r.lambda[0])[row];
        else if (what == 1)
            *to = make_float4(r.normal[0][row], r.normal[1][row], r.normal[2][row], r.weight[0][row]);
        else
            *to = make_float4(r.weight[1][row], r.weight[2][row], r.weight[3][row], 0.0f);
    }
}

bool collect_surfaces(device *d, const surface_now *surfaces_now, int what, float *to, device_error *why)
{
    return start(why, d->stream, false, spread(d, surfaces_now->pairs), WIDE, 0, collect_surface, d->surfaces,
                 surfaces_now->pairs, what, (float4 *)to);
}

// Uses rows.push as the buffer for the collected values.
bool device_surface_read(device *d, const surface_now *surfaces_now, surface_pair *pairs, float *rows,
                         device_error *why)
{
    const surface_arrays &k = d->surfaces;
    size_t count = (size_t)surfaces_now->pairs;
    if (!count)
        return true;
    if (!fetch(d, PIECE_SURFACE, pairs, k.pair, count * sizeof *pairs, why))
        return false;
    for (int what = 0; what < 3; what++)
    {
        if (!d->copies_on_host && !collect_surfaces(d, surfaces_now, what, k.rows.push, why))
            return false;
        if (!fetch(d, PIECE_SURFACE + 1 + what, rows + 4 * count * (size_t)what, k.rows.push, 16 * count, why))
            return false;
    }
    if (!d->copies_on_host)
        TRY(cudaStreamSynchronize(d->stream), "reading surfaces");
    return true;
}
