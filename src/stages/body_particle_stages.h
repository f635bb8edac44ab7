// body_particle_stages.h: the stages that solve contacts between rigid bodies and particles (kernels/body_particle.h).
//   sum      chunks: the terms of the system of a body; for impacts: on velocities
//   solve    bodies: the motion of a body
//   push     chunks: changes the rows for that motion, and sums what they give the body
//   move     bodies: moves them
//   points   points: moves particles, keeps the multipliers
// One item at a time, on every backend; the order of every sum is that of the rows.
#pragma once
#include "kernels/fluid_body.h"
#include "kernels/restitution.h"
#include "stages/body_probe_stages.h"

#if LANES == 1

// ---- rows ----------------------------------------------------------------------------------------------------------

// With BDF2 a force displaces by (2/3 h)^2 (kernels/velocity.h).
PL_FN float body_scale(const state *s)
{
    float step = second_order(s) ? 2.0f / 3.0f * s->h : s->h;
    return step * step;
}

PL_FN contact_lambda body_lambda(const state *s, int32_t i)
{
    const float *kept = s->body_particles.kept + 4 * (size_t)i, scale = body_scale(s);
    contact_lambda h = {scale * kept[0], times(scale, frame_along(kept + 1))};
    return h;
}

// How the body moves the point of a row.
PL_FN vec body_moves_point(const body_motion *m, vec arm)
{
    vec moved = vec_of((float)m->y[0], (float)m->y[1], (float)m->y[2]),
        turned = vec_of((float)m->y[3], (float)m->y[4], (float)m->y[5]);
    return add(moved, cross(turned, arm));
}

// Rows that cannot press in this substep have neither a multiplier nor a plane that counts.
PL_FN bool body_idle(const body_work *w) { return w->near == 0.0f || !(w->inverse > 0.0f); }

PL_FN float body_part_speed(const state *s, const body_row *r)
{
    return s->slot[SLOT_FLUID][r->member[0]] > 0.0f ? FLUID_PART_SPEED : BODY_PART_SPEED;
}

PL_FN body_result body_row_solve(const state *s, int32_t i, vec by)
{
    const body_row *r = &s->body_particles.row[i];
    const body_work *w = &s->body_particles.work[i];
    vec relative = body_relative(s, i, w), n = frame_along(w->normal);
    friction mu = {r->stick, r->slide};
    body_contact c = {
        n,  w->base + dot(n, relative),     w->overlap, sub(relative, frame_along(w->low)), w->inverse, w->soft,
        mu, -(body_part_speed(s, r) * s->h)};
    return body_contact_solve(&c, by, body_lambda(s, i));
}

// An impact: the impulse after which the point separates at its target speed. The rows of a body are solved together.
PL_FN body_result body_row_bounce(const state *s, int32_t i, vec by)
{
    const body_work *w = &s->body_particles.work[i];
    vec n = frame_along(w->normal);
    float inverse = 1.0f / (w->weight + 0.01f * w->soft);
    float now = dot(n, sub(body_speed(s, i, w), by)), push = most(inverse * (w->target - now), 0.0f);
    body_result p = {times(push, n), push > 0.0f ? inverse : 0.0f, 0.0f, {push, vec_of(0.0f, 0.0f, 0.0f)}};
    return p;
}

// Has the row met in this substep, and does it bounce? Then it gets a target speed, and its arm at the substep's end.
PL_FN void body_meet(const state *s, int32_t i)
{
    const body_row *r = &s->body_particles.row[i];
    body_work *w = &s->body_particles.work[i];
    const float *kept = s->body_particles.kept + 4 * (size_t)i, threshold = s->contact.threshold;
    float wp = 0.0f, wb = s->slot[SLOT_D][body_collider(s, r)->member + 3];
    for (int c = 0; c < r->corners; c++)
        wp = most(wp, s->slot[SLOT_D][r->member[c] + 3]);
    w->target = -1.0f;
    if (!(kept[0] > 0.0f) || !(r->bounce > 0.0f) || w->before >= -threshold ||
        !is_struck(most(w->first, 0.0f), kept[0], 0.0f, w->before, threshold))
        return;
    float e = restitution_of(r->bounce, w->first < 0.0f, w->before, threshold);
    float falls = (wp > 0.0f ? 1.0f : 0.0f) - (wb > 0.0f ? 1.0f : 0.0f);
    vec n = frame_along(w->normal);
    float closed = most(-(s->h * w->before), 0.0f);
    float pull = pull_until_met(falls * dot(n, splat_vec(s->gravity)), closed, w->before, s->h);
    w->target = -(e * least(w->before + pull, 0.0f));
    vec low;
    body_put(w->arm, body_reach(s, i, &low));
}

