// rigid_box.h: boxes around the shapes of rigid bodies, for the list of pairs.
#pragma once
#include "collide/convex.h"
#include "collide/probe.h"
#include "collide/solid.h"
#include "kernels/displacement.h"
#include "model/state.h"

#if LANES == 1

PL_FN convex rigid_convex(const packed_rigid_contacts *c, const rigid_collider *k)
{
    vec half = vec_of(k->half[0], k->half[1], k->half[2]);
    if (k->kind == CONVEX_HULL)
        return convex_hull(c->hulls + k->hull, k->radius);
    return convex_of(k->kind == COLLIDER_HOLLOW ? k->wall : k->kind, half, k->radius);
}

// The geometry of a mesh, distance field or height field.
PL_FN const geometry *rigid_geometry(const state *s, const rigid_collider *k)
{
    return k->data >= 0 ? (const geometry *)(s->shape_data + k->data)
                        : (const geometry *)(const void *)(s->rigid_contacts.hulls + k->hull);
}

// The box around a mesh, placed by p.
PL_FN void rigid_mesh_box(const geometry *g, float thick, const pose *p, vec *low, vec *high)
{
    const bvh mesh = mesh_of(g);
    const float *l = mesh.node->low, *h = mesh.node->high;
    vec half = vec_of(0.5f * (h[0] - l[0]) + thick, 0.5f * (h[1] - l[1]) + thick, 0.5f * (h[2] - l[2]) + thick);
    vec at = pose_out(p, vec_of(0.5f * (l[0] + h[0]), 0.5f * (l[1] + h[1]), 0.5f * (l[2] + h[2])));
    const vec *c = p->rotation.c;
    vec reach = vec_of(magnitude(c[0].x) * half.x + magnitude(c[1].x) * half.y + magnitude(c[2].x) * half.z,
                       magnitude(c[0].y) * half.x + magnitude(c[1].y) * half.y + magnitude(c[2].y) * half.z,
                       magnitude(c[0].z) * half.x + magnitude(c[1].z) * half.y + magnitude(c[2].z) * half.z);
    *low = sub(at, reach), *high = add(at, reach);
}

// The box of a body's shape, grown by what the body may move in dt. False: it is a shape of the world.
PL_FN bool rigid_box_of(const state *s, const rigid_collider *k, float dt, float *low, float *high)
{
    if (k->shape >= 0)
        return false;
    point x = load_points(s->slot[SLOT_X] + k->member), v = load_points(s->slot[SLOT_V] + k->member);
    mat3 body = mat_unit(), own = quat_axes(quat_load(k->rotation));
    vec spin = vec_of(0.0f, 0.0f, 0.0f), l, h;
    if (k->frame >= 0)
    {
        body = quat_axes(quat_load(s->oriented.pose[k->frame].rotation));
        spin = frame_along(s->oriented.pose[k->frame].spin);
    }
    pose p = {mat_mul(&body, &own),
              add(at(x), mat_times(&body, vec_of(k->position[0], k->position[1], k->position[2])))};
    if (k->kind == COLLIDER_MESH)
        rigid_mesh_box(rigid_geometry(s, k), k->thick, &p, &l, &h);
    else
    {
        convex shape = rigid_convex(&s->rigid_contacts, k);
        convex_box_around(&shape, &p, &l, &h);
    }
    float fall = dt * dt * length(splat_vec(s->gravity)), turn = dt * length(spin) * k->reach;
    float grow = s->slot[SLOT_D][k->member + 3] > 0.0f ? fall + turn : turn;
    const float way[3] = {dt * v.x, dt * v.y, dt * v.z}, at_low[3] = {l.x, l.y, l.z}, at_high[3] = {h.x, h.y, h.z};
    for (int a = 0; a < 3; a++)
    {
        low[a] = at_low[a] - grow + least(way[a], 0.0f);
        high[a] = at_high[a] + grow + most(way[a], 0.0f);
    }
    return true;
}

#endif
