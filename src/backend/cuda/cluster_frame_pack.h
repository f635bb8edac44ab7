// cluster_frame_pack.h: how the slots, rows and faces of a small scene are distributed over the blocks of a cluster
// (cluster_frame_pack.cu).
#pragma once
#include "backend/cuda/cluster_frame.h"

// Rows of one kind and colour.
struct cluster_run
{
    int32_t kind, begin, end;
};

#define CLUSTER_NOWHERE 0xffffffffu // padding

// Where everything goes. address, row and face hold addresses (cluster_frame.h).
struct cluster_layout
{
    uint32_t *address; // for each slot
    int32_t *slot;     // the slots, block by block
    uint32_t *row;     // for each row, run after run
    uint32_t *face;
    cluster_stretch *stretch; // for each run and block
};

// Distributes the scene, and sets the sizes in *f. False: there is no memory.
bool lay_out_cluster(const device *d, const cluster_run *runs, cluster_frame *f, cluster_layout *l);
void free_layout(cluster_layout *l);
void draw_cluster(const device *d, const cluster_run *runs, const cluster_frame *f, const cluster_layout *l,
                  char *images);
