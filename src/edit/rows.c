// rows.c: adds, reads and changes constraints. rows_check.c validates the input.
#include "edit/add.h"
#include "edit/edit_in_place.h"
#include "groups/group.h"
#include "groups/melting.h"
#include "layout/colour.h"
#include "model/model_columns.h"
#include "model/rigid_rest.h"

#include <string.h>

pl_constraints_def pl_default_constraints_def(void) { return (pl_constraints_def){.soft = {.stiffness = 1.0f}}; }

static pl_result rows_reserve(pl_world *w, int kind, int64_t more)
{
    const kind_facts *k = facts_of(kind);
    const rows *r = &w->rows[kind];
    int64_t count = r->count + more;
    if (count > INT32_MAX / 8)
        return fail(PL_ERROR_ARGUMENT, "%s: %lld constraints were asked for; a world holds at most %d", k->info.name,
                    (long long)count, INT32_MAX / 8);
    pl_result result = columns_reserve(w, PER_ROWS_ROW, kind, count);
    if (result == PL_OK && r->damage)
        result = damage_reserve(w, kind, count);
    return result;
}

pl_result pl_add_constraints(pl_world *w, const pl_constraints_def *def, pl_id *block)
{
    NEED(w);
    NEED(def);
    PLAIN_ROUNDING;
    pl_result result = def->param ? PL_OK : pull(w, ARRAY_BIT(SLOT_X)); // parameters may be measured from positions
    if (result == PL_OK)
        result = rows_check_def(w, def);
    if (result != PL_OK)
        return result;
    const kind_facts *k = facts_of((int)def->kind);
    if (def->kind != PL_KIND_PIN)
        result = heat_check_added(w, def->index, (int64_t)def->count * k->info.arity, "constraints");
    if (result != PL_OK)
        return result;
    rows *r = &w->rows[def->kind];
    result = rows_reserve(w, (int)def->kind, def->count);
    if (result == PL_OK)
        result = id_reserve(w, 1);
    if (result != PL_OK)
        return result;
    bool keep = keeps_order(w);
    result = keep ? edit_begin(w) : unpack_all(w, true, false);
    if (result == PL_OK && keep)
        result = groups_follow_rows(w);
    if (result == PL_OK && keep)
        result = edit_reserve_rows(w, (int)def->kind, def->count);
    if (result != PL_OK)
        return result;
    for (int i = 0; i < def->count; i++)
    {
        int64_t row = r->count + i;
        memcpy(r->index + row * k->info.arity, def->index + (size_t)i * (size_t)k->info.arity,
               (size_t)k->info.arity * sizeof *r->index);
        row_param(w, def, i, r->param + row * k->info.params);
        r->soft[row] = def->each ? def->each[i] : def->soft;
        memset(r->lambda + row * k->info.parts, 0, (size_t)k->info.parts * sizeof *r->lambda);
        if (r->damage)
            r->damage[row] = (damage){0};
        r->packed_at[row] = -1;
        r->colour[row] = COLOUR_NONE;
    }
    id_entry t = {.type = ID_ROWS, .kind = (uint8_t)def->kind, .first = (int32_t)r->count, .count = def->count};
    int64_t joined = w->order.joined;
    r->count += def->count;
    result = keep ? edit_insert_rows(w, (int)def->kind, t.first, t.count) : PL_OK;
    if (result != PL_OK)
    {
        edit_undo_rows(w, (int)def->kind, t.first);
        w->order.joined = joined;
        return result;
    }
    w->pins_travel |= def->kind == PL_KIND_PIN && def->param;
    w->tear.incidence.ready = false;
    w->rigid_contacts.stale |= k->frames; // bodies that joints connect do not collide
    rigid_wake_rows(w, (int)def->kind, t.first, t.count);
    w->flow.smooth = 0;
    return id_add(w, t, block); // cannot fail: the room was reserved
}

float row_lambda(const pl_world *w, int kind, int64_t row, int part)
{
    const rows *r = &w->rows[kind];
    int64_t parts = facts_of(kind)->info.parts;
    if (row_broken(r, row))
        return 0.0f;
    return w->order_stale || r->packed_at[row] < 0 ? r->lambda[row * parts + part]
                                                   : *lambda_at(&w->state.rows[kind], r->packed_at[row], part);
}

