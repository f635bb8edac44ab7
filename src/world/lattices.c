// lattices.c: overlapping regions on a lattice: adding them, packing them for the stages (stages/lattice.h), taking them out.
#include "core/arena.h"
#include "world/world.h"

#include <math.h>
#include <string.h>

pl_lattice_def pl_default_lattice_def(void) { return (pl_lattice_def){.half_width = 2, .stiffness = 1.0f}; }

enum
{
    MOST_CELLS = 1 << 24, // of all lattices together: about 3.5 GB
    MOST_HALF = 1 << 12,
};

// ---- checks --------------------------------------------------------------------------------------------------------

typedef struct box
{
    int32_t low[3], size[3];
    int64_t cells;
} box;

static box box_of(const int32_t *cell, int64_t count)
{
    box b = {{0}, {0}, 1};
    for (int c = 0; c < 3; c++)
    {
        int64_t low = cell[c], high = cell[c];
        for (int64_t i = 1; i < count; i++)
        {
            low = cell[3 * i + c] < low ? cell[3 * i + c] : low;
            high = cell[3 * i + c] > high ? cell[3 * i + c] : high;
        }
        b.low[c] = (int32_t)low;
        b.size[c] = high - low >= MOST_CELLS ? MOST_CELLS + 1 : (int32_t)(high - low) + 1;
        b.cells = b.cells > MOST_CELLS ? b.cells : b.cells * b.size[c];
    }
    return b;
}

static int64_t place_in(const box *b, const int32_t *cell)
{
    return cell[0] - b->low[0] +
           (int64_t)b->size[0] * (cell[1] - b->low[1] + (int64_t)b->size[1] * (cell[2] - b->low[2]));
}

static pl_result check_numbers(int half, float stiffness)
{
    if (half < 1 || half > MOST_HALF)
        return fail(PL_ERROR_ARGUMENT, "lattice: half_width is %d cells; it must be from 1 to %d", half, MOST_HALF);
    if (!(stiffness > 0.0f && stiffness <= 1.0f))
        return fail(PL_ERROR_ARGUMENT, "lattice: stiffness is %g; it must be above 0 and at most 1", (double)stiffness);
    return PL_OK;
}

// taken: room for every particle number; filled: for every cell.
static pl_result check_cells(const pl_world *w, const int32_t *member, const int32_t *cell, int64_t count, const box *b,
                             uint8_t *taken, uint8_t *filled)
{
    memset(filled, 0, (size_t)b->cells);
    for (int64_t i = 0; i < count; i++)
    {
        if (slot_of(w, member[i]) < 0)
            return fail(PL_ERROR_ARGUMENT, "lattice: particle %d does not exist; numbers go from 0 to %d", member[i],
                        w->numbers.end - 1);
        if (taken[member[i]])
            return fail(PL_ERROR_ARGUMENT, "lattice: particle %d is in a lattice already; one is enough", member[i]);
        if (filled[place_in(b, cell + 3 * i)])
            return fail(PL_ERROR_ARGUMENT, "lattice: cell %d %d %d has two particles; it may have one", cell[3 * i],
                        cell[3 * i + 1], cell[3 * i + 2]);
        taken[member[i]] = 1;
        filled[place_in(b, cell + 3 * i)] = 1;
    }
    return PL_OK;
}

static pl_result check_all(pl_world *w, const int32_t *member, const int32_t *cell, int64_t count, int64_t lattices)
{
    uint8_t *taken = NULL, *filled = NULL;
    int64_t taken_capacity = 0, filled_capacity = 0;
    const box b = box_of(cell, count);
    int64_t cells = b.cells;
    for (int64_t i = 0; i < lattices && cells <= MOST_CELLS; i++)
        cells += box_of(w->lattices.cell + 3 * (int64_t)w->lattices.start[i],
                        w->lattices.start[i + 1] - w->lattices.start[i])
                     .cells;
    if (cells > MOST_CELLS)
        return fail(PL_ERROR_ARGUMENT,
                    "lattice: its cells fill a box of %d x %d x %d; at most %d, empty ones too, fit all lattices of a "
                    "world",
                    b.size[0], b.size[1], b.size[2], MOST_CELLS);
    pl_result result = array_reserve(&w->memory, &taken, &taken_capacity, w->numbers.end + 1, 1);
    if (result == PL_OK)
        result = array_reserve(&w->memory, &filled, &filled_capacity, b.cells, 1);
    if (result == PL_OK)
    {
        memset(taken, 0, (size_t)w->numbers.end + 1);
        for (int64_t i = 0; lattices && i < w->lattices.start[lattices]; i++)
            taken[w->lattices.member[i]] = 1;
        result = check_cells(w, member, cell, count, &b, taken, filled);
    }
    array_free(&w->memory, &taken, &taken_capacity, 1);
    array_free(&w->memory, &filled, &filled_capacity, 1);
    return result;
}

