// restore.c: returns a live world to a snapshot. The snapshot is read into a second world without threads and backend;
// if it is sound, the two exchange their contents.
#include "query/cache.h"
#include "snapshot/snapshot.h"
#include "world/contents.h"

#include <string.h>

// Moves what belongs to the running program, not to the state, from one world to another.
static void keep_running_parts(pl_world *to, const pl_world *from)
{
    to->log = from->log;
    to->cpu = from->cpu;
    to->backend = from->backend;
    to->cuda = from->cuda;
    to->queries = from->queries;
    to->direct = to->state.direct = from->direct; // compiling compares it with the constraints that were read
    to->changes = from->changes, to->item_changes = from->item_changes;
    to->timing = from->timing;
    to->contacts.row_most = from->contacts.row_most;
    // Counters by which backends know what has changed: all of it has.
    to->contacts.shape_version = from->contacts.shape_version + 1;
    to->rigid_contacts.shape_version = to->contacts.shape_version; // nothing has been edited since it was read
    to->contacts.collider_version = from->contacts.collider_version + 1;
    to->surfaces.surface_version = from->surfaces.surface_version + 1;
    to->state.shape_data_change = from->state.shape_data_change + 1;
    to->numbers.moves = from->numbers.moves + 1;
    to->device_newer = 0, to->host_changed = 0;
}

static void exchange(pl_world *w, pl_world *read)
{
    memory_join(&w->memory, &read->memory);
    pl_world before = *w;
    keep_running_parts(read, w);
    *w = *read;
    *read = before;
    read->direct = NULL;
    world_free_contents(read);
    w->memory = read->memory;
}

pl_result pl_world_restore(pl_world *w, const void *data, size_t size)
{
    NEED(w);
    NEED(data);
    PLAIN_ROUNDING;
    void *block = NULL;
    pl_result result = pull(w, ALL_ARRAYS); // nothing may still be on its way
    if (result == PL_OK)
        result = memory_resize(&w->memory, &block, 0, sizeof *w);
    if (result != PL_OK)
        return result;
    pl_world *read = block;
    memory_open(&read->memory, &w->memory.hook);
    if (w->memory.limit)
        read->memory.limit = w->memory.limit - w->memory.bytes + 1; // both exist for a while; 0 would be no limit
    result = world_set_defaults(read);
    if (result == PL_OK)
        result = snapshot_read(read, data, size);
    if (result == PL_OK)
        exchange(w, read);
    else
        world_free_contents(read);
    memory_free(&w->memory, read, sizeof *read);
    if (result == PL_OK)
        queries_forget(w);
    return result;
}
