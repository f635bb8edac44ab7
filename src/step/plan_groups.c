// plan_groups.c: the stages of groups: clusters, lattices, closed volumes, oriented particles.
#include "step/planner.h"

void plan_oriented(planner *p, int op) { plan_items(p, op, p->world->state.oriented.count); }

// Each cluster finds where its shape fits best, and its particles go there.
void plan_clusters(planner *p, bool first, int which)
{
    const packed_clusters *c = &p->world->state.clusters;
    stage g = {.first = first, .grain = 1};
    if (!c->count)
        return;
    g.op = OP_MATCH_SUM, g.end = c->chunks;
    plan_stage(p, g);
    g.op = OP_MATCH_SOLVE, g.end = c->count;
    plan_stage(p, g);
    g.kind = (uint8_t)which;
    if (c->overlap && c->spins)
    {
        g.op = OP_MATCH_LOSE, g.end = c->chunks;
        plan_stage(p, g);
    }
    g.op = c->overlap ? OP_MATCH_BLEND : OP_MATCH_MOVE, g.end = c->overlap ? p->world->state.particles : c->chunks;
    plan_stage(p, g);
}

// After the velocities: what the clusters' turning has lost, and what of their strain becomes shape.
void plan_cluster_ends(planner *p)
{
    const packed_clusters *c = &p->world->state.clusters;
    stage g = {.grain = 1};
    if (c->spins)
    {
        g.op = OP_MATCH_SPIN, g.end = c->count;
        plan_stage(p, g);
        g.op = c->overlap ? OP_MATCH_RETURN : OP_MATCH_TURN, g.end = c->overlap ? p->world->state.particles : c->chunks;
        plan_stage(p, g);
    }
    if (c->flows)
    {
        g.op = OP_MATCH_SUM, g.end = c->chunks;
        plan_stage(p, g);
        g.op = OP_MATCH_YIELD, g.end = c->count;
        plan_stage(p, g);
    }
}

// Sums over regions, where these go, and sums over the regions of each particle.
void plan_lattices(planner *p)
{
    const packed_lattices *l = &p->world->state.lattices;
    stage g = {.grain = 1};
    for (int pass = 0; l->count && pass < 2; pass++)
    {
        g.op = pass ? OP_LATTICE_FIND : OP_LATTICE_LOAD, g.kind = 0, g.end = l->cells;
        g.grain = pass ? PAD : 1;
        plan_stage(p, g);
        g.grain = 1;
        for (int axis = 0; axis < 3; axis++)
        {
            g.op = OP_LATTICE_SUM, g.kind = (uint8_t)axis, g.end = LATTICE_PARTS * l->lines[axis];
            plan_stage(p, g);
        }
    }
    if (l->count)
    {
        g.op = OP_LATTICE_MOVE, g.kind = 0, g.end = l->cells;
        plan_stage(p, g);
    }
}

void plan_volumes(planner *p, bool first)
{
    const packed_volumes *v = &p->world->state.volumes;
    stage g = {.first = first, .grain = 1};
    if (!v->count)
        return;
    g.op = OP_VOLUME_SUM, g.end = v->chunks;
    plan_stage(p, g);
    g.op = OP_VOLUME_SOLVE, g.end = v->count;
    plan_stage(p, g);
    g.op = OP_VOLUME_MOVE, g.end = v->chunks;
    plan_stage(p, g);
}
