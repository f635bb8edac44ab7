// hooks.h: lists the hooks: the points of a frame at which groups and clients of the neighbour service may add stages
// (step/step.c).
#pragma once

enum plan_hook
{
    PLAN_FRAME,           // the frame begins; all others are in every substep
    PLAN_WIND,            // wind forces of faces have been computed; only with wind
    PLAN_PREDICT,         // displacements have been predicted
    PLAN_WARM_START,      // the multipliers of the last substep's contacts have been applied
    PLAN_ITERATION_START, // in each iteration: nothing has been solved yet
    PLAN_BEFORE_CONTACTS, // in each iteration: the elements have been solved
    PLAN_AFTER_CONTACTS,  // in each iteration: the contacts have been solved
    PLAN_ITERATION_END,   // in each iteration: everything else has been solved
    PLAN_SOLVED,          // all iterations are done; positions have not changed yet
    PLAN_VELOCITY,        // velocities have been updated
    PLAN_DAMPING,         // internal damping has been applied; only with internal damping
    PLAN_END,             // all substeps are done
    PLAN_HOOKS
};
