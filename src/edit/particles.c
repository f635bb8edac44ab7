// particles.c: adds particles, and copies their attributes in and out.
#include "edit/add.h"
#include "edit/edit_in_place.h"
#include "groups/group.h"
#include "layout/colour.h"
#include "layout/compile.h"
#include "model/rigid_rest.h"
#include "model/world.h"

#include <string.h>

pl_particles_def pl_default_particles_def(void) { return (pl_particles_def){.mass_each = 1.0f}; }

// Accepts 0, or a mass whose inverse is finite too.
static bool is_mass(float mass) { return mass == 0.0f || (mass >= 1e-30f && mass <= 1e30f); }

static pl_result check_particles(const pl_particles_def *def)
{
    int64_t bad;
    if (def->count < 1 || def->count > INT32_MAX / 8)
        return fail(PL_ERROR_ARGUMENT, "particles: count is %d; it must be from 1 to %d", def->count, INT32_MAX / 8);
    if (!def->position)
        return fail(PL_ERROR_ARGUMENT, "particles: position is NULL; it must hold 3 floats for each particle");
    if (!all_finite(def->position, 3 * (int64_t)def->count, &bad))
        return fail(PL_ERROR_ARGUMENT, "particles: the position of particle %lld is not finite; give finite numbers",
                    (long long)bad / 3);
    if (def->velocity && !all_finite(def->velocity, 3 * (int64_t)def->count, &bad))
        return fail(PL_ERROR_ARGUMENT, "particles: the velocity of particle %lld is not finite; give finite numbers",
                    (long long)bad / 3);
    if (!def->mass && !is_mass(def->mass_each))
        return fail(PL_ERROR_ARGUMENT,
                    "particles: mass_each is %g kg; it must be from 1e-30 to 1e30, or 0 to hold them in place",
                    (double)def->mass_each);
    for (int i = 0; def->mass && i < def->count; i++)
        if (!is_mass(def->mass[i]))
            return fail(
                PL_ERROR_ARGUMENT,
                "particles: the mass of particle %d is %g kg; it must be from 1e-30 to 1e30, or 0 to hold it in place",
                i, (double)def->mass[i]);
    return PL_OK;
}

static float inverse(float mass) { return mass > 0.0f ? 1.0f / mass : 0.0f; }

// Returns the first of `count` consecutive unused numbers.
static int32_t find_numbers(const pl_world *w, int32_t count)
{
    if (w->numbers.free < count)
        return w->numbers.end;
    int32_t length = 0;
    for (int32_t i = 0; i < w->numbers.end; i++)
    {
        length = w->numbers.slot_of[i] < 0 ? length + 1 : 0;
        if (length == count)
            return i - count + 1;
    }
    return w->numbers.end - length; // a free range at the end, extended by new numbers
}

static void put_particle(pl_world *w, int32_t number, const pl_particles_def *def, int i)
{
    int32_t slot = edit_take_slot(w);
    for (int a = 0; a < SLOT_ARRAYS; a++)
        memset(w->state.slot[a] + 4 * (size_t)slot, 0, 4 * sizeof(float));
    float *x = w->state.slot[SLOT_X] + 4 * (size_t)slot, *v = w->state.slot[SLOT_V] + 4 * (size_t)slot;
    memcpy(x, def->position + 3 * (size_t)i, 3 * sizeof(float));
    w->state.slot[SLOT_D][4 * (size_t)slot + 3] = inverse(def->mass ? def->mass[i] : def->mass_each);
    if (def->velocity)
        memcpy(v, def->velocity + 3 * (size_t)i, 3 * sizeof(float));
    w->number_of[slot] = number;
    w->numbers.slot_of[number] = slot;
    w->live++;
    w->body_particles.stale = true;
}

pl_result pl_add_particles(pl_world *w, const pl_particles_def *def, pl_id *object)
{
    NEED(w);
    NEED(def);
    PLAIN_ROUNDING;
    pl_result result = check_particles(def);
    if (result == PL_OK)
        result = particles_reserve(w, def->count);
    if (result == PL_OK)
        result = id_reserve(w, 1);
    if (result != PL_OK)
        return result;
    bool keep = keeps_order(w);
    result = keep ? contacts_pull(w) : PL_OK;
    if (result == PL_OK)
        result = keep ? edit_reserve_particles(w, def->count) : unpack_all(w, true, true);
    if (result != PL_OK)
        return result;
    if (keep)
        edit_contacts(w);
    int32_t first = find_numbers(w, def->count);
    int32_t reused = w->numbers.end - first;
    w->numbers.free -= reused < def->count ? reused : def->count;
    if (first + def->count > w->numbers.end)
        w->numbers.end = first + def->count;
    for (int i = 0; i < def->count; i++)
        put_particle(w, first + i, def, i);
    w->tear.incidence.ready = false;
    w->flow.smooth = 0; // the new particles have no history
    pl_id made;
    result = id_add(w, (id_entry){.type = ID_OBJECT, .first = first, .count = def->count}, &made);
    for (int i = 0; result == PL_OK && i < def->count; i++)
    {
        phase_defaults(w, w->numbers.slot_of[first + i], (int32_t)made.index);
        patch_slot(w, w->numbers.slot_of[first + i]);
    }
    if (result == PL_OK && object)
        *object = made;
    return result;
}

