// pieces.cu: what a frame changes of a state, as world/snapshot.c understands it: arrays of slots, stretches of what is packed, and the lists of
// contacts. What is not here either stays as the host sent it or is made anew in each substep.
#include "cuda/inside.h"

static void add_piece(piece_list *list, int32_t id, const void *from, size_t bytes)
{
    if (!bytes)
        return;
    list->item[list->count++] = {(const char *)from, bytes, list->bytes, 0, id};
    list->bytes += (bytes + 255) / 256 * 256;
}

// id: counts up.
static void add_packed(const device *d, piece_list *list, int32_t *id, const void *host, size_t bytes)
{
    size_t at = bytes ? (size_t)((const char *)host - d->host_packing) : 0;
    if (!bytes)
        return;
    add_piece(list, (*id)++, d->packing + at, bytes);
    list->item[list->count - 1].packed = at;
}

static void add_slots(const device *d, const state *host, const device_keeping *what, piece_list *list)
{
    size_t bytes = 16 * (size_t)host->slots;
    add_piece(list, SLOT_X, d->slot[SLOT_X], bytes);
    add_piece(list, SLOT_V, d->slot[SLOT_V], bytes);
    if (!what)
        return;
    add_piece(list, SLOT_X0, d->slot[SLOT_X0], bytes);
    if (host->second || host->contact.bouncy)
        add_piece(list, SLOT_V1, d->slot[SLOT_V1], bytes);
    if (what->contacts)
        add_piece(list, SLOT_BUILD, d->slot[SLOT_BUILD], bytes);
    if (what->surfaces)
    {
        add_piece(list, SLOT_SKIN, d->slot[SLOT_SKIN], bytes);
        add_piece(list, SLOT_SKIN_V, d->slot[SLOT_SKIN_V], bytes);
    }
}

// Multipliers, and, of what flows or breaks, parameters and wear, which lie before them; the groups' poses.
static void add_packing(const device *d, const state *host, piece_list *list)
{
    int32_t id = PIECE_PACKED;
    for (int kind = 0; kind < PL_KIND_COUNT; kind++)
    {
        const packed_rows *r = &host->rows[kind];
        const char *from = (const char *)(r->worn ? r->param[0] : r->lambda);
        const char *to = (const char *)(r->lambda + (size_t)r->lambda_step * (size_t)r->parts);
        if (r->jacobi_end)
            add_packed(d, list, &id, from, (size_t)(to - from));
    }
    const packed_clusters *c = &host->clusters;
    const packed_oriented *o = &host->oriented;
    const packed_lattices *l = &host->lattices;
    const packed_volumes *v = &host->volumes;
    add_packed(d, list, &id, c->pose, (size_t)c->count * sizeof *c->pose);
    add_packed(d, list, &id, o->pose, (size_t)o->count * sizeof *o->pose);
    add_packed(d, list, &id, l->spot, (size_t)(l->count ? l->cells : 0) * sizeof *l->spot);
    add_packed(d, list, &id, v->body, (size_t)v->count * sizeof *v->body);
}
static_assert(PL_KIND_COUNT + 4 <= PIECE_LIST - PIECE_PACKED, "pieces of what is packed");
static_assert(PIECE_SKIN + 4 <= PIECES_MOST, "pieces of skins");

// Positions come first, then velocities. what: NULL: they are all.
void list_pieces(const device *d, const state *host, const device_keeping *what, piece_list *out)
{
    out->count = 0;
    out->bytes = 0;
    add_slots(d, host, what, out);
    if (!what)
        return;
    add_packing(d, host, out);
    if (what->lists)
    {
        list_part parts[LIST_PARTS];
        list_parts(d, what->lists, NULL, parts);
        for (int i = 0; i < LIST_PARTS; i++)
            add_piece(out, PIECE_LIST + i, parts[i].from, parts[i].bytes);
    }
    if (what->skins)
    {
        size_t pairs = (size_t)what->skins->pairs;
        add_piece(out, PIECE_SKIN, d->skin.pair, pairs * sizeof *d->skin.pair);
        for (int i = 0; i < 3; i++) // collected straight into the copy
            add_piece(out, PIECE_SKIN + 1 + i, NULL, 16 * pairs);
    }
}

// ---- aside ---------------------------------------------------------------------------------------------------------

struct gathering
{
    struct
    {
        const char *from;
        char *to;
        size_t bytes;
    } item[PIECES_MOST];
    int32_t count;
    int64_t *number_at, number;
};

static __global__ void __launch_bounds__(WIDE) gather_all(const __grid_constant__ gathering g)
{
    for (int32_t p = 0; p < g.count; p++)
    {
        const auto &i = g.item[p];
        size_t wide = ((size_t)i.from & 15) == 0 ? i.bytes / 16 : 0;
        EACH(size_t, k, wide) { ((float4 *)i.to)[k] = ((const float4 *)i.from)[k]; }
        const uint32_t *from = (const uint32_t *)i.from + 4 * wide;
        uint32_t *to = (uint32_t *)i.to + 4 * wide;
        EACH(size_t, k, i.bytes / 4 - 4 * wide) { to[k] = from[k]; }
    }
    if (first_item() == 0)
        *g.number_at = g.number;
}

bool gather_pieces(device *d, const piece_list *pieces, const device_keeping *what, char *to, device_error *why)
{
    gathering g;
    size_t most = 1;
    g.count = 0;
    g.number = what->number;
    g.number_at = (int64_t *)(to + pieces->bytes);
    bool listed = false;
    for (int32_t i = 0; i < pieces->count; i++)
    {
        const piece *p = &pieces->item[i];
        listed |= p->id >= PIECE_LIST && p->id < PIECE_SKIN;
        if (p->from)
            g.item[g.count++] = {p->from, to + p->at, p->bytes};
        else if (!collect_skins(d, what->skins, p->id - PIECE_SKIN - 1, (float *)(to + p->at), why))
            return false;
        most = p->bytes > most ? p->bytes : most;
    }
    if (listed && !collect_lists(d, what->lists, why))
        return false;
    return start(why, d->stream, false, spread(d, (int64_t)(most / 16) + 1), WIDE, 0, gather_all, g);
}

// ---- home ----------------------------------------------------------------------------------------------------------

static const piece *find_piece(const device *d, int32_t id)
{
    for (int32_t i = 0; i < d->ashore->pieces.count; i++)
        if (d->ashore->pieces.item[i].id == id)
            return &d->ashore->pieces.item[i];
    return NULL;
}

// What the copy does not have has not been changed since the host had it.
bool fetch(device *d, int32_t id, void *to, const void *from, size_t bytes, device_error *why)
{
    if (!bytes)
        return true;
    if (!d->ashore)
    {
        TRY(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, d->stream), "reading what the device has");
        return true;
    }
    const piece *p = find_piece(d, id);
    if (p)
        memcpy(to, d->ashore->at + p->at, p->bytes < bytes ? p->bytes : bytes);
    return true;
}

bool fetch_packed(device *d, char *to, device_error *why)
{
    (void)why;
    for (int32_t i = 0; i < d->ashore->pieces.count; i++)
    {
        const piece *p = &d->ashore->pieces.item[i];
        if (p->id >= PIECE_PACKED && p->id < PIECE_LIST)
            memcpy(to + p->packed, d->ashore->at + p->at, p->bytes);
    }
    return true;
}
