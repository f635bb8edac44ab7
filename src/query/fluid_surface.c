// fluid_surface.c: makes the surface of a fluid: checks what is asked for, lists its particles, and runs the steps of
// query/fluid_surface/.
#include "core/rounding.h"
#include "model/fluid.h"
#include "query/fluid_surface/surface_work.h"

pl_fluid_surface_def pl_default_fluid_surface_def(void)
{
    return (pl_fluid_surface_def){.cell = 0.5f, .anisotropy = 0.5f, .smoothing = 1.0f};
}

static pl_result check_range(const char *what, float value, float least, float most)
{
    if (value >= least && value <= most)
        return PL_OK;
    return fail(PL_ERROR_ARGUMENT, "fluid surface: %s is %g; it must be from %g to %g", what, (double)value,
                (double)least, (double)most);
}

static pl_result check_def(const pl_fluid_surface_def *d)
{
    pl_result result = d->solid && d->object.index == 0
                           ? fail(PL_ERROR_ARGUMENT, "fluid surface: solid without an object; name the object")
                           : check_range("cell", d->cell, 0.2f, 2.0f);
    if (result == PL_OK)
        result = check_range("anisotropy", d->anisotropy, 0.0f, 1.0f);
    return result == PL_OK ? check_range("smoothing", d->smoothing, 0.0f, 1.0f) : result;
}

// The field half a spacing above the outermost layer of a lattice that fills a half-space, so that the mesh encloses the
// volume of its particles; found by bisection of meshes. Without anisotropy and smoothing it is half of that inside.
static double surface_level(double anisotropy, double smoothing)
{
    static const double found[5][3] = {{0.4961, 0.4142, 0.3352}, // anisotropy 0; smoothing 0, 1/2, 1
                                       {0.4974, 0.3995, 0.3084},
                                       {0.4904, 0.3741, 0.2707},
                                       {0.4699, 0.3334, 0.2203},
                                       {0.4289, 0.2739, 0.1573}};
    double a = 4.0 * anisotropy, s = 2.0 * smoothing;
    int i = a < 3.0 ? (int)a : 3, k = s < 1.0 ? 0 : 1;
    a -= (double)i, s -= (double)k;
    const double *low = found[i] + k, *high = found[i + 1] + k;
    return (1.0 - a) * ((1.0 - s) * low[0] + s * low[1]) + a * ((1.0 - s) * high[0] + s * high[1]);
}

// Particles in the reserve of an emitter are no liquid, and a gas has no surface.
static bool is_liquid(const pl_world *w, int32_t slot)
{
    return w->number_of[slot] >= 0 && is_fluid(w, slot) && !is_gas(w, slot) &&
           !is_inactive(w->state.slot[SLOT_COLLISION], slot);
}

// A solid's particle that has a size: its radius gives the spacing.
static bool is_round(const pl_world *w, int32_t slot)
{
    return w->number_of[slot] >= 0 && !is_fluid(w, slot) && w->state.slot[SLOT_COLLISION][4 * (size_t)slot] > 0.0f;
}

static void take_solid(surface_work *s, int32_t slot)
{
    double across = 2.0 * (double)s->w->state.slot[SLOT_COLLISION][4 * (size_t)slot];
    s->slot[s->list.count++] = slot;
    s->spacing = across > s->spacing ? across : s->spacing;
}

static void take_particle(surface_work *s, int32_t slot)
{
    s->slot[s->list.count++] = slot;
    s->spacing = (double)s->w->state.slot[SLOT_FLUID][4 * (size_t)slot];
}

