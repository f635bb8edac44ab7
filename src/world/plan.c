// plan.c: a frame as a list of stages, read top to bottom.
//
// plan_frame writes it down once for each structure; a backend walks the list. The stages themselves are in stages/ and constraints/, the
// lists of rows they visit in compile.c.
#include "world/world.h"

static void push(pl_world *w, stage g) { w->plan.stages[w->plan.count++] = g; }

static void on_slots(pl_world *w, int op, int group, int substep)
{
    push(w,
         (stage){.op = (uint8_t)op, .group = (uint8_t)group, .substep = substep, .end = w->state.slots, .grain = PAD});
}

// One visit of every element: inside the tiles, then colour by colour, then what was left without a colour.
static void plan_iteration(pl_world *w, int substep, bool first)
{
    const pl_settings *set = &w->settings;
    bool keep = set->iterations > 1 || substep + 1 == set->substeps || set->integrator == PL_INTEGRATOR_BDF2;
    for (int kind = 0; kind < PL_KIND_COUNT; kind++)
        keep |= (w->state.rows[kind].worn & 2) != 0; // loads are looked at in every substep
    stage g = {.group = PL_STAGE_ELEMENTS, .substep = substep, .first = first, .keep = keep};
    if (w->state.tiles)
    {
        g.op = OP_TILES, g.begin = 0, g.end = w->state.tiles, g.grain = 1;
        push(w, g);
    }
    for (int64_t i = 0; i < w->run_count; i++)
    {
        const run *r = &w->runs[i];
        g.op = OP_SWEEP, g.kind = (uint8_t)r->kind, g.begin = r->begin, g.end = r->end, g.grain = PAD;
        push(w, g);
    }
    for (int kind = 0; kind < PL_KIND_COUNT; kind++)
    {
        const packed_rows *p = &w->state.rows[kind];
        if (p->jacobi_begin == p->jacobi_end)
            continue;
        g.op = OP_JACOBI, g.kind = (uint8_t)kind, g.begin = p->jacobi_begin, g.end = p->jacobi_end, g.grain = PAD;
        push(w, g);
        g.op = OP_JACOBI_MOVE, g.begin = 0, g.end = p->jacobi_slots, g.grain = 1;
        push(w, g);
    }
}

// Groups: each cluster finds where its shape fits best, and its particles go there.
static void plan_clusters(pl_world *w, int substep, bool first, int which)
{
    const packed_clusters *c = &w->state.clusters;
    stage g = {.group = PL_STAGE_ELEMENTS, .substep = substep, .first = first, .grain = 1};
    if (!c->count)
        return;
    g.op = OP_MATCH_SUM, g.end = c->chunks;
    push(w, g);
    g.op = OP_MATCH_SOLVE, g.end = c->count;
    push(w, g);
    g.kind = (uint8_t)which;
    if (c->overlap && c->spins)
    {
        g.op = OP_MATCH_LOSE, g.end = c->chunks;
        push(w, g);
    }
    g.op = c->overlap ? OP_MATCH_BLEND : OP_MATCH_MOVE, g.end = c->overlap ? w->state.particles : c->chunks;
    push(w, g);
}

// Sums over regions, where these go, and sums over the regions of each particle.
static void plan_lattices(pl_world *w, int substep)
{
    const packed_lattices *l = &w->state.lattices;
    stage g = {.group = PL_STAGE_ELEMENTS, .substep = substep, .grain = 1};
    for (int pass = 0; l->count && pass < 2; pass++)
    {
        g.op = pass ? OP_LATTICE_FIND : OP_LATTICE_LOAD, g.kind = 0, g.end = l->cells;
        g.grain = pass ? PAD : 1;
        push(w, g);
        g.grain = 1;
        for (int axis = 0; axis < 3; axis++)
        {
            g.op = OP_LATTICE_SUM, g.kind = (uint8_t)axis, g.end = LATTICE_PARTS * l->lines[axis];
            push(w, g);
        }
    }
    if (l->count)
    {
        g.op = OP_LATTICE_MOVE, g.kind = 0, g.end = l->cells;
        push(w, g);
    }
}

