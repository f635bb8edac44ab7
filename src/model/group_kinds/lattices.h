// lattices.h: defines the lattices of a world: particles on a grid whose overlapping regions keep their shape
// (kernels/lattice_match.h).
#pragma once
#include "model/members.h"
#include "pliant/pliant.h"
#include "kernels/lattice_match.h"

typedef struct lattice_rule
{
    int32_t half; // a region reaches so many cells to each side of its own
    float stiffness;
} lattice_rule;

typedef struct lattices
{
    int64_t count, members;
#define MODEL_LATTICES MODEL_MEMBER
#include "model/columns.def"
} lattices;

// Overlapping regions on lattices. No particle is in two lattices.
typedef struct packed_lattices
{
    int32_t count, members, cells;
    int32_t lines[3]; // lines of cells along each axis
#define PACKED_LATTICES COLUMN_MEMBER
#include "model/columns.def"
} packed_lattices;
