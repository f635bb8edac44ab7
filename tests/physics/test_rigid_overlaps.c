// Rigid bodies that begin inside each other, or inside the ground, part slowly; tiny, huge, long and far-away ones rest.
#include "physics/rigid_floors.h"

#define STEP (1.0f / 60.0f)

static pl_rigid_shape shape_of(int kind, float size)
{
    static float hull[24];
    pl_rigid_shape s = pl_default_rigid_shape();
    for (int i = 0; i < 24; i++)
        hull[i] = i / 3 >> i % 3 & 1 ? size : -size;
    s.kind = (pl_rigid_shape_kind)kind, s.radius = size, s.length = 2.0f * size, s.half = (pl_vec3){size, size, size};
    s.vertices = hull, s.vertex_count = 8;
    if (kind == PL_RIGID_CAPSULE) // it lies
        s.rotation = (pl_quat){0.0f, 0.0f, 0.70710678f, 0.70710678f};
    return s;
}

static pl_id add_body(pl_world *w, pl_rigid_shape s, pl_vec3 at)
{
    pl_rigid_def d = pl_default_rigid_def();
    pl_id id;
    d.shapes = &s, d.shape_count = 1, d.position = at;
    good(pl_add_rigid(w, &d, &id));
    return id;
}

// Grounds with their surface at y = 0 around the origin, moved to (x, 0, 0).
enum
{
    GROUND_PLANE,
    GROUND_BOX,
    GROUND_MESH,  // closed, of the world
    GROUND_SHEET, // of a static body
    GROUND_FIELD,
    GROUND_SDF,
    GROUNDS
};

static void add_ground(pl_world *w, int ground, float x)
{
    static const float corners[24] = {-2, -2, -2, 2, -2, -2, 2, -2, 2, -2, -2, 2,
                                      -2, 0,  -2, 2, 0,  -2, 2, 0,  2, -2, 0,  2};
    static const int32_t sides[36] = {0, 1, 2, 0, 2, 3, 4, 6, 5, 4, 7, 6, 0, 4, 5, 0, 5, 1,
                                      1, 5, 6, 1, 6, 2, 2, 6, 7, 2, 7, 3, 3, 7, 4, 3, 4, 0};
    static const float flat[81];
    static const pl_shape_kind kinds[GROUNDS] = {PL_SHAPE_PLANE, PL_SHAPE_BOX,         PL_SHAPE_MESH,
                                                 PL_SHAPE_PLANE, PL_SHAPE_HEIGHTFIELD, PL_SHAPE_SDF};
    pl_shape_def d = pl_default_shape_def();
    if (ground == GROUND_SHEET)
    {
        const floor_mesh *f = floor_make(FLOOR_RANDOM);
        pl_rigid_shape s = pl_default_rigid_shape();
        pl_rigid_def b = pl_default_rigid_def();
        s.kind = PL_RIGID_MESH, s.two_sided = true;
        s.vertices = f->x, s.vertex_count = f->vertices, s.triangles = f->t, s.triangle_count = f->triangles;
        b.type = PL_RIGID_STATIC, b.shapes = &s, b.shape_count = 1, b.position = (pl_vec3){x, -5e-4f, 0.0f};
        good(pl_add_rigid(w, &b, NULL));
        return;
    }
    d.kind = kinds[ground], d.position.x = x;
    if (ground == GROUND_BOX)
        d.half = (pl_vec3){2.0f, 1.0f, 2.0f}, d.position.y = -1.0f;
    if (ground == GROUND_MESH || ground == GROUND_SDF)
        d.vertices = corners, d.vertex_count = 8, d.triangles = sides, d.triangle_count = 12;
    if (ground == GROUND_SDF)
        d.spacing = 0.1f;
    if (ground == GROUND_FIELD)
        d.heights = flat, d.columns = d.rows = 9, d.spacing = 0.5f;
    good(pl_add_shape(w, &d, NULL));
}

static double speed_of(pl_rigid_state s)
{
    return sqrt((double)s.velocity.x * s.velocity.x + (double)s.velocity.y * s.velocity.y +
                (double)s.velocity.z * s.velocity.z);
}

// Two bodies of every pair of kinds, half inside each other.
static void pairs_part_slowly(void **unused)
{
    (void)unused;
    for (int a = 0; a < PL_RIGID_MESH; a++)
        for (int b = 0; b <= a; b++)
        {
            pl_world *w = make_world(8, 1);
            double fastest = 0.0;
            no_gravity(w);
            pl_id one = add_body(w, shape_of(a, 0.3f), (pl_vec3){0.0f, 0.0f, 0.0f});
            pl_id two = add_body(w, shape_of(b, 0.3f), (pl_vec3){0.02f, 0.3f, 0.01f});
            for (int f = 0; f < 180; f++)
            {
                good(pl_world_step(w, STEP));
                fastest = fmax(fastest, fmax(speed_of(state_of(w, one)), speed_of(state_of(w, two))));
            }
            pl_rigid_state p = state_of(w, one), q = state_of(w, two);
            double apart = hypot(hypot((double)(q.position.x - p.position.x), (double)(q.position.y - p.position.y)),
                                 (double)(q.position.z - p.position.z));
            if (!(fastest < 0.5 && apart > 0.5))
                fail_msg("shapes %d and %d part at %g m/s, to %g m", a, b, fastest, apart);
            pl_world_destroy(w);
        }
}

