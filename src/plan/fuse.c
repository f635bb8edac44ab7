// fuse.c: finds the stages that may run as one, by what they read and write (fuse.h). C and C++ compilers compile it.
#include "plan/fuse.h"

resource_set stage_changes(int op) { return stage_of(op)->writes | stage_of(op)->adds; }

resource_set stage_accesses(int op)
{
    const stage_info *i = stage_of(op);
    return i->reads | i->reads_group | i->reads_others | i->writes | i->adds;
}

fuse_world fuse_world_of(const state *s)
{
    const packed_clusters *c = &s->clusters;
    fuse_world w = {0, c->overlap != 0, c->chunks == c->count};
    if (!s->oriented.count)
        w.absent |= R(TURN) | R(TURNED) | R(SPIN) | R(TURN_SAFE) | R(TURN_KEPT) | R(WAY);
    if (!c->count)
        w.absent |= R(NORMAL) | R(CLUSTER_SUM) | R(POSE) | R(LOST);
    if (!s->lists[LISTS_COMPONENTS].count)
        w.absent |= R(KEPT) | R(COMPONENT_PART) | R(COMPONENT_SUM) | R(COMPONENT_MOTION);
    if (!s->second)
        w.absent |= R(D1);
    if (!s->second && !s->contact.bouncy)
        w.absent |= R(V1);
    return w;
}

// ---- accesses beyond an item ---------------------------------------------------------------------------------------

// Returns whether every item of a stage is a part of one item of the level.
static bool nests(const fuse_world *w, int level, int items, bool gathered)
{
    switch (items)
    {
    case ITEMS_SLOTS:
    case ITEMS_SHAPE_CONTACTS:
    case ITEMS_ORIENTED:
        return level != FUSE_CLUSTER || !w->overlap;
    case ITEMS_MEMBERS:
        return level != FUSE_TILE && level != FUSE_SLAB && !w->overlap;
    case ITEMS_CHUNKS:
    case ITEMS_CLUSTERS:
        return level == FUSE_CLUSTER && w->whole;
    case ITEMS_TILES:
        return level == FUSE_TILE;
    case ITEMS_PAIRS:
        return level == FUSE_SLAB || gathered;
    default:
        return false;
    }
}

// The resources that a stage accesses beyond the item that it is a part of, and those of them that it writes.
typedef struct outside
{
    resource_set reads, writes;
} outside;

// A gathered stage of pairs: each particle runs over its own pairs and changes only itself, so every pair is processed
// twice. A stage can be gathered only if it reads no resource of the other particle that it writes: PAIRS_WARM changes
// D, but computes the push of a pair from X. So what it writes of particles is inside the item. Everything else that it
// reads may belong to the other particle, and what it writes of a pair is also written for the other: both are outside.
static outside outside_of(int level, int op, bool gathered)
{
    const stage_info *i = stage_of(op);
    outside o = {i->reads_others, 0};
    if (level != FUSE_CLUSTER)
        o.reads |= i->reads_group;
    if (i->items != ITEMS_PAIRS || !gathered)
        return o;
    for (int r = 0; r < RESOURCE_COUNT; r++)
    {
        resource_set bit = (resource_set)1 << r;
        if (i->writes & bit && resource_owner_of(r) == OWNER_PARTICLE)
            continue;
        o.reads |= i->reads & bit;
        o.writes |= i->writes & bit;
    }
    return o;
}

// ---- two stages ----------------------------------------------------------------------------------------------------

// Returns the resources that a changes and b accesses, except those that both only add to.
static resource_set conflicts(int a, int b)
{
    resource_set both_add = stage_of(a)->adds & stage_of(b)->adds & ~stage_of(b)->reads & ~stage_of(b)->reads_others;
    return stage_changes(a) & stage_accesses(b) & ~both_add;
}

bool fuse_may(const fuse_world *w, int level, int a, int b, resource_set renamed, bool gathered)
{
    if (!nests(w, level, stage_of(a)->items, gathered) || !nests(w, level, stage_of(b)->items, gathered))
        return false;
    outside of_a = outside_of(level, a, gathered), of_b = outside_of(level, b, gathered);
    resource_set beyond = of_a.reads | of_a.writes | of_b.reads | of_b.writes | stage_of(a)->adds | stage_of(b)->adds;
    return !((conflicts(a, b) | conflicts(b, a)) & beyond & ~(renamed | w->absent));
}

bool fuse_together(const fuse_world *w, int level, const uint8_t *ops, int count, resource_set renamed, bool gathered)
{
    for (int i = 0; i < count; i++)
        for (int k = i; k < count; k++)
            if ((ops[i] != ops[k] || k == i) &&
                !fuse_may(w, level, ops[i], ops[k], k == i ? ~(resource_set)0 : renamed, gathered))
                return false;
    return true;
}

bool fuse_commute(const fuse_world *w, int a, int b, resource_set recomputed)
{
    return !((conflicts(a, b) | conflicts(b, a)) & ~(recomputed | w->absent));
}

// ---- runs ----------------------------------------------------------------------------------------------------------

uint32_t fuse_bit(const fusion *f, int op)
{
    for (int i = 0; i < f->count; i++)
        if (f->order[i] == op)
            return (uint32_t)1 << i;
    return 0;
}

// Returns whether the stage may join all stages that are in the loop already.
static bool fits(const fusion *f, const fuse_world *w, uint32_t bits, int op, uint32_t bit)
{
    for (int i = 0; i < f->count; i++)
        if (bits >> i & 1 &&
            !fuse_may(w, f->level, f->order[i], op, f->renamed, ((f->gathered >> i & 1) != 0) || f->gathered & bit))
            return false;
    return nests(w, f->level, stage_of(op)->items, (f->gathered & bit) != 0);
}

fused_run fuse_run(const fusion *f, const fuse_world *w, const stage *from, int64_t left, uint32_t begun)
{
    fused_run r = {0, begun};
    for (; r.count < left; r.count++)
    {
        const stage *g = from + r.count;
        uint32_t bit = fuse_bit(f, g->op);
        if (bit && r.count && g->op == g[-1].op && g->colour == g[-1].colour + 1)
            continue; // another colour of the same stage
        // The loop cannot run the stage, runs it earlier, has it already, or may not join it with the others.
        if (!bit || bit <= r.bits || !fits(f, w, r.bits, g->op, bit))
            break;
        r.bits |= bit;
    }
    return r;
}

int64_t fuse_colours(const stage *from, int64_t left)
{
    int64_t n = 1;
    while (n < left && from[n].op == from->op && from[n].colour == from[n - 1].colour + 1)
        n++;
    return n;
}

int64_t fuse_alike(const stage *from, int64_t left)
{
    int64_t n = 1;
    while (n < left && from[n].op == from->op && from[n].kind == from->kind && from[n].first == from->first &&
           from[n].keep == from->keep)
        n++;
    return n;
}

int64_t fuse_next_access(const stage *from, int64_t left, resource_set any)
{
    int64_t n = 0;
    while (n < left && !(stage_accesses(from[n].op) & any))
        n++;
    return n;
}
