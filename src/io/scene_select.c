// scene_select.c: resolves selectors.
//   12, -1                       a number: over the whole scene; inside an object also counted from its end
//   "rope", "rope[3]"            all particles of an object; its fourth; "rope[-1]" is its last
//   "rope[2:5]"                  its particles 2 to 4; "rope[-3:]" its last three, "rope[:3]" its first three
//   "cloth.top"                  an edge or a corner of a grid
//   "all" "top" "[2:5]" [3, -1]  inside an object: all of it, an edge, a range, column and row
//   {"of": "cloth", ...}         chooses inside an object; without more, all of it. One of:
//     "edge": "top"                an edge, a corner, or "corners"
//     "particles": ...             a selector inside the object
//     "box": [[0, 1, 0], [2, 3, 1]], "sphere": [x, y, z], "radius": r     what starts inside
//     "file": "hem.txt"            numbers in a file: the vertices of the object, counted from 0
//     "every": 10                  besides any of these: every tenth of what is chosen, and the last
//   [..., ...]                   all that the selectors of the list name
#include "scene_select_parts.h"

#include "core/error.h"
#include "number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- regions -------------------------------------------------------------------------------------------------------

static bool read_point(const struct json *node, double point[3])
{
    const struct json *child = node->type == JSON_ARRAY && node->count == 3 ? node->first : NULL;
    int i = 0;
    for (; child && child->type == JSON_NUMBER; child = child->next)
        point[i++] = child->number;
    return i == 3;
}

// A box, or a sphere if its radius is 0 or above.
struct region
{
    double low[3], high[3], radius;
};

static pl_result read_region(const struct json *node, struct region *r)
{
    const struct json *box = json_member(node, "box"), *sphere = json_member(node, "sphere"),
                      *radius = json_member(node, "radius");
    r->radius = -1.0;
    if (box)
    {
        double a[3], b[3];
        if (box->type != JSON_ARRAY || box->count != 2 || !read_point(box->first, a) || !read_point(box->last, b))
            return json_fail(box, "not a box; expected [[x, y, z], [x, y, z]], two opposite corners");
        for (int k = 0; k < 3; k++)
            r->low[k] = a[k] < b[k] ? a[k] : b[k], r->high[k] = a[k] < b[k] ? b[k] : a[k];
        return PL_OK;
    }
    if (!read_point(sphere, r->low))
        return json_fail(sphere, "not a point; expected [x, y, z], the centre of the sphere");
    if (!radius || radius->type != JSON_NUMBER || !(radius->number > 0.0))
        return json_fail(radius ? radius : node, "a sphere needs a \"radius\" above 0, m");
    r->radius = radius->number;
    return PL_OK;
}

static bool inside(const struct region *r, const double at[3])
{
    double square = 0.0;
    bool in = true;
    for (int k = 0; k < 3; k++)
    {
        square += (at[k] - r->low[k]) * (at[k] - r->low[k]);
        in &= r->radius >= 0.0 || (at[k] >= r->low[k] && at[k] <= r->high[k]);
    }
    return in && (r->radius < 0.0 || square <= r->radius * r->radius);
}

// Adds the particles of `among` that start in the region.
static pl_result add_region(const struct select_from *from, const struct json *node, const struct selection *among,
                            struct selection *out)
{
    struct region region;
    pl_result result = read_region(node, &region);
    for (int i = 0; i < among->count && result == PL_OK; i++)
    {
        double at[3] = {0.0, 0.0, 0.0};
        if (from->place)
            result = from->place(from->context, among->numbers[i], at);
        if (result == PL_OK && (!from->place || inside(&region, at)))
            result = select_number(from->scene, out, among->numbers[i]);
    }
    return result;
}

// ---- files of numbers ----------------------------------------------------------------------------------------------

