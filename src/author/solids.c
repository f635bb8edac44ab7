// solids.c: the public calls that make solids out of meshes. They need no world, so their memory is malloc's.
#include "author/shapes_mesh.h"
#include "author/tet_mesh.h"
#include "core/rounding.h"
#include "world/world.h"

static memory plain_memory(void)
{
    memory m;
    memory_open(&m, &(pl_allocator){0});
    return m;
}

pl_result pl_mesh_make(const pl_mesh_def *def, pl_mesh *out)
{
    NEED(def);
    NEED(out);
    PLAIN_ROUNDING;
    memory m = plain_memory();
    return shape_mesh(&m, def, out);
}

void pl_mesh_free(pl_mesh *mesh)
{
    memory m = plain_memory();
    if (mesh)
        mesh_drop(&m, mesh);
}

pl_result pl_tetrahedralise(const pl_mesh *mesh, float spacing, pl_tets *out)
{
    NEED(mesh);
    NEED(out);
    PLAIN_ROUNDING;
    memory m = plain_memory();
    mesh_view view = view_of(mesh, "mesh");
    return tetrahedralise(&m, &view, (double)spacing, out);
}

void pl_tets_free(pl_tets *tets)
{
    memory m = plain_memory();
    if (tets)
        tets_drop(&m, tets);
}
