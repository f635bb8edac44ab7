// solid_api.c: implements the public calls that make solids from meshes. They need no world, so they use malloc.
#include "author/crossing.h"
#include "author/patches.h"
#include "author/repair.h"
#include "author/sampler.h"
#include "author/shapes_mesh.h"
#include "author/tet_mesh.h"
#include "core/rounding.h"
#include "model/world.h"

memory plain_memory(void)
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

pl_result pl_mesh_repair(const pl_mesh *mesh, float tolerance, const pl_log *log, pl_mesh *out)
{
    NEED(mesh);
    NEED(out);
    PLAIN_ROUNDING;
    memory m = plain_memory();
    mesh_repairs done;
    mesh_view view = view_of(mesh, "mesh");
    pl_result result = mesh_repair(&m, &view, (double)tolerance, out, &done);
    for (int i = 0; result == PL_OK && log && log->write && i < REPAIR_LINES; i++)
    {
        char text[256];
        if (mesh_repairs_tell("mesh", &done, i, text, sizeof text))
            log->write(log->user, PL_LOG_WARNING, text);
    }
    return result;
}

void pl_mesh_free(pl_mesh *mesh)
{
    memory m = plain_memory();
    if (mesh)
        mesh_drop(&m, mesh);
}

// Checks that the mesh is closed and does not cross itself, so that its inside is well defined.
static pl_result check_solid(memory *m, const mesh_view *view)
{
    mesh_crossing c;
    pl_result result = mesh_check(m, view, 1);
    if (result == PL_OK)
        result = find_crossing(m, view, &c);
    return result == PL_OK ? refuse_crossing(view, &c, NULL) : result;
}

pl_result pl_tetrahedralise(const pl_mesh *mesh, float spacing, pl_tets *out)
{
    NEED(mesh);
    NEED(out);
    PLAIN_ROUNDING;
    memory m = plain_memory();
    mesh_view view = view_of(mesh, "mesh");
    *out = (pl_tets){0};
    pl_result result = check_solid(&m, &view);
    return result == PL_OK ? tetrahedralise(&m, &view, (double)spacing, out) : result;
}

void pl_tets_free(pl_tets *tets)
{
    memory m = plain_memory();
    if (tets)
        tets_drop(&m, tets);
}

pl_result pl_find_patches(const float *positions, int vertex_count, const int32_t *tets, int tet_count, pl_patches *out)
{
    NEED(positions);
    NEED(tets);
    NEED(out);
    PLAIN_ROUNDING;
    memory m = plain_memory();
    *out = (pl_patches){0};
    if (tet_count < 1 || tet_count > INT32_MAX / 8)
        return fail(PL_ERROR_ARGUMENT, "patches: tet_count is %d; it must be from 1 to %d", tet_count, INT32_MAX / 8);
    for (int64_t i = 0; i < 4 * (int64_t)tet_count; i++)
        if (tets[i] < 0 || tets[i] >= vertex_count)
            return fail(PL_ERROR_ARGUMENT,
                        "patches: vertex %d of tetrahedron %lld does not exist; numbers go from 0 to %d", tets[i],
                        (long long)(i / 4), vertex_count - 1);
    return find_patches(&m, positions, vertex_count, tets, tet_count, out);
}

void pl_patches_free(pl_patches *patches)
{
    memory m = plain_memory();
    if (patches)
        patches_drop(&m, patches);
}

pl_result pl_sample_particles(const pl_mesh *mesh, const pl_sample_def *def, pl_samples *out)
{
    NEED(mesh);
    NEED(def);
    NEED(out);
    PLAIN_ROUNDING;
    memory m = plain_memory();
    mesh_view view = view_of(mesh, "mesh");
    *out = (pl_samples){0};
    pl_result result = check_solid(&m, &view);
    return result == PL_OK ? sample_particles(&m, &view, def, out) : result;
}

void pl_samples_free(pl_samples *samples)
{
    memory m = plain_memory();
    if (samples)
        samples_drop(&m, samples);
}
