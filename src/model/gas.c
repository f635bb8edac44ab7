// gases.c: makes fluids gases (kernels/gas.h), and reads their temperatures.
#include "model/fluid.h"

#include <string.h>

pl_gas_def pl_default_gas_def(void) { return (pl_gas_def){.temperature = 100.0f, .expansion = 0.0034f, .drag = 1.0f}; }

// ---- checks --------------------------------------------------------------------------------------------------------

static pl_result check_gas(const gas_rule *r)
{
    const struct
    {
        const char *name;
        float value, least, most;
    } values[] = {{"temperature", r->temperature, -1e4f, 1e4f},
                  {"expansion", r->expansion, 0.0f, 1.0f},
                  {"drag", r->drag, 0.0f, 1e6f},
                  {"cooling", r->cooling, 0.0f, 1e6f},
                  {"diffusivity", r->diffusivity, 0.0f, 1e6f},
                  {"weight", r->weight, 0.0f, 1.0f}};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        if (!(values[i].value >= values[i].least && values[i].value <= values[i].most))
            return fail(PL_ERROR_ARGUMENT, "gas: %s is %g; it must be from %g to %g", values[i].name,
                        (double)values[i].value, (double)values[i].least, (double)values[i].most);
    return PL_OK;
}

// The number of a rule that is equal or that no particle but those of the object uses; GAS_RULES: there is none.
static int32_t find_rule(const pl_world *w, const gas_rule *r, int32_t first, int32_t end)
{
    bool used[GAS_RULES] = {false};
    for (int32_t i = 0; i < w->gases; i++)
        if (memcmp(&w->gas[i], r, sizeof *r) == 0)
            return i;
    for (int32_t number = 0; number < w->numbers.end; number++)
    {
        int32_t slot = slot_of(w, number);
        int kind = slot < 0 ? 0 : (int)w->state.slot[SLOT_GAS][4 * (size_t)slot + GAS_KIND];
        if (kind > 0 && kind <= GAS_RULES && (number < first || number >= end))
            used[kind - 1] = true;
    }
    int32_t rule = 0;
    while (rule < GAS_RULES && used[rule])
        rule++;
    return rule;
}

// ---- setting and reading -------------------------------------------------------------------------------------------

pl_result pl_set_gas(pl_world *w, pl_id object, const pl_gas_def *def)
{
    NEED(w);
    NEED(def);
    PLAIN_ROUNDING;
    const gas_rule r = {def->expansion, def->drag, def->cooling, def->diffusivity, def->temperature, def->weight};
    const id_entry *t = id_find(w, object, ID_OBJECT, "set gas");
    pl_result result = t ? check_gas(&r) : PL_ERROR_ARGUMENT;
    if (result == PL_OK && !is_fluid(w, slot_of(w, t->first)))
        result = fail(PL_ERROR_ARGUMENT, "gas: the object is not a fluid; it must be one of pl_add_fluid or "
                                         "pl_add_emitter");
    if (result == PL_OK)
        result = pull(w, ARRAY_BIT(SLOT_GAS));
    if (result != PL_OK)
        return result;
    const int32_t first = t->first, end = t->first + t->count;
    int32_t rule = find_rule(w, &r, first, end);
    if (rule == GAS_RULES)
        return fail(PL_ERROR_ARGUMENT, "gas: the world has %d gases already; give some of them the same values",
                    GAS_RULES);
    w->gases += rule == w->gases;
    w->gas[rule] = r;
    mark_changed(w, ARRAY_BIT(SLOT_GAS));
    for (int32_t i = first; i < end; i++)
    {
        float *gas = w->state.slot[SLOT_GAS] + 4 * (size_t)slot_of(w, i);
        gas[GAS_KIND] = (float)(rule + 1);
        gas[GAS_START] = gas[GAS_FRAME] = gas[GAS_NOW] = r.temperature;
    }
    w->plan_stale = w->contacts.colliders_stale = true; // which copies the rules to the state
    return PL_OK;
}

pl_result pl_get_gas(const pl_world *w, int first, int count, float *temperature)
{
    NEED(w);
    if (first < 0 || count < 0 || (int64_t)first + count > w->numbers.end)
        return fail(PL_ERROR_ARGUMENT, "gas: particles %d to %lld were asked for; there are %d", first,
                    (long long)first + count - 1, w->numbers.end);
    if (!temperature && count)
        return fail(PL_ERROR_ARGUMENT, "gas: the array is NULL; it must hold one number for each particle");
    pl_result result = pull(w, ARRAY_BIT(SLOT_GAS));
    for (int i = 0; result == PL_OK && i < count; i++)
    {
        int32_t slot = slot_of(w, first + i);
        if (slot < 0)
            return fail(PL_ERROR_ARGUMENT, "gas: particle %d has been removed; use one that exists", first + i);
        temperature[i] = w->state.slot[SLOT_GAS][4 * (size_t)slot + GAS_NOW];
    }
    return result;
}

// ---- checking a snapshot -------------------------------------------------------------------------------------------

static bool has_rule(const pl_world *w, int32_t slot)
{
    const float *gas = w->state.slot[SLOT_GAS] + 4 * (size_t)slot;
    int64_t bad;
    return all_finite(gas, 4, &bad) && gas[GAS_KIND] >= 0.0f && gas[GAS_KIND] <= (float)w->gases &&
           gas[GAS_KIND] == (float)(int)gas[GAS_KIND];
}

pl_result gases_check(const pl_world *w)
{
    for (int32_t i = 0; i < w->gases; i++)
        if (check_gas(&w->gas[i]) != PL_OK)
            return PL_ERROR_FORMAT;
    for (int32_t slot = 0; slot < w->used; slot++)
        if (w->number_of[slot] >= 0 && !has_rule(w, slot))
            return PL_ERROR_FORMAT;
    return PL_OK;
}