// Removes rows [first, first + count) of a kind and closes the gap.
void rows_compact(pl_world *w, int kind, int64_t first, int64_t count)
{
    rigid_wake_rows(w, kind, first, count);
    columns_remove(w, PER_ROWS_ROW, kind, first, count);
    columns_remove(w, PER_ROWS_DAMAGED, kind, first, count);
    w->rows[kind].count -= count;
    w->tear.incidence.ready = false;
    w->rigid_contacts.stale |= facts_of(kind)->frames; // bodies that joints connected collide from now on
}

pl_result pl_block_info(const pl_world *w, pl_id block, pl_kind *kind, int *count)
{
    NEED(w);
    NEED(kind);
    NEED(count);
    const id_entry *t = id_find(w, block, ID_ROWS, "block info");
    if (!t)
        return PL_ERROR_ARGUMENT;
    *kind = (pl_kind)t->kind;
    *count = t->count;
    return PL_OK;
}

int64_t pl_constraint_count(const pl_world *w, pl_kind kind)
{
    return w && (unsigned)kind < PL_KIND_COUNT ? w->rows[kind].count : 0;
}

static const id_entry *check_rows(const pl_world *w, pl_id block, pl_row what, int first, int count, const void *array)
{
    const id_entry *t = id_find(w, block, ID_ROWS, "rows");
    if (!t)
        return NULL;
    if ((unsigned)what > PL_ROW_VALUE)
        fail(PL_ERROR_ARGUMENT, "rows: there is no row value number %d; see pl_row_value for those that exist",
             (int)what);
    else if (first < 0 || count < 0 || (int64_t)first + count > t->count)
        fail(PL_ERROR_ARGUMENT, "rows: %d to %lld were asked for; the block has %d", first,
             (long long)first + count - 1, t->count);
    else if (!array && count)
        fail(PL_ERROR_ARGUMENT, "rows: the array is NULL; it must hold what was asked for");
    else
        return t;
    return NULL;
}

static int row_width(const id_entry *t, pl_row what)
{
    const pl_kind_info *info = &facts_of(t->kind)->info;
    return what == PL_ROW_PARAM ? info->params : what == PL_ROW_FORCE ? info->parts : 1;
}

const id_entry *rows_in_block(const pl_world *w, pl_id block, int first, int count, const void *array)
{
    return check_rows(w, block, PL_ROW_PARAM, first, count, array);
}

static float *soft_part(pl_softness *s, pl_row what)
{
    return what == PL_ROW_COMPLIANCE ? &s->compliance : what == PL_ROW_DAMPING ? &s->damping : &s->stiffness;
}

pl_result pl_get_rows(const pl_world *w, pl_id block, pl_row what, int first, int count, float *out)
{
    NEED(w);
    PLAIN_ROUNDING;
    const id_entry *t = check_rows(w, block, what, first, count, out);
    if (!t)
        return PL_ERROR_ARGUMENT;
    const rows *r = &w->rows[t->kind];
    int params = facts_of(t->kind)->info.params, parts = facts_of(t->kind)->info.parts;
    pl_result result = what == PL_ROW_FORCE   ? pull(w, ARRAY_BIT(ARRAY_MULTIPLIERS))
                       : what == PL_ROW_VALUE ? pull(w, ARRAY_BIT(SLOT_X))
                                              : PL_OK;
    if (result == PL_OK && r->damage)
        result = damage_pull(w);
    if (result != PL_OK)
        return result;
    for (int i = 0; i < count; i++)
    {
        int64_t row = (int64_t)t->first + first + i;
        if (what == PL_ROW_PARAM)
            memcpy(out + (size_t)i * (size_t)params, r->param + row * params, (size_t)params * sizeof(float));
        else if (what == PL_ROW_VALUE)
            rows_measure(w, t->kind, row, 1, &out[i]);
        else if (what == PL_ROW_FORCE)
            for (int part = 0; part < parts; part++)
                out[i * parts + part] = w->force_scale * row_lambda(w, t->kind, row, part);
        else
            out[i] = *soft_part(&r->soft[row], what);
    }
    return PL_OK;
}

