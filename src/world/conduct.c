// conduct.c: heat flows, once a frame.
//   m c dT/dt = sum k_ij d (T_j - T_i) + 4 k r (T_s - T_i) + h A (T_a - T_i)
// with neighbours j nearer than 1.2 (r_i + r_j), whatever holds them; d = r_i + r_j, k_ij = 2 k_i k_j/(k_i + k_j): an area d^2 over the
// way d. On a lattice of spacing d this is the heat equation with central differences (Fourier 1822). T_s: of shapes that the particle
// touches, an area (2 r)^2 over the way r. T_a: of the air, h the exchange (Newton's law of cooling), A: (2 r)^2 for each of six sides where
// no neighbour is.
//
// Explicit, in so many steps that none moves a temperature by more than half of the way to its surroundings; beyond STEPS_MOST
// conduction is slowed down instead. What one of a pair gains the other loses: pair by pair, in the order of the grid, in double. So
// heat is conserved to rounding, and the order is the scene's alone.
#include "world/world.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum
{
    STEPS_MOST = 100,
};

static pl_result reserve(pl_world *w)
{
    heat *h = &w->heat;
    memory *m = &w->memory;
    int64_t *c = h->capacities, n = h->count;
    pl_result r = array_reserve(m, &h->number, &c[0], n, sizeof *h->number);
    if (r == PL_OK)
        r = array_reserve(m, &h->x, &c[1], n, 4 * sizeof *h->x);
    if (r == PL_OK)
        r = array_reserve(m, &h->grain, &c[2], n, 4 * sizeof *h->grain);
    if (r == PL_OK)
        r = array_reserve(m, &h->t, &c[3], n, sizeof *h->t);
    if (r == PL_OK)
        r = array_reserve(m, &h->gain, &c[4], n, sizeof *h->gain);
    if (r == PL_OK)
        r = array_reserve(m, &h->mass, &c[5], n, sizeof *h->mass);
    if (r == PL_OK)
        r = array_reserve(m, &h->wall, &c[6], n, 2 * sizeof *h->wall);
    if (r == PL_OK)
        r = array_reserve(m, &h->was, &c[7], n, sizeof *h->was);
    if (r == PL_OK)
        r = array_reserve(m, &h->index, &c[8], n, sizeof *h->index);
    return r;
}

static const pl_heat_def *rule_at(const heat *h, int32_t i) { return &h->rules[h->warm[h->number[i]].rule - 1]; }

// Those that have a temperature, by number, as a crowd in which everybody may touch everybody.
static crowd list_warm(pl_world *w)
{
    heat *h = &w->heat;
    crowd c = {.x = h->x, .grain = h->grain, .rest = h->x, .slot = h->index};
    for (int32_t n = 0; n < h->count; n++)
    {
        if (!h->warm[n].rule)
            continue;
        int32_t slot = w->numbers.slot_of[n], i = c.count++;
        const float *x = w->state.slot[SLOT_X] + 4 * (size_t)slot;
        float radius = w->state.slot[SLOT_GRAIN][4 * (size_t)slot];
        if (!(radius > 0.0f)) // it has been taken away since: nothing flows
        {
            c.count--;
            continue;
        }
        h->number[i] = n;
        h->index[i] = i;
        h->mass[i] = x[3] > 0.0f ? 1.0 / (double)x[3] : 0.0;
        h->was[i] = (uint8_t)h->warm[n].molten;
        memcpy(h->x + 4 * (size_t)i, x, 3 * sizeof *x);
        h->x[4 * (size_t)i + 3] = 1.0f;
        memset(h->grain + 4 * (size_t)i, 0, 4 * sizeof *h->grain);
        h->grain[4 * (size_t)i] = HEAT_NEAR * radius;
        h->grain[4 * (size_t)i + 1] = float_of((uint32_t)1 << PHASE_MASK_AT | PHASE_SELF);
        c.radius = HEAT_NEAR * radius > c.radius ? HEAT_NEAR * radius : c.radius;
    }
    h->items = c.count;
    return c;
}

static double radius_of(const heat *h, int32_t i) { return (double)h->grain[4 * (size_t)i] / (double)HEAT_NEAR; }

// What flows between two for each degree; t: counts neighbours, for the sides that are open to the air.
static pl_result find_pairs(pl_world *w)
{
    heat *h = &w->heat;
    pl_result result = array_reserve(&w->memory, &h->conduct, &h->capacities[9], h->grid.pairs, sizeof *h->conduct);
    for (int64_t p = 0; result == PL_OK && p < h->grid.pairs; p++)
    {
        int32_t i = h->grid.sorted.value[h->grid.one[p]], j = h->grid.sorted.value[h->grid.other[p]];
        double a = (double)rule_at(h, i)->conductivity, b = (double)rule_at(h, j)->conductivity;
        h->conduct[p] = a + b > 0.0 ? 2.0 * a * b / (a + b) * (radius_of(h, i) + radius_of(h, j)) : 0.0;
        h->t[i] += 1.0;
        h->t[j] += 1.0;
        h->gain[i] += h->conduct[p];
        h->gain[j] += h->conduct[p];
    }
    return result;
}

static void add_wall(heat *h, int32_t i, double conducts, double temperature)
{
    h->wall[2 * i] += conducts;
    h->wall[2 * i + 1] += conducts * temperature;
    h->gain[i] += conducts;
}

