// bones.c: a particle's rotation is that of its clusters and lattices, or its own.
#include "world/bones.h"

#include <math.h>

static void add_turn(bone *b, const float *turn, const float *columns)
{
    quat q = quat_of(turn);
    b->q = plus(b->q, inner(b->q, q) < 0.0 ? -1.0 : 1.0, q);
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            b->shape[3 * r + c] += columns ? (double)columns[3 * c + r] : r == c;
    b->count++;
}

// Packed, each particle knows its clusters; before, all are looked through. Either way a particle meets them in their order.
static void add_clusters(const pl_world *w, int first, int count, bone *bones)
{
    const clusters *c = &w->clusters;
    const packed_clusters *p = &w->state.clusters;
    for (int i = 0; groups_packed(w) && c->count && i < count; i++)
    {
        int32_t slot = slot_of(w, first + i);
        for (int32_t e = p->slot_start[slot]; e < p->slot_start[slot + 1]; e++)
        {
            const match_pose *pose = &p->pose[p->slot_entry[2 * (size_t)e + 1]];
            add_turn(&bones[i], pose->turn, pose->plastic);
        }
    }
    for (int64_t i = 0; !groups_packed(w) && i < c->count; i++)
        for (int32_t k = c->start[i]; k < c->start[i + 1]; k++)
            if (c->member[k] >= first && c->member[k] < first + count)
                add_turn(&bones[c->member[k] - first], c->pose[i].turn, c->pose[i].plastic);
}

static void add_lattices(const pl_world *w, int first, int count, bone *bones)
{
    const lattices *l = &w->lattices;
    const packed_lattices *p = &w->state.lattices;
    for (int64_t k = 0; k < l->members; k++)
        if (l->member[k] >= first && l->member[k] < first + count)
            add_turn(&bones[l->member[k] - first], groups_packed(w) ? p->spot[p->spot_of[k]].turn : l->turn + 4 * k,
                     NULL);
}

static void set_own(const pl_world *w, int first, int count, bone *bones)
{
    const orient_pose *poses = w->oriented.count ? oriented_poses(w) : NULL;
    for (int64_t k = 0; k < w->oriented.count; k++)
    {
        int32_t at = w->oriented.member[k] - first;
        if (at < 0 || at >= count)
            continue;
        bones[at] = (bone){0};
        add_turn(&bones[at], poses[k].turn, NULL);
    }
}

pl_result find_bones(const pl_world *w, int first, int count, bone *bones)
{
    static const float none[4] = {0.0f, 0.0f, 0.0f, 1.0f};
    pl_result result = pull(w, ARRAY_BIT(SLOT_X) | (groups_packed(w) ? ARRAY_BIT(ARRAY_CLUSTERS) : 0));
    if (result != PL_OK)
        return result;
    memset(bones, 0, (size_t)count * sizeof *bones);
    add_clusters(w, first, count, bones);
    add_lattices(w, first, count, bones);
    set_own(w, first, count, bones);
    for (int i = 0; i < count; i++)
    {
        bone *b = &bones[i];
        if (b->count == 0)
            add_turn(b, none, NULL);
        double size = sqrt(inner(b->q, b->q));
        b->q = size > 0.0 ? plus((quat){{0.0, 0.0, 0.0}, 0.0}, 1.0 / size, b->q) : quat_of(none);
        for (int k = 0; k < 9; k++)
            b->shape[k] /= b->count;
    }
    return PL_OK;
}
