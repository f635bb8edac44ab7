// equal.c: the same world on the CPU and on the GPU, edits and all, compared by hash. Needs an NVIDIA GPU.
//   equal            every case; exit 1 if a hash differs
//   equal 600        every built-in scene, at full size, for 600 frames
//   equal small      few frames of small scenes, for compute-sanitizer
//   equal golden F   both against the hashes in tests/scenes/golden.txt
#include <pliant/pliant.h>

#include <stdio.h>
#include <stdlib.h>

static void must(pl_result result)
{
    if (result == PL_OK)
        return;
    fprintf(stderr, "equal: %s: %s\n", pl_result_name(result), pl_error_message());
    exit(2);
}

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

static pl_world *make(pl_backend backend, pl_settings settings)
{
    pl_world_def def = pl_default_world_def();
    pl_world *w;
    def.settings = settings;
    def.backend = backend;
    must(pl_world_create(&def, &w));
    return w;
}

static pl_id hang_cloth(pl_world *w, int size, pl_bending bending, float compliance, float damping)
{
    pl_cloth_def c = pl_default_cloth_def();
    const int32_t corners[2] = {0, size - 1};
    pl_id id;
    c.columns = c.rows = size;
    c.u.x = c.v.z = 0.01f * (float)(size - 1);
    c.mass = 1e-3f * (float)(size * size);
    c.pinned = corners;
    c.pinned_count = 2;
    c.bending = bending;
    c.tethers = true;
    c.lift = 0.5f;
    c.stretch.compliance = c.shear.compliance = c.bend.compliance = compliance;
    c.stretch.damping = damping;
    c.bend.stiffness = 0.5f;
    must(pl_add_cloth(w, &c, &id));
    return id;
}

static void cloth(pl_world *w) { hang_cloth(w, 70, PL_BENDING_LINKS, 0.0f, 0.0f); }
static void soft_cloth(pl_world *w) { hang_cloth(w, 60, PL_BENDING_DIHEDRAL, 1e-6f, 10.0f); }
static void isometric_cloth(pl_world *w) { hang_cloth(w, 60, PL_BENDING_ISOMETRIC, 1e-5f, 0.0f); }
static void tiled_cloth(pl_world *w) { hang_cloth(w, 300, PL_BENDING_LINKS, 1e-7f, 0.0f); }

static void bar(pl_world *w)
{
    pl_bar_def b = pl_default_bar_def();
    b.cells[0] = 30, b.cells[1] = b.cells[2] = 10;
    b.size = (pl_vec3){3.0f, 1.0f, 1.0f};
    b.pin_start = true;
    b.edges.compliance = 1e-6f;
    must(pl_add_bar(w, &b, NULL));
}

// A bar of every model of elements, viscous, a cloth of every fabric, and areas.
static void elements(pl_world *w)
{
    for (int model = PL_SOLID_STVK; model <= PL_SOLID_STRAIN; model++)
    {
        pl_bar_def b = pl_default_bar_def();
        b.cells[0] = 12, b.cells[1] = b.cells[2] = 4;
        b.origin = (pl_vec3){0.0f, 0.0f, (float)model};
        b.model = (pl_solid_model)model;
        b.elastic = (pl_elastic){.young = 1e5f, .poisson = 0.4f, .viscosity = model % 2 ? 50.0f : 0.0f};
        b.pin_start = true;
        must(pl_add_bar(w, &b, NULL));
    }
    const int32_t held[2] = {0, 29};
    for (int model = PL_CLOTH_STVK; model <= PL_CLOTH_STRAIN; model++)
    {
        pl_cloth_def c = pl_default_cloth_def();
        pl_id id;
        int first, count;
        c.columns = c.rows = 30;
        c.origin = (pl_vec3){0.0f, (float)model, 0.0f};
        c.model = (pl_cloth_model)model;
        c.pinned = held;
        c.pinned_count = 2;
        must(pl_add_cloth(w, &c, &id));
        must(pl_object_range(w, id, &first, &count));
        int32_t corners[3 * 28];
        for (int i = 0; i < 28; i++)
            corners[3 * i] = first + 30 + i, corners[3 * i + 1] = first + 60 + i, corners[3 * i + 2] = first + 31 + i;
        pl_constraints_def d = pl_default_constraints_def();
        d.kind = PL_KIND_AREA;
        d.count = 28;
        d.index = corners;
        d.soft.compliance = 1e-4f;
        must(pl_add_constraints(w, &d, NULL));
    }
}

