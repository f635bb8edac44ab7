// bodies.c: what free bodies keep, and what they must not gain.
#include "accuracy.h"

#include <math.h>
#include <stdio.h>

static void set_velocities(pl_world *w, const double v[3], const double turning[3])
{
    motion m = motion_of(w);
    for (int i = 0; i < pl_particle_end(w); i++)
    {
        double x[3], r[3];
        float u[3];
        place_of(w, i, x);
        for (int c = 0; c < 3; c++)
            r[c] = x[c] - m.centre[c];
        for (int c = 0; c < 3; c++)
            u[c] = (float)(v[c] + turning[(c + 1) % 3] * r[(c + 2) % 3] - turning[(c + 2) % 3] * r[(c + 1) % 3]);
        good(pl_set(w, PL_ATTRIBUTE_VELOCITY, i, 1, u));
    }
}

static const char *const free_bodies[] = {
    "rigid box",
    "{\"gravity\":[0,0,0],\"substeps\":%d,\"integrator\":\"%s\",\"body\":{\"form\":\"box\",\"size\":[0.4,0.3,0.2],"
    "\"kind\":\"rigid\","
    "\"spacing\":0.1,\"position\":[1,2,3]}}",
    "cloth",
    "{\"gravity\":[0,0,0],\"substeps\":%d,\"integrator\":\"%s\",\"cloth\":{\"size\":[11,11],\"width\":1,\"height\":1,"
    "\"origin\":[1,2,3],\"mass\":0.2}}",
    "elastic bar",
    "{\"gravity\":[0,0,0],\"substeps\":%d,\"integrator\":\"%s\",\"bar\":{\"cells\":[6,2,2],\"origin\":[1,2,3],\"size\":"
    "[0.6,0.2,0.2],"
    "\"model\":\"neo_hookean\",\"elastic\":{\"young\":1e5,\"poisson\":0.3}}}",
};

void check_free_bodies(bool brief)
{
    printf("| free body, 0.1 m/s and 1 rad/s, %s | velocity off by [%%] | angular momentum [%%] | kinetic energy [%%] "
           "|\n| --- | --- | --- | --- |\n",
           brief ? "60 s" : "600 s");
    for (int k = 0; k < 6; k += 2)
        for (int order = 1; order <= 2; order++)
            for (int substeps = 20; substeps <= 60; substeps += 40)
            {
                pl_world *w = world_of(free_bodies[k + 1], substeps, order == 2 ? "bdf2" : "bdf1");
                const double v[3] = {0.1, 0.0, 0.0}, turning[3] = {0.0, 0.0, 1.0};
                set_velocities(w, v, turning);
                motion from = motion_of(w);
                step_frames(w, brief ? 3600 : 36000);
                motion to = motion_of(w);
                double off[3], lost[3];
                for (int c = 0; c < 3; c++)
                    off[c] = to.velocity[c] - from.velocity[c], lost[c] = to.spin[c] - from.spin[c];
                printf("| %s, BDF%d, %d substeps | %.5f | %.5f | %.5f |\n", free_bodies[k], order, substeps,
                       100.0 * length3(off) / length3(from.velocity), 100.0 * length3(lost) / length3(from.spin),
                       100.0 * (to.kinetic / from.kinetic - 1.0));
                pl_world_destroy(w);
            }
    printf("\n| balloon at rest, undamped, %s | angular velocity [rad/s] | kinetic energy [J] |\n| --- | --- | --- |\n",
           brief ? "10 s" : "60 s");
    for (int order = 1; order <= 2; order++)
    {
        pl_world *w =
            world_of("{\"gravity\":[0,0,0],\"substeps\":20,\"integrator\":\"%s\",\"body\":{\"form\":\"sphere\","
                     "\"radius\":0.35,\"edge\":0.1,\"kind\":\"balloon\",\"mass\":0.3,\"stretch\":{\"compliance\":1e-3},"
                     "\"pressure\":1.5}}",
                     order == 2 ? "bdf2" : "bdf1");
        step_frames(w, brief ? 600 : 3600);
        motion m = motion_of(w);
        printf("| pressure 1.5, BDF%d | %.5f | %.3g |\n", order, length3(m.turning), m.kinetic);
        pl_world_destroy(w);
    }
    printf("\n");
}
