// body.c: a closed mesh becomes a body: rigid, jelly, plastic, a lattice, soft or a balloon.
#include "author/body_lattice.h"
#include "author/visual.h"
#include "author/elements.h"
#include "author/mesh.h"
#include "collide/mesh_check.h"

#include <string.h>

pl_body_def pl_default_body_def(void)
{
    return (pl_body_def){.rotation = {0.0f, 0.0f, 0.0f, 1.0f},
                         .mass = 1.0f,
                         .spacing = 0.05f,
                         .match = pl_default_cluster_material(),
                         .region = 2.0f,
                         .model = PL_SOLID_COROTATED,
                         .elastic = {.young = 1e5f, .poisson = 0.4f},
                         .stretch = {.compliance = 1e-4f, .stiffness = 1.0f},
                         .bend = {.compliance = 1e-2f, .stiffness = 1.0f},
                         .pressure = 1.0f};
}

static pl_result check_body(const pl_body_def *d)
{
    if ((unsigned)d->kind > PL_BODY_LATTICE)
        return fail(PL_ERROR_ARGUMENT, "body: kind is %d; it must be rigid, jelly, plastic, soft, balloon or lattice",
                    (int)d->kind);
    if (!d->mesh || d->mesh->triangle_count < 4)
        return fail(PL_ERROR_ARGUMENT, "body: the mesh has %d triangles; a closed one has at least 4",
                    d->mesh ? d->mesh->triangle_count : 0);
    if (!(d->mass > 0.0f && CHECK_FINITE(d->mass)))
        return fail(PL_ERROR_ARGUMENT, "body: mass is %g kg; it must be above 0", (double)d->mass);
    if (d->kind != PL_BODY_BALLOON && !(d->spacing > 0.0f && CHECK_FINITE(d->spacing)))
        return fail(PL_ERROR_ARGUMENT, "body: spacing is %g m; it must be above 0", (double)d->spacing);
    if ((d->kind == PL_BODY_PLASTIC || d->kind == PL_BODY_LATTICE) && !(d->region >= 1.0f && d->region <= 16.0f))
        return fail(PL_ERROR_ARGUMENT, "body: region is %g spacings; it must be from 1 to 16", (double)d->region);
    if (d->kind == PL_BODY_SOFT && d->model == PL_SOLID_LINKS)
        return fail(PL_ERROR_ARGUMENT, "body: model is links; a soft body is made of elements: take neo_hookean");
    const mesh_view view = {"body", d->mesh->vertices, d->mesh->triangles, d->mesh->vertex_count,
                            d->mesh->triangle_count};
    pl_result sound = d->mesh->vertices && d->mesh->triangles && d->mesh->vertex_count > 3
                          ? mesh_check_numbers(&view)
                          : fail(PL_ERROR_ARGUMENT, "body: the mesh has %d vertices; a closed one has at least 4",
                                 d->mesh->vertex_count);
    if (sound != PL_OK)
        return sound;
    const pl_quat q = d->rotation;
    double size = (double)q.x * q.x + (double)q.y * q.y + (double)q.z * q.z + (double)q.w * q.w;
    if (!(size > 0.99 && size < 1.01) || !CHECK_FINITE(d->position.x + d->position.y + d->position.z))
        return fail(PL_ERROR_ARGUMENT, "body: position must be finite and rotation a quaternion of length 1; it has %g",
                    size);
    return d->kind == PL_BODY_SOFT ? check_elastic("body", d->model, &d->elastic) : PL_OK;
}

// From the mesh's frame to the world's, in place.
static void place(const pl_body_def *d, float *x, int64_t count)
{
    const double q[4] = {d->rotation.x, d->rotation.y, d->rotation.z, d->rotation.w};
    for (int64_t i = 0; i < count; i++)
    {
        double v[3] = {x[3 * i], x[3 * i + 1], x[3 * i + 2]}, t[3], u[3];
        for (int c = 0; c < 3; c++) // t = q x v + w v
            t[c] = q[(c + 1) % 3] * v[(c + 2) % 3] - q[(c + 2) % 3] * v[(c + 1) % 3] + q[3] * v[c];
        for (int c = 0; c < 3; c++) // v + 2 q x t
            u[c] = v[c] + 2.0 * (q[(c + 1) % 3] * t[(c + 2) % 3] - q[(c + 2) % 3] * t[(c + 1) % 3]);
        x[3 * i] = (float)(u[0] + (double)d->position.x);
        x[3 * i + 1] = (float)(u[1] + (double)d->position.y);
        x[3 * i + 2] = (float)(u[2] + (double)d->position.z);
    }
}

// ---- particles inside ----------------------------------------------------------------------------------------------

// Every region of a plastic body: the particles within `region` spacings of one on a coarser lattice, in the order of their numbers.
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
            continue; // near enough to the middle of a region
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
        build_clusters(b, start, (int)count, d->match);
    array_free(m, &start, &start_capacity, sizeof *start);
    array_free(m, &covered, &covered_capacity, 1);
}

static pl_cluster_material material_of_body(const pl_body_def *d)
{
    if (d->kind == PL_BODY_RIGID)
        return pl_default_cluster_material();
    return d->match;
}

static pl_result sample(const pl_body_def *d, pl_samples *out)
{
    pl_sample_def how = pl_default_sample_def();
    how.spacing = d->spacing;
    pl_result result = pl_sample_particles(d->mesh, &how, out);
    if (result == PL_OK && out->count == 0)
        result = fail(PL_ERROR_ARGUMENT, "body: no particle fits inside at a spacing of %g m; a smaller one would do",
                      (double)d->spacing);
    return result;
}

