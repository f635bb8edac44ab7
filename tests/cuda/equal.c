// equal.c: the same world on the CPU and on the GPU, edits and all, compared by hash. Needs an NVIDIA GPU.
//   equal            every case; exit 1 if a hash differs
//   equal 600        every built-in scene, at full size, for 600 frames
//   equal small [N]  few frames of small versions of all scenes, or of one; `list` tells their names
//   equal golden F [NAME]   both against the hashes in tests/scenes/golden.txt
//   equal case NAME  one case; `list` tells their names
//   equal edits      what an edit costs
//   equal copies     what a frame costs, with what it sends home
//   equal scene NAME FRAMES [PATH=VALUE...]
#include "costs.h"
#include "worlds.h"

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
    printf("skipped: %s\n", pl_error_message());
    exit(77);
}

typedef struct test_case
{
    const char *name;
    void (*build)(pl_world *w);
    int frames, substeps, iterations;
    pl_solver solver;
    pl_integrator integrator;
    float internal_damping;
    void (*edit)(pl_world *w, int frame);
} test_case;

static void watch_world(pl_world *w, int frame)
{
    pl_watch_def def = pl_default_watch_def();
    def.stay = true;
    if (frame == 0)
        must(pl_watch_contacts(w, &def));
}

static const test_case cases[] = {
    {"cloth 20x1", cloth, 60, 20, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.0f, NULL},
    {"cloth 1x20", cloth, 60, 1, 20, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.0f, NULL},
    {"cloth PBD", cloth, 60, 2, 10, PL_SOLVER_PBD, PL_INTEGRATOR_BDF1, 0.0f, NULL},
    {"cloth BDF2", cloth, 60, 5, 4, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF2, 0.0f, NULL},
    {"dihedral, damped", soft_cloth, 60, 10, 2, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 1.0f, NULL},
    {"isometric", isometric_cloth, 60, 10, 2, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.0f, NULL},
    {"tiles", tiled_cloth, 20, 10, 2, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.5f, NULL},
    {"tiles, substeps", tiled_cloth, 10, 20, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.0f, NULL},
    {"bar", bar, 60, 20, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.0f, NULL},
    {"oddments", oddments, 60, 10, 3, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF2, 0.0f, NULL},
    {"elements", elements, 60, 20, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.0f, NULL},
    {"elements BDF2", elements, 60, 5, 4, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF2, 1.0f, NULL},
    {"elements PBD", elements, 20, 5, 2, PL_SOLVER_PBD, PL_INTEGRATOR_BDF1, 0.0f, NULL},
    {"skins", layers, 60, 10, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.0f, NULL},
    {"skins BDF2", layers, 40, 6, 2, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF2, 1.0f, NULL},
    {"skins, edits", layers, 40, 8, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.0f, edit_skins},
    {"skins, watched", layers, 60, 10, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.0f, watch_world},
    {"tangled, watched", dipped, 30, 10, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.0f, watch_world},
    {"tangled, dipped", dipped, 60, 10, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.0f, NULL},
    {"tangled, slit", slit, 60, 10, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.0f, NULL},
    {"wear", worn, 40, 10, 2, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.5f, NULL},
    {"wear BDF2, blades", worn, 30, 5, 2, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF2, 0.0f, edit_blade},
    {"company", company, 60, 20, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.0f, NULL},
    {"company, odd", company, 40, 5, 2, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.0f, watch_world},
    {"company, BDF2", company, 30, 6, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF2, 0.0f, NULL},
    {"company of hulls", company_of_hulls, 40, 10, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.0f, NULL},
    {"rain", rain, 60, 20, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.0f, NULL},
    {"melting", melting, 90, 4, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.0f, edit_floor},
    {"tiles, blades", tiled_cloth, 10, 4, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.0f, edit_blade},
    {"ellipsoids", ellipsoids, 60, 8, 2, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.5f, NULL},
    {"ellipsoids, bouncing", ellipsoids, 60, 8, 2, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.0f, edit_ellipsoids},
    {"ellipsoids BDF2", ellipsoids, 40, 6, 2, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF2, 0.0f, NULL},
    {"edits", cloth, 60, 10, 2, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF2, 1.0f, edit},
    {"edits, often", cloth, 60, 4, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF2, 0.0f, edit_often},
    {"edits, often, damped", worn, 30, 2, 2, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 1.0f, edit_often},
    {"edits, often, tiles", tiled_cloth, 6, 1, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.0f, edit_often},
    {"edits, tiles of links", tiled_links, 4, 2, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.0f, edit_ties},
    {"objects", cloth, 60, 4, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF2, 0.5f, edit_objects},
    {"objects, wear", worn, 30, 2, 2, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.0f, edit_objects},
    {"objects, skins", layers, 40, 4, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.0f, edit_objects},
    {"objects, tiles", tiled_cloth, 8, 1, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.0f, edit_objects},
    {"tiles, still", still_tiles, 6, 8, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.0f, edit_still},
    {"tiles, still, twice", still_tiles, 6, 4, 2, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.0f, edit_still},
    {"flags", flags, 60, 20, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.0f, NULL},
    {"flags PBD", flags, 30, 4, 3, PL_SOLVER_PBD, PL_INTEGRATOR_BDF1, 0.0f, NULL},
    {"flags, cut", flags, 30, 10, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.0f, edit_flags},
};

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
    for (size_t k = 0; k < sizeof depth.max; k++)
        h = (h ^ ((const unsigned char *)&depth.max)[k] ^ ((const unsigned char *)&depth.mean)[k]) * 1099511628211u;
    return h;
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
    uint64_t hash = pl_world_hash(w) ^ hash_contacts(w, events);
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

