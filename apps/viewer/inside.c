// inside.c: what a frame brings of a world's inside: who touches whom, in which cells, and for each particle and link what
// colours may tell. Only what is wanted is asked for: some of it costs as much as a step.
#include "message.h"
#include "surface.h"

#include <stdlib.h>
#include <string.h>

bool room_for(void **array, int *room, int count, size_t size)
{
    if (*array && *room >= count)
    {
        return true;
    }
    void *grown = realloc(*array, ((size_t)count + (size_t)count / 4 + 16) * size);
    if (!grown)
    {
        return trouble("no memory to look inside; use a smaller scene");
    }
    *array = grown;
    *room = count + count / 4 + 16;
    return true;
}

static bool take_contacts(struct frame *f, const pl_world *world)
{
    int count = pl_get_contacts(world, NULL, 0);
    if (!room_for((void **)&f->contact, &f->contact_room, count, sizeof *f->contact))
    {
        return false;
    }
    f->contacts = pl_get_contacts(world, f->contact, count);
    const pl_id any = {0, 0};
    count = pl_get_rigid_contacts(world, any, NULL, 0);
    if (!room_for((void **)&f->rigid_contact, &f->rigid_contact_room, count, sizeof *f->rigid_contact))
    {
        return false;
    }
    f->rigid_contacts = pl_get_rigid_contacts(world, any, f->rigid_contact, count);
    return true;
}

static bool take_cells(struct frame *f, const pl_world *world)
{
    int count = pl_get_cells(world, NULL, 0);
    if (!room_for((void **)&f->cell, &f->cell_room, count, sizeof *f->cell))
    {
        return false;
    }
    f->cells = pl_get_cells(world, f->cell, count);
    return true;
}

// The boxes of all mesh shapes, where they are now.
static bool take_boxes(struct frame *f, const pl_world *world)
{
    for (int i = 0; i < f->shapes; i++)
    {
        pl_id id = pl_shape_at(world, i);
        const pl_shape_def *d = &f->shape[i];
        int count = pl_get_shape_boxes(world, id, NULL, 0);
        pl_box_info *box = malloc(((size_t)count + 1) * sizeof *box);
        if (!box || !room_for((void **)&f->crate, &f->crate_room, f->crates + count, sizeof *f->crate))
        {
            free(box);
            return trouble("no memory to look inside; free some memory");
        }
        pl_get_shape_boxes(world, id, box, count);
        for (int k = 0; k < count; k++)
        {
            vec3 size = sub(box[k].high, box[k].low);
            f->crate[f->crates++] = (struct crate){.corner = add(d->position, turned(d->rotation, box[k].low)),
                                                   .edge = {turned(d->rotation, v3(size.x, 0.0f, 0.0f)),
                                                            turned(d->rotation, v3(0.0f, size.y, 0.0f)),
                                                            turned(d->rotation, v3(0.0f, 0.0f, size.z))},
                                                   .depth = box[k].depth};
        }
        free(box);
    }
    return true;
}

static void count_contacts(struct frame *f)
{
    memset(f->told, 0, (size_t)f->particles * sizeof *f->told);
    for (int i = 0; i < f->contacts; i++)
    {
        const pl_contact_info *c = &f->contact[i];
        f->told[c->a] += 1.0f;
        if (c->b >= 0)
        {
            f->told[c->b] += 1.0f;
        }
    }
}

// One block's rows: a particle shows its largest residual, and the batch of the first row that it is in.
static bool tell_block(struct frame *f, const pl_world *world, pl_id block, enum colour_by by)
{
    pl_kind kind;
    int count;
    if (pl_block_info(world, block, &kind, &count) != PL_OK)
    {
        return library_trouble();
    }
    int arity = pl_kind_describe(kind)->arity;
    pl_row_info *info = malloc(((size_t)count + 1) * sizeof *info);
    int32_t *index = malloc(((size_t)count * (size_t)arity + 1) * sizeof *index);
    bool link = is_link(kind),
         good = info && index ? true : trouble("no memory for %d constraints; use fewer or free some memory", count);
    good = good && (!link || room_for((void **)&f->link_told, &f->link_room, f->links + count, sizeof *f->link_told));
    good = good && ((pl_get_row_info(world, block, 0, count, info) == PL_OK &&
                     pl_get_row_particles(world, block, 0, count, index) == PL_OK) ||
                    library_trouble());
    for (int i = 0; i < count && good; i++)
    {
        float value =
            by == COLOUR_RESIDUAL ? info[i].residual : (float)(by == COLOUR_TILE ? info[i].tile : info[i].batch);
        for (int k = 0; k < arity && by != COLOUR_TILE; k++)
        {
            float *to = &f->told[index[(size_t)i * (size_t)arity + (size_t)k]];
            *to = by == COLOUR_RESIDUAL ? (value > *to ? value : *to) : *to < 0.0f ? value : *to;
        }
        if (link)
        {
            f->link_told[f->links++] = value;
        }
    }
    free(info);
    free(index);
    return good;
}

