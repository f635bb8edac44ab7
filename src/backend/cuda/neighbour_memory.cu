// neighbour_memory.cu: computes how much device memory neighbour lists need, and divides it into arrays. A list that
// outgrows its memory stops the search, which reports how much it needs (neighbour_state). The capacities are then
// raised here, the caller allocates, and the search runs again.
#include "backend/cuda/list_memory.h"
#include "backend/cuda/prefix_sums.h"

#include "neighbours/list.h"

enum
{
    TABLE_LEAST = 1 << 13, // initial capacity in cells
    TABLE_FEW = 1 << 15,   // up to so many cells are always counted
    TABLE_MOST = 1 << 22,
    TABLE_EACH = 64,    // cells for each particle: where few particles are scattered widely, most cells are empty
    CROWD_LIMIT = 1024, // in a cell or a block: more are too many for a counting sort
    KEY_BITS_LEAST = 13,
};

static int64_t most_cells(int32_t items)
{
    int64_t most = TABLE_EACH * (int64_t)items;
    return most < TABLE_FEW ? TABLE_FEW : most > TABLE_MOST ? TABLE_MOST : most;
}

int32_t with_spare(int64_t needed)
{
    int64_t more = needed + needed / 8 + 1024;
    return more < INT32_MAX ? (int32_t)more : INT32_MAX;
}

// For tests of lists that outgrow their memory: the initial capacity in entries; 0: not set.
int32_t debug_list_room(void) { return !debug->list_room ? 0 : debug->list_room > 64 ? debug->list_room : 64; }

static bool grow_pairs(neighbour_arrays *l, const neighbour_state *now, bool full, int64_t each, device_error *why)
{
    bool is_short = now->trouble == LISTS_SHORT;
    int32_t most = neighbours_most(full);
    if (is_short && (now->pairs < 0 || now->pairs > most))
    {
        why->memory = true;
        snprintf(why->text, sizeof why->text, "more than %d pairs of particles are near each other; use smaller radii",
                 most);
        return false;
    }
    if (!l->pair_room)
        l->pair_room = debug_list_room();
    if (!l->pair_room)
        l->pair_room = l->items ? with_spare(each * l->items) : 64;
    if (is_short && now->pairs > l->pair_room)
        l->pair_room = with_spare(now->pairs);
    return true;
}

bool neighbours_grow(neighbour_arrays *l, const neighbour_state *now, bool full, int64_t each, device_error *why)
{
    bool is_short = now->trouble == LISTS_SHORT;
    int bits = now->bits[0] + now->bits[1] + now->bits[2];
    if (!grow_pairs(l, now, full, each, why))
        return false;
    if (!l->key_bits)
        l->key_bits = KEY_BITS_LEAST;
    if (!l->crowd_limit)
        l->crowd_limit = debug->cell_crowd > 0 ? debug->cell_crowd : CROWD_LIMIT;
    if (!l->table)
        l->table = TABLE_LEAST;
    l->crowded |= is_short && (now->cells > most_cells(l->items) || now->crowded);
    if (is_short && now->cells > l->table && !l->crowded)
        l->table = (int32_t)((now->cells + now->cells / 4 + 3) / 4 * 4);
    // The radix sort takes eight bits at a time; three bits above the key hold a block's colour.
    if (is_short && l->crowded && bits > l->key_bits)
        l->key_bits = (bits + 3 + 7) / 8 * 8 - 3;
    return true;
}

void neighbours_cut_sorted(neighbour_arrays *l, bool full, bool transposed, region_divider *k)
{
    int64_t n = l->items, sums = (full ? 1 : 2) * (n + 1), table = l->crowded ? 0 : l->table;
    k->cut(&l->key_in, n), k->cut(&l->key, n), k->cut(&l->value_in, n), k->cut(&l->value, n);
    k->cut(&l->sphere, n), k->cut(&l->count, sums), k->cut(&l->start, sums), k->cut(&l->found, l->notes * n);
    k->cut(&l->many, transposed ? n : 0);
    k->cut(&l->bounds, 6), k->cut(&l->noted, LIST_NOTES), k->cut(&l->arrived, n);
    k->cut(&l->cell_count, table), k->cut(&l->cell_first, table);
    k->cut(&l->stretch, stretches_of(table > sums ? table : sums));
}

void neighbours_cut_pairs(neighbour_arrays *l, bool full, region_divider *k)
{
    k->cut(&l->owner, full ? 0 : l->pair_room), k->cut(&l->neighbour, l->pair_room);
}
