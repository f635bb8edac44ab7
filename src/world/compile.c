// compile.c: from what the user gave to what the stages run.
//
//   order particles -> tile and colour rows -> lay out one block of memory -> place rows, faces, objects -> list the runs
//
// The result depends on the scene alone: on positions when the structure last changed, and on rows in the users' order.
#include "core/arena.h"
#include "world/colour.h"
#include "world/world.h"

#include <stdio.h>
#include <string.h>

// A kind's rows while they are being placed. Groups: (tile, colour) for rows inside a tile, then seam colours, then Jacobi.
typedef struct sorting
{
    int32_t *group;       // for each row
    int32_t *group_start; // for each group its first place, padded
    int64_t groups;
    int64_t padded;
} sorting;

enum
{
    HUB_DEGREE = 12, // links at an inner particle of a cloth, the most that a plain mesh has
};

static int64_t round_up(int64_t a) { return (a + PAD - 1) / PAD * PAD; }

static uint32_t offset_of(int32_t slot) { return 4 * (uint32_t)slot; }
static int32_t slot_at(uint32_t offset) { return (int32_t)(offset / 4); }

static int32_t tile_of(const pl_world *w, const int32_t *slots, int arity)
{
    // The tile that holds them all, or -1. Tiles are ranges of slots of nearly equal size: guess, then step. What has torn off lies
    // behind them all.
    if (slots[0] >= w->order.tile_first[w->order.tiles])
        return -1;
    int32_t t = (int32_t)((int64_t)slots[0] * w->order.tiles / w->live);
    while (w->order.tile_first[t] > slots[0])
        t--;
    while (w->order.tile_first[t + 1] <= slots[0])
        t++;
    for (int i = 1; i < arity; i++)
        if (slots[i] < w->order.tile_first[t] || slots[i] >= w->order.tile_first[t + 1])
            return -1;
    return t;
}

static void row_slots(const pl_world *w, int kind, int64_t row, int32_t *slots)
{
    int arity = facts_of(kind)->info.arity;
    for (int i = 0; i < arity; i++)
        slots[i] = w->numbers.slot_of[w->rows[kind].index[row * arity + i]];
}

// Where the particles are that the row's own were one with before they tore: by these it is ordered and coloured, so that a tear changes
// neither (split.c).
static void root_slots(const pl_world *w, int kind, int64_t row, int32_t *slots)
{
    int arity = facts_of(kind)->info.arity;
    for (int i = 0; i < arity; i++)
    {
        int32_t number = w->rows[kind].index[row * arity + i];
        slots[i] = w->numbers.slot_of[ROOT_OF(w, number)];
    }
}

// For each slot, how many rows of a kind move it.
static void count_degrees(const pl_world *w, int kind, int32_t *degree)
{
    const kind_facts *k = facts_of(kind);
    const rows *r = &w->rows[kind];
    memset(degree, 0, (size_t)w->live * sizeof *degree);
    for (int64_t row = 0; row < r->count; row++)
        for (int i = 0; i < k->writes; i++)
            degree[w->numbers.slot_of[ROOT_OF(w, r->index[row * k->info.arity + i])]]++;
}

// A spoke of a hub: visiting the spokes one after the other pushes the hub round and round and gains energy (a rigid star
// of 32 equal masses blows up in a second), so they are solved together, the Jacobi way, which keeps still.
static bool is_spoke(const kind_facts *k, const int32_t *slots, const int32_t *degree)
{
    if (k->info.arity != 2 || k->writes != 2)
        return false;
    int32_t a = degree[slots[0]], b = degree[slots[1]], most = a > b ? a : b, least = a > b ? b : a;
    return most > HUB_DEGREE && 4 * least < most;
}

