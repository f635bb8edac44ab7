// faults.c: every call of CUDA may fail. The N-th one is made to, as if memory had run out or as if the device was lost, for many N:
// the step must say so, the world must be as it was after a frame that it names, and the CPU must go on from there.
//   faults [N...]      also on the emulated device; exit 77 where there is none
#include "worlds.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum
{
    FRAMES = 12,
    UNHARMED = 10, // how a child ends
    RECOVERED = 11,
    NO_WORLD = 12,
    NO_DEVICE = 77,
};

static void build(pl_world *w)
{
    layers(w);
    cloth(w);
}

static pl_settings settings_of(void)
{
    pl_settings s = pl_default_world_def().settings;
    s.substeps = 4;
    return s;
}

// A grown-up edit in the middle, so that the structure is sent again.
static pl_result step(pl_world *w, int frame)
{
    if (frame == 6)
    {
        const float x[3] = {0.0f, 1.0f, 0.0f};
        pl_particles_def p = pl_default_particles_def();
        p.count = 1;
        p.position = x;
        pl_result result = pl_add_particles(w, &p, NULL);
        if (result != PL_OK)
            return result;
    }
    return pl_world_step(w, 1.0f / 60.0f);
}

static void positions(pl_world *w, float *x) { must(pl_get(w, PL_POSITION, 0, pl_particle_count(w), x)); }

// Is the world where an untroubled one is after as many frames?
static bool is_where(pl_world *w, int frames)
{
    pl_world *other = make_world(PL_BACKEND_CPU, settings_of());
    build(other);
    for (int f = 0; f < frames; f++)
        must(step(other, f));
    int count = pl_particle_count(w), theirs = pl_particle_count(other);
    size_t bytes = 12 * (size_t)(count < theirs ? count : theirs);
    float *a = malloc(12 * (size_t)count), *b = malloc(12 * (size_t)theirs);
    positions(w, a);
    positions(other, b);
    bool same = memcmp(a, b, bytes) == 0;
    free(a);
    free(b);
    pl_world_destroy(other);
    return same;
}

static int frames_of(const pl_world *w) { return (int)(pl_world_time(w) * 60.0 + 0.5); }

// The child's part: a world on a device that fails.
static int live_through(void)
{
    pl_world_def def = pl_default_world_def();
    pl_world *w;
    def.settings = settings_of();
    def.backend = PL_BACKEND_CUDA;
    if (pl_world_create(&def, &w) != PL_OK)
        return NO_WORLD;
    build(w);
    int frame = 0;
    pl_result result = PL_OK;
    while (result == PL_OK && frame < FRAMES)
    {
        result = step(w, frame);
        if (result == PL_OK && ++frame % 5 == 0 && pl_world_hash(w) == 0) // reading may fail too
            result = PL_ERROR_DEVICE;
    }
    if (result == PL_OK)
        return UNHARMED;
    printf("%s: %s\n", pl_result_name(result), pl_error_message());
    if (result != PL_ERROR_MEMORY && result != PL_ERROR_DEVICE)
        return 1;
    int told = frames_of(w);
    if (told > frame + 1 || told < frame - 2 - (frame >= 6 ? 0 : 6))
    {
        printf("back at frame %d of %d\n", told, frame);
        return 1;
    }
    must(pl_world_set_backend(w, PL_BACKEND_CPU));
    if (!is_where(w, told))
    {
        printf("the world is not where it was after frame %d\n", told);
        return 1;
    }
    for (int f = 0; f < 5; f++)
        must(pl_world_step(w, 1.0f / 60.0f));
    pl_world_destroy(w);
    return RECOVERED;
}

static int try_one(const char *fault, int live(void))
{
    fflush(stdout);
    pid_t child = fork();
    if (child == 0)
    {
        setenv("PLIANT_CUDA_FAIL", fault, 1);
        int how = live();
        fflush(stdout);
        _exit(how);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

// Edits that fit send what has changed, and the graph stays. The emulated device counts; a real one does not.
static int keep_graph(void)
{
    const char *module = getenv("PLIANT_CUDA_MODULE");
    pl_world *w = make_world(PL_BACKEND_CUDA, settings_of());
    void *opened = module ? dlopen(module, RTLD_NOW | RTLD_NOLOAD) : NULL;
    const int *graphs = opened ? dlsym(opened, "emulated_graphs") : NULL;
    int before = 0;
    if (!graphs)
        return UNHARMED;
    cloth(w);
    for (int round = 0; round < 10; round++)
    {
        const float x[3] = {0.0f, 1.0f, 0.0f};
        pl_particles_def p = pl_default_particles_def();
        pl_constraints_def d = pl_default_constraints_def();
        int32_t ends[2] = {0, 3};
        pl_id one, link;
        p.count = 1, p.position = x;
        d.kind = PL_KIND_DISTANCE, d.count = 1, d.index = ends;
        must(pl_world_step(w, 1.0f / 60.0f));
        must(pl_add_particles(w, &p, &one));
        must(pl_add_constraints(w, &d, &link));
        must(pl_world_step(w, 1.0f / 60.0f));
        must(pl_remove(w, link));
        must(pl_remove(w, one));
        before = round == 0 ? *graphs : before;
    }
    if (*graphs != before)
        printf("%d graphs were made for edits that fit\n", *graphs - before);
    return *graphs == before ? UNHARMED : 1;
}

int main(int count, char **words)
{
    int tried = 0, recovered = 0, bad = 0;
    if (try_one("0", live_through) != UNHARMED)
    {
        puts("skipped: no device");
        return NO_DEVICE;
    }
    bad += try_one("0", keep_graph) != UNHARMED;
    for (int i = 1; i < count; i++)
        printf("%s: %d\n", words[i], try_one(words[i], live_through));
    for (int kind = 0; kind < 2 && count == 1; kind++)
        for (int at = 1, end = 0; !end; at += 1 + at / 6)
        {
            char fault[32];
            snprintf(fault, sizeof fault, "%d%s", at, kind ? "!" : "");
            int how = try_one(fault, live_through);
            end = how == UNHARMED;
            tried += !end;
            recovered += how == RECOVERED || how == NO_WORLD;
            if (how != RECOVERED && how != NO_WORLD && how != UNHARMED)
                printf("fault %s: %d\n", fault, how), bad++;
        }
    printf("%d faults, %d lived through, %d not\n", tried, recovered, bad);
    return bad != 0;
}
