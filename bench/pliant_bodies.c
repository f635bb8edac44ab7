// pliant_bodies.c: fills a world of Pliant with the rigid bodies and joints of a benchmark.
#include "pliant_bodies.h"

#include <stdlib.h>

static pl_vec3 vec3(const float *a) { return (pl_vec3){a[0], a[1], a[2]}; }

static void describe_body(const scene *s, const bench_body *b, pl_rigid_shape *shape, pl_rigid_def *def)
{
    static const pl_rigid_shape_kind kinds[] = {
        [FORM_BOX] = PL_RIGID_BOX, [FORM_SPHERE] = PL_RIGID_SPHERE, [FORM_CAPSULE] = PL_RIGID_CAPSULE};
    *shape = pl_default_rigid_shape();
    *def = pl_default_rigid_def();
    shape->kind = kinds[b->form];
    shape->half = vec3(b->half);
    shape->radius = b->radius > 0.0f ? b->radius : shape->radius;
    shape->length = b->length;
    def->type = b->mass > 0.0f ? PL_RIGID_DYNAMIC : PL_RIGID_STATIC;
    def->shapes = shape, def->shape_count = 1;
    def->position = vec3(b->position);
    def->rotation = (pl_quat){b->rotation[0], b->rotation[1], b->rotation[2], b->rotation[3]};
    def->mass = b->mass;
    def->mask = s->bodies->collide ? def->mask : 0;
}

static pl_result add_joint(pl_world *world, const scene *s, const bench_joint *j, const pl_id *ids)
{
    pl_joint_def def = pl_default_joint_def();
    def.kind = j->hinge ? PL_JOINT_HINGE : PL_JOINT_BALL;
    def.a = ids[j->a], def.b = ids[j->b];
    def.point = vec3(j->point), def.axis = vec3(j->axis);
    def.twist.limited = j->high > j->low;
    def.twist.low = j->low, def.twist.high = j->high;
    def.twist.speed = j->speed, def.twist.motor = j->torque;
    def.direct = s->direct;
    return pl_add_joint(world, &def, NULL);
}

pl_result fill_bodies(pl_world *world, const scene *s)
{
    const body_list *l = s->bodies;
    pl_id *ids = malloc((size_t)l->bodies * sizeof *ids);
    pl_rigid_def *defs = malloc((size_t)l->bodies * sizeof *defs);
    pl_rigid_shape *shapes = malloc((size_t)l->bodies * sizeof *shapes);
    pl_result result = ids && defs && shapes ? PL_OK : PL_ERROR_MEMORY;
    if (result == PL_OK && l->floor)
    {
        pl_shape_def floor = pl_default_shape_def();
        result = pl_add_shape(world, &floor, NULL);
    }
    for (int i = 0; i < l->bodies && result == PL_OK; ++i)
    {
        describe_body(s, &l->body[i], &shapes[i], &defs[i]);
    }
    if (result == PL_OK)
    {
        result = pl_add_rigids(world, defs, l->bodies, ids);
    }
    for (int i = 0; i < l->joints && result == PL_OK; ++i)
    {
        result = add_joint(world, s, &l->joint[i], ids);
    }
    free(ids);
    free(defs);
    free(shapes);
    return result;
}

void read_poses(pl_world *world, int count, float *out)
{
    pl_id *ids = malloc((size_t)count * sizeof *ids);
    pl_rigid_state *states = malloc((size_t)count * sizeof *states);
    if (ids && states && pl_world_rigids(world, ids, count) >= count &&
        pl_get_rigids(world, ids, count, states) == PL_OK)
    {
        for (int i = 0; i < count; ++i)
        {
            const pl_rigid_state *p = &states[i];
            const float pose[POSE_FLOATS] = {p->position.x, p->position.y, p->position.z, p->rotation.x,
                                             p->rotation.y, p->rotation.z, p->rotation.w};
            for (int c = 0; c < POSE_FLOATS; ++c)
            {
                out[POSE_FLOATS * i + c] = pose[c];
            }
        }
    }
    free(ids);
    free(states);
}
