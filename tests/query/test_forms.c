// Casts of capsules, boxes and hulls against every kind of target, held against closed forms in double; and the trees
// against tests of every item.
#include "model/world.h"
#include "query/forms.h"

#include <pthread.h>

// A cast of any form that is aligned with the target's axes; `sum` receives the half sides of the box that a ray would
// meet in its place, and *round its rounding.
static pl_cast_def any_form(int i, pl_vec3 half, pl_quat rotation, float *corners, double sum[3], double *round)
{
    pl_cast_def c = any_cast(i);
    c.form = (pl_cast_form)(i % PL_CAST_FORM_COUNT);
    c.rotation = rotation;
    c.half = (pl_vec3){0.5f * size(), 0.5f * size(), 0.5f * size()};
    c.length = size();
    c.radius = i % 3 ? 0.2f * size() : 0.0f;
    if (c.form == PL_CAST_CAPSULE)
        c.radius = 0.05f + c.radius;
    box_corners(c.half, corners);
    c.vertices = corners, c.vertex_count = 8;
    const double own[4][3] = {
        {0, 0, 0}, {0, 0.5 * (double)c.length, 0}, {c.half.x, c.half.y, c.half.z}, {c.half.x, c.half.y, c.half.z}};
    sum[0] = half.x + own[c.form][0], sum[1] = half.y + own[c.form][1], sum[2] = half.z + own[c.form][2];
    *round = c.radius;
    return c;
}

static line line_in(const pl_cast_def *c, pl_vec3 position, pl_quat rotation)
{
    line l = line_of(c);
    l.o[0] -= position.x, l.o[1] -= position.y, l.o[2] -= position.z;
    turn_back(rotation, l.o);
    turn_back(rotation, l.d);
    return l;
}

static void boxes(void **state)
{
    (void)state;
    int found = 0, missed = 0;
    for (int i = 0; i < 6000; i++)
    {
        pl_world *w = make_world(1, 1);
        pl_vec3 half = {size(), size(), size()}, at = {0.2f * roll(), 0.2f * roll(), 0.2f * roll()};
        pl_quat turn = any_turn();
        int form = i / 4 % BOX_FORMS;
        pl_id id = add_box_as(w, form, half, at, turn);
        float corners[24];
        double sum[3], round;
        pl_cast_def c = any_form(i, half, turn, corners, sum, &round);
        pl_hit h;
        good(pl_cast(w, &c, &h));
        line l = line_in(&c, at, turn);
        double early = meets_round_box(&l, (double[3]){sum[0] + 2e-5, sum[1] + 2e-5, sum[2] + 2e-5}, round + 2e-5);
        double late = meets_round_box(&l, (double[3]){sum[0] - 2e-5, sum[1] - 2e-5, sum[2] - 2e-5}, round - 2e-5);
        char what[64];
        snprintf(what, sizeof what, "form %d at a box as %d, cast %d", (int)c.form, form, i);
        between(what, &h, early, late);
        if (h.found)
        {
            pl_id hit = form < AS_BODY_BOX ? h.shape : h.object;
            assert_true(hit.index == id.index && hit.generation == id.generation);
            assert_int_equal(h.part, form < AS_BODY_BOX ? -1 : 0);
            assert_int_equal(h.user_data, form < AS_BODY_BOX ? 0 : 77);
            near_to("fraction", h.fraction, (double)h.distance / (double)c.distance, 1e-6);
        }
        found += h.found, missed += !h.found;
        // It overlaps exactly where the cast hits at once.
        int count;
        good(pl_overlap_all(w, &c, &h, 1, &count));
        if (early > 0)
            assert_int_equal(count, 0);
        if (late == 0)
            assert_int_equal(count, 1);
        pl_world_destroy(w);
    }
    assert_true(found > 2000 && missed > 500);
}

