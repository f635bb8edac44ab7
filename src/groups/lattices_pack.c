// lattices_pack.c: makes the packed form of lattices, which the stages read (kernels/lattice_match.h): lines of cells,
// masses, moments.
#include "core/arena.h"
#include "core/power.h"
#include "groups/lattice_box.h"
#include "groups/lattices.h"
#include "model/columns.h"
#include "plan/planner.h"

#include <math.h>
#include <string.h>

void lattices_lay_out(pl_world *w, arena *a)
{
    const lattices *l = &w->lattices;
    packed_lattices *p = &w->state.lattices;
    int64_t cells = 0, lines[3] = {0};
    for (int64_t i = 0; i < l->count; i++)
    {
        lattice_box b = box_of(l->cell + 3 * (int64_t)l->start[i], l->start[i + 1] - l->start[i]);
        cells += b.cells;
        for (int c = 0; c < 3; c++)
            lines[c] += b.cells / b.size[c];
    }
    p->count = (int32_t)l->count;
    p->members = (int32_t)l->members;
    p->cells = (int32_t)((cells + PAD - 1) / PAD * PAD); // a multiple of the widest lane
    for (int c = 0; c < 3; c++)
        p->lines[c] = (int32_t)lines[c];
    packed_lay_out(&w->state, OWNER_LATTICES, a);
}

static void fill_lines(packed_lattices *p, const lattice_box *b, int half, int32_t first, int32_t *lines)
{
    const int32_t stride[3] = {1, b->size[0], b->size[0] * b->size[1]};
    for (int axis = 0; axis < 3; axis++)
    {
        int one = axis == 0, two = axis == 2 ? 1 : 2;
        for (int32_t v = 0; v < b->size[two]; v++)
            for (int32_t u = 0; u < b->size[one]; u++)
                p->line[axis][lines[axis]++] =
                    (lattice_line){first + u * stride[one] + v * stride[two], stride[axis], b->size[axis], half};
    }
}

// For the region of each cell: the number of its particles, their mass, and their mass times position. The sums are
// made in double, once, by windows that slide along x, then along y, then along z: the cost depends on the number of
// cells, not on the width of the regions.
enum
{
    WINDOW = 5,
};
_Static_assert(WINDOW * sizeof(double) <= 4 * LATTICE_PARTS * sizeof(float), "windows are made where sums will be");

static void slide(const double *from, double *to, int32_t stride, int32_t length, int half)
{
    double sum[WINDOW] = {0};
    for (int32_t at = -half; at < length; at++)
    {
        int32_t comes = at + half, goes = at - half - 1;
        for (int n = 0; n < WINDOW; n++)
        {
            if (comes < length)
                sum[n] += from[WINDOW * (int64_t)comes * stride + n];
            if (goes >= 0)
                sum[n] -= from[WINDOW * (int64_t)goes * stride + n];
            if (at >= 0)
                to[WINDOW * (int64_t)at * stride + n] = sum[n];
        }
    }
}

static const double *sum_regions(packed_lattices *p, const lattice_box *b, int half, int32_t first)
{
    const int32_t stride[3] = {1, b->size[0], b->size[0] * b->size[1]};
    double *from = (double *)(void *)p->sum[0], *to = (double *)(void *)p->sum[1];
    for (int64_t k = 0; k < b->cells; k++)
    {
        const lattice_cell *s = &p->cell[first + k];
        double there = s->member != LATTICE_NONE, mass = there * (double)s->share, *out = from + WINDOW * k;
        out[0] = there, out[1] = mass;
        for (int c = 0; c < 3; c++)
            out[2 + c] = mass * (double)s->rest[c];
    }
    for (int axis = 0; axis < 3; axis++)
    {
        int one = axis == 0, two = axis == 2 ? 1 : 2;
        for (int32_t v = 0; v < b->size[two]; v++)
            for (int32_t u = 0; u < b->size[one]; u++)
            {
                int64_t line = WINDOW * ((int64_t)u * stride[one] + (int64_t)v * stride[two]);
                slide(from + line, to + line, stride[axis], b->size[axis], half);
            }
        double *swap = from;
        from = to, to = swap;
    }
    return from;
}

static double mass_at(const pl_world *w, int32_t number)
{
    float weight = inverse_mass(w, w->numbers.slot_of[number]);
    return weight > 0.0f ? 1.0 / (double)weight : 0.0;
}

