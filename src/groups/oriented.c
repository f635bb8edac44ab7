// oriented.c: adds, checks, packs, reads and sets oriented particles, which have a rotation of their own
// (kernels/oriented.h).
#include "core/arena.h"
#include "groups/group.h"
#include "groups/oriented.h"
#include "model/columns.h"
#include "plan/planner.h"

#include <math.h>
#include <string.h>

extern const group_kind oriented_kind;

pl_orient_def pl_default_orient_def(void) { return (pl_orient_def){.radii_each = {0.05f, 0.05f, 0.05f}}; }

// ---- checks --------------------------------------------------------------------------------------------------------

static pl_result check_rotation(const char *what, int i, const float *q)
{
    double size = (double)q[0] * q[0] + (double)q[1] * q[1] + (double)q[2] * q[2] + (double)q[3] * q[3];
    if (!(size > 0.98 && size < 1.02))
        return fail(PL_ERROR_ARGUMENT,
                    "orient: the %s of particle %d of the list is a quaternion of length %g; it must be 1", what, i,
                    sqrt(size));
    return PL_OK;
}

static pl_result check_form(int i, const float *radii, float drag)
{
    double least = 1e30, greatest = 0.0;
    for (int c = 0; c < 3; c++)
    {
        least = (double)radii[c] < least ? (double)radii[c] : least;
        greatest = (double)radii[c] > greatest ? (double)radii[c] : greatest;
    }
    for (int c = 0; c < 3; c++)
        if (!(radii[c] > 1e-6f && radii[c] <= 1e6f))
            return fail(PL_ERROR_ARGUMENT,
                        "orient: particle %d of the list has a radius of %g m; each must be from 1e-6 to 1e6", i,
                        (double)radii[c]);
    if (greatest > 1000.0 * least)
        return fail(PL_ERROR_ARGUMENT,
                    "orient: the radii of particle %d of the list are %g and %g m; at most 1000 to 1 is allowed", i,
                    least, greatest);
    if (!(drag >= 0.0f && drag <= 1000.0f))
        return fail(PL_ERROR_ARGUMENT, "orient: drag is %g; it must be from 0 to 1000", (double)drag);
    return PL_OK;
}

static const float *radii_of(const pl_orient_def *d, int i)
{
    return d->radii ? d->radii + 3 * (size_t)i : &d->radii_each.x;
}

// taken: a flag for each particle number; set for particles that are oriented.
static pl_result check_def(const pl_world *w, const pl_orient_def *d, uint8_t *taken)
{
    pl_result result = PL_OK;
    memset(taken, 0, (size_t)w->numbers.end + 1);
    for (int64_t i = 0; i < w->oriented.count; i++)
        taken[w->oriented.member[i]] = 1;
    for (int i = 0; i < d->count && result == PL_OK; i++)
    {
        int32_t p = d->particles[i];
        if (slot_of(w, p) < 0)
            return fail(PL_ERROR_ARGUMENT, "orient: particle %d does not exist; numbers go from 0 to %d", p,
                        w->numbers.end - 1);
        if (taken[p])
            return fail(PL_ERROR_ARGUMENT,
                        "orient: particle %d has a rotation already; use pl_set_orientation to change it", p);
        taken[p] = 1;
        result = check_form(i, radii_of(d, i), d->drag);
        if (result == PL_OK && d->rotation)
            result = check_rotation("rotation", i, d->rotation + 4 * (size_t)i);
        if (result == PL_OK && d->rest)
            result = check_rotation("rotation at rest", i, d->rest + 4 * (size_t)i);
        for (int c = 0; c < 3 && d->spin && result == PL_OK; c++)
            if (!CHECK_FINITE(d->spin[3 * i + c]))
                result = fail(PL_ERROR_ARGUMENT,
                              "orient: the spin of particle %d of the list is not finite; give finite numbers", i);
    }
    return result;
}

// ---- adding --------------------------------------------------------------------------------------------------------

static void unit_rotation(const float *from, float *to)
{
    double q[4], size = 0.0;
    for (int c = 0; c < 4; c++)
    {
        q[c] = from ? (double)from[c] : c == 3;
        size += q[c] * q[c];
    }
    for (int c = 0; c < 4; c++)
        to[c] = (float)(q[c] / sqrt(size));
}

