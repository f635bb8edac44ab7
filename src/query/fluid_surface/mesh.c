// mesh.c: makes the triangles of a fluid's surface out of the field (blocks.c).
//
// Where an edge of the grid passes the level there is one vertex. It belongs to the block of the edge's lower node, and
// the cells of all blocks around use it: the mesh is closed. Vertices and triangles are in the order of blocks, nodes and
// axes, so that they do not depend on the threads.
#include "query/fluid_surface/surface_work.h"

#include <math.h>
#include <string.h>

enum
{
    ROW = BLOCK + 1,
};

// How near a vertex may be to a node, as a part of the edge: else triangles would have no area.
#define EDGE_LEAST 0.01

static const int node_step[3] = {1, ROW, ROW *ROW};

static bool is_inside(const surface_work *s, const surface_block *b, int node) { return b->value[node] > s->level; }

// The corners of the cell at a node that lie inside.
static int cell_corners(const surface_work *s, const surface_block *b, int node)
{
    int corners = 0;
    for (int c = 0; c < 8; c++)
        corners |= is_inside(s, b, node + (c & 1) + (c >> 1 & 1) * ROW + (c >> 2) * ROW * ROW) << c;
    return corners;
}

static int node_at(int x, int y, int z) { return x + ROW * (y + ROW * z); }

// ---- numbers -------------------------------------------------------------------------------------------------------

// Numbers the vertices of each block, counts its triangles, and finds the blocks beside it.
static void number_blocks(void *arg, int64_t begin, int64_t end)
{
    surface_work *s = arg;
    for (int64_t i = begin; i < end; i++)
    {
        surface_block *b = &s->block[i];
        b->first_vertex = b->first_triangle = 0;
        for (int own = 0; own < BLOCK * BLOCK * BLOCK; own++)
        {
            int node = node_at(own % BLOCK, own / BLOCK % BLOCK, own / (BLOCK * BLOCK));
            for (int a = 0; a < 3; a++)
            {
                bool passes = is_inside(s, b, node) != is_inside(s, b, node + node_step[a]);
                b->vertex[3 * own + a] = passes ? (uint8_t)b->first_vertex++ : NO_VERTEX;
            }
            b->first_triangle += s->table.count[cell_corners(s, b, node)];
        }
        for (int side = 0; side < 8; side++)
        {
            uint64_t key = b->key + (uint64_t)(side & 1) + ((uint64_t)(side >> 1 & 1) << s->bits[0]) +
                           ((uint64_t)(side >> 2) << (s->bits[0] + s->bits[1]));
            int32_t low = 0, high = (int32_t)s->block_count;
            while (low < high)
            {
                int32_t middle = low + (high - low) / 2;
                if (s->block[middle].key < key)
                    low = middle + 1;
                else
                    high = middle;
            }
            b->beside[side] = low < s->block_count && s->block[low].key == key ? low : -1;
        }
    }
}

// Turns the counts of the blocks into their first numbers.
static pl_result sum_numbers(surface_work *s)
{
    int64_t vertices = 0, triangles = 0;
    for (int64_t i = 0; i < s->block_count; i++)
    {
        int32_t more = s->block[i].first_vertex, faces = s->block[i].first_triangle;
        s->block[i].first_vertex = (int32_t)vertices, s->block[i].first_triangle = (int32_t)triangles;
        vertices += more, triangles += faces;
        if (vertices > INT32_MAX / 4 || triangles > INT32_MAX / 4)
            return fail(PL_ERROR_MEMORY, "fluid surface: more than %d triangles; use larger cells", INT32_MAX / 4);
    }
    s->out->vertex_count = (int)vertices, s->out->triangle_count = (int)triangles;
    return PL_OK;
}

// ---- vertices ------------------------------------------------------------------------------------------------------

// The vertices of one block.
typedef struct vertices
{
    const surface_work *s;
    int count;
    double x[BLOCK_EDGES][3], normal[BLOCK_EDGES][3], velocity[BLOCK_EDGES][3], weight[BLOCK_EDGES];
    float most[BLOCK_EDGES];
    int32_t sorted[BLOCK_EDGES]; // the kernel with the largest weight
} vertices;

