// wax.c: what melts is drawn as the surface around its particles, as long as it has no visual mesh: it flows together, and
// becomes one with what freezes on it.
#include "message.h"
#include "model.h"

#include <stdlib.h>
#include <string.h>

static bool is_shown(const pl_world *world, int first, int count)
{
    pl_id ids[64];
    int visuals = pl_world_visuals(world, ids, 64);
    for (int i = 0; i < visuals && i < 64; i++)
    {
        pl_visual_info v;
        if (pl_describe_visual(world, ids[i], &v) == PL_OK && v.first < first + count && first < v.first + v.count)
        {
            return true;
        }
    }
    return false;
}

// Whether it is made of particles that have a temperature and a size, and of nothing else.
static bool is_wax(const pl_world *world, pl_id object, int *first, int *count)
{
    uint8_t warm = 0;
    float radius = 0.0f;
    return pl_object_range(world, object, first, count) == PL_OK && *count > 1 &&
           pl_get_molten(world, *first, 1, &warm) == PL_OK && warm &&
           pl_get(world, PL_ATTRIBUTE_RADIUS, *first, 1, &radius) == PL_OK && radius > 0.0f &&
           !object_has_lines(world, object) && !is_shown(world, *first, *count);
}

static bool take_one(struct frame *f, const pl_world *world, pl_id object, int first, int count)
{
    pl_fluid_surface_def def = pl_default_fluid_surface_def();
    def.object = object;
    def.solid = true;
    def.cell = 0.35f; // drops of a single particle are round
    if (!room_for((void **)&f->wax, &f->wax_room, f->waxes + 1, sizeof *f->wax))
    {
        return false;
    }
    if (pl_make_fluid_surface(world, &def, &f->wax[f->waxes]) != PL_OK)
    {
        return library_trouble();
    }
    f->waxes++;
    memset(f->waxed + first, 1, (size_t)count);
    return true;
}

void wax_clear(struct frame *f)
{
    for (int i = 0; i < f->waxes; i++)
    {
        pl_free_fluid_surface(&f->wax[i]);
    }
    f->waxes = 0;
    if (f->waxed)
    {
        memset(f->waxed, 0, (size_t)f->particles);
    }
}

bool wax_take(struct frame *f, const pl_world *world)
{
    if (pl_world_heat(world).warm == 0)
    {
        return true;
    }
    int count = pl_world_objects(world, NULL, 0), first, particles;
    pl_id *ids = malloc(((size_t)count + 1) * sizeof *ids);
    f->waxed = f->waxed ? f->waxed : calloc((size_t)f->particles + 1, 1);
    bool good = ids && f->waxed ? true : no_memory();
    if (good)
    {
        pl_world_objects(world, ids, count);
    }
    for (int i = 0; good && i < count; i++)
    {
        if (is_wax(world, ids[i], &first, &particles))
        {
            good = take_one(f, world, ids[i], first, particles);
        }
    }
    free(ids);
    return good;
}
