// soak.c: worlds, scenes, snapshots and meshes at random, for as long as one likes; ./dev soak runs it under sanitizers.
//   pliant_soak worlds    SEED COUNT [FOLDER]   random edits, the same on other lanes, threads and through snapshots: equal bits
//   pliant_soak scenes    SEED COUNT [FOLDER]   damaged scenes: refused, or stepped
//   pliant_soak snapshots SEED COUNT [FOLDER]   damaged snapshots: refused, or stepped, saved and loaded
//   pliant_soak meshes    SEED COUNT [FOLDER]   damaged OBJ, URDF and MJCF files
// Before each case its input is written to FOLDER/soak.MODE, where it stays if the case ends the program. A case that takes more
// than HANG seconds of processor time ends it too.
#include "fuzz/snapshot_damage.h"
#include "worlds/strange.h"

#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HANG 20
#else
#define HANG 5
#endif

typedef struct soak
{
    const char *folder;
    uint64_t seed;
    long long number;
    int accepted;    // cases that were not refused
    char done[1024]; // to a world so far
} soak;

static void complain(const soak *s, const char *what)
{
    fprintf(stderr, "soak: seed %lld: %s; done before:%s\n", s->number, what, s->done);
    abort();
}

static void ring(int number)
{
    static const char text[] = "soak: a case takes too long\n";
    (void)number;
    if (write(2, text, sizeof text - 1) < 0)
        _exit(2);
    abort();
}

static void write_file(const char *path, const void *data, size_t size)
{
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(data, 1, size, file) != size || fclose(file) != 0)
    {
        fprintf(stderr, "soak: cannot write %s; name a folder with room\n", path);
        exit(2);
    }
}

static void keep_input(const soak *s, const char *mode, const void *data, size_t size)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/soak.%s", s->folder, mode);
    write_file(path, data, size);
}

static pl_world_def def_of(void)
{
    pl_world_def def = pl_default_world_def();
    def.threads = def.lanes = 1;
    def.memory_limit = 512 << 20;
    return def;
}

static char *read_text(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    char *text = calloc(1, 1 << 20);
    if (!file || !text)
    {
        fprintf(stderr, "soak: cannot read %s\n", path);
        exit(2);
    }
    *length = fread(text, 1, (1 << 20) - 1, file);
    fclose(file);
    return text;
}

// ---- scenes --------------------------------------------------------------------------------------------------------

// The text of a small world or, half of the time, of a scene that comes with the program.
static char *any_scene(soak *s, size_t *length)
{
    char path[1024];
    int builtin = 0;
    if (strange_dice(&s->seed, 2))
    {
        snprintf(path, sizeof path, "%s/tests/worlds/%s.json", PLIANT_SOURCE_DIR,
                 small_worlds[strange_dice(&s->seed, SMALL_WORLDS)]);
        return read_text(path, length);
    }
    while (pl_builtin_scene_name(builtin))
        builtin++;
    const char *text = pl_builtin_scene(pl_builtin_scene_name((int)strange_dice(&s->seed, (uint32_t)builtin)), length);
    char *copy = malloc(*length + 1);
    if (!copy)
        abort();
    memcpy(copy, text, *length + 1);
    return copy;
}

static bool make_small(pl_world *w, int most)
{
    pl_settings settings = pl_world_settings(w);
    settings.substeps = settings.substeps < 3 ? settings.substeps : 3;
    settings.iterations = settings.iterations < 2 ? settings.iterations : 2;
    settings.contact_sweeps = settings.contact_sweeps < 3 ? settings.contact_sweeps : 3;
    return pl_particle_count(w) <= most && pl_world_set_settings(w, &settings) == PL_OK;
}

static void scene_case(soak *s)
{
    size_t length;
    char *text = any_scene(s, &length);
    scene_text t = strange_scene(text, length, &s->seed, strange_dice(&s->seed, 2));
    pl_world_def def = def_of();
    pl_scene *scene = NULL;
    pl_world *w = NULL;
    keep_input(s, "scenes", t.data, t.length);
    if (pl_scene_parse(t.data, t.length, "scene", NULL, 0, &scene) == PL_OK &&
        pl_scene_world(scene, &def, &w) == PL_OK && make_small(w, 3000))
    {
        char report[512];
        int checked, failed;
        s->accepted += small_world_play(scene, w, 1) == PL_OK;
        pl_scene_expect(scene, w, report, sizeof report, &checked, &failed);
    }
    else if (!pl_error_message()[0])
        complain(s, "refused without a message");
    pl_world_destroy(w);
    pl_scene_free(scene);
    free(t.data);
    free(text);
}