static void place_vertices(const surface_work *s, const surface_block *b, vertices *t)
{
    int64_t origin[3];
    block_origin(s, b, origin);
    for (int edge = 0; edge < BLOCK_EDGES; edge++)
    {
        int own = edge / 3, a = edge % 3, at[3] = {own % BLOCK, own / BLOCK % BLOCK, own / (BLOCK * BLOCK)};
        if (b->vertex[edge] == NO_VERTEX)
            continue;
        int node = node_at(at[0], at[1], at[2]);
        double from = (double)b->value[node], to = (double)b->value[node + node_step[a]];
        double part = ((double)s->level - from) / (to - from);
        part = part < EDGE_LEAST ? EDGE_LEAST : part > 1.0 - EDGE_LEAST ? 1.0 - EDGE_LEAST : part;
        for (int c = 0; c < 3; c++)
            t->x[t->count][c] = node_position(s, origin[c] + at[c]) + (c == a ? part * s->cell : 0.0);
        t->weight[t->count] = 0.0, t->most[t->count] = 0.0f, t->sorted[t->count] = 0;
        for (int c = 0; c < 3; c++)
            t->normal[t->count][c] = t->velocity[t->count][c] = 0.0;
        t->count++;
    }
}

// Adds a kernel to the sums of the vertices that it reaches: -grad phi = 20 weight (1 - q)^3 M d.
static void add_kernel(void *user, const surface_kernel *k, int32_t sorted_index)
{
    vertices *t = user;
    const float *v = t->s->w->state.slot[SLOT_V] + 4 * (size_t)t->s->list.sorted.value[sorted_index];
    for (int i = 0; i < t->count; i++)
    {
        float x = (float)(t->x[i][0] - k->centre[0]), y = (float)(t->x[i][1] - k->centre[1]),
              z = (float)(t->x[i][2] - k->centre[2]);
        float square = kernel_square(k, x, y, z);
        if (!(square < 1.0f))
            continue;
        float q = sqrtf(square > 0.0f ? square : 0.0f), p = 1.0f - q, slope = k->weight * (p * p * p);
        float weight = slope * (p * (1.0f + 4.0f * q));
        const float *m = k->m;
        t->normal[i][0] += (double)(slope * (m[0] * x + 0.5f * (m[5] * y + m[4] * z)));
        t->normal[i][1] += (double)(slope * (m[1] * y + 0.5f * (m[3] * z + m[5] * x)));
        t->normal[i][2] += (double)(slope * (m[2] * z + 0.5f * (m[4] * x + m[3] * y)));
        t->weight[i] += (double)weight;
        for (int c = 0; c < 3; c++)
            t->velocity[i][c] += (double)weight * (double)v[c];
        if (weight > t->most[i])
            t->most[i] = weight, t->sorted[i] = sorted_index;
    }
}

static void write_vertices(const vertices *t, const surface_block *b)
{
    const pl_fluid_surface *out = t->s->out;
    for (int i = 0; i < t->count; i++)
    {
        size_t at = (size_t)b->first_vertex + (size_t)i;
        const double *n = t->normal[i];
        double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        for (int c = 0; c < 3; c++)
        {
            out->vertices[3 * at + (size_t)c] = (float)t->x[i][c];
            out->normals[3 * at + (size_t)c] = length > 0.0 ? (float)(n[c] / length) : c == 1 ? 1.0f : 0.0f;
            out->velocities[3 * at + (size_t)c] = t->weight[i] > 0.0 ? (float)(t->velocity[i][c] / t->weight[i]) : 0.0f;
        }
        out->particles[at] = t->s->w->number_of[t->s->list.sorted.value[t->sorted[i]]];
    }
}

static void make_vertices(void *arg, int64_t begin, int64_t end)
{
    const surface_work *s = arg;
    for (int64_t i = begin; i < end; i++)
    {
        vertices t;
        int64_t node[3];
        double low[3], high[3];
        t.s = s, t.count = 0;
        place_vertices(s, &s->block[i], &t);
        block_origin(s, &s->block[i], node);
        for (int c = 0; c < 3; c++)
            low[c] = node_position(s, node[c]), high[c] = node_position(s, node[c] + BLOCK);
        if (t.count)
            visit_kernels(s, low, high, add_kernel, &t);
        write_vertices(&t, &s->block[i]);
    }
}

