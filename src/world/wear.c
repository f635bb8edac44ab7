// wear.c: rows that flow or break under load (stages/wear.h): what the user says of them, and what has become of them.
//
// A kind has records of wear only when some row of it was ever given any. While a world is packed, the records and the parameters that
// flow are the packed ones; wear_home brings them back to the users' rows.
#include "stages/wear.h"
#include "world/world.h"

#include <stddef.h>
#include <string.h>

enum // packed_rows.worn
{
    WEAR_FLOWS = 1,
    WEAR_BREAKS = 2,
};

pl_plastic pl_default_plastic(void) { return (pl_plastic){.creep = 1e9f}; }

int wear_law_of(int kind)
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

bool wear_flows(const rows *r)
{
    for (int64_t i = 0; r->wear && i < r->count; i++)
        if (r->wear[i].yield > 0.0f)
            return true;
    return false;
}

bool wear_breaks(const rows *r)
{
    for (int64_t i = 0; r->wear && i < r->count; i++)
        if (r->wear[i].strength > 0.0f)
            return true;
    return false;
}

// Records for every row of a kind: new ones say nothing.
pl_result wear_reserve(pl_world *w, int kind, int64_t count)
{
    rows *r = &w->rows[kind];
    int64_t before = r->wear_capacity;
    pl_result result = array_reserve(&w->memory, &r->wear, &r->wear_capacity, count, sizeof *r->wear);
    if (result == PL_OK && r->wear_capacity > before)
        memset(r->wear + before, 0, (size_t)(r->wear_capacity - before) * sizeof *r->wear);
    return result;
}

void wear_unpack(pl_world *w)
{
    if (w->order_stale || (w->away & ARRAY_BIT(ARRAY_WEAR)))
        return;
    for (int kind = 0; kind < PL_KIND_COUNT; kind++)
    {
        rows *r = &w->rows[kind];
        const packed_rows *p = &w->state.rows[kind];
        for (int64_t i = 0; p->worn && i < r->count; i++)
        {
            if (r->place[i] < 0)
                continue; // it is broken
            r->wear[i] = p->wear[r->place[i]];
            for (int c = 0; r->wear[i].yield > 0.0f && c < p->params; c++)
                r->param[i * p->params + c] = p->param[c][p->param_step[c] ? r->place[i] : 0];
        }
    }
}

pl_result wear_home(const pl_world *w)
{
    for (int kind = 0; kind < PL_KIND_COUNT && !w->order_stale; kind++)
        if (w->state.rows[kind].worn)
        {
            pl_result result = pull(w, ARRAY_BIT(ARRAY_WEAR));
            if (result == PL_OK)
                wear_unpack((pl_world *)w); // what a reader sees does not change: only where it lies
            return result;
        }
    return PL_OK;
}

void wear_pack(pl_world *w, int kind)
{
    const rows *r = &w->rows[kind];
    packed_rows *p = &w->state.rows[kind];
    if (!p->worn)
        return;
    memset(p->wear, 0, (size_t)p->jacobi_end * sizeof *p->wear);
    for (int64_t i = 0; i < r->count; i++)
        if (r->place[i] >= 0)
            p->wear[r->place[i]] = r->wear[i];
}

pl_result wear_check(const pl_world *w, int kind)
{
    const rows *r = &w->rows[kind];
    for (int64_t i = 0; r->wear && i < r->count; i++)
    {
        const wear *m = &r->wear[i];
        const float each[] = {m->yield, m->creep, m->limit, m->hardening, m->flown, m->strength, m->load};
        for (size_t k = 0; k < sizeof each / sizeof *each; k++)
            if (!(each[k] >= 0.0f && CHECK_FINITE(each[k])))
                return fail(PL_ERROR_ARGUMENT, "%s %lld: its damage is out of range", facts_of(kind)->info.name,
                            (long long)i);
    }
    return PL_OK;
}

// ---- the calls -----------------------------------------------------------------------------------------------------

