// convergence.c: what too few iterations do to forces, and what pl_world_convergence says of it without knowing the truth.
#include "accuracy.h"

#include <math.h>
#include <stdio.h>

enum
{
    SETTINGS = 6,
    STRING = 40, // segments
};

static const int settings[SETTINGS][2] = {{20, 1}, {20, 2}, {20, 4}, {20, 16}, {80, 1}, {80, 2}};

// What one case gives at some settings: the part of its stiffness that is missing, and what is estimated and expected.
typedef struct outcome
{
    double figure, measured, expected;
    int substeps, iterations; // advised for 5 %
} outcome;

typedef outcome run_case(int size, int substeps, int iterations);

static void measure(const pl_world *w, outcome *out)
{
    pl_convergence c = pl_world_convergence(w);
    out->measured = c.force_error;
    out->substeps = c.substeps;
    out->iterations = c.iterations;
}

static pl_world *rest(pl_world *w, int frames, outcome *out)
{
    out->expected = pl_world_expected_convergence(w, 1.0f / 60.0f).force_error;
    step_frames(w, frames);
    measure(w, out);
    return w;
}

// 1 over the sag of a cloth that hangs from its top edge.
static outcome hang_cloth(int size, int substeps, int iterations)
{
    outcome out;
    double x[3];
    pl_world *w = rest(
        world_of(
            "{\"substeps\":%d,\"iterations\":%d,\"damping\":8,\"cloth\":{\"size\":[%d,%d],\"width\":1,\"height\":1,"
            "\"mass\":0.3,\"stretch\":{\"compliance\":0.002},\"shear\":{\"compliance\":0.004},\"bending\":\"none\","
            "\"drag\":0,\"pinned\":\"top\"}}",
            substeps, iterations, size, size),
        150, &out);
    place_of(w, pl_particle_end(w) - size / 2, x);
    out.figure = -1.0 / (1.0 + x[1]);
    pl_world_destroy(w);
    return out;
}

// 1 over the sag of the free end of a beam of tetrahedra.
static outcome bend_beam(int size, int substeps, int iterations)
{
    outcome out;
    double x[3];
    pl_world *w =
        rest(world_of("{\"substeps\":%d,\"iterations\":%d,\"damping\":6,\"bar\":{\"cells\":[%d,3,2],\"origin\":[0,0,0],"
                      "\"size\":[1,0.25,0.2],\"mass\":2,\"model\":\"stvk\",\"elastic\":{\"young\":1e5,\"poisson\":0.3},"
                      "\"pin_start\":true}}",
                      substeps, iterations, size),
             300, &out);
    place_of(w, size, x);
    out.figure = -1.0 / x[1];
    pl_world_destroy(w);
    return out;
}

// The pressure in a balloon.
static outcome blow_balloon(int size, int substeps, int iterations)
{
    outcome out;
    pl_volume_state state = {0};
    pl_world *w = rest(world_of("{\"substeps\":%d,\"iterations\":%d,\"damping\":3,\"gravity\":[0,0,0],\"body\":{"
                                "\"kind\":\"balloon\",\"form\":\"sphere\",\"radius\":0.35,\"edge\":%g,\"mass\":0.3,"
                                "\"pressure\":1.5,\"stretch\":{\"compliance\":1e-3}}}",
                                substeps, iterations, 0.01 * size),
                       60, &out);
    for (uint32_t i = 1; i < 100 && state.rest == 0.0f; i++) // the scene made it, so its id is not known here
        if (pl_get_volume(w, (pl_id){i, 1}, &state) != PL_OK)
            state.rest = 0.0f;
    out.figure = (double)state.force;
    pl_world_destroy(w);
    return out;
}

