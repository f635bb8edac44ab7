// cast.c: casts rays, balls, capsules, boxes and hulls against shapes, bodies, particles and faces: the public calls and
// the sorted list of hits. The intersection tests are in cast_targets.c and cast_convex.c.
#include "query/cast.h"

#include <math.h>
#include <string.h>

// ---- the list of hits ----------------------------------------------------------------------------------------------

static int rank_of(const pl_hit *h) { return h->shape.index ? 0 : h->part >= 0 ? 1 : h->face < 0 ? 2 : 3; }

bool hit_comes_before(const pl_hit *a, const pl_hit *b)
{
    if (a->distance != b->distance)
        return a->distance < b->distance;
    int p = rank_of(a), q = rank_of(b);
    if (p != q)
        return p < q;
    if (p == 1)
        return a->object.index != b->object.index ? a->object.index < b->object.index : a->part < b->part;
    return p == 0 ? a->shape.index < b->shape.index : p == 2 ? a->particle < b->particle : a->face < b->face;
}

static uint64_t user_data_at(const pl_world *w, uint32_t entry)
{
    const id_entry *t = &w->entries[entry];
    return t->user[0] | (uint64_t)t->user[1] << 32;
}

void add_hit(cast_state *f, const pl_hit *hit)
{
    f->all++;
    if (f->found)
    {
        f->found(f, hit);
        return;
    }
    int at = f->count;
    if (at == f->capacity && !hit_comes_before(hit, &f->hits[at - 1]))
        return;
    while (at > 0 && hit_comes_before(hit, &f->hits[at - 1]))
        at--;
    int last = f->count < f->capacity ? f->count : f->capacity - 1;
    memmove(f->hits + at + 1, f->hits + at, (size_t)(last - at) * sizeof *f->hits);
    f->hits[at] = *hit;
    f->count = last + 1;
    pl_hit *h = &f->hits[at];
    h->fraction = f->distance > 0.0 ? (float)((double)h->distance / f->distance) : 0.0f;
    h->fraction = h->fraction > 1.0f ? 1.0f : h->fraction;
    if (h->part < 0)
        h->user_data = user_data_at(f->w, h->shape.index ? h->shape.index : h->object.index);
}

// ---- checks --------------------------------------------------------------------------------------------------------

pl_cast_def pl_default_cast_def(void)
{
    return (pl_cast_def){.direction = {0.0f, -1.0f, 0.0f},
                         .distance = 1000.0f,
                         .rotation = {0.0f, 0.0f, 0.0f, 1.0f},
                         .half = {0.5f, 0.5f, 0.5f},
                         .length = 1.0f,
                         .targets = PL_CAST_ALL,
                         .mask = 255,
                         .filter = {UINT64_MAX, UINT64_MAX}};
}

static pl_result set_ignored(cast_state *f, pl_id id, const char *what)
{
    if (!id.index)
        return PL_OK;
    const id_entry *t = id_find(f->w, id, ID_FREE, what);
    if (!t)
        return PL_ERROR_ARGUMENT;
    if (t->type != ID_SHAPE && t->type != ID_OBJECT)
        return fail(PL_ERROR_ARGUMENT, "%s: ignore must name an object or a shape", what);
    f->ignore_entry = id.index;
    if (t->type == ID_OBJECT)
        f->ignore_first = t->first, f->ignore_end = t->first + t->count;
    return PL_OK;
}

static pl_result set_hull(cast_state *f, const pl_cast_def *d, const char *what)
{
    int64_t where;
    float far = 0.0f;
    if (!d->vertices || d->vertex_count < 1 || d->vertex_count > PL_CAST_VERTICES)
        return fail(PL_ERROR_ARGUMENT, "%s: a hull has %d vertices; give from 1 to %d, and their array", what,
                    d->vertex_count, PL_CAST_VERTICES);
    if (!all_finite(d->vertices, 3 * (int64_t)d->vertex_count, &where))
        return fail(PL_ERROR_ARGUMENT, "%s: vertex %lld is not finite; give finite numbers", what,
                    (long long)where / 3);
    convex *c = &f->shape;
    c->hull.vertex = d->vertices;
    c->hull.vertices = d->vertex_count;
    for (int i = 0; i < d->vertex_count; i++)
    {
        vec v = poly_vertex(&c->hull, i);
        far = most(far, length(v));
        c->middle = add(c->middle, times(1.0f / (float)d->vertex_count, v));
    }
    c->reach = 1.000001f * far + d->radius;
    return PL_OK;
}