// Ready to be given other records: where they lie, if the kind has records of what it is to do, or else home, and packed anew before the
// next step.
static pl_result open_rows(pl_world *w, const thing *t, int count, int worn)
{
    if (!w->order_stale && w->state.rows[t->kind].worn & worn)
        return patches_reserve(w, 4 * (int64_t)count);
    pl_result result = wear_home(w);
    if (result == PL_OK)
        result = wear_reserve(w, t->kind, w->rows[t->kind].count);
    if (result == PL_OK)
        result = rows_unpack(w);
    w->order_stale |= result == PL_OK; // rooms of another size
    return result;
}

// A number of a record, where it lies: what else is in the record stays as it is, on a device too.
static void put_number(pl_world *w, int kind, int64_t row, size_t member, float value)
{
    const rows *r = &w->rows[kind];
    memcpy((char *)&r->wear[row] + member, &value, sizeof value);
    if (w->order_stale || r->place[row] < 0)
        return;
    char *packed = (char *)&w->state.rows[kind].wear[r->place[row]] + member;
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
    const thing *t = rows_asked(w, block, first, count, plastic);
    if (!t)
        return PL_ERROR_ARGUMENT;
    const char *name = facts_of(t->kind)->info.name;
    int law = wear_law_of(t->kind);
    if (law == LAW_NONE || law == LAW_TRIANGLE || facts_of(t->kind)->bound)
        return fail(PL_ERROR_ARGUMENT, "plastic %s: this kind does not flow; distance, dihedral and tetrahedra do",
                    name);
    pl_result result = check_plastic(name, plastic);
    if (result == PL_OK)
        result = open_rows(w, t, count, plastic->yield > 0.0f ? WEAR_FLOWS : 0);
    for (int i = 0; result == PL_OK && i < count; i++)
    {
        int64_t row = (int64_t)t->first + first + i;
        put_number(w, t->kind, row, offsetof(wear, yield), plastic->yield);
        put_number(w, t->kind, row, offsetof(wear, creep), plastic->creep);
        put_number(w, t->kind, row, offsetof(wear, limit), plastic->limit);
        put_number(w, t->kind, row, offsetof(wear, hardening), plastic->hardening);
    }
    return result;
}

pl_result pl_set_strength(pl_world *w, pl_id block, int first, int count, float strength)
{
    NEED(w);
    const thing *t = rows_asked(w, block, first, count, w);
    if (!t)
        return PL_ERROR_ARGUMENT;
    const char *name = facts_of(t->kind)->info.name;
    int law = wear_law_of(t->kind);
    if (law == LAW_NONE || law == LAW_ANGLE)
        return fail(PL_ERROR_ARGUMENT,
                    "strength of %s: this kind does not break; distances, triangles and tetrahedra do", name);
    if (!(strength >= 0.0f && CHECK_FINITE(strength)))
        return fail(PL_ERROR_ARGUMENT, "strength of %s: it is %g; it must be above 0, or 0 for never", name,
                    (double)strength);
    pl_result result = open_rows(w, t, count, strength > 0.0f ? WEAR_BREAKS : 0);
    for (int i = 0; result == PL_OK && i < count; i++)
        put_number(w, t->kind, (int64_t)t->first + first + i, offsetof(wear, strength), strength);
    w->tear.on |= result == PL_OK && strength > 0.0f;
    return result;
}

pl_result pl_get_damage(const pl_world *w, pl_id block, int first, int count, pl_damage *out)
{
    NEED(w);
    const thing *t = rows_asked(w, block, first, count, out);
    if (!t)
        return PL_ERROR_ARGUMENT;
    pl_result result = wear_home(w);
    for (int i = 0; result == PL_OK && i < count; i++)
    {
        const wear *m = w->rows[t->kind].wear ? &w->rows[t->kind].wear[t->first + first + i] : NULL;
        out[i] = m ? (pl_damage){m->flown, m->strength, m->load, m->broken > 0.0f} : (pl_damage){0};
    }
    return result;
}
