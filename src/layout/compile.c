// compile.c: compiles the user's particles and rows into the packed arrays that the stages read.
//
//   order particles -> tile and colour rows -> lay out one block of memory -> place rows, faces, objects -> list runs
//
// Slots and colours depend on the scene alone: on the positions when the particles were ordered, on the rows in the
// user's order, and on the edits since the world began to run, which keep both (edit/edit_in_place.c). Positions in
// memory do not change the result.
#include "core/arena.h"
#include "direct/direct.h"
#include "groups/group.h"
#include "layout/colour.h"
#include "layout/compile.h"
#include "layout/components.h"
#include "layout/hierarchy.h"
#include "layout/packing.h"
#include "model/columns.h"
#include "model/fluid.h"
#include "neighbours/contact/contacts.h"

#include <stdio.h>
#include <string.h>

// ---- memory layout -------------------------------------------------------------------------------------------------

typedef struct counts
{
    lists_size lists[PARTICLE_LISTS];
    int64_t tile_runs;
} counts;

// Sets the numbers that determine the sizes of a kind's columns.
static void size_rows(pl_world *w, int kind, const sorting *s)
{
    const kind_facts *k = facts_of(kind);
    packed_rows *p = &w->state.rows[kind];
    p->damaged = (uint8_t)(damage_flows(&w->rows[kind]) | damage_breaks(&w->rows[kind]) << 1);
    p->law = (uint8_t)damage_law_of(kind);
    p->arity = (uint8_t)k->info.arity;
    p->params = (uint8_t)k->info.params;
    p->writes = (uint8_t)k->writes;
    p->bounded = k->bound != 0;
    p->frames = k->frames;
    p->lambda_step = (int32_t)s->padded;
    p->parts = k->info.parts;
    p->jacobi_begin = s->group_start[s->groups - 1];
    p->jacobi_end = (int32_t)s->padded;
}

static void lay_out(pl_world *w, const sorting *sorted, counts n, arena *a)
{
    state *s = &w->state;
    for (int kind = 0; kind < PL_KIND_COUNT; kind++)
        size_rows(w, kind, &sorted[kind]);
    for (int i = 0; i < PARTICLE_LISTS; i++)
        lists_reserve(&s->lists[i], n.lists[i]);
    s->tile_room = w->order.tiles;
    s->tile_runs = (int32_t)n.tile_runs;
    s->fluid.room = fluid_room(w);
    s->acceleration.slots = w->settings.solver == PL_SOLVER_CHEBYSHEV ? s->slots : 0;
    for (int owner = 0; owner < FIRST_GROUP; owner++)
        packed_lay_out(s, (enum packed_owner)owner, a);
    w->groups_at = (int64_t)a->used;
    groups_lay_out(w, a);
}

static void describe(pl_world *w)
{
    pl_order_info *info = &w->order_info;
    *info = (pl_order_info){.colours = (int)w->run_count, .tiles = w->state.tiles};
    for (int kind = 0; kind < PL_KIND_COUNT; kind++)
        for (int64_t row = 0; row < w->rows[kind].count; row++)
        {
            int colour = w->rows[kind].colour[row];
            info->jacobi += colour == COLOUR_JACOBI;
            info->seams += w->order.tiles && colour >= COLOUR_PLAIN && colour != COLOUR_GROUP && colour != COLOUR_NONE;
        }
}

// ---- packing -------------------------------------------------------------------------------------------------------

typedef struct scratch
{
    sorting sorted[PL_KIND_COUNT];
    colour_masks masks;
    int32_t *by_slot, *slot_start, *next;
    hierarchy_graphs hierarchy;
} scratch;

static void lay_out_scratch(const pl_world *w, scratch *s, arena *a)
{
    int64_t groups = groups_of(w), slots = w->state.particles, most = 0;
    for (int kind = 0; kind < PL_KIND_COUNT; kind++)
    {
        s->sorted[kind].group = arena_take(a, w->rows[kind].count, sizeof(int32_t));
        s->sorted[kind].group_start = arena_take(a, groups + 1, sizeof(int32_t));
        most = w->rows[kind].count > most ? w->rows[kind].count : most;
    }
    s->masks.moved = arena_take(a, w->colours_stale ? slots : 0, sizeof(uint64_t));
    s->masks.read = arena_take(a, w->colours_stale ? slots : 0, sizeof(uint64_t));
    s->by_slot = arena_take(a, most, sizeof(int32_t));
    s->slot_start = arena_take(a, slots + 1, sizeof(int32_t));
    s->next = arena_take(a, groups > slots ? groups : slots, sizeof(int32_t));
}

