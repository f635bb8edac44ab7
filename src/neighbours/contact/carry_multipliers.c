// carry_multipliers.c: carries the contact multipliers from one contact list to the next (warm start), by slot.
#include "model/world.h"
#include "neighbours/contact/contacts.h"

#include <string.h>

// A particle's entries begin at the index of its first pair, so threads write without waiting for each other.
static void carry_range(void *arg, int64_t begin, int64_t end)
{
    pl_world *w = arg;
    const contacts *t = &w->contacts;
    const neighbour_list *g = &t->neighbours;
    const carry *c = &t->carry;
    for (int64_t i = begin; i < end; i++)
    {
        int32_t slot = g->sorted.value[i], at = g->start[i];
        c->first[slot] = at;
        for (int32_t p = g->start[i]; p < g->start[i + 1]; p++)
        {
            size_t row = (size_t)t->row[p];
            if (w->state.pairs.lambda[0][row] == 0.0f)
                continue;
            c->other[at] = g->sorted.value[g->neighbour[p]];
            for (int l = 0; l < 4; l++)
                c->lambda[4 * (size_t)at + (size_t)l] = w->state.pairs.lambda[l][row];
            at++;
        }
        c->count[slot] = at - g->start[i];
    }
}

pl_result carry_list(pl_world *w, const parallel *threads)
{
    contacts *t = &w->contacts;
    pl_result result = carry_open(&t->carry, &w->memory, w->state.slots, t->neighbours.pairs);
    if (result == PL_OK)
        parallel_for(threads, carry_range, w, t->neighbours.count, 1024);
    return result;
}

pl_result carry_kept(pl_world *w, carry *c, const kept_list *list, bool pairs)
{
    pl_result result = carry_open(c, &w->memory, w->state.slots, list->count);
    if (result != PL_OK)
        return result;
    for (int64_t i = 0; i < list->count; i++)
    {
        int32_t slot = slot_of(w, list->items[i].a);
        if (slot >= 0 && (!pairs || slot_of(w, list->items[i].b) >= 0))
            c->count[slot]++;
    }
    for (int32_t slot = 0; slot < w->state.slots; slot++)
    {
        c->first[slot] = (int32_t)c->entries;
        c->entries += c->count[slot];
        c->count[slot] = 0;
    }
    for (int64_t i = 0; i < list->count; i++)
    {
        int32_t slot = slot_of(w, list->items[i].a);
        int32_t other = pairs ? slot_of(w, list->items[i].b) : list->items[i].b;
        if (slot < 0 || other < 0)
            continue;
        int32_t at = c->first[slot] + c->count[slot]++;
        c->other[at] = other;
        memcpy(c->lambda + 4 * (size_t)at, list->items[i].lambda, sizeof list->items[i].lambda);
    }
    return PL_OK;
}
