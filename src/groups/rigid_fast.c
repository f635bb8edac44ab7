// rigid_fast.c: lists for each body the pairs through which it must not pass when it is fast
// (stages/rigid_sweep_stages.h).
//
// Not swept are planes, which nothing passes; bodies that do not move freely; and bodies at joints: placing one of them
// elsewhere would pull its joints apart. Contacts found ahead of the motion have to do for these.
#include "groups/rigid_contacts.h"
#include "groups/rigids.h"

#include <stdlib.h>
#include <string.h>

static int compare_numbers(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

// Lists the particles that joints connect, sorted; `excluded` has their pairs.
static pl_result list_jointed(pl_world *w, int64_t **ends, int64_t *capacity)
{
    const rigid_contacts *c = &w->rigid_contacts;
    pl_result result = array_reserve(&w->memory, ends, capacity, 2 * c->excluded_count + 1, sizeof **ends);
    for (int64_t i = 0; result == PL_OK && i < c->excluded_count; i++)
        (*ends)[2 * i] = c->excluded[i] >> 32, (*ends)[2 * i + 1] = c->excluded[i] & 0xffffffff;
    if (result == PL_OK && c->excluded_count)
        qsort(*ends, 2 * (size_t)c->excluded_count, sizeof **ends, compare_numbers);
    return result;
}

static bool may_stop(const pl_world *w, const int64_t *ends, int64_t body)
{
    const rigid_contacts *c = &w->rigid_contacts;
    int64_t particle = w->rigids.member[w->rigids.start[body]];
    return w->rigids.form[body].type == PL_RIGID_DYNAMIC &&
           !(c->excluded_count &&
             bsearch(&particle, ends, 2 * (size_t)c->excluded_count, sizeof particle, compare_numbers));
}

static float width_of(const rigid_collider *a, const rigid_collider *b)
{
    return b->kind < COLLIDER_PLANE && b->width < a->width ? b->width : a->width;
}

// Counts the pairs of each body in `around[].end`, with their smallest width and largest reach.
static void count_pairs(pl_world *w, const int32_t *body)
{
    rigid_contacts *c = &w->rigid_contacts;
    for (int64_t i = 0; i < c->pairs; i++)
    {
        const int32_t of[2] = {c->pair[i].a, c->pair[i].b};
        float width = width_of(&c->collider[of[0]], &c->collider[of[1]]);
        for (int e = 0; e < 2; e++)
            if (c->pair[i].swept >> e & 1)
            {
                rigid_around *r = &c->around[body[of[e]]];
                r->width = r->end && r->width < width ? r->width : width;
                r->reach = r->reach > c->collider[of[e]].reach ? r->reach : c->collider[of[e]].reach;
                r->end++;
            }
    }
}

static void mark_pairs(pl_world *w, const int32_t *body, const int64_t *ends)
{
    rigid_contacts *c = &w->rigid_contacts;
    for (int64_t i = 0; i < c->pairs; i++)
    {
        rigid_pair *p = &c->pair[i];
        const rigid_collider *b = &c->collider[p->b];
        p->swept = 0;
        if (b->kind == COLLIDER_PLANE)
            continue;
        p->swept |= may_stop(w, ends, body[p->a]) ? 1 : 0;
        p->swept |= b->shape < 0 && may_stop(w, ends, body[p->b]) ? 2 : 0;
    }
}

pl_result rigid_fast_list(pl_world *w, const int32_t *body)
{
    rigid_contacts *c = &w->rigid_contacts;
    int64_t *ends = NULL, capacity = 0, bodies = w->rigids.count;
    pl_result result = list_jointed(w, &ends, &capacity);
    if (result == PL_OK)
        result = array_reserve(&w->memory, &c->around, &c->around_capacity, bodies, sizeof *c->around);
    if (result == PL_OK)
        result = array_reserve(&w->memory, &c->near_by, &c->near_capacity, 2 * c->pairs, sizeof *c->near_by);
    if (result == PL_OK)
    {
        int32_t at = 0;
        memset(c->around, 0, (size_t)bodies * sizeof *c->around);
        mark_pairs(w, body, ends);
        count_pairs(w, body);
        for (int64_t i = 0; i < bodies; i++)
        {
            int32_t count = c->around[i].end;
            c->around[i].first = c->around[i].end = at;
            at += count;
        }
        for (int64_t i = 0; i < c->pairs; i++)
            for (int e = 0; e < 2; e++)
                if (c->pair[i].swept >> e & 1)
                    c->near_by[c->around[body[e ? c->pair[i].b : c->pair[i].a]].end++] = (int32_t)(2 * i + e);
        c->range[RANGE_BODIES] = 0;
        c->range[RANGE_BODIES + 1] = (int32_t)bodies;
    }
    array_free(&w->memory, &ends, &capacity, sizeof *ends);
    return result;
}
