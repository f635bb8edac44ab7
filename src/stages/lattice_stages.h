// lattice_stages.h: the stages of lattice shape matching: each function processes the items [begin, end): cells, or
// parts of lines.
#pragma once
#include "stages/stage_common.h"

// Computes the rotation and translation of regions from their sums. This is nearly all of the work, so it uses lanes.
PL_FN void lattice_solve(const packed_lattices *l, int32_t first)
{
    uint32_t cell_at[LANES], sum_at[LANES];
    float there[LANES];
    for (int k = 0; k < LANES; k++)
    {
        cell_at[k] = (uint32_t)(first + k) * (uint32_t)(sizeof(lattice_cell) / sizeof(float));
        sum_at[k] = (uint32_t)(first + k) * 4u * LATTICE_PARTS;
        there[k] = l->cell[first + k].member == LATTICE_NONE ? 0.0f : 1.0f;
    }
    const i32 live = load(there) > 0.0f;
    point s0 = gather(l->sum[1], sum_at), s1 = gather(l->sum[1] + 4, sum_at), s2 = gather(l->sum[1] + 8, sum_at);
    point centre = gather(l->cell->centre, cell_at), last = gather(l->cell->rotation, cell_at);
    vec m = at(s0), c = times(centre.w, m);
    mat3 a = {{sub(vec_of(s0.w, s1.x, s1.y), times(centre.x, m)), sub(vec_of(s1.z, s1.w, s2.x), times(centre.y, m)),
               sub(vec_of(s2.y, s2.z, s2.w), times(centre.z, m))}};
    quat old = {at(last), last.w};
    mat3 unit = mat_unit();
    for (int i = 0; i < 3; i++)
        a.c[i] = pick_vec(live, a.c[i], unit.c[i]); // empty cells get the identity, so that the search ends at once
    quat q = quat_nearest_from(old, &a);
    mat3 r = mat_of_quat(q);
    vec t = keep_vec(live, sub(c, mat_times(&r, at(centre))));
    for (int i = 0; i < 3; i++)
        r.c[i] = keep_vec(live, r.c[i]);
    point p0 = {t.x, t.y, t.z, r.c[0].x}, p1 = {r.c[0].y, r.c[0].z, r.c[1].x, r.c[1].y};
    point p2 = {r.c[1].z, r.c[2].x, r.c[2].y, r.c[2].z};
    point now = {pick(live, q.v.x, last.x), pick(live, q.v.y, last.y), pick(live, q.v.z, last.z),
                 pick(live, q.w, last.w)};
    scatter(l->sum[0], sum_at, p0);
    scatter(l->sum[0] + 4, sum_at, p1);
    scatter(l->sum[0] + 8, sum_at, p2);
    scatter(l->cell->rotation, cell_at, now);
}

STAGE_FN void lattice_solve_stage(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    for (int32_t i = begin; i < end; i += LANES)
        lattice_solve(&s->lattices, i);
}

#if LANES == 1 // one cell at a time; the tables for more lanes use these functions

PL_FN vec lattice_origin(const state *s, const lattice_cell *p)
{
    return at(load_points(s->slot[SLOT_X] + s->lattices.body[p->body].origin));
}

STAGE_FN void lattice_load_stage(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    const packed_lattices *l = &s->lattices;
    for (int32_t i = begin; i < end; i++)
    {
        const lattice_cell *p = &l->cell[i];
        float *to = l->sum[0] + 4 * LATTICE_PARTS * (size_t)i;
        if (p->member == LATTICE_NONE)
            memset(to, 0, 4 * LATTICE_PARTS * sizeof *to);
        else
            lattice_load(p, slot_from(s, (size_t)p->member, lattice_origin(s, p)), to);
    }
}

// Sums along axis `kind`, alternating between the two arrays of sums.
STAGE_FN void lattice_sum_stage(state *s, const stage *g, int32_t begin, int32_t end)
{
    const packed_lattices *l = &s->lattices;
    const float *in = l->sum[g->kind % 2];
    float *out = l->sum[1 - g->kind % 2];
    for (int32_t i = begin; i < end; i++)
        lattice_windows(&l->line[g->kind][i / LATTICE_PARTS], i % LATTICE_PARTS, in, l->ends, out);
}

STAGE_FN void lattice_move_stage(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)g;
    const packed_lattices *l = &s->lattices;
    for (int32_t i = begin; i < end; i++)
    {
        const lattice_cell *p = &l->cell[i];
        if (p->member == LATTICE_NONE)
            continue;
        point d = load_points(s->slot[SLOT_D] + p->member);
        if (!(d.w > 0.0f))
            continue;
        vec from = slot_from(s, (size_t)p->member, lattice_origin(s, p));
        vec way = times(l->body[p->body].alpha, lattice_way(p, from, l->sum[1] + 4 * LATTICE_PARTS * (size_t)i));
        d.x = d.x + way.x, d.y = d.y + way.y, d.z = d.z + way.z;
        store_points(s->slot[SLOT_D] + p->member, d);
    }
}

#endif
