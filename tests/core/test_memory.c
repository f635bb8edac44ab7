// Aligned, counted blocks on the user's allocator; what happens when it gives nothing.
#include "support/support.h"

#include "core/arena.h"
#include "core/memory.h"

typedef struct ledger
{
    int64_t blocks, bytes;
    int calls, fail_at;
} ledger;

static void *book(void *user, void *block, size_t old_size, size_t new_size)
{
    ledger *l = user;
    if (new_size == 0)
    {
        l->blocks--;
        l->bytes -= (int64_t)old_size;
        free(block);
        return NULL;
    }
    assert_null(block);
    if (++l->calls == l->fail_at)
        return NULL;
    l->blocks++;
    l->bytes += (int64_t)new_size;
    return malloc(new_size);
}

static void blocks_are_aligned_counted_and_zero(void **state)
{
    (void)state;
    ledger l = {0};
    memory m;
    memory_open(&m, &(pl_allocator){book, &l});
    void *block = NULL;
    good(memory_resize(&m, &block, 0, 100));
    assert_int_equal((uintptr_t)block % 64, 0);
    assert_int_equal(m.bytes, 100);
    for (int i = 0; i < 100; i++)
        assert_int_equal(((char *)block)[i], 0);
    memset(block, 7, 100);
    good(memory_resize(&m, &block, 100, 300));
    for (int i = 0; i < 300; i++)
        assert_int_equal(((char *)block)[i], i < 100 ? 7 : 0);
    good(memory_resize(&m, &block, 300, 50));
    assert_int_equal(((char *)block)[49], 7);
    assert_int_equal(m.bytes, 50);
    good(memory_resize(&m, &block, 50, 0));
    assert_null(block);
    assert_int_equal(m.bytes, 0);
    assert_int_equal(l.blocks, 0);
    assert_int_equal(l.bytes, 0); // sizes told at the end are those told at the start
}

static void a_failed_resize_changes_nothing(void **state)
{
    (void)state;
    ledger l = {.fail_at = 2};
    memory m;
    memory_open(&m, &(pl_allocator){book, &l});
    void *block = NULL;
    good(memory_resize(&m, &block, 0, 10));
    memset(block, 3, 10);
    void *before = block;
    refused(memory_resize(&m, &block, 10, 1000), PL_ERROR_MEMORY, "1000 bytes");
    assert_ptr_equal(block, before);
    assert_int_equal(((char *)block)[9], 3);
    assert_int_equal(m.bytes, 10);
    refused(memory_resize(&m, &block, 10, SIZE_MAX - 5), PL_ERROR_MEMORY, "out of memory");
    memory_free(&m, block, 10);
    memory_free(&m, NULL, 5);
    assert_int_equal(l.blocks, 0);
}

static void arrays_grow_by_half(void **state)
{
    (void)state;
    ledger l = {0};
    memory m;
    memory_open(&m, &(pl_allocator){book, &l});
    int32_t *a = NULL;
    int64_t capacity = 0;
    for (int32_t i = 0; i < 10000; i++)
    {
        good(array_reserve(&m, &a, &capacity, i + 1, sizeof *a));
        a[i] = i;
    }
    for (int32_t i = 0; i < 10000; i++)
        assert_int_equal(a[i], i);
    assert_true(l.calls < 40);
    int64_t before = capacity;
    refused(array_reserve(&m, &a, &capacity, INT64_MAX / 2, sizeof *a), PL_ERROR_MEMORY, "out of memory");
    assert_int_equal(capacity, before);
    array_free(&m, &a, &capacity, sizeof *a);
    assert_null(a);
    assert_int_equal(capacity, 0);
    assert_int_equal(l.blocks, 0);
}

static void standard_allocator(void **state)
{
    (void)state;
    memory m;
    memory_open(&m, &(pl_allocator){0});
    void *block = NULL;
    good(memory_resize(&m, &block, 0, 4096));
    good(memory_resize(&m, &block, 4096, 100000));
    memory_free(&m, block, 100000);
    assert_int_equal(m.bytes, 0);
}

static void an_arena_counts_as_it_gives(void **state)
{
    (void)state;
    arena count = {0};
    assert_null(arena_take(&count, 3, 5));
    assert_null(arena_take(&count, 0, 5));
    assert_null(arena_take(&count, 100, 4));
    assert_int_equal(count.used, 64 + 0 + 448);
    _Alignas(64) static char room[512];
    arena give = {room, 0};
    assert_ptr_equal(arena_take(&give, 3, 5), room);
    assert_ptr_equal(arena_take(&give, 0, 5), room + 64);
    assert_ptr_equal(arena_take(&give, 100, 4), room + 64);
    assert_int_equal(give.used, count.used);
}

