// snapshot.c: saves a world as bytes and loads it. One walk over the world serves both directions, so that they cannot
// differ.
//
//   "PLIANT\0" version, 64-bit FNV-1a of the rest, layout, settings, time, particles by slot, order, ids, rows with their
//   damage, faces, fields, tearing, groups in the order of model/groups.def (clusters, oriented particles, lattices,
//   visuals, volumes), materials, shapes, contacts, surface contacts, events, heat
//
// Colours are saved once a step has been made, because edits add to them. Built geometry is not saved: it is rebuilt
// from the shapes. Loaded data is not trusted: counts are checked against the bytes that are left, and check.c checks
// the rest. Numbers are little-endian.
#include "core/files.h"
#include "edit/add.h"
#include "groups/group.h"
#include "layout/colour.h"
#include "layout/compile.h"
#include "model/fluid.h"
#include "model/model_columns.h"
#include "snapshot/snapshot.h"

#include <stdlib.h>
#include <string.h>

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "snapshots are written as they lie in memory, which must be little-endian"
#endif

static const char magic[8] = "PLIANT\0\31";

static uint64_t hash_bytes(uint64_t h, const void *data, size_t size)
{
    for (size_t i = 0; i < size; i++)
        h = (h ^ ((const unsigned char *)data)[i]) * 1099511628211u;
    return h;
}

static uint64_t hash_name(uint64_t h, const char *name) { return hash_bytes(h, name, strlen(name) + 1); }
static uint64_t hash_number(uint64_t h, int64_t number) { return hash_bytes(h, &number, sizeof number); }

#define FNV_BASIS 14695981039346656037u

// Returns a hash of the tables that decide what a snapshot holds: the kinds of constraints and of groups, and the saved
// arrays. A snapshot made with other tables is refused by it, so that a change of a table needs no new version.
static uint64_t layout_of_tables(void)
{
    uint64_t h = FNV_BASIS;
    for (int k = 0; k < PL_KIND_COUNT; k++)
    {
        const pl_kind_info *kind = &facts_of(k)->info;
        h = hash_name(h, kind->name);
        h = hash_number(hash_number(hash_number(h, kind->arity), kind->params), kind->parts);
    }
    for (int i = 0; i < SLOT_ARRAYS; i++)
        h = slot_columns[i].saved ? hash_name(h, slot_columns[i].name) : h;
    for (int i = 0; i < MODEL_COLUMNS; i++)
        if (model_columns[i].saved)
        {
            h = hash_name(h, model_columns[i].name);
            h = hash_number(hash_number(h, (int64_t)model_columns[i].bytes), columns_width(i, 0));
        }
#define GROUP_KIND(name, NAME, id, form, words) h = hash_number(hash_name(h, #name), id);
#include "model/groups.def"
    return h;
}

static void walk_settings(stream *s, pl_world *w)
{
    pl_settings *p = &w->settings;
    float *const floats[] = {&p->gravity.x,        &p->gravity.y,       &p->gravity.z,       &p->damping,
                             &p->internal_damping, &p->wind.velocity.x, &p->wind.velocity.y, &p->wind.velocity.z,
                             &p->wind.gust,        &p->wind.gust_size,  &p->wind.density,    &w->last_dt,
                             &w->force_scale,      &p->sleep_speed,     &p->sleep_time,      &p->relaxation,
                             &p->spectral_radius};
    for (size_t i = 0; i < sizeof floats / sizeof *floats; i++)
        stream_bytes(s, floats[i], sizeof(float));
    int32_t solver = (int32_t)p->solver, integrator = (int32_t)p->integrator;
    stream_number32(s, &p->substeps, 1, 10000, "substeps");
    stream_number32(s, &p->iterations, 1, 10000, "iterations");
    stream_number32(s, &p->stabilise, 0, 100, "stabilise");
    stream_number32(s, &p->contact_sweeps, 0, 1000, "contact_sweeps");
    stream_number32(s, &solver, 0, PL_SOLVER_DIRECT, "solver");
    stream_number32(s, &p->colour_cap, -1, COLOUR_CAP, "colour_cap");
    stream_number32(s, &integrator, 0, PL_INTEGRATOR_BDF2, "integrator");
    int32_t sleep = p->sleep;
    int32_t averaged = p->averaged;
    stream_number32(s, &sleep, 0, 1, "sleep");
    stream_number32(s, &averaged, 0, 1, "averaged");
    p->sleep = sleep;
    p->averaged = averaged;
    p->solver = (pl_solver)solver;
    p->integrator = (pl_integrator)integrator;
    stream_bytes(s, &w->time, sizeof w->time);
    stream_bytes(s, w->origin, sizeof w->origin);
    stream_number64(s, &w->frame, 0, INT64_MAX, "frame");
    stream_number32(s, &w->flow.smooth, 0, 1000, "smooth");
    stream_number32(s, &w->unfinished.from, 0, AFTER_FRAME_PARTS, "what is left of a frame");
    stream_flag(s, &w->unfinished.torn, "what is torn");
    stream_bytes(s, &w->unfinished.dt, sizeof w->unfinished.dt);
}

