// stiffness.h: how stiff a row is for the masses that it moves.
#pragma once
#include "model/world.h"

// The stiffness of a row: elastic is W/compliance [1/s^2], viscous is W damping [1/s], with W = sum w |grad C|^2 at the
// present positions. W/compliance is the square of the angular frequency at which the row would vibrate if its points
// were free.
typedef struct row_rates
{
    double elastic, viscous;
} row_rates;

// Returns the rates of a row; of a block, their mean over the parts. Both 0: the row is rigid, broken, moves nothing,
// or is a pin or a joint.
row_rates rates_of_row(const pl_world *w, int kind, int64_t row);