static int compare_all(const char *name)
{
    int differ = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (!name || strcmp(name, cases[i].name) == 0)
            differ += compare_case(&cases[i]);
    return differ;
}

// ---- scenes, with contacts ---------------------------------------------------------------------------------------------

typedef struct scene_case
{
    const char *name, *scene;
    int frames;
    const char *sets[8];
    void (*meddle)(pl_world **w, int frame, pl_backend backend);
} scene_case;

// A shape comes and goes, a material changes, grains are thrown.
static void meddle_with_grains(pl_world **w, int frame, pl_backend backend)
{
    static pl_id ball;
    (void)backend;
    if (frame == 20)
    {
        pl_shape_def d = pl_default_shape_def();
        d.kind = PL_SHAPE_SPHERE;
        d.radius = 0.3f;
        d.position = (pl_vec3){0.1f, 0.6f, 0.0f};
        must(pl_add_shape(*w, &d, &ball));
    }
    if (frame == 30)
    {
        pl_material m = pl_default_material();
        m.restitution = 0.4f;
        must(pl_set_material(*w, 0, &m));
    }
    if (frame >= 30 && frame < 40)
        must(pl_move_shape(*w, ball, (pl_vec3){0.1f + 0.02f * (float)(frame - 30), 0.6f, 0.0f}, (pl_quat){0, 0, 0, 1}));
    if (frame == 45)
        must(pl_remove(*w, ball));
    if (frame == 50)
    {
        float v[3 * 10];
        must(pl_get(*w, PL_VELOCITY, 5, 10, v));
        for (int i = 0; i < 10; i++)
            v[3 * i + 1] += 3.0f;
        must(pl_set(*w, PL_VELOCITY, 5, 10, v));
    }
}

// Saved, and gone on with from there.
static void save_and_load(pl_world **w, int frame, pl_backend backend)
{
    if (frame != 25)
        return;
    void *bytes = NULL;
    size_t size = 0;
    pl_world_def def = pl_default_world_def();
    def.backend = backend;
    must(pl_world_save_memory(*w, &bytes, &size));
    pl_world_destroy(*w);
    must(pl_world_load_memory(&def, bytes, size, w));
    pl_free(bytes);
}

// From one backend to the other and back.
static void change_horses(pl_world **w, int frame, pl_backend backend)
{
    if (backend == PL_BACKEND_CUDA && frame == 20)
        must(pl_world_set_backend(*w, PL_BACKEND_CPU));
    if (backend == PL_BACKEND_CUDA && frame == 35)
        must(pl_world_set_backend(*w, PL_BACKEND_CUDA));
}

static void watch(pl_world **w, int frame, pl_backend backend)
{
    (void)backend;
    watch_world(*w, frame);
}

#define BRICKS "body[0].copies=[2,2,1]", "body[1].copies=[1,2,1]", "body[2].copies=[1,2,1]"

