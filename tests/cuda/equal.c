// equal.c: the same world on the CPU and on the GPU, edits and all, compared by hash. Needs an NVIDIA GPU.
//   equal            every case; exit 1 if a hash differs
//   equal 600        every built-in scene, at full size, for 600 frames
//   equal small [NAME...]   few frames of small versions of all scenes, or of some; `list` tells their names
//   equal small 2/4  the second quarter of them, for tests that run side by side
//   equal rare       what is rare: see there
//   equal golden F [NAME]   both against the hashes in tests/scenes/golden.txt
//   equal case NAME...      some cases; `list` tells their names
//   equal edits      what an edit costs
//   equal copies     what a frame costs, with what it sends home
//   equal scene NAME FRAMES [PATH=VALUE...]
#include "cases.h"
#include "cuda/no_device.h"
#include "costs.h"
#include "backend/cuda/debug.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Without a GPU there is nothing to compare.
static void need_device(void)
{
    pl_world_def def = pl_default_world_def();
    pl_world *w;
    def.backend = PL_BACKEND_CUDA;
    if (pl_world_create(&def, &w) == PL_OK)
    {
        printf("on %s\n", pl_world_device(w));
        pl_world_destroy(w);
        return;
    }
    exit(no_device(pl_error_message()));
}

// The events of a step, every bit of them, into a hash.
static uint64_t hash_events(const pl_world *w, uint64_t h)
{
    static _Thread_local pl_contact_event told[16384];
    int count = pl_contact_events(w, told, 16384);
    if (count > 16384)
        exit(2);
    for (size_t i = 0; i < (size_t)count * sizeof *told; i++)
        h = (h ^ ((const unsigned char *)told)[i]) * 1099511628211u;
    return h;
}

// What presses at the end, how deep, and where: read on the host, from what either backend holds.
static uint64_t hash_contacts(const pl_world *w, uint64_t h)
{
    static _Thread_local pl_contact_info told[16384];
    int count = pl_get_contacts(w, told, 16384);
    pl_penetration depth = pl_world_penetration(w);
    if (count > 16384)
        exit(2);
    for (int i = 0; i < count; i++)
    {
        const float what[] = {told[i].overlap,  told[i].force,    told[i].point.x,  told[i].point.y,  told[i].point.z,
                              told[i].normal.x, told[i].normal.y, told[i].normal.z, (float)told[i].a, (float)told[i].b};
        for (size_t k = 0; k < sizeof what; k++)
            h = (h ^ ((const unsigned char *)what)[k]) * 1099511628211u;
    }
    static _Thread_local pl_rigid_contact bodies[4096];
    count = pl_get_rigid_contacts(w, (pl_id){0, 0}, bodies, 4096);
    for (size_t i = 0; count <= 4096 && i < (size_t)count * sizeof *bodies; i++)
        h = (h ^ ((const unsigned char *)bodies)[i]) * 1099511628211u;
    for (size_t k = 0; k < sizeof depth.max; k++)
        h = (h ^ ((const unsigned char *)&depth.max)[k] ^ ((const unsigned char *)&depth.mean)[k]) * 1099511628211u;
    return h;
}

// All heat there is, every bit of it: the world's hash has it as floats. 0 where nothing is warm.
static uint64_t hash_heat(const pl_world *w)
{
    double heat = pl_world_heat(w).heat;
    uint64_t bits;
    memcpy(&bits, &heat, sizeof bits);
    return bits * 1099511628211u;
}

static uint64_t run(const test_case *t, pl_backend backend)
{
    pl_settings s = pl_default_world_def().settings;
    s.substeps = t->substeps;
    s.iterations = t->iterations;
    s.solver = t->solver;
    s.integrator = t->integrator;
    s.internal_damping = t->internal_damping;
    s.wind = (pl_wind){{3.0f, 0.0f, 1.0f}, 0.5f, 0.3f, 1.2f};
    pl_world *w = make_world(backend, s);
    uint64_t events = 0;
    t->build(w);
    for (int f = 0; f < t->frames; f++)
    {
        if (t->edit)
            t->edit(w, f);
        must(pl_world_step(w, 1.0f / 60.0f));
        events = hash_events(w, events);
    }
    uint64_t hash = pl_world_hash(w) ^ hash_contacts(w, events) ^ hash_heat(w);
    pl_world_destroy(w);
    return hash;
}

static int compare_case(const test_case *t)
{
    uint64_t cpu = run(t, PL_BACKEND_CPU), gpu = run(t, PL_BACKEND_CUDA);
    printf("%-18s cpu %016llx  cuda %016llx  %d frames  %s\n", t->name, (unsigned long long)cpu,
           (unsigned long long)gpu, t->frames, cpu == gpu ? "equal" : "DIFFERENT");
    fflush(stdout);
    return cpu != gpu;
}

