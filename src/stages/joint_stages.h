// joint_stages.h: the stage of joints that are solved directly: each function processes the trees [begin, end)
// (kernels/joint_tree.h). Their rows are not swept.
#pragma once
#include "kernels/joint_tree.h"
#include "stages/element_stages.h"

#if LANES == 1 // one tree at a time; the tables for more lanes use these functions

// Opens the body of an end, if this is the first joint that names it.
PL_FN void tree_open(tree_body *k, const frame_flight *g, const packed_rows *r, int32_t row, int end)
{
    if (k->open)
        return;
    k->slot = r->index[end][row];
    k->frame = g->own[end].frame[0];
    tree_start(k, &g->e[end]);
}

// Fills in the equation of part i. Damping scales a row of A by 1 + gamma; dividing by that keeps A symmetric.
PL_FN void tree_equation(const recipe how, const frame_flight *g, const frame_rows *c, const f32 *motion,
                         const tree_link *l, tree_work *t, int i)
{
    const softness *soft = &g->f.soft;
    for (int side = 0; side < 2; side++)
    {
        vec x = c->linear[i][l->end[side]], q = c->angular[i][l->end[side]];
        double *j = t->j[side][i];
        j[0] = (double)x.x, j[1] = (double)x.y, j[2] = (double)x.z;
        j[3] = (double)q.x, j[4] = (double)q.y, j[5] = (double)q.z;
    }
    float scale = how.mode == MODE_DAMPED ? 1.0f / (1.0f + soft->gamma) : 1.0f;
    float off = how.mode == MODE_PBD ? soft->k * c->value[i] : c->value[i] + soft->a * g->f.lambda[i];
    if (how.mode == MODE_DAMPED)
        off = off + soft->gamma * motion[i];
    t->y[i] = -(double)(scale * off);
    t->d[HALF_AT(i, i)] = how.mode == MODE_PBD ? 0.0 : (double)(scale * soft->a);
}

// Computes the equations of a joint at the present positions, and how its last force stiffens its bodies.
PL_FN void tree_gather(const sweep *w, const recipe how, const tree_link *l, tree_work *t, tree_body *bodies)
{
    const packed_rows *r = &w->rows;
    frame_flight g;
    frame_rows c;
    f32 motion[FRAME_PARTS] = {0.0f};
    float last[FRAME_PARTS];
    gather_frame_rows(w, how, l->row, &g);
    open_frame_rows(w, how, l->row, &g, &c, motion);
    t->parts = how.parts;
    for (int i = 0; i < how.parts; i++)
    {
        tree_equation(how, &g, &c, motion, l, t, i);
        last[i] = r->lambda[(size_t)i * (size_t)r->lambda_step + (size_t)l->row];
    }
    bool point = how.parts >= 3 && square(c.linear[how.parts >= 3 ? 2 : 0][0]) > 0.5f; // parts 0 to 2 hold a point
    for (int side = 0; side < 2; side++)
        if (l->body[side] >= 0)
        {
            tree_body *k = &bodies[l->body[side]];
            tree_open(k, &g, r, l->row, l->end[side]);
            // A trace of compliance limits the multipliers of parts that the rest of the tree nearly determines. It does
            // not count lambda, so that the joint still closes.
            for (int i = 0; i < how.parts; i++)
                t->d[HALF_AT(i, i)] = t->d[HALF_AT(i, i)] + 1e-8 * tree_alone(k, t->j[side][i]);
            if (point)
                tree_stiffen(k, t->j[side], last);
        }
}

#define DEFINE_TREE(name, NAME, arity, writes, params, bound, stem, scale, parts)                                      \
    STAGE_FN void tree_##name(const sweep *w, int mode, int first, const tree_link *l, tree_work *t,                   \
                              tree_body *bodies)                                                                       \
    {                                                                                                                  \
        const recipe how = {NULL, NULL, stem##_eval, arity, writes, params, bound, parts, mode, first, 1};             \
        tree_gather(w, how, l, t, bodies);                                                                             \
    }
PL_FRAME_KINDS(DEFINE_TREE)
#undef DEFINE_TREE

PL_FN void tree_gather_kind(const state *s, const stage *g, const tree_link *l, tree_work *t, tree_body *bodies)
{
    const rows_view v = view_rows(s, l->kind);
    const sweep w = sweep_of(&v, g);
    int mode = s->pbd ? MODE_PBD : w.rows.damped ? MODE_DAMPED : MODE_XPBD;
    switch (l->kind)
    {
#define ENTRY(name, NAME, ...)                                                                                         \
    case PL_KIND_##NAME:                                                                                               \
        tree_##name(&w, mode, g->first, l, t, bodies);                                                                 \
        break;
        PL_FRAME_KINDS(ENTRY)
#undef ENTRY
    }
}

// The rotation of a body by the pushes of all joints.
PL_FN void tree_rotation(const tree_body *k, double *out)
{
    for (int c = 0; c < 3; c++)
        out[c] = (double)k->turn[c][0] * k->f[3] + (double)k->turn[c][1] * k->f[4] + (double)k->turn[c][2] * k->f[5];
}

// The centre of mass of a tree at the substep's start.
PL_FN void tree_centre(const state *s, int32_t begin, int32_t end, double *centre)
{
    double sum[3] = {0.0, 0.0, 0.0}, mass = 0.0;
    for (int32_t i = begin; i < end; i++)
    {
        const tree_body *k = &s->joints.body[i];
        const float *x = s->slot[SLOT_X] + k->slot;
        double m = 1.0 / (double)k->own[0];
        for (int c = 0; c < 3; c++)
            sum[c] = sum[c] + m * (double)x[c];
        mass = mass + m;
    }
    for (int c = 0; c < 3; c++)
        centre[c] = sum[c] / mass;
}

// Finds the rotation of a free tree that returns the angular momentum which geometric stiffness takes.
PL_FN void tree_return_spin(const state *s, int32_t begin, int32_t end, const double *centre, double *spin)
{
    double inertia[TREE_AXES] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0}, lost[3] = {0.0, 0.0, 0.0};
    for (int32_t i = begin; i < end; i++)
    {
        const tree_body *k = &s->joints.body[i];
        const float *x = s->slot[SLOT_X] + k->slot;
        double m = 1.0 / (double)k->own[0], t[3], a[3];
        for (int c = 0; c < 3; c++)
            a[c] = (double)x[c] - centre[c];
        tree_rotation(k, t);
        for (int c = 0; c < 3; c++)
        {
            int d = (c + 1) % 3, e = (c + 2) % 3;
            inertia[c] = inertia[c] + (k->i[c] + m * (a[d] * a[d] + a[e] * a[e]));
            inertia[3 + c] = inertia[3 + c] + (k->i[3 + c] - m * a[d] * a[e]);
        }
        lost[0] = lost[0] + (k->k[0] * t[0] + k->k[5] * t[1] + k->k[4] * t[2]);
        lost[1] = lost[1] + (k->k[5] * t[0] + k->k[1] * t[1] + k->k[3] * t[2]);
        lost[2] = lost[2] + (k->k[4] * t[0] + k->k[3] * t[1] + k->k[2] * t[2]);
    }
    if (!tree_solve3(inertia, lost, spin))
        spin[0] = spin[1] = spin[2] = 0.0;
}