// Ropes that only pull, a charge in a field, and a hub with more links than there are colours.
static void oddments(pl_world *w)
{
    pl_rope_def r = pl_default_rope_def();
    r.segments = 100;
    r.inextensible_only = r.bending = r.pin_first = true;
    r.bend.compliance = 1e-4f;
    must(pl_add_rope(w, &r, NULL));
    enum
    {
        SPOKES = 200
    };
    float x[3 * (SPOKES + 1)] = {0};
    int32_t index[2 * SPOKES];
    for (int i = 0; i < SPOKES; i++)
    {
        x[3 * i + 3] = 0.1f + 0.01f * (float)i, x[3 * i + 4] = (float)(i % 7) * 0.1f,
                  x[3 * i + 5] = (float)(i % 11) * 0.1f;
        index[2 * i] = 0, index[2 * i + 1] = i + 1;
    }
    pl_particles_def p = pl_default_particles_def();
    p.count = SPOKES + 1;
    p.position = x;
    pl_id hub;
    int first, count;
    must(pl_add_particles(w, &p, &hub));
    must(pl_object_range(w, hub, &first, &count));
    for (int i = 0; i < 2 * SPOKES; i++)
        index[i] += first;
    pl_constraints_def d = pl_default_constraints_def();
    d.kind = PL_KIND_DISTANCE;
    d.count = SPOKES;
    d.index = index;
    must(pl_add_constraints(w, &d, NULL));
    float charge = 1e-3f;
    must(pl_set(w, PL_CHARGE, first, 1, &charge));
    must(pl_add_field(w, &(pl_field){.kind = PL_FIELD_ELECTRIC, .vector = {100.0f, 0.0f, 0.0f}}, NULL));
    must(pl_add_field(
        w, &(pl_field){.kind = PL_FIELD_POINT, .origin = {0.0f, -5.0f, 0.0f}, .strength = 3.0f, .radius = 0.1f}, NULL));
    must(pl_add_field(w, &(pl_field){.kind = PL_FIELD_DRAG, .strength = 0.01f}, NULL));
}

// What a user does between steps.
static void edit(pl_world *w, int frame)
{
    static pl_id drag;
    float x[3];
    if (frame == 10)
        must(pl_drag_begin(w, 5, 1e-4f, &drag));
    if (frame >= 10 && frame < 20)
        must(pl_drag_move(w, drag, (pl_vec3){0.1f * (float)(frame - 10), 0.5f, 0.0f}));
    if (frame == 20)
        must(pl_drag_end(w, drag));
    if (frame == 25)
    {
        must(pl_get(w, PL_VELOCITY, 7, 1, x));
        x[1] += 1.0f;
        must(pl_set(w, PL_VELOCITY, 7, 1, x));
        oddments(w);
    }
}

typedef struct test_case
{
    const char *name;
    void (*build)(pl_world *w);
    int frames, substeps, iterations;
    pl_solver solver;
    pl_integrator integrator;
    float internal_damping;
    bool edits;
} test_case;

static const test_case cases[] = {
    {"cloth 20x1", cloth, 60, 20, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.0f, false},
    {"cloth 1x20", cloth, 60, 1, 20, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.0f, false},
    {"cloth PBD", cloth, 60, 2, 10, PL_SOLVER_PBD, PL_INTEGRATOR_BDF1, 0.0f, false},
    {"cloth BDF2", cloth, 60, 5, 4, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF2, 0.0f, false},
    {"dihedral, damped", soft_cloth, 60, 10, 2, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 1.0f, false},
    {"isometric", isometric_cloth, 60, 10, 2, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.0f, false},
    {"tiles", tiled_cloth, 20, 10, 2, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.5f, false},
    {"bar", bar, 60, 20, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.0f, false},
    {"oddments", oddments, 60, 10, 3, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF2, 0.0f, false},
    {"elements", elements, 60, 20, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.0f, false},
    {"elements BDF2", elements, 60, 5, 4, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF2, 1.0f, false},
    {"elements PBD", elements, 20, 5, 2, PL_SOLVER_PBD, PL_INTEGRATOR_BDF1, 0.0f, false},
    {"edits", cloth, 60, 10, 2, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF2, 1.0f, true},
};

static uint64_t run(const test_case *t, pl_backend backend)
{
    pl_settings s = pl_default_world_def().settings;
    s.substeps = t->substeps;
    s.iterations = t->iterations;
    s.solver = t->solver;
    s.integrator = t->integrator;
    s.internal_damping = t->internal_damping;
    s.wind = (pl_wind){{3.0f, 0.0f, 1.0f}, 0.5f, 0.3f, 1.2f};
    pl_world *w = make(backend, s);
    t->build(w);
    for (int f = 0; f < t->frames; f++)
    {
        if (t->edits)
            edit(w, f);
        must(pl_world_step(w, 1.0f / 60.0f));
    }
    uint64_t hash = pl_world_hash(w);
    pl_world_destroy(w);
    return hash;
}

static int compare_all(void)
{
    int differ = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    {
        uint64_t cpu = run(&cases[i], PL_BACKEND_CPU), gpu = run(&cases[i], PL_BACKEND_CUDA);
        printf("%-18s cpu %016llx  cuda %016llx  %s\n", cases[i].name, (unsigned long long)cpu, (unsigned long long)gpu,
               cpu == gpu ? "equal" : "DIFFERENT");
        differ += cpu != gpu;
    }
    printf("%zu passed, %d failed\n", sizeof cases / sizeof *cases - (size_t)differ, differ);
    return differ != 0;
}

// ---- scenes, with contacts ---------------------------------------------------------------------------------------------

