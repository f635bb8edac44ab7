// bar.c: builds a bar: a box of cells, each cut into five tetrahedra, mirrored from cell to cell so that the cuts
// match.
#include "author/elements.h"
#include "author/mesh_edges.h"

pl_bar_def pl_default_bar_def(void)
{
    const pl_softness firm = {.stiffness = 1.0f};
    return (pl_bar_def){.cells = {10, 3, 3},
                        .size = {1.0f, 0.3f, 0.3f},
                        .mass = 1.0f,
                        .elastic = {.young = 1e5f, .poisson = 0.3f},
                        .plastic = pl_default_plastic(),
                        .edges = firm,
                        .volume = firm};
}

static pl_result check_bar(const pl_bar_def *d)
{
    const float size[3] = {d->size.x, d->size.y, d->size.z};
    int64_t cells = 1;
    for (int c = 0; c < 3; c++)
    {
        if (d->cells[c] < 1 || d->cells[c] > 1000000 || (cells *= d->cells[c]) > INT32_MAX / 64)
            return fail(PL_ERROR_ARGUMENT,
                        "bar: cells are %d x %d x %d; each must be at least 1, and all together at most %d",
                        d->cells[0], d->cells[1], d->cells[2], INT32_MAX / 64);
        if (!(size[c] > 0.0f && CHECK_FINITE(size[c])))
            return fail(PL_ERROR_ARGUMENT, "bar: size is (%g, %g, %g) m; each must be above 0", (double)size[0],
                        (double)size[1], (double)size[2]);
    }
    if (!(d->mass > 0.0f && CHECK_FINITE(d->mass)))
        return fail(PL_ERROR_ARGUMENT, "bar: mass is %g kg; it must be above 0", (double)d->mass);
    return check_elastic("bar", d->model, &d->elastic);
}

static int32_t vertex(const pl_bar_def *d, int x, int y, int z)
{
    return (z * (d->cells[1] + 1) + y) * (d->cells[0] + 1) + x;
}

// The corners of a cell are numbered by bits: 1 for x, 2 for y, 4 for z.
static const int tets[2][5][4] = {
    {{0, 1, 2, 4}, {3, 2, 1, 7}, {5, 4, 7, 1}, {6, 7, 4, 2}, {1, 2, 4, 7}},
    {{1, 3, 0, 5}, {2, 0, 3, 6}, {4, 6, 5, 0}, {7, 5, 6, 3}, {0, 3, 6, 5}},
};

static pl_result list_tets(const pl_bar_def *d, memory *m, int32_t **out, int64_t *count, int64_t *capacity)
{
    *count = 5 * (int64_t)d->cells[0] * d->cells[1] * d->cells[2];
    pl_result result = array_reserve(m, out, capacity, 4 * *count, sizeof **out);
    int32_t *t = *out;
    for (int z = 0; result == PL_OK && z < d->cells[2]; z++)
        for (int y = 0; y < d->cells[1]; y++)
            for (int x = 0; x < d->cells[0]; x++)
                for (int k = 0; k < 20; k++)
                {
                    int corner = tets[(x + y + z) % 2][k / 4][k % 4];
                    *t++ = vertex(d, x + (corner & 1), y + (corner >> 1 & 1), z + (corner >> 2));
                }
    return result;
}

// Computes positions and masses. Each vertex gets a quarter of the mass of its tetrahedra. Corner tetrahedra have a
// sixth of the cell's volume, the middle one a third.
static void fill_vertices(const pl_bar_def *d, const int32_t *tet, int64_t count, float *x, float *mass,
                          int64_t vertices)
{
    float cell = d->mass / (float)(count / 5);
    for (int64_t v = 0; v < vertices; v++)
        mass[v] = 0.0f;
    for (int64_t t = 0; t < count; t++)
        for (int i = 0; i < 4; i++)
            mass[tet[4 * t + i]] += cell / (t % 5 == 4 ? 12.0f : 24.0f);
    for (int k = 0; k <= d->cells[2]; k++)
        for (int j = 0; j <= d->cells[1]; j++)
            for (int i = 0; i <= d->cells[0]; i++)
            {
                int64_t v = vertex(d, i, j, k);
                x[3 * v] = d->origin.x + d->size.x * ((float)i / (float)d->cells[0]);
                x[3 * v + 1] = d->origin.y + d->size.y * ((float)j / (float)d->cells[1]);
                x[3 * v + 2] = d->origin.z + d->size.z * ((float)k / (float)d->cells[2]);
                if ((i == 0 && d->pin_start) || (i == d->cells[0] && d->pin_end))
                    mass[v] = 0.0f;
            }
}