// Groups are numbered so that they run in order: tile t, colour c is t * CAP + c; then the seams; then Jacobi.
static void colour_kind(const pl_world *w, int kind, sorting *s, colour_masks m, int32_t *degree)
{
    const kind_facts *k = facts_of(kind);
    count_degrees(w, kind, degree);
    int64_t seams = (int64_t)w->order.tiles * COLOUR_CAP, count = w->rows[kind].count;
    size_t bytes = (size_t)w->live * sizeof(uint64_t);
    int32_t slots[PL_MAX_ARITY];
    for (int pass = w->order.tiles ? 0 : 1; pass < 2; pass++)
    {
        memset(m.moved, 0, bytes);
        memset(m.read, 0, bytes);
        for (int64_t row = 0; row < count; row++)
        {
            row_slots(w, kind, row, slots);
            int32_t tile = w->order.tiles ? tile_of(w, slots, k->info.arity) : -1;
            root_slots(w, kind, row, slots);
            bool spoke = is_spoke(k, slots, degree);
            if (spoke || (tile >= 0 && tile_of(w, slots, k->info.arity) != tile))
                tile = -1;
            if (pass == 1 && tile >= 0 && s->group[row] >= 0)
                continue; // it runs inside its tile
            if (pass == 0 && tile < 0)
            {
                s->group[row] = -1;
                continue;
            }
            int colour = spoke ? COLOUR_CAP : colour_row(slots, k->info.arity, k->writes, m);
            if (pass == 0)
                s->group[row] = colour == COLOUR_CAP ? -1 : tile * COLOUR_CAP + colour;
            else
                s->group[row] = (int32_t)seams + colour; // the cap itself is the Jacobi group
        }
    }
    s->groups = seams + COLOUR_CAP + 1;
}

static void size_groups(const pl_world *w, int kind, sorting *s)
{
    memset(s->group_start, 0, (size_t)(s->groups + 1) * sizeof *s->group_start);
    for (int64_t row = 0; row < w->rows[kind].count; row++)
        s->group_start[s->group[row] + 1]++;
    s->padded = 0;
    for (int64_t g = 0; g <= s->groups; g++)
    {
        s->padded += round_up(s->group_start[g]);
        s->group_start[g] = (int32_t)s->padded;
    }
}

// Where each row goes: inside a group by the slot of its first particle, so that neighbours are visited together.
static void place_rows(const pl_world *w, int kind, const sorting *s, int32_t *by_slot, int32_t *slot_start,
                       int32_t *next)
{
    const rows *r = &w->rows[kind];
    int arity = facts_of(kind)->info.arity;
    memset(slot_start, 0, (size_t)(w->live + 1) * sizeof *slot_start);
    for (int64_t row = 0; row < r->count; row++)
        slot_start[w->numbers.slot_of[ROOT_OF(w, r->index[row * arity])] + 1]++;
    for (int32_t i = 0; i < w->live; i++)
        slot_start[i + 1] += slot_start[i];
    for (int64_t row = 0; row < r->count; row++)
        by_slot[slot_start[w->numbers.slot_of[ROOT_OF(w, r->index[row * arity])]]++] = (int32_t)row;
    memcpy(next, s->group_start, (size_t)s->groups * sizeof *next);
    for (int64_t i = 0; i < r->count; i++)
        r->place[by_slot[i]] = next[s->group[by_slot[i]]]++;
}

// ---- layout --------------------------------------------------------------------------------------------------------

