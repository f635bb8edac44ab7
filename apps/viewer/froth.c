// froth.c: see froth.h.
#include "froth.h"

#include "message.h"
#include "model.h"

#include <string.h>

void froth_close(struct froth *f)
{
    pl_diffuse_destroy(f->diffuse);
    f->diffuse = NULL;
}

void froth_set_scene(struct froth *f, const pl_scene_info *scene)
{
    froth_close(f);
    *f = (struct froth){.wanted = scene->has_diffuse, .def = scene->diffuse};
}

bool froth_follow(struct froth *f, const pl_world *world)
{
    double now = pl_world_time(world);
    if (!f->wanted)
    {
        return true;
    }
    if (f->diffuse && (now < f->time || now > f->time + 0.5)) // it is another world, or another time of it
    {
        froth_close(f);
    }
    if (!f->diffuse)
    {
        f->time = now;
        f->wanted = pl_diffuse_create(world, &f->def, &f->diffuse) == PL_OK;
        return f->wanted ? true : library_trouble();
    }
    if (now > f->time && pl_diffuse_step(f->diffuse, world, (float)(now - f->time)) != PL_OK)
    {
        froth_close(f);
        f->wanted = false;
        return library_trouble();
    }
    f->time = now;
    return true;
}

bool froth_copy(const struct froth *f, struct frame *to)
{
    pl_diffuse_points p = pl_diffuse_get(f->diffuse);
    to->froths = 0;
    if (p.count == 0)
    {
        return true;
    }
    if (!room_for((void **)&to->froth, &to->froth_room, p.count, 4 * sizeof *to->froth))
    {
        return false;
    }
    for (int i = 0; i < p.count; i++)
    {
        memcpy(to->froth + 4 * (size_t)i, p.position + 3 * (size_t)i, 3 * sizeof *to->froth);
        to->froth[4 * (size_t)i + 3] = (float)p.kind[i];
    }
    to->froths = p.count;
    return true;
}
