// query.c: answers queries that sum over all group kinds.
#include "groups/group.h"
#include "model/world.h"

int32_t groups_trouble(const pl_world *w)
{
    int32_t particle = -1;
    for (int i = 0; i < GROUP_KINDS && particle < 0; i++)
        if (group_kinds[i]->find_trouble)
            particle = group_kinds[i]->find_trouble(w);
    return particle;
}

void groups_measure(const pl_world *w, double *energy, double *angular)
{
    for (int i = 0; i < GROUP_KINDS; i++)
        if (group_kinds[i]->measure)
            group_kinds[i]->measure(w, energy, angular);
}

void groups_residual(const pl_world *w, pl_residual *sum)
{
    for (int i = 0; i < GROUP_KINDS; i++)
        if (group_kinds[i]->residual)
            group_kinds[i]->residual(w, sum);
}

uint64_t groups_hash(const pl_world *w, uint64_t h)
{
    for (int i = 0; i < GROUP_KINDS; i++)
        if (group_kinds[i]->hash)
            h = group_kinds[i]->hash(w, h);
    return h;
}

void groups_rotate(const pl_world *w, int first, int count, struct bone *bones)
{
    for (int i = 0; i < GROUP_KINDS; i++)
        if (group_kinds[i]->rotate)
            group_kinds[i]->rotate(w, first, count, bones);
}

pl_group_info pl_world_groups(const pl_world *w)
{
    pl_group_info all = {0};
    for (int i = 0; w && i < GROUP_KINDS; i++)
        if (group_kinds[i]->info)
            group_kinds[i]->info(w, &all);
    return all;
}

int pl_group_counts(const pl_world *w, pl_group_count *out, int capacity)
{
    static const char *const keys[GROUP_KINDS] = {
#define GROUP_KIND(name, NAME, id, form, words) #name,
#include "model/groups.def"
    };
    int kinds = 0;
    for (int i = 0; w && i < GROUP_KINDS; i++)
    {
        if (!group_kinds[i]->lay_out)
            continue;
        if (out && kinds < capacity)
            out[kinds] = (pl_group_count){keys[i], group_kinds[i]->words, group_count(w, group_kinds[i])};
        kinds++;
    }
    return kinds;
}