// ---- triangles -----------------------------------------------------------------------------------------------------

// The number of the vertex on an edge of the cell at a node.
static int32_t vertex_on(const surface_work *s, const surface_block *b, const int at[3], int edge)
{
    int start = s->table.start[edge], side = 0, own = 0, size = 1;
    for (int c = 0; c < 3; c++, size *= BLOCK)
    {
        int x = at[c] + (start >> c & 1);
        side |= (x == BLOCK) << c;
        own += (x == BLOCK ? 0 : x) * size;
    }
    const surface_block *of = &s->block[b->beside[side]];
    return of->first_vertex + of->vertex[3 * own + s->table.axis[edge]];
}

static void make_triangles(void *arg, int64_t begin, int64_t end)
{
    const surface_work *s = arg;
    for (int64_t i = begin; i < end; i++)
    {
        const surface_block *b = &s->block[i];
        int32_t *to = s->out->triangles + 3 * (size_t)b->first_triangle;
        for (int own = 0; own < BLOCK * BLOCK * BLOCK; own++)
        {
            int at[3] = {own % BLOCK, own / BLOCK % BLOCK, own / (BLOCK * BLOCK)};
            int corners = cell_corners(s, b, node_at(at[0], at[1], at[2]));
            for (int k = 0; k < 3 * s->table.count[corners]; k++)
                *to++ = vertex_on(s, b, at, s->table.edge[corners][k]);
        }
    }
}

// The volume by the divergence theorem, relative to the first vertex, and the area.
static void measure(pl_fluid_surface *out)
{
    const float *o = out->vertices;
    for (int i = 0; i < out->triangle_count; i++)
    {
        double x[3][3];
        for (int k = 0; k < 3; k++)
            for (int c = 0; c < 3; c++)
                x[k][c] = (double)out->vertices[3 * (size_t)out->triangles[3 * (size_t)i + (size_t)k] + (size_t)c] -
                          (double)o[c];
        double u[3], v[3], n[3];
        for (int c = 0; c < 3; c++)
            u[c] = x[1][c] - x[0][c], v[c] = x[2][c] - x[0][c];
        for (int c = 0; c < 3; c++)
            n[c] = u[(c + 1) % 3] * v[(c + 2) % 3] - u[(c + 2) % 3] * v[(c + 1) % 3];
        out->area += 0.5 * sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        out->volume += (x[0][0] * n[0] + x[0][1] * n[1] + x[0][2] * n[2]) / 6.0;
    }
}

// New memory; the result of what came before is passed on.
static void *take_memory(surface_work *s, size_t bytes, pl_result *result)
{
    void *block = NULL;
    if (*result == PL_OK)
        *result = memory_resize(&s->m, &block, 0, bytes);
    return block;
}

static pl_result reserve_mesh(surface_work *s)
{
    pl_fluid_surface *out = s->out;
    const size_t v = (size_t)out->vertex_count * sizeof(float), t = (size_t)out->triangle_count * sizeof(int32_t);
    pl_result result = PL_OK;
    out->vertices = take_memory(s, 3 * v, &result);
    out->normals = take_memory(s, 3 * v, &result);
    out->velocities = take_memory(s, 3 * v, &result);
    out->particles = take_memory(s, v, &result);
    out->triangles = take_memory(s, 3 * t, &result);
    return result;
}

pl_result surface_make_mesh(surface_work *s)
{
    cube_table_fill(&s->table);
    parallel_for(&s->threads, number_blocks, s, s->block_count, 16);
    pl_result result = sum_numbers(s);
    if (result == PL_OK)
        result = reserve_mesh(s);
    if (result != PL_OK)
        return result;
    parallel_for(&s->threads, make_vertices, s, s->block_count, 8);
    parallel_for(&s->threads, make_triangles, s, s->block_count, 16);
    if (s->out->triangle_count)
        measure(s->out);
    return PL_OK;
}