void cast_measure(cast_state *f)
{
    pose p = {f->turn, vec_of(0.0f, 0.0f, 0.0f)};
    vec low, high;
    convex_box_around(&f->shape, &p, &low, &high);
    const float l[3] = {low.x, low.y, low.z}, h[3] = {high.x, high.y, high.z};
    for (int k = 0; k < 3; k++)
        f->centre[k] = 0.5 * ((double)h[k] + (double)l[k]), f->half[k] = 0.50001 * ((double)h[k] - (double)l[k]);
    f->reach = f->shape.reach;
}

// The core of the form, and its box.
static pl_result set_form(cast_state *f, const pl_cast_def *d, const char *what)
{
    const pl_quat q = d->rotation;
    double size = (double)q.x * q.x + (double)q.y * q.y + (double)q.z * q.z + (double)q.w * q.w;
    f->form = (int)d->form;
    f->reach = d->radius;
    for (int k = 0; k < 3; k++)
        f->centre[k] = 0.0, f->half[k] = d->radius;
    if ((unsigned)d->form >= PL_CAST_FORM_COUNT)
        return fail(PL_ERROR_ARGUMENT, "%s: form is %d; it must be from 0 to %d", what, (int)d->form,
                    PL_CAST_FORM_COUNT - 1);
    if (d->form == PL_CAST_BALL)
        return PL_OK;
    if (!(size > 0.98 && size < 1.02))
        return fail(PL_ERROR_ARGUMENT, "%s: rotation is a quaternion of length %g; it must be 1", what, sqrt(size));
    if (d->form == PL_CAST_CAPSULE && !(d->length >= 0.0f && CHECK_FINITE(d->length)))
        return fail(PL_ERROR_ARGUMENT, "%s: length is %g; it must be 0 or above", what, (double)d->length);
    if (d->form == PL_CAST_BOX && !(finite3(d->half) && d->half.x >= 0.0f && d->half.y >= 0.0f && d->half.z >= 0.0f))
        return fail(PL_ERROR_ARGUMENT, "%s: half is (%g, %g, %g); each must be 0 or above", what, (double)d->half.x,
                    (double)d->half.y, (double)d->half.z);
    float inverse = (float)(1.0 / sqrt(size));
    f->turn = mat_of_quat((quat){{inverse * q.x, inverse * q.y, inverse * q.z}, inverse * q.w});
    f->shape = d->form == PL_CAST_CAPSULE ? convex_capsule(0.5f * d->length, d->radius)
               : d->form == PL_CAST_BOX   ? convex_box(vec_of(d->half.x, d->half.y, d->half.z), d->radius)
                                          : convex_of(CONVEX_HULL, vec_of(0.0f, 0.0f, 0.0f), d->radius);
    pl_result result = d->form == PL_CAST_HULL ? set_hull(f, d, what) : PL_OK;
    if (result == PL_OK && !(f->shape.reach < 1e15f))
        result = fail(PL_ERROR_ARGUMENT, "%s: the form reaches %g m; at most 1e15 m are possible", what,
                      (double)f->shape.reach);
    if (result == PL_OK)
        cast_measure(f);
    return result;
}

pl_result cast_open(cast_state *f, const pl_cast_def *d, const char *what)
{
    const pl_vec3 v = d->direction;
    double size = sqrt((double)v.x * v.x + (double)v.y * v.y + (double)v.z * v.z);
    if (!finite3(d->origin) || !finite3(v) || !(size > 0.0))
        return fail(PL_ERROR_ARGUMENT, "%s: origin and direction must be finite, and the direction not 0", what);
    if (!(d->distance >= 0.0f && CHECK_FINITE(d->distance)))
        return fail(PL_ERROR_ARGUMENT, "%s: distance is %g; it must be 0 or above, and finite", what,
                    (double)d->distance);
    if (!(d->radius >= 0.0f && CHECK_FINITE(d->radius)))
        return fail(PL_ERROR_ARGUMENT, "%s: radius is %g; it must be 0 or above, and finite", what, (double)d->radius);
    if (d->targets < 1 || d->targets > PL_CAST_ALL)
        return fail(PL_ERROR_ARGUMENT, "%s: targets is %d; it must be a sum of pl_cast_target, 1 to %d", what,
                    d->targets, PL_CAST_ALL);
    if (d->mask < 0 || d->mask > 255)
        return fail(PL_ERROR_ARGUMENT, "%s: mask is %d; it must be from 0 to 255", what, d->mask);
    f->from[0] = d->origin.x, f->from[1] = d->origin.y, f->from[2] = d->origin.z;
    f->way[0] = v.x / size, f->way[1] = v.y / size, f->way[2] = v.z / size;
    f->distance = d->distance, f->radius = d->radius;
    f->mask = (uint32_t)d->mask;
    f->targets = d->targets;
    f->filter = d->filter;
    f->at_part = cast_at_part;
    pl_result result = set_form(f, d, what);
    return result == PL_OK ? set_ignored(f, d->ignore, what) : result;
}