static void plan_volumes(pl_world *w, int substep, bool first)
{
    const packed_volumes *p = &w->state.volumes;
    stage g = {.group = PL_STAGE_ELEMENTS, .substep = substep, .first = first, .grain = 1};
    if (!p->count)
        return;
    g.op = OP_VOLUME_SUM, g.end = p->chunks;
    push(w, g);
    g.op = OP_VOLUME_SOLVE, g.end = p->count;
    push(w, g);
    g.op = OP_VOLUME_MOVE, g.end = p->chunks;
    push(w, g);
}

// After the velocities: what the clusters' turning has lost, and what of their strain becomes shape.
static void plan_cluster_ends(pl_world *w, int substep)
{
    const packed_clusters *c = &w->state.clusters;
    stage g = {.group = PL_STAGE_VELOCITY, .substep = substep, .grain = 1};
    if (c->spins)
    {
        g.op = OP_MATCH_SPIN, g.end = c->count;
        push(w, g);
        g.op = c->overlap ? OP_MATCH_RETURN : OP_MATCH_TURN, g.end = c->overlap ? w->state.particles : c->chunks;
        push(w, g);
    }
    if (c->flows)
    {
        g.op = OP_MATCH_SUM, g.end = c->chunks;
        push(w, g);
        g.op = OP_MATCH_YIELD, g.end = c->count;
        push(w, g);
    }
}

// What flows under load, and what is loaded beyond its strength.
static void plan_wear(pl_world *w, int substep)
{
    stage g = {.op = OP_WEAR, .group = PL_STAGE_VELOCITY, .substep = substep, .grain = PAD};
    for (int kind = 0; kind < PL_KIND_COUNT; kind++)
        if (w->state.rows[kind].worn)
        {
            g.kind = (uint8_t)kind, g.end = w->state.rows[kind].jacobi_end;
            push(w, g);
        }
}

static void on_oriented(pl_world *w, int op, int group, int substep)
{
    int32_t count = w->state.oriented.count;
    if (count)
        push(w, (stage){.op = (uint8_t)op, .group = (uint8_t)group, .substep = substep, .end = count, .grain = 1});
}

static void plan_internal_damping(pl_world *w, int substep)
{
    const packed_objects *o = &w->state.objects;
    stage g = {.group = PL_STAGE_VELOCITY, .substep = substep, .grain = 1};
    g.op = OP_MOTION_SUM, g.end = o->chunks;
    push(w, g);
    g.op = OP_MOTION_SOLVE, g.end = o->count;
    push(w, g);
    g.op = OP_MOTION_DAMP, g.end = o->chunks;
    push(w, g);
    on_oriented(w, OP_ORIENT_DAMP, PL_STAGE_VELOCITY, substep);
}

// ---- contacts: their lists change from frame to frame, so a stage finds its range when it runs ---------------------

static bool has_pairs(const pl_world *w) { return w->contacts.colliders > 0; }
static bool has_touches(const pl_world *w) { return w->contacts.shape_count > 0; }
bool has_skin(const pl_world *w) { return w->skin.triangles > 0; }
bool has_contacts(const pl_world *w) { return has_pairs(w) || has_touches(w) || has_skin(w); }

static void on_groups(pl_world *w, int op, int group, int substep, const int32_t *range)
{
    push(w, (stage){.op = (uint8_t)op, .group = (uint8_t)group, .substep = substep, .grain = 1, .range = range});
}

static void on_colours(pl_world *w, int op, int group, int substep, const int32_t *colour)
{
    for (int c = 0; c < PAIR_COLOURS; c++)
    {
        on_groups(w, op, group, substep, colour + c);
        w->plan.stages[w->plan.count - 1].whole_slabs = colour == w->state.pairs.colour;
    }
}

