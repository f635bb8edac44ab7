// step.c: the step: what a frame needs beside its arrays, the frame on a backend, and what follows it; or the way back, if it blew up. What
// a frame does is written down in plan.c.
#include "world/world.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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
    for (int s = 0; s < w->settings.substeps; s++)
    {
        w->state.substeps[s].ahead = (float)(w->settings.substeps - 1 - s) / (float)w->settings.substeps;
        double time = w->time + (double)h * (s + 1);
        for (int k = 0; k < GUST_WAVES; k++)
        {
            double turns = time * speed / wind->gust_size * (double)waves[k][3];
            w->state.substeps[s].phase[k] =
                (float)(turns - floor(turns)); // the waves travel, and float32 stays exact enough
        }
    }
}

static void set_fields(pl_world *w)
{
    state *s = &w->state;
    s->field_count = 0;
    s->fields = w->frame_fields;
    for (int i = 0; i < MAX_FIELDS; i++)
        if (w->field_thing[i])
        {
            const pl_field *f = &w->fields[i];
            s->fields[s->field_count++] = (field){(int32_t)f->kind,
                                                  {f->vector.x, f->vector.y, f->vector.z},
                                                  {f->origin.x, f->origin.y, f->origin.z},
                                                  f->strength,
                                                  f->radius};
        }
}

// What makes piles stand (constraints/contact.h): for grains found by experiment with 5,000 spheres, over 1 to 5 iterations.
//
// A body of particles follows a contact only by the part rho of what its single particle was pushed, 1 in a wall of bricks down to 1e-3.
// A multiplier that lives on over substeps then is the memory of a controller, u' = u - share (ki e + e' + soft u) with ki = 1 - spare
// and e'' = rho u, which Routh's rule lets come to rest for every rho if soft > ki. Both small: the memory lasts, and waves die out
// (damping 1/2 sqrt(rho/(soft ki)) of the critical); soft/ki = 1.25 is what a wall sinks by, times the weight above over its stiffness.
static void set_contact(pl_world *w)
{
    const pl_vec3 g = w->settings.gravity;
    contact_rule *c = &w->state.contact;
    float soft = 0.36f / (float)w->settings.iterations;
    c->grain = (give){soft, 1.0f / (1.0f + soft), 0.5f, 1e30f};
    c->bare = (give){0.0f, 1.0f, 0.5f, 1e30f};
    c->body = (give){0.05f, 1.0f / 1.05f, 0.96f, 0.5f * w->state.h}; // 0.5 m/s
    c->threshold = 2.0f * sqrtf(g.x * g.x + g.y * g.y + g.z * g.z) * w->state.h;
    c->slow = c->threshold + 0.01f;
}

static void set_frame(pl_world *w, float dt)
{
    const pl_settings *set = &w->settings;
    state *s = &w->state;
    s->h = dt / (float)set->substeps;
    s->frame_share = 1.0f / (float)set->substeps;
    s->gravity[0] = set->gravity.x, s->gravity[1] = set->gravity.y, s->gravity[2] = set->gravity.z;
    s->fade = 1.0f / (1.0f + set->damping * s->h);
    s->internal_k = set->internal_damping * s->h / (1.0f + set->internal_damping * s->h);
    s->second = set->integrator == PL_INTEGRATOR_BDF2;
    s->pbd = set->solver == PL_SOLVER_PBD;
    if (dt != w->last_dt)
        w->flow.smooth = 0; // another substep: BDF2's history does not fit
    w->flow.event = w->flow.bad = w->flow.torn = 0;
    w->flow.from = 0;
    w->flow.to = INT32_MAX;
    s->now = &w->flow;
    set_wind(w, s->h);
    set_fields(w);
    set_contact(w);
}

// Pins have arrived where they were sent.
static void settle_pins(pl_world *w)
{
    rows *r = &w->rows[PL_KIND_PIN];
    for (int64_t i = 0; i < r->count; i++)
        memset(r->param + 6 * i + 3, 0, 3 * sizeof(float));
    w->rows_stale[PL_KIND_PIN] = true;
    w->pins_travel = false;
}

// Positions and velocities go back to the frame's start. Whatever the multipliers came to, it did not hold: they are 0, and the
// rows are packed anew.
void step_back(pl_world *w)
{
    memcpy(w->state.slot[SLOT_X], w->state.slot[SLOT_SAFE_X], 16 * (size_t)w->state.slots);
    memcpy(w->state.slot[SLOT_V], w->state.slot[SLOT_SAFE_V], 16 * (size_t)w->state.slots);
    memcpy(w->state.slot[SLOT_V1], w->state.slot[SLOT_SAFE_V], 16 * (size_t)w->state.slots); // nothing asks for it yet
    for (int kind = 0; kind < PL_KIND_COUNT; kind++)
        if (w->rows[kind].count)
            memset(w->rows[kind].lambda, 0,
                   (size_t)(w->rows[kind].count * facts_of(kind)->info.parts) * sizeof *w->rows[kind].lambda);
    oriented_back(w);
    w->order_stale = true; // clusters too are packed anew, from the poses of the frame's start
    w->flow.smooth = 0;
    contacts_forget(w);
    events_drop(w);
}

