// conduction.c: conducts heat between particles, once a frame. kernels/heat_conduction.h has the equations of one
// particle.
//
// The integration is explicit, with so many steps that no step moves a temperature by more than half of the way to its
// surroundings. If that takes more than STEPS_MOST steps, conduction is slowed down instead. Each thread takes ranges
// of the particles; the sums do not depend on the number of threads. A backend that holds the positions may do the work
// instead (backend.h); the host gives it the list of particles that have a temperature.
#include "neighbours/clients/client.h"
#include "edit/melt.h"
#include "model/world.h"
#include "neighbours/heat/heat.h"

#include <math.h>
#include <stdio.h>

enum
{
    STEPS_MOST = 100,
    PART = 512, // particles in one part; a thread processes one part at a time
};

typedef struct work
{
    pl_world *w;
    heat *h;
    conduction c;
    double dt; // length of a step (s)
} work;

static int64_t parts_of(int64_t count) { return (count + PART - 1) / PART; }

static pl_result reserve(pl_world *w, int64_t n)
{
    heat *h = &w->heat;
    client_list *near = &w->client_lists[CLIENT_HEAT];
    memory *m = &w->memory;
    int64_t *c = h->capacities;
    pl_result r = array_reserve(m, &h->number, &c[0], n, sizeof *h->number);
    if (r == PL_OK)
        r = array_reserve(m, &near->slot, &near->slot_capacity, n, sizeof *near->slot);
    if (r == PL_OK)
        r = array_reserve(m, &h->was, &c[2], n, sizeof *h->was);
    if (r == PL_OK)
        r = array_reserve(m, &h->before, &c[8], n, sizeof *h->before);
    if (r == PL_OK)
        r = array_reserve(m, &h->nodes, &c[3], n, sizeof *h->nodes);
    if (r == PL_OK)
        r = array_reserve(m, &h->t, &c[4], n, 2 * sizeof *h->t);
    if (r == PL_OK)
        r = array_reserve(m, &h->hot, &c[6], w->contacts.shape_count, sizeof *h->hot);
    if (r == PL_OK)
        r = array_reserve(m, &h->parts, &c[7], parts_of(n), sizeof *h->parts);
    return r;
}

// ---- particles with a temperature ----------------------------------------------------------------------------------

// A particle whose radius has since been set to 0 conducts no heat. Only the host writes SLOT_COLLISION, so no copy
// from the device is needed.
static float radius_of(const work *w, int64_t number)
{
    return w->w->state.slot[SLOT_COLLISION][4 * (size_t)w->w->numbers.slot_of[number]];
}

static bool is_warm(const work *w, int64_t number)
{
    return w->h->of_particle[number].rule && radius_of(w, number) > 0.0f;
}

static void count_warm(void *arg, int64_t begin, int64_t end)
{
    const work *w = arg;
    for (int64_t p = begin; p < end; p++)
    {
        heat_part *part = &w->h->parts[p];
        part->warm = 0;
        for (int64_t n = p * PART; n < (p + 1) * PART && n < w->h->count; n++)
            part->warm += is_warm(w, n);
    }
}

static void list_range(void *arg, int64_t begin, int64_t end)
{
    const work *w = arg;
    heat *h = w->h;
    client_list *near = &w->w->client_lists[CLIENT_HEAT];
    for (int64_t p = begin; p < end; p++)
    {
        heat_part *part = &h->parts[p];
        int32_t i = part->warm;
        part->widest = 0.0f;
        for (int64_t n = p * PART; n < (p + 1) * PART && n < h->count; n++)
            if (is_warm(w, n))
            {
                part->widest = fmaxf(part->widest, radius_of(w, n));
                h->was[n] = (uint8_t)h->of_particle[n].molten;
                h->before[n] = h->of_particle[n].heat;
                near->slot[i] = w->w->numbers.slot_of[n];
                h->number[i++] = (int32_t)n;
            }
    }
}

