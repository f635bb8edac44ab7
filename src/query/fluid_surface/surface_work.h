// surface_work.h: what the steps of making the surface of a fluid share.
//
//   1. deep_cells.c: where nothing needs to be evaluated
//   2. kernels.c: each particle gets a kernel, an ellipsoid that follows the fluid around it
//   3. blocks.c:  the field  phi(x) = sum_j weight_j P(q_j)  on the nodes of a grid, in blocks; only blocks in which the
//                 surface lies are kept
//   4. mesh.c:    triangles where phi passes the level, by the table of cube_table.c
//
//   P(q) = (1 - q)^4 (1 + 4 q),   q^2 = d^T M d < 1,   d = x - centre,   weight = spacing^3 21/(2 pi) sqrt(det M)
// so that the integral of a kernel is the volume of its particle, and phi is about 1 inside of the fluid (Wendland 1995).
// Grid nodes are at multiples of the cell in the world, so that the surface of resting fluid does not flicker.
#pragma once
#include "model/world.h"
#include "neighbours/list.h"
#include "query/fluid_surface/cube_table.h"

enum
{
    BLOCK = 4,                                             // cells along the side of a block
    BLOCK_NODES = (BLOCK + 1) * (BLOCK + 1) * (BLOCK + 1), // those on its upper sides belong to the next blocks too
    BLOCK_EDGES = 3 * BLOCK * BLOCK * BLOCK,               // edges that begin at a node of its own
    NO_VERTEX = 255,
};

#define SURFACE_SUPPORT 2.0 // radius of a kernel inside of the fluid, in spacings
#define SURFACE_NEAR 2.5    // how far the fluid around a particle counts for its kernel, in spacings
#define SURFACE_SHIFT 1.0   // how far a centre may move, in spacings

typedef struct surface_kernel
{
    double centre[3];
    float m[6]; // M: xx yy zz, and twice yz zx xy
    float extent[3];
    float weight;
} surface_kernel;

typedef struct surface_block
{
    uint64_t key;
    int32_t first_vertex, first_triangle; // in the mesh
    int32_t beside[8];                    // the blocks at its upper sides, by bits of x y z; -1: none; [0] is itself
    float value[BLOCK_NODES];             // phi, x fastest
    uint8_t vertex[BLOCK_EDGES]; // for the edges of each node along x y z: the number of its vertex in the block
} surface_block;

typedef struct surface_work
{
    const pl_world *w;
    memory m;
    parallel threads;
    double spacing, cell; // m
    double anisotropy, smoothing;
    float level;   // of phi at the surface
    int32_t *slot; // the particles
    int64_t slot_capacity;
    neighbour_list list;    // sorts them; only its cells are used
    surface_kernel *kernel; // by sorted index
    float *mean;            // 3 for each: where its neighbours are on the average, relative to it
    int64_t kernel_capacity, mean_capacity;
    uint64_t *cell_key;             // of the cells with particles, sorted
    uint8_t *cell_rank, *cell_deep; // scratch; enum cell_depth
    int64_t cell_capacity[3];
    int32_t cell_count;
    sortable_items keys; // of candidate blocks
    int64_t key_capacity[SORTABLE_ARRAYS], key_count;
    int32_t low[3]; // the lowest block
    int bits[3];
    surface_block *block, *batch;
    int64_t block_count, block_capacity, batch_capacity;
    cube_table table;
    pl_fluid_surface *out;
} surface_work;

enum cell_depth
{
    CELL_DEEP = 2,   // nodes in it are inside; no value is needed
    CELL_DEEPER = 3, // so are all that the kernels of its particles reach
};

// Sorts the particles, and finds the cells that are deep inside.
pl_result surface_sort(surface_work *s);
pl_result surface_find_deep_cells(surface_work *s);
int surface_depth(const surface_work *s, uint64_t key); // of a cell; 0: not deep
pl_result surface_find_kernels(surface_work *s);
pl_result surface_find_blocks(surface_work *s);
pl_result surface_make_mesh(surface_work *s);

// Calls visit for the kernels that may reach the box, in the order of the sorted particles.
typedef void kernel_visit(void *user, const surface_kernel *k, int32_t sorted_index);
void visit_kernels(const surface_work *s, const double low[3], const double high[3], kernel_visit *visit, void *user);

// The grid node at the lower corner of a block.
void block_origin(const surface_work *s, const surface_block *b, int64_t node[3]);

// The position of a node along one axis, m. The same bits whichever block asks.
static inline double node_position(const surface_work *s, int64_t node) { return (double)node * s->cell; }

// q^2 of a point relative to the centre.
static inline float kernel_square(const surface_kernel *k, float x, float y, float z)
{
    return (k->m[0] * x * x + k->m[1] * y * y + k->m[2] * z * z) +
           (k->m[3] * y * z + k->m[4] * z * x + k->m[5] * x * y);
}
