// rigid_colliders.c: lists the shapes of rigid bodies, and those of the world that they may touch, as colliders.
#include "collide/solid.h"
#include "groups/particle_rotation.h"
#include "groups/rigid_contacts.h"
#include "stages/rigid_box.h"

#include <math.h>
#include <string.h>

#define RIGID_SHEET 5e-4f // m: half of the thickness of a surface with two sides, at least

static void take_hull(rigid_collider *k, const rigid_hull *h)
{
    k->kind = CONVEX_HULL;
    k->hull = (int32_t)h->at;
    k->reach = h->reach;
}

// ---- colliders -----------------------------------------------------------------------------------------------------

static pl_result reserve(pl_world *w, int64_t count)
{
    rigid_contacts *c = &w->rigid_contacts;
    pl_result result = array_reserve(&w->memory, &c->collider, &c->collider_capacity, count, sizeof *c->collider);
    if (result == PL_OK)
        result = array_reserve(&w->memory, &c->name, &c->name_capacity, count, sizeof *c->name);
    if (result == PL_OK)
        result = array_reserve(&w->memory, &c->material, &c->material_capacity, count, sizeof *c->material);
    if (result == PL_OK)
        result = array_reserve(&w->memory, &c->owner, &c->owner_capacity, count, sizeof *c->owner);
    return result;
}

static pl_result put(pl_world *w, const rigid_collider *k, uint64_t name, int32_t material, int32_t owner)
{
    rigid_contacts *c = &w->rigid_contacts;
    pl_result result = reserve(w, c->colliders + 1);
    if (result != PL_OK)
        return result;
    c->name[c->colliders] = name;
    c->material[c->colliders] = material;
    c->owner[c->colliders] = owner;
    c->collider[c->colliders++] = *k;
    return PL_OK;
}

// Sets width and reach of a collider. Of meshes reach is known.
static void measure(const pl_world *w, rigid_collider *k)
{
    const packed_rigid_contacts view = {.hulls = w->rigid_contacts.word};
    double far = 0.0;
    for (int c = 0; c < 3; c++)
        far += (double)k->position[c] * (double)k->position[c];
    if (k->kind < COLLIDER_PLANE || k->kind == COLLIDER_HOLLOW)
    {
        convex shape = rigid_convex(&view, k);
        k->width = convex_width(&shape);
        k->reach = shape.reach;
    }
    k->reach = k->reach + (float)(1.000001 * sqrt(far));
}

// The pose of a shape of a body relative to its principal axes.
static void place(const rigid_form *f, const rigid_part *p, rigid_collider *k)
{
    double_quat back = double_quat_conjugate(double_quat_of(f->axes)),
                own = double_quat_times(back, double_quat_of(p->shape.rotation));
    double off[3], at[3], size = sqrt(double_quat_dot(own, own));
    for (int c = 0; c < 3; c++)
        off[c] = (double)p->shape.position[c] - (double)f->centre[c];
    rotate3(back, off, at);
    for (int c = 0; c < 3; c++)
        k->position[c] = (float)at[c], k->rotation[c] = (float)(own.v[c] / size);
    k->rotation[3] = (float)(own.w / size);
}

// The vertices and triangles of a hull or mesh lie in the parts behind it.
static pl_result points_of(pl_world *w, const rigid_part *p, float **x, int64_t *capacity)
{
    int64_t all = (int64_t)p->shape.vertices + p->shape.triangles, done = 0;
    pl_result result = array_reserve(&w->memory, x, capacity, 3 * all, sizeof **x);
    for (const rigid_part *run = p + 1; result == PL_OK && done < all; run++)
    {
        memcpy(*x + 3 * done, run->vertex, 12 * (size_t)run->count);
        done += run->count;
    }
    return result;
}

// The form of a hull or mesh. A mesh of a body that does not move freely collides by its triangles.
static pl_result take_points(pl_world *w, const rigid_form *f, const rigid_part *p, rigid_collider *k)
{
    float *x = NULL;
    int64_t capacity = 0;
    const rigid_hull *h = NULL;
    pl_shape_def mesh = pl_default_shape_def();
    pl_result result = points_of(w, p, &x, &capacity);
    mesh.kind = PL_SHAPE_MESH, mesh.two_sided = p->shape.flags & RIGID_TWO_SIDED;
    mesh.vertices = x, mesh.vertex_count = p->shape.vertices, mesh.triangle_count = p->shape.triangles;
    mesh.triangles = (const int32_t *)(const void *)(x + 3 * (int64_t)p->shape.vertices);
    bool by_triangles = p->kind == PL_RIGID_MESH && f->type != PL_RIGID_DYNAMIC;
    if (result == PL_OK)
        result = by_triangles ? rigid_find_mesh(w, &mesh, &h) : rigid_find_hull(w, x, p->shape.vertices, &h);
    if (result == PL_OK)
        take_hull(k, h);
    if (result == PL_OK && by_triangles)
    {
        k->kind = COLLIDER_MESH, k->two_sided = mesh.two_sided;
        k->thick = k->two_sided ? RIGID_SHEET : 0.0f, k->reach += k->thick;
    }
    array_free(&w->memory, &x, &capacity, sizeof *x);
    return result;
}

