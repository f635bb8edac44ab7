// damage.c: sets and reads the damage of rows that flow or break under load (kernels/damage.h).
//
// A kind has damage records only if some row of it was ever given any. While a world is packed, the packed records and
// the packed parameters are the current ones; damage_pull copies them back to the users' rows.
#include "kernels/damage.h"
#include "model/world.h"

#include <stddef.h>
#include <string.h>

pl_plastic pl_default_plastic(void) { return (pl_plastic){.creep = 1e9f}; }

// Only the constraint that a joint is made of breaks, not its limits and motors.
static int joint_law_of(int kind)
{
    switch (kind)
    {
    case PL_KIND_BALL_JOINT:
    case PL_KIND_FIXED_JOINT:
    case PL_KIND_HINGE_JOINT:
    case PL_KIND_UNIVERSAL_JOINT:
        return LAW_JOINT_3;
    case PL_KIND_SLIDER_JOINT:
    case PL_KIND_CYLINDRICAL_JOINT:
    case PL_KIND_WHEEL_JOINT:
        return LAW_JOINT_2;
    case PL_KIND_DISTANCE_JOINT:
    case PL_KIND_PULLEY:
        return LAW_JOINT_1;
    default:
        return LAW_NONE;
    }
}

int damage_law_of(int kind)
{
    const kind_facts *k = facts_of(kind);
    if (k->rule == PARAM_TET)
        return k->info.parts == 2 ? LAW_NEO_HOOKEAN : LAW_TET;
    if (k->rule == PARAM_TRIANGLE)
        return LAW_TRIANGLE;
    if (k->scale)
        return LAW_LENGTH;
    if (k->frames)
        return joint_law_of(kind);
    return kind == PL_KIND_DIHEDRAL ? LAW_ANGLE : LAW_NONE;
}

bool damage_flows(const rows *r)
{
    for (int64_t i = 0; r->damage && i < r->count; i++)
        if (r->damage[i].yield > 0.0f)
            return true;
    return false;
}

bool damage_breaks(const rows *r)
{
    for (int64_t i = 0; r->damage && i < r->count; i++)
        if (r->damage[i].strength > 0.0f)
            return true;
    return false;
}

// Makes room for a record for every row of a kind; new records have no damage.
pl_result damage_reserve(pl_world *w, int kind, int64_t count)
{
    rows *r = &w->rows[kind];
    int64_t before = r->damage_capacity;
    pl_result result = array_reserve(&w->memory, &r->damage, &r->damage_capacity, count, sizeof *r->damage);
    if (result == PL_OK && r->damage_capacity > before)
        memset(r->damage + before, 0, (size_t)(r->damage_capacity - before) * sizeof *r->damage);
    return result;
}

void damage_unpack(pl_world *w)
{
    if (w->order_stale || (w->device_newer & ARRAY_BIT(ARRAY_DAMAGE)))
        return;
    for (int kind = 0; kind < PL_KIND_COUNT; kind++)
    {
        rows *r = &w->rows[kind];
        const packed_rows *p = &w->state.rows[kind];
        for (int64_t i = 0; p->damaged && i < r->count; i++)
        {
            if (r->packed_at[i] < 0)
                continue; // the row is broken
            r->damage[i] = p->damage[r->packed_at[i]];
            for (int c = 0; r->damage[i].yield > 0.0f && c < p->params; c++)
                r->param[i * p->params + c] = p->param[c][p->param_step[c] ? r->packed_at[i] : 0];
        }
    }
}

pl_result damage_pull(const pl_world *w)
{
    for (int kind = 0; kind < PL_KIND_COUNT && !w->order_stale; kind++)
        if (w->state.rows[kind].damaged)
        {
            pl_result result = pull(w, ARRAY_BIT(ARRAY_DAMAGE));
            if (result == PL_OK)
                damage_unpack((pl_world *)w); // no value changes, only where the newest copy is
            return result;
        }
    return PL_OK;
}

void damage_pack(pl_world *w, int kind)
{
    const rows *r = &w->rows[kind];
    packed_rows *p = &w->state.rows[kind];
    if (!p->damaged)
        return;
    memset(p->damage, 0, (size_t)p->jacobi_end * sizeof *p->damage);
    for (int64_t i = 0; i < r->count; i++)
        if (r->packed_at[i] >= 0)
            p->damage[r->packed_at[i]] = r->damage[i];
}

// Which damage a kind can have: pl_set_plastic and pl_set_strength refuse the rest, and so do snapshots.
bool damage_can_flow(int kind)
{
    int law = damage_law_of(kind);
    return law != LAW_NONE && law != LAW_TRIANGLE && law < LAW_JOINT_1 && !facts_of(kind)->bound;
}

bool damage_can_break(int kind)
{
    int law = damage_law_of(kind);
    return law != LAW_NONE && law != LAW_ANGLE;
}

pl_result damage_check(const pl_world *w, int kind)
{
    const rows *r = &w->rows[kind];
    for (int64_t i = 0; r->damage && i < r->count; i++)
    {
        const damage *m = &r->damage[i];
        const float each[] = {m->yield, m->creep, m->limit, m->hardening, m->flown, m->strength, m->load};
        for (size_t k = 0; k < sizeof each / sizeof *each; k++)
            if (!(each[k] >= 0.0f && CHECK_FINITE(each[k])))
                return fail(PL_ERROR_ARGUMENT, "%s %lld: its damage is out of range", facts_of(kind)->info.name,
                            (long long)i);
        if ((m->yield > 0.0f && !damage_can_flow(kind)) || (m->strength > 0.0f && !damage_can_break(kind)))
            return fail(PL_ERROR_ARGUMENT, "%s %lld: this kind neither flows nor breaks as its damage says",
                        facts_of(kind)->info.name, (long long)i);
    }
    return PL_OK;
}
