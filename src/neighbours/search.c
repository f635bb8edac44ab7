// search.c: builds the neighbour list by searching half or all of the cells around each particle. Particles are visited
// in the order of their cells, so the cursor of each row of three cells only moves forward. Four candidates are tested at
// a time on every machine; the number of lanes does not change the list. So is the filter for contacts where all
// particles have one phase, which is so in most scenes: then only their positions at rest tell which pairs it allows.
#undef LANES
#define LANES 4
#include "neighbours/list.h"

enum
{
    PART = 1024, // sorted indices in one part; a thread processes one part at a time
    // Parts that are searched before their entries are moved into the list; this bounds the scratch memory.
    BATCH = 1024,
    COLUMNS = 4,      // position, reach
    REST_COLUMNS = 4, // position at rest, object
};

// How a search asks the filter.
enum ask
{
    ASK_EACH,  // about each pair
    ASK_REST,  // all have one phase: about the positions at rest, several at a time
    ASK_NEVER, // it allows all pairs
};

typedef struct work
{
    neighbour_list *l;
    const neighbour_query *q;
    int64_t first; // first part of the batch
    enum ask ask;
    bool rest; // fill the columns of positions at rest
} work;

// Does the contact filter of this particle depend on its phase alone, and has it the phase?
static bool has_phase(const neighbour_query *q, int32_t slot, uint32_t phase)
{
    return phase_of(q->collision, slot) == phase && q->mass[4 * (size_t)slot + 3] != 0.0f &&
           !is_surface(q->collision, slot);
}

static void copy_rest(const work *w, int64_t i, int32_t slot)
{
    for (int c = 0; c < REST_COLUMNS; c++)
        w->l->column[(COLUMNS + c) * w->l->column_size + i] = w->q->rest[4 * (size_t)slot + (size_t)c];
}

static void copy_spheres(void *arg, int64_t begin, int64_t end)
{
    const work *w = arg;
    uint32_t phase = neighbours_paired(w->q) ? phase_of(w->q->collision, w->l->sorted.value[0]) : 0;
    int32_t same = neighbours_paired(w->q);
    for (int64_t i = begin; i < end; i++)
    {
        int32_t slot = w->l->sorted.value[i];
        same = same && has_phase(w->q, slot, phase);
        if (w->rest)
            copy_rest(w, i, slot);
        if ((i + 1) % PART == 0 || i + 1 == end)
        {
            w->l->part[i / PART] = same;
            same = neighbours_paired(w->q);
        }
        memcpy(w->l->sphere + 4 * i, w->q->x + 4 * (size_t)slot, 3 * sizeof(float));
        if (neighbours_hidden(w->q, slot))
            w->l->sphere[4 * i] = HIDDEN_AT;
        w->l->sphere[4 * i + 3] = query_reach(w->q, slot);
        for (int c = 0; c < 4; c++)
            w->l->column[c * w->l->column_size + i] = w->l->sphere[4 * i + c];
    }
}

// ---- rows of cells -------------------------------------------------------------------------------------------------

// For each row around the present cell, the range of sorted indices that its particles are tested against.
typedef struct cursors
{
    int64_t from[CELL_ROWS_AROUND], to[CELL_ROWS_AROUND];
} cursors;

// The first row to search; the last is CELL_ROWS - 1.
static int first_row(const neighbour_query *q) { return q->full ? 1 - CELL_ROWS : 0; }

static void cursors_open(const work *w, cursors *c, uint64_t key)
{
    const neighbour_list *l = w->l;
    for (int row = first_row(w->q), k = 0; row < CELL_ROWS; row++, k++)
        c->from[k] = c->to[k] = first_key(l->sorted.key, 0, l->count, row_key_around(l->bits, key, row) - 1);
}

static void cursors_forward(const work *w, cursors *c, uint64_t key)
{
    const neighbour_list *l = w->l;
    const uint64_t *keys = l->sorted.key;
    for (int row = first_row(w->q), k = 0; row < CELL_ROWS; row++, k++)
    {
        uint64_t middle = row_key_around(l->bits, key, row);
        int64_t from = c->from[k], to = c->to[k];
        while (from < l->count && keys[from] < middle - 1)
            from++;
        to = to < from ? from : to;
        while (to < l->count && keys[to] <= middle + 1)
            to++;
        c->from[k] = from, c->to[k] = to;
    }
}

