// distance.c: what happens far from the origin: the period of a pendulum, the sag of a beam, a slow drift, a slide down an incline.
#include "accuracy.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double far_away[] = {0.0, 10.0, 100.0, 1000.0};

enum
{
    FAR = sizeof far_away / sizeof *far_away,
};

// The period of a pendulum of 1 m let go at 0.5 rad, from its crossings of the vertical.
static double period(double at, int substeps, int order)
{
    pl_world *w = make_world(substeps, 1, order);
    int a = add_particle(w, at, at, 0.0, 0.0), b = add_particle(w, at + sin(0.5), at - cos(0.5), 0.0, 1.0);
    link_particles(w, a, b, 1.0, 0.0);
    double last = 1.0, first = 0.0, end = 0.0, x[3], o[3];
    int crossings = 0;
    for (int frame = 1; frame <= 1200; frame++)
    {
        step_frames(w, 1);
        place_of(w, b, x);
        place_of(w, a, o);
        double now = x[0] - o[0];
        if (last > 0.0 && now <= 0.0)
        {
            double time = (frame - now / (now - last)) / 60.0;
            first = crossings++ ? first : time;
            end = time;
        }
        last = now;
    }
    pl_world_destroy(w);
    return crossings > 1 ? (end - first) / (crossings - 1) : NAN;
}

// By the arithmetic-geometric mean.
static double true_period(void)
{
    double a = 1.0, g = cos(0.25);
    for (int i = 0; i < 10; i++)
    {
        double next = 0.5 * (a + g);
        g = sqrt(a * g), a = next;
    }
    return 2.0 * acos(-1.0) / (sqrt(9.81) * a);
}

static double sag(double at, int substeps)
{
    pl_world *w =
        world_of("{\"substeps\":%d,\"iterations\":4,\"damping\":6,\"bar\":{\"cells\":[12,3,2],\"origin\":[%.9g,%.9g,0],"
                 "\"size\":[1,0.25,0.2],\"mass\":2,\"model\":\"stvk\",\"elastic\":{\"young\":1e5,\"poisson\":0.3},"
                 "\"pin_start\":true}}",
                 substeps, at, at);
    double x[3], then[3];
    place_of(w, 12, then);
    step_frames(w, 360);
    place_of(w, 12, x);
    pl_world_destroy(w);
    return then[1] - x[1];
}

void check_distance(bool brief)
{
    printf("| distance from the origin | 0 m | 10 m | 100 m | 1 km |\n| --- | --- | --- | --- | --- |\n");
    for (int order = 1; order <= 2; order++)
        for (int substeps = 20; substeps <= 40; substeps += 20)
        {
            printf("| period of a pendulum, BDF%d, %d substeps: off by [%%] |", order, substeps);
            for (int i = 0; i < FAR; i++)
                printf(" %.3f |", 100.0 * (period(far_away[i], substeps, order) / true_period() - 1.0));
            printf("\n");
        }
    for (int substeps = 20; substeps <= (brief ? 20 : 80); substeps *= 4)
    {
        double near = sag(0.0, substeps);
        printf("| sag of a beam, %d x 4: off its own at 0 m by [%%] |", substeps);
        for (int i = 0; i < FAR; i++)
            printf(" %.3f |", 100.0 * (sag(far_away[i], substeps) / near - 1.0));
        printf("\n");
    }
    printf("\n");
}

void check_drift(bool brief)
{
    printf("| a particle drifts at 1 mm/s | 0 m | 10 m | 100 m | 1 km |\n| --- | --- | --- | --- | --- |\n");
    for (int order = 1; order <= 2; order++)
    {
        printf("| BDF%d, 20 substeps: speed over %d s, off by [%%] |", order, brief ? 60 : 600);
        for (int i = 0; i < FAR; i++)
        {
            int frames = brief ? 3600 : 36000;
            pl_world *w = make_world(20, 1, order);
            pl_settings s = pl_world_settings(w);
            s.gravity = (pl_vec3){0};
            good(pl_world_set_settings(w, &s));
            int p = add_particle(w, far_away[i], 0.0, 0.0, 1.0);
            float v[3] = {1e-3f, 0.0f, 0.0f};
            double from[3], x[3];
            good(pl_set(w, PL_ATTRIBUTE_VELOCITY, p, 1, v));
            place_of(w, p, from);
            step_frames(w, frames);
            place_of(w, p, x);
            printf(" %.3f |", 100.0 * ((x[0] - from[0]) / (1e-3 * frames / 60.0) - 1.0));
            pl_world_destroy(w);
        }
        printf("\n");
    }
    printf("\n");
}

// A grain on an incline of 30 degrees with mu = 0.3: a = g (sin - mu cos).
static double slide(double at, int substeps)
{
    double c = cos(acos(-1.0) / 6.0), s = 0.5;
    pl_world *w =
        world_of("{\"substeps\":%d,\"shape\":{\"kind\":\"plane\",\"position\":[%.9g,%.9g,0],\"rotation\":[0,0,-30],"
                 "\"material\":{\"kinetic_friction\":0.3,\"static_friction\":0.3}},"
                 "\"grains\":{\"size\":[1,1,1],\"origin\":[%.9g,%.9g,0],\"radius\":0.05,\"mass\":1,"
                 "\"material\":{\"kinetic_friction\":0.3,\"static_friction\":0.3}}}",
                 substeps, at, at, at + 0.05 * s, at + 0.05 * c);
    double way[2];
    step_frames(w, 60);
    float v0[3], v[3];
    good(pl_get(w, PL_ATTRIBUTE_VELOCITY, 0, 1, v0));
    step_frames(w, 120);
    good(pl_get(w, PL_ATTRIBUTE_VELOCITY, 0, 1, v));
    way[0] = (double)v[0] - (double)v0[0], way[1] = (double)v[1] - (double)v0[1];
    pl_world_destroy(w);
    return hypot(way[0], way[1]) / 2.0 / (9.81 * (s - 0.3 * c)) - 1.0;
}

void check_incline(bool brief)
{
    printf("| a grain slides down an incline | 0 m | 10 m | 100 m | 1 km |\n| --- | --- | --- | --- | --- |\n");
    for (int substeps = 10; substeps <= (brief ? 40 : 160); substeps *= 2)
    {
        printf("| %d substeps: acceleration off by [%%] |", substeps);
        for (int i = 0; i < FAR; i++)
            printf(" %.3f |", 100.0 * slide(far_away[i], substeps));
        printf("\n");
    }
    printf("\n");
}