// Begin with what pressed at the end of the last substep.
static void plan_warm_start(pl_world *w, int substep)
{
    if (has_touches(w))
        on_groups(w, OP_PROBE, PL_STAGE_CONTACTS, substep, w->state.touches.range);
    if (has_pairs(w))
        on_colours(w, OP_PAIRS_WARM, PL_STAGE_CONTACTS, substep, w->state.pairs.colour);
    if (has_skin(w))
    {
        push(w, (stage){.op = OP_SKIN_OPEN, .group = PL_STAGE_CONTACTS, .substep = substep, .end = 1, .grain = 1});
        on_groups(w, OP_SKIN_PROBE, PL_STAGE_CONTACTS, substep, w->state.skin.all);
        on_slots(w, OP_SKIN_WARM, PL_STAGE_CONTACTS, substep);
    }
    if (has_touches(w))
        on_groups(w, OP_TOUCH_WARM, PL_STAGE_CONTACTS, substep, w->state.touches.range);
}

// Whatever has been asked for: skins that do not cross at the start do not cross at the end.
static void plan_guarantee(pl_world *w, int substep)
{
    on_slots(w, OP_SKIN_BOUND, PL_STAGE_CONTACTS, substep);
    for (int round = 0; round < SKIN_ROUNDS; round++)
    {
        on_groups(w, OP_SKIN_LIMIT, PL_STAGE_CONTACTS, substep, w->state.skin.all);
        w->plan.stages[w->plan.count - 1].kind = (uint8_t)round;
        on_slots(w, OP_SKIN_CLIP, PL_STAGE_CONTACTS, substep);
        w->plan.stages[w->plan.count - 1].kind = (uint8_t)round;
    }
}

static void plan_contacts(pl_world *w, int substep)
{
    if (has_pairs(w))
        on_colours(w, OP_PAIRS, PL_STAGE_CONTACTS, substep, w->state.pairs.colour);
    if (has_skin(w))
        on_colours(w, OP_SKIN, PL_STAGE_CONTACTS, substep, w->state.skin.colour);
    if (has_touches(w))
        on_groups(w, OP_TOUCHES, PL_STAGE_CONTACTS, substep, w->state.touches.range);
}

static void plan_guard(pl_world *w, int substep)
{
    for (int32_t i = 0; i < w->contacts.shape_count; i++)
        if (w->contacts.shapes[i].def.kind >= PL_SHAPE_MESH)
        {
            on_groups(w, OP_TOUCH_GUARD, PL_STAGE_CONTACTS, substep, w->state.touches.range);
            return;
        }
}

// Overlap that is there before the substep is taken away, and the substep's start with it.
static void plan_stabilise(pl_world *w, int substep)
{
    for (int i = 0; i < w->settings.stabilise; i++)
    {
        if (has_pairs(w))
            on_colours(w, OP_PAIRS_PART, PL_STAGE_CONTACTS, substep, w->state.pairs.colour);
        if (has_touches(w))
            on_groups(w, OP_TOUCH_LIFT, PL_STAGE_CONTACTS, substep, w->state.touches.range);
    }
}

static void plan_bounce(pl_world *w, int substep)
{
    if (has_pairs(w))
        on_colours(w, OP_PAIRS_BOUNCE, PL_STAGE_CONTACTS, substep, w->state.pairs.colour);
    if (has_skin(w))
        on_colours(w, OP_SKIN_BOUNCE, PL_STAGE_CONTACTS, substep, w->state.skin.colour);
    if (has_touches(w))
        on_groups(w, OP_TOUCH_BOUNCE, PL_STAGE_CONTACTS, substep, w->state.touches.range);
}

// BDF2 looks back one substep, which is no use across a kink: an inequality that began or ceased to hold.
static void plan_events(pl_world *w, int substep)
{
    stage g = {.group = PL_STAGE_VELOCITY, .substep = substep, .grain = PAD};
    for (int kind = 0; kind < PL_KIND_COUNT; kind++)
        if (facts_of(kind)->bound && w->state.rows[kind].jacobi_end)
        {
            g.op = OP_EVENTS, g.kind = (uint8_t)kind, g.end = w->state.rows[kind].jacobi_end;
            push(w, g);
        }
    if (has_pairs(w))
        on_groups(w, OP_PAIRS_EVENT, PL_STAGE_VELOCITY, substep, w->state.pairs.all);
    if (has_skin(w))
        on_groups(w, OP_SKIN_EVENT, PL_STAGE_VELOCITY, substep, w->state.skin.all);
    if (has_touches(w))
        on_groups(w, OP_TOUCH_EVENT, PL_STAGE_VELOCITY, substep, w->state.touches.range);
    g.op = OP_ADVANCE, g.end = 1, g.grain = 1;
    push(w, g);
}

