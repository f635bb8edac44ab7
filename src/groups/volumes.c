// volumes.c: adds, checks, reads and changes volumes: closed surfaces that hold a volume of gas. volumes_pack.c makes
// their packed form.
#include "core/arena.h"
#include "groups/group.h"
#include "groups/melting.h"
#include "groups/volumes.h"
#include "model/world.h"

#include <string.h>

extern const group_kind volumes_kind;

pl_volume_def pl_default_volume_def(void) { return (pl_volume_def){.pressure = 1.0f}; }

// ---- checks --------------------------------------------------------------------------------------------------------

static pl_result check_numbers(float pressure, float compliance)
{
    if (!(pressure > 0.0f && pressure <= 1000.0f))
        return fail(PL_ERROR_ARGUMENT,
                    "volume: pressure is %g; it must be above 0 and at most 1000; 1 holds the volume",
                    (double)pressure);
    if (!(compliance >= 0.0f && CHECK_FINITE(compliance)))
        return fail(PL_ERROR_ARGUMENT, "volume: compliance is %g; it must be 0 (rigid) or above", (double)compliance);
    return PL_OK;
}

typedef struct side
{
    int32_t a, b;
} side;

static int compare_sides(const void *one, const void *two)
{
    const side *s = one, *t = two;
    return s->a != t->a ? (s->a > t->a) - (s->a < t->a) : (s->b > t->b) - (s->b < t->b);
}

static void sift(side *s, int64_t at, int64_t count)
{
    for (int64_t child; (child = 2 * at + 1) < count; at = child)
    {
        child += child + 1 < count && compare_sides(&s[child], &s[child + 1]) < 0;
        if (compare_sides(&s[at], &s[child]) >= 0)
            return;
        side kept = s[at];
        s[at] = s[child];
        s[child] = kept;
    }
}

static void sort_sides(side *s, int64_t count)
{
    for (int64_t i = count / 2 - 1; i >= 0; i--)
        sift(s, i, count);
    for (int64_t i = count - 1; i > 0; i--)
    {
        side kept = s[0];
        s[0] = s[i];
        s[i] = kept;
        sift(s, 0, i);
    }
}

// Checks that a surface is closed: each directed edge of a triangle, reversed, is an edge of exactly one other
// triangle.
static pl_result check_closed(pl_world *w, const int32_t *t, int64_t count)
{
    side *sides = NULL, wanted;
    int64_t capacity = 0;
    pl_result result = array_reserve(&w->memory, &sides, &capacity, 3 * count, sizeof *sides);
    for (int64_t i = 0; result == PL_OK && i < 3 * count; i++)
        sides[i] = (side){t[i], t[i / 3 * 3 + (i + 1) % 3]};
    if (result == PL_OK)
        sort_sides(sides, 3 * count);
    for (int64_t i = 0; result == PL_OK && i < 3 * count; i++)
    {
        if (i > 0 && compare_sides(&sides[i - 1], &sides[i]) == 0)
            result = fail(PL_ERROR_ARGUMENT,
                          "volume: two triangles run from particle %d to %d the same way round; the surface must be "
                          "wound one way, each edge shared by two",
                          sides[i].a, sides[i].b);
        wanted = (side){sides[i].b, sides[i].a};
        int64_t low = 0, high = 3 * count;
        while (low < high)
        {
            int64_t middle = (low + high) / 2;
            if (compare_sides(&sides[middle], &wanted) < 0)
                low = middle + 1;
            else
                high = middle;
        }
        if (result == PL_OK && (low == 3 * count || compare_sides(&sides[low], &wanted) != 0))
            result = fail(PL_ERROR_ARGUMENT,
                          "volume: the surface is open at the edge from particle %d to %d; it must be closed",
                          sides[i].a, sides[i].b);
    }
    array_free(&w->memory, &sides, &capacity, sizeof *sides);
    return result;
}

static double volume_of(const pl_world *w, const int32_t *t, int64_t count)
{
    double sum = 0.0;
    const float *o = w->state.slot[SLOT_X] + 4 * (size_t)slot_of(w, t[0]);
    for (int64_t i = 0; i < count; i++)
    {
        double p[3][3];
        for (int k = 0; k < 3; k++)
            for (int c = 0; c < 3; c++)
                p[k][c] = (double)w->state.slot[SLOT_X][4 * (size_t)slot_of(w, t[3 * i + k]) + (size_t)c] - o[c];
        sum += p[0][0] * (p[1][1] * p[2][2] - p[1][2] * p[2][1]) + p[0][1] * (p[1][2] * p[2][0] - p[1][0] * p[2][2]) +
               p[0][2] * (p[1][0] * p[2][1] - p[1][1] * p[2][0]);
    }
    return sum / 6.0;
}

