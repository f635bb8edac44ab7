// cache.c: keeps what queries search: the shapes of the world and of bodies where they are now, and the trees.
#include "query/cache.h"

#include "collide/convex.h"
#include "collide/geometry.h"
#include "groups/rigids.h"

#include <math.h>
#include <sched.h>
#include <string.h>

// ---- shapes of bodies ----------------------------------------------------------------------------------------------

static const query_geometry *find_geometry(const queries *q, uint32_t entry, uint32_t generation, int32_t part,
                                           int64_t *hint)
{
    for (int64_t i = 0; i < q->geometry_count; i++)
    {
        int64_t at = (*hint + i) % q->geometry_count;
        const query_geometry *g = &q->geometry[at];
        if (g->entry == entry && g->generation == generation && g->part == part)
        {
            *hint = at + 1;
            return g;
        }
    }
    return NULL;
}

// Gathers the vertices and triangles of a hull or mesh, which lie in runs of four behind it.
static pl_result build_geometry(pl_world *w, const rigid_part *p, query_geometry *g)
{
    const int32_t vertices = p->shape.vertices, triangles = p->shape.triangles;
    size_t bytes = 12 * ((size_t)vertices + (size_t)triangles);
    void *block = NULL;
    pl_result result = memory_resize(&w->memory, &block, 0, bytes);
    if (result != PL_OK)
        return result;
    char *to = block;
    for (const rigid_part *run = p + 1; to < (char *)block + bytes; run++)
    {
        memcpy(to, run->vertex, 12 * (size_t)run->count);
        to += 12 * (size_t)run->count;
    }
    pl_shape_def def = pl_default_shape_def();
    def.kind = p->kind == PL_RIGID_HULL ? PL_SHAPE_HULL : PL_SHAPE_MESH;
    def.vertices = block, def.vertex_count = vertices;
    def.triangles = (const int32_t *)block + 3 * (size_t)vertices, def.triangle_count = triangles;
    result = geometry_build(&w->memory, "shape of a body", &def, &g->bytes, &g->size);
    if (result == PL_ERROR_ARGUMENT && def.kind == PL_SHAPE_MESH)
    {
        def.two_sided = true; // not closed: a thin sheet
        result = geometry_build(&w->memory, "shape of a body", &def, &g->bytes, &g->size);
    }
    if (result == PL_OK)
        g->reach = geometry_reach(g->bytes, &def);
    else if (result == PL_ERROR_ARGUMENT)
        result = PL_OK, g->bytes = NULL, g->size = 0; // nothing to hit
    memory_free(&w->memory, block, bytes);
    return result;
}

static pl_result geometry_for(pl_world *w, const rigid_part *p, uint32_t entry, int32_t part, int64_t *hint,
                              const query_geometry **out)
{
    queries *q = &w->queries;
    uint32_t generation = w->entries[entry].generation;
    *out = find_geometry(q, entry, generation, part, hint);
    if (*out)
        return PL_OK;
    query_geometry g = {.entry = entry, .generation = generation, .part = part};
    pl_result result =
        array_reserve(&w->memory, &q->geometry, &q->geometry_capacity, q->geometry_count + 1, sizeof *q->geometry);
    if (result == PL_OK)
        result = build_geometry(w, p, &g);
    if (result != PL_OK)
        return result;
    q->geometry[q->geometry_count++] = g;
    *out = &q->geometry[q->geometry_count - 1];
    *hint = q->geometry_count;
    return PL_OK;
}

// Frees the geometry of bodies that are gone.
static void drop_geometry(pl_world *w)
{
    queries *q = &w->queries;
    int64_t left = 0;
    for (int64_t i = 0; i < q->geometry_count; i++)
    {
        query_geometry g = q->geometry[i];
        const id_entry *t = (int64_t)g.entry < w->entry_count ? &w->entries[g.entry] : NULL;
        if (t && t->type == ID_OBJECT && t->generation == g.generation)
            q->geometry[left++] = g;
        else
            memory_free(&w->memory, g.bytes, g.size);
    }
    q->geometry_count = left;
}

// ---- parts ---------------------------------------------------------------------------------------------------------

static query_part *next_part(pl_world *w, pl_result *result)
{
    queries *q = &w->queries;
    if (*result == PL_OK)
        *result = array_reserve(&w->memory, &q->part, &q->part_capacity, q->part_count + 1, sizeof *q->part);
    if (*result != PL_OK)
        return NULL;
    query_part *p = &q->part[q->part_count];
    memset(p, 0, sizeof *p);
    p->category = p->mask = UINT64_MAX;
    return p;
}

