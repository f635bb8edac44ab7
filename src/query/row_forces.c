// row_forces.c: see row_forces.h.
#include "query/row_forces.h"

#include "edit/add.h"

int64_t row_forces(const pl_world *w, double *out, int64_t capacity)
{
    int64_t count = 0;
    if (pull(w, ARRAY_BIT(ARRAY_MULTIPLIERS)) != PL_OK)
        return 0;
    for (int kind = 0; kind < PL_KIND_COUNT; kind++)
        for (int64_t row = 0; row < w->rows[kind].count; row++)
            for (int part = 0; w->rows[kind].soft[row].compliance > 0.0f && part < facts_of(kind)->info.parts;
                 part++, count++)
                if (count < capacity)
                    out[count] = (double)w->force_scale * (double)row_lambda(w, kind, row, part);
    return count;
}
