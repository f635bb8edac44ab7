// scene_diffuse.h: the values of the diffuse particles of a scene.
#pragma once
#include "fields.h"

#include <pliant/diffuse.h>

struct scene_diffuse
{
    struct head head;
    pl_diffuse_def def;
    struct range air_speed, crest_curvature, speed, lifetime;
};

extern const struct record diffuse_record;
pl_diffuse_def scene_diffuse_def(const struct scene_diffuse *d); // what the library needs of it
