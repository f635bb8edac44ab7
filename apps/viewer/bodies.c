// bodies.c: see bodies.h.
#include "bodies.h"

#include "message.h"

#include <stdlib.h>
#include <string.h>

// ---- taking --------------------------------------------------------------------------------------------------------

// The arrays of hulls and meshes while meshes are made: a new mesh keeps those of its source.
struct taken
{
    float **vertices;
    int32_t **triangles;
    int count;
};

// The more round shapes there are, the fewer pixels each has.
static int segments_for(int shapes) { return shapes <= 100 ? 48 : shapes <= 1000 ? 32 : shapes <= 2500 ? 20 : 12; }

static bool take_shape(struct bodies *b, const pl_world *world, pl_id id, int number, int segments, struct taken *kept)
{
    pl_rigid_shape s;
    struct body_shape *to = &b->shape[b->shapes];
    if (pl_get_rigid_shape(world, id, number, &s, NULL, NULL) != PL_OK)
    {
        return library_trouble();
    }
    if (s.sensor) // nothing touches it
    {
        return true;
    }
    float *vertices = s.vertex_count ? malloc(3 * (size_t)s.vertex_count * sizeof *vertices) : NULL;
    int32_t *triangles = s.triangle_count ? malloc(3 * (size_t)s.triangle_count * sizeof *triangles) : NULL;
    kept->vertices[kept->count] = vertices;
    kept->triangles[kept->count++] = triangles;
    if ((s.vertex_count && !vertices) || (s.triangle_count && !triangles))
    {
        return no_memory();
    }
    if (vertices && pl_get_rigid_shape(world, id, number, &s, vertices, triangles) != PL_OK)
    {
        return library_trouble();
    }
    s.vertices = vertices;
    s.triangles = triangles;
    *to = (struct body_shape){.body = b->count, .position = s.position, .rotation = s.rotation};
    body_shape_size(&s, &to->half, &to->radius);
    to->mesh = body_mesh_of(b, &s, segments);
    b->shapes += to->mesh >= 0;
    return to->mesh >= 0;
}

static bool take_body(struct bodies *b, const pl_world *world, pl_id id, int segments, struct taken *kept)
{
    pl_rigid_def def;
    int first, count;
    if (pl_get_rigid(world, id, &def) != PL_OK || pl_object_range(world, id, &first, &count) != PL_OK)
    {
        return library_trouble();
    }
    struct body *to = &b->body[b->count];
    *to = (struct body){.particle = first, .type = def.type};
    const int before = b->shapes, shapes = pl_rigid_shape_count(world, id);
    bool good = true;
    for (int i = 0; i < shapes && good; i++)
    {
        good = take_shape(b, world, id, i, segments, kept);
    }
    to->shapes = b->shapes - before;
    b->count += good;
    return good;
}

// ---- colours -------------------------------------------------------------------------------------------------------

static bool same_form(const struct bodies *b, int i, int k, const int *first)
{
    const struct body *x = &b->body[i], *y = &b->body[k];
    bool same = x->shapes == y->shapes && x->type == y->type && x->shapes > 0;
    for (int n = 0; n < x->shapes && same; n++)
    {
        const struct body_shape *s = &b->shape[first[i] + n], *t = &b->shape[first[k] + n];
        same = s->mesh == t->mesh && s->radius == t->radius && length(sub(s->half, t->half)) == 0.0f;
    }
    return same;
}

// Bodies of the same form that follow each other, such as the links of a chain, have shades of one colour, as if they were
// one object.
static bool choose_colours(struct bodies *b)
{
    int *first = malloc(((size_t)b->count + 1) * sizeof *first);
    if (!first)
    {
        return no_memory();
    }
    for (int i = 0, shape = 0; i < b->count; i++)
    {
        first[i] = shape;
        shape += b->body[i].shapes;
    }
    for (int i = 1; i < b->count; i++)
    {
        struct body *to = &b->body[i];
        bool same = same_form(b, i, i - 1, first);
        to->shade = same ? to[-1].shade + 1 : 0;
        to->merged = to[-1].merged + same;
    }
    free(first);
    return true;
}

// ---- order ---------------------------------------------------------------------------------------------------------

