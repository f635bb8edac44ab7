// particle_stages.h: the stages of single particles (slots) and of the faces that feel the wind (stage_common.h).
#pragma once
#include "kernels/predict.h"
#include "kernels/velocity.h"
#include "stages/stage_common.h"

STAGE_FN void remember(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    for (int32_t k = begin; k < end; k += LANES)
    {
        size_t i = 4 * (size_t)k;
        store_points(s->slot[SLOT_SAFE_X] + i, load_points(s->slot[SLOT_X] + i));
        store_points(s->slot[SLOT_SAFE_V] + i, load_points(s->slot[SLOT_V] + i));
    }
}

// The phases of gusts at the end of the interval that begins with a substep.
PL_FN const float *gust_end(const state *s, const gust_moment *m)
{
    return s->substeps[m->until < 0 ? 0 : m->until].phase;
}

STAGE_FN void wind_faces(state *s, const stage *g, int32_t begin, int32_t end)
{
    const packed_faces *f = &s->faces;
    const gust_moment *m = &s->substeps[g->substep].gust;
    for (int32_t k = begin; k < end; k += LANES)
    {
        size_t at_face = 4 * (size_t)k;
        point x[3], v[3];
        for (int i = 0; i < 3; i++)
        {
            x[i] = gather(s->slot[SLOT_X], f->index[i] + k);
            v[i] = gather(s->slot[SLOT_V], f->index[i] + k);
        }
        vec u = wind_between(&s->wind, m, g->substep == 0, gust_end(s, m), f->gust[0] + at_face, f->gust[1] + at_face,
                             face_mean(x), face_mean(v));
        store_points(f->force + at_face, wind_on_face(&s->wind, u, x, v, load(f->drag + k), load(f->lift + k)));
    }
}

// The sums over the faces of slots, each in a fixed order, so that they do not depend on threads.
PL_FN point sum_faces(const packed_faces *f, int32_t slot)
{
#if LANES > 1
    _Alignas(64) float sums[4 * LANES];
    for (int32_t i = 0; i < LANES; i++)
    {
        quad sum = {0.0f, 0.0f, 0.0f, 0.0f};
        for (int32_t k = f->slot_start[slot + i]; k < f->slot_start[slot + i + 1]; k++)
            sum = sum + quad_at(f->force, 4 * (size_t)f->slot_face[k]);
        quad_put(sums, 4 * (size_t)i, sum);
    }
    return load_points(sums);
#else
    point sum = {0.0f, 0.0f, 0.0f, 0.0f};
    FOUR_AT_ONCE
    for (int32_t k = f->slot_start[slot]; k < f->slot_start[slot + 1]; k++)
    {
        point force = load_points(f->force + 4 * (size_t)f->slot_face[k]);
        sum.x = sum.x + force.x, sum.y = sum.y + force.y, sum.z = sum.z + force.z, sum.w = sum.w + force.w;
    }
    return sum;
#endif
}

STAGE_FN void sum_air(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    const packed_faces *f = &s->faces;
    for (int32_t k = begin; k < end; k += LANES)
    {
        point sum = sum_faces(f, k), d = load_points(s->slot[SLOT_D] + 4 * (size_t)k);
        f32 soften = 1.0f / (1.0f + s->h * sum.w * d.w);
        store_points(s->slot[SLOT_AIR] + 4 * (size_t)k, wind_point(times(soften, at(sum))));
    }
}

PL_FN vec acceleration(const state *s, point x, f32 w, point v, size_t at_slot)
{
    vec a = vec_of(splat(s->gravity[0]), splat(s->gravity[1]), splat(s->gravity[2]));
    point user = {splat(0.0f), splat(0.0f), splat(0.0f), splat(0.0f)};
    if (s->pushed || s->field_count) // otherwise they are zero, and reading them is saved
        user = load_points(s->slot[SLOT_FORCE] + at_slot);
    vec f = at(user);
    if (s->faces.count && s->wind.half_density > 0.0f)
        f = add(f, at(load_points(s->slot[SLOT_AIR] + at_slot)));
    for (int i = 0; i < s->field_count; i++)
        field_act(&s->fields[i], x, v, user.w, &a, &f);
    return add(a, times(w, f));
}

