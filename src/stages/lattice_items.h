// lattice_items.h: what the stages of lattices do with [begin, end) of their items: cells, or parts of lines.
#pragma once
#include "stages/items.h"

#if LANES == 1 // one cell at a time; wider tables use the functions of this one

PL_FN vec lattice_origin(const state *s, const lattice_spot *p)
{
    return at(load_points(s->slot[SLOT_X0] + s->lattices.body[p->body].origin));
}

STAGE_FN void lattice_load_stage(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    const packed_lattices *l = &s->lattices;
    for (int32_t i = begin; i < end; i++)
    {
        const lattice_spot *p = &l->spot[i];
        float *to = l->sum[0] + 4 * LATTICE_PARTS * (size_t)i;
        if (p->member == LATTICE_NONE)
            memset(to, 0, 4 * LATTICE_PARTS * sizeof *to);
        else
            lattice_load(p, sub(at(load_points(s->slot[SLOT_X] + p->member)), lattice_origin(s, p)), to);
    }
}

// Along axis `kind`, there and back between the two arrays of sums.
STAGE_FN void lattice_sum_stage(state *s, const stage *g, int32_t begin, int32_t end)
{
    const packed_lattices *l = &s->lattices;
    const float *in = l->sum[g->kind % 2];
    float *out = l->sum[1 - g->kind % 2];
    for (int32_t i = begin; i < end; i++)
        lattice_windows(&l->line[g->kind][i / LATTICE_PARTS], i % LATTICE_PARTS, in, l->ends, out);
}

STAGE_FN void lattice_solve_stage(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    const packed_lattices *l = &s->lattices;
    for (int32_t i = begin; i < end; i++)
    {
        float *to = l->sum[0] + 4 * LATTICE_PARTS * (size_t)i;
        if (l->spot[i].member == LATTICE_NONE)
            memset(to, 0, 4 * LATTICE_PARTS * sizeof *to);
        else
            lattice_solve(&l->spot[i], l->sum[1] + 4 * LATTICE_PARTS * (size_t)i, to);
    }
}

STAGE_FN void lattice_move_stage(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    const packed_lattices *l = &s->lattices;
    for (int32_t i = begin; i < end; i++)
    {
        const lattice_spot *p = &l->spot[i];
        if (p->member == LATTICE_NONE)
            continue;
        point x = load_points(s->slot[SLOT_X] + p->member);
        if (!(x.w > 0.0f))
            continue;
        vec way = lattice_way(p, sub(at(x), lattice_origin(s, p)), l->sum[1] + 4 * LATTICE_PARTS * (size_t)i);
        vec d = times(l->body[p->body].alpha, way);
        x.x = x.x + d.x, x.y = x.y + d.y, x.z = x.z + d.z;
        store_points(s->slot[SLOT_X] + p->member, x);
    }
}

#endif
