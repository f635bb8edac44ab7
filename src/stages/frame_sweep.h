// frame_sweep.h: solves rows whose ends are particles or frames: gathers their points and frames, solves (frame_row.h),
// scatters.
#pragma once
#include "stages/sweep.h"

typedef struct frame_flight
{
    flight f;
    frame_lanes own[FRAME_ENDS];
    frame_end e[FRAME_ENDS];
    point rotated[FRAME_ENDS]; // rotation since the substep's start
} frame_flight;

// For positions BDF2 is implicit Euler over 2/3 of the substep; orientations are integrated to first order. The same
// force then displaces by (2/3 h)^2 and rotates by h^2, so with BDF2 the inverse inertia of an end counts 9/4 times.
// The factor 5 is there because 5 I/m is stored (frame_inertia).
PL_FN float frame_ease(const sweep *w) { return w->second ? 11.25f : 5.0f; }

// Damping compares motions over the same time, so with BDF2 only 2/3 of a rotation counts.
PL_FN float frame_step(const sweep *w) { return w->second ? 2.0f / 3.0f : 1.0f; }

PL_FN void gather_frame_rows(const sweep *w, const recipe how, int32_t k, frame_flight *g)
{
    gather_rows(w, how, k, &g->f);
    UNROLL
    for (int i = 0; i < FRAME_ENDS; i++)
    {
        frame_end *e = &g->e[i];
        e->p = g->f.p[i];
        e->world = add(at(gather(w->x, w->rows.index[0] + k)), at(g->f.d[0]));
        e->q = quat_identity();
        e->half = mat_unit();
        e->ease = vec_of(splat(0.0f), splat(0.0f), splat(0.0f));
        g->rotated[i] = point_of_quat(quat_identity());
        e->rotates = splat(0.0f) > 0.0f;
        g->own[i] = frames_none();
        if (!w->frames.of_slot)
            continue;
        g->own[i] = frames_of(w->frames.of_slot, w->rows.index[i] + k);
        vec inverse = at(frame_gather(w->frames.inertia + INERTIA_INVERSE, &g->own[i], INERTIA_SIZE));
        g->rotated[i] = frame_gather(w->frames.way, &g->own[i], WAY_SIZE);
        e->q = turn_plus(frame_orientation(w->frames.pose, &g->own[i], POSE_SIZE),
                         keep_vec(g->own[i].has, at(g->rotated[i])));
        e->half = quat_axes(frame_orientation(w->frames.way + WAY_MIDDLE, &g->own[i], WAY_SIZE));
        e->rotates = g->own[i].has & (e->p.w > 0.0f);
        e->ease = keep_vec(e->rotates, times(frame_ease(w) * e->p.w, inverse));
    }
}

// Evaluates the rows in the lanes: the parts, their gradients and, where damping or a motor needs it, their motion.
PL_FN void open_frame_rows(const sweep *w, const recipe how, int32_t k, frame_flight *g, frame_rows *c, f32 *motion)
{
    vec moved[FRAME_ENDS], rotated[FRAME_ENDS];
    UNROLL
    for (int i = 0; i < FRAME_ENDS; i++)
    {
        moved[i] = row_moved(w, k, &g->f, i);
        rotated[i] = keep_vec(g->own[i].has, times(splat(frame_step(w)), at(g->rotated[i])));
    }
    c->grounded = 0;
    how.frame(g->e, g->f.param, c);
    if (how.mode == MODE_DAMPED || how.bound == BOUND_DRIVE)
        frame_motion(c, moved, rotated, how.parts, motion);
    frame_balance(c, g->e, moved, how.parts);
}

// Solves the rows in the lanes: updates the multipliers; `change` is their change.
PL_FN void solve_frame_rows(const sweep *w, const recipe how, int32_t k, frame_flight *g, frame_rows *c, f32 *change)
{
    f32 motion[FRAME_PARTS] = {splat(0.0f)};
    open_frame_rows(w, how, k, g, c, motion);
    frame_visit(c, g->e, how.parts, &g->f.soft, motion, g->f.lambda, change, 1.0f / w->inverse_h, how.bound, how.mode);
}

// The rows that nothing moves: both ends are held, or bodies that sleep. With sleep they keep their multipliers.
PL_FN i32 frame_rows_rest(const sweep *w, int32_t k)
{
    return gather(w->d, w->rows.index[0] + k).w + gather(w->d, w->rows.index[1] + k).w == 0.0f;
}

PL_FN void frame_rows_keep(const sweep *w, const recipe how, int32_t k, i32 rest, flight *f)
{
    UNROLL
    for (int i = 0; i < how.parts; i++)
        f->lambda[i] = pick(rest, load(w->rows.lambda + (size_t)i * (size_t)w->rows.lambda_step + k), f->lambda[i]);
}

