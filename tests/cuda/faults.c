// faults.c: every call of CUDA may fail. The N-th one is made to, as if memory had run out or as if the device was lost, for many N: the step
// must say so, and the world must go on, on the CPU, from a frame that it names as if there had never been a device: what is saved of it is, bit
// for bit, what is saved of a world that has been on the CPU for as many frames. For a world of every kind, because each has a state of its own.
//   faults [NAME [N...]]      `list` prints the names; also on the emulated device; exit 77 where there is none
//   faults 2/4                the second of each four worlds, for tests that run side by side
#include "backend/cuda/debug.h"
#include "cuda/no_device.h"
#include "support/long.h"
#include "trials.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum
{
    UNHARMED = 10, // how a child ends
    RECOVERED = 11,
    NO_WORLD = 12,
    STRUCK_HEAT = 13, // recovered, from a fault while heat flowed
    FRAMES_MOST = 12,
};

// ---- a run ---------------------------------------------------------------------------------------------------------

typedef struct run
{
    const trial *t;
    pl_scene *scene; // or NULL
    pl_world *w;
    float dt;
} run;

static pl_result open_run(run *r, const trial *t, pl_backend backend)
{
    pl_world_def def = pl_default_world_def();
    pl_result result;
    int sets = 0;
    *r = (run){.t = t, .dt = 1.0f / 60.0f};
    def.threads = 2;
    def.backend = backend;
    def.settings.substeps = 4;
    if (!t->scene)
    {
        result = pl_world_create(&def, &r->w);
        if (result == PL_OK)
            t->build(r->w);
        return result;
    }
    size_t length;
    const char *text = pl_builtin_scene(t->scene, &length);
    while (t->sets[sets])
        sets++;
    must(pl_scene_parse(text, length, t->scene, t->sets, sets, &r->scene));
    result = pl_scene_world(r->scene, &def, &r->w);
    r->dt = pl_scene_describe(r->scene).dt;
    return result;
}

static void close_run(run *r)
{
    pl_world_destroy(r->w);
    pl_scene_free(r->scene);
}

// What is done before a step may be done twice.
static pl_result act(const run *r, int frame)
{
    pl_result result = r->t->act ? r->t->act(r->w, frame) : PL_OK;
    return result == PL_OK && r->scene ? pl_scene_before_step(r->scene, r->w) : result;
}

typedef struct saved
{
    void *bytes;
    size_t size;
} saved;

static saved as_it_is(const run *r, int frame)
{
    saved s;
    must(act(r, frame));
    pl_world_order(r->w); // a step that failed may have got so far
    must(pl_world_save_memory(r->w, &s.bytes, &s.size));
    return s;
}

static bool is_same(const char *what, int frame, saved is, const saved *wanted)
{
    bool same = is.size == wanted->size && memcmp(is.bytes, wanted->bytes, is.size) == 0;
    size_t at = 0;
    while (!same && at < is.size && at < wanted->size && ((char *)is.bytes)[at] == ((char *)wanted->bytes)[at])
        at += at == 7 ? 9 : 1; // the sum is no news
    if (!same)
        printf("%s, after frame %d: %zu bytes and not %zu, others from %zu on\n", what, frame, is.size, wanted->size,
               at);
    pl_free(is.bytes);
    return same;
}

static const trial *tried;
static saved expected[FRAMES_MOST + 1]; // on the CPU, after so many frames

static void expect(const trial *t)
{
    run r;
    tried = t;
    must(open_run(&r, t, PL_BACKEND_CPU));
    for (int f = 0; f <= t->frames; f++)
    {
        expected[f] = as_it_is(&r, f);
        if (f < t->frames)
            must(pl_world_step(r.w, r.dt));
    }
    if (t->scene && strcmp(t->scene, "tear") == 0 && pl_world_tears(r.w).splits == 0)
        puts("nothing has torn"), exit(1);
    close_run(&r);
}

// ---- faults --------------------------------------------------------------------------------------------------------