static bool tell_rows(struct frame *f, const pl_world *world, enum colour_by by)
{
    int blocks = pl_world_blocks(world, NULL, 0);
    pl_id *ids = malloc(((size_t)blocks + 1) * sizeof *ids);
    int *tile = by == COLOUR_TILE ? malloc(((size_t)f->particles + 1) * sizeof *tile) : NULL;
    bool good = ids && (tile || by != COLOUR_TILE) ? true : trouble("no memory to look inside; free some memory");
    if (good && tile && pl_get_tiles(world, 0, f->particles, tile) != PL_OK)
    {
        good = library_trouble();
    }
    for (int p = 0; p < f->particles && good; p++)
    {
        f->told[p] = tile ? (float)tile[p] : by == COLOUR_BATCH ? -1.0f : 0.0f;
    }
    f->links = 0;
    for (int i = 0, count = good ? pl_world_blocks(world, ids, blocks) : 0; i < count && good; i++)
    {
        good = tell_block(f, world, ids[i], by);
    }
    free(ids);
    free(tile);
    return good;
}

// What has no temperature is as cold as the coldest.
static void tell_heat(struct frame *f, const pl_world *world)
{
    float coldest = pl_world_heat(world).coldest;
    bool told = pl_get_temperature(world, 0, f->particles, f->told) == PL_OK;
    for (int p = 0; p < f->particles; p++)
    {
        f->told[p] = told && f->told[p] == f->told[p] ? f->told[p] : coldest;
    }
}

// What is not fluid is as dense as the thinnest fluid.
static bool tell_fluid(struct frame *f, const pl_world *world, enum colour_by by)
{
    float least = 0.0f;
    bool any = false;
    if (pl_get_fluid(world, 0, f->particles, by == COLOUR_DENSITY ? f->told : NULL,
                     by == COLOUR_PRESSURE ? f->told : NULL) != PL_OK)
    {
        return library_trouble();
    }
    for (int p = 0; p < f->particles && by == COLOUR_DENSITY; p++)
    {
        least = f->told[p] > 0.0f && (!any || f->told[p] < least) ? f->told[p] : least;
        any |= f->told[p] > 0.0f;
    }
    for (int p = 0; p < f->particles; p++)
    {
        f->told[p] = f->told[p] > least ? f->told[p] : least;
    }
    return true;
}

bool inside_take(struct frame *f, const pl_world *world, const struct wants *wants)
{
    enum colour_by by = wants ? wants->colour_by : COLOUR_MATERIAL;
    f->of_fluid = (by == COLOUR_DENSITY || by == COLOUR_PRESSURE) && pl_world_fluid(world).particles > 0;
    bool contacts = wants && (wants->contacts || (by == COLOUR_DENSITY && !f->of_fluid));
    f->rigid_contacts = 0;
    f->contacts = f->cells = f->links = f->crates = f->joints.count = 0;
    f->has = (struct wants){0};
    if (by >= COLOUR_STRAIN && !f->told && !(f->told = malloc(((size_t)f->particles + 1) * sizeof *f->told)))
    {
        return trouble("no memory to look inside; use a smaller scene");
    }
    if ((contacts && !take_contacts(f, world)) || (wants && wants->cells && !take_cells(f, world)) ||
        (wants && wants->boxes && !take_boxes(f, world)) ||
        (wants && wants->joints && !joints_take(f, &f->joints, world, false)) ||
        ((by == COLOUR_RESIDUAL || colour_by_number(by)) && !tell_rows(f, world, by)))
    {
        return false;
    }
    if (by == COLOUR_STRAIN && !strains_take(f, world))
    {
        return false;
    }
    if (f->of_fluid && !tell_fluid(f, world, by))
    {
        return false;
    }
    if (by == COLOUR_DENSITY && !f->of_fluid)
    {
        count_contacts(f);
    }
    if (by == COLOUR_PRESSURE && !f->of_fluid)
    {
        memset(f->told, 0, (size_t)f->particles * sizeof *f->told);
    }
    if (by == COLOUR_HEAT)
    {
        tell_heat(f, world);
    }
    f->has = wants ? *wants : f->has;
    return true;
}