// The displacement in a substep without constraints, of the particle at x with velocity v. d1: of the last substep.
PL_FN vec predict_way(const state *s, bool second, size_t i, point x, f32 w, vec d1, point v, vec *a)
{
    *a = acceleration(s, x, w, v, i);
    vec way = second ? predict_second(w, d1, at(v), at(load_points(s->slot[SLOT_V1] + i)), *a, s->h)
                     : predict_first(w, at(v), *a, s->h);
    return add(low_part(x), way);
}

// Predicts the displacement of the particle; d: that of the last substep.
PL_FN point predict_slot(const state *s, bool second, size_t i, point x, point d, point v)
{
    vec a;
    if (second)
        store_points(s->slot[SLOT_D1] + i, d);
    vec way = predict_way(s, second, i, x, d.w, at(d), v, &a);
    point r = {way.x, way.y, way.z, d.w};
    return r;
}

STAGE_FN void predict(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    bool second = second_order(s);
    for (int32_t k = begin; k < end; k += LANES)
    {
        size_t i = 4 * (size_t)k;
        point x = load_points(s->slot[SLOT_X] + i), v = load_points(s->slot[SLOT_V] + i);
        store_points(s->slot[SLOT_D] + i, predict_slot(s, second, i, x, load_points(s->slot[SLOT_D] + i), v));
    }
}

// A particle at a substep's end.
typedef struct settled
{
    point x, d, v;
} settled;

// The velocity at a substep's end of a particle that may be in a component, whose momentum must be kept.
PL_FN vec pushed_velocity(const state *s, bool second, size_t i, settled p)
{
    vec a, none = vec_of(splat(0.0f), splat(0.0f), splat(0.0f));
    vec d1 = second ? at(load_points(s->slot[SLOT_D1] + i)) : none;
    vec pushed = sub(at(p.d), predict_way(s, second, i, p.x, p.d.w, d1, p.v, &a));
    pushed = add(pushed, at(load_points(s->slot[SLOT_KEPT] + i))); // what rounding has left of the return
    return second ? velocity_pushed_second(at(p.v), at(load_points(s->slot[SLOT_V1] + i)), a, pushed, s->h, s->fade)
                  : velocity_pushed_first(at(p.v), a, pushed, s->h, s->fade);
}

// Ends the substep of a particle: the position becomes x + d, d the displacement of the substep, v its velocity.
// components: there are any.
PL_FN settled settle_slot(const state *s, bool second, bool components, size_t i, settled p)
{
    vec way = moved_by(p.x, p.d), v;
    if (components)
        v = pushed_velocity(s, second, i, p);
    else
        v = second ? velocity_second(way, at(load_points(s->slot[SLOT_D1] + i)), s->h, s->fade)
                   : velocity_first(way, s->h, s->fade);
    if (s->second || s->contact.bouncy)
        store_points(s->slot[SLOT_V1] + i, p.v);
    settled r = {moved_to(p.x, at(p.d)), {way.x, way.y, way.z, p.d.w}, velocity_of(p.d.w, v, p.v)};
    return r;
}

PL_FN void settle_slots(state *s, bool components, int32_t begin, int32_t end)
{
    bool second = second_order(s);
    for (int32_t k = begin; k < end; k += LANES)
    {
        size_t i = 4 * (size_t)k;
        settled p = {load_points(s->slot[SLOT_X] + i), load_points(s->slot[SLOT_D] + i),
                     load_points(s->slot[SLOT_V] + i)};
        p = settle_slot(s, second, components, i, p);
        store_points(s->slot[SLOT_X] + i, p.x);
        store_points(s->slot[SLOT_D] + i, p.d);
        store_points(s->slot[SLOT_V] + i, p.v);
    }
}

PL_FN bool has_components(const state *s) { return s->lists[LISTS_COMPONENTS].count > 0; }

STAGE_FN void update_velocity(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    if (has_components(s)) // two loops, neither of which decides for each particle
        settle_slots(s, true, begin, end);
    else
        settle_slots(s, false, begin, end);
}

// NaN compares false with everything, so this test catches NaN and particles that have flown away.
STAGE_FN void check(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    int bad = 0;
    for (int32_t k = begin; k < end; k += LANES)
    {
        point x = load_points(s->slot[SLOT_X] + 4 * (size_t)k), v = load_points(s->slot[SLOT_V] + 4 * (size_t)k);
        f32 size = square(at(x)) + square(at(v));
        bad |= !everywhere(size < 1e30f);
    }
    if (bad)
        flag_up(&s->now->bad);
}
