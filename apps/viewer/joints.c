// joints.c: where the joints of a world are: their points in the two ends, and their axes. Read from the rows of the joints
// (constraints.h) and the orientations of a frame.
#include "message.h"
#include "model.h"

#include <stdlib.h>
#include <string.h>

static bool is_joint(pl_kind kind)
{
    return (kind >= PL_KIND_BALL_JOINT && kind <= PL_KIND_WHEEL_JOINT) || kind == PL_KIND_DISTANCE_JOINT;
}

static bool has_frames(pl_kind kind) { return kind != PL_KIND_BALL_JOINT && kind != PL_KIND_DISTANCE_JOINT; }

static pl_quat rotation_of(const struct frame *f, int particle)
{
    const pl_quat none = {0.0f, 0.0f, 0.0f, 1.0f};
    return f->turn && f->turn[particle].oriented ? f->turn[particle].rotation : none;
}

// param: those of the end: a point and, if the joint has frames, the vector part of a rotation.
static void place_end(struct joint_mark *j, int e, const struct frame *f, int particle, const float *param)
{
    pl_quat q = rotation_of(f, particle);
    j->centre[e] = v3_at(f->position + 3 * (size_t)particle);
    j->point[e] = add(j->centre[e], turned(q, v3_at(param)));
    if (has_frames(j->kind))
    {
        float square = param[3] * param[3] + param[4] * param[4] + param[5] * param[5];
        pl_quat own = {param[3], param[4], param[5], sqrtf(fmaxf(1.0f - square, 0.0f))};
        j->axis[e] = turned(q, turned(own, v3(1.0f, 0.0f, 0.0f)));
        j->second[e] = turned(q, turned(own, v3(0.0f, 1.0f, 0.0f)));
    }
}

static bool take_block(const struct frame *f, struct joint_list *list, const pl_world *world, pl_id block, bool strings)
{
    pl_kind kind;
    int count;
    if (pl_block_info(world, block, &kind, &count) != PL_OK)
    {
        return library_trouble();
    }
    if (!is_joint(kind) || (strings && kind != PL_KIND_DISTANCE_JOINT))
    {
        return true;
    }
    int params = pl_kind_describe(kind)->params, each = has_frames(kind) ? 6 : 3;
    float *param = malloc((size_t)count * (size_t)params * sizeof *param + 1);
    int32_t *index = malloc(2 * (size_t)count * sizeof *index + 1);
    bool good = param && index ? true : no_memory();
    good = good && room_for((void **)&list->mark, &list->room, list->count + count, sizeof *list->mark);
    good = good && ((pl_get_rows(world, block, PL_ROW_PARAM, 0, count, param) == PL_OK &&
                     pl_get_row_particles(world, block, 0, count, index) == PL_OK) ||
                    library_trouble());
    for (int i = 0; i < count && good; i++)
    {
        struct joint_mark *j = &list->mark[list->count++];
        *j = (struct joint_mark){.kind = kind};
        for (int e = 0; e < 2; e++)
        {
            place_end(j, e, f, index[2 * i + e], param + (size_t)i * (size_t)params + (size_t)(each * e));
        }
    }
    free(param);
    free(index);
    return good;
}

bool joints_take(struct frame *f, struct joint_list *list, const pl_world *world, bool strings_only)
{
    list->count = 0;
    if (strings_only && pl_constraint_count(world, PL_KIND_DISTANCE_JOINT) == 0)
    {
        return true;
    }
    int blocks = pl_world_blocks(world, NULL, 0);
    pl_id *ids = malloc(((size_t)blocks + 1) * sizeof *ids);
    bool good = ids ? true : no_memory();
    for (int i = 0, count = good ? pl_world_blocks(world, ids, blocks) : 0; i < count && good; i++)
    {
        good = take_block(f, list, world, ids[i], strings_only);
    }
    free(ids);
    return good;
}
