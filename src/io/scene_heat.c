// scene_heat.c: sets the temperatures of objects, and of shapes over time, using only the public API.
#include "scene.h"
#include "scene_keys.h"

#include "core/error.h"
#include "field_macros.h"

#include <stdio.h>
#include <stdlib.h>

#define THIS struct scene_heat
static const struct field heat_fields[] = {
    ENTRY("of", FIELD_TEXT, of, .required = true, .about = "the object"),
    NUMBER("temperature", def.temperature, -1e6, 1e6,
           "initial temperature, in K or degrees Celsius, the same throughout the scene"),
    NUMBER("conductivity", def.conductivity, 0, BIG, "W/(m K); thermal conductivity"),
    NUMBER("capacity", def.capacity, TINY, BIG, "J/(kg K); specific heat capacity"),
    NUMBER("exchange", def.exchange, 0, BIG, "W/(m^2 K); heat transfer coefficient to the air; 0: none"),
    NUMBER("melting", def.melting, -1e6, 1e6, "melting point, at which its particles become free; default: never"),
    NUMBER("freezing", def.freezing, -1e6, 1e6, "freezing point, at which they join again; default: the melting point"),
    NUMBER("latent", def.latent, 0, BIG, "J/kg; latent heat"),
    RECORD("molten", molten, material_record, "contact material of molten particles"),
    RECORD("solid", def.solid, match_record, "how clusters that form by freezing keep their shape"),
    {0},
};
#undef THIS
static void heat_defaults(void *values)
{
    struct scene_heat *h = values;
    h->def = pl_default_heat_def();
    h->molten = pl_default_material();
}
static const struct field_use heat_uses[] = {
    {"molten", "melting", "heat with a \"melting\" point"}, {"solid", "melting", "heat with a \"melting\" point"}, {0}};
const struct record heat_record = {.name = "heat",
                                   .uses = heat_uses,
                                   .about = "The temperature of an object, and whether it melts.",
                                   .fields = heat_fields,
                                   .size = sizeof(struct scene_heat),
                                   .defaults = heat_defaults};

#define THIS struct scene_heat_key
static const struct field heat_key_fields[] = {
    NUMBER("time", time, 0, 1e9, "s"),
    ENTRY("temperature", FIELD_NUMBER, temperature, .min = -1e6, .max = 1e6, .required = true,
          .about = "temperature at that time"),
    {0},
};
#undef THIS
const struct record heat_key_record = {.name = "heat_key",
                                       .about = "The temperature of a shape at a time.",
                                       .fields = heat_key_fields,
                                       .size = sizeof(struct scene_heat_key)};

#define HAS(h, member) record_has(&heat_record, h, offsetof(struct scene_heat, member))

pl_result scene_find_heat(pl_scene *scene)
{
    struct scene_heat *h = scene->heat.items;
    const struct scene_shape *shape = scene->shape.items;
    pl_result result = PL_OK;
    for (int i = 0; i < scene->heat.count; i++)
    {
        const struct scene_object *object = scene_object_by_name(scene, h[i].of);
        if (!object || object->count == 0)
            return json_fail(json_member(h[i].head.node, "of"), "no object called \"%.40s\"; give one this \"name\"",
                             h[i].of);
        h[i].first = object->first;
        h[i].count = object->count;
        for (int k = 0; k < i; k++)
            if (h[k].first == h[i].first)
                return json_fail(json_member(h[i].head.node, "of"), "\"%.40s\" has \"heat\" already; give it once",
                                 h[i].of);
        h[i].def.melts = HAS(&h[i], def.melting);
        if (!h[i].def.melts && (HAS(&h[i], def.freezing) || HAS(&h[i], def.latent)))
            return json_fail(h[i].head.node, "\"freezing\" or \"latent\" without \"melting\"; give that too");
        if (!HAS(&h[i], def.freezing))
            h[i].def.freezing = h[i].def.melting;
        if (h[i].def.freezing > h[i].def.melting)
            return json_fail(json_member(h[i].head.node, "freezing"),
                             "\"freezing\" is %g; it must be at most \"melting\", which is %g",
                             (double)h[i].def.freezing, (double)h[i].def.melting);
    }
    for (int i = 0; i < scene->shape.count && result == PL_OK; i++)
        result = keys_check(&shape[i].heat, sizeof(struct scene_heat_key));
    return result;
}

// Sets the temperature of every object whose particles are meant; for a body, all its copies.
static pl_result warm_objects(pl_world *world, const struct scene_heat *h)
{
    int count = pl_world_objects(world, NULL, 0);
    pl_heat_def def = h->def;
    pl_id *ids = malloc(((size_t)count + 1) * sizeof *ids);
    if (!ids)
        return fail(PL_ERROR_MEMORY, "no memory for %d objects; use a smaller scene", count);
    pl_world_objects(world, ids, count);
    pl_result result = def.melts ? scene_material(world, &h->molten, &def.molten) : PL_OK;
    for (int i = 0; i < count && result == PL_OK; i++)
    {
        int first, particles;
        result = pl_object_range(world, ids[i], &first, &particles);
        if (result == PL_OK && first >= h->first && first < h->first + h->count)
            result = pl_set_heat(world, ids[i], &def);
    }
    free(ids);
    return result;
}

// Checks it here in terms of the scene: the world's message would ask for a particle's radius.
static pl_result check_round(const pl_scene *scene, const struct scene_heat *h)
{
    const struct scene_object *o = scene_object_by_name(scene, h->of);
    if (scene_object_round(o))
        return PL_OK;
    const char *remedy = scene_object_kind(o)->round_remedy;
    remedy = remedy ? remedy : "bodies, grains and particles can have one";
    return json_fail_code(json_member(h->head.node, "of"), PL_ERROR_ARGUMENT,
                          "the particles of \"%.40s\" have no radius, which heat conduction needs; %s", h->of, remedy);
}

pl_result scene_make_heat(const pl_scene *scene, pl_world *world)
{
    const struct scene_heat *h = scene->heat.items;
    pl_result result = pl_set_ambient(world, scene->ambient);
    for (int i = 0; i < scene->heat.count && result == PL_OK; i++)
    {
        result = check_round(scene, &h[i]);
        if (result != PL_OK)
            return result;
        result = warm_objects(world, &h[i]);
        if (result != PL_OK)
        {
            char why[640];
            snprintf(why, sizeof why, "%s", pl_error_message());
            return json_fail_code(h[i].head.node, result, "%s", why);
        }
    }
    return result == PL_OK ? scene_warm_shapes(scene, world, 0.0) : result;
}

// Interpolates linearly from key to key.
static float heat_at(const struct scene_shape *shape, double time)
{
    struct key_pair keys = keys_around(&shape->heat, sizeof(struct scene_heat_key), time);
    const struct scene_heat_key *a = keys.a, *b = keys.b;
    return (float)((double)a->temperature + keys.part * ((double)b->temperature - (double)a->temperature));
}

pl_result scene_warm_shapes(const pl_scene *scene, pl_world *world, double time)
{
    const struct scene_shape *p = scene->shape.items;
    pl_result result = PL_OK;
    for (int i = 0; i < scene->shape.count; i++)
        for (int k = 0; k < p[i].copies && p[i].heat.count && result == PL_OK; k++)
            result = pl_set_shape_heat(world, pl_shape_at(world, p[i].first + k), true, heat_at(&p[i], time));
    return result;
}
