// test_specks.c: of very many spheres only those are drawn that can be seen: whoever is the nearest in any pixel is among them, by a
// picture made the plain way; and of a full block most are left out.
// needs: viewer
#include "support/support.h"

#include "specks.h"

enum
{
    WIDTH = 200,
    HEIGHT = 120,
    SIDE = 22,
    COUNT = SIDE * SIDE * SIDE,
};

static struct ball ball[COUNT];

static void fill_block(float loose)
{
    uint32_t dice = 12345;
    for (int i = 0; i < COUNT; i++)
    {
        const int at[3] = {i % SIDE, i / SIDE % SIDE, i / SIDE / SIDE};
        for (int k = 0; k < 3; k++)
        {
            dice = dice * 1664525u + 1013904223u;
            ball[i].position[k] =
                0.02f * ((float)at[k] - 0.5f * SIDE) + loose * ((float)(dice >> 8) / 16777216.0f - 0.5f);
        }
        ball[i].radius = 0.01f;
    }
}

static struct pass pass_of(bool shadow, struct bounds *bounds)
{
    struct camera c = {.eye = v3(0.5f, 0.4f, 0.9f), .target = v3(0.0f, 0.0f, 0.0f), .fov = 35.0f};
    *bounds = (struct bounds){v3(-0.25f, -0.25f, -0.25f), v3(0.25f, 0.25f, 0.25f)};
    mat4 view = camera_view(&c), flat = mat4_orthographic(0.4f, 0.24f, 0.01f, 5.0f);
    return (struct pass){
        .shadow = shadow,
        .perspective = !shadow,
        .clip_from_world =
            shadow ? mat4_multiply(&flat, &view) : camera_clip_from_world(&c, (float)WIDTH / HEIGHT, v3(0, 0, 0), 0.5f),
        .view = view,
        .eye = c.eye,
        .pixels = shadow ? 0.886f * 0.5f * HEIGHT / 0.24f : 0.5f * HEIGHT / tanf(35.0f * (float)M_PI / 360.0f),
        .width = WIDTH,
        .height = HEIGHT,
        .samples = 1,
        .bounds = bounds};
}

// For each pixel the nearest ball whose disc, or square, covers the pixel's middle; marks it as seen.
static int see(const struct pass *p, bool *seen)
{
    static float depth[WIDTH * HEIGHT];
    static int who[WIDTH * HEIGHT];
    int count = 0;
    const float *m = p->clip_from_world.m;
    for (int i = 0; i < WIDTH * HEIGHT; i++)
    {
        depth[i] = 1e30f;
        who[i] = -1;
    }
    for (int i = 0; i < COUNT; i++)
    {
        const float *a = ball[i].position;
        vec3 clip = mat4_project(&p->clip_from_world, v3_at(a));
        float w = m[3] * a[0] + m[7] * a[1] + m[11] * a[2] + m[15], half = 0.5f * speck_width(p, 0.01f, w);
        float x = (0.5f + 0.5f * clip.x) * WIDTH, y = (0.5f + 0.5f * clip.y) * HEIGHT;
        vec3 forward = v3(-p->view.m[2], -p->view.m[6], -p->view.m[10]);
        float away = dot(sub(v3_at(a), p->eye), forward);
        for (int row = 0; row < HEIGHT; row++)
        {
            for (int column = 0; column < WIDTH; column++)
            {
                float dx = (float)column + 0.5f - x, dy = (float)row + 0.5f - y;
                bool in = p->shadow ? fabsf(dx) < half && fabsf(dy) < half : dx * dx + dy * dy < half * half;
                if (in && away < depth[row * WIDTH + column])
                {
                    depth[row * WIDTH + column] = away;
                    who[row * WIDTH + column] = i;
                }
            }
            if (fabsf((float)row - y) > half + 2.0f) // most rows are not its own
            {
                row = row < (int)(y - half) - 2 ? (int)(y - half) - 2 : row;
                row = (float)row > y + half + 1.0f ? HEIGHT : row;
            }
        }
    }
    for (int i = 0; i < WIDTH * HEIGHT; i++)
    {
        count += who[i] >= 0;
        if (who[i] >= 0)
        {
            seen[who[i]] = true;
        }
    }
    return count;
}

static void all_that_show_are_kept(void **state)
{
    (void)state;
    for (int n = 0; n < 8; n++)
    {
        static bool seen[COUNT], kept[COUNT];
        struct specks k = {0};
        struct bounds bounds;
        struct pass p = pass_of(n % 2, &bounds);
        p.samples = n < 4 ? 1 : 4;
        memset(seen, 0, sizeof seen);
        memset(kept, 0, sizeof kept);
        fill_block(n % 4 < 2 ? 0.0f : 0.02f);
        int pixels = see(&p, seen), count = specks_choose(&k, ball, COUNT, &p), shown = 0;
        assert_true(pixels > 2000);
        assert_in_range(count, 1, COUNT);
        for (int i = 0; i < count; i++)
        {
            assert_false(kept[k.order[i]]); // once
            kept[k.order[i]] = true;
        }
        for (int i = 0; i < COUNT; i++)
        {
            shown += seen[i];
            if (seen[i] && !kept[i])
            {
                fail_msg("pass %d: ball %d shows and is left out", n, i);
            }
        }
        if (n < 4 && count > COUNT / 2)
        {
            fail_msg("pass %d: %d of %d are kept, %d show", n, count, COUNT, shown);
        }
        specks_free(&k);
    }
}

static void what_is_outside_or_behind_is_left_out(void **state)
{
    (void)state;
    struct specks k = {0};
    struct bounds bounds;
    struct pass p = pass_of(false, &bounds);
    const struct ball far[3] = {
        {{0.0f, 0.0f, 0.0f}, 0.01f, {0}}, {{5.0f, 0.0f, 0.0f}, 0.01f, {0}}, {{1.0f, 0.8f, 1.8f}, 0.01f, {0}}};
    assert_int_equal(specks_choose(&k, far, 3, &p), 1);
    assert_int_equal(k.order[0], 0);
    assert_int_equal(specks_choose(&k, far, 0, &p), 0);
    specks_free(&k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_that_show_are_kept),
        cmocka_unit_test(what_is_outside_or_behind_is_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
