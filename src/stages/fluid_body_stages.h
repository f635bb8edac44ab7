// fluid_body_stages.h: the stages that couple fluids with rigid bodies (kernels/fluid_body.h). They use the rows, chunks
// and points of the contacts between bodies and particles (stages/body_particle_stages.h).
//   walls    points: what bodies fill around a particle, for FLUID_LOAD and FLUID_DENSITY
//   sum      chunks: the terms of the system of a body; then BODY_SOLVE
//   change   points: the multipliers for that motion
//   push     chunks: what the multipliers give the body; then BODY_MOVE, and FLUID_MOVE for the particles
// One item at a time, on every backend; the order of every sum is that of the rows.
#pragma once
#include "kernels/fluid_body.h"
#include "stages/body_particle_stages.h"

#if LANES == 1

// What the shape of a row fills around its particle; a row that has no plane now fills nothing.
PL_FN fluid_walls fluid_body_row_wall(const state *s, int32_t i)
{
    const body_row *r = &s->body_particles.row[i];
    const body_work *w = &s->body_particles.work[i];
    vec n = frame_along(w->normal);
    fluid_walls none = {1.0f, vec_of(0.0f, 0.0f, 0.0f)};
    if (square(n) == 0.0f)
        return none;
    float surface = w->base + s->slot[SLOT_COLLISION][r->member[0]];
    return fluid_body_wall(&s->fluid.kernel, surface + dot(n, body_relative(s, i, w)),
                           surface + dot(n, frame_along(w->low)), n);
}

// Joins the walls of the rows of a fluid's particle. Each row keeps its part of the gradient: what the others leave of it.
PL_FN fluid_walls fluid_body_join(const state *s, const body_point *point)
{
    const packed_body_particles *b = &s->body_particles;
    fluid_walls all = {1.0f, vec_of(0.0f, 0.0f, 0.0f)};
    for (int32_t e = point->begin; e < point->end; e++)
    {
        fluid_walls wall = fluid_body_row_wall(s, b->entry[e] >> 2);
        for (int32_t k = point->begin; wall.open < 1.0f && k < e; k++)
        {
            float *before = b->work[b->entry[k] >> 2].wall;
            body_put(before, times(wall.open, frame_along(before)));
        }
        body_put(b->work[b->entry[e] >> 2].wall, times(all.open, wall.gradient));
        all.open = all.open * wall.open;
    }
    for (int32_t e = point->begin; e < point->end; e++)
        all.gradient = add(all.gradient, frame_along(b->work[b->entry[e] >> 2].wall));
    return all;
}

STAGE_FN void fluid_body_walls(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    const packed_body_particles *b = &s->body_particles;
    for (int32_t p = begin; p < end; p++)
    {
        const body_point *point = &b->point[p];
        body_fluid *f = &b->fluid[p];
        fluid_walls all = {1.0f, vec_of(0.0f, 0.0f, 0.0f)};
        f->sorted = -1;
        f->outside = 1.0f;
        if (s->slot[SLOT_FLUID][point->member] > 0.0f)
            all = fluid_body_join(s, point);
        f->open = all.open;
        body_put(f->gradient, all.gradient);
    }
}

// ---- the motion of bodies ------------------------------------------------------------------------------------------

// How the motions of its bodies change the value of a particle.
PL_FN float fluid_body_toward(const state *s, int32_t p)
{
    const packed_body_particles *b = &s->body_particles;
    float sum = 0.0f;
    for (int32_t e = b->point[p].begin; e < b->point[p].end; e++)
    {
        const int32_t row = b->entry[e] >> 2;
        const body_work *w = &b->work[row];
        vec by = body_moves_point(&b->motion[b->row[row].body], frame_along(w->arm));
        sum = sum + dot(frame_along(w->wall), by);
    }
    return b->fluid[p].outside * sum;
}

