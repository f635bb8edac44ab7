// particle_rotation.c: computes a particle's rotation: its own if it is oriented, else the mean of its groups'
// rotations.
#include "groups/group.h"
#include "groups/particle_rotation.h"

#include <math.h>

void bone_set_rotation(bone *b, const float *rotation, const float *columns)
{
    if (b->own)
        return;
    double_quat q = double_quat_of(rotation);
    b->q = double_quat_add(b->q, double_quat_dot(b->q, q) < 0.0 ? -1.0 : 1.0, q);
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            b->shape[3 * r + c] += columns ? (double)columns[3 * c + r] : r == c;
    b->count++;
}

pl_result find_bones(const pl_world *w, int first, int count, bone *bones)
{
    static const float none[4] = {0.0f, 0.0f, 0.0f, 1.0f};
    pl_result result = pull(w, ARRAY_BIT(SLOT_X) | (groups_packed(w) ? ARRAY_BIT(ARRAY_CLUSTERS) : 0));
    if (result != PL_OK)
        return result;
    memset(bones, 0, (size_t)count * sizeof *bones);
    groups_rotate(w, first, count, bones);
    for (int i = 0; i < count; i++)
    {
        bone *b = &bones[i];
        if (b->count == 0)
            bone_set_rotation(b, none, NULL);
        double size = sqrt(double_quat_dot(b->q, b->q));
        b->q =
            size > 0.0 ? double_quat_add((double_quat){{0.0, 0.0, 0.0}, 0.0}, 1.0 / size, b->q) : double_quat_of(none);
        for (int k = 0; k < 9; k++)
            b->shape[k] /= b->count;
    }
    return PL_OK;
}
