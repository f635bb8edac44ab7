// emitter.c: adds an emitter: checks its def, and makes its reserve of particles (groups/emission.h).
#include "author/build.h"
#include "author/fluid.h"
#include "groups/emission.h"
#include "model/fluid.h"

#include <math.h>

pl_emitter_def pl_default_emitter_def(void)
{
    pl_fluid_def fluid = pl_default_fluid_def();
    fluid.jitter = 0.0f;
    return (pl_emitter_def){.fluid = fluid,
                            .direction = {0.0f, -1.0f, 0.0f},
                            .size = {0.05f, 0.05f},
                            .speed = 1.0f,
                            .stop = 1e30,
                            .capacity = 10000};
}

// ---- axes ----------------------------------------------------------------------------------------------------------

static void cross3(const double a[3], const double b[3], double out[3])
{
    for (int c = 0; c < 3; c++)
        out[c] = a[(c + 1) % 3] * b[(c + 2) % 3] - a[(c + 2) % 3] * b[(c + 1) % 3];
}

static double normalize3(double v[3])
{
    double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int c = 0; c < 3; c++)
        v[c] = length > 0.0 ? v[c] / length : 0.0;
    return length;
}

// axis[2] is the direction, axis[0] = up x direction, axis[1] the part of up across it. Returns false if up is parallel.
static bool set_axes(const pl_emitter_def *d, emitter *e)
{
    double n[3] = {(double)d->direction.x, (double)d->direction.y, (double)d->direction.z},
           up[3] = {(double)d->up.x, (double)d->up.y, (double)d->up.z}, side[3], rise[3];
    normalize3(n);
    if (up[0] == 0.0 && up[1] == 0.0 && up[2] == 0.0) // any: the coordinate axis that is farthest from the direction
    {
        int least = 0;
        for (int c = 1; c < 3; c++)
            least = fabs(n[c]) < fabs(n[least]) ? c : least;
        up[least] = 1.0;
    }
    normalize3(up);
    cross3(up, n, side);
    if (!(normalize3(side) > 1e-3))
        return false;
    cross3(n, side, rise);
    for (int c = 0; c < 3; c++)
        e->axis[0][c] = (float)side[c], e->axis[1][c] = (float)rise[c], e->axis[2][c] = (float)n[c];
    return true;
}

// ---- checks --------------------------------------------------------------------------------------------------------

static pl_result check_opening(const pl_emitter_def *d, float spacing)
{
    const pl_vec3 n = d->direction;
    double length = sqrt((double)n.x * (double)n.x + (double)n.y * (double)n.y + (double)n.z * (double)n.z);
    if (d->nozzle < PL_NOZZLE_DISC || d->nozzle > PL_NOZZLE_RECTANGLE)
        return fail(PL_ERROR_ARGUMENT, "emitter: nozzle is %d; it must be a pl_nozzle", (int)d->nozzle);
    if (!(finite3(d->position) && finite3(d->up)))
        return fail(PL_ERROR_ARGUMENT, "emitter: position and up must be finite");
    if (!(length > 1e-6 && length < 1e6))
        return fail(PL_ERROR_ARGUMENT, "emitter: direction is (%g, %g, %g); it needs a length from 1e-6 to 1e6",
                    (double)n.x, (double)n.y, (double)n.z);
    for (int c = 0; c < (d->nozzle == PL_NOZZLE_DISC ? 1 : 2); c++)
        if (!(d->size[c] >= 0.5f * spacing && d->size[c] <= 1e4f * spacing))
            return fail(PL_ERROR_ARGUMENT,
                        "emitter: size[%d] is %g m; it must be from half of the spacing, %g m, to %g m", c,
                        (double)d->size[c], 0.5 * (double)spacing, 1e4 * (double)spacing);
    return PL_OK;
}

static pl_result check_flow(const pl_emitter_def *d)
{
    if (!(d->speed >= 0.0f && d->speed <= 1e4f))
        return fail(PL_ERROR_ARGUMENT, "emitter: speed is %g m/s; it must be from 0 to 10000", (double)d->speed);
    if (!(d->rate >= 0.0f && d->rate <= 1e9f))
        return fail(PL_ERROR_ARGUMENT, "emitter: rate is %g m^3/s; it must be above 0, or 0 to use the speed",
                    (double)d->rate);
    if (!(CHECK_FINITE(d->start) && CHECK_FINITE(d->stop) && d->start <= d->stop))
        return fail(PL_ERROR_ARGUMENT, "emitter: it runs from %g s to %g s; stop must not be before start", d->start,
                    d->stop);
    if (!(d->lifetime >= 0.0f && CHECK_FINITE(d->lifetime)))
        return fail(PL_ERROR_ARGUMENT, "emitter: lifetime is %g s; it must be above 0, or 0 for no end",
                    (double)d->lifetime);
    return PL_OK;
}