// Adds the row i of the point p to the system of its body. first: no body has moved yet.
PL_FN void fluid_body_add(attach_system *a, const state *s, int32_t i, int32_t p, bool first)
{
    const packed_body_particles *b = &s->body_particles;
    const body_fluid *f = &b->fluid[p];
    const body_work *w = &b->work[i];
    vec g = times(f->outside, frame_along(w->wall)), arm = frame_along(w->arm), t = cross(arm, g);
    float toward = first ? 0.0f : fluid_body_toward(s, p);
    float own = first ? 0.0f : dot(g, body_moves_point(&b->motion[b->row[i].body], arm));
    float next = fluid_body_lambda(f->lambda, f->inverse, f->value, toward);
    double stiff = next < 0.0f ? (double)f->inverse : 0.0, rest = (double)(next - f->lambda) + stiff * (double)own;
    const double j[BODY_UNKNOWNS] = {(double)g.x, (double)g.y, (double)g.z, (double)t.x, (double)t.y, (double)t.z};
    for (int c = 0; c < BODY_UNKNOWNS; c++)
    {
        for (int k = 0; k <= c; k++)
            a->m[c][k] = a->m[c][k] + stiff * j[c] * j[k];
        a->right[c] = a->right[c] + rest * j[c];
    }
}

// The point of a row that presses on a fluid, or -1.
PL_FN int32_t fluid_body_point(const state *s, int32_t i)
{
    const packed_body_particles *b = &s->body_particles;
    const body_row *r = &b->row[i];
    if (!(s->slot[SLOT_FLUID][r->member[0]] > 0.0f) || b->fluid[r->point[0]].sorted < 0)
        return -1;
    return square(frame_along(b->work[i].wall)) > 0.0f ? r->point[0] : -1;
}

STAGE_FN void fluid_body_sum(state *s, const stage *g, int32_t begin, int32_t end)
{
    const packed_body_particles *b = &s->body_particles;
    for (int32_t c = begin; c < end; c++)
    {
        const body_chunk *k = &b->chunk[c];
        attach_system a;
        memset(&a, 0, sizeof a);
        for (int32_t i = k->begin; i < k->end; i++)
        {
            int32_t p = fluid_body_point(s, i);
            if (p >= 0 && b->fluid[p].inverse > 0.0f)
                fluid_body_add(&a, s, i, p, g->first);
        }
        body_pack(&a, &b->sum[c]);
    }
}

STAGE_FN void fluid_body_change(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    const packed_body_particles *b = &s->body_particles;
    for (int32_t p = begin; p < end; p++)
    {
        body_fluid *f = &b->fluid[p];
        if (f->sorted < 0 || !(f->inverse > 0.0f))
            continue;
        float next = fluid_body_lambda(f->lambda, f->inverse, f->value, fluid_body_toward(s, p));
        f->change = next - f->lambda;
        s->slot[SLOT_PRESSURE][b->point[p].member] = next;
        s->fluid.push[4 * (size_t)f->sorted + 3] = f->change;
    }
}

STAGE_FN void fluid_body_push(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    const packed_body_particles *b = &s->body_particles;
    for (int32_t c = begin; c < end; c++)
    {
        const body_chunk *k = &b->chunk[c];
        double sum[BODY_UNKNOWNS] = {0.0};
        for (int32_t i = k->begin; i < k->end; i++)
        {
            int32_t p = fluid_body_point(s, i);
            if (p < 0)
                continue;
            const body_work *w = &b->work[i];
            vec f = times(b->fluid[p].change * b->fluid[p].outside, frame_along(w->wall));
            const double x = (double)w->arm[0], y = (double)w->arm[1], z = (double)w->arm[2];
            const double q[3] = {(double)f.x, (double)f.y, (double)f.z};
            sum[0] = sum[0] + q[0], sum[1] = sum[1] + q[1], sum[2] = sum[2] + q[2];
            sum[3] = sum[3] + (y * q[2] - z * q[1]);
            sum[4] = sum[4] + (z * q[0] - x * q[2]);
            sum[5] = sum[5] + (x * q[1] - y * q[0]);
        }
        for (int t = 0; t < BODY_UNKNOWNS; t++)
            b->sum[c].s[t] = sum[t];
    }
}

#endif