// ---- snapshots -----------------------------------------------------------------------------------------------------

static void snapshot_case(soak *s)
{
    uint8_t input[1 + 8 * 6];
    size_t size, count = 1 + DAMAGE_RECORD * (1 + strange_dice(&s->seed, 6));
    for (size_t i = 0; i < count; i++)
        input[i] = (uint8_t)strange_dice(&s->seed, 256);
    input[0] = (uint8_t)(input[0] % 128);
    keep_input(s, "snapshots", input, count);
    unsigned char *bytes = damaged_snapshot(input, count, &size);
    pl_world *w = NULL;
    pl_world_def def = def_of();
    s->accepted += pl_world_load_memory(&def, bytes, size, &w) == PL_OK;
    pl_world_destroy(w);
    use_snapshot(bytes, size);
    free(bytes);
}

// ---- meshes and robots ---------------------------------------------------------------------------------------------

static void mesh_case(soak *s)
{
    static const char obj[] = "# a mesh\no a\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvn 0 0 1\nvt 0 0\nv 1 1 1 0.5\ns "
                              "off\ng b\nf 1 3 2\nf 1/1/1 2/1/1 4\n"
                              "f 1//1 4//1 3//1\nf 2 3 4\nf -1 -2 -3\nf 1 2 5 3\n";
    static const char *const robots[] = {"arm.urdf",  "entities.xml", "mesh.urdf",  "mjcf0.xml", "mjcf1.xml",
                                         "mjcf2.xml", "mjcf3.xml",    "slide.urdf", "walker.xml"};
    static const char scene_of_mesh[] =
        "{\"body\": {\"kind\": \"rigid\", \"mesh\": \"soak.meshes.obj\", \"spacing\": 0.3}, \"shape\": {\"kind\": "
        "\"mesh\","
        " \"mesh\": \"soak.meshes.obj\", \"two_sided\": true}, \"cloth\": {\"mesh\": \"soak.meshes.obj\"}}";
    pl_world_def def = def_of();
    char path[1024], file[1100];
    pl_world *w = NULL;
    if (strange_dice(&s->seed, 2))
    {
        scene_text t = strange_scene(obj, sizeof obj - 1, &s->seed, true);
        pl_scene *scene = NULL;
        snprintf(path, sizeof path, "%s/soak.meshes.obj", s->folder);
        snprintf(file, sizeof file, "%s/scene", s->folder);
        write_file(path, t.data, t.length);
        if (pl_scene_parse(scene_of_mesh, sizeof scene_of_mesh - 1, file, NULL, 0, &scene) == PL_OK &&
            pl_scene_world(scene, &def, &w) == PL_OK && make_small(w, 3000))
            s->accepted += pl_world_step(w, 0.01f) == PL_OK;
        pl_scene_free(scene);
        free(t.data);
    }
    else
    {
        size_t length;
        snprintf(path, sizeof path, "%s/tests/fuzz/corpus/fuzz_robot/%s", PLIANT_SOURCE_DIR,
                 robots[strange_dice(&s->seed, sizeof robots / sizeof *robots)]);
        char *text = read_text(path, &length);
        scene_text t = strange_scene(text, length, &s->seed, strange_dice(&s->seed, 3) > 0);
        pl_robot *robot = NULL;
        keep_input(s, "meshes", t.data, t.length);
        if (pl_world_create(&def, &w) == PL_OK &&
            pl_add_robot(w, t.data, t.length, "/nowhere/robot", NULL, &robot) == PL_OK && make_small(w, 3000))
            s->accepted += pl_world_step(w, 0.01f) == PL_OK;
        pl_robot_free(robot);
        free(t.data);
        free(text);
    }
    pl_world_destroy(w);
}

// ---- worlds --------------------------------------------------------------------------------------------------------

