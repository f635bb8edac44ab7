// clusters.h: defines the clusters of a world: groups of particles that keep their shape (kernels/shape_match.h).
#pragma once
#include "model/members.h"
#include "pliant/pliant.h"
#include "kernels/shape_match.h"

typedef struct clusters
{
    int64_t count, members;
#define MODEL_CLUSTERS MODEL_MEMBER
#include "model/columns.def"
} clusters;

// Clusters: groups of particles that keep their shape.
typedef struct packed_clusters
{
    int32_t count, members, chunks;
    int32_t widest;      // members of the largest chunk
    int32_t overlap;     // some particle is in more than one
    int32_t flows;       // some cluster deforms plastically
    int32_t fully_rigid; // some particle is in exactly one cluster, which is rigid with stiffness 1
    int32_t spins;       // some cluster gets back the angular momentum that its rotation loses
    int32_t quadratics;  // clusters that deform quadratically
    int32_t owns;        // some particle has its own rotation
#define PACKED_CLUSTERS COLUMN_MEMBER
#include "model/columns.def"
} packed_clusters;
