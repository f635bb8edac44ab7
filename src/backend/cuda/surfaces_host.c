// surfaces_host.c: sends surfaces and their multipliers to the device, and reads the device's list of pairs back in the
// host's form.
#include "backend/cuda/host_side.h"
#include "neighbours/surface/surfaces.h"
#include "stages/surface_list_validity.h"

#if defined(PL_CUDA)

static pl_result tell_surface(pl_world *w)
{
    const surfaces *k = &w->surfaces;
    cuda_side *c = w->cuda;
    device_error why = {0};
    device_surface f = {.slots = w->state.slots, .thickness = k->thickness};
    void *block = NULL;
    size_t bytes = has_surface(w) ? (size_t)k->tree->nodes * sizeof(int32_t) : 0;
    pl_result result = bytes ? memory_resize(&w->memory, &block, 0, bytes) : PL_OK;
    if (result != PL_OK)
        return result;
    if (bytes)
    {
        int32_t *parent = block;
        parent[0] = -1;
        for (int32_t n = 0; n < (int32_t)k->tree->nodes; n++)
            if (k->tree->node[n].count == 0)
                parent[n + 1] = parent[k->tree->node[n].next] = n;
        f.triangle = k->triangle, f.triangle_edge = k->triangle_edge, f.edge = k->edge, f.vertex = k->vertex;
        f.id = k->tree->id, f.node_last = k->node_last, f.parent = parent, f.owns = k->owns, f.node = k->tree->node;
        f.triangles = k->triangles, f.edges = k->edges, f.vertices = k->vertices, f.nodes = (int32_t)k->tree->nodes;
    }
    if (c->api->surface(c->device, &f, &why))
        c->surface_version = k->surface_version;
    else
        result = cuda_report(w, &why);
    memory_free(&w->memory, block, bytes);
    return result;
}

static pl_result tell_carried(pl_world *w)
{
    surfaces *k = &w->surfaces;
    cuda_side *c = w->cuda;
    device_error why = {0};
    pl_result result = surface_carry(w);
    if (result != PL_OK)
        return result;
    c->surfaces = (surface_now){.margin = k->margin, .horizon = k->horizon};
    device_carry carried = {k->carry.first, k->carry.count, k->carry.other, k->carry.lambda, k->carry.entries};
    return c->api->surface_carry(c->device, &carried, &c->surfaces, &why) ? PL_OK : cuda_report(w, &why);
}

pl_result cuda_surface_far(const pl_world *w)
{
    return fail(PL_ERROR_DIVERGED, "surfaces are spread over too many cells of %.6g m; make the scene more compact",
                (double)surface_cell_size(w->cuda->surfaces.widest));
}

// The host searches pairs at the device's particle positions and sends the list, with the pulls that separate crossed
// surfaces.
static pl_result give_list(pl_world *w)
{
    surfaces *k = &w->surfaces;
    cuda_side *c = w->cuda;
    parallel threads = cpu_parallel(&w->cpu);
    device_error why = {0};
    pl_result result = surface_list_particles(w);
    if (result == PL_OK)
        result = surface_search(w, &threads);
    if (result == PL_OK)
        result = surface_untangle(w);
    if (result != PL_OK)
        return result;
    c->surfaces.crossings = (int32_t)(k->crossings < INT32_MAX ? k->crossings : INT32_MAX);
    if (c->api->surface_give(c->device, &w->state, k->pairs.items, (int32_t)k->pairs.count, k->pulls,
                             (int32_t)k->pull_count, &c->surfaces, &why))
        return PL_OK;
    return why.far ? cuda_surface_far(w) : cuda_report(w, &why);
}

pl_result cuda_surface_begin(pl_world *w)
{
    surfaces *k = &w->surfaces;
    cuda_side *c = w->cuda;
    pl_result result = c->surface_version != k->surface_version ? tell_surface(w) : PL_OK;
    if (!has_surface(w) || result != PL_OK)
        return result;
    w->state.surfaces.leeway = surface_leeway(SURFACE_MARGIN * k->thickness, k->thickness);
    if (!k->listed)
        result = tell_carried(w);
    if (result == PL_OK && k->resume)
        result = give_list(w);
    c->surfaces.made = 0;
    return result;
}

// Before substep flow.to the device has found crossings. SLOT_SURFACE and SLOT_SURFACE_V hold the positions and
// velocities of all particles at that time.
pl_result cuda_surface_untangle(pl_world *w)
{
    surfaces *k = &w->surfaces;
    cuda_side *c = w->cuda;
    k->margin = c->surfaces.margin;
    k->horizon = c->surfaces.horizon;
    pl_result result = pull(w, ARRAY_BIT(SLOT_SURFACE) | ARRAY_BIT(SLOT_SURFACE_V) | ARRAY_BIT(SLOT_X) |
                                   ARRAY_BIT(SLOT_COLLISION) | ARRAY_BIT(SLOT_REST));
    if (result == PL_OK)
        result = give_list(w);
    c->surfaces.made = w->flow.to + 1;
    return result;
}

void cuda_surface_end(pl_world *w)
{
    surfaces *k = &w->surfaces;
    const surface_now *now = &w->cuda->surfaces;
    if (!has_surface(w))
        return;
    k->listed = now->listed;
    k->resume = false;
    k->crossings = now->crossings;
    k->margin = now->margin;
    k->horizon = now->horizon;
}

// The data from the device is stored behind the columns: three times four floats for each pair.
pl_result cuda_surface_read(pl_world *w)
{
    surfaces *k = &w->surfaces;
    cuda_side *c = w->cuda;
    memory *m = &w->memory;
    device_error why = {0};
    int64_t n = c->surfaces.pairs;
    if (!has_surface(w) || !k->listed)
        return PL_OK;
    pl_result r = array_reserve(m, &k->pairs.items, &k->pairs.capacity, n, sizeof(surface_pair));
    if (r == PL_OK)
        r = array_reserve(m, &k->row, &k->row_capacity, n, sizeof *k->row);
    if (r == PL_OK)
        r = array_reserve(m, &k->packing, &k->packing_capacity, 4 * 23 * n + 64, 1);
    if (r != PL_OK)
        return r;
    packed_surface *p = &w->state.surfaces;
    float **const columns[11] = {&p->lambda[0], &p->lambda[1], &p->lambda[2], &p->lambda[3],
                                 &p->normal[0], &p->normal[1], &p->normal[2], &p->weight[0],
                                 &p->weight[1], &p->weight[2], &p->weight[3]};
    float *column = (float *)(void *)k->packing, *rows = column + 11 * n;
    if (!c->api->surface_read(c->device, &c->surfaces, k->pairs.items, rows, &why))
        return cuda_report(w, &why);
    k->pairs.count = n;
    for (int64_t l = 0; l < 11; l++)
    {
        *columns[l] = column + l * n;
        for (int64_t i = 0; i < n; i++)
            (*columns[l])[i] = rows[4 * n * (l / 4) + 4 * i + l % 4];
    }
    for (int64_t i = 0; i < n; i++)
        k->row[i] = (int32_t)i;
    return PL_OK;
}

#endif