// A particle that is where or as fast as none can be, or spins so; -1: none does any more.
static int32_t find_trouble(const pl_world *w)
{
    for (int32_t i = 0; i < w->state.particles; i++)
    {
        const float *x = w->state.slot[SLOT_X] + 4 * (size_t)i, *v = w->state.slot[SLOT_V] + 4 * (size_t)i;
        if (!(x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + v[0] * v[0] + v[1] * v[1] + v[2] * v[2] < 1e30f))
            return w->number_of[i];
    }
    for (int64_t k = 0; k < w->oriented.count; k++)
    {
        const float *s = w->state.oriented.pose[k].spin;
        if (!(s[0] * s[0] + s[1] * s[1] + s[2] * s[2] < 1e30f))
            return w->oriented.member[k];
    }
    return -1;
}

static pl_result go_back(pl_world *w)
{
    pl_result result = pull(w, ALL_ARRAYS);
    if (result != PL_OK)
        return result;
    int32_t particle = find_trouble(w);
    char where[32] = "";
    if (particle >= 0)
        snprintf(where, sizeof where, " at particle %d", particle);
    step_back(w);
    return fail(PL_ERROR_DIVERGED,
                "frame %lld blew up%s, and the world is back at its start; more substeps, a larger compliance or "
                "smaller forces "
                "would help",
                (long long)w->frame, where);
}

float multiplier_force(const pl_world *w)
{
    float implicit = w->state.second && w->flow.second ? 1.5f / w->state.h : 1.0f / w->state.h;
    return implicit * implicit;
}

// What follows a frame can fail though the frame itself stands.
static pl_result after_frame(pl_world *w, float dt, bool torn)
{
    int64_t frame = w->frame;
    pl_result result = torn ? tear_frame(w) : PL_OK;
    const char *what = result == PL_OK ? "heat" : "tearing";
    if (result == PL_OK)
        result = heat_frame(w, dt, torn);
    if (result == PL_ERROR_MEMORY && w->away && w->backend->undo)
        w->backend->undo(w); // what they need could not be read, and they have done nothing yet
    if (result == PL_OK || result == PL_ERROR_DEVICE || w->frame != frame)
        return result;
    char why[800];
    snprintf(why, sizeof why, "%s", pl_error_message());
    return fail(result, "frame %lld stands, but not what follows it, %s: %s", (long long)frame - 1, what, why);
}

static pl_result step(pl_world *w, float dt)
{
    pl_result result = compile(w);
    if (result == PL_OK)
        result = arrange_now_and_then(w);
    if (result != PL_OK)
        return result;
    w->order.settled = true;
    set_frame(w, dt);
    clusters_unpack(w);
    lattices_unpack(w);
    volumes_unpack(w);
    wear_unpack(w);
    result = shapes_place(w, dt);
    if (result != PL_OK)
        return result;
    result = w->backend->frame(w);
    if (result != PL_OK)
    {
        if (w->backend == &cpu_backend) // another has done so, if it could
            step_back(w);
        return result;
    }
    if (w->flow.bad)
        return go_back(w);
    result = events_publish(w);
    if (result != PL_OK)
    {
        bool undone = result == PL_ERROR_DEVICE || (w->away && w->backend->undo && w->backend->undo(w));
        if (!undone && pull(w, ALL_ARRAYS) == PL_OK)
            step_back(w);
        return result;
    }
    shapes_arrive(w, dt);
    bool torn = w->flow.torn;
    w->force_scale = multiplier_force(w);
    if (w->pins_travel)
        settle_pins(w);
    w->last_dt = dt;
    w->time += (double)dt;
    w->frame++;
    for (int i = 0; i < PL_STAGE_GROUP_COUNT; i++)
        w->timing.total += w->timing.stage[i];
    return after_frame(w, dt, torn);
}

#define LEAST_SUBSTEP 1e-9f // s: its square still divides

pl_result pl_world_step(pl_world *w, float dt)
{
    NEED(w);
    if (!(dt > 0.0f && dt <= 100.0f))
        return fail(PL_ERROR_ARGUMENT, "dt is %g; it must be above 0 and at most 100 seconds", (double)dt);
    if (dt / (float)w->settings.substeps < LEAST_SUBSTEP)
        return fail(PL_ERROR_ARGUMENT, "dt is %g in %d substeps; a substep must be at least %g seconds", (double)dt,
                    w->settings.substeps, (double)LEAST_SUBSTEP);
    PLAIN_ROUNDING;
    if (w->backend->begin)
        w->backend->begin(w);
    w->stepping = true;
    pl_result result = step(w, dt);
    w->stepping = false;
    return result;
}
