// strands.c: the strands of hair, each a row of particles to draw as a thin tube.
#include "model.h"

#include "message.h"

#include <math.h>
#include <stdlib.h>

static bool take_strand(struct model *m, const pl_world *world, pl_id block, int strand, float radius, int32_t **list,
                        int *room)
{
    int count = pl_strand_points(world, block, strand, NULL, 0);
    if (count > *room)
    {
        int32_t *larger = realloc(*list, (size_t)count * sizeof *larger);
        if (!larger)
        {
            return no_memory();
        }
        *list = larger;
        *room = count;
    }
    pl_strand_points(world, block, strand, *list, count);
    return chain_add(m, *list, count, CHAIN_HAIR, radius);
}

bool strands_take(struct model *m, const pl_world *world)
{
    int blocks = pl_world_strands(world, NULL, 0), total = 0, room = 0;
    pl_id *ids = malloc(((size_t)blocks + 1) * sizeof *ids);
    int32_t *list = NULL;
    bool good = ids ? true : no_memory();
    if (good)
    {
        pl_world_strands(world, ids, blocks);
    }
    pl_strands_state state;
    for (int i = 0; good && i < blocks; i++)
    {
        good = pl_get_strands(world, ids[i], &state) == PL_OK || library_trouble();
        total += good ? state.count : 0;
    }
    // Few are drawn thick; many cover what is under them.
    float radius = bounds_radius(&m->start) * clampf(0.1f / sqrtf((float)total + 1.0f), 0.0015f, 0.008f);
    for (int i = 0; good && i < blocks; i++)
    {
        good = pl_get_strands(world, ids[i], &state) == PL_OK || library_trouble();
        for (int k = 0; good && k < state.count; k++)
        {
            good = take_strand(m, world, ids[i], k, radius, &list, &room);
        }
    }
    free(ids);
    free(list);
    return good;
}
