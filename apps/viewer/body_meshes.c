// body_meshes.c: the meshes of shapes of rigid bodies (bodies.h), each made once. Edges are sharp where faces meet at more than
// CREASE degrees; a hull has only flat faces.
#include "bodies.h"

#include "creases.h"
#include "message.h"

#include <stdlib.h>
#include <string.h>

#define CREASE_COSINE 0.75f // 41 degrees
#define FLAT_COSINE 0.9998f // 1 degree

static bool grow(void **array, int *room, int count, size_t size)
{
    if (count <= *room)
    {
        return true;
    }
    int more = 2 * count + 64;
    void *grown = realloc(*array, (size_t)more * size);
    if (!grown)
    {
        return no_memory();
    }
    *array = grown;
    *room = more;
    return true;
}

// ---- finding -------------------------------------------------------------------------------------------------------

static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t size)
{
    const uint8_t *b = bytes;
    for (size_t i = 0; b && i < size; i++)
    {
        hash = (hash ^ b[i]) * 1099511628211u; // Fowler, Noll, Vo
    }
    return hash;
}

static size_t vertex_bytes(const pl_rigid_shape *s) { return 3 * (size_t)s->vertex_count * sizeof(float); }
static size_t triangle_bytes(const pl_rigid_shape *s) { return 3 * (size_t)s->triangle_count * sizeof(int32_t); }
static bool of_points(pl_rigid_shape_kind kind) { return kind == PL_RIGID_HULL || kind == PL_RIGID_MESH; }

static uint64_t key_of(const pl_rigid_shape *s)
{
    uint64_t hash = 14695981039346656037u + (uint64_t)s->kind;
    return of_points(s->kind)
               ? hash_bytes(hash_bytes(hash, s->vertices, vertex_bytes(s)), s->triangles, triangle_bytes(s))
               : hash;
}

static bool same_source(const pl_rigid_shape *a, const pl_rigid_shape *b)
{
    return a->kind == b->kind &&
           (!of_points(a->kind) || (a->vertex_count == b->vertex_count && a->triangle_count == b->triangle_count &&
                                    memcmp(a->vertices, b->vertices, vertex_bytes(a)) == 0 &&
                                    (!a->triangles || memcmp(a->triangles, b->triangles, triangle_bytes(a)) == 0)));
}

// ---- making --------------------------------------------------------------------------------------------------------

// The shape that all of a kind are made from: with half and radius 1.
static pl_rigid_shape pattern_of(const pl_rigid_shape *source)
{
    pl_rigid_shape s = pl_default_rigid_shape();
    s.kind = source->kind;
    s.half = v3(1.0f, 1.0f, 1.0f);
    s.radius = 1.0f;
    s.length = 2.0f;
    s.vertices = source->vertices;
    s.vertex_count = source->vertex_count;
    s.triangles = source->triangles;
    s.triangle_count = source->triangle_count;
    return s;
}

void body_shape_size(const pl_rigid_shape *source, vec3 *half, float *radius)
{
    bool round = source->kind == PL_RIGID_CAPSULE || source->kind == PL_RIGID_CYLINDER;
    *half = source->kind == PL_RIGID_BOX ? source->half
            : round                      ? v3(0.0f, 0.5f * source->length, 0.0f)
                                         : v3(1.0f, 1.0f, 1.0f);
    *radius = source->kind == PL_RIGID_BOX || of_points(source->kind) ? 0.0f : source->radius;
}

// Divides a vertex of the pattern into what grows with half and what grows with the radius.
static void divide(pl_rigid_shape_kind kind, vec3 at, struct body_vertex *v)
{
    vec3 corner = at;
    if (kind == PL_RIGID_SPHERE)
    {
        corner = v3(0.0f, 0.0f, 0.0f);
    }
    else if (kind == PL_RIGID_CAPSULE || kind == PL_RIGID_CYLINDER)
    {
        corner = v3(0.0f, at.y < 0.0f ? -1.0f : 1.0f, 0.0f);
    }
    vec3 direction = sub(at, corner);
    memcpy(v->corner, &corner, sizeof v->corner);
    memcpy(v->direction, &direction, sizeof v->direction);
}

