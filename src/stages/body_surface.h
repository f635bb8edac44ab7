// body_surface.h: contacts between rigid bodies and the triangles of surfaces (cloth, skins of soft bodies): where a
// triangle touches a shape in a substep (collide/surface_manifold.h). A point that touches is the mean of the corners by
// its weights w: a force f on it is w f on each corner, so that momentum and angular momentum are kept. Everything
// else is as for a particle (kernels/body_particle.h).
//
// A pair has some rows; a point takes the row that had the same features in the last substep, and with it its
// multipliers.
#pragma once
#include "collide/surface_manifold.h"
#include "stages/body_row.h"

#if LANES == 1

// How far corner c has moved relative to the body's centre.
PL_FN vec body_moved(const state *s, const body_row *r, int c)
{
    return sub(at(load_points(s->slot[SLOT_D] + r->member[c])),
               at(load_points(s->slot[SLOT_D] + body_collider(s, r)->member)));
}

// The axes of a body at the substep's end, as predicted.
PL_FN mat3 body_axes_after(const state *s, int32_t frame)
{
    if (frame < 0)
        return mat_unit();
    return quat_axes(
        turn_plus(quat_load(s->oriented.pose[frame].rotation), frame_along(s->oriented.way[frame].rotated)));
}

// The way of the triangle of a row in the frame of the shape.
PL_FN void body_triangle(const state *s, int32_t i, const mat3 *from, const mat3 *to, surface_motion *m)
{
    const body_row *r = &s->body_particles.row[i];
    const body_face *f = &s->body_particles.face[i];
    const rigid_collider *k = body_collider(s, r);
    point xb = load_points(s->slot[SLOT_X] + k->member), db = load_points(s->slot[SLOT_D] + k->member);
    float radius = 0.0f, thickness = 0.0f;
    m->farthest = 0.0f;
    for (int c = 0; c < BODY_CORNERS; c++)
    {
        const float *collision = s->slot[SLOT_COLLISION] + r->member[c];
        vec low, apart = body_apart(s, r, c, &low);
        m->from[c] = body_local(k, transposed_times(from, add(apart, low)));
        m->to.t[c] = body_local(k, transposed_times(to, add(apart, body_moved(s, r, c))));
        m->farthest = most(m->farthest, length(sub(m->to.t[c], m->from[c])));
        m->to.open[c] = f->open >> c & 1;
        point x = load_points(s->slot[SLOT_X] + f->beyond[c]), d = load_points(s->slot[SLOT_D] + f->beyond[c]);
        vec there = add(sub(at(x), at(xb)), sub(at(d), at(db)));
        m->to.beyond[c] = body_local(k, transposed_times(to, there));
        radius = radius + collision[0], thickness = thickness + collision[2];
    }
    m->thick = 1.0f / 3.0f * (radius > 0.0f ? radius : 0.5f * thickness);
    m->to.id = 0; // the features of one triangle are told apart, not those of several
    m->to.two_sided = 1;
}

// ---- rows ----------------------------------------------------------------------------------------------------------

typedef struct body_carried
{
    uint32_t tag;
    float kept[4];
} body_carried;

// Takes the multipliers of all rows of a pair; the rows are empty then.
PL_FN void body_take(state *s, int32_t first, int rows, body_carried *old)
{
    const packed_body_particles *b = &s->body_particles;
    for (int k = 0; k < rows; k++)
    {
        const int32_t i = first + k;
        float *kept = b->kept + 4 * (size_t)i, *weight = b->weight + 4 * (size_t)i;
        old[k].tag = kept[0] != 0.0f ? b->tag[i] : 0; // others are not saved
        for (int c = 0; c < 4; c++)
            old[k].kept[c] = kept[c], kept[c] = weight[c] = 0.0f;
        b->tag[i] = 0;
        memset(&b->work[i], 0, sizeof b->work[i]);
    }
}

// The row that point p takes: that of its features; else one whose features are gone, first of those that pressed.
PL_FN int body_choose(const surface_points *now, int p, const body_carried *old, int rows, uint32_t *taken)
{
    int best = -1, worth = -1;
    for (int k = 0; k < rows; k++)
    {
        int value = old[k].kept[0] != 0.0f ? 1 : 0;
        for (int q = 0; q < now->count; q++) // the row of another point is not free
            if (old[k].tag == now->point[q].id)
                value = q == p ? 2 : -1;
        if (!(*taken >> k & 1) && value > worth)
            best = k, worth = value;
    }
    for (int k = 0; best < 0 && k < rows; k++)
        best = *taken >> k & 1 ? -1 : k;
    *taken |= best < 0 ? 0u : 1u << best;
    return best;
}

PL_FN void body_set_point(state *s, int32_t i, const surface_point *p, const mat3 *turn, float reach,
                          const body_carried *old)
{
    const packed_body_particles *b = &s->body_particles;
    body_work *w = &b->work[i];
    for (int c = 0; c < BODY_CORNERS; c++)
        b->weight[4 * (size_t)i + (size_t)c] = p->weight[c];
    for (int c = 0; c < 4; c++)
        b->kept[4 * (size_t)i + (size_t)c] = old->kept[c];
    b->tag[i] = p->id;
    body_put(w->normal, mat_times(turn, p->normal));
    w->base = p->separation;
    w->near = p->separation <= reach ? 1.0f : 0.0f;
    body_set_up(s, i);
}

// Gives the points that a pair has now to its rows, the first of which is i. turn: from the frame of the shape to the
// axes of the world at the substep's end.
PL_FN void body_set_points(state *s, int32_t i, const surface_points *now, const mat3 *turn, float reach)
{
    const int rows = s->body_particles.row[i].rows;
    body_carried old[BODY_FACE_ROWS];
    uint32_t taken = 0;
    body_take(s, i, rows, old);
    for (int p = 0; p < now->count; p++)
    {
        int row = body_choose(now, p, old, rows, &taken);
        if (row >= 0)
            body_set_point(s, i + row, &now->point[p], turn, reach, &old[row]);
    }
}

PL_FN void body_probe_surface(state *s, int32_t i)
{
    const rigid_collider *k = body_collider(s, &s->body_particles.row[i]);
    const mat3 from = body_axes(s, k->frame), to = body_axes_after(s, k->frame),
               own = quat_axes(quat_load(k->rotation)), turn = mat_mul(&to, &own);
    surface_motion m;
    surface_points now;
    convex shape = rigid_convex(&s->rigid_contacts, k);
    body_triangle(s, i, &from, &to, &m);
    // What is farther away does not touch in this substep unless it is pushed by more than its own motion.
    const float reach = m.thick + 2.0f * m.farthest;
    surface_manifold(&shape, &m, reach, &now);
    body_set_points(s, i, &now, &turn, reach);
}

#endif