static void put(pl_world *w, const pl_orient_def *d, int i)
{
    oriented *o = &w->oriented;
    const float *radii = radii_of(d, i), *rotation = d->rotation ? d->rotation + 4 * (size_t)i : NULL;
    orient_form f = {.radii = {radii[0], radii[1], radii[2]}, .drag = d->drag, .object = -1};
    orient_pose p = {{0}, {0}, {0}};
    float greatest = radii[0] > radii[1] ? radii[0] : radii[1];
    f.whole = 1.0f / (greatest > radii[2] ? greatest : radii[2]);
    unit_rotation(rotation, p.rotation);
    unit_rotation(d->rest ? d->rest + 4 * (size_t)i : rotation, f.rest);
    for (int c = 0; c < 3 && d->spin; c++)
        p.spin[c] = d->spin[3 * i + c];
    o->member[o->count] = d->particles[i];
    o->form[o->count] = f;
    o->inertia[o->count] = orient_frame(&f);
    o->pose[o->count++] = p;
}

pl_result pl_orient(pl_world *w, const pl_orient_def *def, pl_id *block)
{
    NEED(w);
    NEED(def);
    NEED(def->particles);
    PLAIN_ROUNDING;
    if (def->count < 1 || def->count > INT32_MAX / 8)
        return fail(PL_ERROR_ARGUMENT, "orient: count is %d; it must be from 1 to %d", def->count, INT32_MAX / 8);
    uint8_t *taken = NULL;
    int64_t capacity = 0;
    pl_result result = array_reserve(&w->memory, &taken, &capacity, w->numbers.end + 1, 1);
    if (result == PL_OK)
        result = check_def(w, def, taken);
    array_free(&w->memory, &taken, &capacity, 1);
    if (result == PL_OK)
        result = group_begin(w, &oriented_kind, def->count, 0);
    if (result != PL_OK)
        return result;
    int64_t first = w->oriented.count;
    for (int i = 0; i < def->count; i++)
        put(w, def, i);
    return group_end(w, &oriented_kind, first, block);
}

static pl_result oriented_check(pl_world *w)
{
    const oriented *o = &w->oriented;
    uint8_t *taken = NULL;
    int64_t capacity = 0, where;
    pl_result result = array_reserve(&w->memory, &taken, &capacity, w->numbers.end + 1, 1);
    if (result == PL_OK)
        memset(taken, 0, (size_t)w->numbers.end + 1);
    for (int64_t i = 0; i < o->count && result == PL_OK; i++)
    {
        const orient_form *f = &o->form[i];
        const frame_inertia *own = &o->inertia[i];
        if (taken[o->member[i]] || !(f->whole > 0.0f && f->whole < 2e6f) || !all_finite(own->inertia, 4, &where) ||
            !all_finite(own->inverse, 4, &where) || !all_finite(o->pose[i].spin, 4, &where) ||
            !all_finite(o->pose[i].low, 4, &where))
            result = PL_ERROR_FORMAT;
        else
            taken[o->member[i]] = 1;
        if (result == PL_OK)
            result = check_form((int)i, f->radii, f->drag);
        if (result == PL_OK)
            result = check_rotation("rotation", (int)i, o->pose[i].rotation);
        if (result == PL_OK)
            result = check_rotation("rotation at rest", (int)i, f->rest);
    }
    array_free(&w->memory, &taken, &capacity, 1);
    return result;
}

// ---- packing -------------------------------------------------------------------------------------------------------

static void oriented_lay_out(pl_world *w, arena *a)
{
    w->state.oriented.count = (int32_t)w->oriented.count;
    packed_lay_out(&w->state, OWNER_ORIENTED, a);
}

static void oriented_fill(pl_world *w, int32_t *scratch)
{
    (void)scratch;
    const oriented *o = &w->oriented;
    packed_oriented *p = &w->state.oriented;
    const packed_lists *objects = &w->state.lists[LISTS_OBJECTS];
    p->airy = 0;
    if (o->count == 0)
        return;
    for (int32_t slot = 0; slot < w->state.slots; slot++)
        p->of_slot[slot] = -1;
    for (int32_t i = 0; i < p->count; i++)
    {
        int32_t slot = w->numbers.slot_of[o->member[i]];
        p->member[i] = 4 * (uint32_t)slot;
        p->of_slot[slot] = i;
        p->form[i] = o->form[i];
        p->form[i].object = objects->count ? objects->of_slot[slot] : -1;
        p->inertia[i] = o->inertia[i];
        p->pose[i] = p->safe[i] = o->pose[i];
        p->airy |= o->form[i].drag > 0.0f;
    }
}