// The child's part: a world on a device that fails.
static int live_through(void)
{
    run r;
    int frame = 0;
    pl_result result = PL_OK;
    if (open_run(&r, tried, PL_BACKEND_CUDA) != PL_OK)
        return NO_WORLD;
    while (result == PL_OK && frame < tried->frames)
    {
        result = act(&r, frame);
        if (result == PL_OK)
            result = pl_world_step(r.w, r.dt);
        if (result == PL_OK && ++frame % 3 == 0 && pl_world_hash(r.w) == 0) // reading may fail too
            result = PL_ERROR_DEVICE;
    }
    if (result == PL_OK)
        result = pl_world_set_backend(r.w, PL_BACKEND_CPU); // so may leaving
    char words[512];
    snprintf(words, sizeof words, "%s: %s", pl_result_name(result), pl_error_message());
    if (result != PL_OK && result != PL_ERROR_MEMORY && result != PL_ERROR_DEVICE)
        return puts(words), 1;
    int told = (int)(pl_world_time(r.w) / (double)r.dt + 0.5);
    if (told > frame || told < frame - 3)
        return printf("%s\nback at frame %d of %d\n", words, told, frame), 1;
    must(pl_world_set_backend(r.w, PL_BACKEND_CPU));
    bool same = told == 0 || is_same("brought home", told, as_it_is(&r, told), &expected[told]); // 0: it may be ordered
    for (int f = told; f < tried->frames; f++)
    {
        must(act(&r, f));
        must(pl_world_step(r.w, r.dt));
    }
    same &= is_same("gone on", tried->frames, as_it_is(&r, tried->frames), &expected[tried->frames]);
    if (!same)
        puts(words);
    close_run(&r);
    return !same ? 1 : result == PL_OK ? UNHARMED : strstr(words, " heat") ? STRUCK_HEAT : RECOVERED;
}

static int no_fault(void)
{
    run r;
    return open_run(&r, tried, PL_BACKEND_CUDA) == PL_OK ? UNHARMED : NO_WORLD;
}

static int try_one(const char *fault, int live(void))
{
    fflush(stdout);
    pid_t child = fork();
    if (child == 0)
    {
        char *rest;
        cuda_debug_switches.fail_at = strtol(fault, &rest, 10);
        cuda_debug_switches.fail_lost = *rest == '!';
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
    pl_world *w = make_world(PL_BACKEND_CUDA, pl_default_world_def().settings);
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
        pl_id one, link, rope;
        p.count = 1, p.position = x;
        d.kind = PL_KIND_DISTANCE, d.count = 1, d.index = ends;
        must(pl_world_step(w, 1.0f / 60.0f));
        must(pl_add_particles(w, &p, &one));
        must(pl_add_constraints(w, &d, &link));
        must(add_part(w, 0, (pl_vec3){0.0f, 1.0f, 3.0f}, &rope));
        must(pl_world_step(w, 1.0f / 60.0f));
        must(pl_remove(w, rope));
        must(pl_remove(w, link));
        must(pl_remove(w, one));
        before = round == 0 ? *graphs : before;
    }
    if (*graphs != before)
        printf("%d graphs were made for edits that fit\n", *graphs - before);
    return *graphs == before ? UNHARMED : 1;
}

// A world of a trial that goes on after a frame that blew up; its hash.
static unsigned long long hash_after_blow(const trial *t, pl_backend backend)
{
    run r;
    const float push[3] = {3e38f, 0.0f, 0.0f}, none[3] = {0.0f, 0.0f, 0.0f};
    must(open_run(&r, t, backend));
    for (int f = 0; f < 3; f++)
        must(pl_world_step(r.w, r.dt));
    int count = pl_particle_count(r.w);
    for (int i = 0; i < count; i++)
        must(pl_set(r.w, PL_ATTRIBUTE_FORCE, i, 1, push));
    if (pl_world_step(r.w, r.dt) != PL_ERROR_DIVERGED)
        printf("%s: the frame did not blow up: %s\n", t->name, pl_error_message()), exit(1);
    for (int i = 0; i < count; i++)
        must(pl_set(r.w, PL_ATTRIBUTE_FORCE, i, 1, none));
    for (int f = 0; f < 2; f++)
        must(pl_world_step(r.w, r.dt));
    unsigned long long hash = (unsigned long long)pl_world_hash(r.w);
    close_run(&r);
    return hash;
}

// Poses and wear that a device has changed go back with the frame.
static int go_on_after_blow(void)
{
    static const char *const names[] = {"cloth",    "plastic", "bodies", "plastic bodies",
                                        "oriented", "lattice", "balloon"};
    int differ = 0;
    for (size_t i = 0; i < sizeof trials / sizeof *trials; i++)
        for (size_t k = 0; k < sizeof names / sizeof *names; k++)
            if (strcmp(trials[i].name, names[k]) == 0)
            {
                unsigned long long cpu = hash_after_blow(&trials[i], PL_BACKEND_CPU),
                                   cuda = hash_after_blow(&trials[i], PL_BACKEND_CUDA);
                if (cpu != cuda)
                    printf("%s: after a frame that blew up, cpu %016llx, cuda %016llx\n", names[k], cpu, cuda);
                differ += cpu != cuda;
            }
    return differ ? 1 : UNHARMED;
}