// Do new parameters make an equation of a distance joint with limits, or the reverse? Only equations are solved directly.
static bool changes_equations(const pl_world *w, const id_entry *t, int first, int count, const float *values)
{
    const int width = facts_of(t->kind)->info.params;
    const float *old = w->rows[t->kind].param + ((int64_t)t->first + first) * width;
    bool changes = false;
    for (int i = 0; i < count && t->kind == PL_KIND_DISTANCE_JOINT && w->joints.count; i++)
        changes |= (old[width * i + 6] == old[width * i + 7]) != (values[width * i + 6] == values[width * i + 7]);
    return changes;
}

pl_result pl_set_rows(pl_world *w, pl_id block, pl_row what, int first, int count, const float *values)
{
    NEED(w);
    PLAIN_ROUNDING;
    const id_entry *t = check_rows(w, block, what, first, count, values);
    if (!t)
        return PL_ERROR_ARGUMENT;
    if (what > PL_ROW_STIFFNESS)
        return fail(PL_ERROR_ARGUMENT,
                    "rows: forces and values can be read, not set; set compliance, damping or parameters instead");
    const kind_facts *k = facts_of(t->kind);
    rows *r = &w->rows[t->kind];
    int width = row_width(t, what);
    pl_result host_copy = damage_pull(w);
    if (host_copy != PL_OK)
        return host_copy;
    for (int i = 0; i < count; i++)
    {
        pl_softness soft = r->soft[t->first + first + i];
        if (what != PL_ROW_PARAM)
            *soft_part(&soft, what) = values[i];
        pl_result result = what == PL_ROW_PARAM ? row_check_param(k, first + i, values + (size_t)i * (size_t)width)
                                                : row_check_softness(k->info.name, first + i, soft);
        if (result != PL_OK)
            return result;
    }
    pl_result unpacked =
        what == PL_ROW_PARAM && changes_equations(w, t, first, count, values) ? unpack_all(w, true, false) : PL_OK;
    if (unpacked != PL_OK)
        return unpacked;
    for (int i = 0; i < count; i++)
    {
        int64_t row = (int64_t)t->first + first + i;
        if (what == PL_ROW_PARAM)
            memcpy(r->param + row * width, values + (size_t)i * (size_t)width, (size_t)width * sizeof(float));
        else
            *soft_part(&r->soft[row], what) = values[i];
    }
    w->rows_stale[t->kind] = true;
    rigid_wake_rows(w, t->kind, (int64_t)t->first + first, count);
    w->pins_travel |= t->kind == PL_KIND_PIN && what == PL_ROW_PARAM;
    return PL_OK;
}

pl_result pl_get_row_particles(const pl_world *w, pl_id block, int first, int count, int32_t *out)
{
    NEED(w);
    const id_entry *t = rows_in_block(w, block, first, count, out);
    if (!t)
        return PL_ERROR_ARGUMENT;
    size_t arity = (size_t)facts_of(t->kind)->info.arity;
    memcpy(out, w->rows[t->kind].index + ((size_t)t->first + (size_t)first) * arity,
           (size_t)count * arity * sizeof *out);
    return PL_OK;
}

pl_result pl_move_pins(pl_world *w, pl_id block, int first, int count, const float *targets)
{
    NEED(w);
    NEED(targets);
    PLAIN_ROUNDING;
    const id_entry *t = check_rows(w, block, PL_ROW_PARAM, first, count, targets);
    if (!t)
        return PL_ERROR_ARGUMENT;
    if (t->kind != PL_KIND_PIN)
        return fail(PL_ERROR_ARGUMENT, "move pins: the block holds %s; it must hold pins",
                    facts_of(t->kind)->info.name);
    int64_t bad;
    if (!all_finite(targets, 3 * (int64_t)count, &bad))
        return fail(PL_ERROR_ARGUMENT, "move pins: the target of pin %lld is not finite; give finite numbers",
                    (long long)first + bad / 3);
    for (int i = 0; i < 3 * count; i++)
    {
        float *p = w->rows[PL_KIND_PIN].param + 6 * ((size_t)t->first + (size_t)first + (size_t)(i / 3)) + i % 3;
        float stood = p[0] - p[3]; // its present position: moving it twice before a step keeps the start
        p[3] = targets[i] - stood;
        p[0] = targets[i];
    }
    w->rows_stale[PL_KIND_PIN] = true;
    rigid_wake_rows(w, PL_KIND_PIN, (int64_t)t->first + first, count);
    w->pins_travel = true;
    return PL_OK;
}