static pl_result add_part(pl_world *w, int64_t body, const rigid_part *p, int32_t number)
{
    const rigid_form *f = &w->rigids.form[body];
    rigid_collider k = {.shape = -1, .hull = -1, .data = -1, .radius = p->shape.radius};
    pl_result result = PL_OK;
    place(f, p, &k);
    switch (p->kind)
    {
    case PL_RIGID_SPHERE:
        k.kind = CONVEX_SPHERE;
        break;
    case PL_RIGID_CAPSULE:
        k.kind = CONVEX_CAPSULE, k.half[1] = 0.5f * p->shape.length;
        break;
    case PL_RIGID_CYLINDER:
        k.kind = CONVEX_CYLINDER, k.half[1] = 0.5f * p->shape.length, k.half[0] = k.half[2] = p->shape.radius;
        break;
    case PL_RIGID_BOX:
        k.kind = CONVEX_BOX, k.radius = 0.0f;
        memcpy(k.half, p->shape.half, sizeof k.half);
        break;
    default:
        k.radius = 0.0f;
        result = take_points(w, f, p, &k);
    }
    if (p->shape.flags & RIGID_HOLLOW)
        k.wall = k.kind, k.kind = COLLIDER_HOLLOW;
    if (result != PL_OK)
        return result;
    measure(w, &k);
    return put(w, &k, (uint64_t)f->serial << 24 | (uint64_t)number, p->shape.material, (int32_t)body);
}

static pl_result add_body(pl_world *w, int64_t body)
{
    const rigids *r = &w->rigids;
    pl_result result = PL_OK;
    int32_t number = 0;
    for (int32_t i = r->start[body]; i < r->start[body + 1] && result == PL_OK; i++)
        if (r->part[i].kind < RIGID_PART_NONE)
        {
            if (!part_is_sensor(&r->part[i]))
                result = add_part(w, body, &r->part[i], number);
            number++;
        }
    return result;
}

static pl_result add_shape(pl_world *w, int32_t number)
{
    const shape *s = &w->contacts.shapes[number];
    const pl_shape_def *d = &s->def;
    rigid_collider k = {.frame = RIGID_IN_WORLD,
                        .shape = number,
                        .rotation = {0.0f, 0.0f, 0.0f, 1.0f},
                        .radius = d->radius,
                        .hull = -1,
                        .data = s->data,
                        .thick = d->two_sided && d->radius < RIGID_SHEET ? RIGID_SHEET : d->radius,
                        .two_sided = d->two_sided,
                        .reach = s->reach};
    static const int kinds[PL_SHAPE_KIND_COUNT] = {
        [PL_SHAPE_PLANE] = COLLIDER_PLANE, [PL_SHAPE_SPHERE] = CONVEX_SPHERE,      [PL_SHAPE_CAPSULE] = CONVEX_CAPSULE,
        [PL_SHAPE_BOX] = CONVEX_BOX,       [PL_SHAPE_HULL] = CONVEX_HULL,          [PL_SHAPE_MESH] = COLLIDER_MESH,
        [PL_SHAPE_SDF] = COLLIDER_SDF,     [PL_SHAPE_HEIGHTFIELD] = COLLIDER_FIELD};
    pl_result result = PL_OK;
    if (d->sensor) // it touches nothing
        return PL_OK;
    k.kind = kinds[d->kind];
    if (d->kind == PL_SHAPE_BOX)
        k.half[0] = d->half.x, k.half[1] = d->half.y, k.half[2] = d->half.z;
    if (d->kind == PL_SHAPE_CAPSULE)
        k.half[1] = 0.5f * d->length;
    if (d->kind == PL_SHAPE_HULL)
    {
        const rigid_hull *h;
        result = rigid_find_hull(w, d->vertices, d->vertex_count, &h);
        if (result == PL_OK)
            take_hull(&k, h);
    }
    if (d->inside)
        k.wall = k.kind, k.kind = COLLIDER_HOLLOW;
    if (result != PL_OK)
        return result;
    measure(w, &k);
    uint64_t name =
        (uint64_t)1 << 63 | (uint64_t)s->id_entry << 31 | (w->entries[s->id_entry].generation & 0x7fffffffu);
    return put(w, &k, name, d->material, number);
}