// Is x, in the shape's own frame, farther from its origin than anything of it?
static bool beyond(const solid *s, vec x, float reach)
{
    float far = 1.001f * s->reach + reach;
    return s->reach > 0.0f && !(s->flags & SOLID_INSIDE) && dot(x, x) > far * far;
}

static void touch_shapes(pl_world *w, int32_t number)
{
    heat *h = &w->heat;
    placement now;
    solid s = shape_solid(w, number, &now);
    for (int32_t i = 0; i < h->items; i++)
    {
        const float *x = h->x + 4 * (size_t)i;
        float radius = w->state.slot[SLOT_GRAIN][4 * (size_t)w->numbers.slot_of[h->number[i]]];
        uint32_t phase = phase_of(w->state.slot[SLOT_GRAIN], w->numbers.slot_of[h->number[i]]);
        if (!(phase >> PHASE_MASK_AT & (uint32_t)s.mask))
            continue;
        vec at = into_frame(&now, vec_of(x[0], x[1], x[2]));
        if (beyond(&s, at, HEAT_NEAR * radius))
            continue;
        surface f = probe_solid(w->state.shape_data, &s, at, HEAT_NEAR * radius);
        if (!(f.distance < HEAT_NEAR * radius))
            continue;
        h->t[i] += 1.0;
        add_wall(h, i, 4.0 * (double)rule_at(h, i)->conductivity * radius_of(h, i),
                 (double)w->contacts.shapes[number].temperature);
    }
}

static void meet_air(pl_world *w)
{
    heat *h = &w->heat;
    for (int32_t i = 0; i < h->items; i++)
    {
        double open = 6.0 - h->t[i], side = 2.0 * radius_of(h, i);
        if (open > 0.0)
            add_wall(h, i, (double)rule_at(h, i)->exchange * side * side * open, (double)w->heat.ambient);
    }
}

// gain holds what conducts away from each, W/K. Returns the steps, and how much of all this there may be.
static int count_steps(const heat *h, double dt, double *share)
{
    double most = 0.0;
    for (int32_t i = 0; i < h->items; i++)
    {
        double rate = h->mass[i] > 0.0 ? h->gain[i] / (h->mass[i] * (double)rule_at(h, i)->capacity) : 0.0;
        most = rate > most ? rate : most;
    }
    double wanted = ceil(2.0 * dt * most);
    *share = wanted > STEPS_MOST ? STEPS_MOST / wanted : 1.0;
    return wanted < 1.0 ? 1 : wanted > STEPS_MOST ? STEPS_MOST : (int)wanted;
}

static void say_slowed(pl_world *w, double share)
{
    char text[160];
    if (w->heat.slowed || !w->log.write)
        return;
    w->heat.slowed = true;
    snprintf(text, sizeof text,
             "heat: conduction is slowed down to %.2g of what was asked for; shorter frames would do", share);
    w->log.write(w->log.user, PL_LOG_WARNING, text);
}

static void flow_once(heat *h, double dt)
{
    for (int32_t i = 0; i < h->items; i++)
    {
        h->t[i] = temperature_of(rule_at(h, i), &h->warm[h->number[i]]);
        h->gain[i] = h->wall[2 * i + 1] - h->wall[2 * i] * h->t[i];
    }
    for (int64_t p = 0; p < h->grid.pairs; p++)
    {
        int32_t i = h->grid.sorted.value[h->grid.one[p]], j = h->grid.sorted.value[h->grid.other[p]];
        double flux = h->conduct[p] * (h->t[j] - h->t[i]);
        h->gain[i] += flux;
        h->gain[j] -= flux;
    }
    for (int32_t i = 0; i < h->items; i++)
    {
        warm *m = &h->warm[h->number[i]];
        if (h->mass[i] > 0.0) // what is held keeps its temperature
            m->heat += dt * h->gain[i] / h->mass[i];
        heat_settle(rule_at(h, i), m);
    }
}

pl_result heat_frame(pl_world *w, float dt)
{
    heat *h = &w->heat;
    if (h->rule_count == 0 || h->count == 0)
        return PL_OK;
    crew hands = cpu_crew(&w->cpu);
    pl_result result = pull(w, ARRAY_BIT(SLOT_X) | ARRAY_BIT(SLOT_GRAIN));
    if (result == PL_OK)
        result = reserve(w);
    if (result != PL_OK)
        return result;
    crowd c = list_warm(w);
    if (c.count == 0)
        return PL_OK;
    memset(h->t, 0, (size_t)h->items * sizeof *h->t);
    memset(h->gain, 0, (size_t)h->items * sizeof *h->gain);
    memset(h->wall, 0, 2 * (size_t)h->items * sizeof *h->wall);
    result = grid_build(&h->grid, &w->memory, &c, &hands);
    if (result == PL_OK)
        result = find_pairs(w);
    if (result != PL_OK)
        return result;
    for (int32_t i = 0; i < w->contacts.shape_count; i++)
        if (w->contacts.shapes[i].hot)
            touch_shapes(w, i);
    meet_air(w);
    double share;
    int steps = count_steps(h, (double)dt, &share);
    if (share < 1.0)
        say_slowed(w, share);
    for (int k = 0; k < steps; k++)
        flow_once(h, share * (double)dt / steps);
    bool changed = false;
    for (int32_t i = 0; i < h->items; i++)
        changed |= h->was[i] != h->warm[h->number[i]].molten;
    result = changed ? melt_frame(w) : PL_OK;
    for (int32_t i = 0; result != PL_OK && i < h->items; i++)
        h->warm[h->number[i]].molten = h->was[i]; // their heat will change them in the next step
    return result;
}