typedef struct scene_case
{
    const char *name, *scene;
    int frames;
    const char *sets[6];
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
    pl_watch_def def = pl_default_watch_def();
    if (frame == 0)
        must(pl_watch_contacts(*w, &def));
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
    {"sand, watched", "sandpile", 30, {"grains.size=[8,10,8]"}, watch},
    {"bricks", "stack", 60, {BRICKS, "body[1].velocity=[0,0.5,4]"}, NULL},
    {"bricks, stiff", "stack", 30, {BRICKS, "iterations=3", "stabilise=1"}, NULL},
    {"bricks, saved", "stack", 60, {BRICKS, "body[1].velocity=[1,0,4]"}, save_and_load},
    {"bricks, both", "stack", 50, {BRICKS, "body[1].velocity=[1,0,4]"}, change_horses},
    {"box on a cloth", "trampoline", 60, {NULL}, NULL},
};

enum
{
    REFUSED = -1, // the device does not do that, and says so
};

static uint64_t run_scene(const scene_case *t, pl_backend backend, int64_t *told)
{
    size_t length;
    const char *text = pl_builtin_scene(t->scene, &length);
    pl_world_def def = pl_default_world_def();
    pl_scene *scene;
    pl_world *w;
    int sets = 0;
    while (t->sets[sets])
        sets++;
    def.backend = backend;
    must(pl_scene_parse(text, length, t->scene, t->sets, sets, &scene));
    must(pl_scene_world(scene, &def, &w));
    float dt = pl_scene_describe(scene).dt;
    for (int f = 0; f < t->frames; f++)
    {
        if (t->meddle)
            t->meddle(&w, f, backend);
        must(pl_scene_before_step(scene, w));
        pl_result result = pl_world_step(w, dt);
        if (result == PL_ERROR_UNSUPPORTED && backend == PL_BACKEND_CUDA)
        {
            *told = REFUSED;
            pl_world_destroy(w);
            pl_scene_free(scene);
            return 0;
        }
        must(result);
    }
    *told = pl_world_contact_counts(w).all_begun + pl_world_penetration(w).contacts;
    uint64_t hash = pl_world_hash(w);
    pl_world_destroy(w);
    pl_scene_free(scene);
    return hash;
}

static int compare_scene(const scene_case *t)
{
    int64_t told[2];
    uint64_t cpu = run_scene(t, PL_BACKEND_CPU, &told[0]), gpu = run_scene(t, PL_BACKEND_CUDA, &told[1]);
    bool refused = told[1] == REFUSED, equal = refused || (cpu == gpu && told[0] == told[1]);
    printf("%-18s cpu %016llx  cuda %016llx  %lld contacts, %d frames  %s\n", t->name, (unsigned long long)cpu,
           (unsigned long long)gpu, (long long)told[1], t->frames,
           refused ? "refused"
           : equal ? "equal"
                   : "DIFFERENT");
    fflush(stdout);
    return !equal;
}

static int compare_scenes(void)
{
    int differ = 0;
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++)
        differ += compare_scene(&scenes[i]);
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
static int compare_golden(const char *path)
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
        if (line[0] == '#' || sscanf(line, "%127s %d %63s", name, &frames, hash) != 3)
            continue;
        unsigned long long wanted = strtoull(hash, NULL, 16);
        scene_case t = {.name = name, .scene = name, .frames = frames};
        int64_t told;
        unsigned long long cpu = run_scene(&t, PL_BACKEND_CPU, &told), gpu = run_scene(&t, PL_BACKEND_CUDA, &told);
        bool refused = told == REFUSED, equal = cpu == wanted && (gpu == wanted || refused);
        printf("%-16s %4d frames  golden %016llx  cpu %016llx  cuda %016llx  %s\n", name, frames, wanted, cpu, gpu,
               refused ? pl_error_message()
               : equal ? "equal"
                       : "DIFFERENT");
        fflush(stdout);
        rows++;
        differ += !equal;
    }
    fclose(file);
    printf("%d rows, %d differ\n", rows, differ);
    return differ != 0;
}

// Few frames of small scenes, for compute-sanitizer.
static int compare_small(void)
{
    static const scene_case small[] = {
        {"sand", "sandpile", 6, {"grains.size=[6,8,6]"}, NULL},
        {"sand, bouncing", "sandpile", 4, {"grains.size=[6,8,6]", "grains.material.restitution=0.6"}, NULL},
        {"conveyor", "conveyor", 3, {NULL}, NULL},
        {"flag", "flag", 2, {NULL}, NULL},
        {"bowl", "bowl", 2, {NULL}, NULL},
        {"bricks", "stack", 4, {BRICKS, "body[1].velocity=[0,0.5,4]"}, NULL},
    };
    int differ = 0;
    for (size_t i = 0; i < sizeof small / sizeof *small; i++)
        differ += compare_scene(&small[i]);
    return differ != 0;
}

int main(int count, char **words)
{
    need_device();
    if (count > 2)
        return compare_golden(words[2]);
    if (count > 1 && words[1][0] == 's')
        return compare_small();
    if (count > 1)
        return compare_builtin(atoi(words[1]));
    int differ = compare_all() + compare_scenes();
    return differ != 0;
}
