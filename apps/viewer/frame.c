// frame.c: the state of one frame, in a few bulk copies, and where shapes and bodies are.
#include "message.h"
#include "model.h"

#include <stdlib.h>
#include <string.h>

// Particles in the reserve of an emitter are where the first active one is: they widen no bounds.
static void hide_inactive(struct frame *f)
{
    int first = 0;
    while (first < f->particles && !f->active[first])
    {
        first++;
    }
    for (int p = 0; p < f->particles && first < f->particles; p++)
    {
        if (!f->active[p])
        {
            memcpy(f->position + 3 * (size_t)p, f->position + 3 * (size_t)first, 3 * sizeof *f->position);
        }
    }
}

// The dye of fluids. A world without any at first has none later.
static bool dye_take(struct frame *f, const pl_world *world, bool first)
{
    size_t count = (size_t)f->particles;
    bool any = false;
    if (!first && !f->dye)
    {
        return true;
    }
    f->dye = f->dye ? f->dye : malloc((count + 1) * sizeof *f->dye);
    if (!f->dye)
    {
        return trouble("no memory for a frame of %d particles; use a smaller scene", f->particles);
    }
    if (pl_get_dye(world, 0, f->particles, f->dye) != PL_OK)
    {
        return library_trouble();
    }
    for (size_t i = 0; i < count && !any; i++)
    {
        any = f->dye[i] > 0.0f;
    }
    if (!any)
    {
        free(f->dye);
        f->dye = NULL;
    }
    return true;
}

static bool particles_take(struct frame *f, const pl_world *world, bool first)
{
    if (pl_get(world, PL_ATTRIBUTE_POSITION, 0, f->particles, f->position) != PL_OK ||
        pl_get(world, PL_ATTRIBUTE_VELOCITY, 0, f->particles, f->velocity) != PL_OK ||
        pl_get_active(world, 0, f->particles, f->active) != PL_OK)
    {
        return library_trouble();
    }
    hide_inactive(f);
    return dye_take(f, world, first);
}

// Those of fluids and of what melts, as wanted.
static bool surfaces_take(struct frame *f, const pl_world *world, const struct wants *wants)
{
    pl_fluid_surface_def fluid = pl_default_fluid_surface_def();
    pl_free_fluid_surface(&f->fluid);
    if (wants && wants->fluid && pl_make_fluid_surface(world, &fluid, &f->fluid) != PL_OK)
    {
        return library_trouble();
    }
    wax_clear(f);
    return !wants || !wants->wax || wax_take(f, world);
}

bool frame_take(struct frame *f, const pl_world *world, const struct wants *wants)
{
    int count = pl_particle_end(world), vertices, triangles;
    if (!visuals_count(world, &vertices, &triangles))
    {
        return false;
    }
    bool first = count != f->particles || count + vertices != f->points || !f->position;
    if (first)
    {
        frame_free(f);
        f->position = malloc((3 * ((size_t)count + (size_t)vertices) + 1) * sizeof *f->position);
        f->velocity = malloc((3 * (size_t)count + 1) * sizeof *f->velocity);
        f->active = malloc((size_t)count + 1);
        if (!f->position || !f->velocity || !f->active)
        {
            frame_free(f);
            return trouble("no memory for a frame of %d particles; use a smaller scene", count);
        }
        f->particles = count;
        f->points = count + vertices;
    }
    if (pl_oriented_count(world) > 0)
    {
        f->turn = f->turn ? f->turn : malloc(((size_t)count + 1) * sizeof *f->turn);
        if (!f->turn)
        {
            return trouble("no memory for a frame of %d particles; use a smaller scene", count);
        }
        if (pl_get_orientation(world, 0, count, f->turn) != PL_OK)
        {
            return library_trouble();
        }
    }
    if (!particles_take(f, world, first))
    {
        return false;
    }
    if (!visuals_take(world, f->position + 3 * (size_t)count))
    {
        return false;
    }
    if (!shapes_take(world, &f->shape, &f->shapes) || !body_poses_take(&f->bodies, world) ||
        !joints_take(f, &f->strings, world, true))
    {
        return false;
    }
    if (!surfaces_take(f, world, wants))
    {
        return false;
    }
    f->time = pl_world_time(world);
    f->number = pl_world_frame(world);
    f->wind = pl_world_settings(world).wind.velocity;
    return inside_take(f, world, wants);
}

void frame_free(struct frame *f)
{
    free(f->position);
    free(f->velocity);
    free(f->active);
    free(f->turn);
    free(f->dye);
    body_poses_free(&f->bodies);
    free(f->shape);
    free(f->told);
    free(f->link_told);
    free(f->contact);
    free(f->rigid_contact);
    free(f->cell);
    free(f->crate);
    free(f->joints.mark);
    free(f->strings.mark);
    free(f->froth);
    wax_clear(f);
    free(f->wax);
    free(f->waxed);
    pl_free_fluid_surface(&f->fluid);
    *f = (struct frame){0};
}

void frame_follow(const struct frame *f, struct camera *c)
{
    double sum[3] = {0.0, 0.0, 0.0};
    for (int i = 0; i < 3 * f->particles; i++)
    {
        sum[i % 3] += (double)f->position[i];
    }
    double n = f->particles > 0 ? f->particles : 1;
    vec3 mean = v3((float)(sum[0] / n), (float)(sum[1] / n), (float)(sum[2] / n));
    c->eye = add(mean, sub(c->eye, c->target));
    c->target = mean;
}
