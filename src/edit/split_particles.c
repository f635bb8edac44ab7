// split_particles.c: copies a particle that splits, and computes the share of its mass that each copy gets.
#include "edit/add.h"
#include "edit/edit_in_place.h"
#include "edit/tear.h"
#include "layout/colour.h"
#include "layout/compile.h"
#include "model/world.h"

#include <math.h>
#include <string.h>

static pl_result set_root(pl_world *w, int32_t number, int32_t root)
{
    tear *t = &w->tear;
    pl_result result = array_reserve(&w->memory, &t->root, &t->root_capacity, number + 1, sizeof *t->root);
    for (; result == PL_OK && t->root_count <= number; t->root_count++)
        t->root[t->root_count] = (int32_t)t->root_count;
    if (result == PL_OK)
        t->root[number] = root;
    return result == PL_OK ? heat_split(w, root, number) : result;
}

// Adds the number to the object's fringe: an object of the particles torn off, with the original object as its owner.
static pl_result join_fringe(pl_world *w, int32_t number, int32_t object)
{
    for (int64_t i = 1; i < w->entry_count; i++)
    {
        id_entry *t = &w->entries[i];
        if (t->type == ID_OBJECT && t->owner == (uint32_t)object && t->first + t->count == number)
        {
            t->count++;
            return PL_OK;
        }
    }
    id_entry t = {.type = ID_OBJECT, .owner = (uint32_t)object, .first = number, .count = 1};
    return id_add(w, t, NULL);
}

pl_result particle_copy(pl_world *w, int32_t of, int32_t *number)
{
    pl_result result = keeps_order(w) ? edit_reserve_particles(w, 1) : PL_OK;
    *number = w->numbers.end;
    if (result == PL_OK)
        result = particles_reserve(w, 1);
    if (result == PL_OK)
        result = id_reserve(w, 1);
    if (result == PL_OK)
        result = incidence_grow(w, *number);
    if (result == PL_OK)
        result = set_root(w, *number, ROOT_OF(w, of));
    if (result == PL_OK)
        result = array_reserve(&w->memory, &w->tear.mark, &w->tear.mark_capacity, *number + 1, sizeof(int32_t));
    if (result == PL_OK)
        result = join_fringe(w, *number, object_at(w, of));
    if (result != PL_OK)
        return result;
    int32_t slot = edit_take_slot(w), from = w->numbers.slot_of[of];
    for (int a = 0; a < SLOT_ARRAYS; a++)
        memcpy(w->state.slot[a] + 4 * (size_t)slot, w->state.slot[a] + 4 * (size_t)from, 4 * sizeof(float));
    w->number_of[slot] = *number;
    w->numbers.slot_of[*number] = slot;
    w->numbers.moves++;
    w->numbers.end++;
    world_changed(w, true);
    w->live++;
    w->body_particles.stale = true;
    w->tear.mark[*number] = 1;
    return PL_OK;
}

// The size of a cell at rest: 2 x its area, or 6 x its volume.
static double rest_size(const pl_world *w, const cell *c)
{
    double e[3][3] = {{0}}, n[3];
    for (int k = 1; k < c->points; k++)
        for (int i = 0; i < 3; i++)
            e[k - 1][i] = (double)w->state.slot[SLOT_REST][4 * (size_t)w->numbers.slot_of[c->point[k]] + (size_t)i] -
                          (double)w->state.slot[SLOT_REST][4 * (size_t)w->numbers.slot_of[c->point[0]] + (size_t)i];
    for (int i = 0; i < 3; i++)
        n[i] = e[0][(i + 1) % 3] * e[1][(i + 2) % 3] - e[0][(i + 2) % 3] * e[1][(i + 1) % 3];
    if (c->points == 3)
        return sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    return fabs(n[0] * e[2][0] + n[1] * e[2][1] + n[2] * e[2][2]);
}

double part_share(const pl_world *w, const cell *cells, int32_t count, int32_t part)
{
    double all = 0.0, mine = 0.0, cells_mine = 0.0;
    for (int32_t i = 0; i < count; i++)
    {
        double size = rest_size(w, &cells[i]);
        all += size;
        mine += cells[i].part == part ? size : 0.0;
        cells_mine += cells[i].part == part;
    }
    return mine > 0.0 ? mine / all : cells_mine / count;
}
