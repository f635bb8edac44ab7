// implicit.h: solids that are written as a function, negative inside, and made into meshes.
#pragma once
#include "author/solid.h"

enum
{
    IMPLICIT_STATIONS = 128
};

// A point of a tube's axis, and how thick the tube is there.
typedef struct station
{
    double x[3], radius;
} station;

// Units are the radius of the body. Nowhere is |value| more than the distance to the surface.
typedef struct implicit_solid
{
    void (*lay_tubes)(station *s); // at most IMPLICIT_STATIONS, once
    double (*value)(const station *s, const double x[3]);
    double low[3], high[3];
    double coarsest; // longer edges would lose its thin parts
} implicit_solid;

const implicit_solid *implicit_teapot(void);
const implicit_solid *implicit_octopus(void);

// The surface as a closed mesh around the box's middle, with edges of about `edge` [m], or as long as the solid's parts bear.
pl_result implicit_mesh(memory *m, const char *name, const implicit_solid *solid, double radius, double edge,
                        pl_mesh *out);