// Checks the triangles of a new volume: no particle may be in two volumes. taken: a flag for each particle number; set
// for those of existing volumes.
static pl_result check_triangles(pl_world *w, const int32_t *t, int64_t count, uint8_t *taken)
{
    const volumes *v = &w->volumes;
    memset(taken, 0, (size_t)w->numbers.end);
    for (int64_t i = 0; i < 3 * v->triangle_count; i++)
        taken[v->triangle[i]] = 1;
    for (int64_t i = 0; i < 3 * count; i++)
    {
        if (slot_of(w, t[i]) < 0)
            return fail(PL_ERROR_ARGUMENT,
                        "volume: particle %d of triangle %lld does not exist; numbers go from 0 to %d", t[i],
                        (long long)(i / 3), w->numbers.end - 1);
        if (t[i] == t[i / 3 * 3 + (i + 1) % 3])
            return fail(PL_ERROR_ARGUMENT, "volume: triangle %lld has particle %d twice; leave the triangle out",
                        (long long)(i / 3), t[i]);
        if (taken[t[i]])
            return fail(PL_ERROR_ARGUMENT,
                        "volume: particle %d belongs to another volume already; remove that volume first", t[i]);
    }
    return check_closed(w, t, count);
}

// ---- adding --------------------------------------------------------------------------------------------------------

static pl_result begin(pl_world *w, int64_t triangles)
{
    int64_t all = w->volumes.triangle_count + triangles;
    if (all > INT32_MAX / 32)
        return fail(PL_ERROR_ARGUMENT, "volume: %lld triangles in all; a world holds at most %d", (long long)all,
                    INT32_MAX / 32);
    return group_begin(w, &volumes_kind, 1, triangles);
}

static pl_result check_def(pl_world *w, const pl_volume_def *def, double *rest)
{
    pl_result result = check_numbers(def->pressure, def->compliance);
    uint8_t *taken = NULL;
    int64_t capacity = 0;
    if (result == PL_OK)
        result = pull(w, ARRAY_BIT(SLOT_X));
    if (result == PL_OK)
        result = array_reserve(&w->memory, &taken, &capacity, w->numbers.end + 1, 1);
    if (result == PL_OK)
        result = check_triangles(w, def->triangles, def->triangle_count, taken);
    array_free(&w->memory, &taken, &capacity, 1);
    if (result != PL_OK)
        return result;
    *rest = def->rest > 0.0f ? (double)def->rest : volume_of(w, def->triangles, def->triangle_count);
    if (!(*rest > 0.0 && CHECK_FINITE(*rest)))
        return fail(
            PL_ERROR_ARGUMENT,
            "volume: the surface holds %g m^3; it must be above 0: triangles run anticlockwise seen from outside",
            *rest);
    return PL_OK;
}

pl_result pl_add_volume(pl_world *w, const pl_volume_def *def, pl_id *volume)
{
    NEED(w);
    NEED(def);
    NEED(def->triangles);
    PLAIN_ROUNDING;
    if (def->triangle_count < 4 || def->triangle_count > INT32_MAX / 32)
        return fail(PL_ERROR_ARGUMENT, "volume: triangle_count is %d; it must be from 4 to %d", def->triangle_count,
                    INT32_MAX / 32);
    double rest = 0.0;
    pl_result result = check_def(w, def, &rest);
    if (result == PL_OK)
        result = heat_check_added(w, def->triangles, 3 * (int64_t)def->triangle_count, "a volume");
    if (result == PL_OK)
        result = begin(w, def->triangle_count);
    if (result != PL_OK)
        return result;
    volumes *v = &w->volumes;
    memcpy(v->triangle + 3 * v->triangle_count, def->triangles, 3 * (size_t)def->triangle_count * sizeof *v->triangle);
    v->body[v->count] = (volume_body){
        .rest = (float)rest, .pressure = def->pressure, .compliance = def->compliance, .now = (float)rest};
    v->start[v->count++] = (int32_t)v->triangle_count;
    v->triangle_count += def->triangle_count;
    v->start[v->count] = (int32_t)v->triangle_count;
    return group_end(w, &volumes_kind, v->count - 1, volume);
}

// Checks that no particle is in two volumes.
static pl_result check_apart(pl_world *w)
{
    const volumes *v = &w->volumes;
    int32_t *owner = NULL;
    int64_t capacity = 0;
    pl_result result = array_reserve(&w->memory, &owner, &capacity, w->numbers.end + 1, sizeof *owner);
    if (result == PL_OK)
        memset(owner, 0, (size_t)(w->numbers.end + 1) * sizeof *owner);
    for (int64_t i = 0; result == PL_OK && i < v->count; i++)
        for (int64_t k = 3 * (int64_t)v->start[i]; result == PL_OK && k < 3 * (int64_t)v->start[i + 1]; k++)
        {
            int32_t *own = &owner[v->triangle[k]];
            if (*own && *own != (int32_t)i + 1)
                result = PL_ERROR_FORMAT;
            *own = (int32_t)i + 1;
        }
    array_free(&w->memory, &owner, &capacity, sizeof *owner);
    return result;
}