// Stores rest positions relative to their mean, and the whole mass. A pinned particle counts as a thousand times the
// heaviest one.
static void fill_cells(pl_world *w, int64_t i, const lattice_box *b, int32_t first)
{
    const lattices *l = &w->lattices;
    packed_lattices *p = &w->state.lattices;
    double middle[3] = {0}, heaviest = 0.0, count = l->start[i + 1] - l->start[i];
    for (int64_t k = 0; k < b->cells; k++)
        p->cell[first + k] = (lattice_cell){.member = LATTICE_NONE, .body = (int32_t)i};
    for (int32_t k = l->start[i]; k < l->start[i + 1]; k++)
    {
        heaviest = mass_at(w, l->member[k]) > heaviest ? mass_at(w, l->member[k]) : heaviest;
        for (int c = 0; c < 3; c++)
            middle[c] += (double)l->rest[3 * k + c] / count;
    }
    for (int32_t k = l->start[i]; k < l->start[i + 1]; k++)
    {
        int32_t at = first + (int32_t)cell_index(b, l->cell + 3 * (int64_t)k);
        lattice_cell *s = &p->cell[at];
        double mass = mass_at(w, l->member[k]);
        p->cell_of[k] = at;
        s->member = 4 * w->numbers.slot_of[l->member[k]];
        s->share = (float)(mass > 0.0 ? mass : heaviest > 0.0 ? 1000.0 * heaviest : 1.0);
        for (int c = 0; c < 3; c++)
            s->rest[c] = (float)((double)l->rest[3 * k + c] - middle[c]);
        memcpy(s->rotation, l->rotation + 4 * (int64_t)k, sizeof s->rotation);
    }
}

// Finds the particle nearest to the middle. Positions are taken relative to it, so that rounding errors on its two
// sides cancel.
static int32_t find_middle(const pl_world *w, int64_t i)
{
    const lattices *l = &w->lattices;
    const packed_lattices *p = &w->state.lattices;
    double best = INFINITY;
    int32_t middle = 0;
    for (int32_t k = l->start[i]; k < l->start[i + 1]; k++)
    {
        const lattice_cell *s = &p->cell[p->cell_of[k]];
        double far =
            (double)s->rest[0] * s->rest[0] + (double)s->rest[1] * s->rest[1] + (double)s->rest[2] * s->rest[2];
        if (far < best)
        {
            best = far;
            middle = s->member;
        }
    }
    return middle;
}

static void fill_lattice(pl_world *w, int64_t i, int32_t first, int32_t *lines)
{
    const lattices *l = &w->lattices;
    packed_lattices *p = &w->state.lattices;
    int half = l->rule[i].half;
    const lattice_box b = box_of(l->cell + 3 * (int64_t)l->start[i], l->start[i + 1] - l->start[i]);
    fill_cells(w, i, &b, first);
    fill_lines(p, &b, half, first, lines);
    p->body[i] = (lattice_body){per_iteration(l->rule[i].stiffness, w->settings.iterations), find_middle(w, i)};
    // The counts n come first, because the shares of mass depend on them.
    const double *sum = sum_regions(p, &b, half, first);
    for (int32_t k = l->start[i]; k < l->start[i + 1]; k++)
    {
        lattice_cell *s = &p->cell[p->cell_of[k]];
        s->regions = (float)sum[WINDOW * (int64_t)(p->cell_of[k] - first)];
        s->share /= s->regions;
    }
    sum = sum_regions(p, &b, half, first);
    for (int32_t k = l->start[i]; k < l->start[i + 1]; k++)
    {
        lattice_cell *s = &p->cell[p->cell_of[k]];
        const double *r = sum + WINDOW * (int64_t)(p->cell_of[k] - first);
        s->inverse_mass = (float)(1.0 / r[1]);
        for (int c = 0; c < 3; c++)
            s->centre[c] = (float)(r[2 + c] / r[1]);
    }
}

void lattices_fill(pl_world *w, int32_t *scratch)
{
    (void)scratch;
    const lattices *l = &w->lattices;
    int32_t first = 0, lines[3] = {0};
    for (int64_t i = 0; i < l->count; i++)
    {
        fill_lattice(w, i, first, lines);
        first += (int32_t)box_of(l->cell + 3 * (int64_t)l->start[i], l->start[i + 1] - l->start[i]).cells;
    }
    for (; first < w->state.lattices.cells; first++)
        w->state.lattices.cell[first] = (lattice_cell){.member = LATTICE_NONE};
}

void lattices_unpack(pl_world *w)
{
    const packed_lattices *p = &w->state.lattices;
    for (int64_t k = 0; k < w->lattices.members; k++)
        memcpy(w->lattices.rotation + 4 * k, p->cell[p->cell_of[k]].rotation, 4 * sizeof(float));
}

// ---- stages --------------------------------------------------------------------------------------------------------

// Plans the sums over regions, the fit of each region, and the sums over the regions of each particle.
static void plan_regions(planner *p)
{
    const packed_lattices *l = &p->world->state.lattices;
    stage g = {.grain_size = 1};
    for (int pass = 0; l->count && pass < 2; pass++)
    {
        g.op = pass ? OP_LATTICE_FIND : OP_LATTICE_LOAD, g.kind = 0, g.end = l->cells;
        g.grain_size = pass ? PAD : 1;
        plan_stage(p, g);
        g.grain_size = 1;
        for (int axis = 0; axis < 3; axis++)
        {
            g.op = OP_LATTICE_SUM, g.kind = (uint8_t)axis, g.end = LATTICE_PARTS * l->lines[axis];
            plan_stage(p, g);
        }
    }
    if (l->count)
    {
        g.op = OP_LATTICE_MOVE, g.kind = 0, g.end = l->cells;
        plan_stage(p, g);
    }
}

void lattices_plan(planner *p, enum plan_hook hook, int iteration)
{
    (void)iteration;
    if (hook == PLAN_AFTER_CONTACTS)
        plan_regions(p);
}
