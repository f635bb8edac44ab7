// solids.h: shapes of every kind for the tests, made by rule.
#ifndef PLIANT_TESTS_SOLIDS_H
#define PLIANT_TESTS_SOLIDS_H

#include "author/forms.h"
#include "contact.h"

typedef struct made
{
    pl_shape_def def;
    float *vertices;
    int32_t *triangles;
} made;

static inline made make_form(pl_shape_kind kind, form f)
{
    int64_t v, t;
    form_count(&f, &v, &t);
    made m = {pl_default_shape_def(), malloc((size_t)v * 3 * sizeof(float)), malloc((size_t)t * 3 * sizeof(int32_t))};
    form_fill(&f, m.vertices, m.triangles);
    m.def.kind = kind;
    m.def.vertices = m.vertices;
    m.def.vertex_count = (int)v;
    m.def.triangles = m.triangles;
    m.def.triangle_count = (int)t;
    return m;
}

static inline made make_waves(int cells, double spacing, double height)
{
    made m = {pl_default_shape_def(), malloc((size_t)(cells + 1) * (size_t)(cells + 1) * sizeof(float)), NULL};
    form_waves(cells + 1, cells + 1, (float)spacing, (float)height, (float)(spacing * cells / 2), m.vertices);
    m.def.kind = PL_SHAPE_HEIGHTFIELD;
    m.def.heights = m.vertices;
    m.def.columns = m.def.rows = cells + 1;
    m.def.spacing = (float)spacing;
    return m;
}

static inline void forget(made *m)
{
    free(m->vertices);
    free(m->triangles);
}

static inline pl_id add_made(pl_world *w, made *m)
{
    pl_id id;
    good(pl_add_shape(w, &m->def, &id));
    forget(m); // the world has its own
    return id;
}

#endif