// ---- adding --------------------------------------------------------------------------------------------------------

static pl_result reserve(pl_world *w, int64_t more)
{
    lattices *l = &w->lattices;
    memory *m = &w->memory;
    int64_t members = l->members + more;
    pl_result r = array_reserve(m, &l->start, &l->start_capacity, l->count + 2, sizeof *l->start);
    if (r == PL_OK)
        r = array_reserve(m, &l->rule, &l->rule_capacity, l->count + 1, sizeof *l->rule);
    if (r == PL_OK)
        r = array_reserve(m, &l->member, &l->member_capacity, members, sizeof *l->member);
    if (r == PL_OK)
        r = array_reserve(m, &l->cell, &l->cell_capacity, 3 * members, sizeof *l->cell);
    if (r == PL_OK)
        r = array_reserve(m, &l->rest, &l->rest_capacity, 3 * members, sizeof *l->rest);
    if (r == PL_OK)
        r = array_reserve(m, &l->turn, &l->turn_capacity, 4 * members, sizeof *l->turn);
    return r;
}

pl_result pl_add_lattice(pl_world *w, const pl_lattice_def *def, pl_id *lattice)
{
    NEED(w);
    NEED(def);
    NEED(def->particles);
    NEED(def->cells);
    PLAIN_ROUNDING;
    if (def->count < 1 || def->count > MOST_CELLS)
        return fail(PL_ERROR_ARGUMENT, "lattice: count is %d; it must be from 1 to %d", def->count, MOST_CELLS);
    lattices *l = &w->lattices;
    pl_result result = check_numbers(def->half_width, def->stiffness);
    if (result == PL_OK)
        result = check_all(w, def->particles, def->cells, def->count, l->count);
    if (result == PL_OK)
        result = heat_check_added(w, def->particles, def->count, "a lattice");
    if (result == PL_OK)
        result = pull(w, ARRAY_BIT(SLOT_X));
    if (result == PL_OK)
        result = groups_open(w);
    if (result == PL_OK)
        result = reserve(w, def->count);
    if (result == PL_OK)
        result = thing_reserve(w, 1);
    if (result != PL_OK)
        return result;
    thing t = {.type = THING_LATTICE, .first = (int32_t)l->count, .count = 1};
    l->rule[l->count] = (lattice_rule){def->half_width, def->stiffness};
    l->start[l->count++] = (int32_t)l->members;
    memcpy(l->member + l->members, def->particles, (size_t)def->count * sizeof *l->member);
    memcpy(l->cell + 3 * l->members, def->cells, 3 * (size_t)def->count * sizeof *l->cell);
    for (int i = 0; i < def->count; i++, l->members++)
    {
        static const float unturned[4] = {0.0f, 0.0f, 0.0f, 1.0f};
        memcpy(l->rest + 3 * l->members, w->state.slot[SLOT_X] + 4 * (size_t)slot_of(w, def->particles[i]),
               3 * sizeof(float));
        memcpy(l->turn + 4 * l->members, unturned, sizeof unturned);
    }
    l->start[l->count] = (int32_t)l->members;
    w->flow.smooth = 0;
    return thing_add(w, t, lattice);
}

bool pl_is_lattice(const pl_world *w, pl_id block)
{
    return w && block.index > 0 && block.index < w->thing_count && w->things[block.index].type == THING_LATTICE &&
           w->things[block.index].generation == block.generation;
}

pl_result pl_set_lattice(pl_world *w, pl_id lattice, int half_width, float stiffness)
{
    NEED(w);
    const thing *t = thing_of(w, lattice, THING_LATTICE, "set lattice");
    pl_result result = t ? check_numbers(half_width, stiffness) : PL_ERROR_ARGUMENT;
    if (result == PL_OK)
        result = groups_open(w);
    if (result != PL_OK)
        return result;
    w->lattices.rule[t->first] = (lattice_rule){half_width, stiffness};
    return PL_OK;
}

