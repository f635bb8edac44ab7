// clients.c: lists the particles of the clients of the neighbour service, and makes their lists.
#include "neighbours/clients/client.h"

#define NEIGHBOUR_CLIENT(name, NAME) extern const neighbour_client name##_client;
#include "model/neighbour_clients.def"

const neighbour_client *client_of(int number)
{
    static const neighbour_client *const clients[NEIGHBOUR_CLIENTS] = {
#define NEIGHBOUR_CLIENT(name, NAME) [CLIENT_##NAME] = &name##_client,
#include "model/neighbour_clients.def"
    };
    return clients[number];
}

// Lists the particles that take part, in the order of their slots.
static pl_result find_particles(pl_world *w, int number)
{
    client_list *l = &w->client_lists[number];
    int32_t before = l->count;
    pl_result result = array_reserve(&w->memory, &l->slot, &l->slot_capacity, w->state.particles, sizeof *l->slot);
    if (result != PL_OK)
        return result;
    l->count = 0;
    l->radius = 0.0f;
    l->beside = client_of(number)->beside ? client_of(number)->beside(w) : 0.0f;
    for (int32_t slot = 0; slot < w->state.particles; slot++)
        if (w->number_of[slot] >= 0 && client_of(number)->takes(w, slot))
        {
            float radius = w->state.slot[SLOT_COLLISION][4 * (size_t)slot];
            l->radius = radius > l->radius ? radius : l->radius;
            l->slot[l->count++] = slot;
        }
    w->plan_stale |= l->count != before; // its stages run over the particles
    return PL_OK;
}

pl_result clients_find(pl_world *w)
{
    pl_result result = PL_OK;
    w->client_particles = 0;
    for (int i = 0; i < NEIGHBOUR_CLIENTS && result == PL_OK; i++)
        if (client_of(i)->takes)
        {
            result = find_particles(w, i);
            w->client_particles += w->client_lists[i].count;
        }
    return result;
}

float clients_radius(const pl_world *w)
{
    float most = 0.0f;
    for (int i = 0; i < NEIGHBOUR_CLIENTS; i++)
        if (client_of(i)->takes && w->client_lists[i].radius > most)
            most = w->client_lists[i].radius;
    return most;
}

pl_result client_build(pl_world *w, int number, const float *x, float margin, const parallel *threads)
{
    const neighbour_client *c = client_of(number);
    client_list *l = &w->client_lists[number];
    neighbour_query q = {.x = x,
                         .collision = w->state.slot[SLOT_COLLISION],
                         .mass = w->state.slot[SLOT_D],
                         .rest = w->state.slot[SLOT_REST],
                         .slot = l->slot,
                         .count = l->count,
                         .scale = c->scale,
                         .reach = c->scale * l->radius + l->beside,
                         .beside = l->beside,
                         .margin = margin,
                         .filter = c->filter,
                         .full = 1};
    return neighbours_build(&l->list, &w->memory, &q, threads);
}

// ---- in lanes ------------------------------------------------------------------------------------------------------

static void fill_lanes(void *arg, int64_t begin, int64_t end)
{
    client_list *c = arg;
    const neighbour_list *l = &c->list;
    for (int64_t group = begin; group < end; group++)
        for (int64_t lane = 0; lane < PAD; lane++)
        {
            int64_t i = group * PAD + lane < l->count ? group * PAD + lane : l->count - 1;
            const int32_t *from = l->neighbour + l->start[i];
            int32_t count = l->start[i + 1] - l->start[i], rows = c->row[group + 1] - c->row[group];
            uint32_t *to = c->in_lanes + (size_t)c->row[group] * PAD + lane;
            for (int32_t k = 0; k < rows; k++, to += PAD)
                *to = 4 * (uint32_t)(k < count ? from[k] : i);
        }
}

// Copies a list into groups of PAD particles, for stages that take several at a time.
static pl_result put_in_lanes(pl_world *w, client_list *c, const parallel *threads)
{
    const neighbour_list *l = &c->list;
    int64_t groups = (l->count + PAD - 1) / PAD, rows = 0;
    pl_result result = array_reserve(&w->memory, &c->row, &c->row_capacity, groups + 1, sizeof *c->row);
    if (result != PL_OK)
        return result;
    for (int64_t i = 0; i < l->count; i++)
    {
        int32_t count = l->start[i + 1] - l->start[i];
        if (i % PAD == 0)
            c->row[i / PAD] = (int32_t)rows;
        int64_t end = c->row[i / PAD] + (int64_t)count;
        rows = end > rows ? end : rows;
        if (rows > INT32_MAX / PAD)
            return fail(PL_ERROR_MEMORY,
                        "more than %d neighbours of particles in one list; use a smaller radius or fewer particles",
                        INT32_MAX);
    }
    c->row[groups] = (int32_t)rows;
    result = array_reserve(&w->memory, &c->in_lanes, &c->lane_capacity, rows * PAD, sizeof *c->in_lanes);
    if (result == PL_OK)
        parallel_for(threads, fill_lanes, c, groups, 64);
    return result;
}

// ---- building ------------------------------------------------------------------------------------------------------

pl_result clients_build(pl_world *w)
{
    parallel threads = cpu_parallel(&w->cpu);
    pl_result result = PL_OK;
    for (int i = 0; i < NEIGHBOUR_CLIENTS && result == PL_OK; i++)
        if (client_of(i)->takes && w->client_lists[i].count)
        {
            client_list *c = &w->client_lists[i];
            const neighbour_list *l = &c->list;
            result = client_build(w, i, w->state.slot[SLOT_BUILD], w->contacts.margin, &threads);
            if (result == PL_OK && client_of(i)->plan)
                result = put_in_lanes(w, c, &threads);
            w->state.neighbours[i] = (packed_neighbours){.count = l->count,
                                                         .slot = l->sorted.value,
                                                         .start = l->start,
                                                         .neighbour = l->neighbour,
                                                         .row = c->row,
                                                         .in_lanes = c->in_lanes};
        }
    return result;
}

void clients_plan(struct planner *p, enum plan_hook hook, int iteration)
{
    for (int i = 0; i < NEIGHBOUR_CLIENTS; i++)
        if (client_of(i)->plan)
            client_of(i)->plan(p, hook, iteration);
}

void clients_free(pl_world *w)
{
    for (int i = 0; i < NEIGHBOUR_CLIENTS; i++)
    {
        client_list *l = &w->client_lists[i];
        array_free(&w->memory, &l->slot, &l->slot_capacity, sizeof *l->slot);
        array_free(&w->memory, &l->row, &l->row_capacity, sizeof *l->row);
        array_free(&w->memory, &l->in_lanes, &l->lane_capacity, sizeof *l->in_lanes);
        neighbours_free(&l->list, &w->memory);
    }
}
