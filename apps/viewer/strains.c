// strains.c: how far finite elements are strained: for each particle the principal strain that is largest, of all elements it is in, as
// those are at rest now (what has flowed is no strain). With B the inverse of the edges at rest (src/elements/fem.h) and F = [b-a c-a d-a] B
// the principal strains are the roots of the eigenvalues of F^T F, less 1.
#include "message.h"
#include "model.h"

#include <stdlib.h>

static float larger(float a, float b) { return fabsf(a) > fabsf(b) ? a : b; }

static float strain_of(float eigenvalue) { return sqrtf(fmaxf(eigenvalue, 0.0f)) - 1.0f; }

static float strain_in_plane(const vec3 f[2])
{
    float a = dot(f[0], f[0]), b = dot(f[1], f[1]), c = dot(f[0], f[1]);
    float middle = 0.5f * (a + b), spread = sqrtf(0.25f * (a - b) * (a - b) + c * c);
    return larger(strain_of(middle + spread), strain_of(middle - spread));
}

// The eigenvalues of a symmetric matrix by the angle that their cubic's roots are of (Smith 1961).
static float strain_in_space(const vec3 f[3])
{
    float m[3] = {dot(f[0], f[0]), dot(f[1], f[1]), dot(f[2], f[2])};
    float a = dot(f[1], f[2]), b = dot(f[0], f[2]), c = dot(f[0], f[1]);
    float middle = (m[0] + m[1] + m[2]) / 3.0f, x = m[0] - middle, y = m[1] - middle, z = m[2] - middle;
    float p = sqrtf((x * x + y * y + z * z + 2.0f * (a * a + b * b + c * c)) / 6.0f);
    if (!(p > 0.0f))
    {
        return strain_of(middle);
    }
    float det = x * (y * z - a * a) - c * (c * z - a * b) + b * (c * a - y * b);
    float angle = acosf(clampf(det / (2.0f * p * p * p), -1.0f, 1.0f)) / 3.0f;
    return larger(strain_of(middle + 2.0f * p * cosf(angle)), strain_of(middle + 2.0f * p * cosf(angle + 2.0943951f)));
}

static float element_strain(const float *position, const int32_t *index, const float *inverse, int axes)
{
    vec3 f[3], a = v3_at(position + 3 * (size_t)index[0]);
    for (int i = 0; i < axes; i++)
    {
        f[i] = v3(0.0f, 0.0f, 0.0f);
        for (int k = 0; k < axes; k++)
        {
            vec3 edge = sub(v3_at(position + 3 * (size_t)index[k + 1]), a);
            f[i] = add(f[i], scale(edge, inverse[axes * k + i]));
        }
    }
    return axes == 3 ? strain_in_space(f) : strain_in_plane(f);
}

static bool tell_elements(struct frame *f, const pl_world *world, pl_id block, int count, const pl_kind_info *kind)
{
    size_t rows = (size_t)count + 1;
    float *param = malloc(rows * (size_t)kind->params * sizeof *param);
    int32_t *index = malloc(rows * (size_t)kind->arity * sizeof *index);
    pl_damage *damage = malloc(rows * sizeof *damage);
    bool good = param && index && damage
                    ? true
                    : trouble("no memory for the strains of %d elements; use fewer or free some memory", count);
    good = good && ((pl_get_rows(world, block, PL_ROW_PARAM, 0, count, param) == PL_OK &&
                     pl_get_row_particles(world, block, 0, count, index) == PL_OK &&
                     pl_get_damage(world, block, 0, count, damage) == PL_OK) ||
                    library_trouble());
    for (int i = 0; i < count && good; i++)
    {
        const int32_t *of = index + (size_t)i * (size_t)kind->arity;
        float strain = element_strain(f->position, of, param + (size_t)i * (size_t)kind->params, kind->arity - 1);
        for (int k = 0; k < kind->arity && !damage[i].broken; k++)
        {
            f->told[of[k]] = larger(strain, f->told[of[k]]);
        }
    }
    free(param);
    free(index);
    free(damage);
    return good;
}

bool strains_take(struct frame *f, const pl_world *world)
{
    int blocks = pl_world_blocks(world, NULL, 0);
    pl_id *ids = malloc(((size_t)blocks + 1) * sizeof *ids);
    bool good = ids ? true : trouble("no memory to look inside; free some memory");
    for (int p = 0; p < f->particles; p++)
    {
        f->told[p] = 0.0f;
    }
    for (int i = 0, all = good ? pl_world_blocks(world, ids, blocks) : 0; i < all && good; i++)
    {
        pl_kind kind;
        int count;
        good = pl_block_info(world, ids[i], &kind, &count) == PL_OK || library_trouble();
        if (good && pl_kind_describe(kind)->parts > 1) // a finite element
        {
            good = tell_elements(f, world, ids[i], count, pl_kind_describe(kind));
        }
    }
    free(ids);
    return good;
}