// ---- chunks and bodies ---------------------------------------------------------------------------------------------

PL_FN void body_add(attach_system *a, const body_work *w, const body_result *p, vec by)
{
    vec n = frame_along(w->normal), arm = frame_along(w->arm);
    float more = p->along - p->across;
    // What the row would give without the motion that the round begins with.
    vec rest = sub(p->change, add(times(p->across, by), times(more * dot(n, by), n)));
    const float stiff[4] = {arm.x, arm.y, arm.z, p->across}, push[3] = {rest.x, rest.y, rest.z};
    attach_add(a, stiff, push);
    if (more == 0.0f)
        return;
    vec t = cross(arm, n);
    const double j[BODY_UNKNOWNS] = {(double)n.x, (double)n.y, (double)n.z, (double)t.x, (double)t.y, (double)t.z};
    for (int i = 0; i < BODY_UNKNOWNS; i++)
        for (int k = 0; k <= i; k++)
            a->m[i][k] = a->m[i][k] + (double)more * j[i] * j[k];
}

PL_FN void body_pack(const attach_system *a, body_sum *sum)
{
    int at = 0;
    for (int i = 0; i < BODY_UNKNOWNS; i++)
        for (int k = 0; k <= i; k++)
            sum->s[at++] = a->m[i][k];
    for (int i = 0; i < BODY_UNKNOWNS; i++)
        sum->s[at++] = a->right[i];
}

STAGE_FN void body_sums(state *s, const stage *g, int32_t begin, int32_t end)
{
    const packed_body_particles *b = &s->body_particles;
    for (int32_t c = begin; c < end; c++)
    {
        const body_chunk *k = &b->chunk[c];
        attach_system a;
        body_motion still;
        memset(&a, 0, sizeof a);
        memset(&still, 0, sizeof still);
        // The first round of a pass begins without a motion.
        const body_motion *m = g->first ? &still : &b->motion[k->body];
        for (int32_t i = k->begin; i < k->end; i++)
        {
            const body_work *w = &b->work[i];
            if (body_idle(w))
                continue;
            if (g->kind == BODY_IMPACT && g->first)
                body_meet(s, i);
            if (g->kind == BODY_IMPACT && w->target < 0.0f)
                continue;
            vec by = body_moves_point(m, frame_along(w->arm));
            body_result p = g->kind == BODY_IMPACT ? body_row_bounce(s, i, by) : body_row_solve(s, i, by);
            body_add(&a, w, &p, by);
        }
        body_pack(&a, &b->sum[c]);
    }
}

// Adds the mass and the inertia of the body itself; without a rotation, the last three unknowns are 0.
PL_FN void body_add_own(attach_system *a, const state *s, const body_entry *e, double mass, bool impact)
{
    const frame_inertia *f = e->frame < 0 ? NULL : &s->oriented.inertia[e->frame];
    if (!impact || !f || !(f->inverse[0] > 0.0f))
    {
        attach_add_body(a, s, e->frame, mass);
        return;
    }
    mat3 axes = body_axes(s, e->frame);
    for (int c = 0; c < 3; c++)
        a->m[c][c] = a->m[c][c] + mass;
    for (int k = 0; k < 3; k++)
    {
        const double axis[3] = {(double)axes.c[k].x, (double)axes.c[k].y, (double)axes.c[k].z};
        for (int i = 0; i < 3; i++)
            for (int j = 0; j <= i; j++)
                a->m[3 + i][3 + j] = a->m[3 + i][3 + j] + mass / 5.0 * (double)f->inertia[k] * axis[i] * axis[j];
    }
}