static int recovered; // of a trial

static bool try_at(const trial *t, int at, bool lost, int tally[2], int *bad)
{
    char fault[32];
    snprintf(fault, sizeof fault, "%d%s", at, lost ? "!" : "");
    int how = try_one(fault, live_through);
    bool ran = how == RECOVERED || how == STRUCK_HEAT, lived = ran || how == NO_WORLD;
    tally[0] += how != UNHARMED;
    tally[1] += lived;
    recovered += ran;
    if (!lived && how != UNHARMED)
        printf("%s: fault %s: %d\n", t->name, fault, how), ++*bad;
    return how != UNHARMED;
}

// Faults ever farther apart, until one comes after the end; most calls are made for the first frame, hence some more all over.
static void try_many(const trial *t, int tally[2], int *bad)
{
    int at = 1, last = 1, more = is_long() ? 6 : 3;
    recovered = 0;
    while (try_at(t, at, true, tally, bad))
    {
        last = at;
        at += 1 + at;
    }
    for (int i = 1; i <= more; i++)
    {
        int spot = last + (at - last) / 2 - (last * (more - i)) / more;
        if (spot > 0)
            try_at(t, spot, true, tally, bad), try_at(t, spot + 1, false, tally, bad);
    }
    if (recovered < more)
        printf("%s: only %d faults struck while the world ran\n", t->name, recovered), ++*bad;
}

static void try_short(const trial *t, int at, int *bad)
{
    char fault[32];
    snprintf(fault, sizeof fault, "%d", at);
    int how = try_one(fault, live_through);
    if (how != UNHARMED)
        printf("%s: no memory at call %d: %d\n", t->name, at, how), ++*bad;
}

// Where the device has no memory for heat, the host lets it flow, and nobody is told.
static void try_heat(const trial *t, int *bad)
{
    enum
    {
        ROOMS = 5, // that are taken before heat is sent for the first time
    };
    int struck = 0, how = RECOVERED;
    for (int at = 1; how != UNHARMED; at++)
    {
        char fault[32];
        snprintf(fault, sizeof fault, "%d!", at);
        how = try_one(fault, live_through);
        if (how == STRUCK_HEAT)
            for (int i = struck++ ? 0 : ROOMS; i >= 0; i--)
                try_short(t, at - i, bad);
    }
    if (struck < 8)
        printf("%s: only %d faults struck heat\n", t->name, struck), ++*bad;
}

int main(int count, char **words)
{
    int tally[2] = {0}, bad = 0, part = 1, parts = 1;
    if (count > 1 && sscanf(words[1], "%d/%d", &part, &parts) == 2)
        count = 1;
    for (size_t i = 0; count > 1 && strcmp(words[1], "list") == 0 && i < sizeof trials / sizeof *trials; i++)
        puts(trials[i].name);
    if (count > 1 && strcmp(words[1], "list") == 0)
        return 0;
    tried = &trials[0];
    if (try_one("0", no_fault) == NO_WORLD)
    {
        return no_device("no world could be made on it");
    }
    if (count == 1 ? part == 1 : strcmp(words[1], "edits") == 0)
        bad += try_one("0", keep_graph) != UNHARMED;
    if (count == 1 ? part == parts : strcmp(words[1], "blown") == 0)
        bad += try_one("0", go_on_after_blow) != UNHARMED;
    for (size_t i = 0; i < sizeof trials / sizeof *trials; i++)
    {
        const trial *t = &trials[i];
        if (count > 1 ? strcmp(words[1], t->name) != 0 : (int)i % parts != part - 1)
            continue;
        int before[2] = {tally[0], bad};
        expect(t);
        for (int k = 2; k < count; k++)
            printf("%s: %d\n", words[k], try_one(words[k], live_through));
        if (count < 3)
            try_many(t, tally, &bad);
        if (count < 3 && strcmp(t->name, "warm") == 0)
            try_heat(t, &bad);
        printf("%-16s %3d faults, %d not lived through\n", t->name, tally[0] - before[0], bad - before[1]);
        for (int f = 0; f <= t->frames; f++)
            pl_free(expected[f].bytes);
    }
    printf("%d faults, %d lived through, %d not\n", tally[0], tally[1], bad);
    return bad != 0;
}
