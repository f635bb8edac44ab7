// skin_hunt.h: what the searches for pairs of skins share (skin_search.c, skin_grains.c): boxes of what moves, finds, and batches that
// wait to be looked at.
#pragma once
#include "collide/bvh.h"
#include "constraints/skin.h"
#include "world/skin_boxes.h"
#include "world/skin_near.h"
#include "world/world.h"

typedef struct hunt
{
    pl_world *w;
    skin *k;
    near_rule rule;
    const float *mass; // in the fourth
    bool crossings_only;
    int64_t parts; // of the triangles; those of the grains follow
} hunt;

// ---- boxes ---------------------------------------------------------------------------------------------------------

// A particle's position, and its velocity.
static inline skin_box box_of(const hunt *q, int32_t slot)
{
    four x = four_at(q->rule.x + 4 * (size_t)slot), v = {0};
    if (q->rule.horizon > 0.0f)
        v = four_at(q->rule.v + 4 * (size_t)slot);
    x[3] = v[3] = 0.0f;
    return (skin_box){x, x, v, v};
}

// Will a lie below b, or above, along some axis, until the horizon?
static inline bool boxes_meet(const hunt *q, const skin_box *a, const skin_box *b)
{
    const four zero = {0};
    four up = b->low - a->high - q->rule.horizon * greater(a->fast - b->slow, zero);
    four down = a->low - b->high - q->rule.horizon * greater(b->fast - a->slow, zero);
    four_mask apart = (up > q->rule.near) | (down > q->rule.near);
    return !(apart[0] | apart[1] | apart[2]);
}

// ---- pairs ---------------------------------------------------------------------------------------------------------

typedef struct part
{
    const hunt *q;
    int64_t number;
    int32_t count[FINDS];
    near_batch batch[2]; // vertices, edges
} part;

static inline void found(part *p, int what, skin_pair pair)
{
    const skin_finds *f = &p->q->k->found[what];
    if (!p->q->crossings_only && p->count[what] < f->room)
        f->items[p->number * f->room + p->count[what]] = pair;
    p->count[what]++;
}

static inline void look_at(part *p, int what)
{
    near_batch *b = &p->batch[what];
    if (b->count)
        near_look(&p->q->rule, b, what == FIND_VERTICES);
    for (int32_t i = 0; i < b->count; i++)
        if (b->reach[i] >= 0.0f)
            found(p, what,
                  (skin_pair){what == FIND_VERTICES ? SKIN_VERTEX : SKIN_EDGES, b->a[i], b->b[i], b->reach[i], 0});
    b->count = 0;
}

static inline void wait_for(part *p, int what, int32_t a, int32_t b, const int32_t corner[4])
{
    near_batch *to = &p->batch[what];
    float mobile = 0.0f;
    for (int i = 0; i < 4; i++)
    {
        to->index[i][to->count] = 4 * (uint32_t)corner[i];
        mobile = mobile + p->q->mass[4 * (size_t)corner[i] + 3];
    }
    if (mobile == 0.0f)
        return;
    to->a[to->count] = a;
    to->b[to->count] = b;
    if (++to->count == NEAR_BATCH)
        look_at(p, what);
}

static inline void try_vertex(part *p, int32_t slot, int32_t triangle, const skin_box *box)
{
    const int32_t *t = p->q->k->triangle + 3 * (size_t)triangle;
    if (slot == t[0] || slot == t[1] || slot == t[2])
        return;
    skin_box own = box_of(p->q, slot);
    if (boxes_meet(p->q, &own, box))
        wait_for(p, FIND_VERTICES, slot, triangle, (int32_t[]){slot, t[0], t[1], t[2]});
}

// ---- the parts of the search -------------------------------------------------------------------------------------------

bool edge_crosses(const float *x, const int32_t *edge, const int32_t *t); // skin_cross.c
int64_t skin_grain_parts(const skin *k);                                  // skin_grains.c
void try_grains(void *arg, int64_t begin, int64_t end);                   // parts after those of the triangles
