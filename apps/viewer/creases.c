// creases.c: see creases.h.
#include "creases.h"

#include "message.h"

#include <stdlib.h>

bool creases_open(struct creases *c, int points, size_t corners)
{
    *c = (struct creases){.point = malloc((corners + 1) * sizeof *c->point),
                          .normal = malloc((corners + 1) * sizeof *c->normal),
                          .next = malloc((corners + 1) * sizeof *c->next),
                          .first = malloc(((size_t)points + 1) * sizeof *c->first)};
    if (!c->point || !c->normal || !c->next || !c->first)
    {
        creases_free(c);
        return no_memory();
    }
    for (int p = 0; p < points; p++)
    {
        c->first[p] = -1;
    }
    return true;
}

int32_t crease_vertex(struct creases *c, int32_t point, vec3 n, float weight, float cosine)
{
    for (int32_t v = c->first[point]; v >= 0; v = c->next[v])
    {
        if (dot(unit(c->normal[v]), n) > cosine)
        {
            c->normal[v] = add(c->normal[v], scale(n, weight));
            return v;
        }
    }
    int32_t v = c->vertices++;
    c->point[v] = point;
    c->normal[v] = scale(n, weight);
    c->next[v] = c->first[point];
    c->first[point] = v;
    return v;
}

void creases_free(struct creases *c)
{
    free(c->point);
    free(c->normal);
    free(c->next);
    free(c->first);
    *c = (struct creases){0};
}
