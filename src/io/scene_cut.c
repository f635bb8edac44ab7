// scene_cut.c: runs the cuts of a scene. A blade's edge from `from` to `to` moves by `sweep` between `time` and
// `until`; each step cuts the area that it passes.
#include "scene.h"

#include "core/error.h"
#include "field_macros.h"

#include <stdlib.h>
#include <string.h>

#define THIS struct scene_cut
static const struct field cut_fields[] = {
    TEXT("of", of, "the object that is cut; default: all objects"),
    ENTRY("time", FIELD_NUMBER, time, .max = 1e9, .required = true, .about = "s; start of the motion of the blade"),
    ENTRY("until", FIELD_NUMBER, until, .max = 1e9, .about = "s; end of its motion; default: at once"),
    ENTRY("from", FIELD_VECTOR, from, .min = -BIG, .max = BIG, .required = true, .about = "m; one end of its edge"),
    ENTRY("to", FIELD_VECTOR, to, .min = -BIG, .max = BIG, .required = true, .about = "m; the other end of its edge"),
    ENTRY("sweep", FIELD_VECTOR, sweep, .min = -BIG, .max = BIG, .required = true, .about = "m; motion of the edge"),
    {0},
};
#undef THIS
const struct record cut_record = {.name = "cut",
                                  .about = "A blade that cuts cloth, solids and ropes.",
                                  .fields = cut_fields,
                                  .size = sizeof(struct scene_cut)};

pl_result scene_find_cuts(pl_scene *scene)
{
    struct scene_cut *c = scene->cut.items;
    for (int i = 0; i < scene->cut.count; i++)
    {
        const struct scene_object *object = c[i].of ? scene_object_by_name(scene, c[i].of) : NULL;
        if (c[i].of && (!object || object->count == 0))
            return json_fail(json_member(c[i].head.node, "of"), "no object called \"%.40s\"; give one this \"name\"",
                             c[i].of);
        c[i].object = object;
        c[i].first = object ? object->first : 0;
        c[i].count = object ? object->count : scene->particle_count;
        if (record_has(&cut_record, &c[i], offsetof(struct scene_cut, until)) && c[i].until < c[i].time)
            return json_fail(json_member(c[i].head.node, "until"),
                             "\"until\" is %g, before \"time\", which is %g; it must not be earlier",
                             (double)c[i].until, (double)c[i].time);
        if (c[i].until < c[i].time)
            c[i].until = c[i].time;
        pl_vec3 u = {c[i].to.x - c[i].from.x, c[i].to.y - c[i].from.y, c[i].to.z - c[i].from.z}, v = c[i].sweep;
        double n[3] = {(double)u.y * v.z - (double)u.z * v.y, (double)u.z * v.x - (double)u.x * v.z,
                       (double)u.x * v.y - (double)u.y * v.x};
        if (n[0] * n[0] + n[1] * n[1] + n[2] * n[2] == 0.0)
            return json_fail(c[i].head.node,
                             "a blade whose \"sweep\" runs along its edge; it must lead away from the line from-to");
    }
    return PL_OK;
}

// Cuts every object whose particles are meant; for a body, all its copies.
static pl_result cut_objects(pl_world *world, const struct scene_cut *c, const pl_blade *blade)
{
    int count = pl_world_objects(world, NULL, 0);
    pl_id *ids = malloc(((size_t)count + 1) * sizeof *ids);
    if (!ids)
        return fail(PL_ERROR_MEMORY, "no memory to cut; use a smaller scene");
    pl_world_objects(world, ids, count);
    pl_result result = PL_OK;
    for (int i = 0; i < count && result == PL_OK; i++)
    {
        int first, particles;
        result = pl_object_range(world, ids[i], &first, &particles);
        if (result == PL_OK && first >= c->first && first < c->first + c->count)
            result = pl_cut(world, ids[i], blade, NULL);
    }
    free(ids);
    return result;
}

bool scene_can_be_cut(const struct scene_cut *c)
{
    const struct scene_object *o = c->object;
    const struct object_kind *kind = o ? scene_object_kind(o) : NULL;
    return !(kind && kind->uncut && kind->uncut(o->values));
}

bool scene_cut_passes(const pl_scene *scene, const struct scene_cut *c, double time)
{
    double start = (double)c->time, end = (double)c->until, next = time + (double)scene->dt;
    return !(next <= start || (time > end && time > start) || (start == end && time > start));
}

pl_result scene_run_cuts(const pl_scene *scene, pl_world *world, double time)
{
    const struct scene_cut *c = scene->cut.items;
    pl_result result = PL_OK;
    for (int i = 0; i < scene->cut.count && result == PL_OK; i++)
    {
        double start = (double)c[i].time, end = (double)c[i].until, next = time + (double)scene->dt;
        if (!scene_cut_passes(scene, &c[i], time))
            continue;
        double from = start < end && time > start ? (time - start) / (end - start) : 0.0;
        double to = start < end && next < end ? (next - start) / (end - start) : 1.0;
        if (!(to > from))
            continue;
        from = 2.0 * from > to ? 2.0 * from - to
                               : 0.0; // includes the path of the last step, so that a moving object does not slip
                                      // through between two steps
        const float *a = &c[i].from.x, *b = &c[i].to.x, *s = &c[i].sweep.x;
        float at[9];
        for (int k = 0; k < 3; k++)
        {
            at[k] = (float)((double)a[k] + from * (double)s[k]);
            at[3 + k] = (float)((double)b[k] - (double)a[k]);
            at[6 + k] = (float)((to - from) * (double)s[k]);
        }
        const pl_blade blade = {{at[0], at[1], at[2]}, {at[3], at[4], at[5]}, {at[6], at[7], at[8]}};
        result = c[i].of ? cut_objects(world, &c[i], &blade) : pl_cut(world, (pl_id){0, 0}, &blade, NULL);
    }
    return result;
}