PL_FN void sweep_frames(const sweep *w, const recipe how, int32_t begin, int32_t end)
{
    for (int32_t k = begin; k < end; k += LANES)
    {
        frame_flight g;
        frame_rows c;
        f32 change[FRAME_PARTS];
        i32 rest = frame_rows_rest(w, k);
        if (w->sleep && everywhere(rest))
            continue;
        gather_frame_rows(w, how, k, &g);
        solve_frame_rows(w, how, k, &g, &c, change);
        if (w->sleep)
            frame_rows_keep(w, how, k, rest, &g.f);
        UNROLL
        for (int i = 0; i < FRAME_ENDS; i++)
            move(&g.f.d[i], splat(1.0f), frame_push(&c, change, how.parts, i));
        scatter_rows(w, how, k, &g.f);
        UNROLL
        for (int i = 0; i < FRAME_ENDS; i++)
            if (w->frames.of_slot)
            {
                vec by = frame_twist(&c, g.e, change, how.parts, i);
                point *t = &g.rotated[i];
                t->x = t->x + by.x, t->y = t->y + by.y, t->z = t->z + by.z;
                frame_scatter(w->frames.way, &g.own[i], WAY_SIZE, g.rotated[i]);
            }
    }
}

// Rows beyond the limit on colours (Jacobi): each row uses its share of an end's mass and inertia (jacobi_rows), and
// stores the displacement that it wants for the end. The rotations that the rows want are stored behind all
// displacements.
PL_FN void jacobi_frames(const sweep *w, const recipe how, int32_t begin, int32_t end)
{
    const packed_rows *r = &w->rows;
    for (int32_t k = begin; k < end; k += LANES)
    {
        frame_flight g;
        frame_rows c;
        f32 change[FRAME_PARTS];
        vec ease[FRAME_ENDS];
        gather_frame_rows(w, how, k, &g);
        UNROLL
        for (int i = 0; i < FRAME_ENDS; i++)
        {
            f32 split = gather(r->split, r->index[i] + k).x;
            ease[i] = g.e[i].ease;
            g.e[i].p.w = g.e[i].p.w * split, g.e[i].ease = times(split, ease[i]);
        }
        solve_frame_rows(w, how, k, &g, &c, change);
        UNROLL
        for (int i = 0; i < how.parts; i++)
            store(r->lambda + (size_t)i * (size_t)r->lambda_step + k, g.f.lambda[i]);
        UNROLL
        for (int i = 0; i < FRAME_ENDS; i++)
        {
            g.e[i].ease = ease[i];
            ask(r, k, i, g.f.d[i].w, frame_push(&c, change, how.parts, i));
            ask(r, k, FRAME_ENDS + i, splat(1.0f), frame_twist(&c, g.e, change, how.parts, i));
        }
    }
}

#if LANES == 1

// Applies the rotations that the rows want for the frame of the i-th slot; they are stored behind the displacements.
PL_FN void jacobi_turn_frame(const state *s, const packed_rows *r, int32_t i)
{
    int32_t own = s->oriented.count ? s->oriented.of_slot[r->jacobi_slot[i]] : -1;
    size_t behind = (size_t)FRAME_ENDS * (size_t)(r->jacobi_end - r->jacobi_begin);
    vec sum = vec_of(0.0f, 0.0f, 0.0f);
    for (int32_t k = r->jacobi_start[i]; k < r->jacobi_start[i + 1]; k++)
        sum = add(sum, at(load_points(r->delta + 4 * ((size_t)r->jacobi_entry[k] + behind))));
    if (own >= 0 && s->slot[SLOT_D][4 * (size_t)r->jacobi_slot[i] + 3] > 0.0f)
        frame_add(s->oriented.way[own].rotated, sum);
}

#endif

// How far a row is off: the length of C; of a range, how far C is outside; 0 for a motor.
PL_FN f32 frame_off(const frame_rows *c, int parts, int bound)
{
    if (bound == BOUND_RANGE)
        return c->value[0] - least(most(c->value[0], splat(0.0f)), c->width);
    f32 sum = c->value[0] * c->value[0];
    for (int i = 1; i < parts; i++)
        sum = sum + c->value[i] * c->value[i];
    return bound == BOUND_DRIVE ? splat(0.0f) : root(sum);
}

PL_FN void measure_frames(const state *s, int kind, frame_fn *eval, int params, int parts, int bound, int32_t begin,
                          int32_t end, float *values)
{
    const packed_rows *r = &s->rows[kind];
    const frame_view frames = view_frames(&s->oriented);
    for (int32_t k = begin; k < end; k += LANES)
    {
        frame_end e[FRAME_ENDS];
        f32 param[PL_MAX_PARAMS];
        frame_rows c;
        for (int i = 0; i < params; i++)
            param[i] = column(r->param[i], r->param_step[i], k);
        point p[FRAME_ENDS];
        settled_points(r, s->slot[SLOT_X], FRAME_ENDS, k, param, p);
        for (int i = 0; i < FRAME_ENDS; i++)
        {
            e[i].p = p[i];
            e[i].world = add(at(gather(s->slot[SLOT_X], r->index[0] + k)), at(row_low(r, s->slot[SLOT_X], k, 0)));
            e[i].q = quat_identity();
            if (!frames.of_slot)
                continue;
            frame_lanes own = frames_of(frames.of_slot, r->index[i] + k);
            e[i].q = frame_orientation(frames.pose, &own, POSE_SIZE);
        }
        eval(e, param, &c);
        store(values + (k - begin), frame_off(&c, parts, bound));
    }
}
