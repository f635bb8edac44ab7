// masses.c: scenes in which nothing can move, everything falls, or masses differ too much.
#include "advice.h"

#include <float.h>
#include <stdlib.h>

void advise_masses(struct advice *a)
{
    int count = pl_particle_end(a->world), held = 0;
    float *mass = malloc(((size_t)count + 1) * sizeof *mass), least = FLT_MAX, most = 0.0f;
    if (!mass || pl_get(a->world, PL_ATTRIBUTE_MASS, 0, count, mass) != PL_OK)
    {
        free(mass);
        return;
    }
    for (int i = 0; i < count; i++)
    {
        held += mass[i] == 0.0f;
        least = mass[i] > 0.0f && mass[i] < least ? mass[i] : least;
        most = mass[i] > most ? mass[i] : most;
    }
    free(mass);
    pl_vec3 g = pl_world_settings(a->world).gravity;
    bool weighs = g.x != 0.0f || g.y != 0.0f || g.z != 0.0f;
    if (count == 0)
    {
        advise(a, "no particles; add a cloth, a rope, a bar or particles");
    }
    if (most > least * 1e4f)
    {
        advise(a, "masses differ by a factor of %.0f; use many substeps rather than many iterations",
               (double)(most / least));
    }
    if (count > 0 && held == count)
    {
        advise(a, "every particle is held; nothing can move");
    }
    bool floating = held == 0 && pl_shape_count(a->world) == 0 && pl_constraint_count(a->world, PL_KIND_PIN) == 0;
    if (count > held && floating && weighs)
    {
        advise(a, "nothing is held in place and there is no ground, so everything falls for %.1f s",
               (double)a->dt * a->scene->frames);
    }
}
