// oriented_forms.c: makes chains, sheets and trees of oriented particles. A particle's y axis points along its branch;
// in a sheet it is normal to the sheet.
#include "author/build.h"
#include "core/trig.h"

#include <math.h>
#include <string.h>

pl_oriented_form_def pl_default_oriented_form_def(void)
{
    return (pl_oriented_form_def){.u = {0.0f, 1.0f, 0.0f},
                                  .v = {0.0f, 0.0f, 1.0f},
                                  .size = {6, 6},
                                  .radius = 0.05f,
                                  .mass = 1.0f,
                                  .hold = true,
                                  .levels = 2,
                                  .branches = 3,
                                  .spread = 0.7f,
                                  .shrink = 0.6f};
}

enum
{
    MOST = 1 << 20, // particles
};

typedef struct plant
{
    float *x, *mass, *radii, *rotation;
    int32_t *links;
    int count, link_count;
} plant;

static double size3(pl_vec3 a) { return sqrt((double)a.x * a.x + (double)a.y * a.y + (double)a.z * a.z); }

static pl_vec3 blend3(double s, pl_vec3 a, double t, pl_vec3 b)
{
    return (pl_vec3){(float)(s * (double)a.x + t * (double)b.x), (float)(s * (double)a.y + t * (double)b.y),
                     (float)(s * (double)a.z + t * (double)b.z)};
}

static pl_vec3 unit3(pl_vec3 a) { return blend3(1.0 / size3(a), a, 0.0, a); }

