// schedule.c: groups the stages of a plan into kernel launches (schedule.h). C and C++ compilers both compile it.
#include "backend/cuda/schedule.h"

// ---- the fused loops that kernels have -----------------------------------------------------------------------------

#define PER_PARTICLE_OP(op, bit) OP_##op,
static const fusion per_particle_loop = {
    FUSE_PARTICLE, PER_PARTICLE_COUNT, {PER_PARTICLE_STAGES(PER_PARTICLE_OP)}, 0, PER_PARTICLE_IN_CELL_ORDER};
#undef PER_PARTICLE_OP
// shape_match.cu: a thread block takes a cluster that is one chunk.
static const fusion match_loop = {FUSE_CLUSTER, 3, {OP_MATCH_SUM, OP_MATCH_SOLVE, OP_MATCH_MOVE}, 0, 0};
enum
{
    MATCH_STAGES = 3,
};

// Stages that may be launched before a kernel although they follow some of its stages in the plan. The kernel can then
// also run the stages that come after them.
static const struct hoist
{
    uint8_t op;
    resource_set recomputed; // resources that the hoisted stage computes itself instead of reading them
} hoists[] = {{OP_MATCH_SPIN, 0}, {OP_WIND, R(X) | R(V)}};

uint32_t per_particle_stage(int op) { return fuse_bit(&per_particle_loop, op); }

schedule_world schedule_world_of(const state *s, bool contacts, bool surfaces, bool hard_shapes)
{
    schedule_world w = {fuse_world_of(s),
                        contacts,
                        surfaces,
                        s->oriented.count > 0,
                        hard_shapes,
                        s->slots > PER_PARTICLE_FEW,
                        s->second != 0,
                        s->contact.bouncy != 0,
                        s->clusters.count > 0};
    return w;
}

bool schedule_spins_inside(const schedule_world *w) { return w->fuse.whole && !w->fuse.overlap; }

// ---- per-particle stages -------------------------------------------------------------------------------------------

// A run of stages that a thread runs for one particle.
typedef struct per_particle_run
{
    int64_t next; // the first stage that is not in the run
    uint32_t bits;
    int64_t hoisted; // a stage that is launched before the run; -1: none
} per_particle_run;

// Is a kernel of its own better? In a large scene the warm start reads much memory and needs many threads, for which
// contacts with shapes leave too few registers.
static bool better_apart(const schedule_world *w, uint32_t bits, uint32_t next)
{
    return w->large && (bits | next) & PER_PARTICLE_WARM && (bits | next) & ~(uint32_t)PER_PARTICLE_WARM;
}

// May stage i be launched before the stages of a run?
static bool may_go_first(const schedule_world *w, const plan *p, int64_t i, uint32_t bits)
{
    int op = p->stages[i].op;
    for (unsigned h = 0; h < sizeof hoists / sizeof *hoists; h++)
    {
        bool may = hoists[h].op == op;
        // Wind can end a first-order substep itself where no other stage has changed the velocities.
        if (may && hoists[h].recomputed)
            may = bits == PER_PARTICLE_VELOCITY && !w->second && !w->bouncy;
        for (int k = 0; may && k < per_particle_loop.count; k++)
            may = !(bits >> k & 1) || fuse_commute(&w->fuse, per_particle_loop.order[k], op, hoists[h].recomputed);
        if (may)
            return true;
    }
    return false;
}

static bool is_inside(const schedule_world *w, int op) { return op == OP_MATCH_SPIN && schedule_spins_inside(w); }

// Extends the run by the stages of the plan, one after the other, as long as the kernel can run them too.
static per_particle_run extend(const schedule_world *w, const plan *p, int64_t end, per_particle_run r)
{
    while (r.next < end)
    {
        int64_t at = r.next;
        bool inside = r.bits && is_inside(w, p->stages[at].op);
        bool hoist = r.bits && r.hoisted < 0 && !inside && may_go_first(w, p, at, r.bits);
        if (inside || hoist)
            at++;
        uint32_t bits = at < end ? fuse_run(&per_particle_loop, &w->fuse, p->stages + at, 1, r.bits).bits : r.bits;
        if (bits == r.bits || (r.bits && better_apart(w, r.bits, bits)))
            break;
        if (hoist)
            r.hoisted = r.next;
        r.next = at + fuse_colours(p->stages + at, end - at);
        r.bits = bits;
    }
    return r;
}

static per_particle_run per_particle_run_from(const schedule_world *w, const plan *p, int64_t i, int64_t end)
{
    per_particle_run r = {i, 0, -1};
    return extend(w, p, end, r);
}

// ---- kernels of several loops --------------------------------------------------------------------------------------

// May the stages [first, last) run as one loop over the items of the level? The hoisted stage, and those that another
// kernel runs inside, are left out.
static bool together(const schedule_world *w, const plan *p, int64_t first, int64_t last, int64_t hoisted, int level,
                     resource_set renamed)
{
    uint8_t ops[2 * FUSE_MOST + MATCH_STAGES];
    int count = 0;
    for (int64_t i = first; i < last; i++)
    {
        int op = p->stages[i].op;
        bool again = count && ops[count - 1] == op;
        if (again || i == hoisted || is_inside(w, op))
            continue;
        if (count == (int)sizeof ops)
            return false;
        ops[count++] = (uint8_t)op;
    }
    return fuse_together(&w->fuse, level, ops, count, renamed, true);
}