// ---- the search ----------------------------------------------------------------------------------------------------

// A particle that looks for others: its sphere with the margin, in every lane, and the spheres of the others.
typedef struct looker
{
    f32 x, y, z, reach;
    const float *column;
    int64_t size;
} looker;

PL_FN looker looker_at(const neighbour_list *l, const neighbour_query *q, int64_t i)
{
    const float *me = l->sphere + 4 * i;
    looker o = {splat(me[0]), splat(me[1]), splat(me[2]), splat(me[3] + q->margin), l->column, l->column_size};
    return o;
}

// Which of the four sorted indices from j on, before `end`, are near: bits. It computes what spheres_near does.
PL_FN uint32_t four_near(const looker *o, int64_t j, int64_t end)
{
    const float *you = o->column + j;
    f32 x = o->x - load(you), y = o->y - load(you + o->size), z = o->z - load(you + 2 * o->size);
    f32 far = o->reach + load(you + 3 * o->size);
    uint32_t bits = mask_bits(x * x + y * y + z * z < far * far);
    return end - j < LANES ? bits & ((1u << (end - j)) - 1u) : bits;
}

// Writes the sorted indices from j on whose bits are set, and four entries at any rate; returns how many are set. Without
// a branch: which of them are near is random, and a wrong guess costs more than the test.
PL_FN int32_t put_four(uint32_t bits, int64_t j, int32_t *out)
{
    static const int8_t set[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
    static const int32_t which[16][LANES] = {{0},    {0},       {1},       {0, 1},      {2},    {0, 2},
                                             {1, 2}, {0, 1, 2}, {3},       {0, 3},      {1, 3}, {0, 1, 3},
                                             {2, 3}, {0, 2, 3}, {1, 2, 3}, {0, 1, 2, 3}};
    i32 at;
    memcpy(&at, which[bits], sizeof at);
    at = at + (int32_t)j;
    memcpy(out, &at, sizeof at);
    return set[bits];
}

// Which of the four does the contact filter allow, if all have one phase: bits. It computes what allow_contact does.
PL_FN uint32_t four_allowed(const neighbour_list *l, int64_t i, int64_t j)
{
    const int64_t next = l->column_size;
    const float *mine = l->column + i, *rest = mine + COLUMNS * next, *you = l->column + j, *its = you + COLUMNS * next;
    f32 x = rest[0] - load(its), y = rest[next] - load(its + next), z = rest[2 * next] - load(its + 2 * next);
    f32 reach = SPARED_REACH * (mine[3 * next] + load(you + 3 * next));
    i32 apart = x * x + y * y + z * z >= reach * reach;
    return mask_bits(apart | ((i32)load(its + 3 * next) != (int32_t)bits_of(rest[3 * next])));
}

// Writes the neighbours of a sorted index, as many as fit into `room`; returns how many there are. full and ask:
// constants at each call.
PL_FN int32_t find_in_rows(const work *w, const cursors *c, int64_t i, bool full, enum ask ask, int32_t *out,
                           int64_t room)
{
    const neighbour_list *l = w->l;
    const looker o = looker_at(l, w->q, i);
    int32_t found = 0;
    for (int row = full ? 1 - CELL_ROWS : 0, k = 0; row < CELL_ROWS; row++, k++)
        for (int64_t j = row == 0 && !full ? i + 1 : c->from[k], end = c->to[k]; j < end; j += LANES)
        {
            uint32_t bits = four_near(&o, j, end);
            bits &= row == 0 && (uint64_t)(i - j) < LANES ? ~(1u << (i - j)) : ~0u; // not itself
            if (ask == ASK_REST && bits)
                bits &= four_allowed(l, i, j);
            if (ask != ASK_EACH && found + LANES <= room)
            {
                found += put_four(bits, j, out + found);
                continue;
            }
            for (; bits; bits &= bits - 1)
            {
                int64_t other = j + __builtin_ctz(bits);
                if (ask == ASK_EACH && !neighbours_allowed(w->q, l->sorted.value[i], l->sorted.value[other]))
                    continue;
                if (found < room)
                    out[found] = (int32_t)other;
                found++;
            }
        }
    return found;
}

static int32_t find_neighbours(const work *w, const cursors *c, int64_t i, int32_t *out, int64_t room)
{
    if (w->l->sphere[4 * i] == HIDDEN_AT)
        return 0;
    if (w->q->full)
        return w->ask == ASK_NEVER ? find_in_rows(w, c, i, true, ASK_NEVER, out, room)
                                   : find_in_rows(w, c, i, true, ASK_EACH, out, room);
    return w->ask == ASK_NEVER  ? find_in_rows(w, c, i, false, ASK_NEVER, out, room)
           : w->ask == ASK_REST ? find_in_rows(w, c, i, false, ASK_REST, out, room)
                                : find_in_rows(w, c, i, false, ASK_EACH, out, room);
}

static int64_t part_end(const neighbour_list *l, int64_t part)
{
    int64_t end = (part + 1) * PART;
    return end < l->count ? end : l->count;
}

// Searches some parts of the batch; each part writes into its own memory. Afterwards `start` holds each sorted index's
// number of neighbours.
static void search_parts(void *arg, int64_t begin, int64_t end)
{
    const work *w = arg;
    neighbour_list *l = w->l;
    cursors c;
    uint64_t cell = l->sorted.key[(w->first + begin) * PART];
    cursors_open(w, &c, cell);
    cursors_forward(w, &c, cell);
    for (int64_t part = begin; part < end; part++)
    {
        int64_t all = 0;
        for (int64_t i = (w->first + part) * PART; i < part_end(l, w->first + part); i++)
        {
            if (l->sorted.key[i] != cell)
                cursors_forward(w, &c, cell = l->sorted.key[i]);
            int64_t room = l->room > all ? l->room - all : 0;
            l->start[i] = find_neighbours(w, &c, i, l->found + part * l->room + (room ? all : 0), room);
            all += l->start[i];
        }
        l->part[part] = (int32_t)(all < INT32_MAX ? all : INT32_MAX);
    }
}

pl_result neighbours_too_many(bool full)
{
    return fail(PL_ERROR_MEMORY, "more than %d pairs of particles are near each other; use smaller radii",
                neighbours_most(full));
}

// Sets where each part's entries begin in the list; if a part did not fit, sets the room that is needed instead.
static pl_result sum_parts(const work *w, int64_t parts)
{
    neighbour_list *l = w->l;
    int64_t sum = l->pairs, most = 0;
    for (int64_t p = 0; p < parts; p++)
    {
        int32_t here = l->part[p];
        l->part[p] = (int32_t)sum;
        most = here > most ? here : most;
        sum += here;
        if (sum > neighbours_most(w->q->full))
            return neighbours_too_many(w->q->full);
    }
    l->fits = most <= l->room;
    l->pairs = l->fits ? sum : l->pairs;
    l->room = l->fits ? l->room : most + most / 4;
    return PL_OK;
}

static void join_parts(void *arg, int64_t begin, int64_t end)
{
    const work *w = arg;
    neighbour_list *l = w->l;
    for (int64_t part = begin; part < end; part++)
    {
        int32_t at = l->part[part];
        const int32_t *from = l->found + part * l->room;
        for (int64_t i = (w->first + part) * PART; i < part_end(l, w->first + part); i++)
        {
            int32_t here = l->start[i];
            l->start[i] = at;
            for (int32_t k = 0; k < here; k++)
                l->neighbour[at + k] = from[k];
            for (int32_t k = 0; k < here && !w->q->full; k++)
                l->owner[at + k] = (int32_t)i;
            at += here;
            from += here;
        }
    }
}

static pl_result find_batch(work *w, int64_t parts, memory *m, const parallel *threads)
{
    neighbour_list *l = w->l;
    pl_result result = PL_OK;
    for (l->fits = false; result == PL_OK && !l->fits;)
    {
        result = array_reserve(m, &l->found, &l->found_capacity, parts * l->room, sizeof *l->found);
        if (result != PL_OK)
            return result;
        parallel_for(threads, search_parts, w, parts, 1);
        result = sum_parts(w, parts);
    }
    if (result == PL_OK)
        result = array_reserve(m, &l->neighbour, &l->neighbour_capacity, l->pairs, sizeof *l->neighbour);
    if (result == PL_OK && !w->q->full)
        result = array_reserve(m, &l->owner, &l->owner_capacity, l->pairs, sizeof *l->owner);
    if (result == PL_OK)
        parallel_for(threads, join_parts, w, parts, 1);
    return result;
}

static pl_result find_pairs(work *w, memory *m, const parallel *threads)
{
    neighbour_list *l = w->l;
    int64_t parts = (l->count + PART - 1) / PART;
    pl_result result = PL_OK;
    l->room = l->room > PART ? l->room : 8 * PART;
    for (w->first = 0; result == PL_OK && w->first < parts; w->first += BATCH)
        result = find_batch(w, parts - w->first < BATCH ? parts - w->first : BATCH, m, threads);
    l->start[l->count] = (int32_t)l->pairs;
    return result;
}

// Chooses how to ask the filter, from what copy_spheres has found in each part.
static enum ask choose_ask(const work *w)
{
    const neighbour_query *q = w->q;
    if (!neighbours_paired(q))
        return ASK_NEVER;
    bool same = !q->full && q->scale == 1.0f && q->beside == 0.0f;
    for (int64_t part = 0; same && part < (q->count + PART - 1) / PART; part++)
        same = w->l->part[part] != 0;
    uint32_t phase = phase_of(q->collision, w->l->sorted.value[0]);
    if (!same || !(phase >> PHASE_MASK_AT) || phase & PHASE_FLUID || !(phase & PHASE_SELF))
        return ASK_EACH;
    return phase & PHASE_FILTER ? ASK_REST : ASK_NEVER;
}

// ---- build and free ------------------------------------------------------------------------------------------------

pl_result neighbours_build(neighbour_list *l, memory *m, const neighbour_query *q, const parallel *threads)
{
    l->pairs = 0;
    pl_result result = neighbours_sort(l, m, q, threads);
    if (result == PL_OK)
        result = array_reserve(m, &l->sphere, &l->sphere_capacity, 4 * (int64_t)q->count, sizeof *l->sphere);
    l->column_size = (int64_t)q->count + LANES;
    bool rest = neighbours_paired(q) && q->count && phase_of(q->collision, q->slot[0]) & PHASE_FILTER;
    if (result == PL_OK)
        result = array_reserve(m, &l->column, &l->column_capacity,
                               (rest ? COLUMNS + REST_COLUMNS : COLUMNS) * l->column_size, sizeof *l->column);
    if (result == PL_OK)
        result = array_reserve(m, &l->start, &l->start_capacity, (int64_t)q->count + 1, sizeof *l->start);
    if (result != PL_OK)
        return result;
    l->start[0] = 0;
    if (q->count == 0)
        return PL_OK;
    work w = {l, q, 0, ASK_EACH, rest};
    parallel_for(threads, copy_spheres, &w, q->count, PART);
    w.ask = choose_ask(&w);
    return find_pairs(&w, m, threads);
}

pl_result neighbours_reserve(neighbour_list *l, memory *m, int64_t sorted_count, int64_t pairs)
{
    pl_result r = array_reserve(m, &l->sorted.key, &l->sorted_capacity[0], sorted_count, sizeof *l->sorted.key);
    if (r == PL_OK)
        r = array_reserve(m, &l->sorted.value, &l->sorted_capacity[1], sorted_count, sizeof *l->sorted.value);
    if (r == PL_OK)
        r = array_reserve(m, &l->start, &l->start_capacity, sorted_count + 1, sizeof *l->start);
    if (r == PL_OK)
        r = array_reserve(m, &l->owner, &l->owner_capacity, pairs, sizeof *l->owner);
    if (r == PL_OK)
        r = array_reserve(m, &l->neighbour, &l->neighbour_capacity, pairs, sizeof *l->neighbour);
    return r;
}

void neighbours_free(neighbour_list *l, memory *m)
{
    sortable_free(m, &l->sorted, l->sorted_capacity);
    array_free(m, &l->sphere, &l->sphere_capacity, sizeof *l->sphere);
    array_free(m, &l->column, &l->column_capacity, sizeof *l->column);
    array_free(m, &l->start, &l->start_capacity, sizeof *l->start);
    array_free(m, &l->neighbour, &l->neighbour_capacity, sizeof *l->neighbour);
    array_free(m, &l->owner, &l->owner_capacity, sizeof *l->owner);
    array_free(m, &l->found, &l->found_capacity, sizeof *l->found);
    array_free(m, &l->part, &l->part_capacity, sizeof *l->part);
}
