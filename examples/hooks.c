// hooks.c: the memory and the threads of the game. All memory of the world comes from our allocator, which counts it; the
// work of a step runs on our own scheduler, here two threads. The result has the bits of the built-in pool.
#include "check.h"

#include <pthread.h>
#include <stdatomic.h>

struct memory
{
    size_t used, most;
    int calls;
};

static void *resize(void *user, void *block, size_t old_size, size_t new_size)
{
    struct memory *m = user;
    m->calls++;
    if (new_size == 0)
    {
        m->used -= old_size;
        free(block);
        return NULL;
    }
    void *moved = realloc(block, new_size);
    m->used += moved ? new_size - old_size : 0;
    m->most = m->used > m->most ? m->used : m->most;
    return moved;
}

// A batch of work: each thread takes the next number until none is left.
struct batch
{
    void (*task)(void *arg, int i);
    void *arg;
    int count;
    atomic_int next;
};

static void *work(void *p)
{
    struct batch *b = p;
    for (int i = atomic_fetch_add(&b->next, 1); i < b->count; i = atomic_fetch_add(&b->next, 1))
        b->task(b->arg, i);
    return NULL;
}

// A real game gives the batch to its job system; a thread for each batch shows the idea.
static void run(void *user, int count, void (*task)(void *arg, int i), void *arg)
{
    atomic_llong *batches = user;
    struct batch b = {task, arg, count, 0};
    pthread_t helper;
    int helped = count > 1 && pthread_create(&helper, NULL, work, &b) == 0;
    work(&b);
    if (helped)
        pthread_join(helper, NULL);
    atomic_fetch_add(batches, 1);
}

static unsigned long long simulate(const pl_world_def *def)
{
    pl_world *world;
    CHECK(pl_world_create(def, &world));
    pl_cloth_def cloth = pl_default_cloth_def();
    cloth.columns = cloth.rows = 60; // what is too small to share is not given to the scheduler
    cloth.pinned = (int32_t[]){0, 59};
    cloth.pinned_count = 2;
    CHECK(pl_add_cloth(world, &cloth, NULL));
    for (int frame = 0; frame < 20; frame++)
        CHECK(pl_world_step(world, 1.0f / 60.0f));
    unsigned long long hash = pl_world_hash(world);
    pl_world_destroy(world);
    return hash;
}

int main(void)
{
    struct memory memory = {0, 0, 0};
    atomic_llong batches = 0;
    pl_world_def def = pl_default_world_def();
    unsigned long long built_in = simulate(&def);
    def.threads = 2; // into how many parts work is divided
    def.allocator = (pl_allocator){resize, &memory};
    def.tasks = (pl_tasks){run, &batches};
    unsigned long long ours = simulate(&def);
    printf("%d calls of the allocator, at most %zu KB, %zu bytes left; %lld batches\n", memory.calls,
           memory.most / 1024, memory.used, (long long)batches);
    printf("built-in pool %016llx, our scheduler %016llx: %s\n", built_in, ours,
           built_in == ours ? "equal" : "DIFFERENT");
    return built_in == ours && memory.used == 0 && memory.calls > 0 && batches > 0 ? 0 : 1;
}
