// tearing.h: cloth that may come apart, and whether what is left of it is sound.
#ifndef PLIANT_TESTS_TEARING_H
#define PLIANT_TESTS_TEARING_H

#include "physics/physics.h"

static int orderings; // how often everything was packed anew

static inline void listen(void *user, pl_log_level level, const char *text)
{
    (void)user, (void)level;
    orderings += strncmp(text, "ordered", 7) == 0;
}

static inline pl_world *quiet_world(int threads, int lanes)
{
    pl_world_def def = pl_default_world_def();
    def.threads = threads, def.lanes = lanes;
    def.settings.substeps = 8;
    def.settings.iterations = 1;
    def.log.write = listen;
    pl_world *w;
    good(pl_world_create(&def, &w));
    return w;
}

static inline pl_id cloth(pl_world *w, int size, pl_cloth_model model, pl_bending bending, double strength)
{
    pl_cloth_def c = pl_default_cloth_def();
    pl_id id;
    int32_t corners[2] = {0, size - 1};
    c.columns = c.rows = size;
    c.model = model;
    c.bending = bending;
    c.stretch.compliance = c.shear.compliance = 1e-5f;
    c.bend.compliance = 1e-3f;
    c.pinned = corners, c.pinned_count = 2;
    c.tethers = true;
    c.strength = (float)strength;
    good(pl_add_cloth(w, &c, &id));
    return id;
}

static inline double total_mass(const pl_world *w)
{
    double sum = 0.0;
    for (int i = 0; i < pl_particle_end(w); i++)
    {
        float m;
        good(pl_get(w, PL_ATTRIBUTE_MASS, i, 1, &m));
        sum += (double)m;
    }
    return sum;
}

static inline int pieces(const pl_world *w)
{
    int count;
    good(pl_count_pieces(w, (pl_id){0, 0}, &count));
    return count;
}

// ---- the mesh ------------------------------------------------------------------------------------------------------

// Every edge has one or two faces, and the faces at a vertex hang together by edges.
static inline void mesh_is_clean(const pl_world *w, bool closed)
{
    int count = pl_face_count(w), end = pl_particle_end(w);
    int32_t *f = malloc(3 * (size_t)count * sizeof *f);
    assert_non_null(f);
    good(pl_get_faces(w, 0, count, f));
    for (int v = 0; v < end; v++)
    {
        int around[64], n = 0, group[64];
        for (int i = 0; i < count; i++)
            if (f[3 * i] == v || f[3 * i + 1] == v || f[3 * i + 2] == v)
            {
                assert_true(n < 64);
                group[n] = n;
                around[n++] = i;
            }
        for (int a = 0; a < n; a++)
            for (int k = 0; k < 3; k++)
            {
                int u = f[3 * around[a] + k], with = 0;
                for (int b = 0; b < n && u != v; b++)
                {
                    const int32_t *g = f + 3 * around[b];
                    if (g[0] != u && g[1] != u && g[2] != u)
                        continue;
                    with++;
                    int from = group[a], to = group[b];
                    for (int c = 0; c < n; c++)
                        group[c] = group[c] == from ? to : group[c];
                }
                assert_true(u == v || (with >= (closed ? 2 : 1) && with <= 2));
            }
        for (int a = 1; a < n; a++)
            assert_int_equal(group[a], group[0]);
    }
    free(f);
}

static const pl_blade across = {{0.52f, -1.0f, -1.0f}, {0.0f, 2.0f, 0.0f}, {0.0f, 0.0f, 3.0f}};

#endif
