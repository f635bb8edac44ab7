// body_build.c: adds one body to a world: places its particles and adds the clusters, lattice, elements or links that
// hold them together.
#include "author/body.h"
#include "author/body_lattice.h"
#include "author/elements.h"
#include "author/mesh_edges.h"
#include "author/visual.h"

#include <string.h>

static void rotate_by(pl_quat r, const float *x, double *out)
{
    const double q[4] = {r.x, r.y, r.z, r.w}, v[3] = {x[0], x[1], x[2]};
    double t[3];
    for (int c = 0; c < 3; c++) // t = q x v + w v
        t[c] = q[(c + 1) % 3] * v[(c + 2) % 3] - q[(c + 2) % 3] * v[(c + 1) % 3] + q[3] * v[c];
    for (int c = 0; c < 3; c++) // v + 2 q x t
        out[c] = v[c] + 2.0 * (q[(c + 1) % 3] * t[(c + 2) % 3] - q[(c + 2) % 3] * t[(c + 1) % 3]);
}

// Transforms positions from the mesh's frame to the world's.
static void place_points(const pl_body_def *d, const float *x, int64_t count, float *out)
{
    const float at[3] = {d->position.x, d->position.y, d->position.z};
    for (int64_t i = 0; i < count; i++)
    {
        double rotated[3];
        rotate_by(d->rotation, x + 3 * i, rotated);
        for (int c = 0; c < 3; c++)
            out[3 * i + c] = (float)(rotated[c] + (double)at[c]);
    }
}

// Adds the body's own mesh as a visual, carried by its particles or its tetrahedra, which are at the body's place.
static void show_mesh(build *b, const pl_body_def *d, const pl_tets *tets)
{
    float *x = NULL;
    int64_t capacity = 0, n = 3 * (int64_t)d->mesh->vertex_count;
    if (b->result != PL_OK || !d->visual)
        return;
    b->result = array_reserve(&b->w->memory, &x, &capacity, n, sizeof *x);
    if (b->result == PL_OK)
    {
        place_points(d, d->mesh->vertices, d->mesh->vertex_count, x);
        build_visual(b, d->mesh, x, tets);
    }
    array_free(&b->w->memory, &x, &capacity, sizeof *x);
}

// ---- bodies of sampled particles -----------------------------------------------------------------------------------

// Adds the regions of a plastic body: the particles within `region` spacings of one on a coarser lattice, in the order
// of their numbers.
static void build_regions(build *b, const pl_body_def *d, const pl_samples *s, memory *m)
{
    int32_t *start = NULL;
    int64_t start_capacity = 0, count = 0;
    double reach = (double)d->region * (double)d->spacing * 1.01, apart = reach * 0.99;
    uint8_t *covered = NULL;
    int64_t covered_capacity = 0;
    b->result = b->result == PL_OK ? array_reserve(m, &covered, &covered_capacity, s->count, 1) : b->result;
    if (b->result == PL_OK)
        memset(covered, 0, (size_t)s->count);
    for (int i = 0; b->result == PL_OK && i < s->count; i++)
    {
        if (covered[i])
            continue; // already near enough to the middle of a region
        b->result = array_reserve(m, &start, &start_capacity, count + 2, sizeof *start);
        if (b->result != PL_OK)
            break;
        start[count++] = (int32_t)b->index_count;
        for (int32_t k = 0; k < s->count; k++)
        {
            double far = 0.0;
            for (int c = 0; c < 3; c++)
            {
                double e = (double)s->positions[3 * k + c] - (double)s->positions[3 * i + c];
                far += e * e;
            }
            if (far <= 0.25 * apart * apart)
                covered[k] = 1;
            if (far <= reach * reach)
                build_index(b, 1, &k);
        }
        start[count] = (int32_t)b->index_count;
    }
    if (b->result == PL_OK)
        build_clusters(b, start, (int)count, d->match, NULL);
    array_free(m, &start, &start_capacity, sizeof *start);
    array_free(m, &covered, &covered_capacity, 1);
}

// Rotates the surface field with the body: the outward direction, and the distance to the surface.
static void place_field(const pl_body_def *d, const pl_samples *s, float *out)
{
    for (int i = 0; i < s->count; i++)
    {
        double rotated[3];
        rotate_by(d->rotation, s->normals + 3 * (size_t)i, rotated);
        for (int c = 0; c < 3; c++)
            out[4 * (size_t)i + (size_t)c] = (float)rotated[c];
        out[4 * (size_t)i + 3] = s->distances[i];
    }
}

static void build_whole(build *b, const pl_body_def *d, int32_t count, const float *field)
{
    int32_t start[2] = {0, count};
    for (int32_t i = 0; i < count; i++)
        build_index(b, 1, &i);
    build_clusters(b, start, 1, d->kind == PL_BODY_RIGID ? pl_default_cluster_material() : d->match,
                   d->kind == PL_BODY_RIGID ? field : NULL);
}

