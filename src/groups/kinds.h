// kinds.h: includes the arrays of every group kind, for world.h, and numbers the kinds.
#pragma once
#include "groups/clusters.h"
#include "groups/lattices.h"
#include "groups/oriented.h"
#include "groups/visuals.h"
#include "groups/volumes.h"

enum
{
#define GROUP_KIND(name, NAME, id) GROUP_KIND_##NAME,
#include "groups/kinds.def"
#undef GROUP_KIND
    GROUP_KINDS,
    GROUP_ENTRIES = 6, // the first id type that is a group kind (enum id_type)
};
