// order.c: assigns the slots of particles, and reserves memory for them.
//
// Particles that are near each other in space get slots near each other, and the order is a function of the scene
// alone. A large scene uses recursive bisection along the longest axis; its leaves are the tiles. A small scene is
// ordered object by object, each sorted along its longest axis: then two workers share only a thin, contiguous strip of
// particles where their ranges meet (the ragged border of a bisection makes two threads take twice the time of one).
// Ties are broken by particle number. Particles whose slots a group chooses, such as the points of strands, follow last.
#include "groups/group.h"
#include "layout/colour.h"
#include "layout/compile.h"
#include "layout/packing.h"
#include "model/world.h"

#include <stdlib.h>
#include <string.h>

enum
{
    TILED_FROM = 65536, // particles; below, plain colours are faster (docs/architecture.md)
};

// Returns a float's bits as an integer that sorts the same way.
static uint32_t sortable(float a)
{
    uint32_t bits;
    a = a + 0.0f; // turns -0 into 0
    memcpy(&bits, &a, sizeof bits);
    return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

typedef struct sorter
{
    const float *x;         // positions, 4 floats a slot
    const int32_t *slot_of; // for each particle number
    uint64_t *key;          // scratch: coordinate in the high half, particle number in the low half
    int32_t *tile_first;    // NULL: no tiles
    int32_t tiles;
} sorter;

static void swap_keys(uint64_t *a, uint64_t *b)
{
    uint64_t t = *a;
    *a = *b;
    *b = t;
}

// Moves the smallest `nth` keys to the front. Keys are distinct, so the selection does not depend on the method.
static void select_smallest(uint64_t *key, int64_t count, int64_t nth)
{
    int64_t low = 0, high = count - 1;
    while (low < high)
    {
        uint64_t a = key[low], b = key[low + (high - low) / 2], c = key[high];
        uint64_t pivot = a < b ? (b < c ? b : a < c ? c : a) : (a < c ? a : b < c ? c : b);
        int64_t i = low, j = high;
        while (i <= j)
        {
            while (key[i] < pivot)
                i++;
            while (key[j] > pivot)
                j--;
            if (i <= j)
                swap_keys(&key[i++], &key[j--]);
        }
        if (nth <= j)
            high = j;
        else if (nth >= i)
            low = i;
        else
            return;
    }
}

static int longest_axis(const sorter *s, const int32_t *number, int64_t count)
{
    float low[3] = {0}, high[3] = {0};
    for (int64_t i = 0; i < count; i++)
        for (int c = 0; c < 3; c++)
        {
            float a = s->x[4 * (size_t)s->slot_of[number[i]] + (size_t)c];
            low[c] = i == 0 || a < low[c] ? a : low[c];
            high[c] = i == 0 || a > high[c] ? a : high[c];
        }
    int axis = 0;
    for (int c = 1; c < 3; c++)
        if (high[c] - low[c] > high[axis] - low[axis])
            axis = c;
    return axis;
}

static void sort_numbers(int32_t *number, int64_t count)
{
    // Shell sort of a leaf: no recursion, no scratch.
    for (int64_t gap = count / 2; gap > 0; gap /= 2)
        for (int64_t i = gap; i < count; i++)
        {
            int32_t a = number[i];
            int64_t j = i;
            for (; j >= gap && number[j - gap] > a; j -= gap)
                number[j] = number[j - gap];
            number[j] = a;
        }
}

// Orders number[0, count) into `leaves` parts of nearly equal size.
static void bisect(sorter *s, int32_t *number, int64_t count, int64_t leaves, int32_t first)
{
    if (leaves <= 1)
    {
        sort_numbers(number, count);
        if (s->tile_first)
            s->tile_first[s->tiles++] = first;
        return;
    }
    int64_t left_leaves = leaves / 2, left = count * left_leaves / leaves;
    int axis = longest_axis(s, number, count);
    for (int64_t i = 0; i < count; i++)
        s->key[i] =
            (uint64_t)sortable(s->x[4 * (size_t)s->slot_of[number[i]] + (size_t)axis]) << 32 | (uint32_t)number[i];
    select_smallest(s->key, count, left);
    for (int64_t i = 0; i < count; i++)
        number[i] = (int32_t)(uint32_t)s->key[i];
    bisect(s, number, left, left_leaves, first);
    bisect(s, number + left, count - left, leaves - left_leaves, first + (int32_t)left);
}

static int compare_keys(const void *p, const void *q)
{
    uint64_t a, b;
    memcpy(&a, p, sizeof a);
    memcpy(&b, q, sizeof b);
    return (a > b) - (a < b);
}

// Sorts some particles along their longest axis.
static void sort_strip(const sorter *s, int32_t *number, int64_t count)
{
    int axis = longest_axis(s, number, count);
    for (int64_t i = 0; i < count; i++)
        s->key[i] =
            (uint64_t)sortable(s->x[4 * (size_t)s->slot_of[number[i]] + (size_t)axis]) << 32 | (uint32_t)number[i];
    qsort(s->key, (size_t)count, sizeof *s->key, compare_keys);
    for (int64_t i = 0; i < count; i++)
        number[i] = (int32_t)(uint32_t)s->key[i];
}

// number[] is ascending and an object's numbers are consecutive, so each object is a range of it.
static void sort_objects(const pl_world *w, const sorter *s, int32_t *number, int64_t count)
{
    for (int64_t i = 1; i < w->entry_count; i++)
    {
        const id_entry *t = &w->entries[i];
        if (t->type != ID_OBJECT)
            continue;
        int64_t low = 0, high = count; // find the index of its first number
        while (low < high)
        {
            int64_t middle = (low + high) / 2;
            if (number[middle] < t->first)
                low = middle + 1;
            else
                high = middle;
        }
        int64_t end = low;
        while (end < count && number[end] < t->first + t->count)
            end++;
        sort_strip(s, number + low, end - low);
    }
}

// Moves every slot array into the order of number[].
static pl_result permute(pl_world *w, const int32_t *number)
{
    void *scratch = NULL;
    size_t bytes = 16 * (size_t)w->live;
    pl_result result = memory_resize(&w->memory, &scratch, 0, bytes);
    if (result != PL_OK)
        return result;
    for (int a = 0; a < SLOT_ARRAYS; a++)
    {
        for (int32_t i = 0; i < w->live; i++)
            memcpy((char *)scratch + 16 * (size_t)i, w->state.slot[a] + 4 * (size_t)w->numbers.slot_of[number[i]], 16);
        memcpy(w->state.slot[a], scratch, bytes);
        memset(w->state.slot[a] + 4 * (size_t)w->live, 0, 16 * (size_t)(w->slot_capacity[a] - w->live));
    }
    memory_free(&w->memory, scratch, bytes);
    for (int32_t i = 0; i < w->live; i++)
    {
        w->number_of[i] = number[i];
        w->numbers.slot_of[number[i]] = i;
    }
    w->used = w->live;
    return PL_OK;
}

// Orders all particles but those at the end of number[], whose slots groups have chosen.
static pl_result order_others(pl_world *w, uint64_t *key, int32_t *number, int64_t placed)
{
    int64_t others = w->live - placed, tiles = others >= TILED_FROM ? (others + TILE_SIZE - 1) / TILE_SIZE : 0,
            count = 0;
    pl_result result =
        array_reserve(&w->memory, &w->order.tile_first, &w->order.capacity, tiles + 1, sizeof *w->order.tile_first);
    if (result != PL_OK)
        return result;
    for (int64_t i = others; i < w->live; i++)
        w->number_of[w->numbers.slot_of[number[i]]] = -1; // until the others have been listed
    for (int32_t i = 0; i < w->numbers.end; i++)
        if (w->numbers.slot_of[i] >= 0 && w->number_of[w->numbers.slot_of[i]] >= 0)
            number[count++] = i;
    for (int64_t i = others; i < w->live; i++)
        w->number_of[w->numbers.slot_of[number[i]]] = number[i];
    sorter s = {w->state.slot[SLOT_X], w->numbers.slot_of, key, tiles ? w->order.tile_first : NULL, 0};
    if (tiles)
        bisect(&s, number, count, tiles, 0);
    else
        sort_objects(w, &s, number, count);
    w->order.tiles = s.tiles;
    w->order.count = w->live;
    w->order.tile_first[s.tiles] = (int32_t)count;
    return PL_OK;
}

pl_result order_particles(pl_world *w)
{
    w->order.tiles = 0;
    if (w->live == 0)
    {
        for (int a = 0; a < SLOT_ARRAYS && w->used; a++)
            memset(w->state.slot[a], 0, 16 * (size_t)w->slot_capacity[a]); // dummy slots must be 0
        w->used = w->order.count = 0;
        return PL_OK;
    }
    void *scratch = NULL;
    size_t bytes = (size_t)w->live * (sizeof(uint64_t) + sizeof(int32_t));
    pl_result result = memory_resize(&w->memory, &scratch, 0, bytes);
    if (result != PL_OK)
        return result;
    uint64_t *key = scratch;
    int32_t *number = (int32_t *)(key + w->live);
    int64_t placed;
    result = groups_place(w, number, &placed);
    memmove(number + (w->live - placed), number, (size_t)placed * sizeof *number);
    if (result == PL_OK)
        result = order_others(w, key, number, placed);
    if (result == PL_OK)
        result = permute(w, number);
    memory_free(&w->memory, scratch, bytes);
    return result;
}

// Makes room for `more` particles, with the dummies and the padding that a packed world needs.
pl_result particles_reserve(pl_world *w, int64_t more)
{
    int64_t used = w->used + more, wanted = used + w->room + used / 1024 + 2 * PAD;
    wanted = wanted > w->state.slots ? wanted : w->state.slots;
    if (used > INT32_MAX / 8)
        return fail(PL_ERROR_ARGUMENT, "%lld particles were asked for; a world holds at most %d", (long long)used,
                    INT32_MAX / 8);
    for (int a = 0; a < SLOT_ARRAYS; a++)
    {
        pl_result result =
            array_reserve(&w->memory, &w->state.slot[a], &w->slot_capacity[a], wanted, 4 * sizeof(float));
        if (result != PL_OK)
            return result;
    }
    pl_result result = array_reserve(&w->memory, &w->number_of, &w->number_capacity, wanted, sizeof *w->number_of);
    if (result == PL_OK)
        result = colours_reserve(w);
    if (result != PL_OK)
        return result;
    return array_reserve(&w->memory, &w->numbers.slot_of, &w->numbers.capacity, w->numbers.end + more,
                         sizeof *w->numbers.slot_of);
}