// Adds room for what edits may bring: particles into the free slots, and more lists.
static void add_room(const pl_world *w, lists_size *size)
{
    size->members += w->room + MOTION_SUMS * (size->lists + 64) / 4;
    size->chunks += w->room / MOTION_CHUNK + size->lists + 64 + size->chunks / 4;
    size->blocks += w->room / MOTION_CHUNK / MOTION_BLOCK + size->lists + 64 + size->blocks / 4;
    size->lists += 64 + size->lists / 4;
}

static pl_result count_parts(pl_world *w, const sorting *sorted, counts *n)
{
    *n = (counts){.tile_runs = count_tile_runs(w, sorted)};
    n->lists[LISTS_OBJECTS] = size_objects(w);
    pl_result result = components_find(w, &n->lists[LISTS_COMPONENTS]);
    for (int i = 0; w->roomy && i < PARTICLE_LISTS; i++)
        add_room(w, &n->lists[i]);
    return result;
}

// Reserves dummy slots that unused rows name: one for each tile, and so many others that no two runs of PAD
// rows of a colour share one when each may have an unused row.
static pl_result spare_slots(pl_world *w)
{
    w->spares = 1;
    for (int kind = 0; w->roomy && kind < PL_KIND_COUNT; kind++)
        for (int c = 0; c < COLOUR_CAP; c++)
        {
            int32_t stretches = (w->colour_ranges[kind].start[c + 1] - w->colour_ranges[kind].start[c]) / PAD;
            w->spares = stretches > w->spares ? stretches : w->spares;
        }
    w->state.slots = (int32_t)round_up(w->dummy + w->order.tiles + w->spares);
    pl_result result = particles_reserve(w, 0);
    if (result != PL_OK)
        return result;
    for (int a = 0; a < SLOT_ARRAYS; a++)
        memset(w->state.slot[a] + 4 * (size_t)w->used, 0, 16 * (size_t)(w->state.slots - w->used));
    for (int32_t slot = w->used; slot < w->state.slots; slot++)
        w->number_of[slot] = -1;
    return PL_OK;
}

