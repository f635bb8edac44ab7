// snapshot_damage.h: damage to snapshots, as bytes that a fuzzer can change: which world, how many frames old, and edits of its
// snapshot, after which the checksum is made right again, or it would keep every damaged byte from the checks behind it. Inputs
// are small, and still mean something when the snapshots have another version.
#ifndef PLIANT_SNAPSHOT_DAMAGE_H
#define PLIANT_SNAPSHOT_DAMAGE_H

#include "worlds/worlds.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum
{
    SNAPSHOT_HEAD = 24, // version, checksum, hash of the tables
    DAMAGE_RECORD = 8,  // bytes of an edit: its place (4), what it does (1), how (1), a number (2)
    DAMAGE_MOST = 64,   // edits
    RAW_SNAPSHOT = 255, // as the first byte: what follows is a snapshot itself
    BASE_AGES = 2,
};

typedef struct snapshot_base
{
    void *data;
    size_t size;
} snapshot_base;

static const int base_frames[BASE_AGES] = {0, 4};
static snapshot_base snapshot_bases[SMALL_WORLDS * BASE_AGES];

static inline void make_snapshot_bases(void)
{
    pl_world_def def = pl_default_world_def();
    def.threads = def.lanes = 1;
    for (int i = 0; i < SMALL_WORLDS * BASE_AGES; i++)
    {
        pl_scene *scene = NULL;
        pl_world *world = NULL;
        snapshot_base *b = &snapshot_bases[i];
        if (small_world_scene(i % SMALL_WORLDS, &scene) != PL_OK ||
            small_world_make(scene, &def, base_frames[i / SMALL_WORLDS], &world) != PL_OK ||
            pl_world_save_memory(world, &b->data, &b->size) != PL_OK)
        {
            fprintf(stderr, "%s: %s\n", small_worlds[i % SMALL_WORLDS], pl_error_message());
            abort();
        }
        pl_world_destroy(world);
        pl_scene_free(scene);
    }
}

static inline uint32_t damage_value(int how, uint32_t number)
{
    static const uint32_t values[] = {0,           1,           0xffffffffu, 0x7fffffffu, 0x80000000u, 0x7f800000u,
                                      0x7fc00000u, 0xff800000u, 0x7f7fffffu, 0x00000001u, 0x3f800000u, 0xbf800000u,
                                      0x0000ffffu, 0x10000000u, 0x00800000u, 0x4b000000u};
    return how < 16 ? values[how] : number;
}

// One edit of `size` bytes; there is room for twice as many. Returns how many there are now.
static inline size_t damage_once(unsigned char *bytes, size_t size, const uint8_t *record)
{
    uint32_t place;
    uint16_t number;
    memcpy(&place, record, sizeof place);
    memcpy(&number, record + 6, sizeof number);
    size_t at = SNAPSHOT_HEAD + place % (size - SNAPSHOT_HEAD), left = size - at, some = number % 256u;
    uint32_t value = damage_value(record[5] % 32, number);
    switch (record[4] % 8)
    {
    case 0: // one byte
        bytes[at] = (unsigned char)number;
        return size;
    case 1: // 32 bits, where such numbers lie
    case 2:
        at -= at % 4;
        memcpy(bytes + at, &value, at + 4 <= size ? 4 : 1);
        return size;
    case 3: // a little more or less
        bytes[at] = (unsigned char)(bytes[at] + (record[5] & 1 ? 1 : -1));
        return size;
    case 4: // ends here
        return record[5] % 4 ? size : at + 1;
    case 5: // a hole
        some = some < left ? some : left - 1;
        memmove(bytes + at, bytes + at + some, left - some);
        return size - some;
    case 6: // a part of it, again
        some = some < left ? some : left - 1;
        memmove(bytes + at + some, bytes + at, left);
        return size + some;
    default: // bytes from elsewhere
        place = (place >> 8) % (uint32_t)(size - SNAPSHOT_HEAD);
        some = some < left ? some : left;
        some = some < size - SNAPSHOT_HEAD - place ? some : size - SNAPSHOT_HEAD - place;
        memmove(bytes + at, bytes + SNAPSHOT_HEAD + place, some);
        return size;
    }
}