static void lay_out_rows(pl_world *w, int kind, const sorting *s, arena *a)
{
    const kind_facts *k = facts_of(kind);
    packed_rows *p = &w->state.rows[kind];
    int64_t jacobi = s->padded - s->group_start[s->groups - 1];
    for (int i = 0; i < k->info.arity; i++)
        p->index[i] = arena_take(a, s->padded, sizeof(uint32_t));
    for (int i = 0; i < k->info.params; i++)
        p->param[i] = arena_take(a, s->padded + PAD, sizeof(float));
    p->compliance = arena_take(a, s->padded + PAD, sizeof(float));
    p->damping = arena_take(a, s->padded + PAD, sizeof(float));
    p->stiffness = arena_take(a, s->padded + PAD, sizeof(float));
    p->worn = (uint8_t)(wear_flows(&w->rows[kind]) | wear_breaks(&w->rows[kind]) << 1);
    p->wear = arena_take(a, p->worn ? s->padded : 0, sizeof *p->wear);
    p->law = (uint8_t)wear_law_of(kind);
    p->arity = (uint8_t)k->info.arity;
    p->params = (uint8_t)k->info.params;
    p->lambda = arena_take(a, s->padded * k->info.parts, sizeof(float));
    p->lambda_step = (int32_t)s->padded;
    p->parts = k->info.parts;
    p->active = arena_take(a, k->bound ? s->padded : 0, 1);
    p->split = arena_take(a, jacobi ? w->state.slots : 0, 4 * sizeof(float));
    p->delta = arena_take(a, jacobi * k->writes, 4 * sizeof(float));
    p->jacobi_slot = arena_take(a, jacobi * k->writes, sizeof(int32_t));
    p->jacobi_start = arena_take(a, jacobi * k->writes + 1, sizeof(int32_t));
    p->jacobi_entry = arena_take(a, jacobi * k->writes, sizeof(int32_t));
    p->jacobi_begin = s->group_start[s->groups - 1];
    p->jacobi_end = (int32_t)s->padded;
}

typedef struct counts
{
    int64_t objects, chunks, tile_runs;
} counts;

static void lay_out(pl_world *w, const sorting *sorted, counts n, arena *a)
{
    state *s = &w->state;
    for (int kind = 0; kind < PL_KIND_COUNT; kind++)
        lay_out_rows(w, kind, &sorted[kind], a);
    packed_faces *f = &s->faces;
    for (int i = 0; i < 3; i++)
        f->index[i] = arena_take(a, f->count, sizeof(uint32_t));
    f->drag = arena_take(a, f->count, sizeof(float));
    f->lift = arena_take(a, f->count, sizeof(float));
    f->force = arena_take(a, f->count, 4 * sizeof(float));
    f->slot_start = arena_take(a, s->slots + 1, sizeof(int32_t));
    f->slot_face = arena_take(a, 3 * (int64_t)f->count, sizeof(int32_t));
    packed_objects *o = &s->objects;
    o->start = arena_take(a, n.objects + 1, sizeof(int32_t));
    o->member = arena_take(a, w->live + w->room, sizeof(int32_t));
    o->chunk_object = arena_take(a, n.chunks, sizeof(int32_t));
    o->chunk_start = arena_take(a, n.chunks + 1, sizeof(int32_t));
    o->object_chunk = arena_take(a, n.objects + 1, sizeof(int32_t));
    o->sum = arena_take(a, n.chunks, sizeof(motion_sum));
    o->motion = arena_take(a, n.objects, sizeof(rigid_motion));
    oriented_lay_out(w, a);
    lattices_lay_out(w, a);
    clusters_lay_out(w, a);
    volumes_lay_out(w, a);
    s->tile_first = arena_take(a, w->order.tiles + 1, sizeof(int32_t));
    s->tile_start = arena_take(a, w->order.tiles + 1, sizeof(int32_t));
    s->tile_run = arena_take(a, n.tile_runs, sizeof(run));
}

// ---- filling -------------------------------------------------------------------------------------------------------

static void fill_rows(pl_world *w, int kind, const sorting *s)
{
    const rows *r = &w->rows[kind];
    const kind_facts *k = facts_of(kind);
    packed_rows *p = &w->state.rows[kind];
    // Padding rows point at the dummy of their tile, or at the one for everything else.
    for (int64_t g = 0; g < s->groups; g++)
        for (int64_t at = s->group_start[g]; at < s->group_start[g + 1]; at++)
        {
            int64_t tile = g / COLOUR_CAP;
            for (int i = 0; i < k->info.arity; i++)
                p->index[i][at] = offset_of(w->dummy + (int32_t)(tile < w->order.tiles ? tile : w->order.tiles));
            for (int part = 0; part < k->info.parts; part++)
                *lambda_at(p, at, part) = 0.0f;
            if (k->bound)
                p->active[at] = 0;
        }
    for (int64_t row = 0; row < r->count; row++)
    {
        int32_t slots[PL_MAX_ARITY], at = r->place[row];
        if (r->wear && r->wear[row].broken > 0.0f)
            continue; // it keeps its place, and holds nothing
        row_slots(w, kind, row, slots);
        for (int i = 0; i < k->info.arity; i++)
            p->index[i][at] = offset_of(slots[i]);
        for (int part = 0; part < k->info.parts; part++)
            *lambda_at(p, at, part) = r->lambda[row * k->info.parts + part];
        if (k->bound)
            p->active[at] = r->lambda[row] != 0.0f;
    }
    w->rows_stale[kind] = true;
}

