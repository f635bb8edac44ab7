// world.c: creates and destroys worlds, reads their settings, and changes their threads and lanes.
#include "backend/cpu/cpu.h"
#include "backend/cuda/backend.h"
#include "direct/direct.h"
#include "edit/add.h"
#include "edit/edit_in_place.h"
#include "edit/tear.h"
#include "groups/group.h"
#include "groups/body_particles.h"
#include "groups/rigid_contacts.h"
#include "layout/colour.h"
#include "layout/components.h"
#include "layout/hierarchy.h"
#include "model/model_columns.h"
#include "neighbours/contact/contacts.h"
#include "neighbours/contact/events.h"
#include "neighbours/heat/heat.h"
#include "plan/stage.h"
#include "query/cache.h"
#include "world/contents.h"
#include "world/cpu_backend.h"

#include <stdlib.h>
#include <string.h>

pl_world_def pl_default_world_def(void)
{
    return (pl_world_def){
        .settings =
            {
                .gravity = {0.0f, -9.81f, 0.0f},
                .substeps = 20,
                .iterations = 1,
                .colour_cap = -1,
                .relaxation = 1.0f,
                .spectral_radius = 0.9f,
                .wind = {.gust_size = 1.0f, .density = 1.2f},
                .sleep_speed = 0.01f,
                .sleep_time = 0.5f,
            },
    };
}

pl_settings pl_world_settings(const pl_world *world) { return world ? world->settings : (pl_settings){0}; }

pl_result world_set_defaults(pl_world *w)
{
    contacts *t = &w->contacts;
    w->particles_stale = w->colours_stale = w->order_stale = w->plan_stale = true;
    w->surfaces.stale = true;
    w->heat.ambient = 20.0f;
    w->contacts.row_most = INT32_MAX;
    w->contacts.colliders_stale = w->contacts.stale = true;
    w->backend = &cpu_backend;
    pl_result result = array_reserve(&w->memory, &t->material, &t->material_capacity, 1, sizeof *t->material);
    if (result != PL_OK)
        return result;
    t->material[0] = pl_default_material();
    t->materials = 1;
    return PL_OK;
}

pl_result pl_world_create(const pl_world_def *def, pl_world **world)
{
    NEED(def);
    NEED(world);
    *world = NULL;
    pl_result result = check_settings(&def->settings);
    if (result != PL_OK)
        return result;
    if ((unsigned)def->backend > PL_BACKEND_CUDA)
        return fail(PL_ERROR_ARGUMENT, "backend is %d; it must be PL_BACKEND_CPU or PL_BACKEND_CUDA",
                    (int)def->backend);
    result = check_solver_backend(&def->settings, def->backend);
    if (result != PL_OK)
        return result;
    if (def->memory_limit < 0)
        return fail(PL_ERROR_ARGUMENT, "memory_limit is %lld bytes; it must be 0 (none) or above",
                    (long long)def->memory_limit);
    memory m;
    memory_open(&m, &def->allocator);
    m.limit = (size_t)def->memory_limit;
    void *block = NULL;
    result = memory_resize(&m, &block, 0, sizeof(pl_world));
    if (result != PL_OK)
        return result;
    pl_world *w = block;
    w->memory = m;
    w->log = def->log;
    w->settings = def->settings;
    result = world_set_defaults(w);
    if (result == PL_OK)
        result = cpu_open(&w->cpu, &w->memory, def->threads, def->lanes, &def->tasks);
    if (result == PL_OK && def->backend == PL_BACKEND_CUDA)
        result = cuda_open(w);
    if (result != PL_OK)
    {
        pl_world_destroy(w);
        return result;
    }
    int got = cpu_workers(&w->cpu);
    if (def->threads > got && w->log.write)
        w->log.write(w->log.user, PL_LOG_WARNING,
                     "the system gave fewer threads than requested; the result is the same, only slower");
    *world = w;
    return PL_OK;
}

pl_result pl_world_set_workers(pl_world *world, int threads, int lanes)
{
    NEED(world);
    cpu fresh;
    pl_result result = cpu_open(&fresh, &world->memory, threads, lanes, &world->cpu.tasks);
    if (result != PL_OK)
        return result;
    cpu_close(&world->cpu, &world->memory);
    world->cpu = fresh;
    return PL_OK;
}

void pl_world_workers(const pl_world *world, int *threads, int *lanes)
{
    if (threads)
        *threads = world ? cpu_workers(&world->cpu) : 0;
    if (lanes)
        *lanes = world ? world->cpu.lanes->lanes : 0;
}

void world_free_contents(pl_world *w)
{
    memory *m = &w->memory;
    contacts_free(w);
    sensors_free(w);
    rigid_contacts_free(w);
    body_particles_free(w);
    events_free(w);
    array_free(m, &w->packing, &w->packing_capacity, 1);
    for (int a = 0; a < SLOT_ARRAYS; a++)
        array_free(m, &w->state.slot[a], &w->slot_capacity[a], 4 * sizeof(float));
    columns_free(w, MODEL_OF_ROWS);
    columns_free(w, MODEL_OF_FACES);
    colours_free(w);
    patches_free(w);
    components_free(w);
    hierarchy_free(w);
    direct_free(w);
    groups_free(w);
    tear_free(w);
    heat_free(w);
    array_free(m, &w->entries, &w->entry_capacity, sizeof *w->entries);
    array_free(m, &w->numbers.slot_of, &w->numbers.capacity, sizeof *w->numbers.slot_of);
    array_free(m, &w->number_of, &w->number_capacity, sizeof *w->number_of);
    array_free(m, &w->order.tile_first, &w->order.capacity, sizeof *w->order.tile_first);
    array_free(m, &w->runs, &w->run_capacity, sizeof *w->runs);
    array_free(m, &w->plan.stages, &w->plan.capacity, sizeof *w->plan.stages);
    array_free(m, &w->state.substeps, &w->substep_capacity, sizeof *w->state.substeps);
}

void pl_world_destroy(pl_world *w)
{
    if (!w)
        return;
    memory *m = &w->memory;
    w->backend->close(w);
    cpu_close(&w->cpu, m);
    world_free_contents(w);
    queries_free(w);
    memory last = *m;
    memory_free(&last, w, sizeof *w);
}

double pl_world_time(const pl_world *world) { return world ? world->time : 0.0; }
int64_t pl_world_frame(const pl_world *world) { return world ? world->frame : 0; }
size_t pl_world_memory(const pl_world *world) { return world ? world->memory.bytes : 0; }
pl_timing pl_world_timing(const pl_world *world) { return world ? world->timing : (pl_timing){0}; }

const char *pl_stage_name(pl_stage_group stage)
{
    static const char *const names[] = {"prepare", "predict", "elements", "velocity", "grid", "contacts"};
    return (unsigned)stage < PL_STAGE_GROUP_COUNT ? names[stage] : "unknown";
}