pl_result pl_object_range(const pl_world *w, pl_id object, int *first, int *count)
{
    NEED(w);
    NEED(first);
    NEED(count);
    const id_entry *t = id_find(w, object, ID_OBJECT, "object range");
    if (!t)
        return PL_ERROR_ARGUMENT;
    *first = t->first;
    *count = t->count;
    return PL_OK;
}

pl_id pl_object_of_particle(const pl_world *w, int particle)
{
    return w && slot_of(w, particle) >= 0 ? id_of_entry(w, object_at(w, particle)) : (pl_id){0};
}

int pl_particle_end(const pl_world *w) { return w ? w->numbers.end : 0; }
int pl_particle_count(const pl_world *w) { return w ? w->live : 0; }

// Where an attribute is stored: which array, which of its four floats, how many.
typedef struct view
{
    const char *name;
    int array, offset, width;
} view;

static const view views[] = {
    [PL_ATTRIBUTE_POSITION] = {"position", SLOT_X, 0, 3},
    [PL_ATTRIBUTE_VELOCITY] = {"velocity", SLOT_V, 0, 3},
    [PL_ATTRIBUTE_MASS] = {"mass", SLOT_D, 3, 1},
    [PL_ATTRIBUTE_FORCE] = {"force", SLOT_FORCE, 0, 3},
    [PL_ATTRIBUTE_CHARGE] = {"charge", SLOT_FORCE, 3, 1},
    [PL_ATTRIBUTE_RADIUS] = {"radius", SLOT_COLLISION, 0, 1},
    [PL_ATTRIBUTE_THICKNESS] = {"thickness", SLOT_COLLISION, 2, 1},
};

static pl_result check_range(const pl_world *w, pl_attribute what, int first, int count, const float *array)
{
    if ((unsigned)what >= sizeof views / sizeof *views)
        return fail(PL_ERROR_ARGUMENT, "attribute %d does not exist; see the header for those that do", (int)what);
    if (first < 0 || count < 0 || (int64_t)first + count > w->numbers.end)
        return fail(PL_ERROR_ARGUMENT, "%s: particles %d to %lld were asked for; there are %d", views[what].name, first,
                    (long long)first + count - 1, w->numbers.end);
    if (!array && count)
        return fail(PL_ERROR_ARGUMENT, "%s: the array is NULL; it must hold %d floats for each particle",
                    views[what].name, views[what].width);
    for (int i = first; i < first + count; i++)
        if (w->numbers.slot_of[i] < 0)
            return fail(PL_ERROR_ARGUMENT, "%s: particle %d has been removed; use one that exists", views[what].name,
                        i);
    return PL_OK;
}

pl_result pl_world_map(pl_world *w, pl_attribute what, pl_map *map)
{
    NEED(w);
    NEED(map);
    pl_result result = check_range(w, what, 0, 0, NULL);
    if (result == PL_OK)
        result = compile(w);
    if (result == PL_OK && w->backend->send)
        result = w->backend->send(w);
    if (result != PL_OK)
        return result;
    const view *a = &views[what];
    const float *there = w->backend->address ? w->backend->address(w, a->array) : NULL;
    *map = (pl_map){.data = there ? there : w->state.slot[a->array],
                    .offset = a->offset,
                    .floats = a->width,
                    .slots = w->state.slots,
                    .slot_of = w->numbers.slot_of,
                    .on_device = there != NULL};
    return PL_OK;
}

static pl_result gl_unsupported(void)
{
    return fail(PL_ERROR_UNSUPPORTED, "OpenGL buffers are written by PL_BACKEND_CUDA only; pl_get with glBufferSubData "
                                      "works everywhere");
}

pl_result pl_world_copy_to_gl(pl_world *w, pl_attribute what, unsigned buffer)
{
    pl_map map;
    NEED(w);
    pl_result result = check_range(w, what, 0, 0, NULL);
    if (result == PL_OK && !w->backend->to_gl)
        result = gl_unsupported();
    if (result == PL_OK)
        result = pl_world_map(w, what, &map);
    return result == PL_OK ? w->backend->to_gl(w, views[what].array, &map, what == PL_ATTRIBUTE_MASS, buffer) : result;
}

pl_result pl_world_release_gl(pl_world *w, unsigned buffer)
{
    NEED(w);
    return w->backend->forget_gl ? w->backend->forget_gl(w, buffer) : gl_unsupported();
}