static const scene_case scenes[] = {
    {"sand", "sandpile", 90, {"grains.size=[12,16,12]"}, NULL},
    {"sand, stiff", "sandpile", 60, {"grains.size=[12,16,12]", "iterations=3", "substeps=4"}, NULL},
    {"sand, bouncing", "sandpile", 60, {"grains.size=[12,16,12]", "grains.material.restitution=0.6"}, NULL},
    {"sand, stabilised", "sandpile", 60, {"grains.size=[12,16,12]", "stabilise=2"}, NULL},
    {"sand, BDF2", "sandpile", 60, {"grains.size=[12,16,12]", "integrator=bdf2"}, NULL},
    {"sand, meddled", "sandpile", 70, {"grains.size=[12,16,12]"}, meddle_with_grains},
    {"sand, saved", "sandpile", 60, {"grains.size=[12,16,12]"}, save_and_load},
    {"sand, both", "sandpile", 50, {"grains.size=[12,16,12]"}, change_horses},
    {"cloth, both", "flag", 50, {NULL}, change_horses},
    {"drape", "drape", 60, {"cloth.size=[30,30]", "cloth.thickness=0.02"}, NULL},
    {"drape, saved", "drape", 50, {"cloth.size=[30,30]", "cloth.thickness=0.02"}, save_and_load},
    {"drape, both", "drape", 50, {"cloth.size=[30,30]", "cloth.thickness=0.02"}, change_horses},
    {"drape, watched", "drape", 30, {"cloth.size=[20,20]", "cloth.thickness=0.02"}, watch},
    {"tree", "orient", 40, {NULL}, NULL},
    {"tree, BDF2", "orient", 30, {"integrator=bdf2"}, NULL},
    {"tree, stabilised", "orient", 30, {"stabilise=1", "shape[1].velocity=[-6,0,0]"}, NULL},
    {"tree, saved", "orient", 40, {NULL}, save_and_load},
    {"tree, both", "orient", 50, {NULL}, change_horses},
    {"lattices", "lattice", 40, {NULL}, NULL},
    {"lattices, saved", "lattice", 40, {NULL}, save_and_load},
    {"lattices, both", "lattice", 50, {NULL}, change_horses},
    {"sand, watched", "sandpile", 30, {"grains.size=[8,10,8]"}, watch},
    {"hammock, watched", "hammock", 50, {NULL}, watch},
    {"bricks", "stack", 60, {BRICKS, "body[1].velocity=[0,0.5,4]"}, NULL},
    {"bricks, free, BDF2", "stack", 30, {BRICKS, "integrator=bdf2", "gravity=[0,0,0]", "body[1].spin=[1,3,2]"}, NULL},
    {"elements, stiff", "cantilever", 10, {"iterations=3"}, NULL},
    {"bricks, stiff", "stack", 30, {BRICKS, "iterations=3", "stabilise=1"}, NULL},
    {"bricks, saved", "stack", 60, {BRICKS, "body[1].velocity=[1,0,4]"}, save_and_load},
    {"bricks, both", "stack", 50, {BRICKS, "body[1].velocity=[1,0,4]"}, change_horses},
    {"box on a cloth", "trampoline", 60, {NULL}, NULL},
    {"tiles with bodies",
     "cover",
     4,
     {"cloth.size=[100,100]", "cloth.radius=0.02", "cloth.origin=[-1.99,0.83,-1.99]", "body.spacing=0.02"},
     NULL},
};

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

static int compare_scenes(const char *name)
{
    int differ = 0;
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++)
        if (!name || strcmp(name, scenes[i].name) == 0)
            differ += compare_scene(&scenes[i]);
    return differ;
}

static void list_cases(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        puts(cases[i].name);
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++)
        puts(scenes[i].name);
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
    return differ != 0;
}

