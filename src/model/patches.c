// patches.c: records which bytes of the packed arrays have changed, for a backend that has copies of them.
#include "model/world.h"

enum
{
    MOST_TOLD = 1 << 24, // bytes in one patch
};

bool patches_wanted(const pl_world *w) { return w->backend->patch && !w->order_stale; }

static void note(pl_world *w, int32_t array, int64_t at, size_t bytes)
{
    if (!patches_wanted(w))
        return;
    if (array_reserve(&w->memory, &w->patches, &w->patch_capacity, w->patch_count + 1, sizeof *w->patches) == PL_OK)
        w->patches[w->patch_count++] = (patch){at, (int32_t)bytes, array};
    else
        w->patch_lost = true;
}

// Consecutive slots are merged into one patch.
void patch_slot(pl_world *w, int32_t slot)
{
    patch *last = w->patch_count >= SLOT_ARRAYS ? w->patches + w->patch_count - SLOT_ARRAYS : NULL;
    bool next = patches_wanted(w) && last && last[0].array == 0 && last[SLOT_ARRAYS - 1].array == SLOT_ARRAYS - 1 &&
                last[0].at + last[0].bytes == 16 * (int64_t)slot && last[0].bytes < MOST_TOLD;
    for (int a = 0; a < SLOT_ARRAYS; a++)
        if (next)
            last[a].bytes += 16;
        else
            note(w, a, 16 * (int64_t)slot, 16);
}

void patch_slot_arrays(pl_world *w, int32_t slot, uint32_t arrays)
{
    for (int a = 0; a < SLOT_ARRAYS; a++)
        if (arrays & ARRAY_BIT(a))
            note(w, a, 16 * (int64_t)slot, 16);
}

void patch_packed(pl_world *w, const void *from, size_t bytes)
{
    if (bytes)
        note(w, -1, (const char *)from - w->packing, bytes);
}

void patches_free(pl_world *w) { array_free(&w->memory, &w->patches, &w->patch_capacity, sizeof *w->patches); }
