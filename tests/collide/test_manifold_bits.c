// test_manifold_bits.c: the bits of manifolds, distances, impacts and polyhedra are the same from every compiler, at
// every optimisation and on every machine: a hash of thousands of results equals the one written down here.
#include "convex_twin.h"
#include "collide/ground_cast.h"
#include "collide/manifold_mesh.h"
#include "collide/mass_properties.h"

#define EXPECTED 0xc2597a71ce9d3ba7u

static uint64_t hash;

static void add_bytes(const void *x, size_t size)
{
    const unsigned char *p = x;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ p[i]) * 0x100000001b3u;
}

static void add_float(float a)
{
    float b = a + 0.0f; // -0 and 0 are equal
    add_bytes(&b, sizeof b);
}

static void add_vec(vec a)
{
    add_float(a.x);
    add_float(a.y);
    add_float(a.z);
}

static void add_manifold(const manifold *m)
{
    add_bytes(&m->count, sizeof m->count);
    add_bytes(&m->axis, sizeof m->axis);
    if (m->count)
        add_vec(m->normal);
    for (int i = 0; i < m->count; i++)
    {
        add_vec(m->point[i].a);
        add_vec(m->point[i].b);
        add_float(m->point[i].separation);
        add_bytes(&m->point[i].id, sizeof m->point[i].id);
    }
}

static void same_bits(void **state)
{
    (void)state;
    memory m = open_memory();
    test_mesh sheet = sheet_mesh(2.0f, 0.3f, 12);
    mesh_view v = view(&sheet);
    bvh b;
    good(bvh_build(&m, &v, 0, &b));
    hash = 0xcbf29ce484222325u;
    random_state = 77;
    for (int n = 0; n < 64 * 40; n++)
    {
        test_shape s = draw_shape(&m, n % 8, 1.0f), t = draw_shape(&m, n / 8 % 8, n % 3 ? 1.0f : 0.1f);
        if (s.bytes)
        {
            const poly_block *block = s.bytes;
            add_bytes((const char *)s.bytes + sizeof *block, s.size - sizeof *block);
            add_float(block->inner);
        }
        mat3 ra = random_turn(), rb = random_turn();
        float far = uniform(0.3f, 1.4f);
        vec between = times(far, on_sphere());
        manifold k, l[GROUND_MANIFOLDS];
        manifold_between(&s.c, &t.c, &ra, &rb, between, 0.02f, 0, &k);
        add_manifold(&k);
        pose p = pose_between(&ra, &rb, times(2.0f, between)), q = {ra, vec_of(between.x, between.y + 0.4f, between.z)};
        gjk_result g = gjk_distance(&s.c, &t.c, &p);
        add_float(g.distance);
        add_vec(g.normal);
        int count = manifold_mesh(&s.c, &b, &q, 0.0f, 1, 0.02f, l);
        for (int i = 0; i < count; i++)
            add_manifold(&l[i]);
        quat still = {{0.0f, 0.0f, 0.0f}, 1.0f}, other = {{0.28f, 0.0f, 0.0f}, 0.96f};
        shape_motion sa = {still, other, times(0.5f, between), {ra, {0.1f, 0.0f, 0.0f}}},
                     sb = {still, still, {0.0f, 0.0f, 0.0f}, {rb, {0.0f, 0.0f, 0.0f}}};
        impact_time time = time_of_impact(&s.c, &sa, &t.c, &sb, times(2.0f, between), 0.005f);
        add_float(time.time);
        drop_shape(&m, &s);
        drop_shape(&m, &t);
    }
    mass_properties mass;
    test_mesh box = box_mesh(0.3f, 0.7f, 1.1f);
    for (int i = 0; i < 3 * box.vertices; i++)
        box.x[i] += uniform(0.0f, 0.01f);
    mesh_view solid = view(&box);
    good(mass_of_mesh(&m, 3.0, &solid, &mass));
    double moment[3], axes[4];
    mass_principal(mass.inertia, moment, axes);
    add_bytes(&mass, sizeof mass);
    add_bytes(moment, sizeof moment);
    add_bytes(axes, sizeof axes);
    drop_mesh(&box);
    bvh_free(&m, &b);
    drop_mesh(&sheet);
    check(hash == EXPECTED, "the hash is 0x%016llxu", (unsigned long long)hash);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_bits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