// Moves and rotates a body by the pushes of all joints, and with its tree.
PL_FN void tree_move(const state *s, const tree_body *k, const double *centre, const double *spin)
{
    const float *x = s->slot[SLOT_X] + k->slot;
    float *d = s->slot[SLOT_D] + k->slot;
    double a[3], t[3];
    for (int c = 0; c < 3; c++)
        a[c] = (double)x[c] - centre[c];
    for (int c = 0; c < 3; c++)
    {
        int e = (c + 1) % 3, f = (c + 2) % 3;
        d[c] = d[c] + (float)((double)k->own[0] * k->f[c] + (spin[e] * a[f] - spin[f] * a[e]));
    }
    if (k->frame < 0 || !(k->turn[0][0] + k->turn[1][1] + k->turn[2][2] > 0.0f)) // it does not rotate, or is locked
        return;
    float *rotated = s->oriented.way[k->frame].rotated;
    tree_rotation(k, t);
    for (int c = 0; c < 3; c++)
        rotated[c] = rotated[c] + (float)(t[c] + spin[c]);
}

PL_FN tree_body *tree_side(tree_body *bodies, const tree_link *l, int side)
{
    return l->body[side] >= 0 ? &bodies[l->body[side]] : NULL;
}

// All bodies of a tree sleep together (groups/rigid_sleep.c).
PL_FN bool tree_sleeps(const state *s, int32_t first, int32_t last)
{
    for (int32_t i = first; i < last; i++)
        for (int e = 0; e < 2; e++)
            if (s->slot[SLOT_D][s->rows[s->joints.link[i].kind].index[e][s->joints.link[i].row] + 3] > 0.0f)
                return false;
    return true;
}

PL_FN void tree_solve(const state *s, const stage *g, int32_t tree)
{
    const packed_joints *j = &s->joints;
    int32_t first = j->link_start[tree], last = j->link_start[tree + 1];
    if (tree_sleeps(s, first, last))
        return;
    for (int32_t i = j->body_start[tree]; i < j->body_start[tree + 1]; i++)
        j->body[i].open = 0;
    for (int32_t i = first; i < last; i++)
        tree_gather_kind(s, g, &j->link[i], &j->work[i], j->body);
    for (int32_t i = j->body_start[tree]; i < j->body_start[tree + 1]; i++)
        tree_stiffened(&j->body[i]);
    for (int32_t i = first; i < last; i++)
        tree_eliminate(&j->work[i], tree_side(j->body, &j->link[i], 0), tree_side(j->body, &j->link[i], 1));
    for (int32_t i = last - 1; i >= first; i--)
    {
        const tree_link *l = &j->link[i];
        const packed_rows *r = &s->rows[l->kind];
        tree_return(&j->work[i], tree_side(j->body, l, 0), tree_side(j->body, l, 1));
        for (int part = 0; part < j->work[i].parts; part++)
        {
            float *lambda = r->lambda + (size_t)part * (size_t)r->lambda_step + (size_t)l->row;
            *lambda = (g->first ? 0.0f : *lambda) + (float)j->work[i].y[part];
        }
    }
    double centre[3] = {0.0, 0.0, 0.0}, spin[3] = {0.0, 0.0, 0.0};
    if (j->body_start[tree + 1] - j->body_start[tree] > last - first) // free: no joint leads to something held
    {
        tree_centre(s, j->body_start[tree], j->body_start[tree + 1], centre);
        tree_return_spin(s, j->body_start[tree], j->body_start[tree + 1], centre, spin);
    }
    for (int32_t i = j->body_start[tree]; i < j->body_start[tree + 1]; i++)
        tree_move(s, &j->body[i], centre, spin);
}

STAGE_FN void joint_tree_stage(state *s, const stage *g, int32_t begin, int32_t end)
{
    for (int32_t i = begin; i < end; i++)
        tree_solve(s, g, i);
}

#endif