static pl_result structure(pl_world *w, scratch *s)
{
    pl_result result = PL_OK;
    if (w->colours_stale)
    {
        colours_clear(w);
        result = groups_choose_rows(w);
    }
    if (result != PL_OK)
        return result;
    for (int kind = 0; kind < PL_KIND_COUNT; kind++)
    {
        if (w->colours_stale)
            colour_kind(w, kind, s->masks, s->next);
        size_groups(w, kind, &s->sorted[kind]);
        if (s->sorted[kind].padded > INT32_MAX - PAD)
            return fail(PL_ERROR_MEMORY, "%s: too many constraints for one world; split it into several worlds",
                        facts_of(kind)->info.name);
        place_rows(w, kind, &s->sorted[kind], s->by_slot, s->slot_start, s->next);
    }
    counts n;
    result = count_parts(w, s->sorted, &n);
    if (result == PL_OK)
        result = spare_slots(w);
    if (result == PL_OK)
        result = groups_size(w);
    if (result == PL_OK)
        result = hierarchy_build(w, &s->hierarchy);
    if (result != PL_OK)
        return result;
    arena a = {0};
    lay_out(w, s->sorted, n, &a);
    int64_t used = (int64_t)a.used;
    result = array_reserve(&w->memory, &w->packing, &w->packing_capacity, used + groups_room(w, used) + 64, 1);
    if (result == PL_OK)
        result = list_runs(w);
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
    components_list(w);
    groups_fill(w, s->next);
    hierarchy_fill(w, &s->hierarchy);
    list_tile_runs(w, s->sorted);
    describe(w);
    return PL_OK;
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

// Packs everything again; orders particles and colours rows where they are stale.
static pl_result restructure(pl_world *w)
{
    contacts *t = &w->contacts;
    pl_result result = set_lists_aside(w);
    if (result != PL_OK)
        return result;
    if (w->particles_stale)
    {
        bool moved;
        t->colliders_stale = t->stale = w->surfaces.stale = true;
        t->resume = w->surfaces.resume = false; // slots are about to change
        result = order_particles(w);
        w->state.particles = w->used;
        if (result == PL_OK)
            result = arrange(w, &moved);
    }
    if (result != PL_OK)
        return result;
    w->colours_stale |= w->particles_stale;
    w->order.settled &= !w->colours_stale;
    w->order.joined = w->colours_stale ? 0 : w->order.joined;
    w->particles_stale = false;
    w->hole = 0;
    w->roomy = w->open || w->tear.on;
    w->room = w->roomy ? (w->used / 16 > 256 ? w->used / 16 : 256) : 0;
    w->state.particles = w->dummy = w->used + w->room;
    w->state.faces.count = (int32_t)round_up(faces_room(w));
    scratch s = {0};
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
    hierarchy_graphs_free(w, &s.hierarchy);
    memory_free(&w->memory, block, bytes);
    if (result == PL_OK)
    {
        w->order_stale = w->colours_stale = w->objects_stale = w->faces_stale = false;
        say(w);
        w->plan_stale = true;
    }
    return result;
}

// Applies updates that edits have postponed, each only if its result is used.
static pl_result catch_up(pl_world *w)
{
    pl_result result = PL_OK;
    if (w->runs_stale)
        result = list_runs(w);
    if (w->objects_stale && w->settings.internal_damping > 0.0f)
        list_objects_again(w);
    if (w->faces_stale && w->settings.wind.density > 0.0f)
        pack_faces_again(w);
    return result;
}

// Must groups be packed again? Some groups hold the indices of their particles' objects in the object list.
static bool groups_follow(const pl_world *w)
{
    return w->objects_stale && w->settings.internal_damping > 0.0f && groups_use_objects(w);
}

// Do postponed updates fit into the packed memory?
static bool fits(pl_world *w)
{
    if (w->state.fluid.room < fluid_room(w))
        return false;
    const packed_lists *objects = &w->state.lists[LISTS_OBJECTS];
    return !(w->objects_stale && w->settings.internal_damping > 0.0f && !lists_fit(objects, size_objects(w))) &&
           !(w->faces_stale && w->settings.wind.density > 0.0f && !faces_fit(w)) && !w->patch_lost;
}

// Finds the components again, if an edit may have changed them. If there is no room, everything is packed again.
static pl_result follow_components(pl_world *w)
{
    bool fit = true;
    pl_result result = PL_OK;
    if (!w->order_stale && (w->components_stale || w->groups_stale))
        result = components_list_again(w, &fit);
    return result == PL_OK && !fit ? unpack_all(w, false, false) : result;
}

pl_result compile(pl_world *w)
{
    fluid_measure(w);
    pl_result result = w->order_stale || (fits(w) && !hierarchy_stale(w)) ? PL_OK : unpack_all(w, false, false);
    if (result == PL_OK)
        result = follow_components(w);
    if (result == PL_OK && groups_follow(w))
        result = groups_open(w);
    if (result == PL_OK && !w->order_stale)
        result = catch_up(w);
    bool again = !w->order_stale && w->groups_stale;
    if (result == PL_OK && again)
        result = regroup(w);
    bool fresh = w->order_stale;
    w->numbers.moves += fresh;
    if (result == PL_OK && fresh)
        result = pull(w, ALL_ARRAYS);
    if (result == PL_OK && fresh)
        result = restructure(w);
    for (int kind = 0; result == PL_OK && kind < PL_KIND_COUNT; kind++)
        if (w->rows_stale[kind])
        {
            result = fresh ? PL_OK : damage_pull(w);
            if (result != PL_OK)
                break;
            pack_rows(w, kind);
            if (!fresh && !again)
                result = w->backend->rows(w, kind);
            w->rows_stale[kind] = result != PL_OK;
        }
    if (result == PL_OK && (fresh || again))
        result = w->backend->structure(w);
    if (result == PL_OK)
        result = contacts_compile(w);
    if (result == PL_OK)
        result = direct_prepare(w);
    w->order_stale |= result != PL_OK && fresh;
    w->groups_stale |= result != PL_OK && again;
    return result;
}

pl_order_info pl_world_order(pl_world *world)
{
    if (!world || compile(world) != PL_OK)
        return (pl_order_info){0};
    describe(world); // edits do not update the description
    return world->order_info;
}
