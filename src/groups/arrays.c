// arrays.c: handles the arrays of a group kind by their description: memory, removal, undo, snapshots, comparison of
// two worlds.
#include "groups/group.h"
#include "core/stream.h"
#include "model/world.h"

#include <string.h>

static char *struct_of(const pl_world *w, const group_kind *k) { return (char *)w + k->at; }
static int64_t *count_of(const pl_world *w, const group_kind *k)
{
    return (int64_t *)(void *)(struct_of(w, k) + k->count);
}

static int64_t *members_count(const pl_world *w, const group_kind *k)
{
    return (int64_t *)(void *)(struct_of(w, k) + k->members);
}

static int64_t *capacity_of(const pl_world *w, const group_kind *k, const group_array *a)
{
    return (int64_t *)(void *)(struct_of(w, k) + a->capacity);
}

static void *pointer_at(const pl_world *w, const group_kind *k, const group_array *a)
{
    void *data;
    memcpy(&data, struct_of(w, k) + a->data, sizeof data);
    return data;
}

static bool has_starts(const group_kind *k) { return k->members != k->count; }

static int32_t *starts_of(const pl_world *w, const group_kind *k)
{
    for (int i = 0; i < k->array_count; i++)
        if (k->arrays[i].per == PER_START)
            return pointer_at(w, k, &k->arrays[i]);
    return NULL;
}

// Returns the index of a group's first member. For a group number one past the last, this is the number of members.
static int64_t first_member(const pl_world *w, const group_kind *k, int64_t group)
{
    if (!has_starts(k))
        return group;
    return *count_of(w, k) ? starts_of(w, k)[group] : 0;
}

static int64_t numbers_in(const group_array *a, int64_t groups, int64_t members)
{
    return a->width * (a->per == PER_MEMBER ? members : groups + (a->per == PER_START));
}

int64_t group_count(const pl_world *w, const group_kind *k) { return *count_of(w, k); }

group_members members_of(const pl_world *w, const group_kind *k, int64_t first, int64_t count)
{
    if (k->array_count == 0 || count == 0)
        return (group_members){NULL, 0};
    const group_array *a = &k->arrays[k->member_array];
    int64_t from = first_member(w, k, first), to = first_member(w, k, first + count);
    return (group_members){(const int32_t *)pointer_at(w, k, a) + a->width * from, a->width * (to - from)};
}

group_members all_members(const pl_world *w, const group_kind *k) { return members_of(w, k, 0, *count_of(w, k)); }