// Round targets, planes, height fields, distance fields and particles.
static void round_targets(void **state)
{
    (void)state;
    for (int i = 0; i < 4000; i++)
    {
        pl_world *w = make_world(1, 1);
        pl_vec3 at = {0.2f * roll(), 0.2f * roll(), 0.2f * roll()};
        pl_quat turn = any_turn();
        float r = size(), length = size(), corners[24];
        double sum[3], round;
        pl_cast_def c = any_form(i, (pl_vec3){0}, turn, corners, sum, &round);
        int kind = i / 4 % 4; // a sphere, a capsule of a body, a particle, a hollow sphere
        pl_shape_def s = pl_default_shape_def();
        s.kind = PL_SHAPE_SPHERE, s.radius = r, s.position = at;
        if (kind == 0)
            good(pl_add_shape(w, &s, NULL));
        pl_rigid_shape part = pl_default_rigid_shape();
        part.kind = PL_RIGID_CAPSULE, part.radius = r, part.length = length;
        pl_rigid_def body = pl_default_rigid_def();
        body.shapes = &part, body.shape_count = 1, body.position = at, body.rotation = turn;
        if (kind == 1)
            good(pl_add_rigid(w, &body, NULL));
        int number = kind == 2 ? add_one(w, at.x, at.y, at.z, 1, NULL) : -1;
        if (kind == 2)
            good(pl_set(w, PL_ATTRIBUTE_RADIUS, number, 1, &r));
        if (kind == 3)
        {
            s.inside = true, s.radius = 5.0f;
            good(pl_add_shape(w, &s, NULL));
        }
        pl_hit h;
        good(pl_cast(w, &c, &h));
        line l = line_in(&c, at, turn);
        double early, late;
        if (kind == 3) // the corner that is farthest out
        {
            early = late = NONE;
            for (int k = 0; k < 8; k++)
            {
                double p[3] = {k & 1 ? sum[0] : -sum[0], k & 2 ? sum[1] : -sum[1], k & 4 ? sum[2] : -sum[2]};
                for (int e = 0; e < 3; e++)
                    p[e] += l.o[e];
                double b = dot3(p, l.d), q = 5.0 - round;
                early = sooner(early, -b + sqrt(b * b - dot3(p, p) + q * q));
            }
            near_to("out of a hollow", h.distance, early, 5e-5);
        }
        else
        {
            sum[1] += kind == 1 ? 0.5 * (double)length : 0.0;
            early = meets_round_box(&l, sum, r + round + 4e-5), late = meets_round_box(&l, sum, r + round - 4e-5);
            char what[64];
            snprintf(what, sizeof what, "form %d at target %d, cast %d", (int)c.form, kind, i);
            between(what, &h, early, late);
        }
        pl_world_destroy(w);
    }
}

static void ground(void **state)
{
    (void)state;
    static float heights[33 * 33];
    for (int i = 0; i < 3000; i++)
    {
        pl_world *w = make_world(1, 1);
        pl_shape_def s = pl_default_shape_def();
        int kind = i / 4 % 3; // a plane, a sheet, a height field
        s.kind = kind == 2 ? PL_SHAPE_HEIGHTFIELD : PL_SHAPE_PLANE;
        s.two_sided = kind == 1, s.radius = kind == 1 ? 0.05f : 0.0f;
        s.heights = heights, s.columns = s.rows = 33, s.spacing = 0.5f;
        s.position = (pl_vec3){0.1f * roll(), -1.0f, 0.1f * roll()};
        good(pl_add_shape(w, &s, NULL));
        float corners[24];
        double sum[3], round;
        pl_quat turn = any_turn();
        pl_cast_def c = any_form(i, (pl_vec3){0}, turn, corners, sum, &round);
        double low = 0; // of the form, below its origin
        for (int k = 0; k < 8; k++)
        {
            double p[3] = {k & 1 ? sum[0] : -sum[0], k & 2 ? sum[1] : -sum[1], k & 4 ? sum[2] : -sum[2]};
            turn_back((pl_quat){-turn.x, -turn.y, -turn.z, turn.w}, p);
            low = fmin(low, p[1]);
        }
        pl_hit h;
        good(pl_cast(w, &c, &h));
        line l = line_of(&c);
        double height = l.o[1] + 1.0 + low - round - (kind == 1 ? 0.05 : 0.0), t = height / -l.d[1];
        bool above = l.o[1] + 1.0 > 0;
        if (above && height <= -1e-4)
            assert_true(h.found && h.distance == 0.0f);
        else if (above && height > 1e-4 && l.d[1] < -0.05 && t < 2.0)
        {
            assert_true(h.found);
            near_to("a plane", h.distance, t, 2e-4);
            near_to("its normal", h.normal.y, 1.0, 1e-3);
            near_to("its height", h.point.y, kind == 1 ? -0.95 : -1.0, 2e-4);
        }
        pl_world_destroy(w);
    }
}