pl_result pl_get(const pl_world *w, pl_attribute what, int first, int count, float *out)
{
    NEED(w);
    PLAIN_ROUNDING;
    pl_result result = check_range(w, what, first, count, out);
    if (result != PL_OK)
        return result;
    const view *a = &views[what];
    result = pull(w, ARRAY_BIT(a->array));
    if (result != PL_OK)
        return result;
    for (int i = 0; i < count; i++)
    {
        const float *from = w->state.slot[a->array] + 4 * (size_t)w->numbers.slot_of[first + i] + a->offset;
        if (what == PL_ATTRIBUTE_MASS)
            out[i] = inverse(inverse_mass(w, w->numbers.slot_of[first + i]));
        else
            memcpy(out + (size_t)i * (size_t)a->width, from, (size_t)a->width * sizeof(float));
    }
    return PL_OK;
}

// Returns whether this change invalidates the history that BDF2 uses. A new velocity of a pinned particle does not: it
// moves by that velocity alone.
static bool jumps(const pl_world *w, pl_attribute what, int first, int count)
{
    if (what != PL_ATTRIBUTE_VELOCITY)
        return what == PL_ATTRIBUTE_POSITION || what == PL_ATTRIBUTE_MASS;
    for (int i = first; i < first + count; i++)
        if (inverse_mass(w, w->numbers.slot_of[i]) > 0.0f)
            return true;
    return false;
}

static pl_result refuse_mass(int particle, float mass)
{
    return fail(PL_ERROR_ARGUMENT,
                "mass: particle %d would weigh %g kg; a mass must be from 1e-30 to 1e30, or 0 to hold it in place",
                particle, (double)mass);
}

pl_result pl_set(pl_world *w, pl_attribute what, int first, int count, const float *values)
{
    NEED(w);
    PLAIN_ROUNDING;
    pl_result result = check_range(w, what, first, count, values);
    if (result != PL_OK)
        return result;
    const view *a = &views[what];
    int64_t bad;
    if (!all_finite(values, (int64_t)count * a->width, &bad))
        return fail(PL_ERROR_ARGUMENT, "%s: the value for particle %lld is not finite; give finite numbers", a->name,
                    (long long)first + bad / a->width);
    for (int i = 0; what == PL_ATTRIBUTE_MASS && i < count; i++)
        if (!is_mass(values[i]))
            return refuse_mass(first + i, values[i]);
    for (int i = 0; what == PL_ATTRIBUTE_RADIUS && i < count; i++)
        if (values[i] < 0.0f)
            return fail(
                PL_ERROR_ARGUMENT,
                "radius: particle %d would have %g m; it must be above 0, or 0 for no collisions with particles",
                first + i, (double)values[i]);
    for (int i = 0; what == PL_ATTRIBUTE_THICKNESS && i < count; i++)
        if (values[i] < 0.0f)
            return fail(PL_ERROR_ARGUMENT,
                        "thickness: particle %d would have %g m; it must be above 0, or 0 for no colliding surface",
                        first + i, (double)values[i]);
    result = pull(w, ARRAY_BIT(a->array));
    if (result == PL_OK && what == PL_ATTRIBUTE_MASS)
        result = groups_weigh(w);
    if (result != PL_OK)
        return result;
    mark_changed(w, ARRAY_BIT(a->array));
    rigid_stir_particles(w, first, count);
    for (int i = 0; i < count; i++)
    {
        float *to = w->state.slot[a->array] + 4 * (size_t)w->numbers.slot_of[first + i] + a->offset;
        if (is_inactive(w->state.slot[SLOT_COLLISION], w->numbers.slot_of[first + i]))
            continue; // it is in the reserve of an emitter
        if (what == PL_ATTRIBUTE_MASS)
            *to = rigid_set_weight(w, first + i, inverse(values[i]));
        else
            memcpy(to, values + (size_t)i * (size_t)a->width, (size_t)a->width * sizeof(float));
        if (what == PL_ATTRIBUTE_VELOCITY || what == PL_ATTRIBUTE_POSITION)
            to[3] = 0.0f; // clears the speed of its last impact, or the position's low part
    }
    if (jumps(w, what, first, count))
    {
        w->flow.smooth = 0; // BDF2 starts again
        w->contacts.stale = true;
    }
    if (what == PL_ATTRIBUTE_RADIUS || what == PL_ATTRIBUTE_THICKNESS)
        w->contacts.stale = w->contacts.colliders_stale = true;
    if (what == PL_ATTRIBUTE_THICKNESS)
        surfaces_changed(w);
    w->state.pushed |= what == PL_ATTRIBUTE_FORCE;
    w->components_stale |= what == PL_ATTRIBUTE_MASS;
    return PL_OK;
}
