// scene_gas.h: what makes a fluid of a scene a gas.
#pragma once
#include "scene.h"

struct scene_gas
{
    struct head head;
    pl_gas_def def;
};

extern const struct record gas_record;
