// export_rigids.c: see export_rigids.h. Uses only the public API.
#include "export_rigids.h"

#include "core/error.h"

#include <stdlib.h>
#include <string.h>

static pl_result no_memory(void) { return fail(PL_ERROR_MEMORY, "no memory for the surfaces of bodies; try again"); }

void rigid_surfaces_free(struct rigid_surfaces *r)
{
    free(r->id);
    free(r->centre);
    free(r->vertex);
    free(r->triangle);
    free(r->local);
    free(r->corner);
    *r = (struct rigid_surfaces){0};
}

// ---- making --------------------------------------------------------------------------------------------------------

// Many round shapes get fewer segments, so that files stay small.
static int segments_for(int bodies) { return bodies <= 1000 ? 32 : 16; }

// A shape with its arrays, which the caller frees.
static pl_result take_shape(const pl_world *world, pl_id body, int number, pl_rigid_shape *s, float **vertices,
                            int32_t **triangles)
{
    pl_result result = pl_get_rigid_shape(world, body, number, s, NULL, NULL);
    *vertices = NULL;
    *triangles = NULL;
    if (result != PL_OK)
    {
        return result;
    }
    *vertices = malloc(3 * (size_t)s->vertex_count * sizeof **vertices + 1);
    *triangles = malloc(3 * (size_t)s->triangle_count * sizeof **triangles + 1);
    if (!*vertices || !*triangles)
    {
        return no_memory();
    }
    result = pl_get_rigid_shape(world, body, number, s, *vertices, *triangles);
    s->vertices = *vertices;
    s->triangles = *triangles;
    return result;
}

static pl_result make_room(struct rigid_surfaces *r, int vertices, int triangles)
{
    float *local = realloc(r->local, 3 * ((size_t)r->vertices + (size_t)vertices) * sizeof *local);
    r->local = local ? local : r->local;
    int32_t *corner = realloc(r->corner, 3 * ((size_t)r->triangles + (size_t)triangles) * sizeof *corner);
    r->corner = corner ? corner : r->corner;
    return local && corner ? PL_OK : no_memory();
}

static pl_result add_shape(struct rigid_surfaces *r, const pl_rigid_shape *s, int segments)
{
    int vertices, triangles;
    pl_result result = pl_rigid_shape_mesh(s, segments, NULL, &vertices, NULL, &triangles);
    if (result == PL_OK && r->vertices > INT32_MAX / 4 - vertices)
    {
        result = fail(PL_ERROR_ARGUMENT,
                      "the surfaces of the bodies have too many vertices to be exported; use coarser meshes");
    }
    result = result == PL_OK ? make_room(r, vertices, triangles) : result;
    if (result != PL_OK)
    {
        return result;
    }
    int32_t *corner = r->corner + 3 * (size_t)r->triangles;
    result = pl_rigid_shape_mesh(s, segments, r->local + 3 * (size_t)r->vertices, &vertices, corner, &triangles);
    for (int i = 0; i < 3 * triangles; i++)
    {
        corner[i] += r->vertices;
    }
    r->vertices += vertices;
    r->triangles += triangles;
    return result;
}

static pl_result add_body(struct rigid_surfaces *r, const pl_world *world, int i)
{
    pl_mass_properties mass;
    int segments = segments_for(r->count), shapes = pl_rigid_shape_count(world, r->id[i]);
    pl_result result = pl_get_rigid_mass(world, r->id[i], &mass);
    r->centre[i] = mass.centre;
    for (int k = 0; k < shapes && result == PL_OK; k++)
    {
        pl_rigid_shape s;
        float *vertices;
        int32_t *triangles;
        result = take_shape(world, r->id[i], k, &s, &vertices, &triangles);
        result = result == PL_OK ? add_shape(r, &s, segments) : result;
        free(vertices);
        free(triangles);
    }
    r->vertex[i + 1] = r->vertices;
    r->triangle[i + 1] = r->triangles;
    return result;
}