// Lists the particles that have a temperature, by number. Returns the largest reach (HEAT_NEAR radii): half the
// distance at which the two widest are neighbours.
static float list_warm(work *w, const parallel *threads)
{
    heat *h = w->h;
    client_list *near = &w->w->client_lists[CLIENT_HEAT];
    h->items = 0;
    parallel_for(threads, count_warm, w, parts_of(h->count), 1);
    for (int64_t p = 0; p < parts_of(h->count); p++)
    {
        int32_t here = h->parts[p].warm;
        h->parts[p].warm = h->items;
        h->items += here;
    }
    parallel_for(threads, list_range, w, parts_of(h->count), 1);
    near->count = h->items;
    near->radius = 0.0f;
    for (int64_t p = 0; p < parts_of(h->count); p++)
        near->radius = fmaxf(near->radius, h->parts[p].widest);
    return HEAT_NEAR * near->radius;
}

// ---- neighbours, shapes and air ------------------------------------------------------------------------------------

// The list is made for one frame, at the positions of its end, so it needs no margin.
static pl_result find_near(pl_world *w, const parallel *threads)
{
    pl_result result = pull(w, ARRAY_BIT(SLOT_X) | ARRAY_BIT(SLOT_COLLISION));
    return result == PL_OK ? client_build(w, CLIENT_HEAT, w->state.slot[SLOT_X], 0.0f, threads) : result;
}

// Lists the shapes that have a temperature.
static void list_hot(pl_world *w)
{
    heat *h = &w->heat;
    h->hot_count = 0;
    for (int32_t i = 0; i < w->contacts.shape_count; i++)
        if (w->contacts.shapes[i].hot)
        {
            hot_shape *to = &h->hot[h->hot_count++];
            to->body = shape_solid(w, i, &to->now);
            to->temperature = (double)w->contacts.shapes[i].temperature;
        }
}

// Copies the thermal states into the order of the neighbour list.
static void gather_nodes(void *arg, int64_t begin, int64_t end)
{
    const work *w = arg;
    const heat *h = w->h;
    for (int64_t i = begin; i < end; i++)
    {
        int32_t slot = w->w->client_lists[CLIENT_HEAT].list.sorted.value[i], number = w->w->number_of[slot];
        float weight = inverse_mass(w->w, slot);
        const particle_heat *m = &h->of_particle[number];
        h->nodes[i] = (heat_node){.heat = m->heat,
                                  .mass = weight > 0.0f ? 1.0 / (double)weight : 0.0,
                                  .rule = m->rule - 1,
                                  .molten = m->molten,
                                  .phase = phase_of(w->w->state.slot[SLOT_COLLISION], slot)};
    }
}

// Finds with which neighbours, shapes and air each particle exchanges heat, and the greatest rate of each part.
static void find_exchanges(void *arg, int64_t begin, int64_t end)
{
    const work *w = arg;
    for (int64_t p = begin; p < end; p++)
    {
        heat_part *part = &w->h->parts[p];
        part->rate = 0.0;
        for (int64_t i = p * PART; i < (p + 1) * PART && i < w->h->items; i++)
        {
            conduct_open(&w->c, i);
            for (int32_t k = 0; k < w->h->hot_count; k++)
                conduct_shape(&w->c, w->w->state.shape_data, &w->h->hot[k], i);
            conduct_air(&w->c, i, (double)w->h->ambient);
            double rate = conduct_rate(&w->c, i);
            part->rate = rate > part->rate ? rate : part->rate;
        }
    }
}

static pl_result open_work(work *w, const parallel *threads)
{
    heat *h = w->h;
    const neighbour_list *l = &w->w->client_lists[CLIENT_HEAT].list;
    pl_result result = array_reserve(&w->w->memory, &h->conducts, &h->capacities[5], l->pairs, sizeof *h->conducts);
    if (result != PL_OK)
        return result;
    w->c = (conduction){h->rules, h->nodes, l->sphere, l->start, l->neighbour, h->conducts, h->t, h->t + h->items};
    parallel_for(threads, gather_nodes, w, h->items, PART);
    parallel_for(threads, find_exchanges, w, parts_of(h->items), 1);
    return PL_OK;
}

// ---- time steps ----------------------------------------------------------------------------------------------------