static void oriented_unpack(pl_world *w)
{
    if (w->oriented.count)
        memcpy(w->oriented.pose, w->state.oriented.pose, (size_t)w->oriented.count * sizeof *w->oriented.pose);
}

static void oriented_back(pl_world *w)
{
    if (w->oriented.count)
        memcpy(w->oriented.pose, w->state.oriented.safe, (size_t)w->oriented.count * sizeof *w->oriented.pose);
}

void oriented_moment(const pl_world *w, int32_t own, double mass, double *second)
{
    const orient_form *f = &w->state.oriented.form[own];
    mat3 a = orient_moment(f, quat_load(f->rest), 1.0f);
    const float m[9] = {a.c[0].x, a.c[0].y, a.c[0].z, a.c[1].x, a.c[1].y, a.c[1].z, a.c[2].x, a.c[2].y, a.c[2].z};
    for (int r = 0; r < 3; r++)
        for (int s = 0; s < 3; s++)
            second[9 * r + s] += mass * 0.5 * ((double)m[3 * s + r] + (double)m[3 * r + s]);
}

// ---- reading and changing ------------------------------------------------------------------------------------------

const orient_pose *oriented_poses(const pl_world *w)
{
    if (!groups_packed(w) || pull(w, ARRAY_BIT(ARRAY_CLUSTERS)) != PL_OK)
        return w->oriented.pose;
    return w->state.oriented.pose;
}

const orient_pose *pose_of(const pl_world *w, int32_t number)
{
    const oriented *o = &w->oriented;
    if (!o->count)
        return NULL;
    const orient_pose *poses = oriented_poses(w);
    if (groups_packed(w))
    {
        int32_t own = w->state.oriented.of_slot[w->numbers.slot_of[number]];
        return own < 0 ? NULL : &poses[own];
    }
    int64_t guess = (int64_t)number - o->member[0]; // most oriented particles have consecutive numbers
    if (guess >= 0 && guess < o->count && o->member[guess] == number)
        return &poses[guess];
    for (int64_t i = 0; i < o->count; i++)
        if (o->member[i] == number)
            return &poses[i];
    return NULL;
}

int pl_oriented_count(const pl_world *w) { return w ? (int)w->oriented.count : 0; }

static pl_result check_numbers(const pl_world *w, const char *call, int first, int count)
{
    if (first < 0 || count < 0 || (int64_t)first + count > w->numbers.end)
        return fail(PL_ERROR_ARGUMENT, "%s: particles %d to %lld were asked for; there are %d", call, first,
                    (long long)first + count - 1, w->numbers.end);
    for (int i = first; i < first + count; i++)
        if (w->numbers.slot_of[i] < 0)
            return fail(PL_ERROR_ARGUMENT, "%s: particle %d has been removed; use one that exists", call, i);
    return PL_OK;
}

pl_result pl_get_orientation(const pl_world *w, int first, int count, pl_orientation *out)
{
    NEED(w);
    NEED(out);
    pl_result result = check_numbers(w, "get orientation", first, count);
    if (result == PL_OK)
        result = pull(w, ARRAY_BIT(SLOT_COLLISION) | (groups_packed(w) ? ARRAY_BIT(ARRAY_CLUSTERS) : 0));
    if (result != PL_OK)
        return result;
    for (int i = 0; i < count; i++)
    {
        float radius = w->state.slot[SLOT_COLLISION][4 * (size_t)w->numbers.slot_of[first + i]];
        out[i] = (pl_orientation){.rotation = {0.0f, 0.0f, 0.0f, 1.0f}, .radii = {radius, radius, radius}};
    }
    const orient_pose *poses = w->oriented.count ? oriented_poses(w) : NULL;
    for (int64_t k = 0; k < w->oriented.count; k++)
    {
        int32_t at = w->oriented.member[k] - first;
        if (at < 0 || at >= count)
            continue;
        const float *q = poses[k].rotation, *s = poses[k].spin, *r = w->oriented.form[k].radii;
        out[at] = (pl_orientation){{q[0], q[1], q[2], q[3]}, {s[0], s[1], s[2]}, {r[0], r[1], r[2]}, true};
    }
    return PL_OK;
}

