// body.c: makes bodies from a closed mesh: rigid, jelly, plastic, lattice, soft or balloon. The mesh is sampled or
// filled once, and each copy is placed in the world by body_build.c.
#include "author/body.h"
#include "author/elements.h"
#include "author/points.h"
#include "collide/collision_filter.h"
#include "collide/mesh_check.h"

#include <math.h>
#include <stdio.h>

pl_body_def pl_default_body_def(void)
{
    return (pl_body_def){.rotation = {0.0f, 0.0f, 0.0f, 1.0f},
                         .mass = 1.0f,
                         .spacing = 0.05f,
                         .match = pl_default_cluster_material(),
                         .region = 2.0f,
                         .model = PL_SOLID_COROTATED,
                         .elastic = {.young = 1e5f, .poisson = 0.4f},
                         .plastic = pl_default_plastic(),
                         .stretch = {.compliance = 1e-4f, .stiffness = 1.0f},
                         .bend = {.compliance = 1e-2f, .stiffness = 1.0f},
                         .pressure = 1.0f};
}

static pl_result check_pose(const pl_body_def *d)
{
    const pl_quat q = d->rotation;
    double size = (double)q.x * q.x + (double)q.y * q.y + (double)q.z * q.z + (double)q.w * q.w;
    if (!(size > 0.99 && size < 1.01))
        return fail(PL_ERROR_ARGUMENT, "body: rotation has length %g; it must be a quaternion of length 1", sqrt(size));
    if (!CHECK_FINITE(d->position.x + d->position.y + d->position.z))
        return fail(PL_ERROR_ARGUMENT, "body: position is %g, %g, %g; it must be finite", (double)d->position.x,
                    (double)d->position.y, (double)d->position.z);
    return PL_OK;
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
    if ((d->kind == PL_BODY_SOFT || d->kind == PL_BODY_BALLOON) &&
        !(d->thickness >= 0.0f && CHECK_FINITE(d->thickness)))
        return fail(PL_ERROR_ARGUMENT, "body: thickness is %g m; it must be 0 or above", (double)d->thickness);
    if (d->kind == PL_BODY_SOFT && d->model == PL_SOLID_LINKS)
        return fail(PL_ERROR_ARGUMENT, "body: model is links; a soft body needs elements, such as corotated");
    const mesh_view view = {"body", d->mesh->vertices, d->mesh->triangles, d->mesh->vertex_count,
                            d->mesh->triangle_count};
    pl_result sound = d->mesh->vertices && d->mesh->triangles && d->mesh->vertex_count > 3
                          ? mesh_check_numbers(&view)
                          : fail(PL_ERROR_ARGUMENT, "body: the mesh has %d vertices; a closed one has at least 4",
                                 d->mesh->vertex_count);
    if (sound != PL_OK)
        return sound;
    sound = check_pose(d);
    if (sound != PL_OK)
        return sound;
    return d->kind == PL_BODY_SOFT ? check_elastic("body", d->model, &d->elastic) : PL_OK;
}

// ---- sampling and filling ------------------------------------------------------------------------------------------

// Clears the normals where a body is one particle thick. There the surface is equally near on both sides and no outward
// direction is valid, so contacts treat the particle as a sphere. A particle keeps its normal if another particle is
// behind it.
static pl_result face_what_is_thick(const pl_body_def *d, pl_samples *s)
{
    const double reach = 0.8 * (double)d->spacing;
    double low[3] = {0.0, 0.0, 0.0};
    memory m = plain_memory();
    point_grid g;
    for (int i = 0; i < 3 * s->count; i++)
        low[i % 3] = i < 3 || (double)s->positions[i] < low[i % 3] ? (double)s->positions[i] : low[i % 3];
    pl_result result = point_grid_open(&m, low, reach, s->count, &g);
    for (int32_t i = 0; result == PL_OK && i < s->count; i++)
        result = point_grid_add(&m, &g, s->positions, i);
    for (int i = 0; result == PL_OK && i < s->count; i++)
    {
        float behind[3], *n = s->normals + 3 * (size_t)i;
        for (int c = 0; c < 3; c++)
            behind[c] = s->positions[3 * (size_t)i + (size_t)c] - d->spacing * n[c];
        if (point_grid_near(&g, s->positions, behind, reach) < 0)
            n[0] = n[1] = n[2] = 0.0f;
    }
    point_grid_close(&m, &g);
    return result;
}

static pl_result sample(const pl_body_def *d, pl_samples *out)
{
    pl_sample_def how = pl_default_sample_def();
    how.spacing = d->spacing;
    pl_result result = pl_sample_particles(d->mesh, &how, out);
    if (result == PL_OK && out->count == 0)
        result = fail(PL_ERROR_ARGUMENT, "body: no particle fits inside at a spacing of %g m; use a smaller one",
                      (double)d->spacing);
    return result == PL_OK && d->kind == PL_BODY_RIGID ? face_what_is_thick(d, out) : result;
}

static pl_result find_matter(const pl_body_def *d, matter *m)
{
    pl_result result = check_body(d);
    if (result != PL_OK || d->kind == PL_BODY_BALLOON)
        return result;
    return d->kind == PL_BODY_SOFT ? pl_tetrahedralise(d->mesh, d->spacing, &m->tets) : sample(d, &m->samples);
}

static void matter_free(matter *m)
{
    pl_samples_free(&m->samples);
    pl_tets_free(&m->tets);
}

pl_result pl_body_particles(const pl_body_def *def, int *count)
{
    NEED(def);
    NEED(count);
    PLAIN_ROUNDING;
    matter m = {0};
    pl_result result = find_matter(def, &m);
    *count = 0;
    if (result == PL_OK)
        *count = def->kind == PL_BODY_BALLOON ? def->mesh->vertex_count : m.tets.vertex_count + m.samples.count;
    matter_free(&m);
    return result;
}

// ---- adding --------------------------------------------------------------------------------------------------------

// A particle identifies its body by a number of 16 bits, which limits the number of bodies. A body is one object and up
// to three blocks.
static pl_result check_copies(const pl_world *w, int count)
{
    int64_t room = (PHASE_GROUP - w->entry_count) / 4;
    if (count < 1 || count > room)
        return fail(PL_ERROR_ARGUMENT, "body: %d copies were asked for; from 1 to %lld are possible in this world",
                    count, (long long)(room > 0 ? room : 0));
    return PL_OK;
}

pl_result pl_add_body_copies(pl_world *w, const pl_body_def *def, int count, const pl_vec3 *positions, pl_id *objects)
{
    NEED(w);
    NEED(def);
    NEED(positions);
    NEED(objects);
    PLAIN_ROUNDING;
    matter m = {0};
    pl_body_def each = *def;
    build_mark before = build_begin(w);
    pl_result result = check_copies(w, count);
    if (result == PL_OK)
        result = find_matter(def, &m);
    for (int i = 0; result == PL_OK && i < count; i++)
    {
        each.position = positions[i];
        result = check_pose(&each);
        if (result == PL_OK)
            result = body_build(w, &each, &m, &objects[i]);
        if (result != PL_OK)
        {
            char why[512];
            snprintf(why, sizeof why, "%s", pl_error_message());
            build_undo(w, &before, objects, i, result);
            fail(result, "%s", why);
        }
    }
    matter_free(&m);
    return result;
}

pl_result pl_add_body(pl_world *w, const pl_body_def *def, pl_id *object)
{
    NEED(w);
    NEED(def);
    pl_id id = {0, 0};
    pl_result result = pl_add_body_copies(w, def, 1, &def->position, &id);
    if (result == PL_OK && object)
        *object = id;
    return result;
}
