// fluid.c: adds a fluid: fills a form with particles at the spacing of rest.
#include "author/build.h"
#include "author/fluid.h"
#include "core/chance.h"
#include "kernels/fluid.h"
#include "author/fluid_properties.h"
#include "model/fluid.h"

#include <math.h>
#include <string.h>

pl_fluid_def pl_default_fluid_def(void)
{
    return (pl_fluid_def){.spacing = 0.02f,
                          .density = 1000.0f,
                          .size = {0.2f, 0.2f, 0.2f},
                          .jitter = 0.1f,
                          .smoothing = 0.01f,
                          .contact_angle = 180.0f,
                          .material = -1};
}

// ---- places --------------------------------------------------------------------------------------------------------

// A pseudo-random number from -1 to 1, the same on every machine.
static float chance(int64_t number, int use) { return chance_both((uint32_t)number * 3u + (uint32_t)use + 1u); }

// The lattice points along an edge.
static int64_t points_along(float edge, float spacing) { return (int64_t)floor((double)edge / (double)spacing + 0.5); }

// Is the lattice point inside the form? u: its coordinates in the box, from -1 to 1.
static bool is_inside(pl_fluid_form form, const double u[3])
{
    double round = u[0] * u[0] + u[2] * u[2];
    return form == PL_FLUID_BOX || (form == PL_FLUID_BALL ? round + u[1] * u[1] : round) <= 1.0;
}

// Writes the positions, if x is not NULL; returns how many there are.
static int64_t fill_form(const pl_fluid_def *d, float *x)
{
    const float origin[3] = {d->origin.x, d->origin.y, d->origin.z}, size[3] = {d->size.x, d->size.y, d->size.z};
    int64_t n[3], count = 0, number = 0, i[3];
    for (int c = 0; c < 3; c++)
        n[c] = points_along(size[c], d->spacing);
    for (i[1] = 0; i[1] < n[1]; i[1]++)
        for (i[2] = 0; i[2] < n[2]; i[2]++)
            for (i[0] = 0; i[0] < n[0]; i[0]++, number++)
            {
                double u[3];
                for (int c = 0; c < 3; c++)
                    u[c] = (2.0 * (double)i[c] + 1.0) / (double)n[c] - 1.0;
                if (!is_inside(d->form, u))
                    continue;
                for (int c = 0; x && c < 3; c++)
                {
                    double off = 0.5 * (double)d->jitter * (double)chance(number, c);
                    x[3 * count + c] = (float)((double)origin[c] + ((double)i[c] + 0.5 + off) * (double)d->spacing);
                }
                count++;
            }
    return count;
}

// ---- checks --------------------------------------------------------------------------------------------------------

#define FLUID_MOST ((int64_t)1 << 30)

static pl_result check_form(const pl_fluid_def *d)
{
    const float size[3] = {d->size.x, d->size.y, d->size.z};
    double points = 1.0;
    if (d->form < PL_FLUID_BOX || d->form > PL_FLUID_CYLINDER)
        return fail(PL_ERROR_ARGUMENT, "fluid: form is %d; it must be a pl_fluid_form", (int)d->form);
    for (int c = 0; c < 3; c++)
    {
        if (!(size[c] >= 0.5f * d->spacing && CHECK_FINITE(size[c])))
            return fail(PL_ERROR_ARGUMENT, "fluid: size.%c is %g m; it must be at least half of the spacing, %g m",
                        'x' + c, (double)size[c], 0.5 * (double)d->spacing);
        points *= floor((double)size[c] / (double)d->spacing + 0.5);
    }
    if (points > (double)FLUID_MOST)
        return fail(PL_ERROR_ARGUMENT, "fluid: %g particles; use a larger spacing: at most %lld fit", points,
                    (long long)FLUID_MOST);
    return PL_OK;
}

pl_result fluid_check(const pl_fluid_def *d)
{
    pl_result result = fluid_check_range("spacing", d->spacing, 1e-6f, 1e6f, " m");
    if (result == PL_OK)
        result = fluid_check_range("density", d->density, 1e-6f, 1e6f, " kg/m^3");
    if (result == PL_OK)
        result = fluid_check_range("jitter", d->jitter, 0.0f, 0.5f, " spacings");
    if (result == PL_OK)
        result = fluid_check_properties(d);
    if (result == PL_OK && !(finite3(d->origin) && finite3(d->velocity)))
        result = fail(PL_ERROR_ARGUMENT, "fluid: origin and velocity must be finite");
    if (result == PL_OK && d->position && d->count < 1)
        result = fail(PL_ERROR_ARGUMENT, "fluid: count is %d; with positions it must be at least 1", d->count);
    return result == PL_OK && !d->position ? check_form(d) : result;
}

