// rigid_note_stages.h: records the loads of pairs of rigid bodies over the substeps of a frame, for contact events
// (groups/rigid_events.c). These stages run only in a world that watches its contacts.
//   approach   before the solve: how fast the points of each row come together
//   note       after the last pass on velocities, before impacts are forgotten: adds up the impulse of each pair and keeps
//              the substep with the largest force
#pragma once
#include "stages/rigid_relax_stages.h"

STAGE_FN void rigid_approach(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    const packed_rigid_contacts *c = &s->rigid_contacts;
    for (int32_t k = begin; k < end; k += LANES)
    {
        rigid_flight f;
        f32 u[RIGID_POINTS];
        rigid_gather_speeds(s, k, &f);
        rigid_speeds(&f.r, f.m.va, f.m.vb, f.m.ta, f.m.tb, splat(0.0f), u);
        for (int i = 0; i < RIGID_POINTS; i++)
            store(c->speed + RIGID_FIELD(RIGID_POINTS, i, k), u[i]);
    }
}

#if LANES == 1

// The sums over the points of a pair in a substep; forces are those on A.
typedef struct rigid_load_now
{
    float normal_force, approach;
    vec normal, push, impulse, point; // normal, point: weighted by the forces
} rigid_load_now;

PL_FN void rigid_add_row(const state *s, int32_t k, const mat3 *axes, rigid_load_now *sum)
{
    const packed_rigid_contacts *c = &s->rigid_contacts;
    const int32_t count = (int32_t)rigid_kept_get(c, KEPT_COUNT, k);
    const vec n = rigid_kept_vec(c, KEPT_NORMAL, k);
    float all = 0.0f, lasting = 0.0f;
    for (int i = 0; i < count; i++)
    {
        float force = rigid_kept_get(c, KEPT_FORCE + i, k);
        if (!(force > 0.0f))
            continue;
        bool struck = rigid_impacts_apart(s) && rigid_work_get(c, WORK_HIT + i, k) > 0.0f;
        vec on_a = mat_times(axes, rigid_kept_vec(c, KEPT_A + 3 * i, k));
        vec middle = add(on_a, times(0.5f * rigid_kept_get(c, KEPT_GAP + i, k), n));
        all = all + force;
        lasting = lasting + force * (struck ? rigid_step(s, second_order(s)) : s->h);
        sum->point = add(sum->point, times(force, middle));
        sum->approach = most(sum->approach, -c->speed[RIGID_FIELD(RIGID_POINTS, i, k)]);
    }
    if (!(all > 0.0f))
        return;
    vec friction = rigid_kept_vec(c, KEPT_FRICTION, k);
    sum->normal_force = sum->normal_force + all;
    sum->normal = sub(sum->normal, times(all, n));
    sum->push = sub(sum->push, add(times(all, n), friction));
    sum->impulse = sub(sum->impulse, add(times(lasting, n), times(s->h, friction)));
}

PL_FN void rigid_note_vec(float *to, vec v) { to[0] = v.x, to[1] = v.y, to[2] = v.z; }

STAGE_FN void rigid_note_loads(state *s, const stage *g, int32_t begin, int32_t end)
{
    const packed_rigid_contacts *c = &s->rigid_contacts;
    const vec none = vec_of(0.0f, 0.0f, 0.0f);
    const rigid_note nothing = {0};
    for (int32_t i = begin; i < end; i++)
    {
        const rigid_pair *p = &c->pair[i];
        const rigid_collider *a = &c->collider[p->a];
        rigid_note *note = &c->note[i];
        rigid_load_now sum = {0.0f, 0.0f, none, none, none, none};
        mat3 axes = a->frame >= 0 ? quat_axes(quat_load(s->oriented.pose[a->frame].rotation)) : mat_unit();
        if (g->substep == 0)
            *note = nothing;
        for (int r = 0; r < RIGID_MANIFOLDS; r++)
            if (p->row[r] >= 0)
                rigid_add_row(s, p->row[r], &axes, &sum);
        if (!(sum.normal_force > 0.0f))
            continue;
        for (int k = 0; k < 3; k++)
            note->impulse[k] += k == 0 ? sum.impulse.x : k == 1 ? sum.impulse.y : sum.impulse.z;
        note->approach = most(note->approach, sum.approach);
        if (!(sum.normal_force > note->most))
            continue;
        note->most = sum.normal_force;
        rigid_note_vec(note->force, sum.push);
        rigid_note_vec(note->normal, times(1.0f / most(length(sum.normal), 1e-30f), sum.normal));
        rigid_note_vec(note->point,
                       add(at(load_points(s->slot[SLOT_X] + a->member)), times(1.0f / sum.normal_force, sum.point)));
    }
}

#endif