// Bodies that begin with almost half of them in the ground come out slowly and rest.
static void ground_lets_out_slowly(void **unused)
{
    (void)unused;
    for (int ground = 0; ground < GROUNDS; ground++)
        for (int kind = 0; kind < PL_RIGID_MESH; kind++)
        {
            pl_world *w = make_world(8, 1);
            double fastest = 0.0;
            add_ground(w, ground, 0.0f);
            pl_id id = add_body(w, shape_of(kind, 0.3f), (pl_vec3){0.07f, 0.03f, 0.05f});
            for (int f = 0; f < 180; f++)
            {
                good(pl_world_step(w, STEP));
                fastest = fmax(fastest, speed_of(state_of(w, id)));
            }
            double y = (double)state_of(w, id).position.y;
            // The four points of a cylinder on many triangles are not always around its middle: it tips.
            bool tips = kind == PL_RIGID_CYLINDER && ground > GROUND_MESH;
            if (!(fastest < (tips ? 2.0 : 0.5) && fabs(y - 0.3) < 5e-3))
                fail_msg("shape %d in ground %d: %g m/s, at %g", kind, ground, fastest, y);
            pl_world_destroy(w);
        }
}

// 1 mm and 1 km, long and thin, and 1 km from the origin: all rest.
static void every_size_rests(void **unused)
{
    (void)unused;
    static const float sizes[] = {5e-4f, 0.1f, 500.0f};
    for (int ground = 0; ground < GROUNDS; ground++)
        for (int kind = 0; kind < PL_RIGID_MESH; kind++)
            for (int k = 0; k < 4; k++)
            {
                if (k == 2 && ground != GROUND_PLANE) // the others are smaller than it
                    continue;
                pl_world *w = make_world(8, 1);
                const float size = k < 3 ? sizes[k] : 0.1f, x = k == 3 ? 1000.0f : 0.0f;
                double most = 0.0;
                add_ground(w, ground, x);
                pl_id id = add_body(w, shape_of(kind, size), (pl_vec3){x + 0.07f, size, 0.03f});
                for (int f = 0; f < 60; f++)
                {
                    good(pl_world_step(w, STEP));
                    most = f > 30 ? fmax(most, speed_of(state_of(w, id))) : 0.0;
                }
                double off = fabs((double)state_of(w, id).position.y - (double)size);
                if (!(most < 1e-3 * fmax(1.0, (double)size) && off < 0.02 * (double)size + 4e-5))
                    fail_msg("shape %d of %g m on ground %d at x = %g: %g m/s, %g m off", kind, (double)size, ground,
                             (double)x, most, off);
                pl_world_destroy(w);
            }
}

// A rod of 4 m and 1 cm, and a plate of 2 m and 5 mm.
static void long_thin_bodies_rest(void **unused)
{
    (void)unused;
    for (int ground = 0; ground < GROUNDS; ground++)
        for (int k = 0; k < 2 && ground != GROUND_SDF; k++)
        {
            pl_world *w = make_world(8, 1);
            pl_rigid_shape s = pl_default_rigid_shape();
            s.half = k ? (pl_vec3){1.0f, 0.0025f, 1.0f} : (pl_vec3){1.9f, 0.005f, 0.005f};
            add_ground(w, ground, 0.0f);
            pl_id id = add_body(w, s, (pl_vec3){0.0f, 0.1f, 0.02f});
            for (int f = 0; f < 120; f++)
                good(pl_world_step(w, STEP));
            pl_rigid_state at = state_of(w, id);
            if (!(speed_of(at) < 2e-3 && fabs((double)at.position.y - (double)s.half.y) < 1e-3))
                fail_msg("thin body %d on ground %d: %g m/s at %g", k, ground, speed_of(at), (double)at.position.y);
            pl_world_destroy(w);
        }
}

// Pebbles of 1 cm and boulders of 1 m on a box of 1 km, 300 m from its middle: pebbles stay on it, also under a boulder's
// edge. tests/collide/test_broad_phase.c compares the pairs of such sizes with those of trying all.
static void sizes_mix(void **unused)
{
    (void)unused;
    enum
    {
        PEBBLES = 150
    };
    pl_world *w = make_world(8, 1);
    pl_rigid_def d = pl_default_rigid_def();
    pl_rigid_shape ground = shape_of(PL_RIGID_BOX, 500.0f);
    pl_id id[PEBBLES], boulder[3];
    d.type = PL_RIGID_STATIC, d.shapes = &ground, d.shape_count = 1, d.position.y = -500.0f;
    good(pl_add_rigid(w, &d, NULL));
    for (int i = 0; i < PEBBLES; i++)
        id[i] = add_body(w, shape_of(i % PL_RIGID_MESH, 0.005f),
                         (pl_vec3){300.0f + 0.03f * (float)(i % 15), 0.006f, 0.03f * (float)(i / 15)});
    for (int i = 0; i < 3; i++)
        boulder[i] = add_body(w, shape_of(PL_RIGID_SPHERE, 0.5f), (pl_vec3){299.0f, 0.5f, 1.2f * (float)i});
    for (int f = 0; f < 60; f++)
        good(pl_world_step(w, STEP));
    for (int i = 0; i < PEBBLES; i++)
    {
        pl_rigid_state s = state_of(w, id[i]);
        if (!(fabs((double)s.position.y - 0.005) < 5e-4 && fabs((double)s.velocity.y) < 5e-3))
            fail_msg("pebble %d is at the height %g, %g m/s", i, (double)s.position.y, (double)s.velocity.y);
    }
    for (int i = 0; i < 3; i++)
        near_to("boulder", (double)state_of(w, boulder[i]).position.y, 0.5, 1e-3);
    pl_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_part_slowly), cmocka_unit_test(ground_lets_out_slowly),
        cmocka_unit_test(every_size_rests),  cmocka_unit_test(long_thin_bodies_rest),
        cmocka_unit_test(sizes_mix),
    };
    return cmocka_run_group_tests_name("overlapping rigid bodies", tests, NULL, NULL);
}
