// cover.h: the scene `cover`: at its end no particle of the cloth is inside a box. Where the boxes are is found from their particles alone.
#ifndef PLIANT_TESTS_COVER_H
#define PLIANT_TESTS_COVER_H

#include "physics/physics.h"

enum
{
    BOXES = 8,
};

// How the box's axes lie now: sums of its particles' places, weighed with where they were in it at the start.
static inline void find_axes(const float *before, const float *now, int count, double centre[3], double axis[3][3])
{
    double start[3] = {0};
    memset(axis, 0, sizeof(double[3][3]));
    for (int c = 0; c < 3; c++)
        centre[c] = 0.0;
    for (int i = 0; i < 3 * count; i++)
        centre[i % 3] += (double)now[i] / count, start[i % 3] += (double)before[i] / count;
    for (int i = 0; i < count; i++)
        for (int a = 0; a < 3; a++)
            for (int c = 0; c < 3; c++)
                axis[a][c] += ((double)before[3 * i + a] - start[a]) * ((double)now[3 * i + c] - centre[c]);
    for (int a = 0; a < 3; a++)
    {
        double size = sqrt(axis[a][0] * axis[a][0] + axis[a][1] * axis[a][1] + axis[a][2] * axis[a][2]);
        for (int c = 0; c < 3; c++)
            axis[a][c] /= size;
    }
}

// With these settings, of a cloth of side x side particles.
static inline void no_cloth_inside_a_box(const char *const *sets, int set_count, int side)
{
    size_t length;
    const char *text = pl_builtin_scene("cover", &length);
    const double half = 0.2; // m: of a box's edges
    pl_scene *scene = NULL;
    pl_world *world = NULL;
    pl_world_def def = pl_default_world_def();
    good(pl_scene_parse(text, length, "cover", sets, set_count, &scene));
    good(pl_scene_world(scene, &def, &world));
    int count = pl_particle_count(world), cloth = side * side, each = (count - cloth) / BOXES, inside = 0;
    float *before = malloc(3 * (size_t)count * sizeof *before), *now = malloc(3 * (size_t)count * sizeof *now);
    assert_non_null(before);
    assert_non_null(now);
    good(pl_get(world, PL_ATTRIBUTE_POSITION, 0, count, before));
    for (int f = 0; f < pl_scene_describe(scene).frames; f++)
    {
        good(pl_scene_before_step(scene, world));
        good(pl_world_step(world, 1.0f / 60.0f));
    }
    good(pl_get(world, PL_ATTRIBUTE_POSITION, 0, count, now));
    double deepest = 1.0;
    int over = 0; // of the cloth, above a box: it must be there to be tested
    for (int b = 0; b < BOXES; b++)
    {
        double centre[3], axis[3][3];
        int first = cloth + b * each;
        find_axes(before + 3 * first, now + 3 * first, each, centre, axis);
        for (int i = 0; i < cloth; i++)
        {
            double out = -1.0, aside = -1.0;
            for (int a = 0; a < 3; a++)
            {
                double along = 0.0;
                for (int c = 0; c < 3; c++)
                    along += axis[a][c] * ((double)now[3 * i + c] - centre[c]);
                out = fmax(out, fabs(along) - half);
                if (a != 1)
                    aside = fmax(aside, fabs(along) - half);
            }
            inside += out < 0.0;
            over += aside < 0.0;
            deepest = fmin(deepest, out);
        }
    }
    print_message("%d + %d particles; %d of the cloth over boxes, %d inside; the nearest %.4f m outside\n", cloth,
                  count - cloth, over, inside, deepest);
    assert_int_equal(inside, 0);
    assert_true(over > cloth / 16);
    free(before);
    free(now);
    pl_world_destroy(world);
    pl_scene_free(scene);
}

#endif