// Every scene as small as it still has all that it shows, for compute-sanitizer and for machines without a GPU.
static const scene_case small[] = {
    {"balloon", "balloon", 1, {"substeps=3"}, NULL},
    {"bead_on_circle", "bead_on_circle", 2, {NULL}, NULL},
    {"bent_metal", "bent_metal", 3, {"bar[0].plastic.yield=0.0001", "gravity=[0,-9.81,0]", "substeps=3"}, NULL},
    {"bowl", "bowl", 2, {"grains.size=[4,5,4]"}, NULL},
    {"orient", "orient", 2, {"shape[1].position=[1,1.5,0.2]", "substeps=3", "iterations=2"}, NULL},
    {"lattice", "lattice", 2, {"substeps=2"}, NULL},
    {"bullets", "bullets", 3, {"grains[0].size=[5,2,5]", "grains[1].size=[5,2,5]"}, NULL},
    {"cantilever", "cantilever", 2, {"substeps=2", "iterations=2"}, NULL},
    {"charged_rod", "charged_rod", 2, {NULL}, NULL},
    {"conveyor", "conveyor", 3, {"grains.size=[6,4,4]"}, NULL},
    {"curtain", "curtain", 2, {"cloth.size=[22,22]"}, NULL},
    {"damping", "damping", 2, {"iterations=5"}, NULL},
    {"drape", "drape", 3, {"cloth.size=[16,16]", "cloth.thickness=0.04", "cloth.origin=[-1,0.62,-1]"}, NULL},
    {"flag", "flag", 2, {"cloth.size=[20,20]"}, NULL},
    {"glass", "glass", 2, {"grains.size=[5,8,5]"}, NULL},
    {"hammock", "hammock", 2, {NULL}, NULL},
    {"jelly", "jelly", 1, {"body[0].spacing=0.16", "body[1].spacing=0.16", "substeps=3"}, NULL},
    {"oscillator", "oscillator", 2, {NULL}, NULL},
    {"paper_plane", "paper_plane", 2, {"substeps=3", "iterations=2"}, NULL},
    {"pendulum", "pendulum", 2, {NULL}, NULL},
    {"rope", "rope", 2, {"substeps=4"}, NULL},
    {"sandpile", "sandpile", 4, {"grains.size=[6,8,6]", "substeps=4"}, NULL},
    {"soft_bar", "soft_bar", 2, {"bar.cells=[8,2,2]", "substeps=4"}, NULL},
    {"squash", "squash", 1, {"substeps=4"}, NULL},
    {"stiffness", "stiffness", 1, {"iterations=5"}, NULL},
    {"tear", "tear", 10, {"cloth.size=[10,10]", "cloth.strength=500", "substeps=3"}, NULL},
    {"melt", "melt", 3, {"body.spacing=0.1", "substeps=2", "heat.conductivity=100000"}, NULL},
    {"trampoline", "trampoline", 2, {"cloth.size=[16,12]"}, NULL},
    {"trampoline, wind", "trampoline", 2, {"cloth.size=[16,12]", "wind.velocity=[3,1,0]", "substeps=3"}, NULL},
    {"stack", "stack", 3, {BRICKS, "body[1].velocity=[0,0.5,4]", "substeps=4"}, NULL},
    {"stack, free, BDF2",
     "stack",
     3,
     {BRICKS, "integrator=bdf2", "gravity=[0,0,0]", "body[1].spin=[1,3,2]", "substeps=4"},
     NULL},
    {"cover", "cover", 2, {"cloth.size=[12,12]", "cloth.origin=[-1.99,0.85,-1.99]", "body.spacing=0.1"}, NULL},
    {"pile", "pile", 1, {"body[0].copies=[1,1,1]", "substeps=3"}, NULL},
    {"tumbler", "tumbler", 2, {"grains.size=[5,5,5]"}, NULL},
    {"sand, bouncing", "sandpile", 4, {"grains.size=[6,8,6]", "grains.material.restitution=0.6"}, NULL},
    {"sand, watched", "sandpile", 4, {"grains.size=[6,8,6]", "substeps=4"}, watch},
};

static bool is_small(const char *scene)
{
    for (size_t i = 0; i < sizeof small / sizeof *small; i++)
        if (strcmp(small[i].scene, scene) == 0)
            return true;
    return false;
}

static const test_case small_worlds[] = {
    {"tiles", tiled_cloth, 1, 2, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.5f, NULL},
    {"edits, tiles of links", tiled_links, 4, 2, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.0f, edit_ties},
    {"tiles, still", still_tiles, 3, 2, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.0f, edit_still},
    {"flags, cut", flags, 10, 2, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.0f, edit_flags},
    {"wear, blades", worn, 7, 2, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF2, 0.5f, edit_blade},
    {"melting", melting, 40, 1, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF2, 0.0f, edit_floor},
    {"company", company, 3, 5, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.0f, NULL},
    {"company, odd", company, 2, 3, 2, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.0f, watch_world},
    {"company, BDF2", company, 2, 3, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF2, 0.0f, NULL},
    {"company of hulls", company_of_hulls, 2, 3, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.0f, NULL},
    {"rain", rain, 3, 5, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.0f, NULL},
    {"oddments", oddments, 2, 2, 2, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF2, 0.0f, NULL},
    {"skins", layers, 3, 4, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF2, 0.0f, NULL},
    {"tangled", dipped, 1, 4, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.0f, NULL},
    {"skins, edits", layers, 11, 3, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.0f, edit_skins},
    {"skins, watched", layers, 3, 3, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.0f, watch_world},
    {"tangled, watched", dipped, 2, 2, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.0f, watch_world},
    {"objects", layers, 9, 1, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.5f, edit_objects},
    {"objects, wear", worn, 6, 1, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF2, 0.0f, edit_objects},
    {"objects, tiles", tiled_links, 5, 1, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.0f, edit_objects},
};

