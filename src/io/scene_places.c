// scene_places.c: where particles are, for selectors, and selectors for programs.
#include "scene_select.h"

#include "core/error.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

pl_result scene_place_in_world(void *context, int particle, double at[3])
{
    float x[3] = {NAN, NAN, NAN}; // in no region, as a particle that has been removed
    bool there = pl_object_of_particle(context, particle).index != 0;
    pl_result result = there ? pl_get(context, PL_ATTRIBUTE_POSITION, particle, 1, x) : PL_OK;
    for (int k = 0; k < 3 && result == PL_OK; k++)
        at[k] = (double)x[k];
    return result;
}

pl_result scene_place_at_start(void *context, int particle, double at[3])
{
    struct scene_start *start = context;
    pl_result result = start->x ? PL_OK : scene_start_positions(start->scene, &start->x);
    for (int k = 0; k < 3 && result == PL_OK; k++)
        at[k] = (double)start->x[3 * particle + k];
    return result;
}

void scene_start_free(struct scene_start *start)
{
    free(start->x);
    start->x = NULL;
}

pl_result pl_scene_select(const pl_scene *scene, const pl_world *world, const char *selector, int32_t *out,
                          int capacity, int *count)
{
    if (!scene || !selector || !count || (capacity > 0 && !out))
        return fail(PL_ERROR_ARGUMENT,
                    "pl_scene_select without a scene, a selector or a place for the count; give all");
    struct scene_start start = {.scene = scene};
    struct select_from from = {.scene = scene,
                               .place = world ? scene_place_in_world : scene_place_at_start,
                               .context = world ? (void *)(uintptr_t)world : (void *)&start};
    struct selection chosen;
    pl_result result = scene_select_text(&from, "selector", selector, &chosen);
    if (result == PL_OK)
    {
        *count = chosen.count;
        for (int i = 0; i < chosen.count && i < capacity; i++)
            out[i] = chosen.numbers[i];
    }
    selection_free(&chosen);
    scene_start_free(&start);
    return result;
}

pl_result scene_select_text(const struct select_from *from, const char *called, const char *text, struct selection *out)
{
    struct store store = {0};
    const struct json_source source = {called, text, strlen(text)};
    struct json word = {.type = JSON_STRING, .source = &source, .text = text}, *node = &word;
    bool json = text[0] == '{' || text[0] == '[' || text[0] == '-' || (text[0] >= '0' && text[0] <= '9');
    pl_result result = json ? json_parse(&store, text, strlen(text), called, &node) : PL_OK;
    *out = (struct selection){0};
    result = result == PL_OK ? scene_select(from, node, out) : result;
    store_free(&store);
    return result;
}

void scene_select_name(const struct json *node, char *out, size_t size)
{
    const char *text = node->source->text + node->offset;
    size_t length = 0;
    int depth = 0;
    if (node->type == JSON_STRING)
    {
        snprintf(out, size, "%s", node->text);
        return;
    }
    do
    {
        depth += text[length] == '{' || text[length] == '[';
        depth -= text[length] == '}' || text[length] == ']';
        length++;
    }
    while (depth > 0 && length < size);
    snprintf(out, size, "%.*s", (int)length, text);
}
