// cluster_frame_pack.h: how the slots, rows and faces of a small scene are distributed over the blocks of a cluster
// (cluster_frame_pack.cu).
#pragma once
#include "backend/cuda/cluster_frame.h"

// Rows of one kind and colour.
struct small_run
{
    int32_t kind, begin, end;
};

#define SMALL_NOWHERE 0xffffffffu // padding

// Where everything goes. place, row and face hold places (cluster_frame.h).
struct small_layout
{
    uint32_t *place; // for each slot
    int32_t *slot;   // the slots, block by block
    uint32_t *row;   // for each row, run after run
    uint32_t *face;
    small_stretch *stretch; // for each run and block
};

// Distributes the scene, and sets the sizes in *f. False: there is no memory.
bool lay_out_small(const device *d, const small_run *runs, small_frame *f, small_layout *l);
void free_layout(small_layout *l);
void draw_small(const device *d, const small_run *runs, const small_frame *f, const small_layout *l, char *images);