// The box of a shape by its reach; of boxes by their sides.
static void set_box(query_part *p)
{
    const float *r = p->at.rotation;
    p->reach = (double)p->solid.reach;
    p->unbounded = p->solid.reach <= 0.0f || p->solid.flags & SOLID_INSIDE;
    for (int k = 0; k < 3; k++)
    {
        double half = p->reach * 1.001;
        if (p->solid.kind == SOLID_BOX)
            half = (fabs((double)r[3 * k]) * (double)p->solid.size[0] +
                    fabs((double)r[3 * k + 1]) * (double)p->solid.size[1] +
                    fabs((double)r[3 * k + 2]) * (double)p->solid.size[2]) *
                       1.0001 +
                   (double)p->solid.size[3];
        p->box.low[k] = (float)((double)p->at.at[k] - half);
        p->box.high[k] = (float)((double)p->at.at[k] + half);
    }
}

static solid solid_of_part(const rigid_part *p)
{
    solid s = {.size = {p->shape.half[0], p->shape.half[1], p->shape.half[2], p->shape.radius}, .data = -1};
    float half = 0.5f * p->shape.length;
    switch (p->kind)
    {
    case PL_RIGID_SPHERE:
        s.kind = SOLID_SPHERE;
        s.reach = p->shape.radius;
        break;
    case PL_RIGID_CAPSULE:
    case PL_RIGID_CYLINDER:
        s.kind = SOLID_CAPSULE;
        s.size[0] = p->shape.length;
        s.reach = half + p->shape.radius;
        break;
    case PL_RIGID_BOX:
        s.kind = SOLID_BOX;
        s.size[3] = 0.0f;
        s.reach = 1.001f * sqrtf(s.size[0] * s.size[0] + s.size[1] * s.size[1] + s.size[2] * s.size[2]);
        break;
    default:
        s.kind = p->kind == PL_RIGID_HULL ? SOLID_HULL : SOLID_MESH;
        s.size[3] = 0.0f;
        s.data = 0;
        break;
    }
    return s;
}

static void place_part(query_part *to, const rigid_part *p, double_quat turn, const double x[3])
{
    const double offset[3] = {(double)p->shape.position[0], (double)p->shape.position[1], (double)p->shape.position[2]};
    double at[3];
    double_quat q = double_quat_times(turn, double_quat_of(p->shape.rotation));
    double size = sqrt(double_quat_dot(q, q));
    rotate3(turn, offset, at);
    for (int k = 0; k < 3; k++)
        at[k] += x[k];
    const double quat[4] = {q.v[0] / size, q.v[1] / size, q.v[2] / size, q.w / size};
    to->at = placement_from(at, quat);
}

static pl_result put_body(pl_world *w, int64_t body, int64_t *hint)
{
    const rigids *r = &w->rigids;
    double x[3];
    double_quat turn = rigid_place(w, body, x);
    uint32_t entry = (uint32_t)object_at(w, r->member[r->start[body]]);
    pl_result result = PL_OK;
    int32_t part = 0;
    for (int64_t i = r->start[body]; i < r->start[body + 1] && result == PL_OK; i++)
    {
        const rigid_part *from = &r->part[i];
        const query_geometry *g = NULL;
        if (from->kind >= PL_RIGID_SHAPE_KIND_COUNT)
            continue;
        query_part *p = next_part(w, &result);
        if (result == PL_OK && from->kind >= PL_RIGID_HULL)
            result = geometry_for(w, from, entry, part, hint, &g);
        if (result != PL_OK)
            return result;
        if (++part && g && !g->bytes)
            continue;
        p->solid = solid_of_part(from);
        p->cylinder = from->kind == PL_RIGID_CYLINDER;
        p->sensor = from->shape.sensor;
        if (g)
            p->data = g->bytes, p->solid.reach = g->reach;
        p->body = (int32_t)body, p->part = part - 1, p->entry = entry;
        p->category = r->form[body].category[0] | (uint64_t)r->form[body].category[1] << 32;
        p->mask = r->form[body].mask[0] | (uint64_t)r->form[body].mask[1] << 32;
        place_part(p, from, turn, x);
        set_box(p);
        w->queries.part_count++;
    }
    return result;
}

static pl_result place_parts(pl_world *w)
{
    queries *q = &w->queries;
    int64_t hint = 0;
    pl_result result = PL_OK;
    q->part_count = 0;
    drop_geometry(w);
    for (int32_t i = 0; i < w->contacts.shape_count && result == PL_OK; i++)
    {
        query_part *p = next_part(w, &result);
        if (!p)
            return result;
        p->solid = shape_solid(w, i, &p->at);
        p->data = w->state.shape_data;
        p->body = -1, p->part = i, p->entry = w->contacts.shapes[i].id_entry;
        p->category = (uint64_t)p->solid.mask; // as for the contacts of bodies
        p->sensor = w->contacts.shapes[i].def.sensor;
        set_box(p);
        q->part_count++;
    }
    for (int64_t i = 0; i < w->rigids.count && result == PL_OK; i++)
        result = put_body(w, i, &hint);
    q->parts_placed = result == PL_OK;
    return result;
}

