// shapes.c: adds, removes, moves and reads shapes, the bodies that particles collide with. shapes_place.c computes
// their positions.
#include "collide/geometry.h"
#include "model/rigid_rest.h"
#include "model/shapes.h"

#include <string.h>

static const char *const kind_names[] = {"plane", "sphere", "capsule", "box", "hull", "mesh", "sdf", "heightfield"};

const char *shape_kind_name(pl_shape_kind kind) { return kind_names[kind]; }

pl_shape_def pl_default_shape_def(void)
{
    return (pl_shape_def){
        .rotation = {0.0f, 0.0f, 0.0f, 1.0f}, .half = {0.5f, 0.5f, 0.5f}, .radius = 0.0f, .length = 1.0f, .mask = 255};
}

static pl_result check_sides(const pl_shape_def *d, const char *name)
{
    if (d->two_sided && d->kind != PL_SHAPE_PLANE && d->kind != PL_SHAPE_MESH)
        return fail(PL_ERROR_ARGUMENT, "%s: two_sided is set; only a plane or a mesh may have it", name);
    if (d->inside && d->kind != PL_SHAPE_SPHERE && d->kind != PL_SHAPE_CAPSULE)
        return fail(PL_ERROR_ARGUMENT, "%s: inside is set; only a sphere or a capsule may have it", name);
    return PL_OK;
}

pl_result check_shape(const pl_shape_def *d)
{
    if ((unsigned)d->kind >= PL_SHAPE_KIND_COUNT)
        return fail(PL_ERROR_ARGUMENT, "shape: kind %d does not exist; numbers go from 0 to %d", (int)d->kind,
                    PL_SHAPE_KIND_COUNT - 1);
    const char *name = kind_names[d->kind];
    pl_result result = shape_check_pose(name, d->position, d->rotation);
    if (result == PL_OK)
        result = check_sides(d, name);
    if (result != PL_OK)
        return result;
    if ((d->kind == PL_SHAPE_SPHERE || d->kind == PL_SHAPE_CAPSULE) && !(d->radius > 0.0f && CHECK_FINITE(d->radius)))
        return fail(PL_ERROR_ARGUMENT, "%s: radius is %g; it must be above 0", name, (double)d->radius);
    if (d->kind >= PL_SHAPE_BOX && !(d->radius >= 0.0f && CHECK_FINITE(d->radius)))
        return fail(PL_ERROR_ARGUMENT, "%s: radius is %g; it must be 0 or above", name, (double)d->radius);
    if (d->kind == PL_SHAPE_CAPSULE && !(d->length >= 0.0f && CHECK_FINITE(d->length)))
        return fail(PL_ERROR_ARGUMENT, "%s: length is %g; it must be 0 or above", name, (double)d->length);
    if (d->kind == PL_SHAPE_BOX && !(finite3(d->half) && d->half.x > 0.0f && d->half.y > 0.0f && d->half.z > 0.0f))
        return fail(PL_ERROR_ARGUMENT, "%s: half is (%g, %g, %g); each must be above 0", name, (double)d->half.x,
                    (double)d->half.y, (double)d->half.z);
    if (d->kind == PL_SHAPE_SDF && d->memory_limit < 0)
        return fail(PL_ERROR_ARGUMENT, "%s: memory_limit is %lld bytes; it must be 0 or above", name,
                    (long long)d->memory_limit);
    if (!finite3(d->velocity) || !finite3(d->spin) || !finite3(d->pivot) || !finite3(d->belt))
        return fail(PL_ERROR_ARGUMENT, "%s: velocity, spin, pivot and belt must be finite", name);
    if (d->mask < 0 || d->mask > 255)
        return fail(PL_ERROR_ARGUMENT, "%s: mask is %d; it must be from 0 to 255", name, d->mask);
    bool form = d->kind == PL_SHAPE_SPHERE || d->kind == PL_SHAPE_CAPSULE || d->kind == PL_SHAPE_BOX ||
                (d->kind == PL_SHAPE_HULL && d->vertex_count <= PL_CAST_VERTICES);
    if (d->sensor && (!form || d->inside))
        return fail(PL_ERROR_ARGUMENT,
                    "%s: a sensor must be a sphere, a capsule or a box, not hollow, or a hull of at most %d vertices",
                    name, PL_CAST_VERTICES);
    return PL_OK;
}

