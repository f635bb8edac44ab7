// presets.c: see presets.h.
#include "presets.h"

#include <stdio.h>
#include <string.h>

static const struct preset presets[] = {
    {.name = "stiffness",
     .about = "PBD stiffens with every iteration, XPBD does not (Macklin, Mueller, Chentanez 2016)",
     .scene = "stiffness",
     .reference = "converged",
     .vary = {"solver=xpbd,pbd", "iterations=20,40,80,160"},
     .probe = "cloth[390].y"},
    {.name = "newton",
     .about =
         "XPBD against Newton's method on a beam of finite elements: positions and forces (Macklin and others 2016)",
     .scene = "cantilever",
     .reference = "newton",
     .set = "damping=0",
     .frames = 20,
     .vary = {"substeps=1,4,16", "iterations=1,4,16,64,256"},
     .probe = "beam[12].y"},
    {.name = "solvers",
     .about = "every solver on a hanging cloth: error against sweeps and milliseconds",
     .scene = "stiffness",
     .reference = "converged",
     .frames = 20,
     .vary = {"solver=xpbd,jacobi,hybrid,chebyshev,direct", "iterations=1,2,4,8,16,32,64,128"},
     .probe = "cloth[390].y"},
    {.name = "stiff_sheet",
     .about = "every solver on a stiff sheet that falls and hangs by two corners (Mueller 2008)",
     .scene = "stiff_sheet",
     .reference = "converged",
     .set = "cloth.size=[33,33]",
     .frames = 30,
     .vary = {"solver=xpbd,hybrid,chebyshev,hierarchy,direct", "iterations=1,2,4,8,16,32,64"}},
    {.name = "global",
     .about =
         "one factorisation of all constraints against sweeps over them, on a beam of finite elements (Goldenthal and "
         "others 2007)",
     .scene = "cantilever",
     .reference = "newton",
     .set = "damping=0",
     .frames = 20,
     .vary = {"substeps=1,4,16", "solver=xpbd,direct", "iterations=1,2,4,8,16"}},
    {.name = "bar",
     .about = "every solver on a beam of finite elements, against Newton's method",
     .scene = "cantilever",
     .reference = "newton",
     .set = "damping=0",
     .frames = 20,
     .vary = {"substeps=4", "solver=xpbd,jacobi,hybrid,chebyshev,direct", "iterations=1,2,4,8,16,32,64,128"}},
    {.name = "rope",
     .about = "every solver on a rope that falls and hangs between two nails",
     .scene = "rope",
     .reference = "converged",
     .frames = 60,
     .vary = {"substeps=2", "solver=xpbd,jacobi,chebyshev,hierarchy,direct", "iterations=1,2,4,8,16,32,64"},
     .probe = "rope[40].y"},
    {.name = "pile",
     .about = "every solver on soft and rigid bodies that fall on each other, before chance parts the runs",
     .scene = "pile",
     .reference = "fine",
     .frames = 40,
     .vary = {"solver=xpbd,jacobi,chebyshev,direct", "iterations=1,4", "substeps=4,8,16,32"}},
    {.name = "order",
     .about = "first against second order in time: the energy that a swinging chain keeps",
     .scene = "damping",
     .reference = "fine",
     .vary = {"integrator=bdf1,bdf2", "substeps=1,2,4,8,16"},
     .probe = "chain[10].x"},
    {.name = "substeps",
     .about = "many substeps of one iteration against many iterations (Macklin and others 2019)",
     .scene = "flag",
     .reference = "fine",
     .frames = 30,
     .vary = {"iterations=1,4,16", "substeps=1,2,4,8,16,32"}},
    {.name = "ftl_dftl",
     .about = "follow the leader, dynamic and not, and XPBD on a swinging strand (Mueller, Kim, Chentanez 2012)",
     .scene = "ftl",
     .reference = "fine",
     .set = "hair={\"name\": \"dftl\", \"points\": 32, \"length\": 1, \"direction\": [0.3, -1, 0], \"roots\": "
            "[[0, 0, 0]]}",
     .vary = {"hair.solver=ftl,dftl,xpbd", "substeps=1,2,4,8,16"},
     .probe = "dftl[31].x"},
};

const struct preset *preset_find(const char *name)
{
    for (size_t i = 0; i < sizeof presets / sizeof *presets; i++)
    {
        if (strcmp(presets[i].name, name) == 0)
        {
            return &presets[i];
        }
    }
    return NULL;
}

const char *preset_name(int number)
{
    return number < (int)(sizeof presets / sizeof *presets) ? presets[number].name : NULL;
}

void presets_print(void)
{
    for (size_t i = 0; i < sizeof presets / sizeof *presets; i++)
    {
        printf("  %-11s %s\n", presets[i].name, presets[i].about);
    }
}
