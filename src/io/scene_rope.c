// scene_rope.c: the ropes of a scene: their fields, their particles, and how they are made.
#include "scene.h"

#include "field_macros.h"

struct scene_rope
{
    struct head head;
    const char *name;
    struct numbers points;
    pl_vec3 velocity;
    pl_rope_def def;
};

#define THIS struct scene_rope
static const struct field rope_fields[] = {
    TEXT("name", name, "name for constraints, script and expect"),
    INT("segments", def.segments, 1, 16777216, "number of segments; the rope has one more particle"),
    VECTOR("from", def.from, "m"),
    VECTOR("to", def.to, "m"),
    VECTORS("points", points, "m; segments + 1 positions, instead of from and to"),
    NUMBER("length", def.length, 0, BIG, "m; length at rest; 0: as laid out; a longer rope sags"),
    NUMBER("mass", def.mass, TINY, BIG, "kg; total mass"),
    RECORD("stretch", def.stretch, softness_record, "softness of the links"),
    RECORD("bend", def.bend, softness_record, "softness of bending; needs \"bending\""),
    BOOL("bending", def.bending, "resist bending by links from each particle to the next but one"),
    BOOL("pull_only", def.pull_only, "links only pull, as those of a real rope"),
    NUMBER("strength", def.strength, 0, BIG, "N; a link breaks above this; 0: never"),
    BOOL("pin_first", def.pin_first, "hold the first particle"),
    BOOL("pin_last", def.pin_last, "hold the last particle"),
    VECTOR("velocity", velocity, "m/s; initial velocity"),
    {0},
};
#undef THIS
static void rope_defaults(void *values) { ((struct scene_rope *)values)->def = pl_default_rope_def(); }
const struct record rope_record = {.name = "rope",
                                   .about = "A rope: a row of particles.",
                                   .fields = rope_fields,
                                   .size = sizeof(struct scene_rope),
                                   .defaults = rope_defaults};

static pl_result find_rope(pl_scene *scene, void *values, uint64_t limit, struct scene_need *need)
{
    struct scene_rope *rope = values;
    (void)scene, (void)limit;
    if (rope->points.values)
    {
        bool said = record_has(&rope_record, rope, offsetof(struct scene_rope, def.segments));
        if (rope->points.count < 2 || (said && rope->points.count != rope->def.segments + 1))
        {
            return json_fail(json_member(rope->head.node, "points"),
                             "%d points; a rope needs one more than \"segments\"", rope->points.count);
        }
        rope->def.segments = rope->points.count - 1;
        rope->def.points = rope->points.values;
    }
    need->particles = (int64_t)rope->def.segments + 1;
    need->constraints = 2 * need->particles;
    return PL_OK;
}

static pl_result make_rope(pl_world *world, const void *values, pl_id *id)
{
    const struct scene_rope *rope = values;
    pl_result result = pl_add_rope(world, &rope->def, id);
    return result == PL_OK ? scene_set_motion(world, *id, rope->velocity, (pl_vec3){0.0f, 0.0f, 0.0f}) : result;
}

const struct object_kind rope_object = {.find = find_rope, .make = make_rope};
