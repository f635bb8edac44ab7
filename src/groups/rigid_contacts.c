// rigid_contacts.c: brings the list of contacts of rigid bodies up to date before a frame, and colours their rows. The
// list alone decides the colours.
//
// Colours: pairs in the order of their shapes, each row the lowest colour that is free at both bodies. What finds none
// is solved after all others, row by row.
#include "groups/group.h"
#include "groups/joints.h"
#include "groups/rigid_contacts.h"
#include "groups/rigid_sleep.h"
#include "groups/rigids.h"
#include "model/workers.h"
#include "stages/rigid_box.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define APART 0.04f // of the smallest half width: pairs whose boxes are farther apart have no points at first

// ---- rows ----------------------------------------------------------------------------------------------------------

static int manifolds_of(const rigid_collider *b) { return b->kind > COLLIDER_PLANE ? RIGID_MANIFOLDS : 1; }

// The lowest colour that is free at both; RIGID_COLOURS: none is.
static int take_colour(rigid_contacts *c, int32_t a, int32_t b)
{
    uint64_t taken = (a >= 0 ? c->used[a] : 0) | (b >= 0 ? c->used[b] : 0);
    int colour = 0;
    while (colour < RIGID_COLOURS && taken >> colour & 1)
        colour++;
    if (colour == RIGID_COLOURS)
        return colour;
    if (a >= 0)
        c->used[a] |= (uint64_t)1 << colour;
    if (b >= 0)
        c->used[b] |= (uint64_t)1 << colour;
    return colour;
}

// Boxes around the shapes themselves, six numbers each, at the beginning of `graph`; those of the world have the boxes
// of the list.
static void find_tight_boxes(pl_world *w)
{
    const rigid_contacts *c = &w->rigid_contacts;
    float *tight = (float *)(void *)c->graph;
    for (int64_t i = 0; i < c->colliders; i++)
    {
        float *low = tight + 6 * i, *high = low + 3;
        if (!rigid_box_of(&w->state, &w->state.rigid_contacts.collider[i], 0.0f, low, high))
            memcpy(low, c->box[i].low, sizeof c->box[i].low), memcpy(high, c->box[i].high, sizeof c->box[i].high);
    }
}

bool rigid_is_apart(const rigid_contacts *c, const rigid_pair *p)
{
    const float *tight = (const float *)(const void *)c->graph;
    const rigid_collider *a = &c->collider[p->a], *b = &c->collider[p->b];
    const float *x = tight + 6 * (int64_t)p->a, *y = tight + 6 * (int64_t)p->b;
    const float room = APART * (a->width < b->width ? a->width : b->width);
    bool apart = false;
    for (int k = 0; k < 3 && b->kind != COLLIDER_PLANE; k++)
        apart |= x[k] > y[3 + k] + room || y[k] > x[3 + k] + room;
    return apart;
}

// How many rows a colour has, and how many of them are not apart.
typedef struct colour_size
{
    int64_t rows, close;
} colour_size;

// Colours all rows: pair[].row has the colours until place_rows.
static void colour_rows(pl_world *w, colour_size *size)
{
    rigid_contacts *c = &w->rigid_contacts;
    for (int64_t i = 0; i < c->pairs; i++)
    {
        rigid_pair *p = &c->pair[i];
        const rigid_collider *a = &w->state.rigid_contacts.collider[p->a], *b = &w->state.rigid_contacts.collider[p->b];
        int32_t sa = rigid_moves(w, a) ? (int32_t)(a->member / 4) : -1,
                sb = rigid_moves(w, b) ? (int32_t)(b->member / 4) : -1;
        bool apart = rigid_is_apart(c, p);
        for (int m = 0; m < manifolds_of(b); m++)
        {
            p->row[m] = take_colour(c, sa, sb);
            size[p->row[m]].rows += p->row[m] < RIGID_COLOURS ? 1 : PAD;
            size[p->row[m]].close += !apart;
        }
    }
}

// Gives every row its place: colour by colour; in each those of pairs that are apart come last, so that the stages may
// skip whole groups of lanes. Rows without a colour have a group of PAD each, in the order of the pairs.
static void place_rows(rigid_contacts *c, const colour_size *size)
{
    int64_t at = 0, close[RIGID_COLOURS + 1], apart[RIGID_COLOURS + 1];
    for (int k = 0; k <= RIGID_COLOURS; k++)
    {
        c->range[RANGE_COLOURS + k] = (int32_t)at;
        close[k] = at, apart[k] = at + size[k].close;
        at += (size[k].rows + PAD - 1) / PAD * PAD;
    }
    c->range[RANGE_COLOURS + RIGID_COLOURS + 1] = (int32_t)at;
    c->range[RANGE_ROWS] = c->range[RANGE_PAIRS] = 0;
    c->range[RANGE_ROWS + 1] = (int32_t)at;
    c->range[RANGE_PAIRS + 1] = (int32_t)c->pairs;
    for (int64_t i = 0; i < c->pairs; i++)
    {
        bool last = rigid_is_apart(c, &c->pair[i]);
        for (int m = 0; m < RIGID_MANIFOLDS && c->pair[i].row[m] >= 0; m++)
        {
            int colour = c->pair[i].row[m];
            int64_t *next = last && colour < RIGID_COLOURS ? &apart[colour] : &close[colour];
            c->pair[i].row[m] = (int32_t)*next;
            *next += colour < RIGID_COLOURS ? 1 : PAD;
        }
    }
}

