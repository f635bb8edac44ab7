// edits.c: pliant_bench_edits, what an edit of a running world costs, beside a compile of all of it.
//
// A hanging cloth is stepped, then edited and made ready for the next step (pl_world_order), over and over. Times are medians of one run,
// so that their ratios mean something on a busy machine.
//   pliant_bench_edits [--backend cuda] [SIDE...]     cloths of SIDE x SIDE particles; 100 and 316 by default
#include "clock.h"

#include <string.h>

enum
{
    ROUNDS = 15,
};

typedef struct subject
{
    pl_world *w;
    pl_id cloth, made[ROUNDS];
    int side;
    double whole; // ms, of a compile
} subject;

static subject make(int side, pl_backend backend)
{
    subject s = {.side = side};
    pl_world_def def = pl_default_world_def();
    def.settings.substeps = 2;
    need(pl_world_create(&def, &s.w));
    need(pl_world_set_backend(s.w, backend));
    pl_cloth_def c = pl_default_cloth_def();
    int32_t corners[2] = {0, side - 1};
    c.columns = c.rows = side;
    c.u = (pl_vec3){0.02f * (float)(side - 1), 0.0f, 0.0f};
    c.v = (pl_vec3){0.0f, -0.02f * (float)(side - 1), 0.0f};
    c.bending = PL_BENDING_DIHEDRAL;
    c.bend.compliance = 1.0f;
    c.pinned = corners, c.pinned_count = 2;
    need(pl_add_cloth(s.w, &c, &s.cloth));
    return s;
}

typedef void edit_fn(subject *s, int round);

// What pl_world_order takes to count the rows is in all the other times too.
static void none(subject *s, int round) { (void)s, (void)round; }

static void add_particle(subject *s, int round)
{
    float x[3] = {0.0f, 1.0f + 0.01f * (float)round, 5.0f};
    pl_particles_def p = pl_default_particles_def();
    p.count = 1;
    p.position = x;
    need(pl_add_particles(s->w, &p, &s->made[round]));
}

static void add_rope(subject *s, int round)
{
    pl_rope_def r = pl_default_rope_def();
    need(pl_add_rope(s->w, &r, &s->made[round]));
}

static void add_cloth(subject *s, int round)
{
    pl_cloth_def c = pl_default_cloth_def();
    c.origin.z = 1.0f;
    need(pl_add_cloth(s->w, &c, &s->made[round]));
}

static void add_body(subject *s, pl_body_kind kind, int round)
{
    pl_mesh_def form = pl_default_mesh_def();
    pl_mesh mesh;
    pl_body_def b = pl_default_body_def();
    form.shape = "box";
    form.size = (pl_vec3){0.3f, 0.3f, 0.3f};
    need(pl_mesh_make(&form, &mesh));
    b.mesh = &mesh;
    b.kind = kind;
    b.position = (pl_vec3){0.0f, 0.0f, 2.0f};
    b.spacing = 0.05f;
    need(pl_add_body(s->w, &b, &s->made[round]));
    pl_mesh_free(&mesh);
}

static void add_soft(subject *s, int round) { add_body(s, PL_BODY_SOFT, round); }
static void add_rigid(subject *s, int round) { add_body(s, PL_BODY_RIGID, round); }

static void remove_made(subject *s, int round) { need(pl_remove(s->w, s->made[round])); }

static void add_link(subject *s, int round)
{
    int32_t pair[2] = {s->side * 7 + 5 + round, s->side * 9 + 5 + round};
    pl_constraints_def d = pl_default_constraints_def();
    d.kind = PL_KIND_DISTANCE;
    d.count = 1;
    d.index = pair;
    need(pl_add_constraints(s->w, &d, &s->made[round]));
}

// A slit of a few edges in the middle of the cloth.
static void cut(subject *s, int round)
{
    float x[3];
    int cuts;
    need(pl_get(s->w, PL_ATTRIBUTE_POSITION, (s->side / 3 + 3 * round % (s->side / 2)) * s->side + s->side / 2, 1, x));
    pl_blade b = {{x[0] - 0.05f, x[1] + 0.001f, x[2] - 1.0f}, {0.1f, 0.001f, 0.0f}, {0.0f, 0.0f, 2.0f}};
    need(pl_cut(s->w, s->cloth, &b, &cuts));
}

static void measure(subject *s, const char *name, edit_fn *edit)
{
    double times[ROUNDS];
    for (int i = 0; i < ROUNDS; i++)
    {
        need(pl_world_step(s->w, 1.0f / 240.0f));
        double since = now();
        edit(s, i);
        pl_world_order(s->w);
        times[i] = now() - since;
    }
    double ms = median(times, ROUNDS);
    printf("| %d x %d | %s | %.3f | %.1f |\n", s->side, s->side, name, ms, s->whole / ms);
}

int main(int argc, char **argv)
{
    pl_backend backend = PL_BACKEND_CPU;
    int sides[8] = {100, 316}, count = 0;
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--backend") == 0 && i + 1 < argc)
            backend = strcmp(argv[++i], "cuda") == 0 ? PL_BACKEND_CUDA : PL_BACKEND_CPU;
        else if (count < 8)
            sides[count++] = atoi(argv[i]);
    printf("| cloth | edit | ms | a compile is so many times that |\n| --- | --- | --- | --- |\n");
    for (int i = 0; i < (count ? count : 2); i++)
    {
        double times[5];
        for (int k = 0; k < 5; k++)
        {
            subject s = make(sides[i], backend);
            double since = now();
            pl_world_order(s.w);
            times[k] = now() - since;
            pl_world_destroy(s.w);
        }
        subject s = make(sides[i], backend);
        s.whole = median(times, 5);
        printf("| %d x %d | everything compiled | %.3f | 1 |\n", s.side, s.side, s.whole);
        measure(&s, "none", none);
        measure(&s, "one particle added", add_particle);
        measure(&s, "one particle removed", remove_made);
        measure(&s, "one link added", add_link);
        measure(&s, "one link removed", remove_made);
        measure(&s, "a rope of 51 particles added", add_rope);
        measure(&s, "a rope of 51 particles removed", remove_made);
        measure(&s, "a cloth of 400 particles added", add_cloth);
        measure(&s, "a cloth of 400 particles removed", remove_made);
        measure(&s, "a soft box of tetrahedra added", add_soft);
        measure(&s, "a soft box of tetrahedra removed", remove_made);
        measure(&s, "a rigid box of 216 particles added", add_rigid);
        measure(&s, "a rigid box of 216 particles removed", remove_made);
        measure(&s, "a slit of five edges cut", cut);
        pl_world_destroy(s.w);
    }
    return 0;
}
