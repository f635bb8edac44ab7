// tree.h: declares the trees that queries search. The result of a query does not depend on them: they leave out only what
// cannot be hit.
#pragma once
#include "model/world.h"

// Brings a tree up to date. box: writes the box of an item; false: there is no such item. Without memory the tree stays
// unusable, and queries test every item.
typedef bool item_box(const pl_world *w, int32_t item, query_box *box);
void tree_update(pl_world *w, query_tree *t, int64_t items, item_box *box);
void tree_free(memory *m, query_tree *t);

// A box that moves along a line: half sides `half` about its centre, from `from` along the unit vector `way`.
typedef struct tree_line
{
    double from[3], way[3], half[3];
} tree_line;

// Calls `visit` for every item that the line may hit before the distance `until`, near boxes first, in any order among
// equals. `visit` returns the distance beyond which nothing is of interest any more.
typedef double tree_visit(void *arg, int32_t item);
void tree_cast(const query_tree *t, const tree_line *line, double until, tree_visit *visit, void *arg);
// The same for items near a point, by their distance.
void tree_near(const query_tree *t, const double point[3], double until, tree_visit *visit, void *arg);
