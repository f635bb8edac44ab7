// columns.c: lays out the memory of packed columns. See columns.def.
#include "model/columns.h"
#include "core/arena.h"

void packed_lay_out(state *s, enum packed_owner owner, arena *a)
{
    for (packed_walk w = PACKED_WALK; packed_next(&w);)
    {
        if (packed_columns[w.column].owner != owner)
            continue;
        int64_t items = packed_items(s, &w);
        packed_set(s, &w, items < 0 ? NULL : arena_take(a, items, packed_columns[w.column].item));
    }
}