STAGE_FN void body_solve(state *s, const stage *g, int32_t begin, int32_t end)
{
    const packed_body_particles *b = &s->body_particles;
    for (int32_t i = begin; i < end; i++)
    {
        const body_entry *e = &b->body[i];
        body_motion *m = &b->motion[i];
        float w = s->slot[SLOT_D][e->member + 3];
        attach_system a;
        memset(&a, 0, sizeof a);
        for (int c = 0; c < BODY_UNKNOWNS; c++)
            m->y[c] = 0.0;
        if (!(w > 0.0f))
            continue;
        for (int32_t c = e->begin; c < e->end; c++)
        {
            int from = 0;
            for (int k = 0; k < BODY_UNKNOWNS; k++)
                for (int l = 0; l <= k; l++)
                    a.m[k][l] = a.m[k][l] + b->sum[c].s[from++];
            for (int k = 0; k < BODY_UNKNOWNS; k++)
                a.right[k] = a.right[k] + b->sum[c].s[from++];
        }
        body_add_own(&a, s, e, 1.0 / (double)w, g->kind == BODY_IMPACT);
        attach_eliminate(&a);
        for (int c = 0; c < BODY_UNKNOWNS; c++)
            m->y[c] = a.right[c];
    }
}

// What a row changes in this pass.
PL_FN vec body_change(const state *s, const stage *g, int32_t i, const body_motion *m)
{
    const body_work *w = &s->body_particles.work[i];
    contact_lambda h = body_lambda(s, i);
    if (g->kind == BODY_WARM)
        return add(times(h.normal, frame_along(w->normal)), h.tangent);
    vec by = body_moves_point(m, frame_along(w->arm));
    if (g->kind == BODY_IMPACT)
        return w->target < 0.0f ? vec_of(0.0f, 0.0f, 0.0f) : body_row_bounce(s, i, by).change;
    return body_row_solve(s, i, by).change;
}

STAGE_FN void body_push(state *s, const stage *g, int32_t begin, int32_t end)
{
    const packed_body_particles *b = &s->body_particles;
    for (int32_t c = begin; c < end; c++)
    {
        const body_chunk *k = &b->chunk[c];
        double sum[BODY_UNKNOWNS] = {0.0};
        for (int32_t i = k->begin; i < k->end; i++)
        {
            body_work *w = &b->work[i];
            vec p = body_idle(w) ? vec_of(0.0f, 0.0f, 0.0f) : body_change(s, g, i, &b->motion[k->body]);
            body_put(w->push, p);
            const double x = (double)w->arm[0], y = (double)w->arm[1], z = (double)w->arm[2];
            const double f[3] = {(double)p.x, (double)p.y, (double)p.z};
            sum[0] = sum[0] - f[0], sum[1] = sum[1] - f[1], sum[2] = sum[2] - f[2];
            sum[3] = sum[3] - (y * f[2] - z * f[1]);
            sum[4] = sum[4] - (z * f[0] - x * f[2]);
            sum[5] = sum[5] - (x * f[1] - y * f[0]);
        }
        for (int t = 0; t < BODY_UNKNOWNS; t++)
            b->sum[c].s[t] = sum[t];
    }
}

// The part of the changes at which the body's motion `by` comes nearest to y, in the metric of its masses. force: what
// gives it that motion.
PL_FN float body_part(const double *force, const double *by, const double *y)
{
    double both = 0.0, square = 0.0;
    for (int t = 0; t < BODY_UNKNOWNS; t++)
        both = both + force[t] * y[t], square = square + force[t] * by[t];
    double part = square > 0.0 ? both / square : 1.0;
    return part > 0.95 ? 1.0f : part > 0.0 ? (float)part : 0.0f;
}

