// colour.c: greedy colouring of constraint rows, in their order.
#include "layout/colour.h"

// Two rows may share a colour when neither moves a particle that the other moves or reads; both may read the same
// particle. The masks hold for each slot one bit a colour: which colours move it, which read it. The row gets the
// lowest colour that fits.
int colour_row(const int32_t *slots, int arity, int writes, int cap, colour_masks m)
{
    uint64_t taken = 0;
    for (int i = 0; i < arity; i++)
        taken |= m.moved[slots[i]] | (i < writes ? m.read[slots[i]] : 0);
    if (taken == UINT64_MAX)
        return COLOUR_CAP;
    int colour = __builtin_ctzll(~taken);
    if (colour >= cap)
        return COLOUR_CAP;
    uint64_t bit = (uint64_t)1 << colour;
    for (int i = 0; i < arity; i++)
        if (i < writes)
            m.moved[slots[i]] |= bit;
        else
            m.read[slots[i]] |= bit;
    return colour;
}
