// scene_select_parts.h: declares what the parts of the selectors share (scene_select.h).
#ifndef PLIANT_IO_SCENE_SELECT_PARTS_H
#define PLIANT_IO_SCENE_SELECT_PARTS_H

#include "scene_select.h"

// Evenly spaced particle numbers.
struct run
{
    int first, count, step;
};

// scene_select_names.c: add to a selection: each particle once.
pl_result select_number(const pl_scene *scene, struct selection *s, int number);
pl_result select_run(const pl_scene *scene, struct selection *s, struct run run);
bool select_is_inside(const struct scene_object *object, int number);
// Fails because the text names particles of another object than the own one.
pl_result select_elsewhere(const struct json *text);
// An edge, a corner or the corners of the own object's grid.
pl_result select_edge(const struct select_from *from, const struct json *node, const char *name, struct selection *out);
// [column, row]
pl_result select_cell(const struct select_from *from, const struct json *node, struct selection *out);
// 12, or -1 inside an object
pl_result select_place(const struct select_from *from, const struct json *node, struct selection *out);
// "rope[3]", "cloth.top", and inside an object "top", "[2:5]", "all"
pl_result select_text(const struct select_from *from, const struct json *node, struct selection *out);

#endif
