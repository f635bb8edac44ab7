// scene_pins.c: finds the particles of a cloth that are pinned. One item, or a list of items:
//   "left" "right" "top" "bottom" "corners" "top_left" "top_right" "bottom_left" "bottom_right"   of a grid
//   12, -1                                   a particle's number; negative ones count from the end
//   [3, 0], [-1, -1]                         column and row of a grid; negative ones count from the end
//   {"edge": "top", "every": 10}             every tenth of an edge, and its last
//   {"box": [[0, 1, 0], [2, 3, 1]]}          all that begin in a box
#include "scene.h"

#include "core/error.h"

#include <math.h>
#include <string.h>

struct pins
{
    const struct scene_cloth *cloth;
    bool grid;
    int columns, rows, count;
    char *held; // for each particle
};

static const struct
{
    const char *name;
    int column, row, column_step, row_step; // -1: the last
} edges[] = {
    {"left", 0, 0, 0, 1},     {"right", -1, 0, 0, 1},     {"top", 0, 0, 1, 0},          {"bottom", 0, -1, 1, 0},
    {"top_left", 0, 0, 0, 0}, {"top_right", -1, 0, 0, 0}, {"bottom_left", 0, -1, 0, 0}, {"bottom_right", -1, -1, 0, 0},
};

static pl_result no_grid(const struct json *node)
{
    return json_fail(
        node, "edges, corners and columns are a grid's, and this cloth is a mesh; use numbers or {\"box\": ...}");
}

static pl_result hold_edge(struct pins *p, const struct json *node, const char *name, int every)
{
    if (!p->grid)
    {
        return no_grid(node);
    }
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++)
    {
        if (strcmp(edges[i].name, name) != 0)
        {
            continue;
        }
        int column = edges[i].column ? p->columns - 1 : 0, row = edges[i].row ? p->rows - 1 : 0;
        int length = edges[i].column_step ? p->columns : edges[i].row_step ? p->rows : 1;
        for (int k = 0; k < length; k++)
        {
            if (k % every == 0 || k == length - 1)
            {
                p->held[(row + k * edges[i].row_step) * p->columns + column + k * edges[i].column_step] = 1;
            }
        }
        return PL_OK;
    }
    return json_fail(node,
                     "\"%.40s\" is no part of a cloth; expected left, right, top, bottom, corners, top_left, "
                     "top_right, bottom_left or bottom_right",
                     name);
}

static pl_result hold_word(struct pins *p, const struct json *node)
{
    if (strcmp(node->text, "corners") != 0)
    {
        return hold_edge(p, node, node->text, 1);
    }
    pl_result result = PL_OK;
    for (size_t i = 4; i < 8 && result == PL_OK; i++)
    {
        result = hold_edge(p, node, edges[i].name, 1);
    }
    return result;
}

// Reads an integer in [-count, count), counted from the end if negative.
static pl_result read_place(const struct json *node, int count, const char *what, int *place)
{
    if (node->type != JSON_NUMBER || floor(node->number) != node->number || node->number < -count ||
        node->number >= count)
    {
        return json_fail(node, "no such %s; %d to %d, or -1 to -%d counted from the end, exist", what, 0, count - 1,
                         count);
    }
    *place = (int)node->number < 0 ? count + (int)node->number : (int)node->number;
    return PL_OK;
}

static pl_result hold_cell(struct pins *p, const struct json *node)
{
    int column = 0, row = 0;
    if (!p->grid)
    {
        return no_grid(node);
    }
    if (node->count != 2)
    {
        return json_fail(node, "%d numbers; expected [column, row]", node->count);
    }
    pl_result result = read_place(node->first, p->columns, "column", &column);
    result = result == PL_OK ? read_place(node->last, p->rows, "row", &row) : result;
    if (result == PL_OK)
    {
        p->held[row * p->columns + column] = 1;
    }
    return result;
}

static bool read_point(const struct json *node, double point[3])
{
    const struct json *child = node->type == JSON_ARRAY && node->count == 3 ? node->first : NULL;
    int i = 0;
    for (; child && child->type == JSON_NUMBER; child = child->next)
    {
        point[i++] = child->number;
    }
    return i == 3;
}