// Builds the boundary faces: every outer cell face, cut along the diagonal that its tetrahedra have.
static void build_surface(build *b, const pl_bar_def *d)
{
    static const int sides[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    for (int z = 0; z < d->cells[2]; z++)
        for (int y = 0; y < d->cells[1]; y++)
            for (int x = 0; x < d->cells[0]; x++)
                for (int s = 0; s < 6; s++)
                {
                    const int at[3] = {x, y, z};
                    if (at[s / 2] != (s % 2 ? d->cells[s / 2] - 1 : 0))
                        continue;
                    int32_t q[4];
                    for (int i = 0; i < 4; i++)
                        q[i] = vertex(d, x + (sides[s][i] & 1), y + (sides[s][i] >> 1 & 1), z + (sides[s][i] >> 2));
                    // Diagonals join corners with an odd number of bits in even cells, an even number in odd ones.
                    bool odd_first = sides[s][0] == 1 || sides[s][0] == 2 || sides[s][0] == 4 || sides[s][0] == 7;
                    bool from_first = ((x + y + z) % 2 == 0) == odd_first;
                    if (from_first)
                        build_index(b, 6, (int32_t[]){q[0], q[1], q[2], q[0], q[2], q[3]});
                    else
                        build_index(b, 6, (int32_t[]){q[1], q[2], q[3], q[1], q[3], q[0]});
                }
    build_faces(b, 0.0f, 0.0f);
}

static void build_links(build *b, const pl_bar_def *d, const mesh_edges *edges, const int32_t *tet, int64_t count)
{
    for (int64_t i = 0; i < edges->count; i++)
        build_index(b, 2, (int32_t[]){edges->edges[i].a, edges->edges[i].b});
    build_rows(b, PL_KIND_DISTANCE, d->edges);
    build_plastic(b, &d->plastic);
    build_strength(b, d->strength);
    for (int64_t t = 0; t < count; t++)
        build_index(b, 4, tet + 4 * t);
    build_rows(b, PL_KIND_TET_VOLUME, d->volume);
}

pl_result pl_add_bar(pl_world *w, const pl_bar_def *def, pl_id *object)
{
    NEED(w);
    NEED(def);
    PLAIN_ROUNDING;
    pl_result result = check_bar(def);
    if (result != PL_OK)
        return result;
    memory *m = &w->memory;
    bool links = def->model == PL_SOLID_LINKS;
    int32_t *tet = NULL;
    float *x = NULL;
    int64_t count = 0, tet_capacity = 0, x_capacity = 0;
    int64_t vertices = (int64_t)(def->cells[0] + 1) * (def->cells[1] + 1) * (def->cells[2] + 1);
    mesh_edges edges = {0};
    build b = {.w = w};
    result = list_tets(def, m, &tet, &count, &tet_capacity);
    if (result == PL_OK)
        result = array_reserve(m, &x, &x_capacity, 4 * vertices, sizeof *x);
    if (result == PL_OK && links)
        result = mesh_edges_of_tets(m, tet, count, &edges);
    if (result == PL_OK)
    {
        float *mass = x + 3 * vertices;
        fill_vertices(def, tet, count, x, mass, vertices);
        build_particles(&b, &(pl_particles_def){.count = (int)vertices, .position = x, .mass = mass});
        if (links)
            build_links(&b, def, &edges, tet, count);
        build_solid(&b, def->model, &def->elastic, x, (int32_t)vertices, tet, count);
        if (!links)
        {
            build_plastic(&b, &def->plastic);
            build_strength(&b, def->strength);
        }
        build_surface(&b, def);
        result = build_end(&b, object);
    }
    array_free(m, &tet, &tet_capacity, sizeof *tet);
    array_free(m, &x, &x_capacity, sizeof *x);
    mesh_edges_free(m, &edges);
    return result;
}
