// cook.h: Cook's membrane: a slab with the outline of a trapezoid, held at its left side and sheared at its right one.
#ifndef BENCH_COOK_H
#define BENCH_COOK_H

#include "pliant/pliant.h"

#include <stdint.h>

// n x n x n/3 cells; metres.
typedef struct slab
{
    int cells[3], vertices, tets;
    double *x;       // 3 for each vertex
    double *load;    // the share of the shear force of each vertex
    int32_t *tet;    // five for each cell, as in a bar
    int32_t *corner; // eight for each cell, numbered by bits: 1 for x, 2 for y, 4 for z
} slab;

slab make_slab(int n);
void free_slab(slab *s);

// What the volume of a linear finite element model is resisted by.
enum cook_model
{
    COOK_TETS,    // each tetrahedron
    COOK_PATCHES, // the patches
    COOK_HEXES,   // hexahedra with one mean volume each, which do not lock
};

// The displacement along y, weighted by the load, times E/force, of linear elasticity in double precision.
double linear_deflection(const slab *s, enum cook_model model, const pl_patches *patches, double nu);

#endif
