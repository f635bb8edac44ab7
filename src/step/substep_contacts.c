// substep_contacts.c: adds the stages of contacts to a plan. Contact lists change from frame to frame, so a stage reads
// its range when it runs.
#include "step/substep.h"

static stage over(int op, const int32_t *range) { return (stage){.op = (uint8_t)op, .grain_size = 1, .range = range}; }

static void on_shape_contacts(planner *p, int op)
{
    if (has_shape_contacts(p->world))
        plan_stage(p, over(op, p->world->state.shape_contacts.range));
}

// Plans a stage once for each colour, in order.
static void on_pairs(planner *p, int op)
{
    for (int c = 0; has_pairs(p->world) && c < PAIR_COLOURS; c++)
    {
        stage g = over(op, p->world->state.pairs.colour + c);
        g.whole_slabs = 1, g.colour = (uint8_t)c;
        plan_stage(p, g);
    }
}

static void on_surfaces(planner *p, int op)
{
    for (int c = 0; has_surface(p->world) && c < PAIR_COLOURS; c++)
    {
        stage g = over(op, p->world->state.surfaces.colour + c);
        g.colour = (uint8_t)c;
        plan_stage(p, g);
    }
}

// Plans the removal of overlap that exists before the substep. The substep's start moves with it, so that no velocity
// results.
void plan_stabilise(planner *p)
{
    for (int i = 0; i < p->world->settings.stabilise; i++)
    {
        on_pairs(p, OP_PAIRS_PART);
        on_shape_contacts(p, OP_SHAPE_CONTACT_LIFT);
    }
}

// Drops the multipliers of impacts, and notes those that the substep starts with.
void plan_open_contacts(planner *p)
{
    if (p->world->state.contact.bouncy && has_pairs(p->world))
        plan_stage(p, over(OP_PAIRS_OPEN, p->world->state.pairs.all));
}

// Applies the multipliers of the last substep.
void plan_warm_start(planner *p)
{
    on_shape_contacts(p, OP_PROBE);
    on_pairs(p, OP_PAIRS_WARM);
    if (has_surface(p->world))
    {
        plan_items(p, OP_SURFACE_OPEN, 1);
        plan_stage(p, over(OP_SURFACE_PROBE, p->world->state.surfaces.all));
        plan_slots(p, OP_SURFACE_WARM);
    }
    on_shape_contacts(p, OP_SHAPE_CONTACT_WARM);
}

void plan_contacts(planner *p)
{
    on_pairs(p, OP_PAIRS);
    on_surfaces(p, OP_SURFACE);
    on_shape_contacts(p, OP_SHAPE_CONTACTS);
}

static bool has_hollow_shapes(const pl_world *w)
{
    bool found = false;
    for (int32_t i = 0; i < w->contacts.shape_count; i++)
        found |= w->contacts.shapes[i].def.kind >= PL_SHAPE_MESH;
    return found;
}

// Plans the guarantees: surfaces that do not cross at the substep's start do not cross at its end, and particles do not
// pass through meshes and distance fields.
void plan_guarantee(planner *p)
{
    if (has_surface(p->world))
        plan_slots(p, OP_SURFACE_BOUND);
    for (int round = 0; has_surface(p->world) && round < SURFACE_ROUNDS; round++)
    {
        stage limit = over(OP_SURFACE_LIMIT, p->world->state.surfaces.all);
        stage clip = {.op = OP_SURFACE_CLIP, .end = p->world->state.slots, .grain_size = PAD};
        limit.kind = clip.kind = (uint8_t)round;
        plan_stage(p, limit);
        plan_stage(p, clip);
    }
    if (has_hollow_shapes(p->world))
        on_shape_contacts(p, OP_SHAPE_CONTACT_GUARD);
}

// More passes see an impact farther through particles that touch, in one substep. As many as iterations reach whatever
// the solve has pushed.
static int impact_passes(const pl_world *w)
{
    const int least = 2, most = 4, n = w->settings.iterations;
    return !has_pairs(w) ? 1 : n < least ? least : n > most ? most : n;
}

void plan_restitution(planner *p)
{
    if (!p->world->state.contact.bouncy)
        return;
    on_shape_contacts(p, OP_SHAPE_CONTACT_RELEASE);
    on_pairs(p, OP_PAIRS_RELEASE);
    for (int pass = 0; pass < impact_passes(p->world); pass++)
    {
        on_pairs(p, OP_PAIRS_BOUNCE);
        if (pass == 0)
            on_surfaces(p, OP_SURFACE_BOUNCE);
        on_shape_contacts(p, OP_SHAPE_CONTACT_BOUNCE);
    }
}

void plan_contact_events(planner *p)
{
    if (has_pairs(p->world))
        plan_stage(p, over(OP_PAIRS_EVENT, p->world->state.pairs.all));
    if (has_surface(p->world))
        plan_stage(p, over(OP_SURFACE_EVENT, p->world->state.surfaces.all));
    on_shape_contacts(p, OP_SHAPE_CONTACT_EVENT);
}

// Plans the measurement of the motion that decides whether the contact lists are still valid.
void plan_reach(planner *p)
{
    if (has_contacts(p->world))
        plan_slots(p, OP_FARTHEST);
    if (has_surface(p->world))
        plan_slots(p, OP_SURFACE_DRIFT);
}
