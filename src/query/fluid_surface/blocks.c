// blocks.c: evaluates the field of a fluid's surface in the blocks of grid cells near its particles, and keeps those
// blocks in which it passes the level. Memory is bounded by the particles, however far apart they are.
#include "query/fluid_surface/surface_work.h"

#include <math.h>
#include <string.h>

enum
{
    BATCH = 512, // blocks that are evaluated before those without a surface are dropped
};

// ---- which blocks --------------------------------------------------------------------------------------------------

static double block_side(const surface_work *s) { return (double)BLOCK * s->cell; }

// Blocks on either side of a particle's own that its kernel may reach.
static int blocks_around(const surface_work *s)
{
    return (int)((SURFACE_SUPPORT + SURFACE_SHIFT) * s->spacing * 1.01 / block_side(s)) + 1;
}

static int32_t block_coordinate(const surface_work *s, int64_t i, int axis)
{
    float x = s->w->state.slot[SLOT_X][4 * (size_t)s->list.sorted.value[i] + (size_t)axis];
    return cell_at(x, 1.0 / block_side(s));
}

static pl_result find_bounds(surface_work *s)
{
    int32_t high[3] = {INT32_MIN, INT32_MIN, INT32_MIN};
    int sum = 0;
    for (int c = 0; c < 3; c++)
    {
        s->low[c] = INT32_MAX;
        for (int64_t i = 0; i < s->list.count; i++)
        {
            int32_t at = block_coordinate(s, i, c);
            s->low[c] = at < s->low[c] ? at : s->low[c];
            high[c] = at > high[c] ? at : high[c];
        }
        if (high[c] == CELL_MOST)
            return fail(PL_ERROR_ARGUMENT,
                        "fluid surface: a particle is more than %g m from the origin; use larger cells, or remove it",
                        (double)CELL_MOST * block_side(s));
        s->low[c] -= blocks_around(s) + 1;
        s->bits[c] = cell_bits((int64_t)high[c] + blocks_around(s) + 1 - s->low[c]);
        sum += s->bits[c];
    }
    if (sum > KEY_BITS)
        return fail(
            PL_ERROR_ARGUMENT,
            "fluid surface: its particles are spread over 2^%d blocks of %g m; use larger cells, or remove those "
            "that flew away",
            sum, block_side(s));
    return PL_OK;
}

static void sort_keys(surface_work *s)
{
    int64_t kept = 0;
    radix_sort(&s->keys, s->key_count, s->bits[0] + s->bits[1] + s->bits[2], &s->threads);
    for (int64_t i = 0; i < s->key_count; i++)
        if (i == 0 || s->keys.key[i] != s->keys.key[i - 1])
            s->keys.key[kept++] = s->keys.key[i];
    s->key_count = kept;
}

// Adds the blocks beside those listed, along one axis.
static pl_result widen(surface_work *s, int axis)
{
    const int around = blocks_around(s), shift = axis == 0 ? 0 : axis == 1 ? s->bits[0] : s->bits[0] + s->bits[1];
    int64_t count = s->key_count, wanted = count * (2 * around + 1);
    if (wanted > INT32_MAX)
        return fail(PL_ERROR_MEMORY, "fluid surface: too many blocks; use larger cells");
    pl_result result = sortable_reserve(&s->m, &s->keys, s->key_capacity, wanted);
    if (result != PL_OK)
        return result;
    for (int step = 1; step <= around; step++)
        for (int64_t i = 0; i < count; i++)
        {
            s->keys.key[s->key_count++] = s->keys.key[i] + ((uint64_t)step << shift);
            s->keys.key[s->key_count++] = s->keys.key[i] - ((uint64_t)step << shift);
        }
    sort_keys(s);
    return PL_OK;
}

static pl_result list_blocks(surface_work *s)
{
    pl_result result = find_bounds(s);
    if (result == PL_OK)
        result = sortable_reserve(&s->m, &s->keys, s->key_capacity, s->list.count);
    if (result != PL_OK)
        return result;
    for (int64_t i = 0; i < s->list.count; i++)
    {
        int32_t at[3];
        for (int c = 0; c < 3; c++)
            at[c] = block_coordinate(s, i, c) - s->low[c];
        s->keys.key[i] = key_of_cell(at, s->bits);
    }
    s->key_count = s->list.count;
    sort_keys(s);
    for (int axis = 0; axis < 3 && result == PL_OK; axis++)
        result = widen(s, axis);
    return result;
}

// ---- the field -----------------------------------------------------------------------------------------------------

void block_origin(const surface_work *s, const surface_block *b, int64_t node[3])
{
    int32_t at[3];
    cell_of_key(b->key, s->bits, at);
    for (int c = 0; c < 3; c++)
        node[c] = (int64_t)BLOCK * ((int64_t)at[c] + s->low[c]);
}

typedef struct block_sums
{
    const surface_work *s;
    surface_block *b;
    double x[3][BLOCK + 1]; // the nodes' positions
} block_sums;

