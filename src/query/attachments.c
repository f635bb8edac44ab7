// attachments.c: reads the forces of attachments.
#include "edit/add.h"
#include "groups/rigids.h"

pl_result pl_attachment_force(const pl_world *w, pl_id attachment, pl_vec3 *force, pl_vec3 *torque)
{
    NEED(w);
    const id_entry *t = id_find(w, attachment, ID_ROWS, "attachment force");
    if (t && t->kind != PL_KIND_ATTACHMENT)
        return fail(PL_ERROR_ARGUMENT,
                    "attachment force: the id names constraints of the kind %s, not an attachment; give the id that "
                    "pl_attach stored",
                    facts_of(t->kind)->info.name);
    pl_result result = t ? pull(w, ARRAY_BIT(ARRAY_MULTIPLIERS) | ARRAY_BIT(SLOT_X)) : PL_ERROR_ARGUMENT;
    if (result != PL_OK)
        return result;
    double f[3] = {0}, m[3] = {0};
    for (int64_t row = t->first; row < t->first + (int64_t)t->count; row++)
    {
        const int32_t *index = w->rows[PL_KIND_ATTACHMENT].index + 2 * row;
        double centre[3], arm[3], push[3];
        slot_place(w, slot_of(w, index[0]), centre);
        slot_place(w, slot_of(w, index[1]), arm);
        for (int c = 0; c < 3; c++)
        {
            push[c] = (double)w->force_scale * (double)row_lambda(w, PL_KIND_ATTACHMENT, row, c);
            arm[c] -= centre[c];
            f[c] += push[c];
        }
        for (int c = 0; c < 3; c++)
            m[c] += arm[(c + 1) % 3] * push[(c + 2) % 3] - arm[(c + 2) % 3] * push[(c + 1) % 3];
    }
    if (force)
        *force = (pl_vec3){(float)f[0], (float)f[1], (float)f[2]};
    if (torque)
        *torque = (pl_vec3){(float)m[0], (float)m[1], (float)m[2]};
    return PL_OK;
}