PL_FN void body_move_one(state *s, const stage *g, const body_entry *e, body_motion *m)
{
    const bool impact = g->kind == BODY_IMPACT;
    float *d = s->slot[impact ? SLOT_V : SLOT_D] + e->member, w = s->slot[SLOT_D][e->member + 3];
    double force[BODY_UNKNOWNS] = {0.0}, by[BODY_UNKNOWNS];
    m->part = 1.0f;
    if (!(w > 0.0f))
        return;
    for (int32_t c = e->begin; c < e->end; c++)
        for (int t = 0; t < BODY_UNKNOWNS; t++)
            force[t] = force[t] + s->body_particles.sum[c].s[t];
    mat3 axes = impact ? body_axes(s, e->frame) : body_middle(s, e->frame);
    vec turn = body_eased(s, e->frame, &axes, w, !impact && second_order(s) ? 2.25f : 1.0f,
                          vec_of((float)force[3], (float)force[4], (float)force[5]));
    const double turned[3] = {(double)turn.x, (double)turn.y, (double)turn.z};
    for (int c = 0; c < 3; c++)
        by[c] = (double)w * force[c], by[3 + c] = turned[c];
    if (g->kind != BODY_WARM)
        m->part = body_part(force, by, m->y);
    for (int c = 0; c < 3; c++)
        d[c] = d[c] + m->part * (float)by[c];
    if (e->frame >= 0)
        frame_add(impact ? s->oriented.pose[e->frame].spin : s->oriented.way[e->frame].rotated, times(m->part, turn));
}

STAGE_FN void body_move(state *s, const stage *g, int32_t begin, int32_t end)
{
    for (int32_t i = begin; i < end; i++)
        body_move_one(s, g, &s->body_particles.body[i], &s->body_particles.motion[i]);
}

// What a row does to its point.
PL_FN vec body_push_of(const state *s, const stage *g, int32_t i)
{
    const packed_body_particles *b = &s->body_particles;
    vec p = frame_along(b->work[i].push);
    return g->kind == BODY_WARM || body_idle(&b->work[i]) ? p : times(b->motion[b->row[i].body].part, p);
}

// Updates the multipliers of a row.
PL_FN void body_keep(state *s, const stage *g, int32_t i)
{
    const packed_body_particles *b = &s->body_particles;
    const body_work *w = &b->work[i];
    float *kept = b->kept + 4 * (size_t)i;
    vec p = body_push_of(s, g, i), n = frame_along(w->normal);
    if (g->kind == BODY_WARM || body_idle(w))
        return;
    if (g->kind == BODY_IMPACT)
    {
        kept[0] = w->target < 0.0f ? kept[0] : -kept[0];
        return;
    }
    float back = 1.0f / body_scale(s), along = dot(n, p);
    float normal = kept[0] + back * along;
    kept[0] = normal > 0.0f ? normal : 0.0f;
    body_put(kept + 1, add(frame_along(kept + 1), times(back, sub(p, times(along, n)))));
    if (kept[0] == 0.0f)
        kept[1] = kept[2] = kept[3] = 0.0f;
    else if (s->second) // a contact may begin or end at any time: BDF2 starts again
        flag_up(&s->now->event);
}

// The particle that is the first corner of a row updates its multipliers.
STAGE_FN void body_points(state *s, const stage *g, int32_t begin, int32_t end)
{
    const packed_body_particles *b = &s->body_particles;
    for (int32_t p = begin; p < end; p++)
    {
        float *d = s->slot[g->kind == BODY_IMPACT ? SLOT_V : SLOT_D] + b->point[p].member;
        float w = s->slot[SLOT_D][b->point[p].member + 3];
        vec sum = vec_of(0.0f, 0.0f, 0.0f);
        for (int32_t e = b->point[p].begin; e < b->point[p].end; e++)
        {
            const int32_t row = b->entry[e] >> 2, corner = b->entry[e] & 3;
            sum = add(sum, times(b->weight[4 * (size_t)row + (size_t)corner], body_push_of(s, g, row)));
            if (corner == 0)
                body_keep(s, g, row);
        }
        d[0] = d[0] + w * sum.x, d[1] = d[1] + w * sum.y, d[2] = d[2] + w * sum.z;
    }
}

#endif
