// body_walls.h: contacts between particles and the shapes of static and kinematic bodies that are not convex: triangle
// meshes and hollow shapes. A particle may touch several of their walls at once: each is a row of the pair.
//   mesh     the facets of the triangles, as for meshes of the world (collide/particle_vs_shape.h)
//   hollow   the wall from inside: of a box the nearest wall along each axis, of a cylinder its side and the nearer end.
//            A particle that is outside, and does not press on the wall, does not touch it.
#pragma once
#include "collide/manifold_hollow.h"
#include "collide/particle_vs_shape.h"
#include "stages/body_surface.h"

#if LANES == 1

// A plane of the shape through `foot`. n: from the wall to the particle.
PL_FN void wall_put(surface_points *out, vec foot, vec n, vec end, float radius, uint32_t id)
{
    if (out->count == SURFACE_POINTS)
        return;
    surface_point *p = &out->point[out->count++];
    p->normal = n, p->foot = foot;
    p->weight[0] = 1.0f, p->weight[1] = p->weight[2] = 0.0f;
    p->separation = dot(n, sub(end, foot)) - radius;
    p->id = id;
}

// sight: how far beyond its radius the particle sees a wall.
PL_FN void wall_of_mesh(const state *s, const rigid_collider *k, vec from, vec to, float radius, float sight,
                        surface_points *out)
{
    facets near_ones;
    near_ones.count = 0;
    bvh b = mesh_of(rigid_geometry(s, k));
    mesh_faces(&b, from, to, radius + k->thick, sight, &near_ones);
    for (int i = 0; i < near_ones.count; i++)
        wall_put(out, near_ones.foot[i], near_ones.normal[i], to, radius + k->thick, (uint32_t)near_ones.id[i] + 1u);
}

// The flat wall across an axis that is nearer to `to`.
PL_FN void wall_across(vec axis, float half, vec to, float radius, uint32_t id, surface_points *out)
{
    float up = dot(axis, to) < 0.0f ? -1.0f : 1.0f;
    wall_put(out, times(up * half, axis), times(-up, axis), to, radius, id);
}

PL_FN void wall_of_hollow(const convex *c, vec to, float radius, surface_points *out)
{
    const vec x = vec_of(1.0f, 0.0f, 0.0f), y = vec_of(0.0f, 1.0f, 0.0f), z = vec_of(0.0f, 0.0f, 1.0f);
    if (c->kind == CONVEX_BOX)
    {
        wall_across(x, c->half.x, to, radius, 1, out);
        wall_across(y, c->half.y, to, radius, 2, out);
        wall_across(z, c->half.z, to, radius, 3, out);
        return;
    }
    surface_distance s = hollow_curve(c, to);
    wall_put(out, sub(to, times(s.distance, s.normal)), negative(s.normal), to, radius, 1);
    if (c->kind == CONVEX_CYLINDER)
        wall_across(y, c->half.y, to, radius, 2, out);
}

PL_FN bool body_pressed(const state *s, int32_t i)
{
    const packed_body_particles *b = &s->body_particles;
    for (int32_t k = i; k < i + b->row[i].rows; k++)
        if (b->kept[4 * (size_t)k] != 0.0f)
            return true;
    return false;
}

PL_FN void body_probe_wall(state *s, int32_t i)
{
    const body_row *r = &s->body_particles.row[i];
    const rigid_collider *k = body_collider(s, r);
    const mat3 from = body_axes(s, k->frame), to = body_axes_after(s, k->frame),
               own = quat_axes(quat_load(k->rotation)), turn = mat_mul(&to, &own);
    const float radius = s->slot[SLOT_COLLISION][r->member[0]];
    vec low, apart = body_apart(s, r, 0, &low);
    vec p0 = body_local(k, transposed_times(&from, add(apart, low))),
        p1 = body_local(k, transposed_times(&to, add(apart, body_moved(s, r, 0))));
    surface_points now;
    now.count = 0;
    if (k->kind == COLLIDER_MESH)
        wall_of_mesh(s, k, p0, p1, radius, s->fluid.sight * s->slot[SLOT_FLUID][r->member[0]], &now);
    else
    {
        convex wall = rigid_convex(&s->rigid_contacts, k);
        if (!(convex_probe(&wall, p0).distance > 0.0f) || body_pressed(s, i))
            wall_of_hollow(&wall, p1, radius, &now);
    }
    body_set_points(s, i, &now, &turn, radius + 2.0f * length(sub(p1, p0)));
}

#endif
