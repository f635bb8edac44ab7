// planner.h: declares the functions that write the stages of a frame into a plan. Each part of a substep (elements,
// groups, contacts) has a function here; step.c calls them in order.
#pragma once
#include "step/plan.h"
#include "model/world.h"

// A plan under construction: the world, the list, and the substep that is being planned.
typedef struct planner
{
    const pl_world *world;
    plan *plan;
    int substep;
} planner;

// Adds a stage and fills in its timing group and substep. Beyond the plan's capacity, stages are only counted.
void plan_stage(planner *p, stage g);
// Adds a stage over all slots.
void plan_slots(planner *p, int op);
// Adds a stage over `count` items, if there are any.
void plan_items(planner *p, int op, int32_t count);

// ---- forces, internal damping, the end of a substep: plan.c
void plan_wind(planner *p);
void plan_internal_damping(planner *p);
void plan_damage(planner *p); // plastic flow and breaking of elements
void plan_events(planner *p); // non-smooth events, for BDF2

// ---- contacts: plan_contacts.c
bool has_pairs(const pl_world *w);
bool has_shape_contacts(const pl_world *w);
void plan_stabilise(planner *p); // removes overlap before the substep
void plan_warm_start(planner *p);
void plan_contacts(planner *p);
void plan_guarantee(planner *p); // surfaces do not cross, and no particle passes through a mesh
void plan_restitution(planner *p);
void plan_contact_events(planner *p);
void plan_reach(planner *p); // measures how far and fast particles moved, to tell whether the lists are still valid