static void particle_at(const struct pins *p, int number, double at[3])
{
    const pl_cloth_def *d = &p->cloth->def;
    if (!p->grid)
    {
        for (int i = 0; i < 3; i++)
        {
            at[i] = (double)d->vertices[3 * number + i];
        }
        return;
    }
    double s = (double)(number % p->columns) / (double)(p->columns - 1);
    double t = (double)(number / p->columns) / (double)(p->rows - 1);
    at[0] = (double)d->origin.x + s * (double)d->u.x + t * (double)d->v.x;
    at[1] = (double)d->origin.y + s * (double)d->u.y + t * (double)d->v.y;
    at[2] = (double)d->origin.z + s * (double)d->u.z + t * (double)d->v.z;
}

static pl_result hold_box(struct pins *p, const struct json *node)
{
    double least[3], most[3];
    if (node->type != JSON_ARRAY || node->count != 2 || !read_point(node->first, least) ||
        !read_point(node->last, most))
    {
        return json_fail(node, "not a box; expected [[x, y, z], [x, y, z]], its least and its largest corner");
    }
    for (int k = 0; k < p->count; k++)
    {
        double at[3];
        particle_at(p, k, at);
        bool inside = at[0] >= least[0] && at[1] >= least[1] && at[2] >= least[2] && at[0] <= most[0] &&
                      at[1] <= most[1] && at[2] <= most[2];
        p->held[k] = (char)(p->held[k] | inside);
    }
    return PL_OK;
}

static pl_result hold_object(struct pins *p, const struct json *node)
{
    const struct json *edge = json_member(node, "edge"), *every = json_member(node, "every"),
                      *box = json_member(node, "box");
    if (box && node->count == 1)
    {
        return hold_box(p, box);
    }
    if (!edge || edge->type != JSON_STRING || node->count != 1 + (every != NULL))
    {
        return json_fail(
            node,
            "pins of an unknown form; use {\"edge\": \"top\", \"every\": 10} or {\"box\": [[x, y, z], [x, y, z]]}");
    }
    if (every && (every->type != JSON_NUMBER || every->number < 1 || every->number > 1e6 ||
                  floor(every->number) != every->number))
    {
        return json_fail(every, "\"every\" is not a whole number from 1 to 1000000; 10 holds every tenth");
    }
    return hold_edge(p, edge, edge->text, every ? (int)every->number : 1);
}

static pl_result hold(struct pins *p, const struct json *node)
{
    int place = 0;
    pl_result result;
    switch (node->type)
    {
    case JSON_STRING:
        return hold_word(p, node);
    case JSON_ARRAY:
        return hold_cell(p, node);
    case JSON_OBJECT:
        return hold_object(p, node);
    case JSON_NUMBER:
        result = read_place(node, p->count, "particle", &place);
        if (result == PL_OK)
        {
            p->held[place] = 1;
        }
        return result;
    default:
        return json_fail(node, "%s cannot be held; expected a word such as \"corners\", a number or [column, row]",
                         json_type_name(node->type));
    }
}

pl_result scene_find_pins(pl_scene *scene, struct scene_cloth *cloth)
{
    struct pins p = {
        .cloth = cloth, .grid = cloth->def.vertices == NULL, .columns = cloth->size[0], .rows = cloth->size[1]};
    if (!cloth->pinned)
    {
        return PL_OK;
    }
    p.count = p.grid ? p.columns * p.rows : cloth->vertices.count;
    p.held = store_take(&scene->store, (size_t)p.count);
    int32_t *pinned = store_take(&scene->store, (size_t)p.count * sizeof *pinned);
    if (!p.held || !pinned)
    {
        return fail(PL_ERROR_MEMORY, "no memory for the pins of a cloth; use a smaller one");
    }
    bool list = cloth->pinned->type == JSON_ARRAY;
    pl_result result = PL_OK;
    for (const struct json *item = list ? cloth->pinned->first : cloth->pinned; item && result == PL_OK;
         item = list ? item->next : NULL)
    {
        result = hold(&p, item);
    }
    for (int i = 0; i < p.count; i++)
    {
        if (p.held[i])
        {
            pinned[cloth->def.pinned_count++] = i;
        }
    }
    cloth->def.pinned = pinned;
    return result;
}