static pl_result add_sampled(pl_world *w, const pl_body_def *d, const pl_samples *s, pl_id *object)
{
    build b = {.w = w};
    float *x = NULL; // positions, fields
    int32_t *cells = NULL;
    int64_t capacity = 0, cells_capacity = 0;
    pl_result result = array_reserve(&w->memory, &x, &capacity, 7 * (int64_t)s->count, sizeof *x);
    if (result == PL_OK)
    {
        float *field = x + 3 * (size_t)s->count;
        if (d->kind == PL_BODY_LATTICE)
            b.result = lattice_cells(&w->memory, s, d->spacing, &cells, &cells_capacity);
        place_points(d, s->positions, s->count, x);
        place_field(d, s, field);
        build_particles(&b, &(pl_particles_def){
                                .count = s->count, .position = x, .mass_each = (float)((double)d->mass / s->count)});
        if (d->kind == PL_BODY_PLASTIC)
            build_regions(&b, d, s, &w->memory);
        else if (d->kind == PL_BODY_LATTICE)
            build_lattice(&b, cells, s->count, d->region, d->match.stiffness);
        else
            build_whole(&b, d, s->count, field);
        build_radius(&b, s->count, 0.5f * d->spacing);
        build_apart(&b, s->count);
        show_mesh(&b, d, NULL);
        result = build_end(&b, object);
    }
    array_free(&w->memory, &cells, &cells_capacity, sizeof *cells);
    array_free(&w->memory, &x, &capacity, sizeof *x);
    return result;
}

// Gives the particles of a body that is not made of spheres a radius, if it has a thickness.
static void build_spheres(build *b, const pl_body_def *d, int count)
{
    if (d->thickness > 0.0f)
        build_radius(b, count, 0.5f * d->thickness);
}

// ---- tetrahedra ----------------------------------------------------------------------------------------------------

// Adds a quarter of each tetrahedron's share of the mass to each of its corners.
static void share_mass(const pl_tets *t, double mass, float *out)
{
    double whole = 0.0;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < t->tet_count; i++)
        {
            const int32_t *k = t->tets + 4 * (size_t)i;
            double e[3][3];
            for (int c = 0; c < 3; c++)
                for (int a = 0; a < 3; a++)
                    e[c][a] = (double)t->vertices[3 * k[c + 1] + a] - (double)t->vertices[3 * k[0] + a];
            double v = e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) +
                       e[0][1] * (e[1][2] * e[2][0] - e[1][0] * e[2][2]) +
                       e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0]);
            if (pass == 0)
                whole += v;
            for (int c = 0; c < 4 && pass == 1; c++)
                out[k[c]] += (float)(0.25 * mass * v / whole);
        }
}

static pl_result add_soft(pl_world *w, const pl_body_def *d, const pl_tets *t, pl_id *object)
{
    build b = {.w = w};
    float *x = NULL; // positions, masses
    int64_t capacity = 0;
    pl_result result = array_reserve(&w->memory, &x, &capacity, 4 * (int64_t)t->vertex_count, sizeof *x);
    if (result == PL_OK)
    {
        float *mass = x + 3 * (size_t)t->vertex_count;
        memset(mass, 0, (size_t)t->vertex_count * sizeof *mass);
        share_mass(t, (double)d->mass, mass);
        place_points(d, t->vertices, t->vertex_count, x);
        build_particles(&b, &(pl_particles_def){.count = t->vertex_count, .position = x, .mass = mass});
        build_solid(&b, d->model, &d->elastic, x, t->vertex_count, t->tets, t->tet_count);
        build_plastic(&b, &d->plastic);
        build_strength(&b, d->strength);
        build_index(&b, 3 * t->triangle_count, t->triangles);
        build_faces(&b, 0.0f, 0.0f);
        build_spheres(&b, d, t->vertex_count);
        pl_tets placed = *t;
        placed.vertices = x;
        show_mesh(&b, d, &placed);
        result = build_end(&b, object);
    }
    array_free(&w->memory, &x, &capacity, sizeof *x);
    return result;
}

// ---- balloons ------------------------------------------------------------------------------------------------------

static pl_result add_balloon(pl_world *w, const pl_body_def *d, pl_id *object)
{
    const pl_mesh *m = d->mesh;
    mesh_edges edges = {0};
    build b = {.w = w};
    float *x = NULL;
    int64_t capacity = 0;
    pl_result result = mesh_edges_of_triangles(&w->memory, m->triangles, m->triangle_count, &edges);
    if (result == PL_OK)
        result = array_reserve(&w->memory, &x, &capacity, 3 * (int64_t)m->vertex_count, sizeof *x);
    if (result == PL_OK)
    {
        place_points(d, m->vertices, m->vertex_count, x);
        build_particles(&b, &(pl_particles_def){.count = m->vertex_count,
                                                .position = x,
                                                .mass_each = (float)((double)d->mass / m->vertex_count)});
        for (int64_t i = 0; i < edges.count; i++)
            build_index(&b, 2, (int32_t[]){edges.edges[i].a, edges.edges[i].b});
        build_rows(&b, PL_KIND_DISTANCE, d->stretch);
        build_strength(&b, d->strength);
        for (int64_t i = 0; i < edges.count; i++)
            if (edges.edges[i].c >= 0 && edges.edges[i].d >= 0)
                build_index(&b, 2, (int32_t[]){edges.edges[i].c, edges.edges[i].d});
        build_rows(&b, PL_KIND_DISTANCE, d->bend);
        build_index(&b, 3 * m->triangle_count, m->triangles);
        build_volume(&b, d->pressure, d->gas);
        build_index(&b, 3 * m->triangle_count, m->triangles);
        build_faces(&b, 0.0f, 0.0f);
        build_spheres(&b, d, m->vertex_count);
        result = build_end(&b, object);
    }
    array_free(&w->memory, &x, &capacity, sizeof *x);
    mesh_edges_free(&w->memory, &edges);
    return result;
}

pl_result body_build(pl_world *w, const pl_body_def *d, const matter *m, pl_id *object)
{
    if (d->kind == PL_BODY_SOFT)
        return add_soft(w, d, &m->tets, object);
    if (d->kind == PL_BODY_BALLOON)
        return add_balloon(w, d, object);
    return add_sampled(w, d, &m->samples, object);
}
