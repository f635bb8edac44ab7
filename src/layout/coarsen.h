// coarsen.h: makes a coarser graph of a graph of lengths: fewer nodes, and for each pair of neighbours among them an upper
// bound on their distance (kernels/hierarchy.h). Only lengths are read, never positions, so that the result depends on
// the constraints alone, and a snapshot that is loaded gives the same again.
#pragma once
#include "core/memory.h"

#include <stdbool.h>
#include <stdint.h>

enum
{
    COARSE_PARENTS = 4, // coarse nodes that move a finer one, at most
};

// Both directions of an edge are listed; the neighbours of a node are in ascending order.
typedef struct length_graph
{
    int32_t nodes;
    int64_t edges, *start; // start: for each node its first edge, and one more
    int32_t *to;
    float *length;   // m
    float *give;     // how much longer the edge may be for each m/s^2 of gravity
    bool *redundant; // a path over two shorter edges is hardly longer: graph_prune
    bool *pinned;    // node does not move
    float *mass;     // kg; 0 if pinned
    int32_t *parent; // COARSE_PARENTS for each node, -1: none; in the next coarser graph
    float *part;     // by which part of a parent's motion the node moves; they sum to 1
    int32_t *origin; // the node of the next finer graph
    void *block;     // the memory of all these
    size_t bytes;
} length_graph;

// Allocates a graph; its arrays are zero.
pl_result graph_open(memory *m, length_graph *g, int32_t nodes, int64_t edges);
void graph_free(memory *m, length_graph *g);
void graph_put(length_graph *g, int64_t at, int32_t to, float length, float give); // writes an edge
int64_t graph_find(const length_graph *g, int32_t from, int32_t to);               // -1: there is no such edge
// Sorts the edges of each node by their end and removes doubles, of which the shortest stays.
void graph_sort(length_graph *g);
// Finds the redundant edges, such as the links of a cloth for bending.
void graph_prune(length_graph *g);
// Makes the next coarser graph, and sets the parents of the finer one. coarse->nodes is 0 if there is nothing to gain.
pl_result graph_coarsen(memory *m, length_graph *fine, length_graph *coarse);
