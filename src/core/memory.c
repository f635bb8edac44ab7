// memory.c: allocates aligned, counted blocks from the user's allocator.
#include "core/memory.h"

#include <stdlib.h>
#include <string.h>

enum
{
    ALIGNMENT = 64,
};

static void *standard_resize(void *user, void *block, size_t old_size, size_t new_size)
{
    (void)user;
    (void)old_size;
    if (new_size == 0)
    {
        free(block);
        return NULL;
    }
    return realloc(block, new_size);
}

void memory_open(memory *m, const pl_allocator *hook)
{
    m->hook = *hook;
    if (!m->hook.resize)
        m->hook.resize = standard_resize;
    m->bytes = 0;
}

// The user's block contains an aligned part; the pointer just before the aligned part holds the block's own address.
static void *aligned_part(void *raw)
{
    uintptr_t start = ((uintptr_t)raw + sizeof(void *) + ALIGNMENT - 1) & ~(uintptr_t)(ALIGNMENT - 1);
    memcpy((char *)start - sizeof raw, &raw, sizeof raw);
    return (void *)start;
}

static void *raw_part(void *block)
{
    void *raw;
    memcpy(&raw, (char *)block - sizeof raw, sizeof raw);
    return raw;
}

static size_t raw_size(size_t size) { return size + ALIGNMENT + sizeof(void *); }

pl_result memory_resize(memory *m, void **block, size_t old_size, size_t new_size)
{
    if (new_size == 0)
    {
        memory_free(m, *block, old_size);
        *block = NULL;
        return PL_OK;
    }
    // Always allocates a new block: a block that the allocator moves could be aligned differently.
    void *raw = new_size > SIZE_MAX / 2 ? NULL : m->hook.resize(m->hook.user, NULL, 0, raw_size(new_size));
    if (!raw)
        return fail(PL_ERROR_MEMORY, "out of memory: %zu bytes were asked for", new_size);
    char *fresh = aligned_part(raw);
    size_t kept = old_size < new_size ? old_size : new_size;
    if (*block)
        memcpy(fresh, *block, kept);
    memset(fresh + kept, 0, new_size - kept);
    memory_free(m, *block, old_size);
    m->bytes += new_size;
    *block = fresh;
    return PL_OK;
}

void memory_free(memory *m, void *block, size_t size)
{
    if (!block)
        return;
    m->hook.resize(m->hook.user, raw_part(block), raw_size(size), 0);
    m->bytes -= size;
}

pl_result array_reserve(memory *m, void *data, int64_t *capacity, int64_t wanted, size_t item)
{
    if (wanted <= *capacity)
        return PL_OK;
    int64_t grown = *capacity + *capacity / 2;
    if (grown < wanted)
        grown = wanted;
    void *block;
    memcpy(&block, data, sizeof block);
    if ((uint64_t)grown > SIZE_MAX / 4 / item)
        return fail(PL_ERROR_MEMORY, "out of memory: %lld items of %zu bytes were asked for", (long long)grown, item);
    pl_result result = memory_resize(m, &block, (size_t)*capacity * item, (size_t)grown * item);
    if (result != PL_OK)
        return result;
    memcpy(data, &block, sizeof block);
    *capacity = grown;
    return PL_OK;
}

void array_free(memory *m, void *data, int64_t *capacity, size_t item)
{
    void *block;
    memcpy(&block, data, sizeof block);
    memory_free(m, block, (size_t)*capacity * item);
    block = NULL;
    memcpy(data, &block, sizeof block);
    *capacity = 0;
}