static pl_vec3 normal3(pl_vec3 a, pl_vec3 b)
{
    return (pl_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// Returns the shortest rotation that takes y to d.
static void rotation_to(pl_vec3 d, float *q)
{
    double w = 1.0 + (double)d.y, x = (double)d.z, z = -(double)d.x;
    if (w < 1e-6)
        w = 0.0, x = 1.0, z = 0.0; // straight down: half a turn about x
    double size = sqrt(w * w + x * x + z * z);
    q[0] = (float)(x / size), q[1] = 0.0f, q[2] = (float)(z / size), q[3] = (float)(w / size);
}

static int put(plant *p, pl_vec3 x, float mass, float a, float b, float c, const float *q)
{
    size_t i = (size_t)p->count;
    p->x[3 * i] = x.x, p->x[3 * i + 1] = x.y, p->x[3 * i + 2] = x.z;
    p->mass[i] = mass;
    p->radii[3 * i] = a, p->radii[3 * i + 1] = b, p->radii[3 * i + 2] = c;
    memcpy(p->rotation + 4 * i, q, 4 * sizeof *q);
    return p->count++;
}

static void join(plant *p, int a, int b)
{
    p->links[2 * p->link_count] = a;
    p->links[2 * p->link_count++ + 1] = b;
}

// Adds particles along a straight line and links the first of them to `from`, unless that is -1. Returns the last one.
static int put_line(plant *p, pl_vec3 start, pl_vec3 step, int count, float radius, int from)
{
    float q[4], half = 0.5f * (float)size3(step);
    rotation_to(unit3(step), q);
    for (int i = 0; i < count; i++)
    {
        int at = put(p, blend3(1.0, start, (double)i, step), radius * radius * half, radius, half, radius, q);
        if (from >= 0)
            join(p, from, at);
        from = at;
    }
    return from;
}

// A branch that starts at the end of another one.
typedef struct bud
{
    pl_vec3 at, way; // way: direction and length of the branch that it grows from
    float radius;
    int from, level;
} bud;

// Finds two directions perpendicular to d and to each other.
static void find_sides(pl_vec3 d, pl_vec3 *e, pl_vec3 *f)
{
    double x = fabs((double)d.x), y = fabs((double)d.y), z = fabs((double)d.z);
    pl_vec3 least = {x <= y && x <= z, y < x && y <= z, z < x && z < y};
    *e = unit3(normal3(d, least));
    *f = normal3(d, *e);
}

static bud grow(plant *p, const pl_oriented_form_def *d, const bud *b, int k)
{
    pl_vec3 along = unit3(b->way), e, f;
    find_sides(along, &e, &f);
    // Neighbouring levels are rotated by the golden angle, so that branches do not line up.
    float part = (float)k / (float)d->branches + 0.38196601f * (float)b->level;
    pl_vec3 out = blend3((double)cosine_of_turns(part), e, (double)sine_of_turns(part), f);
    double length = (double)d->shrink * size3(b->way);
    pl_vec3 way = blend3(length, unit3(blend3(1.0, along, (double)d->spread, out)), 0.0, along);
    pl_vec3 step = blend3(1.0 / d->size[0], way, 0.0, way);
    float radius = d->shrink * b->radius;
    int last = put_line(p, blend3(1.0, b->at, 1.0, step), step, d->size[0], radius, b->from);
    return (bud){blend3(1.0, b->at, 1.0, way), way, radius, last, b->level + 1};
}

// Adds the tree level by level: all branches of a level, then those that grow from them.
static void put_tree(plant *p, const pl_oriented_form_def *d, bud *buds)
{
    int first = 0, end = 1;
    pl_vec3 step = blend3(1.0 / (d->size[0] - 1), d->u, 0.0, d->u);
    int last = put_line(p, d->origin, step, d->size[0], d->radius, -1);
    buds[0] = (bud){blend3(1.0, d->origin, 1.0, d->u), d->u, d->radius, last, 0};
    for (int level = 0; level < d->levels; level++)
    {
        int grown = end;
        for (int i = first; i < end; i++)
            for (int k = 0; k < d->branches; k++)
                buds[grown++] = grow(p, d, &buds[i], k);
        first = end;
        end = grown;
    }
}

static void put_sheet(plant *p, const pl_oriented_form_def *d)
{
    int n = d->size[0], m = d->size[1];
    float a = 0.5f * (float)size3(d->u) / (float)(n - 1), c = 0.5f * (float)size3(d->v) / (float)(m - 1), q[4];
    pl_vec3 x = unit3(d->u), y = unit3(normal3(d->v, d->u)), z = normal3(x, y);
    mat3 axes = {{vec_of(x.x, x.y, x.z), vec_of(y.x, y.y, y.z), vec_of(z.x, z.y, z.z)}};
    quat_store(q, quat_nearest(&axes));
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++)
        {
            pl_vec3 along = blend3((double)i / (n - 1), d->u, (double)j / (m - 1), d->v);
            int at = put(p, blend3(1.0, d->origin, 1.0, along), 1.0f, a, d->radius, c, q);
            if (i > 0)
                join(p, at - 1, at);
            if (j > 0)
                join(p, at - n, at);
        }
}

static int64_t buds_of(const pl_oriented_form_def *d)
{
    int64_t all = 1, row = 1;
    for (int i = 0; d->form == PL_ORIENTED_TREE && i < d->levels && all < MOST; i++)
    {
        row *= d->branches;
        all += row;
    }
    return all;
}

static pl_result check_form(const pl_oriented_form_def *d)
{
    if ((unsigned)d->form > PL_ORIENTED_TREE)
        return fail(PL_ERROR_ARGUMENT, "oriented: form is %d; it must be chain, sheet or tree", (int)d->form);
    int rows = d->form == PL_ORIENTED_SHEET ? d->size[1] : 2;
    if (d->size[0] < 2 || rows < 2 || d->size[0] > MOST || rows > MOST)
        return fail(PL_ERROR_ARGUMENT, "oriented: size is %d, %d; %s must be from 2 to %d", d->size[0], d->size[1],
                    d->form == PL_ORIENTED_SHEET ? "each" : "the first", MOST);
    if (d->form == PL_ORIENTED_TREE && (d->levels < 0 || d->levels > 16 || d->branches < 1 || d->branches > 64))
        return fail(PL_ERROR_ARGUMENT,
                    "oriented: a tree of %d levels with %d branches; from 0 to 16 and from 1 to 64 are allowed",
                    d->levels, d->branches);
    int64_t all = (int64_t)d->size[0] * (d->form == PL_ORIENTED_SHEET ? d->size[1] : buds_of(d));
    if (all > MOST)
        return fail(PL_ERROR_ARGUMENT, "oriented: it would have %lld particles; at most %d are allowed", (long long)all,
                    MOST);
    pl_vec3 normal = normal3(d->v, d->u);
    bool flat = d->form == PL_ORIENTED_SHEET && !(size3(normal) > 1e-6 * size3(d->u) * size3(d->v));
    if (!finite3(d->origin) || !finite3(d->u) || !finite3(d->v) || !(size3(d->u) > 0.0) || flat)
        return fail(PL_ERROR_ARGUMENT, "oriented: u must have a length, and v of a sheet must not run along it");
    if (!(d->radius > 0.0f && d->mass > 0.0f && CHECK_FINITE(d->radius) && CHECK_FINITE(d->mass)))
        return fail(PL_ERROR_ARGUMENT, "oriented: radius is %g m and mass %g kg; both must be above 0",
                    (double)d->radius, (double)d->mass);
    if (!(d->spread >= 0.0f && d->spread <= 100.0f && d->shrink > 0.01f && d->shrink <= 1.0f))
        return fail(PL_ERROR_ARGUMENT, "oriented: spread is %g and shrink %g; from 0 to 100 and up to 1 are allowed",
                    (double)d->spread, (double)d->shrink);
    return PL_OK;
}

int pl_oriented_form_particles(const pl_oriented_form_def *d)
{
    if (!d || check_form(d) != PL_OK)
        return 0;
    return d->size[0] * (d->form == PL_ORIENTED_SHEET ? d->size[1] : (int)buds_of(d));
}

// Distributes the mass; pinned particles get mass 0.
static void weigh(plant *p, const pl_oriented_form_def *d)
{
    double all = 0.0;
    int held = !d->hold ? 0 : d->form == PL_ORIENTED_SHEET ? d->size[0] : 1;
    for (int i = 0; i < p->count; i++)
        all += (double)p->mass[i];
    for (int i = 0; i < p->count; i++)
        p->mass[i] = i < held ? 0.0f : (float)((double)d->mass * (double)p->mass[i] / all);
}

pl_result pl_add_oriented_form(pl_world *w, const pl_oriented_form_def *d, const pl_cluster_material *match, float drag,
                               pl_id *object)
{
    NEED(w);
    NEED(d);
    NEED(match);
    PLAIN_ROUNDING;
    pl_result result = check_form(d);
    if (result != PL_OK)
        return result;
    int64_t count = pl_oriented_form_particles(d), buds = buds_of(d), capacity = 0;
    char *room = NULL;
    size_t each = 11 * sizeof(float) + 4 * sizeof(int32_t);
    result = array_reserve(&w->memory, &room, &capacity, count * (int64_t)each + buds * (int64_t)sizeof(bud), 1);
    if (result != PL_OK)
        return result;
    bud *first = (bud *)(void *)room;
    float *x = (float *)(void *)(first + buds);
    plant p = {x, x + 3 * count, x + 4 * count, x + 7 * count, (int32_t *)(void *)(x + 11 * count), 0, 0};
    if (d->form == PL_ORIENTED_TREE)
        put_tree(&p, d, first);
    else if (d->form == PL_ORIENTED_SHEET)
        put_sheet(&p, d);
    else
        put_line(&p, d->origin, blend3(1.0 / (d->size[0] - 1), d->u, 0.0, d->u), d->size[0], d->radius, -1);
    weigh(&p, d);
    pl_oriented_def def = {.count = p.count,
                           .position = p.x,
                           .mass = p.mass,
                           .radii = p.radii,
                           .rotation = p.rotation,
                           .link_count = p.link_count,
                           .links = p.links,
                           .match = *match,
                           .drag = drag};
    result = pl_add_oriented(w, &def, object);
    array_free(&w->memory, &room, &capacity, 1);
    return result;
}
