// rigid_geometry.c: keeps the polyhedra of hulls and the trees of triangle meshes that the shapes of rigid bodies collide
// as. Equal shapes share one.
#include "collide/geometry.h"
#include "collide/polyhedron.h"
#include "core/hash.h"
#include "groups/rigid_contacts.h"

#include <string.h>

enum
{
    RIGID_HULL_VERTICES = 64, // of a hull; two of 60 vertices take 150 us: every pair of edges is an axis
    ALIGN_WORDS = 16,         // a block begins at a multiple of 64 bytes
};

static uint64_t hash_words(uint64_t h, const void *x, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
    {
        float a;
        memcpy(&a, (const char *)x + 4 * i, sizeof a);
        h = hash_float(h, a);
    }
    return h;
}

static const rigid_hull *find(const rigid_contacts *c, uint64_t hash)
{
    for (int64_t i = 0; i < c->hulls; i++)
        if (c->hull[i].hash == hash)
            return &c->hull[i];
    return NULL;
}

// Copies a block behind the others; entry: what is known of it beside its place.
static pl_result keep_block(pl_world *w, const void *bytes, size_t size, rigid_hull entry, const rigid_hull **out)
{
    rigid_contacts *c = &w->rigid_contacts;
    int64_t words = ((int64_t)size + 4 * ALIGN_WORDS - 1) / (4 * ALIGN_WORDS) * ALIGN_WORDS;
    pl_result result = c->words + words > INT32_MAX / 8
                           ? fail(PL_ERROR_MEMORY, "rigid: the hulls and meshes of bodies need more than 1 GB")
                           : array_reserve(&w->memory, &c->hull, &c->hull_capacity, c->hulls + 1, sizeof *c->hull);
    if (result == PL_OK)
        result = array_reserve(&w->memory, &c->word, &c->word_capacity, c->words + words, sizeof *c->word);
    if (result != PL_OK)
        return result;
    memset(c->word + c->words, 0, (size_t)words * sizeof *c->word);
    memcpy(c->word + c->words, bytes, size);
    entry.at = c->words, entry.words = (int32_t)words;
    c->hull[c->hulls] = entry;
    *out = &c->hull[c->hulls++];
    c->words += words;
    return PL_OK;
}

pl_result rigid_find_hull(pl_world *w, const float *x, int64_t vertices, const rigid_hull **out)
{
    uint64_t hash = hash_words(14695981039346656037u, x, 3 * vertices);
    void *bytes = NULL;
    size_t size = 0;
    *out = find(&w->rigid_contacts, hash);
    if (*out)
        return PL_OK;
    pl_result result = polyhedron_build(&w->memory, "rigid", x, vertices, RIGID_HULL_VERTICES, &bytes, &size);
    if (result == PL_OK)
    {
        const poly_block *b = bytes;
        rigid_hull entry = {
            .hash = hash, .reach = b->reach, .width = b->inner, .middle = {b->centre[0], b->centre[1], b->centre[2]}};
        result = keep_block(w, bytes, size, entry, out);
    }
    if (bytes)
        polyhedron_free(&w->memory, bytes, size);
    return result;
}

pl_result rigid_find_mesh(pl_world *w, const pl_shape_def *mesh, const rigid_hull **out)
{
    uint64_t hash = hash_words(14695981039346656037u + 1u + mesh->two_sided, mesh->vertices, 3 * mesh->vertex_count);
    void *bytes = NULL;
    size_t size = 0;
    hash = hash_words(hash, mesh->triangles, 3 * mesh->triangle_count);
    *out = find(&w->rigid_contacts, hash);
    if (*out)
        return PL_OK;
    pl_result result = geometry_build(&w->memory, "rigid mesh", mesh, &bytes, &size);
    if (result == PL_OK)
        result = keep_block(w, bytes, size, (rigid_hull){.hash = hash, .reach = geometry_reach(bytes, mesh)}, out);
    if (bytes)
        memory_free(&w->memory, bytes, size);
    return result;
}
