// melt.h: declares how clusters change when particles melt and freeze.
#pragma once
#include "model/world.h"

// A change of clusters in progress. heat.cluster_of holds for each particle number its cluster, or -1.
typedef struct change
{
    pl_world *w;
    heat *h;
    const neighbour_list *near; // of the particles that have a temperature
    int32_t old, clusters;      // number of clusters before, and including new ones
    int64_t members;
} change;

pl_result melt_frame(pl_world *w);              // applies melting and freezing; `was` holds the states before
pl_result melt_open(const change *c);           // reserves the memory
void melt_write(const change *c);               // writes the new members and clusters
void melt_surface(pl_world *w, int32_t number); // sets the contact material of its present state