pl_result pl_add_shape(pl_world *w, const pl_shape_def *def, pl_id *id)
{
    NEED(w);
    NEED(def);
    PLAIN_ROUNDING;
    contacts *t = &w->contacts;
    pl_result result = check_shape(def);
    if (result == PL_OK && (def->material < 0 || def->material >= t->materials))
        result = fail(PL_ERROR_ARGUMENT, "%s: material %d does not exist; numbers go from 0 to %d",
                      kind_names[def->kind], def->material, t->materials - 1);
    if (result == PL_OK)
        result = array_reserve(&w->memory, &t->shapes, &t->shape_capacity, t->shape_count + 1, sizeof *t->shapes);
    if (result == PL_OK)
        result = id_reserve(w, 1);
    int64_t data = -1;
    float reach = 0.0f;
    pl_shape_def own;
    if (result == PL_OK)
        result = shape_build(w, def, &data, &reach);
    if (result != PL_OK)
        return result;
    pl_id fresh;
    result = geometry_copy(&w->memory, def, &own);
    if (result == PL_OK)
        result = id_add(w, (id_entry){.type = ID_SHAPE, .first = t->shape_count, .count = 1}, &fresh);
    if (result != PL_OK)
    {
        shape_drop(w, data);
        return result;
    }
    shape *s = &t->shapes[t->shape_count++];
    memset(s, 0, sizeof *s);
    s->def = own;
    s->data = data;
    s->reach = reach;
    s->id_entry = fresh.index;
    shape_set_pose(s->at, s->rotation, def->position, def->rotation);
    s->pivot[0] = def->pivot.x, s->pivot[1] = def->pivot.y, s->pivot[2] = def->pivot.z;
    t->stale = true;
    t->shape_version++;
    rigid_wake_all(w);
    w->plan_stale = true;
    if (id)
        *id = fresh;
    return PL_OK;
}

// Removes a shape. The caller has kept the multipliers.
void shape_remove(pl_world *w, id_entry *t)
{
    contacts *c = &w->contacts;
    int32_t number = t->first;
    int64_t data = c->shapes[number].data;
    geometry_forget(&w->memory, &c->shapes[number].def);
    memmove(c->shapes + number, c->shapes + number + 1, (size_t)(c->shape_count - number - 1) * sizeof *c->shapes);
    c->shape_count--;
    shape_drop(w, data);
    int64_t left = 0; // drops its kept contacts, because the next shape may get the same id entry
    for (int64_t i = 0; i < c->kept_shape_contacts.count; i++)
        if (shape_contact_key_entry(c->kept_shape_contacts.items[i].b) != (uint32_t)(t - w->entries))
            c->kept_shape_contacts.items[left++] = c->kept_shape_contacts.items[i];
    c->kept_shape_contacts.count = left;
    for (int32_t i = number; i < c->shape_count; i++)
        w->entries[c->shapes[i].id_entry].first = i;
    c->listed = false;
    c->stale = true;
    c->shape_version++;
    rigid_wake_all(w);
    w->plan_stale = true;
}

static shape *shape_of(const pl_world *w, pl_id id, const char *what)
{
    const id_entry *t = id_find(w, id, ID_SHAPE, what);
    return t ? &w->contacts.shapes[t->first] : NULL;
}

pl_result pl_set_shape_pose(pl_world *w, pl_id id, pl_vec3 position, pl_quat rotation)
{
    shape *s = shape_of(w, id, "set shape pose");
    pl_result result = s ? shape_check_pose("set shape pose", position, rotation) : PL_ERROR_ARGUMENT;
    if (result != PL_OK)
        return result;
    shape_set_pose(s->at, s->rotation, position, rotation);
    s->travels = 0;
    w->contacts.stale = true;
    rigid_wake_all(w);
    world_changed(w, false);
    return PL_OK;
}