static int compare_shapes(const void *a, const void *b)
{
    const struct body_shape *x = a, *y = b;
    return x->mesh != y->mesh ? x->mesh - y->mesh : x->body - y->body;
}

enum
{
    MANY_SPHERES = 500,
};

// Shapes of one mesh become neighbours, so that one call draws all of them.
static void sort_shapes(struct bodies *b)
{
    qsort(b->shape, (size_t)b->shapes, sizeof *b->shape, compare_shapes);
    for (int i = 0; i < b->shapes; i++)
    {
        struct body_mesh *m = &b->mesh[b->shape[i].mesh];
        m->first_shape = m->shapes ? m->first_shape : i;
        m->shapes++;
    }
    for (int i = 0; i < b->meshes; i++)
    {
        b->mesh[i].balls = b->mesh[i].kind == PL_RIGID_SPHERE && b->mesh[i].shapes >= MANY_SPHERES;
        // The arrays that it was made of are freed.
        b->mesh[i].source.vertices = NULL;
        b->mesh[i].source.triangles = NULL;
    }
}

static bool take_all(struct bodies *b, const pl_world *world, const pl_id *id, int count, int shapes)
{
    struct taken kept = {.vertices = calloc((size_t)shapes + 1, sizeof *kept.vertices),
                         .triangles = calloc((size_t)shapes + 1, sizeof *kept.triangles)};
    bool good = kept.vertices && kept.triangles ? true : no_memory();
    for (int i = 0; i < count && good; i++)
    {
        good = take_body(b, world, id[i], segments_for(shapes), &kept);
    }
    for (int i = 0; i < kept.count; i++)
    {
        free(kept.vertices[i]);
        free(kept.triangles[i]);
    }
    free(kept.vertices);
    free(kept.triangles);
    return good;
}

bool bodies_take(struct bodies *b, const pl_world *world)
{
    int count = pl_world_rigids(world, NULL, 0), shapes = 0;
    pl_id *id = malloc(((size_t)count + 1) * sizeof *id);
    *b = (struct bodies){0};
    if (!id)
    {
        return no_memory();
    }
    pl_world_rigids(world, id, count);
    for (int i = 0; i < count; i++)
    {
        shapes += pl_rigid_shape_count(world, id[i]);
    }
    b->body = malloc(((size_t)count + 1) * sizeof *b->body);
    b->shape = malloc(((size_t)shapes + 1) * sizeof *b->shape);
    bool good = b->body && b->shape ? true : no_memory();
    good = good && take_all(b, world, id, count, shapes);
    free(id);
    good = good && choose_colours(b);
    if (!good)
    {
        bodies_free(b);
        return false;
    }
    sort_shapes(b);
    return true;
}

void bodies_free(struct bodies *b)
{
    free(b->body);
    free(b->shape);
    free(b->mesh);
    free(b->vertex);
    free(b->index);
    *b = (struct bodies){0};
}

// ---- poses ---------------------------------------------------------------------------------------------------------

bool body_poses_take(struct body_poses *p, const pl_world *world)
{
    int count = pl_world_rigids(world, NULL, 0);
    if (count > p->room)
    {
        body_poses_free(p);
        p->id = malloc((size_t)count * sizeof *p->id);
        p->state = malloc((size_t)count * sizeof *p->state);
        p->awake = malloc((size_t)count * sizeof *p->awake);
        if (!p->id || !p->state || !p->awake)
        {
            body_poses_free(p);
            return trouble("no memory for the poses of %d bodies; use a smaller scene", count);
        }
        p->room = count;
    }
    p->count = pl_world_rigids(world, p->id, count);
    return (pl_get_rigids(world, p->id, count, p->state) == PL_OK &&
            pl_rigids_awake(world, p->id, count, p->awake) == PL_OK) ||
           library_trouble();
}

void body_poses_free(struct body_poses *p)
{
    free(p->id);
    free(p->state);
    free(p->awake);
    *p = (struct body_poses){0};
}

void body_shape_pose(const struct body_shape *s, const pl_rigid_state *pose, vec3 *position, pl_quat *rotation)
{
    pl_quat a = pose->rotation, b = s->rotation;
    *position = add(pose->position, turned(a, s->position));
    *rotation = (pl_quat){a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                          a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}
