// materials.c: sets materials, which hold the contact properties between two surfaces, and phases, which decide what
// collides with what.
#include "model/rigid_rest.h"

#include <string.h>

pl_material pl_default_material(void)
{
    return (pl_material){.static_friction = 0.5f, .kinetic_friction = 0.4f, .rolling = 1.0f};
}

pl_result check_material(const pl_material *m)
{
    if (!(m->static_friction >= 0.0f && m->static_friction <= 100.0f))
        return fail(PL_ERROR_ARGUMENT, "material: static_friction is %g; it must be from 0 to 100",
                    (double)m->static_friction);
    if (!(m->kinetic_friction >= 0.0f && m->kinetic_friction <= m->static_friction))
        return fail(PL_ERROR_ARGUMENT,
                    "material: kinetic_friction is %g; it must be from 0 to static_friction, which is %g",
                    (double)m->kinetic_friction, (double)m->static_friction);
    if (!(m->restitution >= 0.0f && m->restitution <= 1.0f))
        return fail(PL_ERROR_ARGUMENT, "material: restitution is %g; it must be from 0 to 1", (double)m->restitution);
    if (!(m->rolling >= 0.0f && m->rolling <= 1.0f))
        return fail(PL_ERROR_ARGUMENT, "material: rolling is %g; it must be from 0 to 1", (double)m->rolling);
    if (!(m->rolling_friction >= 0.0f && m->rolling_friction <= 1e6f))
        return fail(PL_ERROR_ARGUMENT, "material: rolling_friction is %g m; it must be from 0 to 1e6",
                    (double)m->rolling_friction);
    if (!(m->torsional_friction >= 0.0f && m->torsional_friction <= 1e6f))
        return fail(PL_ERROR_ARGUMENT, "material: torsional_friction is %g m; it must be from 0 to 1e6",
                    (double)m->torsional_friction);
    return PL_OK;
}

static pl_result check_number(const pl_world *w, int number)
{
    if (number < 0 || number >= w->contacts.materials)
        return fail(PL_ERROR_ARGUMENT, "material %d does not exist; numbers go from 0 to %d", number,
                    w->contacts.materials - 1);
    return PL_OK;
}

// Contacts store numbers, not materials, so the contact lists must be rebuilt.
static void changed(pl_world *w)
{
    w->contacts.stale = true;
    w->contacts.shape_version++;
    w->plan_stale = true; // with restitution there are more stages
    rigid_wake_all(w);
}

pl_result pl_add_material(pl_world *w, const pl_material *material, int *number)
{
    NEED(w);
    NEED(material);
    NEED(number);
    pl_result result = check_material(material);
    if (result != PL_OK)
        return result;
    contacts *t = &w->contacts;
    if (t->materials == PL_MAX_MATERIALS)
        return fail(PL_ERROR_ARGUMENT, "material: a world holds at most %d", PL_MAX_MATERIALS);
    result = array_reserve(&w->memory, &t->material, &t->material_capacity, t->materials + 1, sizeof *t->material);
    if (result != PL_OK)
        return result;
    t->material[t->materials] = *material;
    *number = t->materials++;
    changed(w);
    return PL_OK;
}

pl_result pl_set_material(pl_world *w, int number, const pl_material *material)
{
    NEED(w);
    NEED(material);
    pl_result result = check_number(w, number);
    if (result == PL_OK)
        result = check_material(material);
    if (result != PL_OK)
        return result;
    w->contacts.material[number] = *material;
    changed(w);
    return PL_OK;
}

