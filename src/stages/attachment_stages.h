// attachment_stages.h: solves the attachments of a body (elements/attachment.h) as one block, exactly.
//
// A body may hold thousands of particles. Solved one after the other, or each with a share of the body's mass, they
// would converge slowly. But their rows meet in the body alone, so its six unknowns follow from one small system
// (Woodbury's identity): each particle adds its mass, softened by its compliance, to that of the body.
//   row i   dlambda_i = -k_i b_i - g_i (dX + dT x s_i),   b_i = C_i + a_i lambda_i + gamma_i motion_i
//           k_i = 1/((1 + gamma_i) w_i + a_i),   g_i = (1 + gamma_i) k_i
//   body    M dX = sum dlambda_i,   I dT = sum s_i x dlambda_i:
//           (M + sum g_i) dX + sum g_i dT x s_i            = -sum k_i b_i
//           sum g_i s_i x dX + I dT + sum g_i s_i x (dT x s_i) = -sum s_i x k_i b_i
//   particle   dx_i = -w_i dlambda_i
// s_i: from the body to the particle at the substep's start, so that no multiplier changes the angular momentum
// (elements/frame_row.h). A particle of several bodies gives each of them its share of its mass (sweep.h, jacobi_rows).
// A body of infinite mass stays, and its particles come exactly to it.
//
// The rows lie behind the colours and use the arrays of Jacobi rows: for n rows, delta[row] is s_i and g_i; delta[n +
// row] is k_i b_i and whether the particle is carried; delta[2 n + first row of the body] is dX, delta[3 n + ...] is dT.
#pragma once
#include "stages/element_stages.h"

#if LANES == 1 // one row or body at a time; the tables for more lanes use these functions

// A particle of infinite mass on a body of finite mass counts as this many bodies.
#define ATTACH_HEAVIEST 1e6f

PL_FN recipe attach_recipe(const sweep *w, const stage *g, int pbd)
{
    recipe how = {NULL,
                  NULL,
                  attachment_eval,
                  FRAME_ENDS,
                  FRAME_ENDS,
                  ATTACHMENT_PARAMS,
                  BOUND_EQUAL,
                  ATTACHMENT_PARTS,
                  MODE_XPBD,
                  0,
                  1};
    how.mode = pbd ? MODE_PBD : w->rows.damped ? MODE_DAMPED : MODE_XPBD;
    how.first = g->first;
    return how;
}

// What a row contributes to the system of its body.
typedef struct attach_term
{
    vec arm, push; // s, k b
    float stiff;   // g
    float carried; // 1: both masses are infinite, and the particle moves by `push`
} attach_term;

PL_FN attach_term attach_term_of(const sweep *w, recipe how, int32_t k)
{
    frame_flight f;
    frame_rows c;
    gather_frame_rows(w, how, k, &f);
    attachment_eval(f.e, f.f.param, &c);
    vec moved[FRAME_ENDS] = {row_moved(w, k, &f.f, 0), row_moved(w, k, &f.f, 1)};
    vec off = vec_of(c.value[0], c.value[1], c.value[2]), lambda = vec_of(f.f.lambda[0], f.f.lambda[1], f.f.lambda[2]);
    float gamma = how.mode == MODE_DAMPED ? f.f.soft.gamma : 0.0f, a = how.mode == MODE_PBD ? 0.0f : f.f.soft.a;
    float body = f.e[0].p.w, own = f.e[1].p.w * gather(w->rows.split, w->rows.index[1] + k).x;
    attach_term t;
    t.arm = sub(sub(at(f.e[1].p), at(f.e[0].p)), sub(moved[1], moved[0]));
    t.push = add(off, times(a, lambda));
    if (how.mode == MODE_PBD)
        t.push = times(f.f.soft.k, off);
    if (how.mode == MODE_DAMPED)
    {
        vec rotated = keep_vec(f.own[0].has, times(frame_step(w), at(f.rotated[0])));
        vec motion = add(sub(moved[0], moved[1]), cross(rotated, t.arm));
        t.push = add(t.push, times(gamma, motion));
    }
    float under = (1.0f + gamma) * own + a;
    t.carried = under > 0.0f || body > 0.0f ? 0.0f : 1.0f;
    under = most(under, body / ATTACH_HEAVIEST);
    float inverse = under > 0.0f ? 1.0f / under : 0.0f;
    t.stiff = (1.0f + gamma) * inverse;
    t.push = t.carried != 0.0f ? off : times(inverse, t.push);
    return t;
}

PL_FN void attach_put(float *to, vec a, float last) { to[0] = a.x, to[1] = a.y, to[2] = a.z, to[3] = last; }

