// scene_select_names.c: what selectors call by number, by name, or by its place in a grid.
#include "scene_select_parts.h"

#include "core/error.h"
#include "number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- collecting ----------------------------------------------------------------------------------------------------

pl_result select_number(const pl_scene *scene, struct selection *s, int number)
{
    if (!s->taken)
        s->taken = calloc((size_t)scene->particle_count + 1, 1);
    if (s->taken && s->count == s->capacity)
    {
        int capacity = s->capacity ? 2 * s->capacity : 64;
        int32_t *more = realloc(s->numbers, (size_t)capacity * sizeof *more);
        s->numbers = more ? more : s->numbers;
        s->capacity = more ? capacity : s->capacity;
    }
    if (!s->taken || s->count == s->capacity)
        return fail(PL_ERROR_MEMORY, "no memory to select particles; use a smaller scene");
    if (!s->taken[number])
        s->numbers[s->count++] = number;
    s->taken[number] = 1;
    return PL_OK;
}

pl_result select_run(const pl_scene *scene, struct selection *s, struct run run)
{
    pl_result result = PL_OK;
    for (int i = 0; i < run.count && result == PL_OK; i++)
        result = select_number(scene, s, run.first + i * run.step);
    return result;
}

bool select_is_inside(const struct scene_object *object, int number)
{
    return number >= object->first && number < object->first + object->count;
}

pl_result select_elsewhere(const struct json *text)
{
    return json_fail(text, "\"%.40s\" is of another object; name particles of this one", text->text);
}

void selection_free(struct selection *selection)
{
    free(selection->numbers);
    free(selection->taken);
    *selection = (struct selection){0};
}

// ---- grids ---------------------------------------------------------------------------------------------------------

static const struct
{
    const char *name;
    int column, row, column_step, row_step; // -1: the last
} edges[] = {
    {"left", 0, 0, 0, 1},     {"right", -1, 0, 0, 1},     {"top", 0, 0, 1, 0},          {"bottom", 0, -1, 1, 0},
    {"top_left", 0, 0, 0, 0}, {"top_right", -1, 0, 0, 0}, {"bottom_left", 0, -1, 0, 0}, {"bottom_right", -1, -1, 0, 0},
};

enum
{
    FIRST_CORNER = 4,
    EDGES = 8,
};

static bool grid_of(const struct scene_object *o, int *columns, int *rows)
{
    const struct object_kind *kind = o ? scene_object_kind(o) : NULL;
    return kind && kind->grid && kind->grid(o->values, columns, rows);
}

static pl_result no_grid(const struct json *node, const struct scene_object *own)
{
    if (!own)
        return json_fail(node, "of which object? Write {\"of\": \"cloth\", \"particles\": ...}, or \"cloth.top\"");
    bool cloth = own->type == OBJECT_CLOTH;
    return json_fail(node, "edges, corners and columns are a grid's, and this %s; use numbers or {\"box\": ...}",
                     cloth ? "cloth is a mesh" : "object has none");
}

static int edge_number(const char *name)
{
    for (int i = 0; i < EDGES; i++)
        if (strcmp(edges[i].name, name) == 0)
            return i;
    return -1;
}

static struct run edge_run(const struct scene_object *own, int number, int columns, int rows)
{
    int column = edges[number].column ? columns - 1 : 0, row = edges[number].row ? rows - 1 : 0;
    int length = edges[number].column_step ? columns : edges[number].row_step ? rows : 1;
    return (struct run){own->first + row * columns + column, length, edges[number].column_step ? 1 : columns};
}

pl_result select_edge(const struct select_from *from, const struct json *node, const char *name, struct selection *out)
{
    int columns, rows, number = edge_number(name);
    bool corners = strcmp(name, "corners") == 0;
    if (!grid_of(from->own, &columns, &rows))
        return no_grid(node, from->own);
    if (number < 0 && !corners)
        return json_fail(node,
                         "\"%.40s\" is no part of a cloth; expected left, right, top, bottom, corners, top_left, "
                         "top_right, bottom_left or bottom_right",
                         name);
    pl_result result = PL_OK;
    for (int i = corners ? FIRST_CORNER : number; result == PL_OK && i < (corners ? EDGES : number + 1); i++)
        result = select_run(from->scene, out, edge_run(from->own, i, columns, rows));
    return result;
}

// Reads an integer in [-count, count), counted from the end if negative.
static pl_result read_place(const struct json *node, int count, const char *what, int *place)
{
    if (node->type != JSON_NUMBER || floor(node->number) != node->number || node->number < -count ||
        node->number >= count)
        return json_fail(node, "no such %s; %d to %d, or -1 to -%d counted from the end, exist", what, 0, count - 1,
                         count);
    *place = (int)node->number < 0 ? count + (int)node->number : (int)node->number;
    return PL_OK;
}

pl_result select_cell(const struct select_from *from, const struct json *node, struct selection *out)
{
    int columns, rows, column = 0, row = 0;
    if (!grid_of(from->own, &columns, &rows))
        return no_grid(node, from->own);
    if (node->count != 2)
        return json_fail(node, "%d numbers; expected [column, row]", node->count);
    pl_result result = read_place(node->first, columns, "column", &column);
    result = result == PL_OK ? read_place(node->last, rows, "row", &row) : result;
    return result == PL_OK ? select_number(from->scene, out, from->own->first + row * columns + column) : result;
}

