// oriented_measure.c: computes energy, momentum, hash and rotation of oriented particles, and checks that they are
// finite.
#include "core/hash.h"
#include "groups/group.h"
#include "groups/oriented.h"
#include "groups/particle_rotation.h"
#include "model/world.h"

void oriented_measure(const pl_world *w, double *energy, double *angular)
{
    const orient_pose *poses = w->oriented.count ? oriented_poses(w) : NULL;
    for (int64_t k = 0; k < w->oriented.count; k++)
    {
        float weight = inverse_mass(w, w->numbers.slot_of[w->oriented.member[k]]);
        if (!(weight > 0.0f))
            continue;
        const float *s = poses[k].spin;
        mat3 r = quat_axes(quat_load(poses[k].rotation));
        vec spin = vec_of(s[0], s[1], s[2]), l = along_axes(&r, frame_along(w->oriented.inertia[k].inertia), spin);
        double m = 0.2 / (double)weight, own[3] = {m * (double)l.x, m * (double)l.y, m * (double)l.z};
        for (int c = 0; c < 3; c++)
        {
            if (energy)
                *energy += 0.5 * own[c] * (double)s[c];
            if (angular)
                angular[c] += own[c];
        }
    }
}

uint64_t oriented_hash(const pl_world *w, uint64_t h)
{
    const orient_pose *poses = w->oriented.count ? oriented_poses(w) : NULL;
    for (int64_t i = 0; i < w->oriented.count; i++)
    {
        for (int c = 0; c < 4; c++)
            h = hash_float(h, poses[i].rotation[c]);
        for (int c = 0; c < 3; c++)
            h = hash_float(h, poses[i].spin[c]);
    }
    return h;
}

int32_t oriented_trouble(const pl_world *w)
{
    for (int64_t k = 0; k < w->oriented.count; k++)
    {
        const float *s = w->state.oriented.pose[k].spin;
        if (!(s[0] * s[0] + s[1] * s[1] + s[2] * s[2] < 1e30f))
            return w->oriented.member[k];
    }
    return -1;
}

// A particle's own rotation replaces those of its groups.
void oriented_rotate(const pl_world *w, int first, int count, bone *bones)
{
    const orient_pose *poses = w->oriented.count ? oriented_poses(w) : NULL;
    for (int64_t k = 0; k < w->oriented.count; k++)
    {
        int32_t at = w->oriented.member[k] - first;
        if (at < 0 || at >= count)
            continue;
        bones[at] = (bone){0};
        bone_set_rotation(&bones[at], poses[k].rotation, NULL);
        bones[at].own = true;
    }
}
