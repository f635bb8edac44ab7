// pack_faces.c: packs the faces that feel the wind.
#include "layout/packing.h"

#include <string.h>

// Packs the faces that have drag or lift, and lists the faces of each slot.
void pack_faces(pl_world *w)
{
    packed_faces *f = &w->state.faces;
    int32_t at = 0;
    memset(f->slot_start, 0, (size_t)(w->state.slots + 1) * sizeof *f->slot_start);
    for (int64_t i = 0; i < w->faces.count; i++)
    {
        if (w->faces.drag[2 * i] == 0.0f && w->faces.drag[2 * i + 1] == 0.0f)
            continue;
        for (int c = 0; c < 3; c++)
        {
            int32_t slot = w->numbers.slot_of[w->faces.index[3 * i + c]];
            f->index[c][at] = 4 * (uint32_t)slot;
            f->slot_start[slot + 1]++;
        }
        f->drag[at] = w->faces.drag[2 * i];
        f->lift[at++] = w->faces.drag[2 * i + 1];
    }
    int32_t count = at;
    for (; at < f->count; at++)
    {
        for (int c = 0; c < 3; c++)
            f->index[c][at] = 4 * (uint32_t)(w->dummy + w->order.tiles);
        f->drag[at] = f->lift[at] = 0.0f;
    }
    for (int32_t i = 0; i < w->state.slots; i++)
        f->slot_start[i + 1] += f->slot_start[i];
    for (int32_t k = 0; k < count; k++) // each slot's faces in their order
        for (int c = 0; c < 3; c++)
            f->slot_face[f->slot_start[f->index[c][k] / 4]++] = k;
    memmove(f->slot_start + 1, f->slot_start, (size_t)w->state.slots * sizeof *f->slot_start);
    f->slot_start[0] = 0;
}

static int64_t windy_faces(const pl_world *w)
{
    int64_t count = 0;
    for (int64_t i = 0; i < w->faces.count; i++)
        count += w->faces.drag[2 * i] != 0.0f || w->faces.drag[2 * i + 1] != 0.0f;
    return count;
}

int64_t faces_room(const pl_world *w)
{
    int64_t count = windy_faces(w);
    return count && w->roomy ? count + count / 64 + 256 : count;
}

bool faces_fit(const pl_world *w) { return windy_faces(w) <= w->state.faces.count; }

void pack_faces_again(pl_world *w)
{
    packed_faces *f = &w->state.faces;
    size_t count = (size_t)f->count;
    pack_faces(w);
    for (int c = 0; c < 3; c++)
        patch_packed(w, f->index[c], count * sizeof *f->index[c]);
    patch_packed(w, f->drag, count * sizeof *f->drag);
    patch_packed(w, f->lift, count * sizeof *f->lift);
    patch_packed(w, f->slot_start, (size_t)(w->state.slots + 1) * sizeof *f->slot_start);
    patch_packed(w, f->slot_face, 3 * count * sizeof *f->slot_face);
    w->faces_stale = false;
}