// ---- numbers and names ---------------------------------------------------------------------------------------------

pl_result select_place(const struct select_from *from, const struct json *node, struct selection *out)
{
    int number = 0;
    pl_result result = from->own ? read_place(node, from->own->count, "particle", &number)
                                 : scene_particle(from->scene, node, &number);
    return result == PL_OK ? select_number(from->scene, out, number + (from->own ? from->own->first : 0)) : result;
}

// Reads an end of a range: an integer in [-count, count], counted from the end if negative; nothing: `none`.
static bool read_end(const char *digits, size_t length, int count, int none, int *end)
{
    double number = (double)none;
    if (length && !number_read(digits, length, NUMBER_JSON, &number))
        return false;
    if (floor(number) != number || number < -count || number > count)
        return false;
    *end = number < 0 ? count + (int)number : (int)number;
    return true;
}

// Reads "[3]", "[-1]" or "[2:5]" behind the name of an object.
static pl_result read_range(const struct json *node, const char *text, const char *name,
                            const struct scene_object *object, int *first, int *count)
{
    const char *digits = strchr(text, '[') + 1, *close = strchr(digits, ']'), *colon = strchr(digits, ':');
    double number;
    int begin, end;
    *first = object->first;
    if (colon && close && colon < close && close[1] == 0)
    {
        if (!read_end(digits, (size_t)(colon - digits), object->count, 0, &begin) ||
            !read_end(colon + 1, (size_t)(close - colon - 1), object->count, object->count, &end) || begin >= end)
            return json_fail(node, "no particles \"%.60s\"; \"%.40s[0:%d]\" is all of them", text, name, object->count);
        *first += begin;
        *count = end - begin;
        return PL_OK;
    }
    if (!close || close[1] != 0 || !number_read(digits, (size_t)(close - digits), NUMBER_JSON, &number) ||
        floor(number) != number || number < -object->count || number >= object->count)
        return json_fail(node, "no particle \"%.60s\"; \"%.40s[0]\" to \"%.40s[%d]\" exist", text, name, name,
                         object->count - 1);
    *first += number < 0 ? object->count + (int)number : (int)number;
    *count = 1;
    return PL_OK;
}

// Copies the name in front of [ or . and finds its object.
static pl_result find_object(const pl_scene *scene, const struct json *node, const char *text, char name[128],
                             const struct scene_object **object)
{
    size_t length = strcspn(text, "[.");
    if (length == 0 || length >= 128)
        return json_fail(node, "\"%.40s\" names no particle; expected \"name\" or \"name[3]\"", text);
    memcpy(name, text, length);
    name[length] = 0;
    *object = scene_object_by_name(scene, name);
    return *object && (*object)->count ? PL_OK
                                       : json_fail(node, "no object called \"%.40s\"; give one this \"name\"", name);
}

pl_result scene_particles_of(const pl_scene *scene, const struct json *node, const char *text, int *first, int *count)
{
    char name[128];
    const struct scene_object *object = NULL;
    pl_result result = find_object(scene, node, text, name, &object);
    if (result != PL_OK)
        return result;
    const char *rest = text + strlen(name);
    *first = object->first;
    *count = object->count;
    if (rest[0] == '[')
        return read_range(node, text, name, object, first, count);
    int columns, rows, edge = rest[0] ? edge_number(rest + 1) : -1;
    if (rest[0] == 0)
        return PL_OK;
    if (edge < 0 || !grid_of(object, &columns, &rows))
        return edge < 0 ? json_fail(node, "\"%.60s\" names no particle; expected \"name\", \"name[3]\" or \"name.top\"",
                                    text)
                        : no_grid(node, object);
    struct run run = edge_run(object, edge, columns, rows);
    *first = run.first;
    *count = run.count;
    return run.count == 1 || run.step == 1
               ? PL_OK
               : json_fail(node, "\"%.60s\" is a column, which only a selector can name", text);
}

pl_result select_text(const struct select_from *from, const struct json *node, struct selection *out)
{
    const char *text = node->text;
    int first, count;
    const struct scene_object *own = from->own;
    char name[128];
    if (own && strcmp(text, "all") == 0)
        return select_run(from->scene, out, (struct run){own->first, own->count, 1});
    if (own && text[0] == '[')
    {
        pl_result result = read_range(node, text, "", own, &first, &count);
        return result == PL_OK ? select_run(from->scene, out, (struct run){first, count, 1}) : result;
    }
    bool named = strcspn(text, "[.") != strlen(text) || scene_object_by_name(from->scene, text);
    if (own && !named)
        return select_edge(from, node, text, out);
    if (strchr(text, '.'))
    {
        struct select_from inside = *from;
        pl_result result = find_object(from->scene, node, text, name, &inside.own);
        if (result == PL_OK && own && inside.own != own)
            return select_elsewhere(node);
        return result == PL_OK ? select_edge(&inside, node, strchr(text, '.') + 1, out) : result;
    }
    pl_result result = scene_particles_of(from->scene, node, text, &first, &count);
    if (result == PL_OK && own && !(select_is_inside(own, first) && select_is_inside(own, first + count - 1)))
        return select_elsewhere(node);
    return result == PL_OK ? select_run(from->scene, out, (struct run){first, count, 1}) : result;
}
