// stuffing.h: fills a solid with tetrahedra that are all well shaped, whatever the solid.
//
// The points of a body-centred cubic lattice form congruent tetrahedra. Each of their edges that crosses the surface
// gets a cut point. A cut point too near to an end of its edge would make slivers, so that end is moved onto the
// surface instead. The part of each tetrahedron that is inside is a tetrahedron, a pyramid or a prism, and is cut by a
// fixed rule.
//   Labelle, Shewchuk 2007: Isosurface stuffing: fast tetrahedral meshes with good dihedral angles.
#pragma once
#include "author/solid.h"

#define STUFFING_LIMIT ((int64_t)1 << 26) // the most lattice points

// The least distance of a cut point from an end of its edge, as a part of the edge. Over all positions of all cuts and
// moved points, these give dihedral angles between 10.6 and 164.3 degrees (tests/author/test_stuffing.c tries them).
#define ALPHA_LONG 0.283
#define ALPHA_SHORT 0.4

// Adds vertices and tetrahedra to `out`, which is empty. spacing: the lattice's long edge [m]; the short ones are 0.87
// of it.
pl_result stuff_solid(memory *m, const char *name, const solid_field *field, double spacing, pl_tets *out);

// ---- one cell, for stuffing.c and its test -------------------------------------------------------------------------

// A tetrahedron of the lattice. Its long edges join corners 0 and 1, and 2 and 3.
typedef struct stuffing_cell
{
    int sign[4]; // 1: inside, -1: outside, 0: on the surface
    int odd[4];  // the parity of a corner's position in the lattice: the ends of a long edge differ
    double x[4][3];
    double cut[4][4][3]; // [inside][outside]: where their edge meets the surface
} stuffing_cell;

// A corner of the remaining part of a cell: corner `a` itself (b = a), or the cut on the edge from a to b.
typedef struct stuffing_corner
{
    int a, b;
} stuffing_corner;

enum
{
    STUFFING_MOST = 3
};

// Cuts a cell into at most STUFFING_MOST tetrahedra of positive volume. Returns how many.
int stuff_cell(const stuffing_cell *c, stuffing_corner out[STUFFING_MOST][4]);
// Returns the cosines of the smallest and of the largest dihedral angle of a tetrahedron.
void dihedral_range(const double *const p[4], double *smallest, double *largest);