// For rows beyond the cap: who shares a particle with how many, and where each finds what they ask for.
static void fill_jacobi(pl_world *w, int kind, int32_t *next)
{
    packed_rows *p = &w->state.rows[kind];
    int writes = facts_of(kind)->writes;
    int32_t n = p->jacobi_end - p->jacobi_begin, entries = 0;
    p->jacobi_slots = 0;
    if (n == 0)
        return;
    memset(next, 0, (size_t)w->live * sizeof *next);
    for (int i = 0; i < writes; i++)
        for (int32_t k = p->jacobi_begin; k < p->jacobi_end; k++)
            if (slot_at(p->index[i][k]) < w->live)
                next[slot_at(p->index[i][k])]++;
    for (int32_t slot = 0; slot < w->state.slots; slot++)
    {
        int32_t shared = slot < w->live ? next[slot] : 0;
        p->split[4 * (size_t)slot] = shared ? (float)shared : 1.0f;
        if (!shared)
            continue;
        p->jacobi_slot[p->jacobi_slots] = slot;
        p->jacobi_start[p->jacobi_slots++] = entries;
        next[slot] = entries;
        entries += shared;
    }
    p->jacobi_start[p->jacobi_slots] = entries;
    for (int i = 0; i < writes; i++)
        for (int32_t k = 0; k < n; k++)
        {
            int32_t slot = slot_at(p->index[i][p->jacobi_begin + k]);
            if (slot < w->live)
                p->jacobi_entry[next[slot]++] = i * n + k;
        }
}

// ---- runs ----------------------------------------------------------------------------------------------------------

static int64_t count_tile_runs(const pl_world *w, const sorting *sorted)
{
    int64_t runs = 0, seams = (int64_t)w->order.tiles * COLOUR_CAP;
    for (int kind = 0; kind < PL_KIND_COUNT; kind++)
        for (int64_t g = 0; g < seams; g++)
            runs += sorted[kind].group_start[g] < sorted[kind].group_start[g + 1];
    return runs;
}

// Tile by tile, in a tile kind by kind, in a kind colour by colour.
static void list_tile_runs(pl_world *w, const sorting *sorted)
{
    state *s = &w->state;
    int32_t at = 0;
    for (int32_t tile = 0; tile < w->order.tiles; tile++)
    {
        s->tile_start[tile] = at;
        for (int kind = 0; kind < PL_KIND_COUNT; kind++)
            for (int c = 0; c < COLOUR_CAP; c++)
            {
                const int32_t *start = sorted[kind].group_start + (int64_t)tile * COLOUR_CAP + c;
                if (start[0] < start[1])
                    s->tile_run[at++] = (run){kind, start[0], start[1]};
            }
    }
    s->tile_start[w->order.tiles] = at;
    if (w->order.tiles)
        memcpy(s->tile_first, w->order.tile_first, (size_t)(w->order.tiles + 1) * sizeof *s->tile_first);
    s->tiles = at ? w->order.tiles : 0;
}

