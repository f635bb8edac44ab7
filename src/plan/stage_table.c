// stage_table.c: builds the table of stages from stages.def.
#include "plan/stage_table.h"
#include "pliant/pliant.h"

typedef char resources_fit_a_set[RESOURCE_COUNT <= 128 ? 1 : -1];

const stage_info *stage_of(int op)
{
    static const stage_info table[] = {
#define STAGE(NAME, items, timing, unit, form, function, launcher, reads, group, others, writes, adds)                 \
    {#NAME, ITEMS_##items, PL_STAGE_##timing, reads, group, others, writes, adds},
#include "plan/stages.def"
    };
    return &table[op];
}

const char *resource_name(int resource)
{
    static const char *const names[] = {
#define RESOURCE(NAME, owner) #NAME,
#include "plan/stages.def"
    };
    return names[resource];
}

int resource_owner_of(int resource)
{
    static const uint8_t owners[] = {
#define RESOURCE(NAME, owner) OWNER_##owner,
#include "plan/stages.def"
    };
    return owners[resource];
}