// Fills in all but the particles.
static pl_result describe(const pl_emitter_def *d, float spacing, float weight, emitter *e)
{
    pl_result result = check_opening(d, spacing);
    if (result == PL_OK)
        result = check_flow(d);
    if (result != PL_OK)
        return result;
    *e = (emitter){.start = d->start,
                   .stop = d->stop,
                   .position = {d->position.x, d->position.y, d->position.z},
                   .spacing = spacing,
                   .weight = weight,
                   .speed = d->speed,
                   .lifetime = d->lifetime,
                   .jitter = d->fluid.jitter,
                   .size = {d->size[0], d->nozzle == PL_NOZZLE_DISC ? d->size[0] : d->size[1]},
                   .nozzle = (int32_t)d->nozzle,
                   .on = 1};
    if (!set_axes(d, e))
        return fail(PL_ERROR_ARGUMENT, "emitter: up is parallel to the direction; it must not be");
    emitter_lattice(e);
    if (d->rate > 0.0f)
        e->speed = (float)((double)d->rate / e->area);
    if (!(e->speed <= 1e4f))
        return fail(PL_ERROR_ARGUMENT,
                    "emitter: a rate of %g m^3/s through %g m^2 is %g m/s; at most 10000 is possible", (double)d->rate,
                    e->area, (double)e->speed);
    emitter_lattice(e); // the speed decides how many layers are held
    return PL_OK;
}

static pl_result check_capacity(const emitter *e, int64_t capacity, const char *what)
{
    int64_t held = (int64_t)e->held_layers * e->places;
    if (capacity >= held && capacity <= INT32_MAX / 8)
        return PL_OK;
    return fail(PL_ERROR_ARGUMENT, "emitter: %s is %lld particles; the nozzle alone may hold %lld, and at most %d fit",
                what, (long long)capacity, (long long)held, INT32_MAX / 8);
}

// ---- adding --------------------------------------------------------------------------------------------------------

static pl_result add_with_source(pl_world *w, const pl_emitter_def *d, pl_id *object)
{
    const id_entry *t = id_find(w, d->source, ID_OBJECT, "emitter: source");
    if (!t)
        return PL_ERROR_ARGUMENT;
    int32_t slot = slot_of(w, t->first);
    emitter e;
    if (!is_fluid(w, slot))
        return fail(PL_ERROR_ARGUMENT, "emitter: the source is not a fluid; it must be the object of pl_add_fluid");
    if (emitter_of_object(w, t))
        return fail(PL_ERROR_ARGUMENT, "emitter: the source has an emitter already; a fluid can have one");
    for (int32_t i = t->first; i < t->first + t->count; i++)
        if (is_inactive(w->state.slot[SLOT_COLLISION], slot_of(w, i)))
            return fail(PL_ERROR_ARGUMENT,
                        "emitter: particle %d of the source has been drained; add the emitter before", i);
    pl_result result = describe(d, w->state.slot[SLOT_FLUID][4 * (size_t)slot], inverse_mass(w, slot), &e);
    if (result == PL_OK)
        result = check_capacity(&e, t->count, "the source");
    if (result != PL_OK)
        return result;
    e.phase = phase_of(w->state.slot[SLOT_COLLISION], slot);
    pl_id id;
    result = emitter_add(w, &e, t->first, t->count, &id);
    if (result != PL_OK)
        return result;
    w->entries[id.index].owner = d->source.index;
    w->contacts.stale = w->contacts.colliders_stale = true; // its particles may differ in mass now
    if (object)
        *object = d->source;
    return PL_OK;
}

// All of the reserve begins in one place, and is laid out when the emitter is added.
static pl_result add_with_reserve(pl_world *w, const pl_emitter_def *d, emitter *e, pl_id *object)
{
    int64_t capacity = 0;
    float *x = NULL;
    pl_result result = array_reserve(&w->memory, &x, &capacity, 3 * (int64_t)d->capacity, sizeof *x);
    if (result != PL_OK)
        return result;
    for (int64_t i = 0; i < d->capacity; i++)
        x[3 * i] = e->position[0], x[3 * i + 1] = e->position[1], x[3 * i + 2] = e->position[2];
    build b = {.w = w};
    pl_id id = {0};
    build_particles(&b, &(pl_particles_def){.count = d->capacity, .position = x, .mass_each = 1.0f / e->weight});
    array_free(&w->memory, &x, &capacity, sizeof *x);
    if (b.result == PL_OK)
        b.result = emitter_add(w, e, b.first, d->capacity, &id);
    if (b.result == PL_OK)
        w->entries[id.index].owner = b.object.index;
    fluid_make(&b, &d->fluid, d->capacity);
    if (b.result == PL_OK)
        emitter_fill(w, w->emitters.count - 1);
    return build_end(&b, object);
}

pl_result pl_add_emitter(pl_world *w, const pl_emitter_def *def, pl_id *object)
{
    NEED(w);
    NEED(def);
    PLAIN_ROUNDING;
    if (def->source.index)
        return add_with_source(w, def, object);
    emitter e;
    const float a = def->fluid.spacing;
    pl_fluid_def fluid = def->fluid;
    fluid.position = NULL, fluid.form = PL_FLUID_BOX; // not used
    fluid.size = (pl_vec3){a, a, a};
    pl_result result = fluid_check(&fluid);
    if (result == PL_OK)
        result = fluid_check_world(w, &fluid);
    if (result == PL_OK)
        result = describe(def, a, 1.0f / (fluid.density * (a * a * a)), &e);
    if (result == PL_OK)
        result = check_capacity(&e, def->capacity, "capacity");
    return result == PL_OK ? add_with_reserve(w, def, &e, object) : result;
}
