// fluid_client.c: describes fluids as a client of the neighbour service (stages/fluid_stages.h). Its list holds the
// particles of fluids and, if there are any, all solid particles with a radius; two of them are neighbours within the
// support of the kernel.
#include "neighbours/clients/client.h"
#include "kernels/fluid_body.h"
#include "plan/planner.h"

static float half_support(const pl_world *w) { return 0.5f * FLUID_SUPPORT * w->state.fluid.spacing; }

static bool is_wet(const pl_world *w, int32_t slot)
{
    if (w->state.fluid.spacing == 0.0f)
        return false;
    return w->state.slot[SLOT_FLUID][4 * (size_t)slot] > 0.0f || w->state.slot[SLOT_COLLISION][4 * (size_t)slot] > 0.0f;
}

static void on_list(planner *p, int op, int kind)
{
    int32_t count = p->world->client_lists[CLIENT_FLUID].count;
    if (count)
        plan_stage(p, (stage){.op = (uint8_t)op, .kind = (uint8_t)kind, .end = count, .grain_size = PAD});
}

// Tension, from the positions at the start of the substep.
static void plan_tension(planner *p)
{
    if (!p->world->state.fluid.tense)
        return;
    on_list(p, OP_FLUID_LOAD, FLUID_AGAIN);
    on_list(p, OP_FLUID_ATTRACT, 0);
    on_list(p, OP_FLUID_NORMAL, 0);
    on_list(p, OP_FLUID_TENSION, 0);
}

static void plan_viscosity(planner *p)
{
    const packed_fluid *f = &p->world->state.fluid;
    on_list(p, OP_FLUID_LOAD_V, 0);
    if (!f->passes)
        on_list(p, OP_FLUID_SMOOTH, 0);
    else if (f->rubs)
        on_list(p, OP_FLUID_FRICTION, 0);
    for (int k = 0; k < f->passes; k++)
        on_list(p, k % 2 ? OP_FLUID_VISCOUS_BACK : OP_FLUID_VISCOUS, k);
}

static void plan_whirls(planner *p)
{
    const packed_fluid *f = &p->world->state.fluid;
    if (f->whirls)
    {
        on_list(p, OP_FLUID_LOAD_V, 0);
        on_list(p, OP_FLUID_CURL, 0);
        on_list(p, OP_FLUID_GIVE, 0);
        on_list(p, OP_FLUID_CONFINE, 0);
    }
    if (f->airy)
        on_list(p, OP_FLUID_AIR, 0);
}

static void plan_dye(planner *p)
{
    if (!p->world->state.fluid.dyed)
        return;
    on_list(p, OP_FLUID_LOAD_DYE, 0);
    on_list(p, OP_FLUID_DYE, 0);
}

// ---- rigid bodies (stages/fluid_body_stages.h) ----------------------------------------------------------------------

static void on_bodies(planner *p, int op, int range, int pass, bool first)
{
    const packed_body_particles *b = &p->world->state.body_particles;
    if (b->row_room && p->world->client_lists[CLIENT_FLUID].count)
        plan_stage(p, (stage){.op = (uint8_t)op,
                              .kind = (uint8_t)pass,
                              .first = first,
                              .grain_size = 1,
                              .range = b->range + range,
                              .colour = RIGID_COLOURS + 1});
}

static void plan_body_walls(planner *p) { on_bodies(p, OP_FLUID_BODY_WALLS, BODY_RANGE_POINTS, 0, false); }

static void plan_body_solve(planner *p)
{
    for (int i = 0; i < FLUID_BODY_ROUNDS; i++)
    {
        on_bodies(p, OP_FLUID_BODY_SUM, BODY_RANGE_CHUNKS, 0, i == 0);
        on_bodies(p, OP_BODY_SOLVE, BODY_RANGE_BODIES, BODY_SOLVE, i == 0);
    }
    on_bodies(p, OP_FLUID_BODY_CHANGE, BODY_RANGE_POINTS, 0, false);
}

static void plan_body_push(planner *p)
{
    on_bodies(p, OP_FLUID_BODY_PUSH, BODY_RANGE_CHUNKS, 0, false);
    on_bodies(p, OP_BODY_MOVE, BODY_RANGE_BODIES, BODY_WARM, false);
}

// ---- hooks ---------------------------------------------------------------------------------------------------------

static void plan_fluid(planner *p, enum plan_hook hook, int iteration)
{
    (void)iteration;
    switch (hook)
    {
    case PLAN_PREDICT:
        if (p->world->gases)
            on_list(p, OP_GAS_PREDICT, 0);
        break;
    case PLAN_WARM_START:
        plan_tension(p);
        plan_body_walls(p);
        on_list(p, OP_FLUID_LOAD, FLUID_FIRST);
        if (p->world->state.fluid.solids)
            on_list(p, OP_FLUID_VOLUME, 0);
        plan_body_push(p);
        on_list(p, OP_FLUID_MOVE, 0);
        break;
    case PLAN_ITERATION_START: // before the components: they would return the momentum that they get from fluids
        plan_body_walls(p);
        on_list(p, OP_FLUID_LOAD, FLUID_AGAIN);
        on_list(p, OP_FLUID_DENSITY, 0);
        plan_body_solve(p);
        plan_body_push(p);
        on_list(p, OP_FLUID_MOVE, 0);
        break;
    case PLAN_VELOCITY:
        plan_body_walls(p);
        plan_viscosity(p);
        plan_whirls(p);
        if (p->world->gases)
            on_list(p, OP_GAS_HEAT, 0);
        plan_dye(p);
        break;
    default:
        break;
    }
}

extern const neighbour_client fluid_client;
const neighbour_client fluid_client = {
    .beside = half_support, .filter = NEIGHBOURS_ACTIVE, .takes = is_wet, .plan = plan_fluid};
