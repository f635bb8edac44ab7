// Meshes that ride on objects: with a rigid body as one piece, in tetrahedra linearly, on oriented particles without collapsing, with
// plastics where they flow; saved, taken out, refused.
#include "physics/physics.h"

static pl_mesh make_mesh(const char *shape, float edge)
{
    pl_mesh_def d = pl_default_mesh_def();
    pl_mesh m;
    d.shape = shape;
    d.radius = 0.3f;
    d.edge = edge;
    d.size = (pl_vec3){0.6f, 0.4f, 0.4f};
    good(pl_mesh_make(&d, &m));
    return m;
}

static pl_id add_body(pl_world *w, const pl_mesh *mesh, pl_body_kind kind, float spacing)
{
    pl_body_def d = pl_default_body_def();
    pl_id id;
    d.mesh = mesh;
    d.kind = kind;
    d.spacing = spacing;
    d.visual = true;
    d.position = (pl_vec3){0.2f, 1.0f, -0.3f};
    good(pl_add_body(w, &d, &id));
    return id;
}

static float *seen(const pl_world *w, int *count)
{
    pl_id id;
    pl_visual_info info;
    assert_int_equal(pl_world_visuals(w, &id, 1), 1);
    good(pl_describe_visual(w, id, &info));
    float *x = malloc((size_t)info.vertices * 3 * sizeof *x);
    assert_non_null(x);
    good(pl_get_visual(w, id, x, NULL));
    *count = info.vertices;
    return x;
}

static void turn(const double q[4], const double v[3], double out[3])
{
    double t[3];
    for (int c = 0; c < 3; c++)
        t[c] = q[(c + 1) % 3] * v[(c + 2) % 3] - q[(c + 2) % 3] * v[(c + 1) % 3] + q[3] * v[c];
    for (int c = 0; c < 3; c++)
        out[c] = v[c] + 2.0 * (q[(c + 1) % 3] * t[(c + 2) % 3] - q[(c + 2) % 3] * t[(c + 1) % 3]);
}

// A rigid body that has fallen and turned: its mesh is the mesh, moved and turned as its cluster is.
static void a_rigid_mesh_stays_itself(void **state)
{
    (void)state;
    pl_mesh mesh = make_mesh("box", 0.03f);
    pl_world *w = make_world(4, 1);
    pl_id body = add_body(w, &mesh, PL_BODY_RIGID, 0.1f), blocks[4];
    int count, particles, first;
    float *before = seen(w, &count), x[3 * 512], v[3 * 512];
    for (int i = 0; i < 3 * count; i++) // at first it lies where it was made
        near("start", (double)before[i], (double)mesh.vertices[i] + (i % 3 == 0 ? 0.2 : i % 3 == 1 ? 1.0 : -0.3), 2e-6);
    good(pl_object_range(w, body, &first, &particles));
    assert_true(particles <= 512 && count > 4 * particles);
    good(pl_get(w, PL_ATTRIBUTE_POSITION, first, particles, x));
    for (int i = 0; i < particles; i++)
        v[3 * i] = 3.0f * (x[3 * i + 1] - 1.0f), v[3 * i + 1] = -3.0f * (x[3 * i] - 0.2f), v[3 * i + 2] = 0.5f;
    good(pl_set(w, PL_ATTRIBUTE_VELOCITY, first, particles, v));
    steps(w, 50, 1.0 / 60.0);
    pl_cluster_pose pose;
    assert_true(pl_object_blocks(w, body, blocks, 4) >= 1);
    good(pl_get_cluster(w, blocks[0], 0, &pose));
    float *after = seen(w, &count);
    const double q[4] = {pose.rotation.x, pose.rotation.y, pose.rotation.z, pose.rotation.w};
    double worst = 0.0;
    for (int i = 0; i < count; i++)
    {
        const double r[3] = {(double)before[3 * i] - 0.2, (double)before[3 * i + 1] - 1.0,
                             (double)before[3 * i + 2] + 0.3};
        double t[3];
        turn(q, r, t);
        worst = fmax(worst, fabs((double)after[3 * i] - (double)pose.centre.x - t[0]));
        worst = fmax(worst, fabs((double)after[3 * i + 1] - (double)pose.centre.y - t[1]));
        worst = fmax(worst, fabs((double)after[3 * i + 2] - (double)pose.centre.z - t[2]));
    }
    print_message("turned by %.2f rad: vertices off by %.1e m\n", 2.0 * acos(fabs(q[3])), worst);
    below("a turn", 0.5, 2.0 * acos(fabs(q[3])));
    below("vertices", worst, 2e-5);
    free(before);
    free(after);
    pl_mesh_free(&mesh);
    pl_world_destroy(w);
}