// Lists the particles by number: those of an object, or all.
static pl_result list_particles(surface_work *s, const pl_fluid_surface_def *d)
{
    const pl_world *w = s->w;
    int first = 0, count = w->numbers.end;
    bool whole = d->object.index == 0, solid = false;
    pl_result result = whole ? PL_OK : pl_object_range(w, d->object, &first, &count);
    if (result == PL_OK)
        result = array_reserve(&s->m, &s->slot, &s->slot_capacity, count, sizeof *s->slot);
    for (int i = 0; i < count && result == PL_OK; i++)
    {
        int32_t slot = slot_of(w, first + i);
        if (d->solid)
        {
            if (slot >= 0 && is_round(w, slot))
                take_solid(s, slot);
        }
        else if (slot >= 0 && is_liquid(w, slot))
            take_particle(s, slot);
        else
            solid |= slot >= 0 && !is_fluid(w, slot) && phase_of(w->state.slot[SLOT_COLLISION], slot) != 0;
    }
    if (result == PL_OK && !whole && solid && s->list.count == 0)
        result =
            fail(PL_ERROR_ARGUMENT, "fluid surface: the object is not a fluid; use one of pl_add_fluid, or set solid");
    if (result == PL_OK && d->solid && s->list.count == 0)
        result =
            fail(PL_ERROR_ARGUMENT, "fluid surface: no particle of the object has a radius; use one of pl_add_body");
    return result;
}

static pl_result make_surface(surface_work *s)
{
    if (s->list.count == 0)
        return PL_OK;
    pl_result result = surface_sort(s);
    if (result == PL_OK)
        result = surface_find_deep_cells(s);
    if (result == PL_OK)
        result = surface_find_kernels(s);
    if (result == PL_OK)
        result = surface_find_blocks(s);
    return result == PL_OK ? surface_make_mesh(s) : result;
}

static void free_work(surface_work *s)
{
    array_free(&s->m, &s->slot, &s->slot_capacity, sizeof *s->slot);
    array_free(&s->m, &s->kernel, &s->kernel_capacity, sizeof *s->kernel);
    array_free(&s->m, &s->mean, &s->mean_capacity, sizeof *s->mean);
    array_free(&s->m, &s->block, &s->block_capacity, sizeof *s->block);
    array_free(&s->m, &s->batch, &s->batch_capacity, sizeof *s->batch);
    array_free(&s->m, &s->cell_key, &s->cell_capacity[0], sizeof *s->cell_key);
    array_free(&s->m, &s->cell_rank, &s->cell_capacity[1], sizeof *s->cell_rank);
    array_free(&s->m, &s->cell_deep, &s->cell_capacity[2], sizeof *s->cell_deep);
    sortable_free(&s->m, &s->keys, s->key_capacity);
    neighbours_free(&s->list, &s->m);
}

pl_result pl_make_fluid_surface(const pl_world *w, const pl_fluid_surface_def *def, pl_fluid_surface *surface)
{
    NEED(w);
    NEED(def);
    NEED(surface);
    PLAIN_ROUNDING;
    *surface = (pl_fluid_surface){.allocator = w->memory.hook};
    surface_work s = {.w = w,
                      .threads = cpu_parallel((cpu *)&w->cpu),
                      .anisotropy = (double)def->anisotropy,
                      .smoothing = (double)def->smoothing,
                      .out = surface};
    memory_open(&s.m, &w->memory.hook);
    pl_result result = check_def(def);
    if (result == PL_OK)
        result = pull(w, ARRAY_BIT(SLOT_X) | ARRAY_BIT(SLOT_V) | ARRAY_BIT(SLOT_COLLISION));
    if (result == PL_OK)
        result = list_particles(&s, def);
    s.cell = (double)def->cell * s.spacing;
    s.level = (float)surface_level((double)def->anisotropy, (double)def->smoothing);
    if (result == PL_OK)
        result = make_surface(&s);
    free_work(&s);
    if (result != PL_OK)
        pl_free_fluid_surface(surface);
    return result;
}

void pl_free_fluid_surface(pl_fluid_surface *s)
{
    memory m;
    if (!s)
        return;
    memory_open(&m, &s->allocator);
    const size_t v = (size_t)s->vertex_count * sizeof(float), t = (size_t)s->triangle_count * sizeof(int32_t);
    memory_free(&m, s->vertices, 3 * v);
    memory_free(&m, s->normals, 3 * v);
    memory_free(&m, s->velocities, 3 * v);
    memory_free(&m, s->particles, v);
    memory_free(&m, s->triangles, 3 * t);
    *s = (pl_fluid_surface){0};
}
