// rigid_rest.c: knows which rigid bodies sleep, and notes which are to wake because of an edit. groups/rigid_sleep.c lets
// them fall asleep and wakes them.
#include "model/rigid_rest.h"

static int32_t particle_of(const rigids *r, int64_t body) { return r->member[r->start[body]]; }

// Returns the body of a particle, or -1.
static int64_t body_of(const rigids *r, int32_t number)
{
    for (int64_t i = 0; i < r->count; i++)
        if (particle_of(r, i) == number)
            return i;
    return -1;
}

uint32_t rigid_name_serial(uint64_t name) { return name >> 63 ? 0 : (uint32_t)(name >> 24); }

// Bodies are in the order of their serial numbers.
int64_t rigid_of_serial(const rigids *r, uint32_t serial)
{
    int64_t low = 0, high = r->count;
    while (low < high)
    {
        int64_t middle = (low + high) / 2;
        if (r->form[middle].serial < serial)
            low = middle + 1;
        else
            high = middle;
    }
    return low < r->count && r->form[low].serial == serial ? low : -1;
}

static bool sleeps_at(const rigids *r, int32_t number)
{
    return r->asleep && number >= 0 && number < r->awake_capacity && r->awake_weight[number] >= 0.0f;
}

float awake_inverse_mass(const pl_world *w, int32_t slot)
{
    int32_t number = slot < w->used ? w->number_of[slot] : -1;
    return sleeps_at(&w->rigids, number) ? w->rigids.awake_weight[number] : 0.0f;
}

void rigid_wake(pl_world *w, int64_t body)
{
    rigids *r = &w->rigids;
    const uint32_t island = r->rest[body].island;
    if (!island || r->rest[body].wake)
        return;
    for (int64_t i = 0; i < r->count; i++)
        if (r->rest[i].island == island)
            r->rest[i].wake = 1;
}

void rigid_wake_all(pl_world *w)
{
    rigids *r = &w->rigids;
    for (int64_t i = 0; r->asleep && i < r->count; i++)
        if (r->rest[i].island)
            r->rest[i].wake = 1;
}

void rigid_wake_particle(pl_world *w, int32_t number)
{
    if (sleeps_at(&w->rigids, number))
        rigid_wake(w, body_of(&w->rigids, number));
}

void rigid_wake_rows(pl_world *w, int kind, int64_t first, int64_t count)
{
    const int arity = facts_of(kind)->info.arity;
    for (int64_t i = first * arity; w->rigids.asleep && i < (first + count) * arity; i++)
        rigid_wake_particle(w, w->rows[kind].index[i]);
}

// Wakes the bodies that rest on the body with this serial number.
static void wake_resting_on(pl_world *w, uint32_t serial)
{
    const rigid_contacts *c = &w->rigid_contacts;
    for (int64_t i = 0; i < c->resting_count; i++)
    {
        const uint64_t name[2] = {c->resting[i].a, c->resting[i].b};
        for (int e = 0; e < 2; e++)
            if (rigid_name_serial(name[e]) == serial)
            {
                int64_t other = rigid_of_serial(&w->rigids, rigid_name_serial(name[1 - e]));
                if (other >= 0)
                    rigid_wake(w, other);
            }
    }
}

void rigid_stir(pl_world *w, int64_t body)
{
    rigids *r = &w->rigids;
    if (!r->asleep)
        return;
    w->rigid_contacts.stale = true;
    if (r->rest[body].island)
    {
        rigid_wake(w, body);
        return;
    }
    if (present_inverse_mass(w, slot_of(w, particle_of(r, body))) > 0.0f)
        return; // the list of pairs finds what is near it
    r->rest[body].wake = 1;
    wake_resting_on(w, r->form[body].serial);
}

void rigid_stir_particles(pl_world *w, int32_t first, int32_t count)
{
    const rigids *r = &w->rigids;
    for (int64_t i = 0; r->asleep && i < r->count; i++)
        if (particle_of(r, i) >= first && particle_of(r, i) < first + count)
            rigid_stir(w, i);
}

void rigid_lost(pl_world *w, int32_t number)
{
    rigids *r = &w->rigids;
    int64_t body = r->asleep ? body_of(r, number) : -1;
    if (body < 0)
        return;
    rigid_wake(w, body);
    wake_resting_on(w, r->form[body].serial);
    if (sleeps_at(r, number)) // the number may be given to another particle
    {
        r->rest[body] = (rigid_rest){0};
        r->awake_weight[number] = -1.0f;
        r->asleep--;
    }
}

float rigid_set_weight(pl_world *w, int32_t number, float weight)
{
    rigids *r = &w->rigids;
    int64_t body = sleeps_at(r, number) ? body_of(r, number) : -1;
    if (body >= 0)
    {
        rigid_wake(w, body);
        r->rest[body].weight = r->awake_weight[number] = weight;
    }
    return weight;
}

pl_result rigid_rest_list(pl_world *w)
{
    rigids *r = &w->rigids;
    pl_result result =
        array_reserve(&w->memory, &r->awake_weight, &r->awake_capacity, w->numbers.end, sizeof *r->awake_weight);
    if (result != PL_OK)
        return result;
    r->asleep = 0;
    for (int64_t i = 0; i < r->awake_capacity; i++)
        r->awake_weight[i] = -1.0f;
    for (int64_t i = 0; i < r->count; i++)
        if (r->rest[i].island)
        {
            r->awake_weight[particle_of(r, i)] = r->rest[i].weight;
            r->asleep++;
        }
    return PL_OK;
}