static pl_result make(struct rigid_surfaces *r, const pl_world *world, int count)
{
    size_t size = (size_t)count + 1;
    *r = (struct rigid_surfaces){.count = count,
                                 .id = malloc(size * sizeof *r->id),
                                 .centre = malloc(size * sizeof *r->centre),
                                 .vertex = calloc(size, sizeof *r->vertex),
                                 .triangle = calloc(size, sizeof *r->triangle)};
    pl_result result = r->id && r->centre && r->vertex && r->triangle ? PL_OK : no_memory();
    if (result == PL_OK)
    {
        pl_world_rigids(world, r->id, count);
    }
    for (int i = 0; i < count && result == PL_OK; i++)
    {
        result = add_body(r, world, i);
    }
    return result;
}

pl_result rigid_surfaces_update(struct rigid_surfaces *r, const pl_world *world)
{
    int count = pl_world_rigids(world, NULL, 0);
    if (count == 0 && r->count == 0)
    {
        return PL_OK;
    }
    pl_id *now = malloc(((size_t)count + 1) * sizeof *now);
    if (!now)
    {
        return no_memory();
    }
    pl_world_rigids(world, now, count);
    bool same = r->count == count && memcmp(now, r->id, (size_t)count * sizeof *now) == 0;
    free(now);
    if (same)
    {
        return PL_OK;
    }
    rigid_surfaces_free(r);
    pl_result result = make(r, world, count);
    if (result != PL_OK)
    {
        rigid_surfaces_free(r);
    }
    return result;
}

// ---- placing -------------------------------------------------------------------------------------------------------

static void cross3(const double a[3], const double b[3], double out[3])
{
    for (int c = 0; c < 3; c++)
    {
        out[c] = a[(c + 1) % 3] * b[(c + 2) % 3] - a[(c + 2) % 3] * b[(c + 1) % 3];
    }
}

static void rotate3(pl_quat q, const double x[3], double out[3])
{
    const double axis[3] = {(double)q.x, (double)q.y, (double)q.z};
    double once[3], twice[3];
    cross3(axis, x, once);
    cross3(axis, once, twice);
    for (int c = 0; c < 3; c++)
    {
        out[c] = x[c] + 2.0 * ((double)q.w * once[c] + twice[c]);
    }
}

static void place_body(const struct rigid_surfaces *r, int i, const pl_rigid_state *s, float *position, float *velocity)
{
    const double at[3] = {(double)s->position.x, (double)s->position.y, (double)s->position.z};
    const double spin[3] = {(double)s->spin.x, (double)s->spin.y, (double)s->spin.z};
    const double v[3] = {(double)s->velocity.x, (double)s->velocity.y, (double)s->velocity.z};
    const double centre[3] = {(double)r->centre[i].x, (double)r->centre[i].y, (double)r->centre[i].z};
    double middle[3];
    rotate3(s->rotation, centre, middle);
    for (int k = r->vertex[i]; k < r->vertex[i + 1]; k++)
    {
        const float *x = r->local + 3 * (size_t)k;
        const double own[3] = {(double)x[0], (double)x[1], (double)x[2]};
        double arm[3], around[3];
        rotate3(s->rotation, own, arm);
        for (int c = 0; c < 3; c++)
        {
            position[3 * (size_t)k + (size_t)c] = (float)(at[c] + arm[c]);
            arm[c] -= middle[c];
        }
        cross3(spin, arm, around);
        for (int c = 0; c < 3; c++)
        {
            velocity[3 * (size_t)k + (size_t)c] = (float)(v[c] + around[c]);
        }
    }
}

pl_result rigid_surfaces_place(const struct rigid_surfaces *r, const pl_world *world, float *position, float *velocity)
{
    pl_rigid_state *state = malloc(((size_t)r->count + 1) * sizeof *state);
    pl_result result = state ? pl_get_rigids(world, r->id, r->count, state) : no_memory();
    for (int i = 0; i < r->count && result == PL_OK; i++)
    {
        place_body(r, i, &state[i], position, velocity);
    }
    free(state);
    return result;
}