// What is left beside the tiles: every colour of a small scene, or the seams of a large one.
static pl_result list_runs(pl_world *w, const sorting *sorted)
{
    w->run_count = 0;
    int64_t seams = (int64_t)w->order.tiles * COLOUR_CAP;
    pl_result result =
        array_reserve(&w->memory, &w->runs, &w->run_capacity, PL_KIND_COUNT * COLOUR_CAP, sizeof *w->runs);
    for (int kind = 0; result == PL_OK && kind < PL_KIND_COUNT; kind++)
        for (int64_t g = seams; g < seams + COLOUR_CAP; g++)
            if (sorted[kind].group_start[g] < sorted[kind].group_start[g + 1])
                w->runs[w->run_count++] = (run){kind, sorted[kind].group_start[g], sorted[kind].group_start[g + 1]};
    return result;
}

static void describe(pl_world *w, const sorting *sorted)
{
    pl_order_info *info = &w->order_info;
    *info = (pl_order_info){.colours = (int)w->run_count, .tiles = w->state.tiles};
    int32_t seams = w->order.tiles * COLOUR_CAP;
    for (int kind = 0; kind < PL_KIND_COUNT; kind++)
        for (int64_t row = 0; row < w->rows[kind].count; row++)
        {
            int32_t group = sorted[kind].group[row];
            info->jacobi += group == seams + COLOUR_CAP;
            info->seams += w->order.tiles && group >= seams;
        }
}

// ---- all together --------------------------------------------------------------------------------------------------

typedef struct scratch
{
    sorting sorted[PL_KIND_COUNT];
    colour_masks masks;
    int32_t *by_slot, *slot_start, *next;
} scratch;

static void lay_out_scratch(const pl_world *w, scratch *s, arena *a)
{
    int64_t groups = ((int64_t)w->order.tiles + 1) * COLOUR_CAP + 1, most = 0;
    for (int kind = 0; kind < PL_KIND_COUNT; kind++)
    {
        s->sorted[kind].group = arena_take(a, w->rows[kind].count, sizeof(int32_t));
        s->sorted[kind].group_start = arena_take(a, groups + 1, sizeof(int32_t));
        most = w->rows[kind].count > most ? w->rows[kind].count : most;
    }
    s->masks.moved = arena_take(a, w->live, sizeof(uint64_t));
    s->masks.read = arena_take(a, w->live, sizeof(uint64_t));
    s->by_slot = arena_take(a, most, sizeof(int32_t));
    s->slot_start = arena_take(a, w->live + 1, sizeof(int32_t));
    s->next = arena_take(a, groups > w->live ? groups : w->live, sizeof(int32_t));
}

static counts count_parts(const pl_world *w, const sorting *sorted)
{
    counts n = {.tile_runs = count_tile_runs(w, sorted)};
    for (int64_t i = 1; i < w->thing_count; i++)
        if (w->things[i].type == THING_OBJECT)
        {
            n.objects++;
            n.chunks += (w->things[i].count + MOTION_CHUNK - 1) / MOTION_CHUNK;
        }
    n.chunks += w->room ? w->room / MOTION_CHUNK + n.objects : 0;
    return n;
}

static pl_result structure(pl_world *w, scratch *s)
{
    for (int kind = 0; kind < PL_KIND_COUNT; kind++)
    {
        colour_kind(w, kind, &s->sorted[kind], s->masks, s->next);
        size_groups(w, kind, &s->sorted[kind]);
        if (s->sorted[kind].padded > INT32_MAX - PAD)
            return fail(PL_ERROR_MEMORY, "%s: too many constraints for one world", facts_of(kind)->info.name);
        place_rows(w, kind, &s->sorted[kind], s->by_slot, s->slot_start, s->next);
    }
    counts n = count_parts(w, s->sorted);
    pl_result result = volumes_measure(w);
    if (result != PL_OK)
        return result;
    arena a = {0};
    lay_out(w, s->sorted, n, &a);
    result = array_reserve(&w->memory, &w->packing, &w->packing_capacity, (int64_t)a.used + 64, 1);
    if (result == PL_OK)
        result = list_runs(w, s->sorted);
    if (result != PL_OK)
        return result;
    w->packing_used = (int64_t)a.used;
    a = (arena){w->packing, 0};
    lay_out(w, s->sorted, n, &a);
    for (int kind = 0; kind < PL_KIND_COUNT; kind++)
    {
        fill_rows(w, kind, &s->sorted[kind]);
        fill_jacobi(w, kind, s->next);
    }
    pack_faces(w);
    list_objects(w);
    oriented_fill(w);
    lattices_fill(w);
    clusters_fill(w);
    volumes_fill(w, s->next);
    list_tile_runs(w, s->sorted);
    describe(w, s->sorted);
    return PL_OK;
}