static pl_result volumes_check(pl_world *w)
{
    const volumes *v = &w->volumes;
    pl_result result = PL_OK;
    for (int64_t i = 0; result == PL_OK && i < v->count; i++)
    {
        const volume_body *b = &v->body[i];
        int64_t count = v->start[i + 1] - (int64_t)v->start[i];
        if (count < 4 || !(b->rest > 0.0f) || !CHECK_FINITE(b->rest) || !CHECK_FINITE(b->lambda) ||
            !CHECK_FINITE(b->now))
            return PL_ERROR_FORMAT;
        result = check_numbers(b->pressure, b->compliance);
        if (result == PL_OK)
            result = check_closed(w, v->triangle + 3 * (size_t)v->start[i], count);
    }
    return result == PL_OK ? check_apart(w) : result;
}

// ---- reading and changing ------------------------------------------------------------------------------------------

pl_result pl_set_volume(pl_world *w, pl_id volume, float pressure, float compliance)
{
    NEED(w);
    const id_entry *t = id_find(w, volume, ID_VOLUME, "set volume");
    pl_result result = t ? check_numbers(pressure, compliance) : PL_ERROR_ARGUMENT;
    if (result == PL_OK)
        result = groups_open(w);
    if (result != PL_OK)
        return result;
    w->volumes.body[t->first].pressure = pressure;
    w->volumes.body[t->first].compliance = compliance;
    return PL_OK;
}

pl_result pl_get_volume(const pl_world *w, pl_id volume, pl_volume_state *out)
{
    NEED(w);
    NEED(out);
    const id_entry *t = id_find(w, volume, ID_VOLUME, "get volume");
    if (!t)
        return PL_ERROR_ARGUMENT;
    pl_result result = pull(w, ARRAY_BIT(SLOT_X) | ARRAY_BIT(ARRAY_CLUSTERS));
    if (result != PL_OK)
        return result;
    const volumes *v = &w->volumes;
    const volume_body *b = groups_packed(w) ? &w->state.volumes.body[t->first] : &v->body[t->first];
    int32_t first = v->start[t->first];
    *out = (pl_volume_state){
        .volume = (float)volume_of(w, v->triangle + 3 * (size_t)first, v->start[t->first + 1] - (int64_t)first),
        .rest = b->rest,
        .pressure = b->pressure,
        .compliance = b->compliance,
        .force = w->force_scale * b->lambda};
    return PL_OK;
}

static void volumes_info(const pl_world *w, pl_group_info *info) { info->volumes = w->volumes.count; }

// Copies the parameters of the volumes; multipliers and current volumes stay.
static void volumes_copy_parameters(pl_world *w, const pl_world *from)
{
    for (int64_t i = 0; i < w->volumes.count; i++)
    {
        volume_body *to = &w->volumes.body[i];
        const volume_body *other = &from->volumes.body[i];
        to->rest = other->rest;
        to->pressure = other->pressure;
        to->compliance = other->compliance;
    }
}

// ---- the description of the kind -----------------------------------------------------------------------------------

enum // the role of each column in model/columns.def
{
    ROLE_start = ROLE_STRUCTURE,
    ROLE_triangle = ROLE_STRUCTURE,
    ROLE_body = ROLE_STATE,
};

static const uint8_t roles[] = {
#define MODEL_VOLUMES(type, name, ...) ROLE_##name,
#include "model/columns.def"
};

const group_kind volumes_kind = {
    .words = "volumes",
    .member_words = "triangles of volumes",
    .id_entry = ID_VOLUME,
    GROUP_COLUMNS(VOLUMES),
    .count = offsetof(pl_world, volumes.count),
    .members = offsetof(pl_world, volumes.triangle_count),
    .most = INT32_MAX / 32,
    .roles = roles,
    .member_column = MODEL_VOLUMES_triangle,
    .single = true,
    .ends_torn = true, // a torn surface holds no gas
    .melting = MELT_NEVER,
    .size = volumes_size,
    .lay_out = volumes_lay_out,
    .fill = volumes_fill,
    .unpack = volumes_unpack,
    .plan = volumes_plan,
    .check = volumes_check,
    .copy_parameters = volumes_copy_parameters,
    .info = volumes_info,
};