// In tetrahedra a linear map of the particles is the same map of the mesh.
static void a_mesh_in_tetrahedra_is_linear(void **state)
{
    (void)state;
    pl_mesh mesh = make_mesh("sphere", 0.05f);
    pl_world *w = make_world(1, 1);
    pl_id body = add_body(w, &mesh, PL_BODY_SOFT, 0.15f);
    static const double map[3][4] = {{1.2, 0.3, 0.0, 0.5}, {0.0, 0.7, -0.2, 0.0}, {0.1, 0.0, 1.1, -2.0}};
    int first, particles, count;
    float *before = seen(w, &count);
    good(pl_object_range(w, body, &first, &particles));
    float *x = malloc((size_t)particles * 3 * sizeof *x);
    assert_non_null(x);
    good(pl_get(w, PL_ATTRIBUTE_POSITION, first, particles, x));
    for (int i = 0; i < particles; i++)
    {
        const double p[3] = {(double)x[3 * i], (double)x[3 * i + 1], (double)x[3 * i + 2]};
        for (int c = 0; c < 3; c++)
            x[3 * i + c] = (float)(map[c][0] * p[0] + map[c][1] * p[1] + map[c][2] * p[2] + map[c][3]);
    }
    good(pl_set(w, PL_ATTRIBUTE_POSITION, first, particles, x));
    float *after = seen(w, &count);
    double worst = 0.0;
    for (int i = 0; i < 3 * count; i++)
    {
        const float *p = before + i / 3 * 3;
        const double *m = map[i % 3];
        worst = fmax(worst,
                     fabs((double)after[i] - (m[0] * (double)p[0] + m[1] * (double)p[1] + m[2] * (double)p[2] + m[3])));
    }
    print_message("vertices off by %.1e m\n", worst);
    below("vertices", worst, 1e-5);
    free(x);
    free(before);
    free(after);
    pl_mesh_free(&mesh);
    pl_world_destroy(w);
}

enum
{
    LINKS = 8,
    SIDES = 12,
    RINGS = 65
};

// A tube around a chain that is twisted by a quarter of a turn from link to link: blended linearly, it would shrink to 0.7 half way.
static void a_twisted_tube_stays_open(void **state)
{
    (void)state;
    pl_world *w = make_world(1, 1);
    pl_oriented_form_def f = pl_default_oriented_form_def();
    pl_cluster_material m = pl_default_cluster_material();
    pl_visual_def d = pl_default_visual_def();
    static float x[3 * SIDES * RINGS];
    pl_id chain, id;
    f.form = PL_ORIENTED_CHAIN;
    f.size[0] = LINKS + 1;
    f.u = (pl_vec3){0.0f, 0.8f, 0.0f};
    good(pl_add_oriented_form(w, &f, &m, 0.0f, &chain));
    for (int i = 0; i < SIDES * RINGS; i++)
    {
        double a = 2.0 * acos(-1.0) * (i % SIDES) / SIDES;
        x[3 * i] = (float)(0.05 * cos(a)), x[3 * i + 1] = 0.8f * (float)(i / SIDES) / (RINGS - 1);
        x[3 * i + 2] = (float)(0.05 * sin(a));
    }
    d.object = chain;
    d.vertex_count = SIDES * RINGS;
    d.vertices = x;
    d.nearest = 2;
    good(pl_add_visual(w, &d, &id));
    for (int i = 0; i <= LINKS; i++)
    {
        double half = 0.25 * acos(-1.0) * i; // the half of the angle
        pl_quat q = {0.0f, (float)sin(half), 0.0f, (float)cos(half)};
        good(pl_set_orientation(w, i, 1, &q, NULL));
    }
    good(pl_get_visual(w, id, x, NULL));
    double least = 1.0, most = 0.0;
    for (int i = 0; i < SIDES * RINGS; i++)
    {
        double r = sqrt((double)x[3 * i] * x[3 * i] + (double)x[3 * i + 2] * x[3 * i + 2]);
        least = fmin(least, r), most = fmax(most, r);
    }
    print_message("the tube's radius goes from %.4f to %.4f m\n", least, most);
    below("too thin", 0.0499, least);
    below("radius", most, 0.0501);
    pl_world_destroy(w);
}