static void count_faces(pl_world *w)
{
    int64_t count = 0;
    for (int64_t i = 0; i < w->faces.count; i++)
        count += w->faces.drag[2 * i] != 0.0f || w->faces.drag[2 * i + 1] != 0.0f;
    w->state.faces.count = (int32_t)round_up(count);
}

static void say(const pl_world *w)
{
    const pl_order_info *o = &w->order_info;
    char text[160];
    if (!w->log.write)
        return;
    snprintf(text, sizeof text,
             "ordered %d particles: %d colours, %d tiles, %lld constraints across tiles, %lld the Jacobi way", w->live,
             o->colours, o->tiles, (long long)o->seams, (long long)o->jacobi);
    w->log.write(w->log.user, PL_LOG_INFO, text);
}

static pl_result restructure(pl_world *w)
{
    pl_result result = skin_keep(w); // its faces may have changed
    w->tear.web.ready = false;
    w->skin.stale = true;
    w->skin.listed = false;
    if (w->particles_stale)
    {
        bool moved;
        if (result == PL_OK)
            result = contacts_keep(w); // slots are about to change
        w->contacts.crowd_stale = w->contacts.stale = true;
        w->contacts.listed = false;
        if (result == PL_OK)
            result = order_particles(w);
        if (result == PL_OK)
            result = arrange(w, &moved);
    }
    if (result != PL_OK)
        return result;
    w->particles_stale = false;
    w->state.particles = w->live;
    w->room = w->tear.on ? (w->live / 16 > 256 ? w->live / 16 : 256) : 0;
    w->dummy = w->live + w->room;
    w->state.slots = (int32_t)round_up(w->dummy + w->order.tiles + 1);
    result = particles_reserve(w, 0);
    if (result != PL_OK)
        return result;
    count_faces(w);
    scratch s;
    arena a = {0};
    lay_out_scratch(w, &s, &a);
    void *block = NULL;
    size_t bytes = a.used + 64;
    result = memory_resize(&w->memory, &block, 0, bytes);
    if (result != PL_OK)
        return result;
    a = (arena){block, 0};
    lay_out_scratch(w, &s, &a);
    result = structure(w, &s);
    memory_free(&w->memory, block, bytes);
    if (result == PL_OK)
    {
        w->order_stale = false;
        say(w);
        w->plan_stale = true;
    }
    return result;
}

pl_result compile(pl_world *w)
{
    bool fresh = w->order_stale;
    w->numbers.moves += fresh;
    pl_result result = fresh ? pull(w, ALL_ARRAYS) : PL_OK;
    if (result == PL_OK && fresh)
        result = restructure(w);
    for (int kind = 0; result == PL_OK && kind < PL_KIND_COUNT; kind++)
        if (w->rows_stale[kind])
        {
            result = fresh ? PL_OK : wear_home(w);
            if (result != PL_OK)
                return result;
            pack_rows(w, kind);
            if (!fresh)
                result = w->backend->rows(w, kind);
            w->rows_stale[kind] = result != PL_OK;
        }
    if (result == PL_OK && fresh)
        result = w->backend->structure(w);
    if (result == PL_OK)
        result = contacts_compile(w);
    if (result == PL_OK && w->plan_stale)
    {
        result = plan_frame(w);
        if (result == PL_OK)
            result = w->backend->plan(w);
        w->plan_stale = result != PL_OK;
    }
    w->order_stale |= result != PL_OK && fresh;
    return result;
}

pl_order_info pl_world_order(pl_world *world)
{
    return world && compile(world) == PL_OK ? world->order_info : (pl_order_info){0};
}