static int compare_small(int count, char **names);

static void tell(const char *name, const char *value)
{
    if (value)
        setenv(name, value, 1);
    else
        unsetenv(name);
}

// What is rare: frames that are taken to be calm and are not, which halt where a list does not hold and go on from there; lists that outgrow
// their room, in such a frame too; cells and blocks that hold too many to be counted; colours of pairs as kernels of their own, as large scenes have.
static int compare_rare(void)
{
    static const struct
    {
        const char *calm, *room, *crowd, *lanes, *name;
    } told[] = {{"1", NULL, NULL, NULL, "conveyor"},      {"1", NULL, NULL, NULL, "drape"},
                {"1", NULL, NULL, NULL, "skins"},         {"1", NULL, NULL, NULL, "skins, watched"},
                {"1", "64", NULL, NULL, "trampoline"},    {"1", "64", NULL, NULL, "sandpile"},
                {NULL, NULL, "3", NULL, "sand, watched"}, {"1", "64", "8", NULL, "sandpile"},
                {NULL, NULL, NULL, "32", "stack"},        {NULL, NULL, NULL, "16", "sandpile"},
                {"1", NULL, NULL, "4", "bullets"},        {"1", NULL, NULL, NULL, "company"},
                {"1", "64", NULL, NULL, "company"},       {"1", NULL, NULL, NULL, "rain"}};
    int differ = 0;
    for (size_t i = 0; i < sizeof told / sizeof *told; i++)
    {
        tell("PLIANT_CUDA_CALM", told[i].calm);
        tell("PLIANT_CUDA_ROOM", told[i].room);
        tell("PLIANT_CUDA_CROWD", told[i].crowd);
        tell("PLIANT_CUDA_LANES", told[i].lanes);
        char *name = (char *)told[i].name; // only read
        differ += compare_small(1, &name);
    }
    tell("PLIANT_CUDA_CALM", NULL), tell("PLIANT_CUDA_ROOM", NULL), tell("PLIANT_CUDA_CROWD", NULL);
    tell("PLIANT_CUDA_LANES", NULL);
    return differ;
}

// Those named, or all. `list` prints their names.
static bool is_named(const char *name, int count, char **names)
{
    for (int i = 0; i < count; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return count == 0;
}

static int compare_small(int count, char **names)
{
    int differ = 0;
    world_pace = 2;
    bool list = count && strcmp(names[0], "list") == 0;
    for (size_t i = 0; i < sizeof small / sizeof *small; i++)
        if (list)
            puts(small[i].name);
        else if (is_named(small[i].name, count, names))
            differ += compare_scene(&small[i]);
    for (size_t i = 0; i < sizeof small_worlds / sizeof *small_worlds; i++)
        if (list)
            puts(small_worlds[i].name);
        else if (is_named(small_worlds[i].name, count, names))
            differ += compare_case(&small_worlds[i]);
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
    const char *what = count > 1 ? words[1] : "";
    if (strcmp(what, "small") == 0 && count > 2 && strcmp(words[2], "list") == 0)
        return compare_small(1, words + 2);
    if (strcmp(what, "case") == 0 && count > 2 && strcmp(words[2], "list") == 0)
    {
        list_cases();
        return 0;
    }
    need_device();
    world_threads =
        count > 3 || (count > 2 && strcmp(what, "small") == 0) ? 2 : 0; // one of many: several run side by side
    if (strcmp(what, "scene") == 0 && count > 3)
        return compare_one(count - 2, words + 2);
    if (strcmp(what, "golden") == 0 && count > 2)
        return compare_golden(words[2], count > 3 ? words[3] : NULL);
    if (strcmp(what, "case") == 0 && count > 2)
    {
        world_threads = 2;
        return compare_all(words[2]) + compare_scenes(words[2]);
    }
    if (strcmp(what, "edits") == 0)
        return time_edits();
    if (strcmp(what, "rare") == 0)
    {
        world_pace = 2;
        return compare_rare() != 0;
    }
    if (strcmp(what, "copies") == 0)
        return time_copies();
    if (strcmp(what, "small") == 0)
        return compare_small(count - 2, words + 2);
    if (count > 1)
        return compare_builtin(atoi(what));
    int differ = compare_all(NULL) + compare_scenes(NULL);
    printf("%d differ\n", differ);
    return differ != 0;
}