static pl_result add_file(const struct select_from *from, const struct json *node, struct selection *out)
{
    static const char blanks[] = " \t\r\n,;";
    char *text = NULL;
    size_t length = 0, at = 0;
    int first = from->own ? from->own->first : 0, count = from->own ? from->own->count : from->scene->particle_count;
    if (node->type != JSON_STRING)
        return json_fail(node, "not the name of a file; expected a text");
    pl_result result = scene_read_file(from->scene, node, node->text, &text, &length);
    while (result == PL_OK)
    {
        double value;
        while (at < length && (strchr(blanks, text[at]) || text[at] == '#'))
            at += text[at] == '#' ? strcspn(text + at, "\n") : 1;
        size_t size = at < length ? strcspn(text + at, " \t\r\n,;#") : 0;
        size = size < length - at ? size : length - at;
        if (size == 0)
            break;
        if (!number_read(text + at, size, NUMBER_LOOSE, &value) || floor(value) != value || value < 0 || value >= count)
            result = json_fail(node, "\"%.*s\" in the file is no particle; 0 to %d exist", (int)(size < 20 ? size : 20),
                               text + at, count - 1);
        else
            result = select_number(from->scene, out, first + (int)value);
        at += size;
    }
    free(text);
    return result;
}

// ---- selectors -----------------------------------------------------------------------------------------------------

static pl_result add_item(const struct select_from *from, const struct json *node, struct selection *out);

static pl_result add_list(const struct select_from *from, const struct json *list, struct selection *out)
{
    pl_result result = PL_OK;
    for (const struct json *item = list->first; item && result == PL_OK; item = item->next)
        result = item->type == JSON_ARRAY ? select_cell(from, item, out) : add_item(from, item, out);
    return result;
}

// Adds every n-th of the chosen ones, and the last.
static pl_result add_every(const pl_scene *scene, const struct json *every, const struct selection *chosen,
                           struct selection *out)
{
    pl_result result = PL_OK;
    if (every && (every->type != JSON_NUMBER || every->number < 1 || every->number > 1e6 ||
                  floor(every->number) != every->number))
        return json_fail(every, "\"every\" counts particles; expected 1 or more");
    int step = every ? (int)every->number : 1;
    for (int i = 0; i < chosen->count && result == PL_OK; i++)
        if (i % step == 0 || i == chosen->count - 1)
            result = select_number(scene, out, chosen->numbers[i]);
    return result;
}

// Finds what an object chooses inside: all of `of`, of the own object, or of the scene.
static pl_result choose_base(struct select_from *from, const struct json *of, struct selection *base)
{
    const struct scene_object *object =
        of && of->type == JSON_STRING ? scene_object_by_name(from->scene, of->text) : NULL;
    if (of && !(of->type == JSON_STRING))
        return json_fail(of, "%s names no object; expected its \"name\"", json_type_name(of->type));
    if (of)
    {
        pl_result result = select_text(&(struct select_from){.scene = from->scene}, of, base);
        for (int i = 0; from->own && i < base->count && result == PL_OK; i++)
            if (!select_is_inside(from->own, base->numbers[i]))
                result = select_elsewhere(of);
        from->own = object;
        return result;
    }
    int count = from->own ? from->own->count : from->scene->particle_count;
    return select_run(from->scene, base, (struct run){from->own ? from->own->first : 0, count, 1});
}

static const char *const ways[] = {"edge", "particles", "box", "sphere", "file"};

static pl_result check_members(const struct json *node, const char **way)
{
    *way = NULL;
    for (const struct json *child = node->first; child; child = child->next)
    {
        bool known = strcmp(child->key, "of") == 0 || strcmp(child->key, "every") == 0 ||
                     (strcmp(child->key, "radius") == 0 && json_member(node, "sphere"));
        for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
            if (strcmp(child->key, ways[i]) == 0)
            {
                if (*way)
                    return json_fail_key(child, "\"%s\" and \"%s\" in one selector; expected one of them, or a list",
                                         *way, ways[i]);
                *way = ways[i];
                known = true;
            }
        if (!known)
            return json_fail_key(child,
                                 "a selector of an unknown form; use {\"edge\": \"top\", \"every\": 10}, {\"box\": "
                                 "[[x, y, z], [x, y, z]]}, {\"sphere\": [x, y, z], \"radius\": r}, {\"file\": "
                                 "\"numbers.txt\"} or {\"particles\": ...}, with \"of\": the object");
    }
    return *way || json_member(node, "of") ? PL_OK : json_fail(node, "a selector of an unknown form: it has no \"of\"");
}