// Its own mesh, on its particles or in its tetrahedra.
static void show_mesh(build *b, const pl_body_def *d, const pl_tets *tets)
{
    float *x = NULL;
    int64_t capacity = 0, n = 3 * (int64_t)d->mesh->vertex_count;
    if (b->result != PL_OK || !d->visual)
        return;
    b->result = array_reserve(&b->w->memory, &x, &capacity, n, sizeof *x);
    if (b->result == PL_OK)
    {
        memcpy(x, d->mesh->vertices, (size_t)n * sizeof *x);
        place(d, x, d->mesh->vertex_count);
        build_visual(b, d->mesh, x, tets);
    }
    array_free(&b->w->memory, &x, &capacity, sizeof *x);
}

static pl_result add_sampled(pl_world *w, const pl_body_def *d, pl_id *object)
{
    pl_samples s = {0};
    build b = {.w = w};
    pl_result result = sample(d, &s);
    if (result == PL_OK)
    {
        int32_t *cells = NULL;
        int64_t capacity = 0;
        if (d->kind == PL_BODY_LATTICE)
            b.result = lattice_cells(&w->memory, &s, d->spacing, &cells, &capacity);
        place(d, s.positions, s.count);
        build_particles(&b, &(pl_particles_def){.count = s.count,
                                                .position = s.positions,
                                                .mass_each = (float)((double)d->mass / s.count)});
        int32_t start[2] = {0, s.count};
        if (d->kind == PL_BODY_PLASTIC)
            build_regions(&b, d, &s, &w->memory);
        else if (d->kind == PL_BODY_LATTICE)
            build_lattice(&b, cells, s.count, d->region, d->match.stiffness);
        else
        {
            for (int32_t i = 0; i < s.count; i++)
                build_index(&b, 1, &i);
            build_clusters(&b, start, 1, material_of_body(d));
        }
        build_radius(&b, s.count, 0.5f * d->spacing);
        build_apart(&b, s.count);
        show_mesh(&b, d, NULL);
        array_free(&w->memory, &cells, &capacity, sizeof *cells);
        result = build_end(&b, object);
    }
    pl_samples_free(&s);
    return result;
}

// ---- tetrahedra ----------------------------------------------------------------------------------------------------

// A quarter of each tetrahedron's share of the mass to each of its corners.
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

static pl_result add_soft(pl_world *w, const pl_body_def *d, pl_id *object)
{
    pl_tets t = {0};
    build b = {.w = w};
    float *mass = NULL;
    int64_t capacity = 0;
    pl_result result = pl_tetrahedralise(d->mesh, d->spacing, &t);
    if (result == PL_OK)
        result = array_reserve(&w->memory, &mass, &capacity, t.vertex_count, sizeof *mass);
    if (result == PL_OK)
    {
        memset(mass, 0, (size_t)t.vertex_count * sizeof *mass);
        share_mass(&t, (double)d->mass, mass);
        place(d, t.vertices, t.vertex_count);
        build_particles(&b, &(pl_particles_def){.count = t.vertex_count, .position = t.vertices, .mass = mass});
        build_solid(&b, d->model, &d->elastic, t.vertices, t.tets, t.tet_count);
        build_index(&b, 3 * t.triangle_count, t.triangles);
        build_faces(&b, 0.0f, 0.0f);
        show_mesh(&b, d, &t);
        result = build_end(&b, object);
    }
    array_free(&w->memory, &mass, &capacity, sizeof *mass);
    pl_tets_free(&t);
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
        memcpy(x, m->vertices, 3 * (size_t)m->vertex_count * sizeof *x);
        place(d, x, m->vertex_count);
        build_particles(&b, &(pl_particles_def){.count = m->vertex_count,
                                                .position = x,
                                                .mass_each = (float)((double)d->mass / m->vertex_count)});
        for (int64_t i = 0; i < edges.count; i++)
            build_index(&b, 2, (int32_t[]){edges.edges[i].a, edges.edges[i].b});
        build_rows(&b, PL_KIND_DISTANCE, d->stretch);
        for (int64_t i = 0; i < edges.count; i++)
            if (edges.edges[i].c >= 0 && edges.edges[i].d >= 0)
                build_index(&b, 2, (int32_t[]){edges.edges[i].c, edges.edges[i].d});
        build_rows(&b, PL_KIND_DISTANCE, d->bend);
        build_index(&b, 3 * m->triangle_count, m->triangles);
        build_volume(&b, d->pressure, d->gas);
        build_index(&b, 3 * m->triangle_count, m->triangles);
        build_faces(&b, 0.0f, 0.0f);
        result = build_end(&b, object);
    }
    array_free(&w->memory, &x, &capacity, sizeof *x);
    mesh_edges_free(&w->memory, &edges);
    return result;
}

pl_result pl_body_particles(const pl_body_def *def, int *count)
{
    NEED(def);
    NEED(count);
    PLAIN_ROUNDING;
    pl_result result = check_body(def);
    pl_samples s = {0};
    pl_tets t = {0};
    *count = 0;
    if (result != PL_OK)
        return result;
    if (def->kind == PL_BODY_BALLOON)
        *count = def->mesh->vertex_count;
    else if (def->kind == PL_BODY_SOFT)
        result = pl_tetrahedralise(def->mesh, def->spacing, &t);
    else
        result = sample(def, &s);
    *count += t.vertex_count + s.count;
    pl_tets_free(&t);
    pl_samples_free(&s);
    return result;
}

pl_result pl_add_body(pl_world *w, const pl_body_def *def, pl_id *object)
{
    NEED(w);
    NEED(def);
    PLAIN_ROUNDING;
    pl_result result = check_body(def);
    if (result != PL_OK)
        return result;
    if (def->kind == PL_BODY_SOFT)
        return add_soft(w, def, object);
    if (def->kind == PL_BODY_BALLOON)
        return add_balloon(w, def, object);
    return add_sampled(w, def, object);
}