pl_result lattices_check(pl_world *w)
{
    const lattices *l = &w->lattices;
    int64_t where;
    if (l->count == 0)
        return l->members == 0 ? PL_OK : PL_ERROR_FORMAT;
    if (l->start[0] != 0 || l->start[l->count] != l->members || !all_finite(l->rest, 3 * l->members, &where) ||
        !all_finite(l->turn, 4 * l->members, &where))
        return PL_ERROR_FORMAT;
    for (int64_t i = 0; i < l->count; i++)
        if (l->start[i] >= l->start[i + 1] || l->start[i + 1] > l->members)
            return PL_ERROR_FORMAT;
    for (int64_t i = 1; i < w->thing_count; i++)
        if (w->things[i].type == THING_LATTICE && w->things[i].count != 1)
            return PL_ERROR_FORMAT;
    pl_result result = PL_OK;
    for (int64_t i = 0; i < l->members; i++)
        if (slot_of(w, l->member[i]) < 0)
            return PL_ERROR_FORMAT;
    for (int64_t i = 0; i < l->count && result == PL_OK; i++)
    {
        int64_t first = l->start[i];
        result = check_numbers(l->rule[i].half, l->rule[i].stiffness);
        if (result == PL_OK)
            result = check_all(w, l->member + first, l->cell + 3 * first, l->start[i + 1] - first, i);
    }
    return result;
}

void lattices_compact(pl_world *w, int64_t at)
{
    lattices *l = &w->lattices;
    int64_t from = l->start[at], to = l->start[at + 1], gone = to - from;
    size_t left = (size_t)(l->members - to), tail = (size_t)(l->count - at - 1);
    memmove(l->member + from, l->member + to, left * sizeof *l->member);
    memmove(l->cell + 3 * from, l->cell + 3 * to, 3 * left * sizeof *l->cell);
    memmove(l->rest + 3 * from, l->rest + 3 * to, 3 * left * sizeof *l->rest);
    memmove(l->turn + 4 * from, l->turn + 4 * to, 4 * left * sizeof *l->turn);
    memmove(l->rule + at, l->rule + at + 1, tail * sizeof *l->rule);
    memmove(l->start + at, l->start + at + 1, (tail + 1) * sizeof *l->start);
    l->count--;
    l->members -= gone;
    for (int64_t i = at; i <= l->count; i++)
        l->start[i] -= (int32_t)gone;
}

void lattices_free(pl_world *w)
{
    lattices *l = &w->lattices;
    memory *m = &w->memory;
    array_free(m, &l->start, &l->start_capacity, sizeof *l->start);
    array_free(m, &l->rule, &l->rule_capacity, sizeof *l->rule);
    array_free(m, &l->member, &l->member_capacity, sizeof *l->member);
    array_free(m, &l->cell, &l->cell_capacity, sizeof *l->cell);
    array_free(m, &l->rest, &l->rest_capacity, sizeof *l->rest);
    array_free(m, &l->turn, &l->turn_capacity, sizeof *l->turn);
}

// ---- packing -------------------------------------------------------------------------------------------------------

void lattices_lay_out(pl_world *w, arena *a)
{
    const lattices *l = &w->lattices;
    packed_lattices *p = &w->state.lattices;
    int64_t cells = 0, lines[3] = {0};
    for (int64_t i = 0; i < l->count; i++)
    {
        box b = box_of(l->cell + 3 * (int64_t)l->start[i], l->start[i + 1] - l->start[i]);
        cells += b.cells;
        for (int c = 0; c < 3; c++)
            lines[c] += b.cells / b.size[c];
    }
    p->count = (int32_t)l->count;
    cells = (cells + PAD - 1) / PAD * PAD; // in whole groups of lanes
    p->cells = (int32_t)cells;
    p->spot = arena_take(a, cells, sizeof *p->spot);
    p->body = arena_take(a, l->count, sizeof *p->body);
    for (int c = 0; c < 3; c++)
    {
        p->lines[c] = (int32_t)lines[c];
        p->line[c] = arena_take(a, lines[c], sizeof *p->line[c]);
    }
    p->sum[0] = arena_take(a, cells, 4 * LATTICE_PARTS * sizeof(float));
    p->sum[1] = arena_take(a, cells, 4 * LATTICE_PARTS * sizeof(float));
    p->ends = arena_take(a, cells, 4 * LATTICE_PARTS * sizeof(float));
    p->spot_of = arena_take(a, l->members, sizeof *p->spot_of);
}

static void fill_lines(packed_lattices *p, const box *b, int half, int32_t first, int32_t *lines)
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

// For the region of each cell: how many particles are in it, their mass, and their mass times position. Sums are made in double, once, by
// windows that slide along x, then along y, then along z: the price is that of the cells, whatever the regions' width.
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

