// strands.h: defines the strands of a world: chains of particles such as hairs, each solved in one pass from its root
// (kernels/strand.h). A strand's members are its carriers, three particles that hold its root, or none, and then its
// points, the root first.
#pragma once
#include "model/members.h"
#include "pliant/pliant.h"

enum
{
    STRAND_CARRIERS = 3,
};

typedef struct strand_form
{
    int32_t solver;   // pl_strand_solver
    float correction; // of PL_STRAND_DFTL: the share of a pull that the point above gets back as velocity
} strand_form;

// Strands are sorted by solver, then by the number of points, then by number.
typedef struct strand_order
{
    int32_t solver, points, strand;
} strand_order;

typedef struct strands
{
    int64_t count, members; // members: of all strands together
    int64_t sorted;         // strands in `order`, which belongs to the packed form; 0 after a load
#define MODEL_STRANDS MODEL_MEMBER
#include "model/columns.def"
    int32_t blocks, rows; // of the packed form; strands_size counts them
} strands;

// PAD strands of one solver lie side by side in a block, one in each lane; row k of a block has the k-th point of each of
// them. A strand with fewer points than others of its block repeats its last one, with lengths of 0. Blocks are sorted by
// solver; the last one of a solver may have lanes with dummy slots.
typedef struct packed_strands
{
    int32_t count, blocks, rows;           // count: PAD for each block; rows: of all blocks together
    int32_t solver[PL_STRAND_SOLVERS + 1]; // for each solver its first lane
    int32_t carried;                       // some strand has carriers
#define PACKED_STRANDS COLUMN_MEMBER
#include "model/columns.def"
} packed_strands;