static bool any_force(const pl_world *w)
{
    static const float none[3];
    for (int32_t slot = 0; slot < w->used; slot++)
        if (memcmp(w->state.slot[SLOT_FORCE] + 4 * (size_t)slot, none, sizeof none) != 0)
            return true;
    return false;
}

static void walk_particles(stream *s, pl_world *w)
{
    stream_number32(s, &w->used, 0, INT32_MAX / 8, "slots");
    stream_number32(s, &w->live, 0, w->used, "particles");
    stream_number32(s, &w->numbers.end, 0, INT32_MAX / 8, "the end of particle numbers");
    if (!s->saving && s->result == PL_OK && (size_t)w->used > (s->size - s->at) / (sizeof(int32_t) + 16))
        stream_ends(s);
    if (!s->saving && s->result == PL_OK && w->numbers.end > 64 * (int64_t)w->used + 67108864)
        s->result = fail(PL_ERROR_FORMAT, "snapshot: particle numbers go to %d for %d particles; the file is damaged",
                         w->numbers.end, w->used);
    int32_t used = w->used;
    if (!s->saving && s->result == PL_OK)
    {
        int32_t end = w->numbers.end;
        s->result = particles_reserve(w, 0); // makes room by `used`
        if (s->result == PL_OK)
            s->result = array_reserve(&w->memory, &w->numbers.slot_of, &w->numbers.capacity, end, sizeof(int32_t));
    }
    if (s->result != PL_OK)
        return;
    stream_bytes(s, w->number_of, (size_t)used * sizeof *w->number_of);
    for (int a = 0; a < SLOT_ARRAYS; a++)
        if (slot_columns[a].saved)
            stream_bytes(s, w->state.slot[a], 16 * (size_t)used);
    if (!s->saving)
        w->state.pushed = s->result == PL_OK && any_force(w);
    int32_t stale = w->particles_stale, coloured = keeps_order(w), settled = w->order.settled;
    stream_number32(s, &stale, 0, 1, "the particles' order");
    stream_number32(s, &coloured, 0, 1, "the rows' colours");
    stream_number32(s, &settled, 0, 1, "whether the order is settled");
    stream_number32(s, &w->order.count, 0, INT32_MAX / 8, "particles when they were ordered");
    stream_number64(s, &w->order.joined, 0, INT32_MAX, "rows since they were coloured");
    w->particles_stale = stale;
    w->order.settled = settled;
    if (!s->saving)
        w->colours_stale = !coloured;
    int32_t tiles = w->particles_stale ? 0 : w->order.tiles; // a stale order will be rebuilt
    stream_number32(s, &tiles, 0, w->used, "tiles");
    if (!s->saving)
        w->order.tiles = tiles;
    stream_items(s, &w->memory, &w->order.tile_first, &w->order.capacity, tiles ? tiles + 1 : 0, sizeof(int32_t));
    if (s->result == PL_OK && !s->saving)
        s->result = snapshot_check_particles(w);
}

static void walk_entries(stream *s, pl_world *w)
{
    stream_number64(s, &w->entry_count, 0, INT32_MAX / 8, "ids");
    stream_items(s, &w->memory, &w->entries, &w->entry_capacity, w->entry_count, sizeof *w->entries);
    if (s->result == PL_OK && !s->saving)
        s->result = snapshot_check_ids(w);
}

