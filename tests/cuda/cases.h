// cases.h: what is compared: worlds made by code, and scenes with values set, each with what is done to it while it runs.
#pragma once
#include "worlds.h"

typedef struct test_case
{
    const char *name;
    void (*build)(pl_world *w);
    int frames, substeps, iterations;
    pl_solver solver;
    pl_integrator integrator;
    float internal_damping;
    void (*edit)(pl_world *w, int frame);
} test_case;

typedef struct scene_case
{
    const char *name, *scene;
    int frames;
    const char *sets[8];
    void (*meddle)(pl_world **w, int frame, pl_backend backend);
} scene_case;

// Full: everything, for a GPU. Small: every scene as small as it still has all that it shows, for compute-sanitizer and for machines without a GPU.
typedef struct case_set
{
    const test_case *worlds;
    int world_count;
    const scene_case *scenes;
    int scene_count;
} case_set;
extern const case_set full_cases, small_cases;