static void warn_slowed(pl_world *w, double share)
{
    char text[160];
    if (w->heat.slowed || !w->log.write)
        return;
    w->heat.slowed = true;
    snprintf(text, sizeof text, "heat: conduction is reduced to %.2g of its value to stay stable; use shorter frames",
             share);
    w->log.write(w->log.user, PL_LOG_WARNING, text);
}

// rate: the greatest, in 1/s. A step is at most 1/(2 rate) long; beyond STEPS_MOST steps, the time is shortened
// instead.
int heat_steps(pl_world *w, double rate, double dt, double *step)
{
    double wanted = ceil(2.0 * dt * rate), share = wanted > STEPS_MOST ? STEPS_MOST / wanted : 1.0;
    int steps = wanted < 1.0 ? 1 : wanted > STEPS_MOST ? STEPS_MOST : (int)wanted;
    if (share < 1.0)
        warn_slowed(w, share);
    *step = share * dt / steps;
    return steps;
}

static void step_range(void *arg, int64_t begin, int64_t end)
{
    const work *w = arg;
    for (int64_t i = begin; i < end; i++)
        conduct_step(&w->c, i, w->dt);
}

static void run_steps(work *w, double dt, const parallel *threads)
{
    double most = 0.0;
    for (int64_t p = 0; p < parts_of(w->h->items); p++)
        most = w->h->parts[p].rate > most ? w->h->parts[p].rate : most;
    int steps = heat_steps(w->w, most, dt, &w->dt);
    for (int k = 0; k < steps; k++)
    {
        parallel_for(threads, step_range, w, w->h->items, PART);
        double *t = w->c.before;
        w->c.before = w->c.after, w->c.after = t;
    }
}

// Copies heat and state back to the particles, which are stored by number.
static void scatter_nodes(void *arg, int64_t begin, int64_t end)
{
    const work *w = arg;
    const heat *h = w->h;
    for (int64_t i = begin; i < end; i++)
    {
        particle_heat *m = &h->of_particle[w->w->number_of[w->w->client_lists[CLIENT_HEAT].list.sorted.value[i]]];
        m->heat = h->nodes[i].heat;
        m->molten = h->nodes[i].molten;
    }
}

static pl_result conduct_on_host(work *w, double dt, const parallel *threads)
{
    pl_result result = find_near(w->w, threads);
    if (result == PL_OK)
        result = open_work(w, threads);
    if (result != PL_OK)
        return result;
    run_steps(w, dt, threads);
    parallel_for(threads, scatter_nodes, w, w->h->items, PART);
    return PL_OK;
}

// ---- the frame -----------------------------------------------------------------------------------------------------

// Has any particle melted or frozen in this frame?
static bool has_changed(const heat *h)
{
    for (int32_t i = 0; i < h->items; i++)
        if (h->was[h->number[i]] != h->of_particle[h->number[i]].molten)
            return true;
    return false;
}

pl_result heat_frame(pl_world *world, float dt, bool edited)
{
    heat *h = &world->heat;
    work w = {.w = world, .h = h};
    parallel threads = cpu_parallel(&world->cpu);
    bool on_device = false;
    if (h->rule_count == 0 || h->count == 0)
        return PL_OK;
    pl_result result = reserve(world, h->count);
    if (result != PL_OK)
        return result;
    // Waking the workers takes longer than listing few particles with one thread.
    bool one_thread = world->backend->conduct && h->count < HEAT_WAKE;
    float widest = list_warm(&w, one_thread ? NULL : &threads);
    if (h->items == 0)
        return PL_OK;
    list_hot(world);
    if (world->backend->conduct && !edited)
        result = world->backend->conduct(world, widest, (double)dt, &on_device);
    if (result == PL_OK && !on_device)
        result = conduct_on_host(&w, (double)dt, &threads);
    if (result != PL_OK || !has_changed(h))
        return result;
    if (on_device)
        result = find_near(world, &threads);
    if (result == PL_OK)
        result = melt_frame(world);
    for (int32_t i = 0; result != PL_OK && result != PL_ERROR_DEVICE && i < h->items; i++)
    {
        particle_heat *p = &h->of_particle[h->number[i]]; // undo
        p->molten = h->was[h->number[i]];
        p->heat = h->before[h->number[i]];
    }
    return result;
}