// Adds a kernel to the nodes within its extent.
static void add_kernel(void *user, const surface_kernel *k, int32_t sorted_index)
{
    const block_sums *t = user;
    float d[3][BLOCK + 1];
    int from[3], to[3];
    (void)sorted_index;
    for (int c = 0; c < 3; c++)
    {
        from[c] = BLOCK + 1, to[c] = -1;
        for (int i = 0; i <= BLOCK; i++)
        {
            d[c][i] = (float)(t->x[c][i] - k->centre[c]);
            if (d[c][i] < k->extent[c] && d[c][i] > -k->extent[c])
                from[c] = i < from[c] ? i : from[c], to[c] = i;
        }
    }
    for (int z = from[2]; z <= to[2]; z++)
        for (int y = from[1]; y <= to[1]; y++)
        {
            float *value = t->b->value + (BLOCK + 1) * ((BLOCK + 1) * z + y);
            for (int x = from[0]; x <= to[0]; x++)
            {
                float square = kernel_square(k, d[0][x], d[1][y], d[2][z]);
                if (!(square < 1.0f))
                    continue;
                float q = sqrtf(square > 0.0f ? square : 0.0f), a = 1.0f - q, a2 = a * a;
                value[x] += k->weight * (a2 * a2 * (1.0f + 4.0f * q));
            }
        }
}

// Marks the nodes that are deep inside; returns whether all of them are.
static bool find_deep_nodes(const block_sums *t, bool deep[BLOCK_NODES])
{
    const neighbour_list *l = &t->s->list;
    const double inverse = 1.0 / (double)l->cell;
    int32_t at[3], cell[3][BLOCK + 1];
    uint64_t last = UINT64_MAX;
    bool all = true, here = false;
    for (int c = 0; c < 3; c++)
        for (int n = 0; n <= BLOCK; n++)
        {
            int32_t x = cell_at((float)t->x[c][n], inverse) - l->low[c];
            cell[c][n] = x < 0 || x >> l->bits[c] ? 0 : x; // cell 0 is empty
        }
    for (int i = 0; i < BLOCK_NODES; i++)
    {
        at[0] = cell[0][i % (BLOCK + 1)];
        at[1] = cell[1][i / (BLOCK + 1) % (BLOCK + 1)];
        at[2] = cell[2][i / ((BLOCK + 1) * (BLOCK + 1))];
        uint64_t key = key_of_cell(at, l->bits);
        here = key == last ? here : surface_depth(t->s, key) >= CELL_DEEP;
        last = key;
        deep[i] = here;
        all &= here;
    }
    return all;
}

static void evaluate(void *arg, int64_t begin, int64_t end)
{
    const surface_work *s = arg;
    for (int64_t i = begin; i < end; i++)
    {
        block_sums t = {.s = s, .b = &s->batch[i]};
        int64_t node[3];
        double low[3], high[3];
        memset(t.b->value, 0, sizeof t.b->value);
        block_origin(s, t.b, node);
        for (int c = 0; c < 3; c++)
        {
            for (int n = 0; n <= BLOCK; n++)
                t.x[c][n] = node_position(s, node[c] + n);
            low[c] = t.x[c][0], high[c] = t.x[c][BLOCK];
        }
        bool deep[BLOCK_NODES], all = find_deep_nodes(&t, deep);
        if (!all)
            visit_kernels(s, low, high, add_kernel, &t);
        for (int n = 0; n < BLOCK_NODES; n++)
            t.b->value[n] = deep[n] ? 1.0f : t.b->value[n];
    }
}

static bool passes_level(const surface_work *s, const surface_block *b)
{
    int inside = 0;
    for (int i = 0; i < BLOCK_NODES; i++)
        inside += b->value[i] > s->level;
    return inside > 0 && inside < BLOCK_NODES;
}

static pl_result keep_blocks(surface_work *s, int64_t count)
{
    int64_t more = 0;
    for (int64_t i = 0; i < count; i++)
        more += passes_level(s, &s->batch[i]);
    pl_result result = array_reserve(&s->m, &s->block, &s->block_capacity, s->block_count + more, sizeof *s->block);
    for (int64_t i = 0; i < count && result == PL_OK; i++)
        if (passes_level(s, &s->batch[i]))
            s->block[s->block_count++] = s->batch[i];
    return result;
}

pl_result surface_find_blocks(surface_work *s)
{
    pl_result result = list_blocks(s);
    if (result == PL_OK)
        result = array_reserve(&s->m, &s->batch, &s->batch_capacity, BATCH, sizeof *s->batch);
    for (int64_t first = 0; first < s->key_count && result == PL_OK; first += BATCH)
    {
        int64_t count = s->key_count - first < BATCH ? s->key_count - first : BATCH;
        for (int64_t i = 0; i < count; i++)
            s->batch[i].key = s->keys.key[first + i];
        parallel_for(&s->threads, evaluate, s, count, 8);
        result = keep_blocks(s, count);
    }
    return result;
}