enum
{
    TWINS = 2,
    FRAMES = 12,
    EDITS = 10,
};

static pl_result add_something(pl_world *w, uint32_t what, float at)
{
    pl_rope_def rope = pl_default_rope_def();
    pl_cloth_def cloth = pl_default_cloth_def();
    pl_bar_def bar = pl_default_bar_def();
    pl_rigid_def rigid = pl_default_rigid_def();
    pl_rigid_shape box = pl_default_rigid_shape();
    switch (what)
    {
    case 0:
        rope.segments = 5, rope.from = (pl_vec3){at, 2.0f, 0.0f}, rope.to = (pl_vec3){at + 1.0f, 2.0f, 0.0f};
        return pl_add_rope(w, &rope, NULL);
    case 1:
        cloth.columns = cloth.rows = 4, cloth.origin = (pl_vec3){at, 1.5f, 0.0f}, cloth.thickness = 0.05f;
        return pl_add_cloth(w, &cloth, NULL);
    case 2:
        bar.cells[0] = 2, bar.cells[1] = bar.cells[2] = 1, bar.origin = (pl_vec3){at, 2.5f, 0.0f};
        return pl_add_bar(w, &bar, NULL);
    default:
        rigid.shapes = &box, rigid.shape_count = 1, rigid.position = (pl_vec3){at, 3.0f, 0.1f};
        return pl_add_rigid(w, &rigid, NULL);
    }
}

static const char *const edit_names[EDITS] = {"add",      "remove",   "cut",   "mass",     "radius",
                                              "velocity", "settings", "shift", "material", "drag"};

static uint32_t edit_of(uint64_t seed) { return strange_dice(&seed, EDITS); }

// Notes what is done with a world, and the result.
static void note(soak *s, const char *what, pl_result result)
{
    size_t used = strlen(s->done);
    snprintf(s->done + used, sizeof s->done - used, " %s%s%s", what, result == PL_OK ? "" : ":",
             result == PL_OK ? "" : pl_result_name(result));
}

// One edit, the same for the same dice.
static pl_result edit(pl_world *w, uint64_t seed)
{
    uint32_t kind = edit_of(seed), end = (uint32_t)pl_particle_end(w);
    strange_dice(&seed, EDITS);
    int particle = end ? (int)strange_dice(&seed, end) : 0;
    float value = 0.02f + 0.001f * (float)strange_dice(&seed, 200), at = (float)strange_dice(&seed, 40) * 0.2f - 4.0f;
    const float speed[3] = {value, -value, at * 0.1f};
    const pl_blade blade = {{at, -5.0f, -5.0f}, {0.0f, 10.0f, 0.0f}, {value, 0.0f, 10.0f}};
    pl_settings settings = pl_world_settings(w);
    pl_material material = pl_default_material();
    switch (kind)
    {
    case 0:
        return add_something(w, strange_dice(&seed, 4), at);
    case 1:
        return pl_remove(w, pl_object_of_particle(w, particle));
    case 2:
        return pl_cut(w, (pl_id){0, 0}, &blade, NULL);
    case 3:
        return pl_set(w, PL_ATTRIBUTE_MASS, particle, 1, &value);
    case 4:
        return pl_set(w, PL_ATTRIBUTE_RADIUS, particle, 1, &value);
    case 5:
        return pl_set(w, PL_ATTRIBUTE_VELOCITY, particle, 1, speed);
    case 6:
        settings.solver = (pl_solver)strange_dice(&seed, PL_SOLVER_CHEBYSHEV + 1);
        settings.integrator = (pl_integrator)strange_dice(&seed, PL_INTEGRATOR_BDF2 + 1);
        settings.substeps = 1 + (int)strange_dice(&seed, 4);
        return pl_world_set_settings(w, &settings);
    case 7:
        return pl_world_shift_origin(w, (pl_vec3){at, 0.0f, value});
    case 8:
        material.restitution = value, material.rolling_friction = value;
        return pl_set_material(w, 0, &material);
    default:
        return pl_drag_begin(w, particle, value, &(pl_id){0, 0});
    }
}

