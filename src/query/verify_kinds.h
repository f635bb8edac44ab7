// verify_kinds.h: checks that a kind's kernel does what its head comment says. It compiles the same header with double
// as the lane type.
#pragma once
#include "pliant/pliant.h"

typedef struct kind_check
{
    double gradient; // the largest error of a gradient against central differences, relative to the largest component
    double weight;   // ... of the weight against sum of w |gradient|^2
    // The sum of the gradients: the change of linear momentum (kinds that move all their points).
    double force;
    // The sum of x cross gradient: the change of angular momentum (for ends that are frames, gradients are by position
    // and by rotation).
    double torque;
    double rest; // |C| at the parameters that NAME_rest measured
} kind_check;

// Checks `samples` random shapes. Every result should be below 1e-6.
kind_check verify_kind(pl_kind kind, int samples);
kind_check verify_frames(pl_kind kind, int samples); // for a kind between frames