bool rigid_colliders_changed(const pl_world *w)
{
    const rigid_contacts *c = &w->rigid_contacts;
    return c->colliders_stale || c->shape_version != w->contacts.shape_version || c->bodies != w->rigids.count;
}

pl_result rigid_colliders_list(pl_world *w)
{
    rigid_contacts *c = &w->rigid_contacts;
    pl_result result = PL_OK;
    if (!rigid_colliders_changed(w))
        return PL_OK;
    // A world that was loaded, and not edited since, has the boxes of the saved one.
    bool same = c->loaded && c->bodies == w->rigids.count && c->shape_version == w->contacts.shape_version;
    c->colliders = 0;
    c->stale |= !same;
    c->loaded = false;
    c->bodies = w->rigids.count;
    for (int64_t i = 0; i < w->rigids.count && result == PL_OK; i++)
        result = add_body(w, i);
    c->of_bodies = (int32_t)c->colliders;
    for (int32_t i = 0; c->of_bodies && i < w->contacts.shape_count && result == PL_OK; i++)
        result = add_shape(w, i);
    c->colliders_stale = result != PL_OK;
    c->shape_version = w->contacts.shape_version;
    return result;
}

void rigid_colliders_free(pl_world *w)
{
    rigid_contacts *c = &w->rigid_contacts;
    array_free(&w->memory, &c->collider, &c->collider_capacity, sizeof *c->collider);
    array_free(&w->memory, &c->name, &c->name_capacity, sizeof *c->name);
    array_free(&w->memory, &c->material, &c->material_capacity, sizeof *c->material);
    array_free(&w->memory, &c->owner, &c->owner_capacity, sizeof *c->owner);
    array_free(&w->memory, &c->hull, &c->hull_capacity, sizeof *c->hull);
    array_free(&w->memory, &c->word, &c->word_capacity, sizeof *c->word);
}

// ---- boxes of shapes of the world ----------------------------------------------------------------------------------

// The box in the frame of the shape.
static void own_box(const pl_world *w, const rigid_collider *k, double low[3], double high[3])
{
    const geometry *g = k->data >= 0 ? (const geometry *)(const void *)(w->state.shape_data + k->data) : NULL;
    for (int a = 0; a < 3; a++)
        low[a] = -(double)k->reach, high[a] = (double)k->reach;
    if (k->kind == COLLIDER_MESH)
    {
        bvh b = mesh_of(g);
        for (int a = 0; a < 3; a++)
            low[a] = (double)b.node->low[a] - (double)k->thick, high[a] = (double)b.node->high[a] + (double)k->thick;
    }
    if (k->kind == CONVEX_BOX)
        for (int a = 0; a < 3; a++)
            high[a] = (double)k->half[a] + (double)k->radius, low[a] = -high[a];
    if (k->kind == COLLIDER_FIELD)
    {
        heightfield f = field_of(g);
        for (int a = 0; a < 2; a++)
        {
            low[2 * a] = (double)f.origin[a] - (double)k->thick;
            high[2 * a] = (double)f.origin[a] + (double)f.spacing[a] * (f.size[a] - 1) + (double)k->thick;
        }
        low[1] = (double)f.low - (double)k->reach, high[1] = (double)f.high + (double)k->thick; // solid below
    }
}

void rigid_world_box(const pl_world *w, const rigid_collider *k, float low[3], float high[3])
{
    const shape *s = &w->contacts.shapes[k->shape];
    double l[3], h[3];
    own_box(w, k, l, h);
    const double_quat q = {{s->rotation[0], s->rotation[1], s->rotation[2]}, s->rotation[3]};
    double middle[3], at[3], half[3] = {0};
    for (int a = 0; a < 3; a++)
        middle[a] = 0.5 * (l[a] + h[a]);
    rotate3(q, middle, at);
    for (int a = 0; a < 3; a++)
    {
        double axis[3] = {0}, out[3];
        axis[a] = 0.5 * (h[a] - l[a]);
        rotate3(q, axis, out);
        for (int b = 0; b < 3; b++)
            half[b] += fabs(out[b]);
    }
    for (int a = 0; a < 3; a++)
    {
        low[a] = (float)(s->at[a] + at[a] - half[a] * 1.000001);
        high[a] = (float)(s->at[a] + at[a] + half[a] * 1.000001);
    }
}
