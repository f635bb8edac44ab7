// substep.h: declares the parts of a substep, which add their stages to a plan; step.c calls them in order.
#pragma once
#include "plan/hooks.h"
#include "plan/planner.h"

// ---- forces, internal damping, the end of a substep: substep.c
// Adds the stages that groups and clients of the neighbour service have at a hook.
void plan_hook(planner *p, enum plan_hook hook, int iteration);
void plan_wind(planner *p);
void plan_internal_damping(planner *p);
// Before and after the constraints of an iteration: components keep their momentum and angular momentum.
void plan_components_keep(planner *p, int iteration);
void plan_components_return(planner *p, int iteration);
// Returns whether something other than the constraints of components moves particles within an iteration.
bool others_move(const pl_world *w);
void plan_damage(planner *p); // plastic flow and breaking of elements
void plan_events(planner *p); // non-smooth events, for BDF2

// ---- contacts: substep_contacts.c
void plan_open_contacts(planner *p); // drops the multipliers of impacts
void plan_stabilise(planner *p);     // removes overlap before the substep
void plan_warm_start(planner *p);
void plan_contacts(planner *p);
void plan_guarantee(planner *p); // surfaces do not cross, and no particle passes through a mesh
void plan_restitution(planner *p);
void plan_contact_events(planner *p);
void plan_reach(planner *p); // measures how far and fast particles moved, to tell whether the lists are still valid