// The squared frequency of a string of 10 g that is stretched by 0.5 % to 1 m, against sqrt(T/(m l)) sin(pi/2n)/pi, where
// T is its tension, m the mass of a segment and l its length.
static outcome swing_string(int size, int substeps, int iterations)
{
    outcome out;
    const double tension = 0.36, length = 1.0 / STRING, mass = 0.01 / STRING, pi = 3.14159265358979;
    pl_world *w = make_world(substeps, iterations, 2);
    pl_settings s = pl_world_settings(w);
    s.gravity = (pl_vec3){0, 0, 0};
    good(pl_world_set_settings(w, &s));
    for (int i = 0; i <= STRING; i++)
        add_particle(w, i * length, 2e-3 * sin(pi * i / STRING), 0.0, i % STRING ? mass : 0.0);
    int32_t index[2 * STRING];
    float lengths[STRING];
    for (int i = 0; i < STRING; i++)
        index[2 * i] = i, index[2 * i + 1] = i + 1, lengths[i] = (float)(length / 1.005);
    pl_constraints_def def = pl_default_constraints_def();
    def.count = STRING;
    def.index = index;
    def.param = lengths;
    def.soft.compliance = (float)(length * (1.0 - 1.0 / 1.005) / tension);
    good(pl_add_constraints(w, &def, NULL));
    out.expected = pl_world_expected_convergence(w, 1.0f / 60.0f).force_error;
    double before = 2e-3, first = 0.0, last = 0.0, x[3];
    int crossings = 0;
    for (int i = 1; i <= size * 60; i++)
    {
        step_frames(w, 1);
        place_of(w, STRING / 2, x);
        if ((x[1] < 0.0) != (before < 0.0))
        {
            last = i - x[1] / (x[1] - before);
            first = crossings++ ? first : last;
        }
        before = x[1];
    }
    measure(w, &out);
    double frequency = 30.0 * (crossings - 1) / (last - first),
           truth = sqrt(tension / (mass * length)) * sin(pi / 2 / STRING) / pi;
    out.figure = frequency * frequency / (truth * truth);
    pl_world_destroy(w);
    return out;
}

typedef struct example
{
    const char *name;
    run_case *run;
    int size;
    bool long_run; // not in a brief run
    int truth[2];  // settings for the truth; 0: the figure is relative to it
} example;

static const example examples[] = {
    {"sag of a cloth of 20 across", hang_cloth, 20, false, {150, 4}},
    {"sag of a cloth of 40 across", hang_cloth, 40, false, {150, 4}},
    {"sag of a cloth of 80 across", hang_cloth, 80, true, {150, 4}},
    {"sag of a cloth of 120 across", hang_cloth, 120, true, {150, 4}},
    {"frequency of a string, squared", swing_string, 4, false, {0}},
    {"pressure of a balloon", blow_balloon, 6, false, {80, 16}},
    {"sag of a beam of 360 tetrahedra", bend_beam, 12, false, {80, 16}},
};
enum
{
    EXAMPLES = sizeof examples / sizeof *examples
};

void check_convergence(bool brief)
{
    double truth[EXAMPLES];
    outcome first[EXAMPLES];
    printf("| stiffness that is missing [%%]: true / measured / expected |");
    for (int i = 0; i < SETTINGS; i++)
        printf(" %d x %d |", settings[i][0], settings[i][1]);
    printf("\n| --- | --- | --- | --- | --- | --- | --- |\n");
    for (int k = 0; k < EXAMPLES; k++)
    {
        const example *e = &examples[k];
        if (brief && e->long_run)
            continue;
        truth[k] = e->truth[0] ? e->run(e->size, e->truth[0], e->truth[1]).figure : 1.0;
        printf("| %s |", e->name);
        for (int i = 0; i < SETTINGS; i++)
        {
            outcome o = e->run(e->size, settings[i][0], settings[i][1]);
            printf(" %.1f / %.1f / %.1f |", 100.0 * (1.0 - o.figure / truth[k]), 100.0 * o.measured,
                   100.0 * o.expected);
            first[k] = i ? first[k] : o;
        }
        printf("\n");
    }
    printf(
        "\n| advice after a run of 20 x 1 | for 5 %% | true error [%%] | twice the iterations, for 1 %% | true error "
        "[%%] |\n| --- | --- | --- | --- | --- |\n");
    for (int k = 0; k < EXAMPLES; k++)
    {
        const example *e = &examples[k];
        if (brief && e->long_run)
            continue;
        printf("| %s |", e->name);
        for (int times = 1; times <= 2; times++)
        {
            int substeps = first[k].substeps, iterations = times * first[k].iterations;
            printf(" %d x %d | %.2f |", substeps, iterations,
                   100.0 * (1.0 - e->run(e->size, substeps, iterations).figure / truth[k]));
        }
        printf("\n");
    }
    printf("\n");
}
