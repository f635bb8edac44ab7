// equal.c: the same world on the CPU and on the GPU, edits and all, compared by hash. Needs an NVIDIA GPU.
//   equal            every case; exit 1 if a hash differs
//   equal bench      milliseconds a frame (device events), beside the hash
#include <pliant/pliant.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// A hanging cloth of links, as in the table of the benchmarks: edges, diagonals, skip-one; two corners pinned; no air.
static void time_cloth(int size, int substeps, int iterations, int frames)
{
    pl_settings s = pl_default_world_def().settings;
    s.substeps = substeps;
    s.iterations = iterations;
    s.wind.density = 0.0f;
    pl_world *w = make(PL_BACKEND_CUDA, s);
    pl_cloth_def c = pl_default_cloth_def();
    const int32_t corners[2] = {0, size - 1};
    c.columns = c.rows = size;
    c.u.x = c.v.z = 0.01f * (float)(size - 1);
    c.mass = 1e-3f * (float)size * (float)size;
    c.pinned = corners;
    c.pinned_count = 2;
    c.drag = 0.0f;
    must(pl_add_cloth(w, &c, NULL));
    double *ms = malloc((size_t)frames * sizeof *ms);
    for (int f = 0; f < frames + 5; f++)
    {
        must(pl_world_step(w, 1.0f / 60.0f));
        if (f >= 5)
            ms[f - 5] = pl_world_timing(w).total;
    }
    qsort(ms, (size_t)frames, sizeof *ms, by_value);
    pl_order_info order = pl_world_order(w);
    printf("cloth %4d x %-4d %2d x %-2d  %9.4f ms a frame (median; least %.4f)  colours %d tiles %d  stretch %.4f %%  "
           "hash %016llx\n",
           size, size, substeps, iterations, ms[frames / 2], ms[0], order.colours, order.tiles,
           100.0 * pl_world_residual(w).mean, (unsigned long long)pl_world_hash(w));
    fflush(stdout);
    free(ms);
    pl_world_destroy(w);
}

int main(int count, char **words)
{
    need_device();
    if (count > 1 && strcmp(words[1], "bench") == 0)
    {
        time_cloth(70, 20, 1, 200);
        time_cloth(70, 1, 20, 200);
        time_cloth(200, 20, 1, 200);
        time_cloth(1000, 20, 1, 50);
        time_cloth(2000, 20, 1, 20);
        return 0;
    }
    return compare_all();
}
