// heat_conduction.h: heat flow of one particle: from its neighbours, from shapes and from the air.
//   m c dT/dt = sum k_ij d (T_j - T_i) + 4 k r (T_s - T_i) + h A (T_a - T_i)
// Neighbours j are all particles nearer than 1.2 (r_i + r_j), whether or not constraints join them; d = r_i + r_j, k_ij
// = 2 k_i k_j/(k_i + k_j): an area d^2 over the distance d. On a lattice of spacing d this is the heat equation with
// central differences (Fourier 1822). T_s: temperature of the shapes that the particle touches, an area (2 r)^2 over
// the distance r. T_a: temperature of the air, h the exchange coefficient (Newton's law of cooling), A: (2 r)^2 for
// each of six sides without a neighbour.
//
// Each particle sums its own gain over its neighbours in double, in the order of the grid. k_ij d (T_j - T_i) is the
// same number for both but for its sign, so the gain of one is the loss of the other, and heat is conserved up to the
// rounding of the sums. A step reads the old temperatures (before) and writes the new ones (after), so no thread writes
// what another reads.
#pragma once
#include "collide/collision_filter.h"
#include "collide/solid.h"
#include "pliant/pliant.h"

#define HEAT_NEAR 1.2f // times the sum of radii: includes the sides of a lattice, not its diagonals

// A particle that has a temperature.
typedef struct heat_node
{
    double heat;          // J/kg, as in neighbours/heat/heat.h
    double mass;          // kg; 0: kinematic, and keeps its temperature
    double wall, brought; // W/K to shapes and air; the same times their temperatures
    double leaves;        // W/K, to neighbours, shapes and air together
    int32_t rule;         // index into rules
    int32_t molten;
    int32_t around; // number of neighbours and of touching shapes
    uint32_t phase;
} heat_node;

// All arrays are indexed by the particle's position in the grid's sorted order.
typedef struct conduction
{
    const pl_heat_def *rules;
    heat_node *node;
    const float *at; // 4 for each: position, HEAT_NEAR radii
    // first: index of each particle's first neighbour, with one more at the end; near: the neighbours' indices
    const int32_t *first, *near;
    double *conducts;       // for each neighbour: W/K
    double *before, *after; // temperatures
} conduction;

// A shape that has a temperature, at its present placement.
typedef struct hot_shape
{
    solid body;
    placement now;
    double temperature;
} hot_shape;

PL_FN double heat_temperature(const pl_heat_def *r, double heat, int32_t is_molten)
{
    if (!r->melts)
        return heat / (double)r->capacity;
    double c = (double)r->capacity, latent = (double)r->latent, top = (double)r->melting, low = (double)r->freezing;
    double solid = top + heat / c, molten = top + (heat - latent) / c;
    if (is_molten)
        return molten > low ? molten : solid < low ? solid : low;
    return solid < top ? solid : molten > top ? molten : top;
}

// Returns whether the particle is molten, from its heat and its last state.
PL_FN int32_t heat_settled(const pl_heat_def *r, double heat, int32_t molten)
{
    if (!r->melts)
        return molten;
    if (!molten)
        return heat > (double)r->latent;
    return !(heat < (double)r->capacity * ((double)r->freezing - (double)r->melting));
}

PL_FN double spot_radius(const conduction *c, int64_t i) { return (double)c->at[4 * i + 3] / (double)HEAT_NEAR; }

// Computes the conductances to the neighbours (W/K).
PL_FN void conduct_open(const conduction *c, int64_t i)
{
    heat_node *s = &c->node[i];
    double a = (double)c->rules[s->rule].conductivity, r = spot_radius(c, i);
    s->wall = s->brought = s->leaves = 0.0;
    s->around = c->first[i + 1] - c->first[i];
    for (int32_t k = c->first[i]; k < c->first[i + 1]; k++)
    {
        int32_t j = c->near[k];
        double b = (double)c->rules[c->node[j].rule].conductivity;
        c->conducts[k] = a + b > 0.0 ? 2.0 * a * b / (a + b) * (r + spot_radius(c, j)) : 0.0;
        s->leaves += c->conducts[k];
    }
    c->before[i] = heat_temperature(&c->rules[s->rule], s->heat, s->molten);
}

PL_FN void conduct_wall(heat_node *s, double conducts, double temperature)
{
    s->wall += conducts;
    s->brought += conducts * temperature;
    s->leaves += conducts;
}

// Adds the conductance to a shape that the particle touches. data: of the shapes.
PL_FN void conduct_shape(const conduction *c, const char *data, const hot_shape *h, int64_t i)
{
    heat_node *s = &c->node[i];
    const float *x = c->at + 4 * i;
    if (!(s->phase >> PHASE_MASK_AT & (uint32_t)h->body.mask))
        return;
    vec at = into_frame(&h->now, vec_of(x[0], x[1], x[2]));
    float far = 1.001f * h->body.reach + x[3]; // no part of the shape is farther from its origin
    if (h->body.reach > 0.0f && !(h->body.flags & SOLID_INSIDE) && dot(at, at) > far * far)
        return;
    surface_distance f = probe_solid(data, &h->body, at, x[3]);
    if (!(f.distance < x[3]))
        return;
    s->around++;
    conduct_wall(s, 4.0 * (double)c->rules[s->rule].conductivity * spot_radius(c, i), h->temperature);
}

PL_FN void conduct_air(const conduction *c, int64_t i, double ambient)
{
    heat_node *s = &c->node[i];
    double side = 2.0 * spot_radius(c, i);
    if (s->around < 6)
        conduct_wall(s, (double)c->rules[s->rule].exchange * side * side * (double)(6 - s->around), ambient);
}

// 1/s: the rate at which the temperature follows its surroundings.
PL_FN double conduct_rate(const conduction *c, int64_t i)
{
    const heat_node *s = &c->node[i];
    return s->mass > 0.0 ? s->leaves / (s->mass * (double)c->rules[s->rule].capacity) : 0.0;
}

PL_FN void conduct_step(const conduction *c, int64_t i, double dt)
{
    heat_node *s = &c->node[i];
    const pl_heat_def *r = &c->rules[s->rule];
    double t = c->before[i], gain = s->brought - s->wall * t;
    for (int32_t k = c->first[i]; k < c->first[i + 1]; k++)
        gain += c->conducts[k] * (c->before[c->near[k]] - t);
    if (s->mass > 0.0)
        s->heat += dt * gain / s->mass;
    s->molten = heat_settled(r, s->heat, s->molten);
    c->after[i] = heat_temperature(r, s->heat, s->molten);
}
