// body_note_stage.h: records what the particles of an object do to a rigid body over the substeps of a frame, for contact
// events (groups/body_events.c). It runs only in a world that watches its contacts, after impacts: adds up the impulse and
// keeps the substep with the largest force.
#pragma once
#include "stages/body_particle_stages.h"

#if LANES == 1

// The sums over the rows of a pair in a substep; they act on the body.
typedef struct body_load_now
{
    float normal_force, approach, hardest;
    int32_t row;
    vec normal, push, impulse, point; // normal, point: weighted by the forces
} body_load_now;

PL_FN void body_add_load(const state *s, int32_t i, body_load_now *sum)
{
    const packed_body_particles *b = &s->body_particles;
    const body_work *w = &b->work[i];
    const float *kept = b->kept + 4 * (size_t)i, force = magnitude(kept[0]); // below 0: of an impact
    if (!(force > 0.0f))
        return;
    vec n = frame_along(w->normal), push = add(times(force, n), frame_along(kept + 1));
    sum->normal_force = sum->normal_force + force;
    sum->normal = sub(sum->normal, times(force, n));
    sum->push = sub(sum->push, push);
    sum->impulse = sub(sum->impulse, times(s->h, push));
    if (kept[0] < 0.0f) // what made it separate
        sum->impulse = sub(sum->impulse, times(b->motion[b->row[i].body].part, frame_along(w->push)));
    sum->point = add(sum->point, times(force, frame_along(w->arm)));
    sum->approach = most(sum->approach, -w->before);
    if (force > sum->hardest)
        sum->hardest = force, sum->row = i;
}

STAGE_FN void body_note_loads(state *s, const stage *g, int32_t begin, int32_t end)
{
    const packed_body_particles *b = &s->body_particles;
    const vec none = vec_of(0.0f, 0.0f, 0.0f);
    for (int32_t p = begin; p < end; p++)
    {
        body_note *note = &b->note[p];
        body_load_now sum = {0.0f, 0.0f, 0.0f, -1, none, none, none, none};
        if (g->substep == 0)
            memset(note, 0, sizeof *note);
        for (int32_t e = b->pair[p].begin; e < b->pair[p].end; e++)
            body_add_load(s, b->pair_row[e], &sum);
        if (!(sum.normal_force > 0.0f))
            continue;
        body_put(note->impulse, add(frame_along(note->impulse), sum.impulse));
        note->approach = most(note->approach, sum.approach);
        if (!(sum.normal_force > note->most))
            continue;
        note->most = sum.normal_force;
        note->row = sum.row;
        body_put(note->force, sum.push);
        body_put(note->normal, times(1.0f / most(length(sum.normal), 1e-30f), sum.normal));
        body_put(note->point, add(at(load_points(s->slot[SLOT_X] + body_collider(s, &b->row[sum.row])->member)),
                                  times(1.0f / sum.normal_force, sum.point)));
    }
}

#endif