// FNV-1a, as in snapshot/snapshot.c.
static inline void mend_checksum(unsigned char *bytes, size_t size)
{
    uint64_t sum = 14695981039346656037u;
    for (size_t i = 8 + sizeof sum; i < size; i++)
        sum = (sum ^ bytes[i]) * 1099511628211u;
    if (size >= 8 + sizeof sum)
        memcpy(bytes + 8, &sum, sizeof sum);
}

// The snapshot that an input means, in a block of exactly its size; free it.
static inline unsigned char *damaged_snapshot(const uint8_t *data, size_t count, size_t *size)
{
    if (!snapshot_bases[0].data)
        make_snapshot_bases();
    const snapshot_base *b = &snapshot_bases[count ? data[0] % (SMALL_WORLDS * BASE_AGES) : 0];
    bool raw = count && data[0] == RAW_SNAPSHOT;
    size_t room = 2 * b->size + 256 * DAMAGE_MOST + count;
    unsigned char *bytes = malloc(room);
    if (!bytes)
        abort();
    *size = raw ? count - 1 : b->size;
    memcpy(bytes, raw ? (const void *)(data + 1) : b->data, *size);
    for (size_t at = 1, i = 0; !raw && at + DAMAGE_RECORD <= count && i < DAMAGE_MOST; at += DAMAGE_RECORD, i++)
        *size = damage_once(bytes, *size > SNAPSHOT_HEAD + 8 ? *size : b->size, data + at);
    if (!raw)
        mend_checksum(bytes, *size);
    unsigned char *exact = malloc(*size + 1); // so that a read beyond the end is seen
    if (!exact)
        abort();
    memcpy(exact, bytes, *size);
    free(bytes);
    return exact;
}

// Loads it, and if that goes well: steps, restores it into the live world, saves and loads that, and steps again. Aborts where a
// world that was loaded cannot be saved and loaded, or the two part.
static inline void use_snapshot(const void *bytes, size_t size)
{
    pl_world_def def = pl_default_world_def();
    pl_world *world = NULL, *again = NULL;
    void *saved = NULL;
    size_t length = 0;
    def.threads = def.lanes = 1;
    def.memory_limit = 256 << 20;
    if (pl_world_load_memory(&def, bytes, size, &world) != PL_OK)
        return;
    pl_settings settings = pl_world_settings(world);
    settings.substeps = settings.substeps < 2 ? settings.substeps : 2;
    settings.iterations = settings.iterations < 2 ? settings.iterations : 2;
    settings.contact_sweeps = settings.contact_sweeps < 4 ? settings.contact_sweeps : 4;
    pl_result result = pl_world_set_settings(world, &settings);
    if (result == PL_OK)
        result = pl_world_step(world, 0.01f);
    if (result != PL_ERROR_MEMORY && pl_world_save_memory(world, &saved, &length) == PL_OK)
    {
        result = pl_world_load_memory(&def, saved, length, &again);
        if (result != PL_OK && result != PL_ERROR_MEMORY)
        {
            fprintf(stderr, "what was saved is refused: %s\n", pl_error_message());
            abort();
        }
        if (result == PL_OK)
        {
            pl_result one = pl_world_step(world, 0.01f), other = pl_world_step(again, 0.01f);
            if (one != PL_ERROR_MEMORY && other != PL_ERROR_MEMORY &&
                (one != other || pl_world_hash(world) != pl_world_hash(again)))
            {
                fprintf(stderr, "the world that was loaded has other bits\n");
                abort();
            }
        }
        pl_world_destroy(again);
        pl_world_restore(world, bytes, size);
        pl_world_step(world, 0.01f);
    }
    pl_free(saved);
    pl_world_destroy(world);
}

#endif