static void walk_rows(stream *s, pl_world *w, int kind)
{
    const kind_facts *k = facts_of(kind);
    rows *r = &w->rows[kind];
    stream_number64(s, &r->count, 0, INT32_MAX / 8, k->info.name);
    if (s->result != PL_OK)
        return; // a count that was refused must not be multiplied
    columns_stream(s, w, MODEL_OF_ROWS, kind);
    if (!s->saving || w->order_stale)
        columns_stream_one(s, w, MODEL_ROWS_lambda, kind);
    else
        for (int64_t i = 0; i < r->count; i++)
            for (int part = 0; part < k->info.parts; part++)
            {
                float lambda = row_lambda(w, kind, i, part);
                stream_bytes(s, &lambda, sizeof lambda);
            }
    if (s->saving ? keeps_order(w) : !w->colours_stale)
        columns_stream_one(s, w, MODEL_ROWS_colour, kind);
    if (!s->saving && s->result == PL_OK)
        s->result = columns_reserve(w, PER_ROWS_ROW, kind, r->count);
}

// Saves or loads the damage records (plastic flow and breaking) of kinds that have them.
static void walk_damage(stream *s, pl_world *w, int kind)
{
    rows *r = &w->rows[kind];
    int32_t damaged = r->damage != NULL;
    stream_number32(s, &damaged, 0, 1, "damage");
    if (s->result != PL_OK || !damaged)
        return;
    stream_items(s, &w->memory, &r->damage, &r->damage_capacity, r->count, sizeof *r->damage);
}

static void walk_faces(stream *s, pl_world *w)
{
    stream_number64(s, &w->faces.count, 0, INT32_MAX / 8, "faces");
    if (s->result != PL_OK)
        return;
    columns_stream(s, w, MODEL_OF_FACES, 0);
    stream_bytes(s, w->fields, sizeof w->fields);
    stream_bytes(s, w->field_entry, sizeof w->field_entry);
    stream_number32(s, &w->gases, 0, GAS_RULES, "gases");
    stream_bytes(s, w->gas, sizeof w->gas);
    int32_t travel = w->pins_travel;
    stream_number32(s, &travel, 0, 1, "pins");
    w->pins_travel = travel;
}

// Saves or loads the roots of split particles, and the counts of splits and broken rows.
static void walk_tear(stream *s, pl_world *w)
{
    tear *t = &w->tear;
    int32_t on = t->on;
    stream_number32(s, &on, 0, 1, "tearing");
    t->on = on;
    stream_number64(s, &t->splits, 0, INT64_MAX, "splits");
    stream_number64(s, &t->broken, 0, INT64_MAX, "what is broken");
    if (t->root_count > w->numbers.end)
        t->root_count = w->numbers.end; // the last particles have been removed
    stream_number64(s, &t->root_count, 0, w->numbers.end, "particles that have torn off");
    stream_items(s, &w->memory, &t->root, &t->root_capacity, t->root_count, sizeof *t->root);
}

static void walk_world(stream *s, pl_world *w)
{
    uint64_t sum = 0;
    char mark[sizeof magic];
    memcpy(mark, magic, sizeof magic);
    stream_bytes(s, mark, sizeof mark);
    if (s->result == PL_OK && memcmp(mark, magic, sizeof magic - 1) != 0)
        s->result = fail(PL_ERROR_FORMAT, "snapshot: this is not a snapshot; give what pl_world_save wrote");
    if (s->result == PL_OK && mark[sizeof magic - 1] != magic[sizeof magic - 1])
        s->result = fail(PL_ERROR_FORMAT, "snapshot: it has version %d; this program reads version %d",
                         (unsigned char)mark[sizeof magic - 1], magic[sizeof magic - 1]);
    stream_bytes(s, &sum, sizeof sum);
    uint64_t tables = layout_of_tables(), layout = tables;
    stream_bytes(s, &layout, sizeof layout);
    if (s->result == PL_OK && layout != tables)
        s->result = fail(PL_ERROR_FORMAT, "snapshot: it has other arrays or kinds than this program; read it with the "
                                          "program that wrote it");
    walk_settings(s, w);
    walk_particles(s, w);
    walk_entries(s, w);
    for (int kind = 0; kind < PL_KIND_COUNT; kind++)
    {
        walk_rows(s, w, kind);
        walk_damage(s, w, kind);
    }
    walk_faces(s, w);
    walk_tear(s, w);
    groups_walk(s, w);
    walk_contacts(s, w);
    walk_surface(s, w);
    walk_events(s, w);
    walk_heat(s, w);
}

