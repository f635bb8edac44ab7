// stiffness.c: computes how stiff rows are for the masses that they move.
#include "query/stiffness.h"

#include "query/row_weight.h"

row_rates rates_of_row(const pl_world *w, int kind, int64_t row)
{
    const kind_facts *k = facts_of(kind);
    const rows *r = &w->rows[kind];
    double compliance = (double)r->soft[row].compliance, x[PL_MAX_ARITY][4] = {{0}}, param[PL_MAX_PARAMS] = {0};
    if (k->info.arity < 2 || !(compliance > 0.0) || row_broken(r, row))
        return (row_rates){0};
    const float *origin = NULL;
    for (int i = 0; i < k->info.arity; i++)
    {
        int32_t slot = w->numbers.slot_of[r->index[row * k->info.arity + i]];
        const float *from = w->state.slot[SLOT_X] + 4 * (size_t)slot;
        origin = origin ? origin : from;
        for (int c = 0; c < 3; c++)
            x[i][c] = (double)from[c] - (double)origin[c];
        x[i][3] = i < k->writes ? (double)inverse_mass(w, slot) : 0.0;
    }
    for (int i = 0; i < k->info.params; i++)
        param[i] = (double)r->param[row * k->info.params + i];
    double weight = row_weight(kind, (const double(*)[4])x, param);
    if (!(weight > 0.0 && CHECK_FINITE(weight)))
        return (row_rates){0};
    return (row_rates){weight / compliance, weight * (double)r->soft[row].damping};
}
