// implicit.h: declares solids that are defined by a function, negative inside, and turns them into meshes.
#pragma once
#include "author/solid.h"

enum
{
    IMPLICIT_STATIONS = 128
};

// A point of a tube's axis, and the radius of the tube there.
typedef struct station
{
    double x[3], radius;
} station;

// Lengths are in units of the body's radius. |value| is nowhere larger than the distance to the surface.
typedef struct implicit_solid
{
    void (*lay_tubes)(station *s); // at most IMPLICIT_STATIONS, called once
    double (*value)(const station *s, const double x[3]);
    double low[3], high[3];
    double coarsest; // longer edges would lose thin parts
} implicit_solid;

const implicit_solid *implicit_teapot(void);
const implicit_solid *implicit_octopus(void);

// Makes the surface as a closed mesh centred on the box's middle, with edges of about `edge` [m], or shorter if the
// solid's thin parts need it.
pl_result implicit_mesh(memory *m, const char *name, const implicit_solid *solid, double radius, double edge,
                        pl_mesh *out);
