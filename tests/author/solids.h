// solids.h: what the tests of meshes and solids share.
#ifndef PLIANT_TESTS_SOLIDS_H
#define PLIANT_TESTS_SOLIDS_H

#include "support/faulty.h"

#include "author/shapes_mesh.h"
#include "author/shells.h"
#include "author/tet_mesh.h"

static inline memory open_memory(void)
{
    memory m;
    memory_open(&m, &(pl_allocator){0});
    return m;
}

// A shape about a metre wide.
static inline pl_mesh_def shape_def(const char *shape, float edge)
{
    pl_mesh_def d = pl_default_mesh_def();
    d.shape = shape;
    d.edge = edge;
    d.radius = 0.5f;
    d.tube = 0.2f;
    d.length = 0.6f;
    d.size = (pl_vec3){1.0f, 0.7f, 0.9f};
    return d;
}

static inline pl_mesh make_shape(memory *m, const char *shape, float edge)
{
    pl_mesh_def d = shape_def(shape, edge);
    pl_mesh mesh;
    good(shape_mesh(m, &d, &mesh));
    return mesh;
}

// FNV-1a over bytes, 64 bits.
static inline uint64_t hash_bytes(uint64_t h, const void *data, size_t size)
{
    const unsigned char *p = data;
    for (size_t i = 0; i < size; i++)
        h = (h ^ p[i]) * 1099511628211u;
    return h;
}

#define HASH_START 14695981039346656037u

static inline uint64_t hash_mesh(const pl_mesh *mesh)
{
    uint64_t h = hash_bytes(HASH_START, mesh->vertices, 12 * (size_t)mesh->vertex_count);
    return hash_bytes(h, mesh->triangles, 12 * (size_t)mesh->triangle_count);
}

static inline uint64_t hash_tets(const pl_tets *t)
{
    uint64_t h = hash_bytes(HASH_START, t->vertices, 12 * (size_t)t->vertex_count);
    h = hash_bytes(h, t->tets, 16 * (size_t)t->tet_count);
    return hash_bytes(h, t->triangles, 12 * (size_t)t->triangle_count);
}

// How many hashes differ; each is told.
static inline int other_hash(const char *what, uint64_t value, uint64_t wanted)
{
    if (value != wanted)
        print_error("%s: the hash is 0x%016llx; 0x%016llx was wanted\n", what, (unsigned long long)value,
                    (unsigned long long)wanted);
    return value != wanted;
}

// Vertices - edges + faces of a closed mesh: 2 for a ball, 0 for a ring, 2 more for each further shell.
static inline int euler(int vertices, int triangles) { return vertices - triangles / 2; }

static inline double degrees(double cosine) { return acos(cosine) * 57.29577951308232; }

// An operation that must survive any allocation's failure without a leak: counts them, then fails each in turn.
static inline void fails_cleanly(pl_result (*work)(memory *m))
{
    faulty f = {0};
    memory m;
    memory_open(&m, &(pl_allocator){faulty_resize, &f});
    good(work(&m));
    assert_int_equal(m.bytes, 0);
    assert_int_equal(f.blocks, 0);
    int64_t calls = f.calls, every = 1 + calls / 60; // long ones: a sample
    for (int64_t at = 1; at <= calls; at += every)
    {
        f = (faulty){.fail_at = at};
        memory_open(&m, &(pl_allocator){faulty_resize, &f});
        refused(work(&m), PL_ERROR_MEMORY, "out of memory");
        if (m.bytes || f.blocks || f.bytes)
            fail_msg("failure at call %lld left %zu bytes in %lld blocks", (long long)at, m.bytes, (long long)f.blocks);
    }
}

#endif
