// world.c: makes and fills the judge, by hand or from a world through the public API.
#include "reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

judge *judge_create(int particles)
{
    judge *j = calloc(1, sizeof *j);
    double *memory = calloc(16 * (size_t)particles + 1, sizeof *memory);
    if (j == NULL || memory == NULL)
    {
        free(j);
        free(memory);
        return NULL;
    }
    size_t n = 3 * (size_t)particles;
    j->particles = particles;
    j->x = memory;
    j->v = memory + n;
    j->force = memory + 2 * n;
    j->old_x = memory + 3 * n;
    j->old_v = memory + 4 * n;
    j->mass = memory + 5 * n;
    return j;
}

void judge_destroy(judge *j)
{
    if (j != NULL)
    {
        free(j->x); // the head of the one block that holds all arrays
        free(j->row);
        free(j);
    }
}

judge_row *judge_add(judge *j, pl_kind kind, const int *index, const double *param, double compliance)
{
    if (j->rows == j->row_capacity)
    {
        int capacity = j->row_capacity ? 2 * j->row_capacity : 64;
        judge_row *row = realloc(j->row, (size_t)capacity * sizeof *row);
        if (row == NULL)
        {
            return NULL;
        }
        j->row = row;
        j->row_capacity = capacity;
    }
    int params = judge_element(kind) == 3       ? 11
                 : judge_element(kind) == 2     ? 8
                 : kind == PL_KIND_PATCH_VOLUME ? 22
                 : kind == PL_KIND_ISOMETRIC    ? 4
                 : kind == PL_KIND_PIN          ? 3
                                                : 1;
    judge_row *row = &j->row[j->rows++];
    memset(row, 0, sizeof *row);
    row->kind = kind;
    row->compliance = compliance;
    memcpy(row->index, index, (size_t)judge_arity(kind) * sizeof *index);
    memcpy(row->param, param, (size_t)params * sizeof *param);
    return row;
}

void judge_gather(const judge *j, int row, double *p)
{
    for (int i = 0; i < judge_arity(j->row[row].kind); ++i)
    {
        memcpy(p + 3 * i, j->x + 3 * j->row[row].index[i], 3 * sizeof *p);
    }
}

static bool read_attribute(const pl_world *world, pl_attribute what, int count, int width, double *out)
{
    float *values = malloc(((size_t)count * (size_t)width + 1) * sizeof *values);
    bool good = values != NULL && pl_get(world, what, 0, count, values) == PL_OK;
    for (int i = 0; good && i < count * width; ++i)
    {
        out[i] = (double)values[i];
    }
    free(values);
    return good;
}

judge *judge_from_world(const pl_world *world)
{
    pl_settings settings = pl_world_settings(world);
    if (settings.damping > 0.0f || settings.internal_damping > 0.0f)
    {
        return NULL;
    }
    int count = pl_particle_end(world);
    judge *j = judge_create(count);
    if (j == NULL)
    {
        return NULL;
    }
    if (!read_attribute(world, PL_ATTRIBUTE_POSITION, count, 3, j->x) ||
        !read_attribute(world, PL_ATTRIBUTE_VELOCITY, count, 3, j->v) ||
        !read_attribute(world, PL_ATTRIBUTE_FORCE, count, 3, j->force) ||
        !read_attribute(world, PL_ATTRIBUTE_MASS, count, 1, j->mass))
    {
        judge_destroy(j);
        return NULL;
    }
    j->gravity[0] = (double)settings.gravity.x;
    j->gravity[1] = (double)settings.gravity.y;
    j->gravity[2] = (double)settings.gravity.z;
    j->integrator = settings.integrator == PL_INTEGRATOR_BDF2 ? JUDGE_BDF2 : JUDGE_BDF1;
    return j;
}

