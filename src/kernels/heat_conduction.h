// heat_conduction.h: heat that flows between particles that are near each other, from shapes and from the air: what one particle does.
//   m c dT/dt = sum k_ij d (T_j - T_i) + 4 k r (T_s - T_i) + h A (T_a - T_i)
// with neighbours j nearer than 1.2 (r_i + r_j), whatever holds them; d = r_i + r_j, k_ij = 2 k_i k_j/(k_i + k_j): an area d^2 over the
// way d. On a lattice of spacing d this is the heat equation with central differences (Fourier 1822). T_s: of shapes that the particle
// touches, an area (2 r)^2 over the way r. T_a: of the air, h the exchange (Newton's law of cooling), A: (2 r)^2 for each of six sides where
// no neighbour is.
//
// Each sums what it gains from its own neighbours, in the order in which the grid has them, in double. k_ij d (T_j - T_i) is the same
// number for both but for its sign, so that what one gains the other loses, and heat is conserved to the rounding of the sums. Nobody writes
// what another reads: a step reads the temperatures of before and writes those of after.
#pragma once
#include "neighbours/collision_filter.h"
#include "collide/solid.h"
#include "pliant/pliant.h"

#define HEAT_NEAR 1.2f // of the sum of radii: sides of a lattice, not its diagonals

// One that has a temperature.
typedef struct warm_spot
{
    double heat;          // J/kg, as in neighbours/heat/heat.h
    double mass;          // kg; 0: held, and keeps its temperature
    double wall, brought; // W/K to shapes and air, and that times their temperature
    double leaves;        // W/K, to all that is around it
    int32_t rule;         // among the rules
    int32_t molten;
    int32_t around; // neighbours, and shapes that it touches
    uint32_t phase;
} warm_spot;

// Everything by places in the grid's sorted order.
typedef struct conduction
{
    const pl_heat_def *rules;
    warm_spot *spot;
    const float *at;             // 4 for each: position, HEAT_NEAR radii
    const int32_t *first, *near; // for each its first neighbour, and one more at the end; the neighbours' places
    double *conducts;            // for each neighbour: W/K
    double *before, *after;      // temperatures
} conduction;

// A shape that has a temperature, where it is now.
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

// Molten or solid, by its heat.
PL_FN int32_t heat_settled(const pl_heat_def *r, double heat, int32_t molten)
{
    if (!r->melts)
        return molten;
    if (!molten)
        return heat > (double)r->latent;
    return !(heat < (double)r->capacity * ((double)r->freezing - (double)r->melting));
}

PL_FN double spot_radius(const conduction *c, int64_t i) { return (double)c->at[4 * i + 3] / (double)HEAT_NEAR; }

// What flows between it and its neighbours for each degree.
PL_FN void conduct_open(const conduction *c, int64_t i)
{
    warm_spot *s = &c->spot[i];
    double a = (double)c->rules[s->rule].conductivity, r = spot_radius(c, i);
    s->wall = s->brought = s->leaves = 0.0;
    s->around = c->first[i + 1] - c->first[i];
    for (int32_t k = c->first[i]; k < c->first[i + 1]; k++)
    {
        int32_t j = c->near[k];
        double b = (double)c->rules[c->spot[j].rule].conductivity;
        c->conducts[k] = a + b > 0.0 ? 2.0 * a * b / (a + b) * (r + spot_radius(c, j)) : 0.0;
        s->leaves += c->conducts[k];
    }
    c->before[i] = heat_temperature(&c->rules[s->rule], s->heat, s->molten);
}

PL_FN void conduct_wall(warm_spot *s, double conducts, double temperature)
{
    s->wall += conducts;
    s->brought += conducts * temperature;
    s->leaves += conducts;
}

// data: of the shapes.
PL_FN void conduct_shape(const conduction *c, const char *data, const hot_shape *h, int64_t i)
{
    warm_spot *s = &c->spot[i];
    const float *x = c->at + 4 * i;
    if (!(s->phase >> PHASE_MASK_AT & (uint32_t)h->body.mask))
        return;
    vec at = into_frame(&h->now, vec_of(x[0], x[1], x[2]));
    float far = 1.001f * h->body.reach + x[3]; // farther from the shape's origin is nothing of it
    if (h->body.reach > 0.0f && !(h->body.flags & SOLID_INSIDE) && dot(at, at) > far * far)
        return;
    surface f = probe_solid(data, &h->body, at, x[3]);
    if (!(f.distance < x[3]))
        return;
    s->around++;
    conduct_wall(s, 4.0 * (double)c->rules[s->rule].conductivity * spot_radius(c, i), h->temperature);
}

PL_FN void conduct_air(const conduction *c, int64_t i, double ambient)
{
    warm_spot *s = &c->spot[i];
    double side = 2.0 * spot_radius(c, i);
    if (s->around < 6)
        conduct_wall(s, (double)c->rules[s->rule].exchange * side * side * (double)(6 - s->around), ambient);
}

// 1/s: how fast it follows what is around it.
PL_FN double conduct_rate(const conduction *c, int64_t i)
{
    const warm_spot *s = &c->spot[i];
    return s->mass > 0.0 ? s->leaves / (s->mass * (double)c->rules[s->rule].capacity) : 0.0;
}

PL_FN void conduct_step(const conduction *c, int64_t i, double dt)
{
    warm_spot *s = &c->spot[i];
    const pl_heat_def *r = &c->rules[s->rule];
    double t = c->before[i], gain = s->brought - s->wall * t;
    for (int32_t k = c->first[i]; k < c->first[i + 1]; k++)
        gain += c->conducts[k] * (c->before[c->near[k]] - t);
    if (s->mass > 0.0)
        s->heat += dt * gain / s->mass;
    s->molten = heat_settled(r, s->heat, s->molten);
    c->after[i] = heat_temperature(r, s->heat, s->molten);
}
