// roots.c: what splits off when cloth tears keeps the place that it had in the weave.
#include "message.h"
#include "model.h"

#include <stdlib.h>
#include <string.h>

bool roots_take(struct model *m, const pl_world *world)
{
    if (m->torn == 0)
    {
        return true;
    }
    m->root = malloc(((size_t)m->particles + 1) * sizeof *m->root);
    if (!m->root)
    {
        return no_memory();
    }
    for (int p = 0; p < m->particles; p++)
    {
        m->root[p] = p;
        pl_get_split_origins(world, p, 1, &m->root[p]); // fails for those that were removed
    }
    return true;
}

void model_keep_rest(struct model *fresh, const struct model *before)
{
    for (int p = 0; p < fresh->particles && fresh->root; p++)
    {
        int at = p < before->particles ? p : fresh->root[p];
        if (at >= 0 && at < before->particles)
        {
            memcpy(fresh->rest + 3 * (size_t)p, before->rest + 3 * (size_t)at, 3 * sizeof *fresh->rest);
        }
    }
}