pl_result pl_move_shape(pl_world *w, pl_id id, pl_vec3 position, pl_quat rotation)
{
    shape *s = shape_of(w, id, "move shape");
    pl_result result = s ? shape_check_pose("move shape", position, rotation) : PL_ERROR_ARGUMENT;
    if (result != PL_OK)
        return result;
    shape_set_pose(s->goal_at, s->goal_rotation, position, rotation);
    s->travels = 1;
    return PL_OK;
}

pl_result pl_set_shape_velocity(pl_world *w, pl_id id, pl_vec3 velocity, pl_vec3 spin)
{
    shape *s = shape_of(w, id, "set shape velocity");
    if (!s)
        return PL_ERROR_ARGUMENT;
    if (!finite3(velocity) || !finite3(spin))
        return fail(PL_ERROR_ARGUMENT, "set shape velocity: velocity and spin must be finite");
    s->def.velocity = velocity;
    s->def.spin = spin;
    return PL_OK;
}

pl_result pl_get_shape(const pl_world *w, pl_id id, pl_shape_def *def)
{
    NEED(def);
    const shape *s = shape_of(w, id, "get shape");
    if (!s)
        return PL_ERROR_ARGUMENT;
    *def = s->def;
    def->position = (pl_vec3){(float)s->at[0], (float)s->at[1], (float)s->at[2]};
    def->rotation =
        (pl_quat){(float)s->rotation[0], (float)s->rotation[1], (float)s->rotation[2], (float)s->rotation[3]};
    def->pivot = (pl_vec3){(float)s->pivot[0], (float)s->pivot[1], (float)s->pivot[2]};
    return PL_OK;
}

// Sums the forces on a shape. Each shape contact pushes its particle by lambda n + lambda_t, and the shape by the
// opposite at the contact point.
pl_result pl_shape_force(const pl_world *w, pl_id id, pl_vec3 *force, pl_vec3 *torque)
{
    const shape *s = shape_of(w, id, "shape force");
    if (!s)
        return PL_ERROR_ARGUMENT;
    pl_result result = pull(w, ARRAY_BIT(ARRAY_CONTACTS) | ARRAY_BIT(SLOT_X) | ARRAY_BIT(SLOT_COLLISION));
    if (result != PL_OK)
        return result;
    const contacts *t = &w->contacts;
    const packed_shape_contacts *p = &w->state.shape_contacts;
    int32_t number = (int32_t)(s - t->shapes);
    double f[3] = {0}, m[3] = {0};
    for (int32_t slot = 0; t->listed && t->shape_contacts && slot < w->state.particles; slot++)
        for (int32_t i = t->near_first[slot]; i < t->near_first[slot + 1]; i++)
        {
            size_t row = (size_t)t->near_row[i];
            if (t->near_shape[i] != number || p->lambda[0][row] == 0.0f)
                continue;
            double push[3], arm[3], radius = (double)w->state.slot[SLOT_COLLISION][4 * (size_t)slot];
            for (int k = 0; k < 3; k++)
            {
                push[k] =
                    -(double)w->force_scale * ((double)pressed_with(p->lambda[0][row]) * (double)p->plane[k][row] +
                                               (double)p->lambda[1 + k][row]);
                arm[k] = (double)w->state.slot[SLOT_X][4 * (size_t)slot + (size_t)k] -
                         radius * (double)p->plane[k][row] - s->at[k];
                f[k] += push[k];
            }
            for (int k = 0; k < 3; k++)
                m[k] += arm[(k + 1) % 3] * push[(k + 2) % 3] - arm[(k + 2) % 3] * push[(k + 1) % 3];
        }
    if (force)
        *force = (pl_vec3){(float)f[0], (float)f[1], (float)f[2]};
    if (torque)
        *torque = (pl_vec3){(float)m[0], (float)m[1], (float)m[2]};
    return PL_OK;
}

int pl_shape_count(const pl_world *w) { return w ? w->contacts.shape_count : 0; }

pl_id pl_shape_at(const pl_world *w, int number)
{
    return w && number >= 0 && number < w->contacts.shape_count ? id_of_entry(w, w->contacts.shapes[number].id_entry)
                                                                : (pl_id){0, 0};
}
