// visuals.c: meshes that ride on objects are points behind the particles, and faces behind the faces. What carries them is not drawn.
#include "message.h"
#include "model.h"

#include <stdlib.h>
#include <string.h>

// All visuals of a world. Free with free().
static bool list(const pl_world *world, pl_id **ids, int *count)
{
    *count = pl_world_visuals(world, NULL, 0);
    *ids = malloc(((size_t)*count + 1) * sizeof **ids);
    if (!*ids)
    {
        return no_memory();
    }
    pl_world_visuals(world, *ids, *count);
    return true;
}

bool visuals_count(const pl_world *world, int *vertices, int *triangles)
{
    pl_id *ids;
    int count;
    bool good = list(world, &ids, &count);
    *vertices = *triangles = 0;
    for (int i = 0; good && i < count; i++)
    {
        pl_visual_info info;
        good = pl_describe_visual(world, ids[i], &info) == PL_OK || library_trouble();
        *vertices += good ? info.vertices : 0;
        *triangles += good ? info.triangles : 0;
    }
    free(ids);
    return good;
}

bool visuals_take(const pl_world *world, float *vertex)
{
    pl_id *ids;
    int count;
    bool good = list(world, &ids, &count);
    for (int i = 0; good && i < count; i++)
    {
        pl_visual_info info;
        good = (pl_describe_visual(world, ids[i], &info) == PL_OK &&
                pl_get_visual(world, ids[i], vertex, NULL) == PL_OK) ||
               library_trouble();
        vertex += good ? 3 * (size_t)info.vertices : 0;
    }
    free(ids);
    return good;
}

// Faces of an object that has a visual are hidden behind it.
static void drop_faces(struct model *m, const pl_visual_info *v)
{
    int kept = 0;
    for (int f = 0; f < m->faces; f++)
    {
        int32_t p = m->face[3 * (size_t)f];
        if (p < v->first || p >= v->first + v->count)
        {
            memmove(m->face + 3 * (size_t)kept++, m->face + 3 * (size_t)f, 3 * sizeof *m->face);
        }
    }
    m->faces = kept;
}

static int nearest(const float *x, const pl_visual_info *v, vec3 at, int step)
{
    int best = v->first;
    float least = 3e38f;
    for (int p = v->first; p < v->first + v->count; p += step)
    {
        vec3 d = sub(v3_at(x + 3 * (size_t)p), at);
        if (dot(d, d) < least)
        {
            least = dot(d, d);
            best = p;
        }
    }
    return best;
}

static bool join_one(struct model *m, const pl_world *world, pl_id id, const float *x, bool *authored, int *point)
{
    pl_visual_info v;
    if (pl_describe_visual(world, id, &v) != PL_OK)
    {
        return library_trouble();
    }
    drop_faces(m, &v);
    for (int p = v.first; p < v.first + v.count; p++)
    {
        authored[p] = true;
        m->held[p] = false;
    }
    int32_t *to = m->face + 3 * (size_t)m->faces;
    if (pl_get_visual(world, id, NULL, to) != PL_OK)
    {
        return library_trouble();
    }
    int step = 1 + (int)((double)v.vertices * v.count / 1e8); // of very many, some will do
    for (int k = 0; k < 3 * v.triangles; k++)
    {
        to[k] += *point;
    }
    for (int k = 0; k < v.vertices; k++, ++*point)
    {
        m->object_of[*point] = m->object_of[v.first];
        m->like[*point - m->particles] = nearest(x, &v, v3_at(x + 3 * (size_t)*point), step);
    }
    m->faces += v.triangles;
    return true;
}

bool visuals_join(struct model *m, const pl_world *world, const float *x, bool *authored)
{
    pl_id *ids;
    int count, point = m->particles;
    bool good = list(world, &ids, &count);
    for (int i = 0; good && i < count; i++)
    {
        good = join_one(m, world, ids[i], x, authored, &point);
    }
    free(ids);
    return good;
}
