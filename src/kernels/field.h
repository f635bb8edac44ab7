// field.h: accelerations and forces of external fields on a particle.
//   uniform   a = vector
//   point     a = strength d / (|d|^2 + radius^2)^(3/2),   d = origin - x
//   drag      f = -strength (v - vector)
//   electric  f = charge vector
#pragma once
#include "core/vec.h"

enum field_kind
{
    FIELD_UNIFORM,
    FIELD_POINT,
    FIELD_DRAG,
    FIELD_ELECTRIC,
};

typedef struct field
{
    int32_t kind;
    float vector[3], origin[3];
    float strength, radius;
} field;

// Adds the contribution of one field: accelerations to *a, forces to *f.
PL_FN void field_act(const field *k, point x, point v, f32 charge, vec *a, vec *f)
{
    vec u = vec_of(splat(k->vector[0]), splat(k->vector[1]), splat(k->vector[2]));
    if (k->kind == FIELD_UNIFORM)
        *a = add(*a, u);
    else if (k->kind == FIELD_POINT)
    {
        vec o = vec_of(splat(k->origin[0]), splat(k->origin[1]), splat(k->origin[2]));
        vec d = sub(o, at(x));
        f32 r2 = square(d) + k->radius * k->radius, r3 = r2 * root(r2);
        *a = add(*a, times(keep(r3 > 0.0f, k->strength / r3), d));
    }
    else if (k->kind == FIELD_DRAG)
        *f = add(*f, times(splat(-k->strength), sub(at(v), u)));
    else
        *f = add(*f, times(charge, u));
}
