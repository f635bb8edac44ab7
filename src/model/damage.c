// damage.c: sets and reads the damage of rows that flow or break under load (kernels/damage.h).
//
// A kind has damage records only if some row of it was ever given any. While a world is packed, the packed records and
// the packed parameters are the current ones; damage_pull copies them back to the users' rows.
#include "kernels/damage.h"
#include "model/world.h"

#include <stddef.h>
#include <string.h>

enum // bits of packed_rows.damaged
{
    DAMAGE_FLOWS = 1,
    DAMAGE_BREAKS = 2,
};

pl_plastic pl_default_plastic(void) { return (pl_plastic){.creep = 1e9f}; }

int damage_law_of(int kind)
{
    const kind_facts *k = facts_of(kind);
    if (k->rule == PARAM_TET)
        return k->info.parts == 2 ? LAW_NEO_HOOKEAN : LAW_TET;
    if (k->rule == PARAM_TRIANGLE)
        return LAW_TRIANGLE;
    if (k->scale)
        return LAW_LENGTH;
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
            if (r->place[i] < 0)
                continue; // the row is broken
            r->damage[i] = p->damage[r->place[i]];
            for (int c = 0; r->damage[i].yield > 0.0f && c < p->params; c++)
                r->param[i * p->params + c] = p->param[c][p->param_step[c] ? r->place[i] : 0];
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
        if (r->place[i] >= 0)
            p->damage[r->place[i]] = r->damage[i];
}

// Which damage a kind can have: pl_set_plastic and pl_set_strength refuse the rest, and so do snapshots.
static bool can_flow(int kind)
{
    int law = damage_law_of(kind);
    return law != LAW_NONE && law != LAW_TRIANGLE && !facts_of(kind)->bound;
}

static bool can_break(int kind)
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
        if ((m->yield > 0.0f && !can_flow(kind)) || (m->strength > 0.0f && !can_break(kind)))
            return fail(PL_ERROR_ARGUMENT, "%s %lld: this kind neither flows nor breaks as its damage says",
                        facts_of(kind)->info.name, (long long)i);
    }
    return PL_OK;
}

// ---- public calls --------------------------------------------------------------------------------------------------

// Prepares a change of records. If the kind already has packed records of this type, they are patched in place.
// Otherwise the rows are unpacked, and packed again before the next step.
static pl_result open_rows(pl_world *w, const id_entry *t, int count, int damaged)
{
    if (!w->order_stale && w->state.rows[t->kind].damaged & damaged)
        return patches_reserve(w, 4 * (int64_t)count);
    pl_result result = damage_pull(w);
    if (result == PL_OK)
        result = damage_reserve(w, t->kind, w->rows[t->kind].count);
    if (result == PL_OK)
        result = rows_unpack(w);
    w->order_stale |= result == PL_OK; // the packed form changes its size
    return result;
}

// Writes one number of a record in place: the rest of the record stays as it is, on a device too.
static void put_number(pl_world *w, int kind, int64_t row, size_t member, float value)
{
    const rows *r = &w->rows[kind];
    memcpy((char *)&r->damage[row] + member, &value, sizeof value);
    if (w->order_stale || r->place[row] < 0)
        return;
    char *packed = (char *)&w->state.rows[kind].damage[r->place[row]] + member;
    memcpy(packed, &value, sizeof value);
    patch_packed(w, packed, sizeof value);
}

static pl_result check_plastic(const char *name, const pl_plastic *p)
{
    const float each[] = {p->yield, p->creep, p->limit, p->hardening};
    static const char *const names[] = {"yield", "creep", "limit", "hardening"};
    for (int i = 0; i < 4; i++)
        if (!(each[i] >= 0.0f && CHECK_FINITE(each[i])))
            return fail(PL_ERROR_ARGUMENT, "plastic %s: %s is %g; it must be 0 or above", name, names[i],
                        (double)each[i]);
    return PL_OK;
}

pl_result pl_set_plastic(pl_world *w, pl_id block, int first, int count, const pl_plastic *plastic)
{
    NEED(w);
    NEED(plastic);
    const id_entry *t = rows_asked(w, block, first, count, plastic);
    if (!t)
        return PL_ERROR_ARGUMENT;
    const char *name = facts_of(t->kind)->info.name;
    if (!can_flow(t->kind))
        return fail(PL_ERROR_ARGUMENT, "plastic %s: this kind does not flow; distance, dihedral and tetrahedra do",
                    name);
    pl_result result = check_plastic(name, plastic);
    if (result == PL_OK)
        result = open_rows(w, t, count, plastic->yield > 0.0f ? DAMAGE_FLOWS : 0);
    for (int i = 0; result == PL_OK && i < count; i++)
    {
        int64_t row = (int64_t)t->first + first + i;
        put_number(w, t->kind, row, offsetof(damage, yield), plastic->yield);
        put_number(w, t->kind, row, offsetof(damage, creep), plastic->creep);
        put_number(w, t->kind, row, offsetof(damage, limit), plastic->limit);
        put_number(w, t->kind, row, offsetof(damage, hardening), plastic->hardening);
    }
    return result;
}

pl_result pl_set_strength(pl_world *w, pl_id block, int first, int count, float strength)
{
    NEED(w);
    const id_entry *t = rows_asked(w, block, first, count, w);
    if (!t)
        return PL_ERROR_ARGUMENT;
    const char *name = facts_of(t->kind)->info.name;
    if (!can_break(t->kind))
        return fail(PL_ERROR_ARGUMENT,
                    "strength of %s: this kind does not break; distances, triangles and tetrahedra do", name);
    if (!(strength >= 0.0f && CHECK_FINITE(strength)))
        return fail(PL_ERROR_ARGUMENT, "strength of %s: it is %g; it must be above 0, or 0 for never", name,
                    (double)strength);
    pl_result result = open_rows(w, t, count, strength > 0.0f ? DAMAGE_BREAKS : 0);
    for (int i = 0; result == PL_OK && i < count; i++)
        put_number(w, t->kind, (int64_t)t->first + first + i, offsetof(damage, strength), strength);
    w->tear.on |= result == PL_OK && strength > 0.0f;
    return result;
}

pl_result pl_get_damage(const pl_world *w, pl_id block, int first, int count, pl_damage *out)
{
    NEED(w);
    const id_entry *t = rows_asked(w, block, first, count, out);
    if (!t)
        return PL_ERROR_ARGUMENT;
    pl_result result = damage_pull(w);
    for (int i = 0; result == PL_OK && i < count; i++)
    {
        const damage *m = w->rows[t->kind].damage ? &w->rows[t->kind].damage[t->first + first + i] : NULL;
        out[i] = m ? (pl_damage){m->flown, m->strength, m->load, m->broken > 0.0f} : (pl_damage){0};
    }
    return result;
}