// The first pair that is not before (a, b), a <= b.
static int64_t find_pair(const contacts *t, int a, int b)
{
    int64_t low = 0, high = t->between_count;
    while (low < high)
    {
        int64_t middle = low + (high - low) / 2;
        const material_pair *p = &t->between[middle];
        if (p->a < a || (p->a == a && p->b < b))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool is_pair(const contacts *t, int64_t at, int a, int b)
{
    return at < t->between_count && t->between[at].a == a && t->between[at].b == b;
}

pl_result pl_set_material_pair(pl_world *w, int a, int b, const pl_material *material)
{
    NEED(w);
    NEED(material);
    pl_result result = check_number(w, a);
    if (result == PL_OK)
        result = check_number(w, b);
    if (result == PL_OK)
        result = check_material(material);
    if (result != PL_OK)
        return result;
    contacts *t = &w->contacts;
    result = array_reserve(&w->memory, &t->between, &t->between_capacity, t->between_count + 1, sizeof *t->between);
    if (result != PL_OK)
        return result;
    const material_pair p = {a < b ? a : b, a < b ? b : a, *material};
    int64_t at = find_pair(t, p.a, p.b);
    if (!is_pair(t, at, p.a, p.b))
    {
        memmove(t->between + at + 1, t->between + at, (size_t)(t->between_count - at) * sizeof p);
        t->between_count++;
    }
    t->between[at] = p;
    changed(w);
    return PL_OK;
}

static float larger(float a, float b) { return a > b ? a : b; }

pl_material material_between(const pl_world *w, int a, int b)
{
    const contacts *t = &w->contacts;
    const int low = a < b ? a : b, high = a < b ? b : a;
    int64_t at = find_pair(t, low, high);
    if (is_pair(t, at, low, high))
        return t->between[at].values;
    const pl_material *p = &t->material[a], *q = &t->material[b];
    if (a == b)
        return *p;
    material_values m = material_mix(material_values_of(p), material_values_of(q));
    return (pl_material){m.stick,
                         m.slide,
                         m.bounce,
                         m.rolling,
                         larger(p->rolling_friction, q->rolling_friction),
                         larger(p->torsional_friction, q->torsional_friction)};
}

pl_result pl_get_material_pair(const pl_world *w, int a, int b, pl_material *material)
{
    NEED(w);
    NEED(material);
    pl_result result = check_number(w, a);
    if (result == PL_OK)
        result = check_number(w, b);
    if (result == PL_OK)
        *material = material_between(w, a, b);
    return result;
}

// Does a contact with this material bounce, with another one than those it has a pair of its own with?
static bool bounces_with_some(const contacts *t, int a)
{
    int64_t own = 0;
    for (int64_t i = 0; i < t->between_count; i++)
        own += t->between[i].a == a || t->between[i].b == a;
    return t->material[a].restitution > 0.0f && own < t->materials;
}

bool any_bounce(const pl_world *w)
{
    const contacts *t = &w->contacts;
    for (int64_t i = 0; i < t->between_count; i++)
        if (t->between[i].values.restitution > 0.0f)
            return true;
    for (int a = 0; a < t->materials; a++)
        if (t->material[a].restitution > 0.0f && bounces_with_some(t, a))
            return true;
    return false;
}

pl_result materials_copy(pl_world *w, const pl_world *o)
{
    contacts *a = &w->contacts;
    const contacts *b = &o->contacts;
    pl_result result =
        array_reserve(&w->memory, &a->material, &a->material_capacity, b->materials, sizeof *a->material);
    if (result == PL_OK)
        result = array_reserve(&w->memory, &a->between, &a->between_capacity, b->between_count, sizeof *a->between);
    if (result != PL_OK)
        return result;
    a->materials = b->materials;
    memcpy(a->material, b->material, (size_t)b->materials * sizeof *a->material);
    a->between_count = b->between_count;
    if (b->between_count)
        memcpy(a->between, b->between, (size_t)b->between_count * sizeof *a->between);
    return PL_OK;
}

pl_result materials_check(const contacts *t)
{
    pl_result result = PL_OK;
    for (int i = 0; result == PL_OK && i < t->materials; i++)
        result = check_material(&t->material[i]);
    for (int64_t i = 0; result == PL_OK && i < t->between_count; i++)
    {
        const material_pair *p = &t->between[i];
        result = check_material(&p->values);
        if (p->a < 0 || p->a > p->b || p->b >= t->materials ||
            (i && (p[-1].a > p->a || (p[-1].a == p->a && p[-1].b >= p->b))))
            result = PL_ERROR_FORMAT;
    }
    return result;
}

void materials_free(pl_world *w)
{
    contacts *t = &w->contacts;
    array_free(&w->memory, &t->material, &t->material_capacity, sizeof *t->material);
    array_free(&w->memory, &t->between, &t->between_capacity, sizeof *t->between);
}

// ---- phases --------------------------------------------------------------------------------------------------------

pl_phase pl_default_phase(void) { return (pl_phase){.self = true, .mask = 255}; }

static uint32_t pack_phase(const pl_phase *p)
{
    return (uint32_t)p->group | (p->self ? PHASE_SELF : 0u) | (p->filter ? PHASE_FILTER : 0u) |
           (p->fluid ? PHASE_FLUID : 0u) | (uint32_t)p->mask << PHASE_MASK_AT;
}

// Sets a particle's phase when it is added: a group for each object, so that objects collide with each other.
void phase_defaults(pl_world *w, int32_t slot, int32_t object)
{
    pl_phase p = pl_default_phase();
    p.group = object & PHASE_GROUP;
    w->state.slot[SLOT_COLLISION][4 * (size_t)slot + 1] = float_of(pack_phase(&p));
    put_corner(w->state.slot[SLOT_COLLISION], slot, false, p.material);
    float *rest = w->state.slot[SLOT_REST] + 4 * (size_t)slot;
    memcpy(rest, w->state.slot[SLOT_X] + 4 * (size_t)slot, 3 * sizeof(float));
    rest[3] = float_of((uint32_t)object);
}

static pl_result check_particle_range(const pl_world *w, const char *what, int first, int count)
{
    if (first < 0 || count < 0 || (int64_t)first + count > w->numbers.end)
        return fail(PL_ERROR_ARGUMENT, "%s: particles %d to %lld were asked for; there are %d", what, first,
                    (long long)first + count - 1, w->numbers.end);
    for (int i = first; i < first + count; i++)
        if (w->numbers.slot_of[i] < 0)
            return fail(PL_ERROR_ARGUMENT, "%s: particle %d has been removed; use one that exists", what, i);
    return PL_OK;
}

static pl_result check_phase(const pl_world *w, const pl_phase *p)
{
    if (p->group < 0 || p->group > PHASE_GROUP)
        return fail(PL_ERROR_ARGUMENT, "phase: group is %d; it must be from 0 to %d", p->group, PHASE_GROUP);
    if (p->mask < 0 || p->mask > 255)
        return fail(PL_ERROR_ARGUMENT, "phase: mask is %d; it must be from 0 to 255", p->mask);
    return check_number(w, p->material);
}

pl_result pl_set_phase(pl_world *w, int first, int count, const pl_phase *phase)
{
    NEED(w);
    NEED(phase);
    pl_result result = check_particle_range(w, "phase", first, count);
    if (result == PL_OK)
        result = check_phase(w, phase);
    if (result == PL_OK)
        result = pull(w, ARRAY_BIT(SLOT_COLLISION));
    if (result != PL_OK)
        return result;
    mark_changed(w, ARRAY_BIT(SLOT_COLLISION));
    for (int64_t i = 0; i < w->emitters.count; i++)
    {
        int32_t one = w->emitters.member[w->emitters.start[i]];
        if (one >= first && one < first + count)
            w->emitters.emitter[i].phase = pack_phase(phase);
    }
    for (int i = first; i < first + count; i++)
    {
        bool inactive = is_inactive(w->state.slot[SLOT_COLLISION], w->numbers.slot_of[i]);
        uint32_t bits = pack_phase(phase), parked = (bits & ((1u << PHASE_MASK_AT) - 1)) | PHASE_INACTIVE;
        w->state.slot[SLOT_COLLISION][4 * (size_t)w->numbers.slot_of[i] + 1] = float_of(inactive ? parked : bits);
        put_slot_material(w->state.slot[SLOT_COLLISION], w->numbers.slot_of[i], phase->material);
    }
    w->contacts.colliders_stale = w->contacts.stale = true;
    return PL_OK;
}

void set_filter(pl_world *w, int first, int count)
{
    for (int i = first; i < first + count; i++)
    {
        float *phase = w->state.slot[SLOT_COLLISION] + 4 * (size_t)w->numbers.slot_of[i] + 1;
        *phase = float_of(bits_of(*phase) | PHASE_FILTER);
    }
}

pl_result pl_get_phase(const pl_world *w, int particle, pl_phase *phase)
{
    NEED(w);
    NEED(phase);
    pl_result result = check_particle_range(w, "phase", particle, 1);
    if (result != PL_OK)
        return result;
    uint32_t p = phase_of(w->state.slot[SLOT_COLLISION], w->numbers.slot_of[particle]);
    *phase = (pl_phase){.group = (int)(p & PHASE_GROUP),
                        .self = p & PHASE_SELF,
                        .filter = p & PHASE_FILTER,
                        .fluid = p & PHASE_FLUID,
                        .material = material_of(w->state.slot[SLOT_COLLISION], w->numbers.slot_of[particle]),
                        .mask = (int)(p >> PHASE_MASK_AT)};
    return PL_OK;
}

pl_result pl_set_rest_positions(pl_world *w, int first, int count)
{
    NEED(w);
    pl_result result = check_particle_range(w, "rest", first, count);
    if (result == PL_OK)
        result = pull(w, ARRAY_BIT(SLOT_REST) | ARRAY_BIT(SLOT_X));
    mark_changed(w, result == PL_OK ? ARRAY_BIT(SLOT_REST) : 0);
    for (int i = first; result == PL_OK && i < first + count; i++)
    {
        size_t at = 4 * (size_t)w->numbers.slot_of[i];
        memcpy(w->state.slot[SLOT_REST] + at, w->state.slot[SLOT_X] + at, 3 * sizeof(float));
    }
    if (result == PL_OK)
        surfaces_changed(w); // their tree is built from these positions
    return result;
}