static uint64_t sum_of(const char *data, size_t size)
{
    const size_t head = sizeof magic + sizeof(uint64_t);
    return hash_bytes(FNV_BASIS, data + head, size > head ? size - head : 0);
}

// ---- public calls --------------------------------------------------------------------------------------------------

pl_result pl_world_save_memory(const pl_world *world, void **data, size_t *size)
{
    NEED(world);
    NEED(data);
    NEED(size);
    stream s = {.saving = true, .result = pull(world, ALL_ARRAYS)};
    if (s.result == PL_OK)
        s.result = damage_pull(world);
    walk_world(&s, (pl_world *)world); // writes only to caches made for saving
    *data = NULL;
    *size = 0;
    if (s.result != PL_OK)
    {
        free(s.data);
        return s.result;
    }
    uint64_t sum = sum_of(s.data, s.at);
    memcpy(s.data + sizeof magic, &sum, sizeof sum);
    *data = s.data;
    *size = s.at;
    return PL_OK;
}

void pl_free(void *data) { free(data); }

pl_result snapshot_read(pl_world *w, const void *data, size_t size)
{
    stream s = {.data = (char *)data, .size = size}; // loading only reads
    walk_world(&s, w);
    uint64_t sum;
    if (s.result != PL_OK)
        return s.result;
    memcpy(&sum, (const char *)data + sizeof magic, sizeof sum);
    if (sum != sum_of(data, s.at) || s.at != size)
        return fail(PL_ERROR_FORMAT, "snapshot: the checksum is wrong; the file is damaged");
    w->rigid_contacts.shape_version = w->contacts.shape_version; // the boxes of the saved world belong to these shapes
    pl_result result = snapshot_check(w);
    if (result != PL_OK)
        return result;
    w->order_stale = w->plan_stale = true;
    fluid_measure(w); // what is read of fluids before the next step needs their kernel
    return PL_OK;
}

pl_result pl_world_load_memory(const pl_world_def *def, const void *data, size_t size, pl_world **world)
{
    NEED(def);
    NEED(data);
    NEED(world);
    PLAIN_ROUNDING;
    pl_world *w;
    *world = NULL;
    pl_result result = pl_world_create(def, &w);
    if (result != PL_OK)
        return result;
    result = snapshot_read(w, data, size);
    if (result != PL_OK)
    {
        // The loaded data may be invalid: nothing may read it during cleanup.
        pl_world_destroy(w);
        return result;
    }
    *world = w;
    return PL_OK;
}

pl_result pl_world_save(const pl_world *world, const char *path)
{
    NEED(world);
    NEED(path);
    void *data;
    size_t size;
    struct out_file out;
    pl_result result = pl_world_save_memory(world, &data, &size);
    if (result == PL_OK)
        result = out_open(&out, path);
    if (result == PL_OK)
    {
        fwrite(data, 1, size, out.stream);
        result = out_finish(&out);
    }
    free(data);
    return result;
}

pl_result pl_world_load(const pl_world_def *def, const char *path, pl_world **world)
{
    NEED(def);
    NEED(path);
    NEED(world);
    char *data;
    size_t size;
    *world = NULL;
    pl_result result = file_read(path, SIZE_MAX / 4, &data, &size);
    if (result != PL_OK)
        return result;
    result = pl_world_load_memory(def, data, size, world);
    free(data);
    if (result == PL_ERROR_FORMAT)
    {
        char why[512];
        snprintf(why, sizeof why, "%s", pl_error_message());
        return fail(PL_ERROR_FORMAT, "%s:1:1: error: %s", path, why);
    }
    return result;
}