STAGE_FN void attach_terms(state *s, const stage *g, int32_t begin, int32_t end)
{
    const rows_view v = view_rows(s, g->kind);
    const sweep w = sweep_of(&v, g);
    const recipe how = attach_recipe(&w, g, v.pbd);
    const packed_rows *r = &v.rows;
    size_t rows = (size_t)(r->jacobi_end - r->jacobi_begin);
    for (int32_t k = begin; k < end; k++)
    {
        attach_term t = attach_term_of(&w, how, k);
        float *to = r->delta + 4 * (size_t)(k - r->jacobi_begin);
        attach_put(to, t.arm, t.stiff);
        attach_put(to + 4 * rows, t.push, t.carried);
    }
}

// ---- bodies --------------------------------------------------------------------------------------------------------

enum
{
    ATTACH_UNKNOWNS = 6,
};

// The system of a body: its lower half, and the right side. In double: the masses may differ by 1e6.
typedef struct attach_system
{
    double m[ATTACH_UNKNOWNS][ATTACH_UNKNOWNS], right[ATTACH_UNKNOWNS];
} attach_system;

PL_FN void attach_add(attach_system *a, const float *arm, const float *push)
{
    const double x = (double)arm[0], y = (double)arm[1], z = (double)arm[2], g = (double)arm[3];
    const double p[3] = {(double)push[0], (double)push[1], (double)push[2]};
    for (int c = 0; c < 3; c++)
    {
        a->m[c][c] = a->m[c][c] + g;
        a->right[c] = a->right[c] - p[c];
    }
    // s x: rows 3 to 5, columns 0 to 2
    a->m[3][1] = a->m[3][1] - g * z, a->m[3][2] = a->m[3][2] + g * y;
    a->m[4][0] = a->m[4][0] + g * z, a->m[4][2] = a->m[4][2] - g * x;
    a->m[5][0] = a->m[5][0] - g * y, a->m[5][1] = a->m[5][1] + g * x;
    a->m[3][3] = a->m[3][3] + g * (y * y + z * z);
    a->m[4][4] = a->m[4][4] + g * (z * z + x * x);
    a->m[5][5] = a->m[5][5] + g * (x * x + y * y);
    a->m[4][3] = a->m[4][3] - g * x * y, a->m[5][3] = a->m[5][3] - g * x * z, a->m[5][4] = a->m[5][4] - g * y * z;
    a->right[3] = a->right[3] - (y * p[2] - z * p[1]);
    a->right[4] = a->right[4] - (z * p[0] - x * p[2]);
    a->right[5] = a->right[5] - (x * p[1] - y * p[0]);
}

// Adds the body's own mass and inertia; without a rotation, the last three unknowns are 0.
PL_FN void attach_add_body(attach_system *a, const state *s, int32_t frame, double mass)
{
    for (int c = 0; c < 3; c++)
        a->m[c][c] = a->m[c][c] + mass;
    const frame_inertia *f = frame < 0 ? NULL : &s->oriented.inertia[frame];
    if (!f || !(f->inverse[0] > 0.0f))
    {
        for (int i = 3; i < ATTACH_UNKNOWNS; i++)
        {
            for (int j = 0; j < i; j++)
                a->m[i][j] = 0.0;
            a->m[i][i] = 1.0, a->right[i] = 0.0;
        }
        return;
    }
    // As frame_ease: with BDF2 the inertia counts 4/9 times.
    double scale = mass / (second_order(s) ? 11.25 : 5.0);
    mat3 half = quat_axes(quat_load(s->oriented.way[frame].middle));
    for (int k = 0; k < 3; k++)
    {
        const double axis[3] = {(double)half.c[k].x, (double)half.c[k].y, (double)half.c[k].z};
        for (int i = 0; i < 3; i++)
            for (int j = 0; j <= i; j++)
                a->m[3 + i][3 + j] = a->m[3 + i][3 + j] + scale * (double)f->inertia[k] * axis[i] * axis[j];
    }
}

// Solves the system, which is symmetric and positive definite, by an L D L^T factorization in place.
PL_FN void attach_eliminate(attach_system *a)
{
    for (int j = 0; j < ATTACH_UNKNOWNS; j++)
        for (int i = j + 1; i < ATTACH_UNKNOWNS; i++)
        {
            double factor = a->m[i][j] / a->m[j][j];
            for (int k = j + 1; k <= i; k++)
                a->m[i][k] = a->m[i][k] - factor * a->m[k][j];
            a->right[i] = a->right[i] - factor * a->right[j];
        }
    for (int j = ATTACH_UNKNOWNS - 1; j >= 0; j--)
    {
        for (int i = j + 1; i < ATTACH_UNKNOWNS; i++)
            a->right[j] = a->right[j] - a->m[i][j] * a->right[i];
        a->right[j] = a->right[j] / a->m[j][j];
    }
}

