// verify.h: does a kind's kernel hold what its head comment says? The same header, compiled with double as the lane.
#pragma once
#include "pliant/pliant.h"

typedef struct kind_check
{
    double gradient; // the largest error of a gradient against central differences, relative to the largest component
    double weight;   // ... of the weight against sum of w |gradient|^2
    double force;  // the sum of the gradients: what the kind does to linear momentum (kinds that move all their points)
    double torque; // the sum of x cross gradient: ... to angular momentum
                   // (of ends that are frames, gradients are by position and by rotation)
    double rest;   // |C| at the parameters that NAME_rest measured
} kind_check;

// Over `samples` random shapes. Everything in it should be below 1e-6.
kind_check verify_kind(pl_kind kind, int samples);
kind_check verify_frames(pl_kind kind, int samples); // a kind between frames