// Joins the prediction with the stages that follow it. It changes only displacements, so other threads can still read
// the positions of the substep's start.
static void join_lead(const schedule_world *w, const plan *p, int64_t end, launch *l, per_particle_run *r)
{
    bool can = w->contacts && !w->surfaces && !w->second && !w->oriented;
    if (!can || !(l->per_particle & PER_PARTICLE_PREDICT) || l->per_particle & ~(uint32_t)PER_PARTICLE_LEADS ||
        r->next >= end || r->hoisted >= 0)
        return;
    per_particle_run more = per_particle_run_from(w, p, r->next, end);
    if (!more.bits || more.hoisted >= 0 || !together(w, p, l->first, more.next, more.hoisted, FUSE_PARTICLE, 0))
        return;
    l->lead = l->per_particle;
    l->per_particle = more.bits;
    l->stage = r->next;
    *r = more;
}

// Returns MATCH_JOINED_SPIN if no later stage adds to the lost angular momentum of the clusters before it is read: then
// the kernel computes the angular velocity to give back, too.
static int match_kind(const plan *p, int64_t i, int64_t end)
{
    int64_t next = i + fuse_next_access(p->stages + i, end - i, R(LOST));
    return next < end && !(stage_changes(p->stages[next].op) & R(LOST)) ? MATCH_JOINED_SPIN : MATCH_JOINED;
}

// Runs the shape matching of rigid bodies in one kernel with the per-particle stages before and after it
// (rigid_fused.cu). at: the first stage of the shape matching.
static bool join_bodies(const schedule_world *w, const plan *p, int64_t at, int64_t end, launch *l, per_particle_run *r)
{
    bool can = w->contacts && !w->large && !w->surfaces && !w->oriented && !w->hard_shapes && w->clusters;
    int64_t matched = at + MATCH_STAGES;
    // A kernel that begins with the prediction double buffers the directions out of bodies (double_buffer.cu).
    resource_set renamed = l->lead ? R(NORMAL) : 0;
    if (!can || l->per_particle & ~(uint32_t)BODIES_BEFORE || r->hoisted >= 0 ||
        !together(w, p, l->first, matched, -1, FUSE_CLUSTER, renamed))
        return false;
    per_particle_run after = per_particle_run_from(w, p, matched, end);
    bool more = !(after.bits & ~(uint32_t)(BODIES_AFTER | BODIES_AT_LAST | BODIES_END)) && after.hoisted < 0 &&
                together(w, p, l->first, after.next, -1, FUSE_CLUSTER, renamed);
    l->stage = matched - 1;
    l->after = more ? after.bits : 0;
    l->joined = (uint8_t)match_kind(p, matched, end);
    l->bodies = 1;
    l->faces = (l->per_particle & PER_PARTICLE_WARM) != 0;
    r->next = more ? after.next : matched;
    return true;
}

// Does no stage read velocities between the end of one substep and the end of the next? Then the velocities of free
// particles need not be written, nor the old ones read.
static bool velocities_pass(const schedule_world *w, const plan *p, int64_t i, int64_t end, uint32_t per_particle)
{
    const uint32_t both = PER_PARTICLE_VELOCITY | PER_PARTICLE_PREDICT;
    if ((per_particle & both) != both || per_particle & PER_PARTICLE_AIR || w->contacts || w->second || w->bouncy)
        return false;
    i += fuse_next_access(p->stages + i, end - i, R(V));
    return i < end && per_particle_stage(p->stages[i].op) == PER_PARTICLE_VELOCITY;
}

// Joins per-particle stages with a tile kernel, whose blocks run them when they load the tile's particles.
static void join_tiles(const schedule_world *w, const plan *p, int64_t end, launch *l, per_particle_run *r)
{
    bool can = l->per_particle && !l->lead && !l->bodies && !(l->per_particle & ~(uint32_t)PER_PARTICLE_BEFORE_TILES) &&
               r->next < end;
    if (!can || !together(w, p, l->first, r->next + 1, r->hoisted, FUSE_TILE, 0) ||
        stage_of(p->stages[r->next].op)->items != ITEMS_TILES)
        return;
    l->stage = r->next++;
    l->skips_velocities = velocities_pass(w, p, r->next, end, l->per_particle);
}

// ---- a plan --------------------------------------------------------------------------------------------------------

int schedule_next(const schedule_world *w, const plan *p, int64_t *i, int64_t end, launch out[LAUNCHES_AT_ONCE])
{
    launch l = {*i, *i, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    per_particle_run r = per_particle_run_from(w, p, *i, end);
    int count = 0;
    l.per_particle = r.bits;
    join_lead(w, p, end, &l, &r);
    bool matches = fuse_run(&match_loop, &w->fuse, p->stages + r.next, end - r.next, 0).count == MATCH_STAGES;
    if (matches && !join_bodies(w, p, r.next, end, &l, &r) && !l.per_particle)
    {
        r.next += MATCH_STAGES;
        l.stage = r.next - 1;
        l.joined = (uint8_t)match_kind(p, r.next, end);
    }
    join_tiles(w, p, end, &l, &r);
    bool inside = r.next == *i && is_inside(w, p->stages[*i].op);
    if (r.hoisted >= 0)
    {
        launch first = {r.hoisted, r.hoisted, 0, 0, 0, 0, 0, 0, 0, 1, 0};
        first.ended = stage_accesses(p->stages[r.hoisted].op) & R(V) ? 1 : 0;
        out[count++] = first;
    }
    *i = r.next == *i ? *i + 1 : r.next;
    if (!inside)
        out[count++] = l;
    return count;
}

bool schedule_leads(const schedule_world *w, const plan *p, bool *faces)
{
    bool leads = false;
    *faces = false;
    for (int64_t i = p->head, end = p->head + p->body; w->contacts && i < end;)
    {
        launch l[LAUNCHES_AT_ONCE];
        for (int n = schedule_next(w, p, &i, end, l); n > 0; n--)
        {
            leads |= l[n - 1].lead != 0;
            *faces |= l[n - 1].faces != 0;
        }
    }
    return leads;
}