static const double *sum_regions(packed_lattices *p, const box *b, int half, int32_t first)
{
    const int32_t stride[3] = {1, b->size[0], b->size[0] * b->size[1]};
    double *from = (double *)(void *)p->sum[0], *to = (double *)(void *)p->sum[1];
    for (int64_t k = 0; k < b->cells; k++)
    {
        const lattice_spot *s = &p->spot[first + k];
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
    float weight = w->state.slot[SLOT_X][4 * (size_t)w->numbers.slot_of[number] + 3];
    return weight > 0.0f ? 1.0 / (double)weight : 0.0;
}

// Positions at rest from their mean; the mass, whole. What is held weighs as much as a thousand of the heaviest.
static void fill_spots(pl_world *w, int64_t i, const box *b, int32_t first)
{
    const lattices *l = &w->lattices;
    packed_lattices *p = &w->state.lattices;
    double middle[3] = {0}, heaviest = 0.0, count = l->start[i + 1] - l->start[i];
    for (int64_t k = 0; k < b->cells; k++)
        p->spot[first + k] = (lattice_spot){.member = LATTICE_NONE, .body = (int32_t)i};
    for (int32_t k = l->start[i]; k < l->start[i + 1]; k++)
    {
        heaviest = mass_at(w, l->member[k]) > heaviest ? mass_at(w, l->member[k]) : heaviest;
        for (int c = 0; c < 3; c++)
            middle[c] += (double)l->rest[3 * k + c] / count;
    }
    for (int32_t k = l->start[i]; k < l->start[i + 1]; k++)
    {
        int32_t at = first + (int32_t)place_in(b, l->cell + 3 * (int64_t)k);
        lattice_spot *s = &p->spot[at];
        double mass = mass_at(w, l->member[k]);
        p->spot_of[k] = at;
        s->member = 4 * w->numbers.slot_of[l->member[k]];
        s->share = (float)(mass > 0.0 ? mass : heaviest > 0.0 ? 1000.0 * heaviest : 1.0);
        for (int c = 0; c < 3; c++)
            s->rest[c] = (float)((double)l->rest[3 * k + c] - middle[c]);
        memcpy(s->turn, l->turn + 4 * (int64_t)k, sizeof s->turn);
    }
}

// The particle nearest to the middle: rounding to one side of it is made good by rounding to the other.
static int32_t find_middle(const pl_world *w, int64_t i)
{
    const lattices *l = &w->lattices;
    const packed_lattices *p = &w->state.lattices;
    double best = INFINITY;
    int32_t middle = 0;
    for (int32_t k = l->start[i]; k < l->start[i + 1]; k++)
    {
        const lattice_spot *s = &p->spot[p->spot_of[k]];
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
    const box b = box_of(l->cell + 3 * (int64_t)l->start[i], l->start[i + 1] - l->start[i]);
    fill_spots(w, i, &b, first);
    fill_lines(p, &b, half, first, lines);
    p->body[i] = (lattice_body){per_iteration(l->rule[i].stiffness, w->settings.iterations), find_middle(w, i)};
    const double *sum = sum_regions(p, &b, half, first); // n first: shares of mass rest on it
    for (int32_t k = l->start[i]; k < l->start[i + 1]; k++)
    {
        lattice_spot *s = &p->spot[p->spot_of[k]];
        s->regions = (float)sum[WINDOW * (int64_t)(p->spot_of[k] - first)];
        s->share /= s->regions;
    }
    sum = sum_regions(p, &b, half, first);
    for (int32_t k = l->start[i]; k < l->start[i + 1]; k++)
    {
        lattice_spot *s = &p->spot[p->spot_of[k]];
        const double *r = sum + WINDOW * (int64_t)(p->spot_of[k] - first);
        s->inverse_mass = (float)(1.0 / r[1]);
        for (int c = 0; c < 3; c++)
            s->centre[c] = (float)(r[2 + c] / r[1]);
    }
}

void lattices_fill(pl_world *w)
{
    const lattices *l = &w->lattices;
    int32_t first = 0, lines[3] = {0};
    for (int64_t i = 0; i < l->count; i++)
    {
        fill_lattice(w, i, first, lines);
        first += (int32_t)box_of(l->cell + 3 * (int64_t)l->start[i], l->start[i + 1] - l->start[i]).cells;
    }
    for (; first < w->state.lattices.cells; first++)
        w->state.lattices.spot[first] = (lattice_spot){.member = LATTICE_NONE};
}

void lattices_unpack(pl_world *w)
{
    const packed_lattices *p = &w->state.lattices;
    for (int64_t k = 0; k < w->lattices.members; k++)
        memcpy(w->lattices.turn + 4 * k, p->spot[p->spot_of[k]].turn, 4 * sizeof(float));
}
