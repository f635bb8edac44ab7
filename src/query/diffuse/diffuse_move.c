// diffuse_move.c: finds what each diffuse particle is, by the number of particles of the fluid near it and their pressure, and moves it by a
// frame (Ihmsen et al. 2012). With the mean velocity v_f of the fluid near it, weighted by W = 1 - r/h:
//   spray   dv/dt = g - k (v - wind), x by the mean of the velocities before and after: a parabola without drag
//   foam    v = v_f
//   bubble  dv/dt = -b g + k (v_f - v), implicit
// Spray that hits a shape or a rigid body is gone.
#include "query/diffuse/diffuse_work.h"

enum
{
    GRAIN = 64,
};

// The fluid near a point.
typedef struct surroundings
{
    int32_t count;
    float depth;
    vec velocity;
} surroundings;

static surroundings surroundings_of(const pl_diffuse *d, const float x[3])
{
    diffuse_rows rows = diffuse_rows_near(d, x);
    surroundings s = {0, 0.0f, vec_of(0.0f, 0.0f, 0.0f)};
    float weights = 0.0f;
    for (int k = 0; k < rows.count; k++)
        for (int32_t j = rows.from[k]; j < rows.to[k]; j++)
        {
            float far = root(square(sub(diffuse_vec(x), diffuse_vec(d->fluid[j].x))));
            if (!(far < d->reach))
                continue;
            float weight = 1.0f - far / d->reach;
            s.count++;
            weights += weight;
            s.depth += weight * d->fluid[j].depth;
            s.velocity = add(s.velocity, times(weight, diffuse_vec(d->fluid[j].v)));
        }
    s.velocity = weights > 0.0f ? times(1.0f / weights, s.velocity) : s.velocity;
    s.depth = weights > 0.0f ? s.depth / weights : 0.0f;
    return s;
}

static bool hits(const pl_diffuse *d, const float x[3], vec way)
{
    float length = root(square(way));
    if (!(length > 0.0f))
        return false;
    pl_cast_def cast = pl_default_cast_def();
    pl_hit hit;
    cast.origin = (pl_vec3){x[0], x[1], x[2]}, cast.direction = (pl_vec3){way.x, way.y, way.z};
    cast.distance = length, cast.targets = PL_CAST_SHAPES | PL_CAST_BODIES;
    return pl_cast(d->w, &cast, &hit) == PL_OK && (hit.shape.index || hit.part >= 0);
}

static vec gravity_of(const pl_diffuse *d)
{
    const pl_vec3 g = d->w->settings.gravity;
    return vec_of(g.x, g.y, g.z);
}

static void move_spray(pl_diffuse *d, int64_t i, float *x, float *v)
{
    const pl_vec3 wind = d->w->settings.wind.velocity;
    const float dt = d->dt, share = d->def.air_drag * dt;
    vec before = diffuse_vec(v), pull_of = add(times(dt, gravity_of(d)), times(share, vec_of(wind.x, wind.y, wind.z)));
    vec after = times(1.0f / (1.0f + share), add(before, pull_of)), way = times(0.5f * dt, add(before, after));
    d->air[i] += dt;
    d->gone[i] = d->air[i] > DIFFUSE_AIR || hits(d, x, way);
    diffuse_put(x, add(diffuse_vec(x), way));
    diffuse_put(v, after);
}

static void move_wet(pl_diffuse *d, int64_t i, const surroundings *s, float *x, float *v)
{
    const float dt = d->dt, share = d->def.drag * dt;
    vec after = s->velocity;
    if (d->kind[i] == PL_DIFFUSE_BUBBLE)
    {
        vec rise = times(-d->def.buoyancy * dt, gravity_of(d));
        after = times(1.0f / (1.0f + share), add(diffuse_vec(v), add(rise, times(share, s->velocity))));
    }
    else
        d->life[i] -= dt;
    d->air[i] = 0.0f;
    d->gone[i] = !(d->life[i] > 0.0f);
    diffuse_put(x, add(diffuse_vec(x), times(dt, after)));
    diffuse_put(v, after);
}

static void move_range(void *arg, int64_t begin, int64_t end)
{
    pl_diffuse *d = arg;
    for (int64_t i = begin; i < end; i++)
    {
        float *x = d->x + 3 * i, *v = d->v + 3 * i;
        surroundings s = surroundings_of(d, x);
        d->kind[i] = (uint8_t)(s.count < DIFFUSE_FEW                              ? PL_DIFFUSE_SPRAY
                               : s.count > DIFFUSE_MANY || s.depth > DIFFUSE_DEEP ? PL_DIFFUSE_BUBBLE
                                                                                  : PL_DIFFUSE_FOAM);
        if (d->kind[i] == PL_DIFFUSE_SPRAY)
            move_spray(d, i, x, v);
        else
            move_wet(d, i, &s, x, v);
    }
}

void diffuse_move(pl_diffuse *d) { parallel_for(&d->threads, move_range, d, d->count, GRAIN); }
