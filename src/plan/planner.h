// planner.h: declares the functions that add stages to a plan. What is planned, and in which order, is in step/ and,
// for groups, in groups/.
#pragma once
#include "plan/stage.h"
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
