// hooks.h: lists the hooks: the points of a frame at which groups and clients of the neighbour service may add stages
// (step/step.c).
#pragma once

enum plan_hook
{
    PLAN_FRAME,           // the frame begins
    PLAN_WIND,            // of each substep: wind forces
    PLAN_PREDICT,         // displacements have been predicted
    PLAN_WARM_START,      // the multipliers of the last substep's contacts have been applied
    PLAN_BEFORE_CONTACTS, // of each iteration: after the elements
    PLAN_AFTER_CONTACTS,  // of each iteration: after the contacts
    PLAN_VELOCITY,        // velocities have been updated
    PLAN_DAMPING,         // internal damping
    PLAN_HOOKS
};