pl_result group_reserve(pl_world *w, const group_kind *k, int64_t groups, int64_t members)
{
    pl_result result = PL_OK;
    for (int i = 0; i < k->array_count && result == PL_OK; i++)
    {
        const group_array *a = &k->arrays[i];
        result = array_reserve(&w->memory, struct_of(w, k) + a->data, capacity_of(w, k, a),
                               numbers_in(a, *count_of(w, k) + groups, *members_count(w, k) + members), a->item);
    }
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
    for (int i = 0; i < k->array_count; i++)
    {
        const group_array *a = &k->arrays[i];
        bool by_member = a->per == PER_MEMBER;
        size_t bytes = a->item * (size_t)a->width;
        size_t at = (size_t)(by_member ? from : first), behind = (size_t)(by_member ? to : first + count);
        size_t end = (size_t)(by_member ? members : groups + (a->per == PER_START));
        char *data = pointer_at(w, k, a);
        memmove(data + bytes * at, data + bytes * behind, bytes * (end - behind));
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

static void walk_kind(stream *s, pl_world *w, const group_kind *k)
{
    int64_t *count = count_of(w, k);
    stream_number64(s, count, 0, k->most, k->words);
    if (has_starts(k))
        stream_number64(s, members_count(w, k), 0, k->most, k->member_words);
    if (s->result != PL_OK || *count == 0)
        return;
    if (s->saving && groups_packed(w) && k->unpack)
        k->unpack(w);
    for (int i = 0; i < k->array_count; i++)
    {
        const group_array *a = &k->arrays[i];
        stream_items(s, &w->memory, struct_of(w, k) + a->data, capacity_of(w, k, a),
                     numbers_in(a, *count, *members_count(w, k)), a->item);
    }
}

void groups_walk(stream *s, pl_world *w)
{
    for (int i = 0; i < GROUP_KINDS; i++)
        if (group_kinds[i]->walk)
            group_kinds[i]->walk(s, w);
        else
            walk_kind(s, w, group_kinds[i]);
}

// Checks that every group has members, that every member exists, and that an id of a single-group kind names one group.
static pl_result check_kind(const pl_world *w, const group_kind *k)
{
    int64_t groups = *count_of(w, k), members = *members_count(w, k);
    if (groups == 0)
        return members == 0 ? PL_OK : PL_ERROR_FORMAT;
    const int32_t *start = starts_of(w, k);
    if (start && (start[0] != 0 || start[groups] != members))
        return PL_ERROR_FORMAT;
    for (int64_t i = 0; start && i < groups; i++)
        if (start[i] >= start[i + 1] || start[i + 1] > members)
            return PL_ERROR_FORMAT;
    group_members all = all_members(w, k);
    for (int64_t i = 0; i < all.count; i++)
        if (slot_of(w, all.number[i]) < 0)
            return PL_ERROR_FORMAT;
    for (int64_t i = 1; k->single && i < w->entry_count; i++)
        if (w->entries[i].type == k->id_entry && w->entries[i].count != 1)
            return PL_ERROR_FORMAT;
    return PL_OK;
}

pl_result groups_check(pl_world *w)
{
    pl_result result = PL_OK;
    for (int i = 0; i < GROUP_KINDS && result == PL_OK; i++)
    {
        result = check_kind(w, group_kinds[i]);
        if (result == PL_OK && group_kinds[i]->check && group_count(w, group_kinds[i]))
            result = group_kinds[i]->check(w);
    }
    return result;
}

// ---- comparison and copying between worlds -------------------------------------------------------------------------

bool groups_same(const pl_world *w, const pl_world *o)
{
    for (int i = 0; i < GROUP_KINDS; i++)
    {
        const group_kind *k = group_kinds[i];
        int64_t groups = *count_of(w, k), members = *members_count(w, k);
        if (k->array_count && (groups != *count_of(o, k) || members != *members_count(o, k)))
            return false;
        for (int n = 0; n < k->array_count && groups; n++)
        {
            const group_array *a = &k->arrays[n];
            size_t bytes = a->item * (size_t)numbers_in(a, groups, members);
            if (a->role == ROLE_STRUCTURE && memcmp(pointer_at(w, k, a), pointer_at(o, k, a), bytes) != 0)
                return false;
        }
    }
    return true;
}

void groups_copy_parameters(pl_world *w, const pl_world *from)
{
    for (int i = 0; i < GROUP_KINDS; i++)
    {
        const group_kind *k = group_kinds[i];
        int64_t groups = *count_of(w, k), members = *members_count(w, k);
        for (int n = 0; n < k->array_count && groups; n++)
        {
            const group_array *a = &k->arrays[n];
            if (a->role == ROLE_PARAMETER)
                memcpy(pointer_at(w, k, a), pointer_at(from, k, a), a->item * (size_t)numbers_in(a, groups, members));
        }
        if (k->copy_parameters)
            k->copy_parameters(w, from);
    }
}

void groups_free(pl_world *w)
{
    for (int i = 0; i < GROUP_KINDS; i++)
    {
        const group_kind *k = group_kinds[i];
        for (int n = 0; n < k->array_count; n++)
            array_free(&w->memory, struct_of(w, k) + k->arrays[n].data, capacity_of(w, k, &k->arrays[n]),
                       k->arrays[n].item);
        if (k->free)
            k->free(w);
    }
}