static void a_limit_holds(void **state)
{
    (void)state;
    ledger l = {0};
    memory m;
    memory_open(&m, &(pl_allocator){book, &l});
    m.limit = 1000;
    void *one = NULL, *two = NULL;
    good(memory_resize(&m, &one, 0, 600));
    refused(memory_resize(&m, &two, 0, 401), PL_ERROR_MEMORY, "would exceed the limit of 1000; raise memory_limit");
    assert_null(two);
    good(memory_resize(&m, &two, 0, 400));
    refused(memory_guard(&m), PL_ERROR_MEMORY, "out of memory"); // the copy counts too
    memory_free(&m, one, 600);
    memory_free(&m, two, 400);
    assert_int_equal(l.blocks, 0);
}

// While a guard keeps what has been freed, that and the copy are in use.
static void a_limit_holds_under_a_guard(void **state)
{
    (void)state;
    for (int keep = 0; keep < 2; keep++)
    {
        ledger l = {0};
        memory m;
        memory_open(&m, &(pl_allocator){book, &l});
        void *data = NULL, *more = NULL;
        good(memory_resize(&m, &data, 0, 1000));
        m.limit = 4000;
        void *before = data;
        good(memory_guard(&m));
        good(memory_resize(&m, &data, 1000, 1500));
        refused(memory_resize(&m, &more, 0, 600), PL_ERROR_MEMORY, "would exceed the limit of 4000");
        good(memory_resize(&m, &more, 0, 300));
        if (keep)
            memory_keep(&m);
        else
            memory_undo(&m);
        assert_int_equal(m.bytes, keep ? 1800 : 1000);
        memory_free(&m, keep ? data : before, keep ? 1500 : 1000);
        memory_free(&m, keep ? more : NULL, 300);
        assert_int_equal(l.blocks, 0);
    }
}

// Random changes under a guard: undone, every block is as it was; kept, nothing leaks.
static void guards_undo_everything(void **state)
{
    (void)state;
    enum
    {
        BLOCKS = 12,
    };
    for (int keep = 0; keep < 2; keep++)
        for (uint64_t seed = 1; seed < 50; seed++)
        {
            ledger l = {0};
            memory m;
            memory_open(&m, &(pl_allocator){book, &l});
            unsigned char *block[BLOCKS] = {NULL}, *before[BLOCKS];
            size_t size[BLOCKS] = {0}, was[BLOCKS];
            uint64_t dice_seed = seed;
            for (int round = 0; round < 2; round++)
            {
                if (round)
                {
                    memcpy(before, block, sizeof before);
                    memcpy(was, size, sizeof was);
                    good(memory_guard(&m));
                }
                for (int i = 0; i < 3 * BLOCKS; i++)
                {
                    int which = (int)(((double)dice(&dice_seed) + 1.0) / 2.0 * BLOCKS) % BLOCKS;
                    size_t next = (size_t)(((double)dice(&dice_seed) + 1.0) * 100.0);
                    void *data = block[which];
                    good(memory_resize(&m, &data, size[which], next));
                    block[which] = data, size[which] = next;
                    if (next)
                        memset(data, round ? 255 : which, next);
                }
            }
            if (keep)
                memory_keep(&m);
            else
            {
                memory_undo(&m);
                memcpy(block, before, sizeof before);
                memcpy(size, was, sizeof was);
                for (int i = 0; i < BLOCKS; i++)
                    for (size_t k = 0; k < size[i]; k++)
                        assert_int_equal(block[i][k], i);
            }
            size_t total = 0;
            for (int i = 0; i < BLOCKS; i++)
                total += size[i];
            assert_int_equal(m.bytes, total);
            for (int i = 0; i < BLOCKS; i++)
                memory_free(&m, block[i], size[i]);
            assert_int_equal(l.blocks, 0);
            assert_int_equal(l.bytes, 0);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_limit_holds),
        cmocka_unit_test(a_limit_holds_under_a_guard),
        cmocka_unit_test(guards_undo_everything),
        cmocka_unit_test(blocks_are_aligned_counted_and_zero),
        cmocka_unit_test(a_failed_resize_changes_nothing),
        cmocka_unit_test(arrays_grow_by_half),
        cmocka_unit_test(standard_allocator),
        cmocka_unit_test(an_arena_counts_as_it_gives),
    };
    return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}
