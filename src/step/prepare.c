// prepare.c: sets the scalar parameters that the stages of a frame read: substep, gravity, damping, wind, fields,
// contact softness.
#include "groups/rigid_contacts.h"
#include "kernels/body_particle.h"
#include "kernels/rigid_contact.h"
#include "step/prepare.h"

#include <math.h>

// Divides the frame's substeps into the intervals between which the faces sample gusts.
static void set_gust_moments(pl_world *w, double speed, float h)
{
    int substeps = w->settings.substeps;
    double sizes = (double)h * substeps * speed / (double)w->settings.wind.gust_size,
           wanted = ceil(GUST_SAMPLES * sizes);
    int intervals = wanted < substeps ? (int)fmax(wanted, 1.0) : substeps;
    for (int i = 0; i < intervals; i++)
    {
        int from = (int)((int64_t)substeps * i / intervals), to = (int)((int64_t)substeps * (i + 1) / intervals);
        for (int s = from; s < to; s++)
            w->state.substeps[s].gust = (gust_moment){.until = s == from ? to - 1 : -1,
                                                      .reach = h * (float)(to - 1 - from),
                                                      .share = (float)(s + 1 - from) / (float)(to - from)};
    }
}

static void set_wind(pl_world *w, float h)
{
    static const float waves[GUST_WAVES][4] = GUST_TABLE;
    const pl_wind *wind = &w->settings.wind;
    double x = wind->velocity.x, y = wind->velocity.y, z = wind->velocity.z, speed = sqrt(x * x + y * y + z * z);
    w->state.wind = (air){.velocity = {wind->velocity.x, wind->velocity.y, wind->velocity.z},
                          .swing = wind->gust * (float)speed,
                          .gust = wind->gust,
                          .half_density = 0.5f * wind->density,
                          .inverse_size = 1.0f / wind->gust_size};
    for (int s = -1; s < w->settings.substeps; s++)
    {
        double time = w->time + (double)h * (s + 1);
        float *phase = s < 0 ? w->state.wind.phase : w->state.substeps[s].phase;
        for (int k = 0; k < GUST_WAVES; k++)
        {
            double turns = time * speed / wind->gust_size * (double)waves[k][3];
            for (int c = 0; c < 3; c++) // gusts stay where they are when the origin moves
                turns -= w->origin[c] * (double)waves[k][c] / (double)wind->gust_size;
            // Only the fraction of a turn is kept, so that float32 stays exact enough while the waves travel.
            phase[k] = (float)(turns - floor(turns));
        }
    }
    for (int s = 0; s < w->settings.substeps; s++)
        w->state.substeps[s].ahead = (float)(w->settings.substeps - 1 - s) / (float)w->settings.substeps;
    set_gust_moments(w, speed, h);
}

static void set_fields(pl_world *w)
{
    state *s = &w->state;
    s->field_count = 0;
    s->fields = w->frame_fields;
    for (int i = 0; i < MAX_FIELDS; i++)
        if (w->field_entry[i])
        {
            const pl_field *f = &w->fields[i];
            s->fields[s->field_count++] = (field){(int32_t)f->kind,
                                                  {f->vector.x, f->vector.y, f->vector.z},
                                                  {f->origin.x, f->origin.y, f->origin.z},
                                                  f->strength,
                                                  f->radius};
        }
}

// Sets the softness that makes piles stable (kernels/contact.h). The values for particles were found by experiment with
// 5,000 spheres, over 1 to 5 iterations.
//
// If one particle of a body is pushed, the body moves by only the part rho of that push, from 1 in a wall of bricks
// down to 1e-3. A multiplier that is kept over substeps then acts as the integral part of a controller, u' = u - share
// (ki e + e' + soft u) with ki = 1 - spare and e'' = rho u. By Routh's criterion it is stable for every rho if soft >
// ki. With both small, the multiplier keeps its value for long, and oscillations decay (damping 1/2 sqrt(rho/(soft ki))
// of the critical). A wall sinks by soft/ki = 1.25 times the weight above over its stiffness.
static void set_contact(pl_world *w)
{
    const pl_vec3 g = w->settings.gravity;
    contact_rule *c = &w->state.contact;
    float soft = 0.36f / (float)w->settings.iterations;
    c->particle = (contact_softness){soft, 1.0f / (1.0f + soft), 0.5f, 1e30f};
    c->bare = (contact_softness){0.0f, 1.0f, 0.5f, 1e30f};
    c->body = (contact_softness){0.05f, 1.0f / 1.05f, 0.96f, 0.5f * w->state.h}; // 0.5 m/s
    c->rigid_softness = RIGID_SOFT / (float)(w->settings.iterations * rigid_sweeps(w));
    c->body_softness = BODY_SOFT / (float)w->settings.iterations;
    c->still_speed = w->settings.sleep ? w->settings.sleep_speed : 0.0f;
    c->still_time = w->settings.sleep_time;
    c->threshold = 2.0f * sqrtf(g.x * g.x + g.y * g.y + g.z * g.z) * w->state.h;
    c->slow = c->threshold + 0.01f;
}

void prepare_frame(pl_world *w, float dt)
{
    const pl_settings *set = &w->settings;
    state *s = &w->state;
    s->h = dt / (float)set->substeps;
    s->frame_share = 1.0f / (float)set->substeps;
    s->gravity[0] = set->gravity.x, s->gravity[1] = set->gravity.y, s->gravity[2] = set->gravity.z;
    s->fade = 1.0f / (1.0f + set->damping * s->h);
    s->internal_k = set->internal_damping * s->h / (1.0f + set->internal_damping * s->h);
    s->pbd = set->solver == PL_SOLVER_PBD;
    s->relaxation = solver_relaxes(set) ? set->relaxation : 1.0f;
    s->averaged = solver_relaxes(set) && set->averaged;
    s->acceleration.radius2 = set->spectral_radius * set->spectral_radius;
    const float pull =
        sqrtf(set->gravity.x * set->gravity.x + set->gravity.y * set->gravity.y + set->gravity.z * set->gravity.z);
    s->hierarchy.pull = pull > 10.0f ? pull : 10.0f; // without gravity there are other forces
    if (dt != w->last_dt)
        w->flow.smooth = 0; // the substep changed: BDF2's history does not fit
    w->flow.event = w->flow.bad = w->flow.torn = 0;
    w->flow.from = 0;
    w->flow.to = INT32_MAX;
    s->now = &w->flow;
    set_wind(w, s->h);
    set_fields(w);
    set_contact(w);
}