// ---- the search ----------------------------------------------------------------------------------------------------

static void test_part(cast_state *f, int64_t i)
{
    const query_part *p = &f->w->queries.part[i];
    if (!p->sensor && f->targets & (p->body < 0 ? PL_CAST_SHAPES : PL_CAST_BODIES) && p->entry != f->ignore_entry &&
        (p->body >= 0 || (uint32_t)p->solid.mask & f->mask) && filter_finds(&f->filter, p->category, p->mask))
        f->at_part(f, p);
}

static double visit_part(void *f, int32_t i)
{
    test_part(f, i);
    return reach_of_cast(f);
}

static double visit_particle(void *f, int32_t number)
{
    cast_at_particle(f, number);
    return reach_of_cast(f);
}

static double visit_face(void *f, int32_t face)
{
    cast_at_face(f, face);
    return reach_of_cast(f);
}

static void search_items(cast_state *f, bool has_tree, int kind, int64_t items, tree_visit *visit)
{
    tree_line line;
    for (int k = 0; k < 3; k++)
        line.from[k] = f->from[k] + f->centre[k], line.way[k] = f->way[k], line.half[k] = f->half[k];
    if (has_tree)
        tree_cast(&f->w->queries.tree[kind], &line, reach_of_cast(f), visit, f);
    else
        for (int64_t i = 0; i < items; i++)
            visit(f, (int32_t)i);
}

pl_result cast_run(cast_state *f)
{
    const pl_world *w = f->w;
    unsigned trees;
    pl_result result = query_prepare(w, f->targets, &trees);
    if (result != PL_OK)
        return result;
    bool in_tree = trees >> QUERY_PARTS & 1;
    if (f->targets & (PL_CAST_SHAPES | PL_CAST_BODIES))
    {
        // Those of the world come first, and only they can be unbounded.
        for (int64_t i = 0; in_tree && i < w->contacts.shape_count; i++)
            if (w->queries.part[i].unbounded)
                test_part(f, i);
        search_items(f, in_tree, QUERY_PARTS, w->queries.part_count, visit_part);
    }
    if (f->targets & PL_CAST_PARTICLES)
        search_items(f, trees >> QUERY_PARTICLES & 1, QUERY_PARTICLES, w->numbers.end, visit_particle);
    if (f->targets & PL_CAST_FACES)
        search_items(f, trees >> QUERY_FACES & 1, QUERY_FACES, w->faces.count, visit_face);
    return PL_OK;
}

// ---- public calls --------------------------------------------------------------------------------------------------

pl_result pl_cast(const pl_world *w, const pl_cast_def *def, pl_hit *hit)
{
    NEED(w);
    NEED(def);
    NEED(hit);
    PLAIN_ROUNDING;
    pl_hit nearest = {.face = -1, .particle = -1, .part = -1, .distance = def->distance, .fraction = 1.0f};
    cast_state f = {.w = w, .hits = &nearest, .capacity = 1};
    pl_result result = cast_open(&f, def, "cast");
    if (result == PL_OK)
        result = cast_run(&f);
    if (result == PL_OK)
        *hit = nearest;
    return result;
}

static pl_result find_all(cast_state *f, const pl_cast_def *def, pl_hit *out, int capacity, int *count,
                          const char *what)
{
    pl_hit spare[2];
    if (capacity < 0 || (capacity > 0 && !out))
        return fail(PL_ERROR_ARGUMENT, "%s: capacity is %d with out %s; give room for as many hits", what, capacity,
                    out ? "given" : "NULL");
    f->hits = capacity > 1 ? out : spare, f->capacity = capacity > 1 ? capacity : 2;
    pl_result result = cast_open(f, def, what);
    if (result == PL_OK)
        result = cast_run(f);
    if (result != PL_OK)
        return result;
    if (capacity == 1 && f->count)
        out[0] = spare[0];
    *count = f->all < INT32_MAX ? (int)f->all : INT32_MAX;
    return PL_OK;
}

pl_result pl_cast_all(const pl_world *w, const pl_cast_def *def, pl_hit *out, int capacity, int *count)
{
    NEED(w);
    NEED(def);
    NEED(count);
    PLAIN_ROUNDING;
    cast_state f = {.w = w};
    return find_all(&f, def, out, capacity, count, "cast");
}

pl_result pl_overlap_all(const pl_world *w, const pl_cast_def *def, pl_hit *out, int capacity, int *count)
{
    NEED(w);
    NEED(def);
    NEED(count);
    PLAIN_ROUNDING;
    pl_cast_def still = *def;
    still.direction = (pl_vec3){0.0f, -1.0f, 0.0f};
    still.distance = 0.0f;
    cast_state f = {.w = w};
    return find_all(&f, &still, out, capacity, count, "overlap");
}
