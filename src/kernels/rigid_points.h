// rigid_points.h: the size of a contact manifold, for the model and the kernels.
#pragma once

enum
{
    RIGID_POINTS = 4, // of a manifold
};
