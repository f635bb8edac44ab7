// set_damage.c: sets and reads the plastic flow and the strength of rows.
#include "edit/add.h"
#include "edit/edit_in_place.h"
#include "groups/group.h"
#include "model/rigid_rest.h"

#include <string.h>

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
    if (w->order_stale || r->packed_at[row] < 0)
        return;
    char *packed = (char *)&w->state.rows[kind].damage[r->packed_at[row]] + member;
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
    const id_entry *t = rows_in_block(w, block, first, count, plastic);
    if (!t)
        return PL_ERROR_ARGUMENT;
    const char *name = facts_of(t->kind)->info.name;
    if (!damage_can_flow(t->kind))
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
    const id_entry *t = rows_in_block(w, block, first, count, w);
    if (!t)
        return PL_ERROR_ARGUMENT;
    const char *name = facts_of(t->kind)->info.name;
    if (!damage_can_break(t->kind))
        return fail(PL_ERROR_ARGUMENT,
                    "strength of %s: this kind does not break; distances, triangles, tetrahedra and joints do", name);
    if (!(strength >= 0.0f && CHECK_FINITE(strength)))
        return fail(PL_ERROR_ARGUMENT, "strength of %s: it is %g; it must be above 0, or 0 for never", name,
                    (double)strength);
    pl_result result = open_rows(w, t, count, strength > 0.0f ? DAMAGE_BREAKS : 0);
    for (int i = 0; result == PL_OK && i < count; i++)
        put_number(w, t->kind, (int64_t)t->first + first + i, offsetof(damage, strength), strength);
    w->tear.on |= result == PL_OK && strength > 0.0f;
    if (result == PL_OK)
        rigid_wake_rows(w, t->kind, (int64_t)t->first + first, count);
    return result;
}

pl_result joint_strength(pl_world *w, pl_id block, float force, float torque)
{
    pl_result result = pl_set_strength(w, block, 0, 1, force > 0.0f ? force : 1e30f);
    if (result != PL_OK)
        return result;
    const id_entry *t = &w->entries[block.index];
    put_number(w, t->kind, t->first, offsetof(damage, limit), torque);
    return PL_OK;
}

pl_result pl_get_damage(const pl_world *w, pl_id block, int first, int count, pl_damage *out)
{
    NEED(w);
    const id_entry *t = rows_in_block(w, block, first, count, out);
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
