// scene_refs.c: resolves references to single particles, and reads the constraints that use them.
// Selectors, which name several, are in scene_select.c.
#include "scene.h"

#include "core/error.h"
#include "number.h"

#include <math.h>
#include <string.h>

pl_result scene_particle(const pl_scene *scene, const struct json *node, int *number)
{
    if (node->type == JSON_NUMBER)
    {
        if (floor(node->number) != node->number || node->number < 0 || node->number >= scene->particle_count)
        {
            char text[NUMBER_TEXT];
            return json_fail(node, "no particle %s; 0 to %d exist", number_write(node->number, text),
                             scene->particle_count - 1);
        }
        *number = (int)node->number;
        return PL_OK;
    }
    if (node->type != JSON_STRING)
    {
        return json_fail(node, "%s is no particle; expected a number or \"name[3]\"", json_type_name(node->type));
    }
    int count = 0;
    pl_result result = scene_particles_of(scene, node, node->text, number, &count);
    if (result == PL_OK && count != 1)
    {
        return json_fail(node, "\"%.40s\" has %d particles; say which with \"%.40s[0]\"", node->text, count,
                         node->text);
    }
    return result;
}

// Reads one constraint's particles.
static pl_result read_row(const pl_scene *scene, const struct json *row, const pl_kind_info *info, int32_t *index)
{
    bool alone = row->type != JSON_ARRAY;
    int count = alone ? 1 : row->count;
    if (count != info->arity)
    {
        return json_fail(row, "%d particles; a constraint of kind %s has %d", count, info->name, info->arity);
    }
    pl_result result = PL_OK;
    for (const struct json *child = alone ? row : row->first; child && result == PL_OK;
         child = alone ? NULL : child->next)
    {
        int number = 0;
        result = scene_particle(scene, child, &number);
        *index++ = number;
    }
    return result;
}

static pl_result read_params(const struct json *row, const pl_kind_info *info, float *param)
{
    bool alone = row->type != JSON_ARRAY;
    int count = alone ? 1 : row->count;
    if (count != info->params)
    {
        return json_fail(row, "%d params; a constraint of kind %s has %d", count, info->name, info->params);
    }
    for (const struct json *child = alone ? row : row->first; child; child = alone ? NULL : child->next)
    {
        if (child->type != JSON_NUMBER || !(fabs(child->number) < 1e12))
        {
            return json_fail(child, "not a number below 1e12; \"params\" holds such numbers");
        }
        *param++ = (float)child->number;
    }
    return PL_OK;
}

static bool is_list_of_lists(const struct json *node)
{
    return node->type == JSON_ARRAY && node->first && node->first->type == JSON_ARRAY;
}

static pl_result find_params(pl_scene *scene, struct scene_constraints *c, const pl_kind_info *info)
{
    bool each = is_list_of_lists(c->params);
    if (each && c->params->count != c->count)
    {
        return json_fail(c->params, "\"params\" for %d constraints; there are %d", c->params->count, c->count);
    }
    c->param = store_take(&scene->store, (size_t)c->count * (size_t)info->params * sizeof *c->param);
    if (!c->param)
    {
        return fail(PL_ERROR_MEMORY, "no memory for constraints; use a smaller scene");
    }
    const struct json *row = each ? c->params->first : c->params;
    pl_result result = PL_OK;
    for (int i = 0; i < c->count && result == PL_OK; i++)
    {
        result = read_params(row, info, c->param + (size_t)i * (size_t)info->params);
        row = each ? row->next : row;
    }
    return result;
}

static pl_result find_rows(pl_scene *scene, struct scene_constraints *c)
{
    const pl_kind_info *info = pl_kind_describe((pl_kind)c->kind);
    bool many = is_list_of_lists(c->particles);
    c->count = many ? c->particles->count : 1;
    c->index = store_take(&scene->store, (size_t)c->count * (size_t)info->arity * sizeof *c->index);
    if (!c->index)
    {
        return fail(PL_ERROR_MEMORY, "no memory for constraints; use a smaller scene");
    }
    const struct json *row = many ? c->particles->first : c->particles;
    pl_result result = PL_OK;
    for (int i = 0; i < c->count && result == PL_OK; i++)
    {
        result = read_row(scene, row, info, c->index + (size_t)i * (size_t)info->arity);
        row = row->next;
    }
    return result == PL_OK && c->params ? find_params(scene, c, info) : result;
}

pl_result scene_find_constraints(pl_scene *scene)
{
    struct scene_constraints *c = scene->constraints.items;
    pl_result result = PL_OK;
    for (int i = 0; i < scene->constraints.count && result == PL_OK; i++)
    {
        result = find_rows(scene, &c[i]);
    }
    return result;
}
