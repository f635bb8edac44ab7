// lattice.h: the body-centred cubic lattice of stuffing.c: its points, where its edges are cut, and which points were moved.
//
// A place in it is three whole numbers, all even or all odd, in halves of the spacing; a long edge goes two along one axis, a short
// one goes one along all three.
#pragma once
#include "author/stuffing.h"

#define WAYS 14
extern const int lattice_ways[WAYS][3]; // to a point's neighbours; along long edges first

typedef struct lattice
{
    const solid_field *field;
    double origin[3], spacing;
    int32_t size[3]; // cells; each has a point of even places, its lower corner, and one of odd places, its middle
    int64_t points;
    double *depth;   // at each point: how deep inside, negative outside; far from the surface only the sign is right
    int8_t *sign;    // 1 inside, -1 outside, 0 on the surface
    int32_t *extra;  // inside, with cuts: the number of its block of cuts; on the surface: of its moved place. -1: none
    int32_t *number; // the point's vertex, -1: none yet
    double *cut;     // WAYS a block: how far along the edge, from the inner end, in parts; -1: no cut
    int32_t *cut_number;
    int64_t blocks, cut_capacity, number_capacity;
    double *moved; // 3 each
    int64_t moves, moved_capacity;

    float *x;
    int32_t *tet;
    int64_t vertices, x_capacity, tets, tet_capacity;
} lattice;

int64_t lattice_point(const lattice *l, const int p[3]); // -1: outside
void lattice_place(const lattice *l, int64_t point, int p[3]);
void lattice_position(const lattice *l, const int p[3], double x[3]);

// Chooses origin and size. Then the caller gives room for the points, and has them sampled, cut and moved.
pl_result lattice_lay_out(const char *name, const solid_field *field, double spacing, lattice *l);
void lattice_sample(lattice *l);
pl_result lattice_cut(memory *m, lattice *l);