// The distance field of a box: within two of its cells.
static void distance_field(void **state)
{
    (void)state;
    pl_world *w = make_world(1, 1);
    pl_vec3 half = {0.5f, 0.4f, 0.6f};
    float x[24];
    box_corners(half, x);
    pl_shape_def s = pl_default_shape_def();
    s.kind = PL_SHAPE_SDF, s.vertices = x, s.vertex_count = 8, s.triangles = box_triangles, s.triangle_count = 12;
    s.spacing = 0.02f;
    good(pl_add_shape(w, &s, NULL));
    for (int i = 0; i < 300; i++)
    {
        float corners[24];
        double sum[3], round;
        pl_cast_def c = any_form(i, half, (pl_quat){0, 0, 0, 1}, corners, sum, &round);
        pl_hit h;
        good(pl_cast(w, &c, &h));
        line l = line_of(&c);
        double e = 0.04, early = meets_round_box(&l, (double[3]){sum[0] + e, sum[1] + e, sum[2] + e}, round + e);
        double late = meets_round_box(&l, (double[3]){sum[0] - e, sum[1] - e, sum[2] - e}, fmax(round - e, 0));
        if (h.found)
            assert_true(h.distance >= early - 1e-3);
        if (late < NONE)
            assert_true(h.found && h.distance <= late + 1e-3);
    }
    pl_world_destroy(w);
}

// ---- the trees -----------------------------------------------------------------------------------------------------

static void fill(pl_world *w, int bodies)
{
    for (int i = 0; i < bodies; i++)
    {
        pl_vec3 at = {4.0f * roll(), 4.0f * roll(), 4.0f * roll()},
                half = {0.4f * size(), 0.4f * size(), 0.4f * size()};
        add_box_as(w, i % BOX_FORMS, half, at, any_turn());
        pl_rigid_shape parts[3] = {pl_default_rigid_shape(), pl_default_rigid_shape(), pl_default_rigid_shape()};
        for (int k = 0; k < 3; k++)
        {
            parts[k].kind = (pl_rigid_shape_kind)((i + k) % 4);
            parts[k].radius = 0.3f * size(), parts[k].length = size();
            parts[k].position = (pl_vec3){0.4f * roll(), 0.4f * roll(), 0.4f * roll()};
            parts[k].rotation = any_turn();
        }
        pl_rigid_def d = pl_default_rigid_def();
        d.shapes = parts, d.shape_count = 3, d.rotation = any_turn();
        d.position = (pl_vec3){4.0f * roll(), 4.0f * roll(), 4.0f * roll()};
        d.velocity = (pl_vec3){roll(), roll(), roll()}, d.spin = (pl_vec3){roll(), roll(), roll()};
        d.user_data = (uint64_t)i << 40 | 5;
        good(pl_add_rigid(w, &d, NULL));
    }
    float x[3 * 200], r[200];
    for (int i = 0; i < 600; i++)
        x[i] = 4.0f * roll();
    for (int i = 0; i < 200; i++)
        r[i] = 0.1f * size();
    pl_particles_def def = pl_default_particles_def();
    pl_id object;
    int first, count;
    def.count = 200, def.position = x;
    good(pl_add_particles(w, &def, &object));
    good(pl_object_range(w, object, &first, &count));
    good(pl_set(w, PL_ATTRIBUTE_RADIUS, first, count, r));
    good(pl_set_user_data(w, object, 4242));
    pl_cloth_def cloth = pl_default_cloth_def();
    cloth.columns = cloth.rows = 12;
    good(pl_add_cloth(w, &cloth, NULL));
    pl_shape_def plane = pl_default_shape_def();
    plane.position.y = -6;
    good(pl_add_shape(w, &plane, NULL));
}

enum
{
    ROOM = 400
};

// Without the padding behind `found`.
static int same_hits(const pl_hit *a, const pl_hit *b)
{
    return a->found == b->found && memcmp(&a->face, &b->face, sizeof *a - offsetof(pl_hit, face)) == 0;
}