pl_result pl_set_orientation(pl_world *w, int first, int count, const pl_quat *rotation, const pl_vec3 *spin)
{
    NEED(w);
    PLAIN_ROUNDING;
    pl_result result = check_numbers(w, "set orientation", first, count);
    int found = 0;
    for (int64_t k = 0; k < w->oriented.count; k++)
        found += w->oriented.member[k] >= first && w->oriented.member[k] < first + count;
    if (result == PL_OK && found != count)
        result = fail(PL_ERROR_ARGUMENT,
                      "set orientation: of particles %d to %d only %d have a rotation; pl_orient gives them one", first,
                      first + count - 1, found);
    for (int i = 0; i < count && rotation && result == PL_OK; i++)
        result = check_rotation("new rotation", i, &rotation[i].x);
    for (int i = 0; i < count && spin && result == PL_OK; i++)
        if (!finite3(spin[i]))
            result = fail(PL_ERROR_ARGUMENT,
                          "set orientation: the spin of particle %d is not finite; give finite numbers", first + i);
    if (result == PL_OK)
        result = groups_open(w);
    if (result != PL_OK)
        return result;
    for (int64_t k = 0; k < w->oriented.count; k++)
    {
        int32_t at = w->oriented.member[k] - first;
        if (at < 0 || at >= count)
            continue;
        if (rotation)
        {
            unit_rotation(&rotation[at].x, w->oriented.pose[k].rotation);
            memset(w->oriented.pose[k].low, 0, sizeof w->oriented.pose[k].low);
        }
        if (spin)
            memcpy(w->oriented.pose[k].spin, &spin[at], 3 * sizeof(float));
    }
    w->flow.smooth = 0;
    return PL_OK;
}

static void oriented_plan(planner *p, enum plan_hook hook, int iteration)
{
    static const int ops[PLAN_HOOKS] = {[PLAN_FRAME] = OP_ORIENT_KEEP,
                                        [PLAN_WIND] = OP_ORIENT_WIND,
                                        [PLAN_PREDICT] = OP_ORIENT_TURN,
                                        [PLAN_VELOCITY] = OP_ORIENT_SPIN,
                                        [PLAN_DAMPING] = OP_ORIENT_DAMP};
    const packed_oriented *o = &p->world->state.oriented;
    (void)iteration;
    if (ops[hook] && !(hook == PLAN_WIND && !o->airy))
        plan_items(p, ops[hook], o->count);
}

static void oriented_info(const pl_world *w, pl_group_info *info) { info->oriented = w->oriented.count; }

// ---- the description of the kind -----------------------------------------------------------------------------------

enum // the role of each column in model/columns.def
{
    ROLE_member = ROLE_STRUCTURE,
    ROLE_form = ROLE_PARAMETER,
    ROLE_inertia = ROLE_PARAMETER,
    ROLE_pose = ROLE_STATE,
};

static const uint8_t roles[] = {
#define MODEL_ORIENTED(type, name, ...) ROLE_##name,
#include "model/columns.def"
};

const group_kind oriented_kind = {
    .words = "oriented particles",
    .id_entry = ID_ORIENTED,
    GROUP_COLUMNS_WITHOUT_STARTS(ORIENTED),
    .count = offsetof(pl_world, oriented.count),
    .members = offsetof(pl_world, oriented.count),
    .most = INT32_MAX / 8,
    .roles = roles,
    .member_column = MODEL_ORIENTED_member,
    .packed_first = true,
    .uses_objects = true,
    .lay_out = oriented_lay_out,
    .fill = oriented_fill,
    .unpack = oriented_unpack,
    .back = oriented_back,
    .plan = oriented_plan,
    .find_trouble = oriented_trouble,
    .check = oriented_check,
    .measure = oriented_measure,
    .hash = oriented_hash,
    .rotate = oriented_rotate,
    .info = oriented_info,
};