static pl_result add_rows(judge *j, pl_kind kind, int count, const int32_t *index, const float *param,
                          const float *compliance, const float *damping)
{
    const pl_kind_info *info = pl_kind_describe(kind);
    for (int r = 0; r < count; ++r)
    {
        int particle[PL_MAX_ARITY] = {0};
        double values[PL_MAX_PARAMS] = {0};
        for (int i = 0; i < info->arity; ++i)
        {
            particle[i] = index[info->arity * r + i];
        }
        for (int i = 0; i < info->params; ++i)
        {
            values[i] = (double)param[info->params * r + i];
        }
        bool loose_anchor = kind == PL_KIND_TETHER && j->mass[particle[1]] > 0.0;
        bool rigid_element = judge_element(kind) && !(compliance[r] > 0.0f);
        if (damping[r] > 0.0f || loose_anchor || rigid_element)
        {
            return PL_ERROR_UNSUPPORTED;
        }
        if (judge_add(j, kind, particle, values, (double)compliance[r]) == NULL)
        {
            return PL_ERROR_MEMORY;
        }
    }
    return PL_OK;
}

pl_result judge_add_block(judge *j, const pl_world *world, pl_id block)
{
    pl_kind kind;
    int count;
    pl_result result = pl_block_info(world, block, &kind, &count);
    if (result != PL_OK)
    {
        return result;
    }
    const pl_kind_info *info = pl_kind_describe(kind);
    size_t n = (size_t)count + 1;
    int32_t *index = malloc(n * (size_t)info->arity * sizeof *index);
    float *param = malloc(n * (size_t)info->params * sizeof *param);
    float *soft = malloc(2 * n * sizeof *soft);
    result = index && param && soft ? PL_OK : PL_ERROR_MEMORY;
    if (result == PL_OK)
    {
        result = pl_get_row_particles(world, block, 0, count, index);
    }
    if (result == PL_OK)
    {
        result = pl_get_rows(world, block, PL_ROW_PARAM, 0, count, param);
    }
    if (result == PL_OK)
    {
        result = pl_get_rows(world, block, PL_ROW_COMPLIANCE, 0, count, soft);
    }
    if (result == PL_OK)
    {
        result = pl_get_rows(world, block, PL_ROW_DAMPING, 0, count, soft + n);
    }
    if (result == PL_OK)
    {
        result = add_rows(j, kind, count, index, param, soft, soft + n);
    }
    free(index);
    free(param);
    free(soft);
    return result;
}

pl_result judge_add_object(judge *j, const pl_world *world, pl_id object)
{
    pl_id blocks[16];
    int count = pl_object_blocks(world, object, blocks, 16);
    for (int b = 0; b < count && b < 16; ++b)
    {
        pl_kind kind;
        int rows;
        if (pl_block_info(world, blocks[b], &kind, &rows) != PL_OK)
        {
            continue; // a block of faces has no rows
        }
        pl_result result = judge_add_block(j, world, blocks[b]);
        if (result != PL_OK)
        {
            return result;
        }
    }
    return PL_OK;
}

double judge_force(const judge_row *row)
{
    const double *l = row->lambda;
    bool vector = row->kind == PL_KIND_PIN || row->kind == PL_KIND_ISOMETRIC;
    return vector ? -sqrt(l[0] * l[0] + l[1] * l[1] + l[2] * l[2]) : l[0];
}

int judge_forces(const judge_row *row, double *out)
{
    int parts = pl_kind_describe(row->kind)->parts;
    memcpy(out, row->lambda, sizeof row->lambda);
    out[0] = parts == 1 ? judge_force(row) : out[0];
    return parts;
}

double judge_kinetic(const judge *j)
{
    double sum = 0.0;
    for (int u = 0; u < 3 * j->particles; ++u)
    {
        sum += 0.5 * j->mass[u / 3] * j->v[u] * j->v[u];
    }
    return sum;
}

double judge_elastic(const judge *j)
{
    double sum = 0.0;
    for (int r = 0; r < j->rows; ++r)
    {
        if (judge_element(j->row[r].kind))
        {
            double at[3 * PL_MAX_ARITY], force[3 * PL_MAX_ARITY], lambda[JUDGE_MAX_PARTS];
            judge_gather(j, r, at);
            sum += judge_element_force(&j->row[r], at, force, lambda);
            continue;
        }
        for (int part = 0; part < JUDGE_MAX_PARTS; ++part)
        {
            sum += 0.5 * j->row[r].compliance * j->row[r].lambda[part] * j->row[r].lambda[part];
        }
    }
    return sum;
}
