// memory.c: allocates aligned, counted blocks from the user's allocator.
#include "core/memory.h"

#include <stdbool.h>
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

// What lies before each block. The blocks of a memory are a list, so that a guard finds them all.
typedef struct block
{
    void *raw; // what the user's allocator gave
    struct block *next, *prev;
    size_t size;
    bool left_out; // of guards
    bool freed;    // while a guard keeps it
} block;

typedef struct guard
{
    struct block *first; // the newest block that it has copied: those before it in the list came later
    size_t size;         // of this block
    size_t bytes;        // memory.bytes
} guard;

void memory_open(memory *m, const pl_allocator *hook)
{
    *m = (memory){.hook = *hook};
    if (!m->hook.resize)
        m->hook.resize = standard_resize;
}

static size_t raw_size(size_t size) { return size + ALIGNMENT + sizeof(block); }
static void *data_of(block *b) { return b + 1; }
static block *block_of(void *data) { return (block *)data - 1; }

// Places the block in raw memory so that its data are aligned.
static block *place_block(void *raw, size_t size)
{
    uintptr_t start = ((uintptr_t)raw + sizeof(block) + ALIGNMENT - 1) & ~(uintptr_t)(ALIGNMENT - 1);
    block *b = block_of((void *)start);
    *b = (block){.raw = raw, .size = size};
    return b;
}

static void add_block(memory *m, block *b)
{
    b->next = m->first;
    if (b->next)
        b->next->prev = b;
    m->first = b;
}

static void give_back(memory *m, block *b)
{
    if (b->prev)
        b->prev->next = b->next;
    else
        m->first = b->next;
    if (b->next)
        b->next->prev = b->prev;
    m->hook.resize(m->hook.user, b->raw, raw_size(b->size), 0);
}

static bool has_room(const memory *m, size_t size)
{
    return !m->limit || (size <= m->limit && m->bytes <= m->limit - size);
}

static pl_result fail_limit(const memory *m, size_t size)
{
    return fail(
        PL_ERROR_MEMORY,
        "out of memory: %zu bytes more than the %zu in use would exceed the limit of %zu; raise memory_limit, or "
        "make the world smaller",
        size, m->bytes, m->limit);
}

pl_result memory_resize(memory *m, void **data, size_t old_size, size_t new_size)
{
    if (new_size == 0)
    {
        memory_free(m, *data, old_size);
        *data = NULL;
        return PL_OK;
    }
    if (!has_room(m, new_size))
        return fail_limit(m, new_size);
    // Always allocates a new block: a block that the allocator moves could be aligned differently.
    void *raw = new_size > SIZE_MAX / 2 ? NULL : m->hook.resize(m->hook.user, NULL, 0, raw_size(new_size));
    if (!raw)
        return fail(PL_ERROR_MEMORY, "out of memory: %zu bytes were asked for; make the world smaller", new_size);
    block *b = place_block(raw, new_size);
    char *fresh = data_of(b);
    size_t kept = old_size < new_size ? old_size : new_size;
    if (*data)
        memcpy(fresh, *data, kept);
    memset(fresh + kept, 0, new_size - kept);
    memory_free(m, *data, old_size);
    add_block(m, b);
    m->bytes += new_size;
    *data = fresh;
    return PL_OK;
}

// Was the block there when the guard began? Later ones stand before the guard's first in the list.
static bool is_guarded(const memory *m, const block *b)
{
    for (const block *late = m->first; m->guard && late != m->guard->first; late = late->next)
        if (late == b)
            return false;
    return m->guard != NULL;
}

void memory_free(memory *m, void *data, size_t size)
{
    if (!data)
        return;
    if (is_guarded(m, block_of(data)))
    {
        block_of(data)->freed = true; // and in use until the guard ends
        return;
    }
    m->bytes -= size;
    give_back(m, block_of(data));
}

void memory_join(memory *m, memory *other)
{
    block *last = other->first;
    while (last && last->next)
        last = last->next;
    if (last)
    {
        last->next = m->first;
        if (m->first)
            m->first->prev = last;
        m->first = other->first;
    }
    m->bytes += other->bytes;
    other->first = NULL;
    other->bytes = 0;
}

// ---- guards --------------------------------------------------------------------------------------------------------

void memory_leave_out(void *data) { block_of(data)->left_out = true; }

pl_result memory_guard(memory *m)
{
    size_t size = sizeof(guard);
    for (block *b = m->first; b; b = b->next)
        size += b->left_out ? 0 : b->size;
    bool fits = has_room(m, size);
    guard *g = fits ? m->hook.resize(m->hook.user, NULL, 0, size) : NULL;
    if (!fits)
        return fail_limit(m, size);
    if (!g)
        return fail(PL_ERROR_MEMORY, "out of memory: %zu bytes were asked for; make the world smaller", size);
    *g = (guard){.first = m->first, .size = size, .bytes = m->bytes};
    char *copy = (char *)(g + 1);
    for (block *b = m->first; b; b = b->next)
        if (!b->left_out)
        {
            memcpy(copy, data_of(b), b->size);
            copy += b->size;
        }
    m->guard = g;
    m->bytes += size;
    return PL_OK;
}

static void close_guard(memory *m, guard *g)
{
    m->guard = NULL;
    m->hook.resize(m->hook.user, g, g->size, 0);
}

void memory_keep(memory *m)
{
    guard *g = m->guard;
    for (block *b = g->first, *next; b; b = next)
    {
        next = b->next;
        if (b->freed)
        {
            m->bytes -= b->size;
            give_back(m, b);
        }
    }
    m->bytes -= g->size;
    close_guard(m, g);
}

void memory_undo(memory *m)
{
    guard *g = m->guard;
    memory now = *m; // m itself may be overwritten
    const char *copy = (const char *)(g + 1);
    while (now.first != g->first)
        give_back(&now, now.first);
    for (block *b = g->first; b; b = b->next)
    {
        b->freed = false;
        if (b->left_out)
            continue;
        memcpy(data_of(b), copy, b->size);
        copy += b->size;
    }
    now.bytes = g->bytes;
    *m = now;
    close_guard(m, g);
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
        return fail(PL_ERROR_MEMORY, "out of memory: %lld items of %zu bytes were asked for; make the world smaller",
                    (long long)grown, item);
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