// Moves the bodies among the slots of the rows.
STAGE_FN void attach_solve(state *s, const stage *g, int32_t begin, int32_t end)
{
    const packed_rows *r = &s->rows[g->kind];
    int32_t rows = r->jacobi_end - r->jacobi_begin;
    for (int32_t i = begin; i < end; i++)
    {
        int32_t from = r->jacobi_start[i], slot = r->jacobi_slot[i], first = r->jacobi_entry[from];
        if (first >= rows) // a particle
            continue;
        float *d = s->slot[SLOT_D] + 4 * (size_t)slot, by[ATTACH_UNKNOWNS] = {0};
        if (d[3] > 0.0f)
        {
            attach_system a;
            memset(&a, 0, sizeof a);
            for (int32_t k = from; k < r->jacobi_start[i + 1] && r->jacobi_entry[k] < rows; k++)
                attach_add(&a, r->delta + 4 * (size_t)r->jacobi_entry[k],
                           r->delta + 4 * ((size_t)r->jacobi_entry[k] + (size_t)rows));
            int32_t frame = s->oriented.count ? s->oriented.of_slot[slot] : -1;
            attach_add_body(&a, s, frame, 1.0 / (double)d[3]);
            attach_eliminate(&a);
            for (int c = 0; c < ATTACH_UNKNOWNS; c++)
                by[c] = (float)a.right[c];
            d[0] = d[0] + by[0], d[1] = d[1] + by[1], d[2] = d[2] + by[2];
            if (frame >= 0)
                frame_add(s->oriented.way[frame].rotated, vec_of(by[3], by[4], by[5]));
        }
        float *to = r->delta + 4 * (2 * (size_t)rows + (size_t)first);
        attach_put(to, vec_of(by[0], by[1], by[2]), 0.0f);
        attach_put(to + 4 * (size_t)rows, vec_of(by[3], by[4], by[5]), 0.0f);
    }
}

// ---- particles -----------------------------------------------------------------------------------------------------

// The first row of the body in this slot. jacobi_slot is sorted.
PL_FN int32_t attach_first_row(const packed_rows *r, int32_t slot)
{
    int32_t low = 0, high = r->jacobi_slots - 1;
    while (low < high)
    {
        int32_t middle = (low + high) / 2;
        if (r->jacobi_slot[middle] < slot)
            low = middle + 1;
        else
            high = middle;
    }
    return r->jacobi_entry[r->jacobi_start[low]];
}

// Updates the multipliers and moves the particles among the slots of the rows.
STAGE_FN void attach_move(state *s, const stage *g, int32_t begin, int32_t end)
{
    const packed_rows *r = &s->rows[g->kind];
    int32_t rows = r->jacobi_end - r->jacobi_begin;
    for (int32_t i = begin; i < end; i++)
    {
        float *d = s->slot[SLOT_D] + 4 * (size_t)r->jacobi_slot[i];
        vec sum = vec_of(0.0f, 0.0f, 0.0f);
        for (int32_t k = r->jacobi_start[i]; k < r->jacobi_start[i + 1]; k++)
        {
            int32_t row = r->jacobi_entry[k] - rows, at_row = r->jacobi_begin + row;
            if (row < 0) // of a body
                continue;
            const float *term = r->delta + 4 * (size_t)row, *push = term + 4 * (size_t)rows;
            int32_t body = attach_first_row(r, (int32_t)(r->index[0][at_row] / 4));
            const float *moved = r->delta + 4 * (2 * (size_t)rows + (size_t)body), *turned = moved + 4 * (size_t)rows;
            vec by = motion_at(frame_along(moved), frame_along(turned), frame_along(term));
            vec change = times(-1.0f, add(frame_along(push), times(term[3], by)));
            bool carried = push[3] != 0.0f;
            const float each[3] = {change.x, change.y, change.z};
            for (int c = 0; c < 3; c++)
            {
                float *lambda = r->lambda + (size_t)c * (size_t)r->lambda_step + at_row;
                float before = g->first ? 0.0f : *lambda;
                *lambda = carried ? 0.0f : before + each[c];
            }
            float share = carried ? 1.0f / r->split[4 * (size_t)r->jacobi_slot[i]] : d[3];
            sum = sub(sum, times(share, change));
        }
        d[0] = d[0] + sum.x, d[1] = d[1] + sum.y, d[2] = d[2] + sum.z;
    }
}

#endif