static uint64_t run_scene(const scene_case *t, pl_backend backend, int64_t *told)
{
    size_t length;
    const char *text = pl_builtin_scene(t->scene, &length);
    pl_world_def def = pl_default_world_def();
    pl_scene *scene;
    pl_world *w;
    uint64_t events = 0;
    int sets = 0;
    while (t->sets[sets])
        sets++;
    def.threads = world_threads;
    def.backend = backend;
    must(pl_scene_parse(text, length, t->scene, t->sets, sets, &scene));
    must(pl_scene_world(scene, &def, &w));
    float dt = pl_scene_describe(scene).dt;
    for (int f = 0; f < t->frames; f++)
    {
        if (t->meddle)
            t->meddle(&w, f, backend);
        must(pl_scene_before_step(scene, w));
        must(pl_world_step(w, dt));
        events = hash_events(w, events);
    }
    *told = pl_world_contact_counts(w).all_begun + pl_world_penetration(w).contacts;
    uint64_t hash = pl_world_hash(w) ^ events; // 0 where nobody watches
    pl_world_destroy(w);
    pl_scene_free(scene);
    return hash;
}

typedef struct cpu_run
{
    const scene_case *t;
    uint64_t hash;
    int64_t told;
} cpu_run;

static void *run_cpu(void *arg)
{
    cpu_run *r = arg;
    r->hash = run_scene(r->t, PL_BACKEND_CPU, &r->told);
    return NULL;
}

// Where there is much to do, both at once: one uses the cores, the other the device.
static int compare_scene(const scene_case *t)
{
    cpu_run cpu = {.t = t};
    pthread_t other;
    bool apart = t->frames < 10;
    if (apart)
        run_cpu(&cpu);
    else if (pthread_create(&other, NULL, run_cpu, &cpu) != 0)
        exit(2);
    int64_t told;
    uint64_t gpu = run_scene(t, PL_BACKEND_CUDA, &told);
    if (!apart)
        pthread_join(other, NULL);
    bool equal = cpu.hash == gpu && cpu.told == told;
    printf("%-18s cpu %016llx  cuda %016llx  %lld contacts, %d frames  %s\n", t->name, (unsigned long long)cpu.hash,
           (unsigned long long)gpu, (long long)told, t->frames, equal ? "equal" : "DIFFERENT");
    fflush(stdout);
    return !equal;
}

// ---- sets of cases -------------------------------------------------------------------------------------------------

static int part, parts = 1, turn; // of the cases in their order, every parts-th

static bool is_our_turn(void) { return turn++ % parts == part; }