// Every query twice: through the trees and item by item.
static void compare(pl_world *w, int casts)
{
    static pl_hit all[2][ROOM];
    static int32_t near_by[2][ROOM];
    uint64_t before = pl_world_hash(w);
    for (int i = 0; i < casts; i++)
    {
        float corners[24];
        double sum[3], round;
        pl_cast_def c = any_form(i, (pl_vec3){0}, any_turn(), corners, sum, &round);
        c.origin = (pl_vec3){5.0f * roll(), 5.0f * roll(), 5.0f * roll()};
        c.distance = i % 5 ? 6.0f : 1000.0f;
        pl_hit first[2], ray[2], pick[2], near_hit[2];
        int count[2], over[2], region_count[2];
        memset(all, 0, sizeof all), memset(first, 0, sizeof first), memset(ray, 0, sizeof ray);
        pl_region region = pl_default_region();
        region.position = c.origin, region.radius = 0.5f, region.box = i % 2, region.rotation = c.rotation;
        for (int k = 0; k < 2; k++)
        {
            w->queries.linear = k;
            good(pl_cast(w, &c, &first[k]));
            good(pl_cast_all(w, &c, all[k], ROOM, &count[k]));
            assert_true(count[k] == 0 ? !first[k].found : same_hits(&first[k], &all[k][0]));
            good(pl_ray_cast(w, c.origin, c.direction, 20.0f, &ray[k]));
            good(pl_pick_particle(w, c.origin, c.direction, 0.3f, &pick[k]));
            good(pl_closest_particle(w, c.origin, 3.0f, &near_hit[k]));
            good(pl_overlap(w, &region, near_by[k], ROOM, &region_count[k]));
        }
        for (int k = 0; k < count[0]; k++)
            assert_true(same_hits(&all[0][k], &all[1][k]));
        for (int k = 0; k < 2; k++)
        {
            w->queries.linear = k;
            good(pl_overlap_all(w, &c, all[k], ROOM, &over[k]));
        }
        w->queries.linear = false;
        assert_int_equal(count[0], count[1]);
        assert_int_equal(over[0], over[1]);
        assert_true(same_hits(&first[0], &first[1]) && same_hits(&ray[0], &ray[1]) && same_hits(&pick[0], &pick[1]) &&
                    same_hits(&near_hit[0], &near_hit[1]));
        for (int k = 0; k < over[0]; k++)
            assert_true(same_hits(&all[0][k], &all[1][k]));
        assert_int_equal(region_count[0], region_count[1]);
        assert_memory_equal(near_by[0], near_by[1], (size_t)region_count[0] * sizeof(int32_t));
    }
    assert_true(pl_world_hash(w) == before);
}

// After every sort of edit the trees know of it, and queries change no bits.
static void trees(void **state)
{
    (void)state;
    pl_world *w = make_world(4, 1), *twin = make_world(4, 1);
    uint64_t start = seed;
    fill(w, 40);
    seed = start;
    fill(twin, 40);
    for (int round = 0; round < 6; round++)
    {
        compare(w, 40);
        for (int i = 0; i < 3; i++)
        {
            good(pl_world_step(w, 0.02f));
            good(pl_world_step(twin, 0.02f));
            compare(w, 2);
        }
        assert_true(pl_world_hash(w) == pl_world_hash(twin));
    }
    assert_true(w->queries.tree[QUERY_PARTS].fresh && w->queries.tree[QUERY_PARTICLES].fresh &&
                w->queries.tree[QUERY_FACES].fresh);
    pl_id bodies[40];
    int count = pl_world_rigids(w, bodies, 40);
    assert_true(count >= 40);
    for (int i = 0; i < 10; i++)
        good(pl_remove(w, bodies[3 * i]));
    compare(w, 20);
    pl_rigid_state moved = {.position = {1, 2, 3}, .rotation = {0, 0, 0, 1}};
    good(pl_set_rigids(w, &bodies[1], 1, &moved));
    compare(w, 20);
    good(pl_set_shape_pose(w, pl_shape_at(w, 0), (pl_vec3){3, 0, 0}, (pl_quat){0, 0, 0, 1}));
    compare(w, 20);
    good(pl_remove(w, pl_shape_at(w, 1)));
    compare(w, 20);
    float x[3] = {0.1f, 0.2f, 0.3f}, r = 1.0f;
    int some = pl_particle_end(w) - 1;
    good(pl_set(w, PL_ATTRIBUTE_POSITION, some, 1, x));
    good(pl_set(w, PL_ATTRIBUTE_RADIUS, some, 1, &r));
    compare(w, 20);
    fill(w, 3);
    compare(w, 20);
    pl_blade blade = {{0.3f, -9, -9}, {0, 18, 0}, {0, 0, 18}};
    int cuts;
    good(pl_cut(w, (pl_id){0, 0}, &blade, &cuts));
    compare(w, 20);
    pl_world_destroy(w);
    pl_world_destroy(twin);
}