// Saves a world and loads it with other lanes and threads.
static pl_world *reload(const soak *s, pl_world *w, uint64_t *dice)
{
    const int *widths = pl_lane_widths();
    int count = 0;
    void *data;
    size_t size;
    pl_world_def def = def_of();
    pl_world *loaded = NULL;
    while (widths[count])
        count++;
    def.lanes = widths[strange_dice(dice, (uint32_t)count)];
    def.threads = 1 + (int)strange_dice(dice, 4);
    if (pl_world_save_memory(w, &data, &size) != PL_OK)
        complain(s, pl_error_message());
    if (pl_world_load_memory(&def, data, size, &loaded) != PL_OK)
        complain(s, pl_error_message());
    pl_free(data);
    pl_world_destroy(w);
    return loaded;
}

static void world_case(soak *s)
{
    pl_world_def def = def_of();
    pl_scene *scene = NULL;
    pl_world *twin[TWINS] = {NULL};
    size_t length;
    char *text = any_scene(s, &length);
    scene_text t = {text, length};
    if (strange_dice(&s->seed, 3))
    {
        t = strange_scene(text, length, &s->seed, false);
        free(text);
    }
    keep_input(s, "worlds", t.data, t.length);
    bool made = pl_scene_parse(t.data, t.length, "scene", NULL, 0, &scene) == PL_OK;
    for (int i = 0; i < TWINS && made; i++)
        made = pl_scene_world(scene, &def, &twin[i]) == PL_OK && make_small(twin[i], 3000);
    s->accepted += made;
    s->done[0] = 0;
    for (int frame = 0; frame < FRAMES && made; frame++)
    {
        uint64_t dice = s->seed + (uint64_t)frame;
        pl_result result[TWINS];
        if (strange_dice(&dice, 3) == 0)
        {
            twin[1] = reload(s, twin[1], &dice);
            int threads, lanes;
            char what[64];
            pl_world_workers(twin[1], &threads, &lanes);
            snprintf(what, sizeof what, "reload(%d lanes, %d threads)", lanes, threads);
            note(s, what, PL_OK);
        }
        bool edits = strange_dice(&dice, 2) == 0;
        uint64_t which = dice;
        if (edits)
            for (int i = 0; i < TWINS; i++)
                result[i] = edit(twin[i], dice);
        else
            for (int i = 0; i < TWINS; i++)
                result[i] = small_world_play(scene, twin[i], 1);
        note(s, edits ? edit_names[edit_of(which)] : "step", result[0]);
        if (result[0] == PL_ERROR_MEMORY || result[1] == PL_ERROR_MEMORY)
            break; // the two have lists of other sizes
        if (result[0] != result[1] || pl_world_hash(twin[0]) != pl_world_hash(twin[1]))
            complain(s, "the twins part");
    }
    for (int i = 0; i < TWINS; i++)
        pl_world_destroy(twin[i]);
    pl_scene_free(scene);
    free(t.data);
}

// ---- running them --------------------------------------------------------------------------------------------------

static const struct
{
    const char *name;
    void (*run)(soak *s);
} modes[] = {{"worlds", world_case}, {"scenes", scene_case}, {"snapshots", snapshot_case}, {"meshes", mesh_case}};

int main(int count, char **words)
{
    soak s = {.folder = count > 4 ? words[4] : "."};
    size_t mode = 0;
    while (count >= 4 && mode < sizeof modes / sizeof *modes && strcmp(modes[mode].name, words[1]) != 0)
        mode++;
    if (count < 4 || mode == sizeof modes / sizeof *modes)
    {
        fputs("usage: pliant_soak worlds|scenes|snapshots|meshes SEED COUNT [FOLDER]\n", stderr);
        return 2;
    }
    long long first = atoll(words[2]), cases = atoll(words[3]);
    signal(SIGPROF, ring);
    for (s.number = first; s.number < first + cases; s.number++)
    {
        const struct itimerval limit = {.it_value = {.tv_sec = HANG}};
        setitimer(ITIMER_PROF, &limit, NULL);
        s.seed = (uint64_t)s.number * 0x9e3779b97f4a7c15u + mode;
        strange_dice(&s.seed, 2);
        modes[mode].run(&s);
    }
    printf("%s: %lld cases from seed %lld, %d of them accepted, nothing found\n", modes[mode].name, cases, first,
           s.accepted);
    return 0;
}
