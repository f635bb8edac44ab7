// main.c: pliant_accuracy: runs the checks named in the arguments, or all of them, and prints their tables as Markdown.
#include "accuracy.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void good(pl_result result)
{
    if (result == PL_OK)
        return;
    fprintf(stderr, "pliant_accuracy: %s\n", pl_error_message());
    exit(1);
}

pl_world *make_world(int substeps, int iterations, int order)
{
    pl_world_def def = pl_default_world_def();
    pl_world *w = NULL;
    def.settings.substeps = substeps;
    def.settings.iterations = iterations;
    def.settings.integrator = order == 2 ? PL_INTEGRATOR_BDF2 : PL_INTEGRATOR_BDF1;
    def.threads = 1;
    good(pl_world_create(&def, &w));
    return w;
}

int add_particle(pl_world *w, double x, double y, double z, double mass)
{
    pl_particles_def def = pl_default_particles_def();
    float at[3] = {(float)x, (float)y, (float)z};
    def.count = 1;
    def.position = at;
    def.mass_each = (float)mass;
    good(pl_add_particles(w, &def, NULL));
    return pl_particle_end(w) - 1;
}

void link_particles(pl_world *w, int a, int b, double length, double compliance)
{
    pl_constraints_def def = pl_default_constraints_def();
    int32_t index[2] = {a, b};
    float rest = (float)length;
    def.count = 1;
    def.index = index;
    def.param = length > 0.0 ? &rest : NULL;
    def.soft.compliance = (float)compliance;
    good(pl_add_constraints(w, &def, NULL));
}

void place_of(const pl_world *w, int particle, double out[3])
{
    float x[3];
    good(pl_get(w, PL_ATTRIBUTE_POSITION, particle, 1, x));
    for (int c = 0; c < 3; c++)
        out[c] = (double)x[c];
}

void step_frames(pl_world *w, int frames)
{
    for (int i = 0; i < frames; i++)
        good(pl_world_step(w, 1.0f / 60.0f));
}

pl_world *world_of(const char *json, ...)
{
    char text[4096];
    va_list values;
    va_start(values, json);
    vsnprintf(text, sizeof text, json, values);
    va_end(values);
    pl_scene *scene = NULL;
    pl_world *w = NULL;
    pl_world_def def = pl_default_world_def();
    def.threads = 1;
    good(pl_scene_parse(text, strlen(text), "check", NULL, 0, &scene));
    good(pl_scene_world(scene, &def, &w));
    pl_scene_free(scene);
    return w;
}

double length3(const double a[3]) { return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]); }

// Solves I w = L by Cramer's rule.
static void solve3(double m[3][3], const double b[3], double out[3])
{
    double det = 0.0;
    for (int i = 0; i < 3; i++)
        det += m[0][i] * (m[1][(i + 1) % 3] * m[2][(i + 2) % 3] - m[1][(i + 2) % 3] * m[2][(i + 1) % 3]);
    for (int i = 0; i < 3; i++)
    {
        double t[3][3], d = 0.0;
        memcpy(t, m, sizeof t);
        for (int r = 0; r < 3; r++)
            t[r][i] = b[r];
        for (int k = 0; k < 3; k++)
            d += t[0][k] * (t[1][(k + 1) % 3] * t[2][(k + 2) % 3] - t[1][(k + 2) % 3] * t[2][(k + 1) % 3]);
        out[i] = det != 0.0 ? d / det : 0.0;
    }
}

motion motion_of(const pl_world *w)
{
    int n = pl_particle_end(w);
    float *x = malloc((size_t)n * 7 * sizeof *x), *v = x + 3 * (size_t)n, *m = v + 3 * (size_t)n;
    motion out = {0};
    good(pl_get(w, PL_ATTRIBUTE_POSITION, 0, n, x));
    good(pl_get(w, PL_ATTRIBUTE_VELOCITY, 0, n, v));
    good(pl_get(w, PL_ATTRIBUTE_MASS, 0, n, m));
    for (int i = 0; i < n; i++)
        for (int c = 0; c < 3; c++)
        {
            double mass = (double)m[i], speed = (double)v[3 * i + c];
            out.mass += c ? 0.0 : mass;
            out.centre[c] += mass * (double)x[3 * i + c];
            out.momentum[c] += mass * speed;
            out.kinetic += 0.5 * mass * speed * speed;
        }
    for (int c = 0; c < 3; c++)
        out.centre[c] /= out.mass, out.velocity[c] = out.momentum[c] / out.mass;
    double inertia[3][3] = {{0}};
    for (int i = 0; i < n; i++)
    {
        double r[3], u[3], mass = (double)m[i];
        for (int c = 0; c < 3; c++)
            r[c] = (double)x[3 * i + c] - out.centre[c], u[c] = (double)v[3 * i + c];
        for (int c = 0; c < 3; c++)
        {
            out.spin[c] += mass * (r[(c + 1) % 3] * u[(c + 2) % 3] - r[(c + 2) % 3] * u[(c + 1) % 3]);
            for (int k = 0; k < 3; k++)
                inertia[c][k] += mass * ((c == k ? r[0] * r[0] + r[1] * r[1] + r[2] * r[2] : 0.0) - r[c] * r[k]);
        }
    }
    solve3(inertia, out.spin, out.turning);
    free(x);
    return out;
}

static const struct
{
    const char *name;
    void (*run)(bool brief);
} checks[] = {
    {"double-pendulum", check_double_pendulum},
    {"distance", check_distance},
    {"drift", check_drift},
    {"incline", check_incline},
    {"bodies", check_free_bodies},
    {"impacts", check_impacts},
    {"stacks", check_stacks},
    {"convergence", check_convergence},
    {"cook", check_cook},
};

static bool is_known(const char *argument)
{
    bool known = !strcmp(argument, "--brief");
    for (size_t k = 0; k < sizeof checks / sizeof *checks; k++)
        known |= !strcmp(argument, checks[k].name);
    return known;
}

int main(int argc, char **argv)
{
    bool brief = false, named = false;
    for (int i = 1; i < argc; i++)
    {
        brief |= !strcmp(argv[i], "--brief");
        named |= argv[i][0] != '-';
    }
    for (int i = 1; i < argc; i++)
        if (!is_known(argv[i]))
        {
            fprintf(stderr, "pliant_accuracy: there is no check %s\n", argv[i]);
            return 2;
        }
    for (size_t k = 0; k < sizeof checks / sizeof *checks; k++)
    {
        bool wanted = !named;
        for (int i = 1; i < argc; i++)
            wanted |= !strcmp(argv[i], checks[k].name);
        if (wanted)
            checks[k].run(brief);
        fflush(stdout);
    }
    return 0;
}
