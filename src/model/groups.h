// groups.h: includes the structs of every group kind, for world.h and state.h, and numbers the kinds.
#pragma once
#define GROUP_HEADERS
#include "model/groups.def"

enum
{
#define GROUP_KIND(name, NAME, id, form, words) GROUP_KIND_##NAME,
#include "model/groups.def"
    GROUP_KINDS,
    GROUP_ENTRIES = 6, // the first id type that is a group kind (enum id_type)
};