static bool is_named(const char *name, int count, char **names)
{
    for (int i = 0; i < count; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return count == 0 && is_our_turn();
}

static int list_cases(const case_set *c)
{
    for (int i = 0; i < c->world_count; i++)
        puts(c->worlds[i].name);
    for (int i = 0; i < c->scene_count; i++)
        puts(c->scenes[i].name);
    return 0;
}

// Those named, or all; how many differ.
static int compare_set(const case_set *c, int count, char **names)
{
    int differ = 0, seen = 0;
    for (int i = 0; i < c->world_count; i++)
        if (is_named(c->worlds[i].name, count, names))
        {
            differ += compare_case(&c->worlds[i]);
            seen++;
        }
    for (int i = 0; i < c->scene_count; i++)
        if (is_named(c->scenes[i].name, count, names))
        {
            differ += compare_scene(&c->scenes[i]);
            seen++;
        }
    if (seen < count)
    {
        printf("of %d names %d are none of a case\n", count, count - seen);
        differ++;
    }
    return differ;
}

// Every scene as it is, for so many frames.
static int compare_builtin(int frames)
{
    int differ = 0;
    for (int i = 0; pl_builtin_scene_name(i); i++)
        differ += compare_scene(
            &(scene_case){.name = pl_builtin_scene_name(i), .scene = pl_builtin_scene_name(i), .frames = frames});
    printf("%d scenes differ\n", differ);
    return differ != 0;
}

// Against the golden hashes of tests/scenes/golden.txt, on both backends: a scene's rows follow each other, frames rising.
static int compare_golden(const char *path, const char *only)
{
    FILE *file = fopen(path, "r");
    if (!file)
    {
        fprintf(stderr, "equal: %s cannot be read\n", path);
        return 2;
    }
    char line[256], name[128], hash[64];
    int frames, rows = 0, differ = 0;
    while (fgets(line, sizeof line, file))
    {
        if (line[0] == '#' || sscanf(line, "%127s %d %63s", name, &frames, hash) != 3 ||
            (only && strcmp(only, name) != 0))
            continue;
        unsigned long long wanted = strtoull(hash, NULL, 16);
        scene_case t = {.name = name, .scene = name, .frames = frames};
        int64_t told;
        unsigned long long cpu = run_scene(&t, PL_BACKEND_CPU, &told), gpu = run_scene(&t, PL_BACKEND_CUDA, &told);
        bool equal = cpu == wanted && gpu == wanted;
        printf("%-16s %4d frames  golden %016llx  cpu %016llx  cuda %016llx  %s\n", name, frames, wanted, cpu, gpu,
               equal ? "equal" : "DIFFERENT");
        fflush(stdout);
        rows++;
        differ += !equal;
    }
    fclose(file);
    printf("%d rows, %d differ\n", rows, differ);
    return rows == 0 || differ != 0;
}

// What is rare: frames that are taken to be calm and are not, which halt where a list does not hold and go on from there; lists that outgrow
// their room, in such a frame too; cells and blocks that hold too many to be counted; colours of pairs as kernels of their own, as large scenes have.
static int compare_rare(void)
{
    static const struct
    {
        cuda_debug how;
        const char *name;
    } told[] = {{{.speculative = 1}, "conveyor"},
                {{.speculative = 1}, "drape"},
                {{.speculative = 1}, "skins"},
                {{.speculative = 1}, "skins, watched"},
                {{.speculative = 1, .list_room = 64}, "trampoline"},
                {{.speculative = 1, .list_room = 64}, "sandpile"},
                {{.cell_crowd = 3}, "sand, watched"},
                {{.speculative = 1, .list_room = 64, .cell_crowd = 8}, "sandpile"},
                {{.colour_lanes = 32}, "stack"},
                {{.colour_lanes = 16}, "sandpile"},
                {{.speculative = 1, .colour_lanes = 4}, "bullets"},
                {{.speculative = 1}, "company"},
                {{.speculative = 1, .list_room = 64}, "company"},
                {{.speculative = 1}, "rain"},
                {{.list_room = 64}, "warming"},
                {{.cell_crowd = 3}, "warming"},
                {{.list_room = 64, .cell_crowd = 3}, "melting"}};
    const cuda_debug before = cuda_debug_switches;
    int differ = 0;
    for (size_t i = 0; i < sizeof told / sizeof *told; i++)
    {
        if (!is_our_turn())
            continue;
        cuda_debug_switches = told[i].how;
        cuda_debug_switches.no_graph = before.no_graph;
        char *name = (char *)told[i].name; // only read
        differ += compare_set(&small_cases, 1, &name);
    }
    cuda_debug_switches = before;
    return differ;
}

static bool is_small(const char *scene)
{
    for (int i = 0; i < small_cases.scene_count; i++)
        if (strcmp(small_cases.scenes[i].scene, scene) == 0)
            return true;
    return false;
}

static int compare_small(int count, char **names)
{
    world_pace = 2;
    int differ = compare_set(&small_cases, count, names);
    differ += count ? 0 : compare_rare();
    for (int i = 0; !count && pl_builtin_scene_name(i); i++)
        if (!is_small(pl_builtin_scene_name(i)))
        {
            printf("%s: no small version of this scene is in the table\n", pl_builtin_scene_name(i));
            differ++;
        }
    return differ != 0;
}

static int compare_one(int count, char **words)
{
    scene_case t = {.name = words[0], .scene = words[0], .frames = atoi(words[1])};
    for (int i = 2; i < count && i < 7; i++)
        t.sets[i - 2] = words[i];
    return compare_scene(&t);
}

int main(int count, char **words)
{
    while (count > 1 && strncmp(words[1], "--", 2) == 0)
    {
        cuda_debug_switches.no_graph |= strcmp(words[1], "--no-graph") == 0;
        cuda_debug_switches.keep_every = strcmp(words[1], "--no-copies") == 0 ? -1 : cuda_debug_switches.keep_every;
        count--, words++;
    }
    const char *what = count > 1 ? words[1] : "";
    bool small = strcmp(what, "small") == 0, one = strcmp(what, "case") == 0 && count > 2;
    if ((small || one) && count > 2 && strcmp(words[2], "list") == 0)
        return list_cases(small ? &small_cases : &full_cases);
    need_device();
    world_threads = count > 3 || one || (small && count > 2) ? 2 : 0; // one of many: several run side by side
    if (strcmp(what, "scene") == 0 && count > 3)
        return compare_one(count - 2, words + 2);
    if (strcmp(what, "golden") == 0 && count > 2)
        return compare_golden(words[2], count > 3 ? words[3] : NULL);
    if (strcmp(what, "edits") == 0)
        return time_edits();
    if (strcmp(what, "copies") == 0)
        return time_copies();
    if (strcmp(what, "rare") == 0)
    {
        world_pace = 2;
        return compare_rare() != 0;
    }
    if (small && count == 3 && sscanf(words[2], "%d/%d", &part, &parts) == 2 && part-- > 0 && part < parts)
        return compare_small(0, NULL);
    if (small)
        return compare_small(count - 2, words + 2);
    if (one)
        return compare_set(&full_cases, count - 2, words + 2) != 0;
    if (count > 1)
        return compare_builtin(atoi(what));
    int differ = compare_set(&full_cases, 0, NULL);
    printf("%d differ\n", differ);
    return differ != 0;
}