typedef struct caster_job
{
    const pl_world *w;
    pl_hit hit[50];
} caster_job;

static void *cast_many(void *arg)
{
    caster_job *j = arg;
    uint64_t own = 3;
    for (int i = 0; i < 50; i++)
    {
        pl_cast_def c = pl_default_cast_def();
        c.form = i % 2 ? PL_CAST_CAPSULE : PL_CAST_BALL, c.radius = 0.1f;
        c.origin = (pl_vec3){4 * dice(&own), 5, 4 * dice(&own)};
        if (pl_cast(j->w, &c, &j->hit[i]) != PL_OK)
            return arg;
    }
    return NULL;
}

// Several threads ask at a time, also for the first query after a step.
static void threads(void **state)
{
    (void)state;
    static caster_job jobs[4];
    pl_world *w = make_world(2, 1);
    fill(w, 40);
    for (int round = 0; round < 10; round++)
    {
        pthread_t thread[4];
        good(pl_world_step(w, 0.01f));
        for (int i = 0; i < 4; i++)
        {
            jobs[i].w = w;
            assert_int_equal(pthread_create(&thread[i], NULL, cast_many, &jobs[i]), 0);
        }
        for (int i = 0; i < 4; i++)
        {
            void *failed;
            assert_int_equal(pthread_join(thread[i], &failed), 0);
            assert_null(failed);
        }
        for (int i = 1; i < 4; i++)
            for (int k = 0; k < 50; k++)
                assert_true(same_hits(&jobs[0].hit[k], &jobs[i].hit[k]));
    }
    pl_world_destroy(w);
}

static void user_data_and_filters(void **state)
{
    (void)state;
    pl_world *w = make_world(1, 1);
    pl_id box = add_box_as(w, AS_BOX, (pl_vec3){1, 1, 1}, (pl_vec3){0, -3, 0}, (pl_quat){0, 0, 0, 1});
    pl_id body = add_box_as(w, AS_BODY_BOX, (pl_vec3){1, 1, 1}, (pl_vec3){0, -6, 0}, (pl_quat){0, 0, 0, 1});
    good(pl_set_user_data(w, box, UINT64_MAX - 3));
    good(pl_set_user_data(w, body, 12345678901234u));
    pl_cast_def c = pl_default_cast_def();
    pl_hit h[3];
    int count;
    good(pl_cast_all(w, &c, h, 3, &count));
    assert_int_equal(count, 2);
    assert_true(h[0].user_data == UINT64_MAX - 3 && h[1].user_data == 12345678901234u);
    assert_true(pl_get_user_data(w, box) == UINT64_MAX - 3);
    pl_rigid_def d;
    good(pl_get_rigid(w, body, &d));
    assert_true(d.user_data == 12345678901234u);
    c.targets = PL_CAST_BODIES;
    good(pl_cast(w, &c, h));
    assert_true(h[0].object.index == body.index && h[0].part == 0);
    c.ignore = body;
    good(pl_cast(w, &c, h));
    assert_false(h[0].found);
    c = pl_default_cast_def();
    c.filter.mask = 0;
    good(pl_cast(w, &c, h));
    assert_false(h[0].found);
    pl_rigid_shape part = pl_default_rigid_shape();
    pl_rigid_def enemy = pl_default_rigid_def();
    pl_id id;
    enemy.shapes = &part, enemy.shape_count = 1, enemy.position.y = -20;
    enemy.category = (uint64_t)1 << 40, enemy.mask = 2;
    good(pl_add_rigid(w, &enemy, &id));
    c.filter = (pl_query_filter){3, (uint64_t)1 << 40};
    good(pl_cast(w, &c, h));
    assert_true(h[0].found && h[0].object.index == id.index);
    c.filter.category = 1; // it does not meet those
    good(pl_cast(w, &c, h));
    assert_false(h[0].found);
    c.filter = (pl_query_filter){1, 4}; // a channel of the shape
    good(pl_cast_all(w, &c, h, 3, &count));
    assert_true(count == 1 && h[0].shape.index == box.index);
    refused(pl_set_user_data(w, (pl_id){99, 1}, 1), PL_ERROR_ARGUMENT, "names nothing");
    assert_true(pl_get_user_data(w, (pl_id){99, 1}) == 0);
    void *data;
    size_t bytes;
    pl_world_def def = small_def(1, 1);
    pl_world *loaded;
    good(pl_world_save_memory(w, &data, &bytes));
    good(pl_world_load_memory(&def, data, bytes, &loaded));
    assert_true(pl_get_user_data(loaded, box) == UINT64_MAX - 3);
    pl_free(data);
    pl_world_destroy(loaded);
    pl_world_destroy(w);
}