// The kernel has one support in all of a world.
pl_result fluid_check_world(const pl_world *w, const pl_fluid_def *d)
{
    if (d->material < -1 || d->material >= w->contacts.materials)
        return fail(PL_ERROR_ARGUMENT, "fluid: material is %d; it must be from 0 to %d, or -1 for one without friction",
                    d->material, w->contacts.materials - 1);
    for (int32_t slot = 0; slot < w->used; slot++)
    {
        float other = w->number_of[slot] >= 0 ? w->state.slot[SLOT_FLUID][4 * (size_t)slot] : 0.0f;
        if (other > 0.0f && other != d->spacing)
            return fail(
                PL_ERROR_ARGUMENT,
                "fluid: spacing is %g m, but the world has a fluid of %g m; all fluids of a world need the same",
                (double)d->spacing, (double)other);
    }
    return PL_OK;
}

int64_t pl_fluid_particle_count(const pl_fluid_def *def)
{
    if (!def || fluid_check(def) != PL_OK)
        return 0;
    return def->position ? def->count : fill_form(def, NULL);
}

// ---- adding --------------------------------------------------------------------------------------------------------

// The number of a material without friction, which is added if there is none.
static pl_result find_slippery(pl_world *w, int *number)
{
    pl_material slippery = pl_default_material();
    slippery.static_friction = slippery.kinetic_friction = slippery.rolling = 0.0f;
    for (int i = 0; i < w->contacts.materials; i++)
        if (memcmp(&w->contacts.material[i], &slippery, sizeof slippery) == 0)
        {
            *number = i;
            return PL_OK;
        }
    return pl_add_material(w, &slippery, number);
}

// Nothing fails after the material was added: no refused fluid leaves one behind.
void fluid_make(build *b, const pl_fluid_def *d, int count)
{
    int number = d->material;
    if (b->result == PL_OK && number < 0)
        b->result = find_slippery(b->w, &number);
    build_radius(b, count, FLUID_CONTACT * d->spacing);
    for (int i = 0; b->result == PL_OK && i < count; i++)
    {
        float *phase = build_collision(b, i) + 1;
        *phase = float_of((bits_of(*phase) & ~(uint32_t)PHASE_FILTER) | PHASE_FLUID);
        put_slot_material(b->w->state.slot[SLOT_COLLISION], slot_of(b->w, b->first + i), number);
        b->w->state.slot[SLOT_FLUID][4 * (size_t)slot_of(b->w, b->first + i)] = d->spacing;
        float *dye = b->w->state.slot[SLOT_DYE] + 4 * (size_t)slot_of(b->w, b->first + i);
        dye[0] = dye[1] = d->dye;
        fluid_put_properties(b->w, slot_of(b->w, b->first + i), d);
    }
}

static pl_result build_fluid(pl_world *w, const pl_fluid_def *d, const float *x, float *v, int count, pl_id *object)
{
    for (int i = 0; i < count; i++)
        v[3 * i] = d->velocity.x, v[3 * i + 1] = d->velocity.y, v[3 * i + 2] = d->velocity.z;
    build b = {.w = w};
    float mass = d->density * (d->spacing * d->spacing * d->spacing);
    build_particles(&b, &(pl_particles_def){.count = count, .position = x, .velocity = v, .mass_each = mass});
    fluid_make(&b, d, count);
    return build_end(&b, object);
}

pl_result pl_add_fluid(pl_world *w, const pl_fluid_def *def, pl_id *object)
{
    NEED(w);
    NEED(def);
    PLAIN_ROUNDING;
    pl_result result = fluid_check(def);
    if (result == PL_OK)
        result = fluid_check_world(w, def);
    if (result != PL_OK)
        return result;
    int64_t count = pl_fluid_particle_count(def), capacity = 0;
    float *x = NULL;
    result = array_reserve(&w->memory, &x, &capacity, 6 * count, sizeof *x);
    if (result != PL_OK)
        return result;
    if (def->position)
        memcpy(x, def->position, 3 * (size_t)count * sizeof *x);
    else
        fill_form(def, x);
    result = build_fluid(w, def, x, x + 3 * count, (int)count, object);
    array_free(&w->memory, &x, &capacity, sizeof *x);
    return result;
}