surface_distance part_probe(const query_part *p, vec x, float reach)
{
    if (p->cylinder)
        return probe_cylinder(x, 0.5f * p->solid.size[0], p->solid.size[3]);
    return probe_solid(p->data, &p->solid, x, reach);
}

// ---- boxes for the trees -------------------------------------------------------------------------------------------

static bool box_of_part(const pl_world *w, int32_t item, query_box *box)
{
    const query_part *p = &w->queries.part[item];
    *box = p->box;
    return !p->unbounded; // those are tested always
}

static bool box_of_particle(const pl_world *w, int32_t number, query_box *box)
{
    int32_t slot = w->numbers.slot_of[number];
    if (slot < 0)
        return false;
    const float *x = w->state.slot[SLOT_X] + 4 * (size_t)slot, r = w->state.slot[SLOT_COLLISION][4 * (size_t)slot];
    for (int k = 0; k < 3; k++)
        box->low[k] = x[k] - r, box->high[k] = x[k] + r;
    return true;
}

static bool box_of_face(const pl_world *w, int32_t face, query_box *box)
{
    for (int c = 0; c < 3; c++)
    {
        const float *x =
            w->state.slot[SLOT_X] + 4 * (size_t)w->numbers.slot_of[w->faces.index[3 * (size_t)face + (size_t)c]];
        for (int k = 0; k < 3; k++)
        {
            box->low[k] = c && box->low[k] < x[k] ? box->low[k] : x[k];
            box->high[k] = c && box->high[k] > x[k] ? box->high[k] : x[k];
        }
    }
    return true;
}

// ---- bringing the cache up to date ---------------------------------------------------------------------------------

static void notice_changes(pl_world *w)
{
    queries *q = &w->queries;
    if (q->changes == w->changes)
        return;
    for (int i = 0; i < QUERY_TREES; i++)
    {
        q->tree[i].fresh = false;
        q->tree[i].sorted = q->tree[i].sorted && q->items == w->item_changes;
        q->tree[i].asked = q->items == w->item_changes ? q->tree[i].asked : 0;
    }
    q->parts_placed = false;
    q->changes = w->changes;
    q->items = w->item_changes;
}

static pl_result update(pl_world *w, int targets, unsigned *trees)
{
    queries *q = &w->queries;
    pl_result result = PL_OK;
    notice_changes(w);
    *trees = 0;
    if (targets & (PL_CAST_SHAPES | PL_CAST_BODIES) && !q->parts_placed)
        result = place_parts(w);
    if (result != PL_OK || q->linear)
        return result;
    const int wanted[QUERY_TREES] = {PL_CAST_SHAPES | PL_CAST_BODIES, PL_CAST_PARTICLES, PL_CAST_FACES};
    const int64_t items[QUERY_TREES] = {q->part_count, w->numbers.end, w->faces.count};
    item_box *const boxes[QUERY_TREES] = {box_of_part, box_of_particle, box_of_face};
    for (int i = 0; i < QUERY_TREES; i++)
    {
        if (targets & wanted[i])
            tree_update(w, &q->tree[i], items[i], boxes[i]);
        *trees |= q->tree[i].fresh ? 1u << i : 0;
    }
    return PL_OK;
}

pl_result query_prepare(const pl_world *w, int targets, unsigned *trees)
{
    pl_world *world = (pl_world *)w; // changes only the cache
    while (atomic_flag_test_and_set_explicit(&world->queries.busy, memory_order_acquire))
        sched_yield();
    pl_result result = pull(w, ARRAY_BIT(SLOT_X));
    if (result == PL_OK && targets & PL_CAST_BODIES && w->rigids.count)
        result = rigid_pull(w);
    if (result == PL_OK)
        result = update(world, targets, trees);
    atomic_flag_clear_explicit(&world->queries.busy, memory_order_release);
    return result;
}

void queries_forget(pl_world *w)
{
    queries *q = &w->queries;
    for (int64_t i = 0; i < q->geometry_count; i++)
        memory_free(&w->memory, q->geometry[i].bytes, q->geometry[i].size);
    q->geometry_count = q->part_count = 0;
    world_changed(w, true);
}

void queries_free(pl_world *w)
{
    queries *q = &w->queries;
    queries_forget(w);
    for (int i = 0; i < QUERY_TREES; i++)
        tree_free(&w->memory, &q->tree[i]);
    array_free(&w->memory, &q->part, &q->part_capacity, sizeof *q->part);
    array_free(&w->memory, &q->geometry, &q->geometry_capacity, sizeof *q->geometry);
}