// What a press leaves of a plastic body is seen: the mesh has the height of the particles.
static void a_plastic_mesh_flows(void **state)
{
    (void)state;
    pl_mesh mesh = make_mesh("box", 0.05f);
    pl_world *w = make_world(6, 2);
    weightless(w);
    change(w, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 2.0);
    pl_body_def d = pl_default_body_def();
    pl_id id;
    d.mesh = &mesh;
    d.kind = PL_BODY_PLASTIC;
    d.spacing = 0.1f;
    d.visual = true;
    d.match.yield = 0.01f;
    d.match.creep = 300.0f; // it flows before it springs back
    d.match.stiffness = 0.02f;
    good(pl_add_body(w, &d, &id));
    int first, particles, count;
    float *before = seen(w, &count), x[3 * 512];
    double low[4], high[4]; // of particles and mesh, before and after
    good(pl_object_range(w, id, &first, &particles));
    good(pl_get(w, PL_ATTRIBUTE_POSITION, first, particles, x));
    for (int i = 0; i < particles; i++)
        x[3 * i] *= 1.25f, x[3 * i + 1] *= 0.8f;
    good(pl_set(w, PL_ATTRIBUTE_POSITION, first, particles, x));
    steps(w, 60, 1.0 / 60.0);
    good(pl_get(w, PL_ATTRIBUTE_POSITION, first, particles, x));
    float *after = seen(w, &count);
    const float *sets[3] = {before, after, x};
    for (int s = 0; s < 3; s++)
    {
        low[s] = 1e9, high[s] = -1e9;
        for (int i = 0; i < (s == 2 ? particles : count); i++)
            low[s] = fmin(low[s], (double)sets[s][3 * i + 1]), high[s] = fmax(high[s], (double)sets[s][3 * i + 1]);
    }
    double mesh_ratio = (high[1] - low[1]) / (high[0] - low[0]), body_ratio = (high[2] - low[2]) / 0.3;
    print_message("the particles are at %.3f of their height, the mesh at %.3f\n", body_ratio, mesh_ratio);
    below("nothing flowed", body_ratio, 0.92);
    near("height", mesh_ratio, body_ratio, 0.02);
    free(before);
    free(after);
    pl_mesh_free(&mesh);
    pl_world_destroy(w);
}

static void refused(pl_result result, const char *word)
{
    assert_int_equal(result, PL_ERROR_ARGUMENT);
    if (!strstr(pl_error_message(), word))
        fail_msg("\"%s\" does not speak of %s", pl_error_message(), word);
}

static void they_come_and_go(void **state)
{
    (void)state;
    pl_mesh mesh = make_mesh("sphere", 0.1f);
    pl_world *w = make_world(2, 1), *again;
    pl_world_def def = pl_default_world_def();
    pl_id one = add_body(w, &mesh, PL_BODY_LATTICE, 0.1f), two, ids[4];
    two = add_body(w, &mesh, PL_BODY_JELLY, 0.1f);
    steps(w, 10, 1.0 / 60.0);
    assert_int_equal(pl_world_visuals(w, ids, 4), 2);
    float x[3 * 4096], y[3 * 4096];
    pl_visual_info info;
    good(pl_describe_visual(w, ids[1], &info));
    assert_true(info.vertices <= 4096);
    good(pl_get_visual(w, ids[1], x, NULL));
    void *data;
    size_t size;
    good(pl_world_save_memory(w, &data, &size));
    good(pl_world_load_memory(&def, data, size, &again));
    pl_free(data);
    good(pl_get_visual(again, ids[1], y, NULL));
    assert_memory_equal(x, y, (size_t)info.vertices * 3 * sizeof *x);
    good(pl_remove(w, one));
    assert_int_equal(pl_world_visuals(w, ids + 2, 1), 1);
    good(pl_get_visual(w, ids[2], y, NULL));
    assert_memory_equal(x, y, (size_t)info.vertices * 3 * sizeof *x);
    pl_visual_def d = pl_default_visual_def();
    int32_t corner[3] = {0, 1, 7};
    d.object = two;
    d.vertex_count = 3;
    d.vertices = x;
    d.triangle_count = 1;
    d.triangles = corner;
    refused(pl_add_visual(w, &d, &ids[0]), "corner 7");
    d.nearest = 9;
    refused(pl_add_visual(w, &d, &ids[0]), "near");
    d.nearest = 4;
    corner[2] = 2;
    d.object = one;
    refused(pl_add_visual(w, &d, &ids[0]), "");
    d.object = two;
    x[4] = NAN;
    refused(pl_add_visual(w, &d, &ids[0]), "finite");
    x[4] = 0.0f;
    good(pl_add_visual(w, &d, &ids[0]));
    good(pl_remove(w, ids[0]));
    good(pl_remove(w, two));
    assert_int_equal(pl_world_visuals(w, NULL, 0), 0);
    pl_mesh_free(&mesh);
    pl_world_destroy(w);
    pl_world_destroy(again);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rigid_mesh_stays_itself), cmocka_unit_test(a_mesh_in_tetrahedra_is_linear),
        cmocka_unit_test(a_twisted_tube_stays_open), cmocka_unit_test(a_plastic_mesh_flows),
        cmocka_unit_test(they_come_and_go),
    };
    return cmocka_run_group_tests_name("visual", tests, NULL, NULL);
}
