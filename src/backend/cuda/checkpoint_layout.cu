// checkpoint_layout.cu: the pieces of a copy: what a frame changes in a state, in the sense of snapshot/snapshot.c.
// These are slot arrays, parts of the packed block, and the lists of contacts. Everything else either stays as the host
// sent it or is computed again in each substep.
#include "backend/cuda/device_internal.h"

#include "model/columns.h"

static void add_piece(piece_list *list, int32_t id, const void *from, size_t bytes)
{
    if (!bytes)
        return;
    list->item[list->count++] = {(const char *)from, bytes, list->bytes, 0, id};
    list->bytes += (bytes + 255) / 256 * 256;
}

// Adds a part of the packed block. Adjacent columns become one piece. id: of the next piece; counts up.
static void add_packed(const device *d, piece_list *list, int32_t *id, const char *host, size_t bytes)
{
    size_t at = bytes ? (size_t)(host - d->host_packing) : 0;
    piece *last = list->count ? &list->item[list->count - 1] : NULL;
    if (!bytes)
        return;
    if (last && last->id >= PIECE_PACKED && last->packed + (last->bytes + 63) / 64 * 64 == at)
    {
        last->bytes = at + bytes - last->packed;
        list->bytes = last->at + (last->bytes + 255) / 256 * 256;
        return;
    }
    add_piece(list, (*id)++, d->packing + at, bytes);
    list->item[list->count - 1].packed = at;
}

static bool in_checkpoint(enum slot_checkpoint when, const state *host, const device_keeping *what)
{
    switch (when)
    {
    case CHECKPOINT_ALWAYS:
        return true;
    case CHECKPOINT_IF_HISTORY:
        return host->second || host->contact.bouncy;
    case CHECKPOINT_IF_CONTACTS:
        return what->contacts;
    case CHECKPOINT_IF_SURFACES:
        return what->has_surfaces;
    default:
        return false;
    }
}

// Copies begin with positions and velocities, which are found there.
static void add_slots(const device *d, const state *host, const device_keeping *what, piece_list *list)
{
    for (int a : {SLOT_X, SLOT_V})
        add_piece(list, a, d->slot[a], 16 * (size_t)host->slots);
    for (int a = 0; a < SLOT_ARRAYS; a++)
        if (a != SLOT_X && a != SLOT_V && what && in_checkpoint(slot_columns[a].checkpoint, host, what))
            add_piece(list, a, d->slot[a], 16 * (size_t)host->slots);
}

// Adds every packed column that a frame changes and the next one needs.
static void add_packing(const device *d, const state *host, piece_list *list)
{
    int32_t id = PIECE_PACKED;
    for (packed_walk w = PACKED_WALK; packed_next(&w);)
        if (life_is_kept(packed_life(host, &w)))
            add_packed(d, list, &id, packed_get(host, &w), packed_bytes(host, &w));
}

enum
{
    KEPT_COLUMNS = 0 // the parts of a column are adjacent
#define PACKED(owner, type, name, parts, width, domain, life) +(LIFE_##life >= LIFE_MULTIPLIER ? STRUCTS_OF_##owner : 0)
#include "model/columns.def"
        ,
};
static_assert(KEPT_COLUMNS <= PIECE_LIST - PIECE_PACKED, "pieces of what is packed");
static_assert(PIECE_SURFACE + 4 <= PIECES_MOST, "pieces of skins");

// Lists the pieces of a copy. Positions come first, then velocities. what == NULL: only these.
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
    if (what->surfaces_now)
    {
        size_t pairs = (size_t)what->surfaces_now->pairs;
        add_piece(out, PIECE_SURFACE, d->surfaces.pair, pairs * sizeof *d->surfaces.pair);
        for (int i = 0; i < 3; i++) // gathered directly into the copy
            add_piece(out, PIECE_SURFACE + 1 + i, NULL, 16 * pairs);
    }
}

// ---- copying within the device -------------------------------------------------------------------------------------

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

// Copies the pieces side by side to `to` on the device, and the copy's number behind them.
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
        listed |= p->id >= PIECE_LIST && p->id < PIECE_SURFACE;
        if (p->from)
            g.item[g.count++] = {p->from, to + p->at, p->bytes};
        else if (!collect_surfaces(d, what->surfaces_now, p->id - PIECE_SURFACE - 1, (float *)(to + p->at), why))
            return false;
        most = p->bytes > most ? p->bytes : most;
    }
    if (listed && !collect_lists(d, what->lists, why))
        return false;
    return start(why, d->stream, false, spread(d, (int64_t)(most / 16) + 1), WIDE, 0, gather_all, g);
}

// ---- reading a copy on the host ------------------------------------------------------------------------------------

static const piece *find_piece(const device *d, int32_t id)
{
    for (int32_t i = 0; i < d->copies_on_host->pieces.count; i++)
        if (d->copies_on_host->pieces.item[i].id == id)
            return &d->copies_on_host->pieces.item[i];
    return NULL;
}

// A piece that is not in the copy has not changed since the host sent it.
bool fetch(device *d, int32_t id, void *to, const void *from, size_t bytes, device_error *why)
{
    if (!bytes)
        return true;
    if (!d->copies_on_host)
    {
        TRY(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, d->stream), "reading what the device has");
        return true;
    }
    const piece *p = find_piece(d, id);
    if (p)
        memcpy(to, d->copies_on_host->at + p->at, p->bytes < bytes ? p->bytes : bytes);
    return true;
}

bool fetch_packed(device *d, char *to, device_error *why)
{
    (void)why;
    for (int32_t i = 0; i < d->copies_on_host->pieces.count; i++)
    {
        const piece *p = &d->copies_on_host->pieces.item[i];
        if (p->id >= PIECE_PACKED && p->id < PIECE_LIST)
            memcpy(to + p->packed, d->copies_on_host->at + p->at, p->bytes);
    }
    return true;
}
