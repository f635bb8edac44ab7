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

pl_result clients_build(pl_world *w)
{
    parallel threads = cpu_parallel(&w->cpu);
    pl_result result = PL_OK;
    for (int i = 0; i < NEIGHBOUR_CLIENTS && result == PL_OK; i++)
        if (client_of(i)->takes && w->client_lists[i].count)
        {
            const neighbour_list *l = &w->client_lists[i].list;
            result = client_build(w, i, w->state.slot[SLOT_BUILD], w->contacts.margin, &threads);
            w->state.neighbours[i] = (packed_neighbours){l->count, l->sorted.value, l->start, l->neighbour};
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
        neighbours_free(&l->list, &w->memory);
    }
}
