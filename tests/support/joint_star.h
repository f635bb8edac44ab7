// joint_star.h: ball joints of every form: a hub with so many of them that they are solved the Jacobi way, and a chain that is coloured.
#ifndef PLIANT_TESTS_JOINT_STAR_H
#define PLIANT_TESTS_JOINT_STAR_H

#include <pliant/pliant.h>

#include <math.h>
#include <stdlib.h>

// Adds 1 + spokes + links oriented particles, the first of the chain held, and a joint less than that. Returns the first failure.
static inline pl_result add_joint_star(pl_world *w, int spokes, int links, pl_id *joints)
{
    int bodies = 1 + spokes + links;
    float *x = malloc(sizeof *x * 4 * (size_t)bodies), *mass = x + 3 * bodies;
    int32_t *ends = malloc(sizeof *ends * 3 * (size_t)bodies), *every = ends + 2 * bodies;
    for (int i = 0; i < bodies; i++)
    {
        double angle = 2.0 * 3.14159265358979 * i / spokes;
        x[3 * i] = i == 0 ? 0.0f : i <= spokes ? (float)cos(angle) : 3.0f + 0.2f * (float)((i - spokes) % 300);
        x[3 * i + 1] = i == 0 ? 0.0f : i <= spokes ? (float)sin(angle) : 1.0f;
        x[3 * i + 2] = i <= spokes ? 0.0f : 0.2f * (float)((i - spokes) / 300); // a long chain in rows
        mass[i] = i == 0 ? 5.0f : i == spokes + 1 ? 0.0f : 0.3f;
        every[i] = i;
        if (i)
            ends[2 * i - 2] = i <= spokes ? 0 : i == spokes + 1 ? spokes : i - 1, ends[2 * i - 1] = i;
    }
    pl_particles_def particles = pl_default_particles_def();
    pl_orient_def turns = pl_default_orient_def();
    pl_constraints_def def = pl_default_constraints_def();
    pl_id id;
    particles.count = bodies, particles.position = x, particles.mass = mass;
    turns.count = bodies, turns.particles = every, turns.radii_each = (pl_vec3){0.1f, 0.05f, 0.02f};
    def.kind = PL_KIND_BALL_JOINT, def.count = bodies - 1, def.index = ends, def.soft.compliance = 1e-7f;
    pl_result result = pl_add_particles(w, &particles, &id);
    if (result == PL_OK)
        result = pl_orient(w, &turns, &id);
    if (result == PL_OK)
        result = pl_add_constraints(w, &def, joints);
    free(x);
    free(ends);
    return result;
}

#endif
