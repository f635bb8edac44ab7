// body_lattice.c: adds a lattice of overlapping regions to a sampled body.
#include "author/body_lattice.h"

pl_result lattice_cells(memory *m, const pl_samples *s, float spacing, int32_t **cells, int64_t *capacity)
{
    float low[3] = {s->positions[0], s->positions[1], s->positions[2]};
    pl_result result = array_reserve(m, cells, capacity, 3 * (int64_t)s->count, sizeof **cells);
    for (int i = 0; i < 3 * s->count; i++)
        low[i % 3] = s->positions[i] < low[i % 3] ? s->positions[i] : low[i % 3];
    for (int i = 0; result == PL_OK && i < 3 * s->count; i++)
        (*cells)[i] = (int32_t)(((double)s->positions[i] - (double)low[i % 3]) / (double)spacing + 0.5);
    return result;
}

void build_lattice(build *b, const int32_t *cells, int count, float region, float stiffness)
{
    pl_lattice_def def = pl_default_lattice_def();
    pl_id id = {0};
    for (int32_t i = 0; i < count; i++)
        build_index(b, 1, &i);
    if (b->result != PL_OK)
        return;
    def.count = count;
    def.particles = b->index;
    def.cells = cells;
    def.half_width = (int)region;
    def.stiffness = stiffness;
    b->result = pl_add_lattice(b->w, &def, &id);
    if (b->result == PL_OK)
        b->w->entries[id.index].owner = b->object.index;
    b->index_count = 0;
}
