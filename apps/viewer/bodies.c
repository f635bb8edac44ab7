// bodies.c: see bodies.h.
#include "bodies.h"

#include "message.h"
#include "model.h"

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
    *to = (struct body){.particle = first, .type = def.type, .shapes = pl_rigid_shape_count(world, id)};
    bool good = true;
    for (int i = 0; i < to->shapes && good; i++)
    {
        good = take_shape(b, world, id, i, segments, kept);
    }
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
        if (!p->id || !p->state)
        {
            body_poses_free(p);
            return trouble("no memory for the poses of %d bodies; use a smaller scene", count);
        }
        p->room = count;
    }
    p->count = pl_world_rigids(world, p->id, count);
    return pl_get_rigids(world, p->id, count, p->state) == PL_OK || library_trouble();
}

void body_poses_free(struct body_poses *p)
{
    free(p->id);
    free(p->state);
    *p = (struct body_poses){0};
}

void body_shape_pose(const struct body_shape *s, const pl_rigid_state *pose, vec3 *position, pl_quat *rotation)
{
    pl_quat a = pose->rotation, b = s->rotation;
    *position = add(pose->position, turned(a, s->position));
    *rotation = (pl_quat){a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                          a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

// ---- bounds --------------------------------------------------------------------------------------------------------

static float reach_along(const vec3 axis[3], vec3 half, int k)
{
    const float x[3] = {axis[0].x, axis[0].y, axis[0].z}, y[3] = {axis[1].x, axis[1].y, axis[1].z},
                z[3] = {axis[2].x, axis[2].y, axis[2].z};
    return fabsf(x[k]) * half.x + fabsf(y[k]) * half.y + fabsf(z[k]) * half.z;
}

static struct bounds shape_in_world(const struct bodies *all, const struct body_shape *s, const pl_rigid_state *pose)
{
    const struct body_mesh *m = &all->mesh[s->mesh];
    vec3 position, low = m->corner.min, high = m->corner.max;
    pl_quat q;
    body_shape_pose(s, pose, &position, &q);
    low = v3(low.x * s->half.x, low.y * s->half.y, low.z * s->half.z);
    high = v3(high.x * s->half.x, high.y * s->half.y, high.z * s->half.z);
    const vec3 axis[3] = {turned(q, v3(1.0f, 0.0f, 0.0f)), turned(q, v3(0.0f, 1.0f, 0.0f)),
                          turned(q, v3(0.0f, 0.0f, 1.0f))};
    vec3 half = scale(sub(high, low), 0.5f), centre = add(position, turned(q, scale(add(low, high), 0.5f)));
    vec3 reach = v3(reach_along(axis, half, 0) + s->radius, reach_along(axis, half, 1) + s->radius,
                    reach_along(axis, half, 2) + s->radius);
    return (struct bounds){sub(centre, reach), add(centre, reach)};
}

// What is left of a box within another one, which is grown by its own radius.
static struct bounds near_part(const struct bounds *a, const struct bounds *b)
{
    float r = bounds_radius(b);
    return (struct bounds){
        v3(clampf(a->min.x, b->min.x - r, b->max.x + r), clampf(a->min.y, b->min.y - r, b->max.y + r),
           clampf(a->min.z, b->min.z - r, b->max.z + r)),
        v3(clampf(a->max.x, b->min.x - r, b->max.x + r), clampf(a->max.y, b->min.y - r, b->max.y + r),
           clampf(a->max.z, b->min.z - r, b->max.z + r))};
}

// Adds those that move, or those that stand still.
static void add_some(struct bounds *b, bool *any, const struct bodies *all, const struct body_poses *p, bool still)
{
    struct bounds before = *b;
    bool near_only = still && *any;
    for (int i = 0; i < all->shapes; i++)
    {
        const struct body *body = &all->body[all->shape[i].body];
        if ((body->type == PL_RIGID_STATIC) == still && !body->ground)
        {
            struct bounds s = shape_in_world(all, &all->shape[i], &p->state[all->shape[i].body]);
            s = near_only ? near_part(&s, &before) : s;
            *b = *any ? bounds_join(b, &s) : s;
            *any = true;
        }
    }
}

void bounds_add_bodies(struct bounds *b, bool any, const struct bodies *all, const struct body_poses *p)
{
    if (p->count == all->count)
    {
        add_some(b, &any, all, p, false);
        add_some(b, &any, all, p, true);
    }
}

// ---- the ground ----------------------------------------------------------------------------------------------------

// The top of boxes that reach far around everything else.
static void find_ground(struct bodies *all, const struct body_poses *p, const struct bounds *moving)
{
    float wide = 2.5f * bounds_radius(moving);
    vec3 middle = bounds_centre(moving);
    for (int i = 0; i < all->shapes; i++)
    {
        const struct body_shape *s = &all->shape[i];
        struct body *body = &all->body[s->body];
        vec3 position;
        pl_quat q;
        body_shape_pose(s, &p->state[s->body], &position, &q);
        float narrow = fminf(s->half.x, s->half.z), top = position.y + s->half.y;
        bool level = turned(q, v3(0.0f, 1.0f, 0.0f)).y > 0.999f;
        bool below = fabsf(position.x - middle.x) + wide < narrow && fabsf(position.z - middle.z) + wide < narrow;
        if (body->type == PL_RIGID_STATIC && body->shapes == 1 && all->mesh[s->mesh].kind == PL_RIGID_BOX && level &&
            below)
        {
            all->floor = all->has_floor ? fmaxf(all->floor, top) : top;
            all->has_floor = body->ground = true;
        }
    }
}

static void find_foot(struct bodies *all, const struct body_poses *p, const struct bounds *b)
{
    float lowest = 1e30f;
    for (int i = 0; i < all->shapes; i++)
    {
        const struct body_shape *s = &all->shape[i];
        if (all->body[s->body].type == PL_RIGID_STATIC)
        {
            lowest = fminf(lowest, shape_in_world(all, s, &p->state[s->body]).min.y);
        }
    }
    all->has_floor = lowest <= b->min.y + 0.05f * bounds_radius(b);
    all->floor = lowest;
}

// A static box as one of the shapes that particles collide with, which are drawn by the same rules.
pl_shape_def body_shape_def(const struct body_shape *s, const pl_rigid_state *pose)
{
    pl_shape_def d = pl_default_shape_def();
    d.kind = PL_SHAPE_BOX;
    d.radius = 0.0f;
    d.half = s->half;
    body_shape_pose(s, pose, &d.position, &d.rotation);
    return d;
}

enum
{
    MOST_GLASS = 100, // more of them are no walls; and what is of glass is sorted for each picture
};

static void find_glass(struct bodies *all, const struct body_poses *p)
{
    int count = 0;
    for (int i = 0; i < all->shapes; i++)
    {
        struct body_shape *s = &all->shape[i];
        pl_shape_def d = body_shape_def(s, &p->state[s->body]);
        s->glass =
            all->body[s->body].type == PL_RIGID_STATIC && all->mesh[s->mesh].kind == PL_RIGID_BOX && shape_is_glass(&d);
        count += s->glass;
    }
    for (int i = 0; count > MOST_GLASS && i < all->shapes; i++)
    {
        all->shape[i].glass = false;
    }
}

void bodies_settle(struct bodies *all, const struct body_poses *p, struct bounds *b, bool any)
{
    struct bounds moving = *b;
    if (p->count != all->count)
    {
        return;
    }
    add_some(&moving, &any, all, p, false);
    find_ground(all, p, &moving);
    find_glass(all, p);
    bounds_add_bodies(b, any, all, p);
    if (!all->has_floor)
    {
        find_foot(all, p, b);
    }
}