// The angle of a triangle at its first corner.
static float angle_at(vec3 a, vec3 b, vec3 c)
{
    return acosf(clampf(dot(unit(sub(b, a)), unit(sub(c, a))), -1.0f, 1.0f));
}

static void put_corners(struct bodies *b, struct body_mesh *m, struct creases *c, const float *x, const int32_t *t)
{
    float cosine = m->kind == PL_RIGID_HULL ? FLAT_COSINE : CREASE_COSINE;
    for (int i = 0; i < m->indices; i += 3)
    {
        vec3 at[3];
        for (int k = 0; k < 3; k++)
        {
            at[k] = v3_at(x + 3 * (size_t)t[i + k]);
        }
        vec3 n = unit(cross(sub(at[1], at[0]), sub(at[2], at[0])));
        for (int k = 0; k < 3; k++)
        {
            float weight = angle_at(at[k], at[(k + 1) % 3], at[(k + 2) % 3]);
            b->index[m->first_index + i + k] = (uint32_t)crease_vertex(c, t[i + k], n, fmaxf(weight, 1e-3f), cosine);
        }
    }
}

static void put_vertices(struct bodies *b, struct body_mesh *m, const struct creases *c, const float *x)
{
    for (int i = 0; i < c->vertices; i++)
    {
        struct body_vertex *v = &b->vertex[m->first_vertex + i];
        vec3 n = unit(c->normal[i]);
        divide(m->kind, v3_at(x + 3 * (size_t)c->point[i]), v);
        memcpy(v->normal, &n, sizeof v->normal);
        struct bounds corner = {v3_at(v->corner), v3_at(v->corner)}, side = {v3_at(v->direction), v3_at(v->direction)};
        m->corner = i ? bounds_join(&m->corner, &corner) : corner;
        m->direction = i ? bounds_join(&m->direction, &side) : side;
    }
    m->vertices = c->vertices;
}

static bool fill_mesh(struct bodies *b, struct body_mesh *m, const pl_rigid_shape *s, int segments, int points)
{
    struct creases creases = {0};
    float *x = malloc(3 * (size_t)points * sizeof *x);
    int32_t *t = malloc((size_t)m->indices * sizeof *t);
    int triangles;
    bool good = x && t ? true : no_memory();
    good = good && creases_open(&creases, points, (size_t)m->indices);
    good = good && grow((void **)&b->index, &b->index_room, b->indices + m->indices, sizeof *b->index);
    good = good && (pl_rigid_shape_mesh(s, segments, x, &points, t, &triangles) == PL_OK || library_trouble());
    if (good)
    {
        put_corners(b, m, &creases, x, t);
    }
    good = good && grow((void **)&b->vertex, &b->vertex_room, b->vertices + creases.vertices, sizeof *b->vertex);
    if (good)
    {
        put_vertices(b, m, &creases, x);
        b->vertices += m->vertices;
        b->indices += m->indices;
    }
    creases_free(&creases);
    free(x);
    free(t);
    return good;
}

int body_mesh_of(struct bodies *b, const pl_rigid_shape *source, int segments)
{
    uint64_t key = key_of(source);
    pl_rigid_shape pattern = pattern_of(source);
    for (int i = 0; i < b->meshes; i++)
    {
        if (b->mesh[i].key == key && same_source(&b->mesh[i].source, source))
        {
            return i;
        }
    }
    int points, triangles;
    if (pl_rigid_shape_mesh(&pattern, segments, NULL, &points, NULL, &triangles) != PL_OK)
    {
        library_trouble();
        return -1;
    }
    if (!grow((void **)&b->mesh, &b->mesh_room, b->meshes + 1, sizeof *b->mesh))
    {
        return -1;
    }
    struct body_mesh *m = &b->mesh[b->meshes];
    *m = (struct body_mesh){.first_vertex = b->vertices,
                            .first_index = b->indices,
                            .indices = 3 * triangles,
                            .kind = source->kind,
                            .key = key,
                            .source = *source};
    return fill_mesh(b, m, &pattern, segments, points) ? b->meshes++ : -1;
}