// Hostile numbers are refused or answered, and never hang or crash.
static void hostile(void **state)
{
    (void)state;
    pl_world *w = make_world(1, 1);
    fill(w, 12);
    const float odd[] = {0, -0.0f, 1, -1, 1e-45f, 1e-30f, 1e30f, 3e38f, -3e38f, INFINITY, -INFINITY, NAN, 1e-7f, 0.5f};
    float vertices[9];
    for (int i = 0; i < 3000; i++)
    {
        pl_cast_def c = any_cast(i);
        c.form = (pl_cast_form)(i % PL_CAST_FORM_COUNT);
        float *const fields[] = {&c.origin.x,   &c.origin.y,  &c.direction.x, &c.direction.z, &c.distance,
                                 &c.radius,     &c.length,    &c.half.x,      &c.half.z,      &c.rotation.x,
                                 &c.rotation.w, &vertices[0], &vertices[5],   &c.origin.z};
        for (int k = 0; k < 9; k++)
            vertices[k] = roll();
        c.vertices = vertices, c.vertex_count = 1 + i % 3;
        for (int k = 0; k < 1 + i % 2; k++)
            *fields[(int)(fabsf(roll()) * 13.99f)] = odd[(int)(fabsf(roll()) * 13.99f)];
        pl_hit h[4];
        int count;
        pl_result result = pl_cast(w, &c, h);
        assert_true(result == PL_OK || result == PL_ERROR_ARGUMENT);
        if (result == PL_OK && h[0].found)
            assert_true(h[0].distance >= 0.0f && h[0].distance <= c.distance * 1.00001f && h[0].fraction <= 1.0f);
        result = pl_overlap_all(w, &c, h, 4, &count);
        assert_true(result == PL_OK || result == PL_ERROR_ARGUMENT);
    }
    pl_cast_def c = pl_default_cast_def();
    pl_hit h;
    c.form = PL_CAST_HULL;
    refused(pl_cast(w, &c, &h), PL_ERROR_ARGUMENT, "a hull has 0 vertices");
    c.form = (pl_cast_form)9;
    refused(pl_cast(w, &c, &h), PL_ERROR_ARGUMENT, "form is 9");
    c.form = PL_CAST_BOX, c.rotation.w = 0;
    refused(pl_cast(w, &c, &h), PL_ERROR_ARGUMENT, "quaternion of length 0");
    c.rotation.w = 1, c.half.y = -1;
    refused(pl_cast(w, &c, &h), PL_ERROR_ARGUMENT, "half is (0.5, -1, 0.5)");
    c.form = PL_CAST_CAPSULE, c.length = -2;
    refused(pl_cast(w, &c, &h), PL_ERROR_ARGUMENT, "length is -2");
    pl_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes),          cmocka_unit_test(round_targets), cmocka_unit_test(ground),
        cmocka_unit_test(distance_field), cmocka_unit_test(trees),         cmocka_unit_test(user_data_and_filters),
        cmocka_unit_test(hostile),        cmocka_unit_test(threads),
    };
    return cmocka_run_group_tests_name("forms", tests, NULL, NULL);
}
