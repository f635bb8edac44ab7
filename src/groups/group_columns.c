// group_columns.c: operations on the columns of groups that are the same for all kinds (model/model_columns.h): memory,
// removal, undo, snapshots, comparison of two worlds.
#include "groups/group.h"

#include <string.h>

static int64_t *count_of(const pl_world *w, const group_kind *k) { return (int64_t *)(void *)((char *)w + k->count); }

static int64_t *members_count(const pl_world *w, const group_kind *k)
{
    return (int64_t *)(void *)((char *)w + k->members);
}

static bool has_starts(const group_kind *k) { return k->start_column >= 0; }

static int32_t *starts_of(const pl_world *w, const group_kind *k)
{
    return has_starts(k) ? columns_array(w, k->start_column, 0) : NULL;
}

// Returns the index of a group's first member. For a group number one past the last, this is the number of members.
static int64_t first_member(const pl_world *w, const group_kind *k, int64_t group)
{
    if (!has_starts(k))
        return group;
    return *count_of(w, k) ? starts_of(w, k)[group] : 0;
}

int64_t group_count(const pl_world *w, const group_kind *k) { return *count_of(w, k); }

group_members members_of(const pl_world *w, const group_kind *k, int64_t first, int64_t count)
{
    if (!k->roles || count == 0)
        return (group_members){NULL, 0};
    int64_t from = first_member(w, k, first), to = first_member(w, k, first + count);
    int64_t width = columns_width(k->member_column, 0);
    return (group_members){(const int32_t *)columns_array(w, k->member_column, 0) + width * from, width * (to - from)};
}

group_members all_members(const pl_world *w, const group_kind *k) { return members_of(w, k, 0, *count_of(w, k)); }

pl_result group_reserve(pl_world *w, const group_kind *k, int64_t groups, int64_t members)
{
    if (!k->roles)
        return PL_OK;
    groups += *count_of(w, k);
    pl_result result = columns_reserve(w, k->group, 0, groups);
    if (result == PL_OK && has_starts(k))
        result = columns_reserve(w, k->start, 0, groups + 1);
    if (result == PL_OK && has_starts(k))
        result = columns_reserve(w, k->member, 0, *members_count(w, k) + members);
    return result;
}

static void set_counts(pl_world *w, const group_kind *k, int64_t groups, int64_t members)
{
    *members_count(w, k) = members;
    *count_of(w, k) = groups;
}

void group_compact(pl_world *w, const group_kind *k, int64_t first, int64_t count)
{
    if (k->compact)
    {
        k->compact(w, first, count);
        return;
    }
    int64_t groups = *count_of(w, k), members = *members_count(w, k);
    int64_t from = first_member(w, k, first), to = first_member(w, k, first + count);
    columns_remove(w, k->group, 0, first, count);
    if (has_starts(k))
    {
        columns_remove(w, k->start, 0, first, count);
        columns_remove(w, k->member, 0, from, to - from);
    }
    set_counts(w, k, groups - count, members - (to - from));
    for (int64_t i = first; has_starts(k) && i <= groups - count; i++)
        starts_of(w, k)[i] -= (int32_t)(to - from);
}

void groups_truncate(pl_world *w, const int64_t *counts)
{
    for (int i = 0; i < GROUP_KINDS; i++)
    {
        const group_kind *k = group_kinds[i];
        set_counts(w, k, counts[i], has_starts(k) && counts[i] ? starts_of(w, k)[counts[i]] : counts[i]);
    }
}

// ---- snapshots -----------------------------------------------------------------------------------------------------

// Checks that the groups end where their members do, and that an id of a single-group kind names one group. The columns
// themselves were checked when they were read.
static pl_result check_kind(const pl_world *w, const group_kind *k)
{
    int64_t groups = *count_of(w, k), members = *members_count(w, k);
    const int32_t *start = starts_of(w, k);
    bool fits = groups == 0 ? members == 0 : !start || start[groups] == members;
    for (int64_t i = 1; k->single && fits && i < w->entry_count; i++)
        fits = w->entries[i].type != k->id_entry || w->entries[i].count == 1;
    return fits ? PL_OK : fail(PL_ERROR_FORMAT, "snapshot: %s and their ids differ; the file is damaged", k->words);
}

// Saves or loads the groups of a kind.
void group_walk_columns(stream *s, pl_world *w, const group_kind *k)
{
    int64_t *count = count_of(w, k);
    stream_number64(s, count, 0, k->most, k->words);
    if (has_starts(k))
        stream_number64(s, members_count(w, k), 0, k->most, k->member_words);
    if (s->saving && s->result == PL_OK && *count && groups_packed(w) && k->unpack)
        k->unpack(w);
    if (s->result == PL_OK && *count)
        columns_stream(s, w, k->owner, 0);
    if (s->result == PL_OK && !s->saving)
        s->result = check_kind(w, k);
}

void groups_walk(stream *s, pl_world *w)
{
    for (int i = 0; i < GROUP_KINDS && s->result == PL_OK; i++)
        if (group_kinds[i]->walk)
            group_kinds[i]->walk(s, w);
        else
            group_walk_columns(s, w, group_kinds[i]);
}

pl_result groups_check(pl_world *w)
{
    pl_result result = PL_OK;
    for (int i = 0; i < GROUP_KINDS && result == PL_OK; i++)
        if (group_kinds[i]->check && group_count(w, group_kinds[i]))
            result = group_kinds[i]->check(w);
    return result;
}

// ---- comparison and copying between worlds -------------------------------------------------------------------------

static size_t bytes_of(const pl_world *w, int column)
{
    const model_column *c = &model_columns[column];
    return c->bytes * (size_t)(columns_items(w, c->domain, 0) * columns_width(column, 0));
}

// The next column of a kind with this role, from `column` on; MODEL_COLUMNS: there is none.
static int next_in_role(const group_kind *k, int role, int column)
{
    int n = 0; // the index of the column among those of the kind
    for (int i = 0; k->roles && i < MODEL_COLUMNS; i++)
        if (model_columns[i].owner == k->owner && k->roles[n++] == role && i >= column)
            return i;
    return MODEL_COLUMNS;
}

#define EACH_IN_ROLE(i, k, role)                                                                                       \
    for (int i = next_in_role(k, role, 0); i < MODEL_COLUMNS; i = next_in_role(k, role, i + 1))

bool groups_same(const pl_world *w, const pl_world *o)
{
    for (int i = 0; i < GROUP_KINDS; i++)
    {
        const group_kind *k = group_kinds[i];
        if (k->roles && (*count_of(w, k) != *count_of(o, k) || *members_count(w, k) != *members_count(o, k)))
            return false;
        EACH_IN_ROLE(column, k, ROLE_STRUCTURE)
        if (*count_of(w, k) &&
            memcmp(columns_array(w, column, 0), columns_array(o, column, 0), bytes_of(w, column)) != 0)
            return false;
    }
    return true;
}

void groups_copy_parameters(pl_world *w, const pl_world *from)
{
    for (int i = 0; i < GROUP_KINDS; i++)
    {
        const group_kind *k = group_kinds[i];
        EACH_IN_ROLE(column, k, ROLE_PARAMETER)
        if (*count_of(w, k))
            memcpy(columns_array(w, column, 0), columns_array(from, column, 0), bytes_of(w, column));
        if (k->copy_parameters)
            k->copy_parameters(w, from);
    }
}

void groups_free(pl_world *w)
{
    for (int i = 0; i < GROUP_KINDS; i++)
        columns_free(w, group_kinds[i]->owner);
}