// Numbers inside an object are counted from its beginning, and a part of one has none of its own.
static pl_result check_counted(const struct select_from *from, const struct json *of, const char *way)
{
    bool counted = way && (strcmp(way, "particles") == 0 || strcmp(way, "file") == 0);
    return !of || from->own || !counted
               ? PL_OK
               : json_fail(of, "\"%.40s\" is a part of an object, in which \"%s\" cannot count; name all of it",
                           of->text, way);
}

static pl_result add_object(const struct select_from *outer, const struct json *node, struct selection *out)
{
    struct select_from from = *outer;
    struct selection base = {0}, chosen = {0};
    const char *way;
    const struct json *member;
    pl_result result = check_members(node, &way);
    result = result == PL_OK ? choose_base(&from, json_member(node, "of"), &base) : result;
    result = result == PL_OK ? check_counted(&from, json_member(node, "of"), way) : result;
    member = result == PL_OK && way ? json_member(node, way) : NULL;
    if (result == PL_OK && way && strcmp(way, "edge") == 0)
        result = member->type == JSON_STRING ? select_edge(&from, member, member->text, &chosen)
                                             : json_fail(member, "not an edge; expected a word such as \"top\"");
    else if (result == PL_OK && way && (strcmp(way, "box") == 0 || strcmp(way, "sphere") == 0))
        result = add_region(&from, node, &base, &chosen);
    else if (result == PL_OK && way && strcmp(way, "file") == 0)
        result = add_file(&from, member, &chosen);
    else if (result == PL_OK && way)
        result = member->type == JSON_ARRAY ? add_list(&from, member, &chosen) : add_item(&from, member, &chosen);
    if (result == PL_OK && chosen.count == 0 && way)
        result = json_fail(node, "chooses none of %d particles; look at where they start", base.count);
    if (result == PL_OK)
        result = add_every(from.scene, json_member(node, "every"), way ? &chosen : &base, out);
    selection_free(&base);
    selection_free(&chosen);
    return result;
}

static pl_result add_item(const struct select_from *from, const struct json *node, struct selection *out)
{
    if (node->type == JSON_STRING)
        return select_text(from, node, out);
    if (node->type == JSON_NUMBER)
        return select_place(from, node, out);
    if (node->type == JSON_OBJECT)
        return add_object(from, node, out);
    return json_fail(node,
                     "%s is no selector; expected a word such as \"corners\", \"name[3]\", a number, or {\"of\": ...}",
                     json_type_name(node->type));
}

pl_result scene_select(const struct select_from *from, const struct json *node, struct selection *out)
{
    *out = (struct selection){0};
    pl_result result = node->type == JSON_ARRAY ? add_list(from, node, out) : add_item(from, node, out);
    return result == PL_OK && out->count == 0 ? json_fail(node, "names no particle; name at least one") : result;
}

pl_result scene_select_stored(pl_scene *scene, const struct select_from *from, const struct json *node,
                              int32_t **numbers, int *count)
{
    struct selection chosen;
    pl_result result = scene_select(from, node, &chosen);
    if (result == PL_OK)
    {
        *count = chosen.count;
        *numbers = store_take(&scene->store, (size_t)chosen.count * sizeof **numbers);
        if (*numbers)
            memcpy(*numbers, chosen.numbers, (size_t)chosen.count * sizeof **numbers);
        else
            result = fail(PL_ERROR_MEMORY, "no memory to select particles; use a smaller scene");
    }
    selection_free(&chosen);
    return result;
}
