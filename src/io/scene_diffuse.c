// scene_diffuse.c: the diffuse particles of a scene, which pictures show: their fields.
#include "scene.h"

#include "field_macros.h"

#define THIS struct scene_diffuse
static const struct field diffuse_fields[] = {
    INT("capacity", def.capacity, 1, 1 << 24, "the largest number of them"),
    NUMBER("trapped_air", def.trapped_air, 0, 1e6,
           "how many a particle of a fluid makes in a second where air is trapped"),
    NUMBER("wave_crest", def.wave_crest, 0, 1e6, "... at the crests of waves"),
    RANGE("air_speed", air_speed, "m/s; sum of relative speeds at which air begins to be trapped, and is fully"),
    RANGE("crest_curvature", crest_curvature, "curvature at which a wave begins to be a crest, and is fully"),
    RANGE("speed", speed, "m/s; speed of the fluid at which it begins to make some, and does fully"),
    RANGE("lifetime", lifetime, "s; how long foam exists, at random between the two"),
    NUMBER("buoyancy", def.buoyancy, 0, 100, "gravities; upward acceleration of bubbles"),
    NUMBER("drag", def.drag, 0, 1e4, "1/s; how fast bubbles take on the velocity of the fluid"),
    NUMBER("air_drag", def.air_drag, 0, 1e4, "1/s; how fast spray takes on the velocity of the wind"),
    {0},
};
#undef THIS

static struct range range_of(const float pair[2]) { return (struct range){(double)pair[0], (double)pair[1]}; }

static void diffuse_defaults(void *values)
{
    struct scene_diffuse *d = values;
    d->def = pl_default_diffuse_def();
    d->air_speed = range_of(d->def.air_speed), d->crest_curvature = range_of(d->def.crest_curvature);
    d->speed = range_of(d->def.speed), d->lifetime = range_of(d->def.lifetime);
}
const struct record diffuse_record = {.name = "diffuse",
                                      .about = "Spray, foam and bubbles of the fluids, which pictures show.",
                                      .fields = diffuse_fields,
                                      .size = sizeof(struct scene_diffuse),
                                      .defaults = diffuse_defaults};

pl_diffuse_def scene_diffuse_def(const struct scene_diffuse *d)
{
    pl_diffuse_def def = d->def;
    const struct range *from[] = {&d->air_speed, &d->crest_curvature, &d->speed, &d->lifetime};
    float *to[] = {def.air_speed, def.crest_curvature, def.speed, def.lifetime};
    for (int i = 0; i < 4; i++)
        to[i][0] = (float)from[i]->least, to[i][1] = (float)from[i]->most;
    return def;
}