pl_result plan_frame(pl_world *w)
{
    const pl_settings *set = &w->settings;
    int64_t substeps = set->substeps,
            most = 3 + substeps * ((1 + PAIR_COLOURS) * set->stabilise + 76 + 3 * PL_KIND_COUNT +
                                   set->iterations * (36 + w->run_count + 2 * PL_KIND_COUNT));
    pl_result result = array_reserve(&w->memory, &w->plan.stages, &w->plan.capacity, most, sizeof *w->plan.stages);
    if (result == PL_OK)
        result =
            array_reserve(&w->memory, &w->state.substeps, &w->substep_capacity, substeps, sizeof *w->state.substeps);
    if (result != PL_OK)
        return result;

    const packed_clusters *c = &w->state.clusters;
    bool firm = has_contacts(w) && c->firm;
    w->plan.count = 0;
    w->state.contact.bouncy = has_contacts(w) && any_bounce(w);
    on_slots(w, OP_REMEMBER, PL_STAGE_PREPARE, 0);
    on_oriented(w, OP_ORIENT_KEEP, PL_STAGE_PREPARE, 0);
    w->plan.head = w->plan.count;
    for (int s = 0; s < set->substeps; s++)
    {
        plan_stabilise(w, s);
        if (w->state.faces.count && set->wind.density > 0.0f)
        {
            push(
                w,
                (stage){
                    .op = OP_WIND, .group = PL_STAGE_PREDICT, .substep = s, .end = w->state.faces.count, .grain = PAD});
            on_slots(w, OP_AIR, PL_STAGE_PREDICT, s);
        }
        if (w->state.oriented.airy && set->wind.density > 0.0f)
            on_oriented(w, OP_ORIENT_WIND, PL_STAGE_PREDICT, s);
        on_slots(w, OP_PREDICT, PL_STAGE_PREDICT, s);
        on_oriented(w, OP_ORIENT_TURN, PL_STAGE_PREDICT, s);
        plan_warm_start(w, s);
        if (firm)
            plan_clusters(w, s, true, MATCH_FIRM); // bodies, and not single particles, take up what pressed
        for (int i = 0; i < set->iterations; i++)
        {
            plan_iteration(w, s, i == 0);
            plan_volumes(w, s, i == 0);
            plan_contacts(w, s);
            plan_clusters(w, s, i == 0 && !firm, MATCH_ALL);
            plan_lattices(w, s);
        }
        if (has_skin(w))
            plan_guarantee(w, s);
        plan_guard(w, s);
        on_slots(w, OP_VELOCITY, PL_STAGE_VELOCITY, s);
        on_oriented(w, OP_ORIENT_SPIN, PL_STAGE_VELOCITY, s);
        plan_cluster_ends(w, s);
        plan_wear(w, s);
        if (w->state.contact.bouncy)
            plan_bounce(w, s);
        if (set->internal_damping > 0.0f)
            plan_internal_damping(w, s);
        if (set->integrator == PL_INTEGRATOR_BDF2)
            plan_events(w, s);
        if (has_contacts(w))
            on_slots(w, OP_FARTHEST, PL_STAGE_VELOCITY, s);
        if (has_skin(w))
            on_slots(w, OP_SKIN_DRIFT, PL_STAGE_VELOCITY, s);
    }
    w->plan.body = (w->plan.count - w->plan.head) / set->substeps;
    on_slots(w, OP_CHECK, PL_STAGE_VELOCITY, 0);
    return PL_OK;
}
