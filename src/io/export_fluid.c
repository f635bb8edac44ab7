// export_fluid.c: the surface of fluids for exports.
#include "export_fluid.h"

#include "export_formats.h"

#include <string.h>

pl_result fluid_surface_make(pl_fluid_surface *surface, const pl_world *world)
{
    pl_fluid_surface_def def = pl_default_fluid_surface_def();
    return pl_make_fluid_surface(world, &def, surface);
}

void fluid_surface_faces(struct exporter *e)
{
    int32_t *face = e->face + 3 * (size_t)e->fluid_faces;
    for (int i = 0; i < 3 * e->surface.triangle_count; i++)
    {
        face[i] = e->fluid + e->surface.triangles[i];
    }
}

void fluid_surface_points(struct exporter *e)
{
    const pl_fluid_surface *s = &e->surface;
    size_t first = (size_t)e->fluid, floats = 3 * (size_t)s->vertex_count * sizeof(float);
    if (s->vertex_count == 0)
    {
        return;
    }
    memcpy(e->position + 3 * first, s->vertices, floats);
    memcpy(e->velocity + 3 * first, s->velocities, floats);
    for (int i = 0; i < s->vertex_count && e->warm; i++)
    {
        e->temperature[first + (size_t)i] = e->temperature[s->particles[i]];
    }
}