static pl_result list_rows(pl_world *w)
{
    rigid_contacts *c = &w->rigid_contacts;
    colour_size size[RIGID_COLOURS + 1] = {{0, 0}};
    pl_result result = array_reserve(&w->memory, &c->used, &c->used_capacity, w->state.slots, sizeof *c->used);
    if (result == PL_OK)
        result = array_reserve(&w->memory, &c->graph, &c->graph_capacity, 6 * c->colliders, sizeof *c->graph);
    if (result != PL_OK)
        return result;
    find_tight_boxes(w);
    memset(c->used, 0, (size_t)w->state.slots * sizeof *c->used);
    colour_rows(w, size);
    place_rows(c, size);
    for (int k = c->colours; k < RIGID_COLOURS; k++)
        c->colours = size[k].rows ? k + 1 : c->colours;
    c->uncoloured |= size[RIGID_COLOURS].rows > 0;
    return PL_OK;
}

// ---- before a frame ------------------------------------------------------------------------------------------------

// Asks for larger packed arrays.
static pl_result grow(pl_world *w)
{
    rigid_contacts *c = &w->rigid_contacts;
    int64_t rows = c->range[RANGE_ROWS + 1];
    if (c->pairs > c->pair_room)
        c->pair_room = c->pairs + c->pairs / 4 + 64;
    if (rows > c->row_room)
        c->row_room = (rows + rows / 4 + 64) / PAD * PAD + PAD;
    if (c->row_room > INT32_MAX / (4 * WORK_WORDS))
        return fail(PL_ERROR_MEMORY, "rigid: %lld contacts of bodies, more than fit; use fewer or simpler bodies",
                    (long long)rows);
    return groups_open(w);
}

pl_result rigid_contacts_refresh(pl_world *w, float dt, bool *again)
{
    rigid_contacts *c = &w->rigid_contacts;
    *again = false;
    if (!has_rigid_contacts(w))
    {
        rigid_forget_stirs(w);
        return PL_OK;
    }
    // Packed with the groups: colliders, after a change of a material or a shape of the world; loads that are watched.
    if (rigid_colliders_changed(w) || rigid_watched(w) != w->state.rigid_contacts.noted)
    {
        *again = true;
        return groups_open(w);
    }
    const int sweeps = rigid_sweeps(w), colours = c->colours + c->uncoloured;
    bool find =
        c->stale || w->flow.rigid_left || dt > w->last_dt || c->boxes != c->colliders || !rigid_shapes_stay(w, dt);
    if (!find && c->listed)
        return PL_OK;
    if (c->listed)
    {
        pl_result result = pull(w, ARRAY_BIT(ARRAY_MULTIPLIERS));
        if (result != PL_OK)
            return result;
        rigid_contacts_unpack(w);
        c->listed = false; // the rows are in `kept` now
    }
    pl_result result = find ? rigid_pull(w) : PL_OK;
    if (result == PL_OK)
        result = rigid_find_pairs(w, dt, find);
    if (result == PL_OK)
        result = list_rows(w);
    if (result == PL_OK && find) // a list that is only packed again keeps its sweeps, also after a load
        result = rigid_contacts_measure(w);
    if (result == PL_OK)
        result = rigid_fast_list(w, c->owner);
    if (result != PL_OK)
        return result;
    c->stale = false;
    w->flow.rigid_left = 0;
    *again = rigid_sweeps(w) != sweeps || c->colours + c->uncoloured != colours;
    w->plan_stale |= *again;
    if (c->pairs > c->pair_room || c->range[RANGE_ROWS + 1] > c->row_room)
    {
        *again = true;
        return grow(w);
    }
    return rigid_contacts_restore(w);
}

void rigid_contacts_free(pl_world *w)
{
    rigid_contacts *c = &w->rigid_contacts;
    rigid_colliders_free(w);
    broad_phase_free(&w->memory, &c->broad);
    array_free(&w->memory, &c->box, &c->box_capacity, sizeof *c->box);
    array_free(&w->memory, &c->pair, &c->pair_capacity, sizeof *c->pair);
    array_free(&w->memory, &c->excluded, &c->excluded_capacity, sizeof *c->excluded);
    array_free(&w->memory, &c->graph, &c->graph_capacity, sizeof *c->graph);
    array_free(&w->memory, &c->around, &c->around_capacity, sizeof *c->around);
    array_free(&w->memory, &c->near_by, &c->near_capacity, sizeof *c->near_by);
    array_free(&w->memory, &c->used, &c->used_capacity, sizeof *c->used);
    array_free(&w->memory, &c->kept, &c->kept_capacity, sizeof *c->kept);
    array_free(&w->memory, &c->resting, &c->resting_capacity, sizeof *c->resting);
    array_free(&w->memory, &w->rigids.awake_weight, &w->rigids.awake_capacity, sizeof *w->rigids.awake_weight);
}
