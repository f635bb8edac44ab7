// attach.c: attaches particles to rigid bodies and shapes: one constraint for each particle, whose first end is the body.
// A shape gets a body that follows it.
#include "author/build.h"
#include "groups/group.h"
#include "groups/oriented.h"
#include "groups/rigids.h"

#include <string.h>

pl_attach_def pl_default_attach_def(void) { return (pl_attach_def){.soft = pl_default_constraints_def().soft}; }

// The numbers of the particles, over the whole world.
typedef struct chosen
{
    int32_t *number;
    int64_t count, capacity;
} chosen;

static pl_result choose(pl_world *w, const pl_attach_def *d, chosen *c)
{
    int first = 0, all = w->numbers.end;
    bool whole = d->object.index || d->object.generation;
    pl_result result = whole ? pl_object_range(w, d->object, &first, &all) : PL_OK;
    if (result != PL_OK)
        return result;
    if (!d->particles && !whole)
        return fail(PL_ERROR_ARGUMENT, "attach: neither `object` nor `particles` is given; one of them must be");
    if (d->particles && (d->count < 1 || d->count > INT32_MAX / 8))
        return fail(PL_ERROR_ARGUMENT, "attach: count is %d; it must be from 1 to %d", d->count, INT32_MAX / 8);
    c->count = d->particles ? d->count : all;
    result = array_reserve(&w->memory, &c->number, &c->capacity, c->count + 1, sizeof *c->number);
    for (int64_t i = 0; i < c->count && result == PL_OK; i++)
    {
        int32_t local = d->particles ? d->particles[i] : (int32_t)i;
        if (local < 0 || local >= all || slot_of(w, first + local) < 0)
            return fail(PL_ERROR_ARGUMENT, "attach: particle %d does not exist; numbers go from 0 to %d", local,
                        all - 1);
        c->number[i] = first + local;
    }
    return result;
}

// Refuses particles that are named twice. taken: a flag for each particle number.
static pl_result check_twice(pl_world *w, const chosen *c)
{
    uint8_t *taken = NULL;
    int64_t capacity = 0;
    pl_result result = array_reserve(&w->memory, &taken, &capacity, w->numbers.end + 1, 1);
    if (result == PL_OK)
        memset(taken, 0, (size_t)w->numbers.end + 1);
    for (int64_t i = 0; i < c->count && result == PL_OK; i++)
    {
        if (taken[c->number[i]])
            result = fail(PL_ERROR_ARGUMENT, "attach: particle %d is named twice; name it once", c->number[i]);
        taken[c->number[i]] = 1;
    }
    array_free(&w->memory, &taken, &capacity, 1);
    return result;
}

// Returns the particle of the body that follows a shape, or -1.
static int32_t follower_of(const pl_world *w, uint32_t shape)
{
    for (int64_t i = 0; i < w->rigids.count; i++)
        if (w->rigids.form[i].follows == shape)
            return w->rigids.member[w->rigids.start[i]];
    return -1;
}

// Adds the body that follows a shape.
static pl_result add_follower(pl_world *w, pl_id shape, pl_id *made)
{
    // Nothing moves it, but it is drawn as a ball of this inertia: 16 mm.
    const pl_mass_properties small = {.mass = 1.0f, .inertia = {1e-4f, 1e-4f, 1e-4f}};
    pl_rigid_def def = pl_default_rigid_def();
    pl_shape_def now;
    pl_result result = pl_get_shape(w, shape, &now);
    def.properties = &small;
    def.type = PL_RIGID_KINEMATIC;
    def.position = now.position, def.rotation = now.rotation;
    if (result == PL_OK)
        result = pl_add_rigid(w, &def, made);
    if (result == PL_OK) // the groups are not packed: a body has just been added
        w->rigids.form[w->rigids.count - 1].follows = shape.index;
    return result;
}

// Finds the particle of the body, or of the body that follows the shape; made: the one that is added for that.
static pl_result find_body(pl_world *w, pl_id to, int32_t *particle, pl_id *made)
{
    const id_entry *t = id_find(w, to, ID_FREE, "attach");
    int64_t hint = 0;
    if (!t)
        return PL_ERROR_ARGUMENT;
    if (t->type != ID_SHAPE)
    {
        int64_t body = rigid_find(w, to, "attach", &hint);
        *particle = body < 0 ? -1 : w->rigids.member[w->rigids.start[body]];
        return body < 0 ? PL_ERROR_ARGUMENT : PL_OK;
    }
    *particle = follower_of(w, to.index);
    if (*particle >= 0)
        return PL_OK;
    int count;
    pl_result result = add_follower(w, to, made);
    return result == PL_OK ? pl_object_range(w, *made, particle, &count) : result;
}

// The place of a particle in the axes of a body, in double.
static void place_in(const pl_world *w, const double centre[3], double_quat axes, int32_t particle, float *out)
{
    double x[3], own[3];
    slot_place(w, slot_of(w, particle), x);
    for (int c = 0; c < 3; c++)
        x[c] -= centre[c];
    rotate3(double_quat_conjugate(axes), x, own);
    for (int c = 0; c < 3; c++)
        out[c] = (float)own[c];
}

static pl_result add_rows(pl_world *w, const pl_attach_def *d, const chosen *c, int32_t body, pl_id *out)
{
    int32_t *index = NULL;
    float *param = NULL;
    int64_t index_capacity = 0, param_capacity = 0;
    double centre[3];
    const orient_pose *pose = pose_of(w, body);
    pl_result result =
        pose ? rigid_pull(w)
             : fail(PL_ERROR_ARGUMENT, "attach: the body has lost its orientation; attach to a body that exists");
    if (result == PL_OK)
        result = array_reserve(&w->memory, &index, &index_capacity, 2 * c->count, sizeof *index);
    if (result == PL_OK)
        result = array_reserve(&w->memory, &param, &param_capacity, 3 * c->count, sizeof *param);
    if (result == PL_OK)
    {
        slot_place(w, slot_of(w, body), centre);
        double_quat axes = rigid_axes_now(pose_of(w, body));
        for (int64_t i = 0; i < c->count; i++)
        {
            index[2 * i] = body, index[2 * i + 1] = c->number[i];
            place_in(w, centre, axes, c->number[i], param + 3 * i);
        }
        pl_constraints_def def = pl_default_constraints_def();
        def.kind = PL_KIND_ATTACHMENT, def.count = (int)c->count, def.index = index, def.param = param;
        def.soft = d->soft;
        result = pl_add_constraints(w, &def, out);
    }
    array_free(&w->memory, &index, &index_capacity, sizeof *index);
    array_free(&w->memory, &param, &param_capacity, sizeof *param);
    return result;
}

pl_result pl_attach(pl_world *w, const pl_attach_def *d, pl_id *attachment)
{
    NEED(w);
    NEED(d);
    PLAIN_ROUNDING;
    chosen c = {0};
    int32_t body = -1;
    pl_id made = {0, 0};
    build_mark mark = build_begin(w);
    pl_result result = choose(w, d, &c);
    if (result == PL_OK)
        result = check_twice(w, &c);
    if (result == PL_OK)
        result = find_body(w, d->to, &body, &made);
    if (result == PL_OK)
        result = add_rows(w, d, &c, body, attachment);
    if (result != PL_OK && made.index)
        build_undo(w, &mark, &made, 1, result);
    array_free(&w->memory, &c.number, &c.capacity, sizeof *c.number);
    return result;
}
