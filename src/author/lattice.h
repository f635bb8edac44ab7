// lattice.h: declares the body-centred cubic lattice of stuffing.c: its points, the cuts of its edges, and the points
// that were moved.
//
// A position in it is three integers, all even or all odd, in units of half the spacing. A long edge spans two units
// along one axis, a short one spans one unit along all three.
#pragma once
#include "author/stuffing.h"

#define WAYS 14
extern const int lattice_ways[WAYS][3]; // to a point's neighbours; long edges first

typedef struct lattice
{
    const solid_field *field;
    double origin[3], spacing;
    int32_t size[3]; // in cells; each cell has a point at even positions, its lower corner, and one at odd positions,
                     // its centre
    int64_t points;
    double *depth;   // at each point: depth inside, negative outside; far from the surface only the sign is right
    int8_t *sign;    // 1 inside, -1 outside, 0 on the surface
    int32_t *extra;  // inside points with cuts: the number of its block of cuts; surface points: of its moved position;
                     // -1: none
    int32_t *number; // the vertex of the point; -1: none yet
    double *cut;     // WAYS per block: the fraction along the edge from the inner end; -1: no cut
    int32_t *cut_number;
    int64_t blocks, cut_capacity, number_capacity;
    double *moved; // 3 numbers each
    int64_t moves, moved_capacity;

    float *x;
    int32_t *tet;
    int64_t vertices, x_capacity, tets, tet_capacity;
} lattice;

int64_t lattice_point(const lattice *l, const int p[3]); // -1: outside
void lattice_coordinates(const lattice *l, int64_t point, int p[3]);
void lattice_position(const lattice *l, const int p[3], double x[3]);

// Chooses origin and size. The caller then allocates the points and has them sampled, cut and moved.
pl_result lattice_lay_out(const char *name, const solid_field *field, double spacing, lattice *l);
void lattice_sample(lattice *l);
pl_result lattice_cut(memory *m, lattice *l);
