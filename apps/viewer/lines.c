// lines.c: what there is to draw as lines: links, ropes and rods of links that have no faces, and poles along held borders (model.h).
#include "model.h"

#include "message.h"

#include <stdlib.h>
#include <string.h>

// ---- links ---------------------------------------------------------------------------------------------------------

bool is_link(pl_kind kind)
{
    return kind == PL_KIND_DISTANCE || kind == PL_KIND_DISTANCE_MAX || kind == PL_KIND_DISTANCE_MIN ||
           kind == PL_KIND_TETHER;
}

static bool take_block(struct model *m, const pl_world *world, pl_id block, pl_kind kind, int count)
{
    int params = pl_kind_describe(kind)->params;
    float *param = malloc(((size_t)count * (size_t)params + 1) * sizeof *param);
    bool good = param ? true : no_memory();
    good = good &&
           (pl_get_row_particles(world, block, 0, count, m->link + 2 * (size_t)m->links) == PL_OK || library_trouble());
    good = good && (pl_get_rows(world, block, PL_ROW_PARAM, 0, count, param) == PL_OK || library_trouble());
    for (int i = 0; good && i < count; i++)
    {
        m->link_rest[m->links + i] = param[(size_t)i * (size_t)params];
        m->link_kind[m->links + i] = (uint8_t)kind;
        pl_damage damage;
        int32_t *l = m->link + 2 * (size_t)(m->links + i);
        if (m->torn && pl_get_damage(world, block, i, 1, &damage) == PL_OK && damage.broken)
        {
            l[1] = l[0]; // nothing to be seen
        }
    }
    m->links += good ? count : 0;
    free(param);
    return good;
}

// The links of one block whose particles have no face are ropes or rods.
static bool rope_of_block(struct model *m, int first, int count, const bool *meshed, const float *x)
{
    int32_t *pairs = malloc((2 * (size_t)count + 1) * sizeof *pairs);
    int kept = 0;
    if (!pairs)
    {
        return no_memory();
    }
    for (int i = first; i < first + count; i++)
    {
        const int32_t *l = m->link + 2 * (size_t)i;
        bool pulls = m->link_kind[i] == PL_KIND_DISTANCE || m->link_kind[i] == PL_KIND_DISTANCE_MAX;
        if (pulls && l[0] != l[1] && !meshed[l[0]] && !meshed[l[1]])
        {
            memcpy(pairs + 2 * (size_t)kept++, l, 2 * sizeof *pairs);
        }
    }
    bool good = kept == 0 || chains_add(m, pairs, kept, CHAIN_ROPE, x);
    free(pairs);
    return good;
}

bool links_take(struct model *m, const pl_world *world, const bool *meshed, const float *x)
{
    int64_t total = 0;
    for (int k = 0; k < PL_KIND_COUNT; k++)
    {
        total += is_link((pl_kind)k) ? pl_constraint_count(world, (pl_kind)k) : 0;
    }
    int blocks = pl_world_blocks(world, NULL, 0);
    pl_id *ids = malloc((size_t)(blocks + 1) * sizeof *ids);
    m->link = malloc((2 * (size_t)total + 1) * sizeof *m->link);
    m->link_rest = malloc(((size_t)total + 1) * sizeof *m->link_rest);
    m->link_kind = malloc((size_t)total + 1);
    bool good = ids && m->link && m->link_rest && m->link_kind ? true : no_memory();
    if (good)
    {
        pl_world_blocks(world, ids, blocks);
    }
    for (int i = 0; good && i < blocks; i++)
    {
        pl_kind kind;
        int count, first = m->links;
        good = pl_block_info(world, ids[i], &kind, &count) == PL_OK || library_trouble();
        if (good && is_link(kind))
        {
            good = take_block(m, world, ids[i], kind, count) && rope_of_block(m, first, count, meshed, x);
        }
    }
    free(ids);
    return good;
}

// ---- borders: what has one is cloth; where it is held, it hangs on a pole, elsewhere it has a hem ---------------------------------------------

static int compare_edges(const void *a, const void *b)
{
    const int32_t *x = a, *y = b;
    return x[0] != y[0] ? (x[0] > y[0]) - (x[0] < y[0]) : (x[1] > y[1]) - (x[1] < y[1]);
}

bool borders_take(struct model *m, const float *x)
{
    size_t size = (6 * (size_t)m->faces + 2) * sizeof(int32_t);
    int32_t *edges = malloc(size), *hem = malloc(size);
    int count = 0, kept = 0, hems = 0;
    if (!edges || !hem)
    {
        free(edges);
        free(hem);
        return no_memory();
    }
    for (int f = 0; f < m->faces; f++)
    {
        for (int k = 0; k < 3; k++)
        {
            int32_t a = m->face[3 * (size_t)f + (size_t)k], b = m->face[3 * (size_t)f + (size_t)(k + 1) % 3];
            edges[2 * count] = a < b ? a : b;
            edges[2 * count++ + 1] = a < b ? b : a;
        }
    }
    qsort(edges, (size_t)count, 2 * sizeof *edges, compare_edges);
    for (int i = 0, n; i < count; i += n) // an edge at the border belongs to one face only
    {
        for (n = 1; i + n < count && compare_edges(edges + 2 * i, edges + 2 * (i + n)) == 0; n++)
        {
        }
        bool border = n == 1, held = border && m->held[edges[2 * i]] && m->held[edges[2 * i + 1]];
        if (border)
        {
            m->cloth[m->object_of[edges[2 * i]]] = true;
        }
        if (border && !held && edges[2 * i + 1] < m->particles)
        {
            memcpy(hem + 2 * (size_t)hems++, edges + 2 * (size_t)i, 2 * sizeof *hem);
        }
        if (held)
        {
            memmove(edges + 2 * (size_t)kept++, edges + 2 * (size_t)i, 2 * sizeof *edges);
        }
    }
    bool good = kept == 0 || chains_add(m, edges, kept, CHAIN_POLE, x);
    good = good && (hems == 0 || chains_add(m, hem, hems, CHAIN_HEM, x));
    free(edges);
    free(hem);
    return good;
}
