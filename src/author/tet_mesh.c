// tet_mesh.c: finds the surface of a tetrahedral mesh by sorting its faces, and checks the result of stuffing.
#include "author/tet_mesh.h"
#include "author/shells.h"

#include <stdlib.h>

// The face opposite to each corner, outward for a tetrahedron of positive volume.
static const int sides[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};

typedef struct face
{
    int32_t v[3]; // ascending
    int32_t at;   // 4 tetrahedron + side
} face;

static int compare_faces(const void *p, const void *q)
{
    const face *a = p, *b = q;
    for (int k = 0; k < 3; k++)
        if (a->v[k] != b->v[k])
            return a->v[k] < b->v[k] ? -1 : 1;
    return (a->at > b->at) - (a->at < b->at);
}

static void swap_if(int32_t *a, int32_t *b)
{
    int32_t low = *a < *b ? *a : *b, high = *a < *b ? *b : *a;
    *a = low;
    *b = high;
}

static face face_of(const pl_tets *t, int64_t at)
{
    const int32_t *tet = t->tets + 4 * (at / 4);
    const int *side = sides[at % 4];
    face f = {{tet[side[0]], tet[side[1]], tet[side[2]]}, (int32_t)at};
    swap_if(&f.v[0], &f.v[1]);
    swap_if(&f.v[1], &f.v[2]);
    swap_if(&f.v[0], &f.v[1]);
    return f;
}

// Moves the faces that belong to one tetrahedron only to the front, in the order of their tetrahedra.
static int64_t keep_lone(face *faces, int64_t count)
{
    int64_t lone = 0;
    for (int64_t i = 0, end; i < count; i = end)
    {
        for (end = i + 1; end < count && faces[end].v[0] == faces[i].v[0] && faces[end].v[1] == faces[i].v[1] &&
                          faces[end].v[2] == faces[i].v[2];)
            end++;
        if (end == i + 1)
            faces[lone++] = (face){{0, 0, 0}, faces[i].at};
    }
    qsort(faces, (size_t)lone, sizeof *faces, compare_faces);
    return lone;
}

pl_result tets_find_surface(memory *m, const char *name, pl_tets *t)
{
    face *faces = NULL;
    int64_t count = 4 * (int64_t)t->tet_count;
    if (t->tet_count > INT32_MAX / 4)
        return fail(PL_ERROR_ARGUMENT, "%s: %d tetrahedra are too many; at most %d", name, t->tet_count, INT32_MAX / 4);
    pl_result result = take_items(m, &faces, count, sizeof *faces);
    if (result != PL_OK)
        return result;
    for (int64_t i = 0; i < count; i++)
        faces[i] = face_of(t, i);
    qsort(faces, (size_t)count, sizeof *faces, compare_faces);
    int64_t lone = keep_lone(faces, count);
    result = take_items(m, &t->triangles, lone, 3 * sizeof *t->triangles);
    if (result == PL_OK)
    {
        t->triangle_count = (int)lone;
        result = take_items(m, &t->owners, lone, sizeof *t->owners);
    }
    for (int64_t i = 0; result == PL_OK && i < lone; i++)
    {
        t->owners[i] = faces[i].at / 4;
        for (int k = 0; k < 3; k++)
            t->triangles[3 * i + k] = t->tets[4 * (int64_t)t->owners[i] + sides[faces[i].at % 4][k]];
    }
    drop_items(m, &faces, count, sizeof *faces);
    return result;
}

void tets_drop(memory *m, pl_tets *t)
{
    drop_items(m, &t->vertices, t->vertex_count, 3 * sizeof(float));
    drop_items(m, &t->tets, t->tet_count, 4 * sizeof(int32_t));
    drop_items(m, &t->triangles, t->triangle_count, 3 * sizeof(int32_t));
    drop_items(m, &t->owners, t->triangle_count, sizeof(int32_t));
    *t = (pl_tets){0};
}

tets_measure tets_measure_all(const pl_tets *t)
{
    tets_measure r = {.smallest = -1.0, .largest = 1.0};
    for (int64_t i = 0; i < t->tet_count; i++)
    {
        double x[4][3], small, large;
        for (int k = 0; k < 4; k++)
            widen(t->vertices + 3 * (int64_t)t->tets[4 * i + k], x[k]);
        double volume = box_product(x[0], x[1], x[2], x[3]) / 6.0;
        dihedral_range((const double *const[4]){x[0], x[1], x[2], x[3]}, &small, &large);
        r.volume += volume;
        r.inverted += !(volume > 0.0);
        r.smallest = small > r.smallest ? small : r.smallest;
        r.largest = large < r.largest ? large : r.largest;
    }
    return r;
}

// ---- from a triangle mesh ------------------------------------------------------------------------------------------

// Checks that the tetrahedra have the topology of the solid, which they have if the lattice is fine enough: the same
// number of pieces, and a closed surface that does not touch itself.
static pl_result check_pieces(memory *m, const mesh_view *mesh, double spacing, const pl_tets *t)
{
    mesh_shells shells = {0};
    int32_t pieces = 0, solids = 0;
    pl_result result = shells_find(m, mesh, &shells);
    if (result == PL_OK)
        result = shells_count_tets(m, t, &pieces);
    for (int32_t i = 0; i < shells.count; i++)
        solids += shells.volume[i] > 0.0; // the others are cavities
    shells_drop(m, &shells);
    if (result == PL_OK && pieces != solids)
        return fail(PL_ERROR_ARGUMENT,
                    "%s: with a spacing of %g m the tetrahedra fall into %d pieces, the mesh has %d; parts of it are "
                    "thinner than the spacing: use a smaller one",
                    mesh->name, spacing, pieces, solids);
    return result;
}

static pl_result check_surface(memory *m, const mesh_view *mesh, double spacing, const pl_tets *t)
{
    mesh_view skin = {mesh->name, t->vertices, t->triangles, t->vertex_count, t->triangle_count};
    int32_t vertex = -1;
    pl_result result = shells_find_pinch(m, &skin, &vertex);
    if (result == PL_OK && vertex >= 0)
        return fail(PL_ERROR_ARGUMENT,
                    "%s: with a spacing of %g m the surface of the tetrahedra touches itself near (%g, %g, %g); use a "
                    "smaller one",
                    mesh->name, spacing, (double)t->vertices[3 * vertex], (double)t->vertices[3 * vertex + 1],
                    (double)t->vertices[3 * vertex + 2]);
    return result;
}

pl_result tetrahedralise(memory *m, const mesh_view *mesh, double spacing, pl_tets *out)
{
    mesh_field field = {0};
    *out = (pl_tets){0};
    pl_result result = mesh_field_open(m, mesh, &field);
    if (result != PL_OK)
        return result;
    solid_field solid = mesh_field_solid(&field, mesh);
    result = stuff_solid(m, mesh->name, &solid, spacing, out);
    mesh_field_close(m, &field);
    if (result == PL_OK)
        result = tets_find_surface(m, mesh->name, out);
    if (result == PL_OK)
        result = check_pieces(m, mesh, spacing, out);
    if (result == PL_OK)
        result = check_surface(m, mesh, spacing, out);
    if (result != PL_OK)
        tets_drop(m, out);
    return result;
}
