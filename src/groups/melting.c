// melting.c: checks which particles may melt: those that are in at most one cluster, in no surface, lattice or volume,
// and whose only constraints are pins.
#include "groups/group.h"
#include "groups/melting.h"

#include <string.h>

bool heat_melts(const pl_world *w, int32_t number)
{
    const heat *h = &w->heat;
    return number < h->count && h->of_particle[number].rule && h->rules[h->of_particle[number].rule - 1].melts;
}

static pl_result check_none(const uint8_t *melts, const int32_t *index, int64_t count, const char *what)
{
    for (int64_t i = 0; i < count; i++)
        if (melts[index[i]])
            return fail(PL_ERROR_ARGUMENT, "heat: particle %d is part of %s; only free particles and clusters melt",
                        index[i], what);
    return PL_OK;
}

// melts: 1 for each melting particle, 2 once it was found in a cluster.
static pl_result check_once(uint8_t *melts, const int32_t *index, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
    {
        if (melts[index[i]] == 2)
            return fail(PL_ERROR_ARGUMENT,
                        "heat: particle %d is in two clusters; a particle that melts must be in at most one", index[i]);
        melts[index[i]] = melts[index[i]] ? 2 : 0;
    }
    return PL_OK;
}

// Checks that no melting particle is in two clusters.
static pl_result check_groups(const pl_world *w, uint8_t *melts)
{
    pl_result result = PL_OK;
    for (int i = 0; i < GROUP_KINDS && result == PL_OK; i++)
    {
        group_members all = all_members(w, group_kinds[i]);
        if (group_kinds[i]->melting == MELT_IN_ONE)
            result = check_once(melts, all.number, all.count);
    }
    return result;
}

static pl_result check_all(const pl_world *w, uint8_t *melts)
{
    pl_result result = PL_OK;
    for (int kind = 0; result == PL_OK && kind < PL_KIND_COUNT; kind++)
        if (kind != PL_KIND_PIN)
            result =
                check_none(melts, w->rows[kind].index, w->rows[kind].count * facts_of(kind)->info.arity, "constraints");
    if (result == PL_OK)
        result = check_none(melts, w->faces.index, 3 * w->faces.count, "a surface");
    for (int i = 0; i < GROUP_KINDS && result == PL_OK; i++)
    {
        group_members all = all_members(w, group_kinds[i]);
        if (group_kinds[i]->melting == MELT_NEVER)
            result = check_none(melts, all.number, all.count, id_type_name(group_kinds[i]->id_entry));
    }
    return result == PL_OK ? check_groups(w, melts) : result;
}

// Allocates `melts` and marks the particles that melt.
static pl_result mark_melting(pl_world *w, uint8_t **melts, int64_t *capacity)
{
    pl_result result = array_reserve(&w->memory, melts, capacity, (int64_t)w->numbers.end + 1, 1);
    for (int32_t n = 0; result == PL_OK && n < w->numbers.end; n++)
        (*melts)[n] = heat_melts(w, n);
    return result;
}

pl_result heat_check_free(pl_world *w, int32_t first, int32_t count)
{
    uint8_t *melts = NULL;
    int64_t capacity = 0;
    pl_result result = mark_melting(w, &melts, &capacity);
    if (result == PL_OK)
    {
        memset(melts + first, 1, (size_t)count);
        result = check_all(w, melts);
    }
    array_free(&w->memory, &melts, &capacity, 1);
    return result;
}

pl_result heat_check_members(pl_world *w, const int32_t *members, int64_t count)
{
    uint8_t *melts = NULL;
    int64_t capacity = 0;
    for (int64_t i = 0; i < count; i++)
        if (heat_melts(w, members[i]) && w->heat.of_particle[members[i]].molten)
            return fail(PL_ERROR_ARGUMENT, "heat: particle %d is molten; it must freeze before it can be in a cluster",
                        members[i]);
    if (w->heat.rule_count == 0)
        return PL_OK;
    pl_result result = mark_melting(w, &melts, &capacity);
    if (result == PL_OK)
        result = check_groups(w, melts);
    if (result == PL_OK)
        result = check_once(melts, members, count);
    array_free(&w->memory, &melts, &capacity, 1);
    return result;
}

pl_result heat_check_added(const pl_world *w, const int32_t *index, int64_t count, const char *what)
{
    for (int64_t i = 0; w->heat.rule_count && i < count; i++)
        if (heat_melts(w, index[i]))
            return fail(PL_ERROR_ARGUMENT,
                        "heat: particle %d melts, so it cannot be part of %s; pl_set_heat changes that", index[i],
                        what);
    return PL_OK;
}
