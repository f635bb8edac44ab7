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

static bool take_block(struct frame *f, const pl_world *world, pl_id block)
{
    pl_kind kind;
    int count;
    if (pl_block_info(world, block, &kind, &count) != PL_OK)
    {
        return library_trouble();
    }
    if (!is_joint(kind))
    {
        return true;
    }
    int params = pl_kind_describe(kind)->params, each = has_frames(kind) ? 6 : 3;
    float *param = malloc((size_t)count * (size_t)params * sizeof *param + 1);
    int32_t *index = malloc(2 * (size_t)count * sizeof *index + 1);
    bool good = param && index ? true : no_memory();
    good = good && room_for((void **)&f->joint, &f->joint_room, f->joints + count, sizeof *f->joint);
    good = good && ((pl_get_rows(world, block, PL_ROW_PARAM, 0, count, param) == PL_OK &&
                     pl_get_row_particles(world, block, 0, count, index) == PL_OK) ||
                    library_trouble());
    for (int i = 0; i < count && good; i++)
    {
        struct joint_mark *j = &f->joint[f->joints++];
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

bool joints_take(struct frame *f, const pl_world *world)
{
    int blocks = pl_world_blocks(world, NULL, 0);
    pl_id *ids = malloc(((size_t)blocks + 1) * sizeof *ids);
    bool good = ids ? true : no_memory();
    f->joints = 0;
    for (int i = 0, count = good ? pl_world_blocks(world, ids, blocks) : 0; i < count && good; i++)
    {
        good = take_block(f, world, ids[i]);
    }
    free(ids);
    return good;
}
