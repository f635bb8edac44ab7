// emitters.c: keeps the emitters of a world: their lattices, their reserves, what can be changed and read.
#include "groups/emission.h"
#include "groups/group.h"

#include <math.h>

extern const group_kind emitters_kind;

// ---- the lattice of an opening -------------------------------------------------------------------------------------

void emitter_place(const emitter *e, int32_t row, int32_t column, double at[2], bool *inside)
{
    double u = (double)row - 0.5 * (double)(e->rows[0] - 1), v = (double)column - 0.5 * (double)(e->rows[1] - 1);
    double radius = (double)e->size[0] / (double)e->spacing;
    at[0] = u * (double)e->pitch[0], at[1] = v * (double)e->pitch[1];
    *inside = e->nozzle == PL_NOZZLE_RECTANGLE || u * u + v * v <= radius * radius * (1.0 + 1e-6);
}

static int32_t count_places(const emitter *e)
{
    int32_t places = 0;
    double at[2];
    bool inside;
    for (int32_t i = 0; i < e->rows[0]; i++)
        for (int32_t k = 0; k < e->rows[1]; k++)
        {
            emitter_place(e, i, k, at, &inside);
            places += inside;
        }
    return places;
}

// Of a disc, the lattice has a particle on the axis or four around it, whichever gives the better number of particles.
// Particles in a layer are moved apart, and layers together, so that the jet has the volume of its opening and each
// particle that of the lattice at rest.
void emitter_lattice(emitter *e)
{
    double a = (double)e->spacing, size[2] = {(double)e->size[0], (double)e->size[1]}, radius = size[0] / a;
    if (e->nozzle == PL_NOZZLE_RECTANGLE)
    {
        for (int c = 0; c < 2; c++)
        {
            e->rows[c] = (int32_t)floor(size[c] / a + 0.5);
            e->pitch[c] = (float)(size[c] / (double)e->rows[c]);
        }
        e->area = size[0] * size[1];
        e->places = e->rows[0] * e->rows[1];
    }
    else
    {
        int32_t odd = 2 * (int32_t)floor(radius) + 1, even = 2 * (int32_t)floor(radius + 0.5), places[2];
        double wanted = 3.14159265358979323846 * radius * radius;
        e->area = wanted * a * a;
        e->rows[0] = e->rows[1] = odd, places[0] = count_places(e);
        e->rows[0] = e->rows[1] = even, places[1] = count_places(e);
        bool centred = !places[1] || fabs((double)places[0] - wanted) <= fabs((double)places[1] - wanted);
        e->rows[0] = e->rows[1] = centred ? odd : even;
        e->places = places[centred ? 0 : 1];
        e->pitch[0] = e->pitch[1] = (float)sqrt(e->area / (double)e->places);
    }
    e->layer = (double)e->places * a * a * a / e->area;
    double speed = e->speed > 1.0f ? (double)e->speed : 1.0, layers = ceil((2.0 * a + speed / 30.0) / e->layer) + 2.0;
    e->held_layers = layers < 64.0 ? (int32_t)layers : 64; // of a faster jet, layers appear in front of the opening
}

// ---- adding --------------------------------------------------------------------------------------------------------

pl_result emitter_add(pl_world *w, const emitter *e, int32_t first, int32_t count, pl_id *id)
{
    emitters *all = &w->emitters;
    pl_result result = group_begin(w, &emitters_kind, 1, count);
    if (result != PL_OK)
        return result;
    all->emitter[all->count] = *e;
    for (int32_t i = 0; i < count; i++)
    {
        all->member[all->members + i] = first + i;
        all->held[all->members + i] = -1;
        all->queue[all->members + i] = 0;
        all->born[all->members + i] = w->time;
    }
    all->start[all->count++] = (int32_t)all->members;
    all->members += count;
    all->start[all->count] = (int32_t)all->members;
    return group_end(w, &emitters_kind, all->count - 1, id);
}

void emitter_fill(pl_world *w, int64_t index)
{
    emitters *all = &w->emitters;
    emitter *e = &all->emitter[index];
    int32_t first = all->start[index], count = all->start[index + 1] - first;
    e->phase = phase_of(w->state.slot[SLOT_COLLISION], slot_of(w, all->member[first]));
    e->free = count;
    for (int32_t i = 0; i < count; i++)
    {
        all->queue[first + i] = i;
        emission_take(w, all->member[first + i], e->position, e->spacing, i, count);
    }
}

emitter *emitter_of_object(const pl_world *w, const id_entry *object)
{
    for (int64_t i = 0; object && i < w->emitters.count; i++)
        if (w->emitters.member[w->emitters.start[i]] == object->first)
            return &w->emitters.emitter[i];
    return NULL;
}

// ---- reading and changing ------------------------------------------------------------------------------------------

static emitter *find_emitter(const pl_world *w, pl_id object, const char *what)
{
    const id_entry *t = id_find(w, object, ID_OBJECT, what);
    emitter *e = emitter_of_object(w, t);
    if (t && !e)
        (void)fail(PL_ERROR_ARGUMENT, "%s: the object has no emitter; pl_add_emitter gives it one", what);
    return e;
}

pl_result pl_set_emitter(pl_world *w, pl_id object, float speed, bool on)
{
    NEED(w);
    PLAIN_ROUNDING;
    emitter *e = find_emitter(w, object, "set emitter");
    if (!e)
        return PL_ERROR_ARGUMENT;
    if (!(speed >= 0.0f && speed <= 1e4f))
        return fail(PL_ERROR_ARGUMENT, "emitter: speed is %g m/s; it must be from 0 to 10000", (double)speed);
    if (speed != e->speed)
        emission_speed(w, e - w->emitters.emitter, speed);
    e->on = on;
    return PL_OK;
}

pl_result pl_get_emitter(const pl_world *w, pl_id object, pl_emitter_state *out)
{
    NEED(w);
    NEED(out);
    const emitter *e = find_emitter(w, object, "get emitter");
    if (!e)
        return PL_ERROR_ARGUMENT;
    const emitters *all = &w->emitters;
    int64_t index = e - all->emitter;
    double a = (double)e->spacing;
    *out = (pl_emitter_state){.on = e->on,
                              .speed = e->speed,
                              .area = e->area,
                              .particle_volume = a * a * a,
                              .capacity = all->start[index + 1] - all->start[index],
                              .reserve = e->free,
                              .emitted = e->emitted,
                              .drained = e->drained,
                              .aged = e->aged,
                              .missed = e->missed};
    for (int64_t layer = e->out; layer < e->next; layer++)
        for (int32_t i = 0; i < e->places; i++)
            out->held += all->held[all->start[index] + layer % e->held_layers * e->places + i] >= 0;
    return PL_OK;
}

pl_result pl_get_active(const pl_world *w, int first, int count, uint8_t *active)
{
    NEED(w);
    if (first < 0 || count < 0 || (int64_t)first + count > w->numbers.end)
        return fail(PL_ERROR_ARGUMENT, "active: particles %d to %lld were asked for; there are %d", first,
                    (long long)first + count - 1, w->numbers.end);
    if (!active && count)
        return fail(PL_ERROR_ARGUMENT, "active: the array is NULL; it must hold one byte for each particle");
    for (int i = 0; i < count; i++)
    {
        int32_t slot = slot_of(w, first + i);
        if (slot < 0)
            return fail(PL_ERROR_ARGUMENT, "active: particle %d has been removed; use one that exists", first + i);
        active[i] = !is_inactive(w->state.slot[SLOT_COLLISION], slot);
    }
    return PL_OK;
}

static void copy_parameters(pl_world *w, const pl_world *from)
{
    for (int64_t i = 0; i < w->emitters.count; i++)
    {
        emitter *to = &w->emitters.emitter[i];
        const emitter *other = &from->emitters.emitter[i];
        if (to->speed != other->speed)
            emission_speed(w, i, other->speed);
        to->on = other->on;
        to->start = other->start, to->stop = other->stop;
        to->lifetime = other->lifetime;
    }
}

// ---- checking a snapshot -------------------------------------------------------------------------------------------

static bool sane(const emitter *e, int32_t count)
{
    emitter made = *e;
    int64_t bad;
    if (!all_finite(e->position, 21, &bad) || !(e->spacing >= 1e-6f && e->spacing <= 1e6f))
        return false;
    if ((unsigned)e->nozzle > PL_NOZZLE_RECTANGLE || !(e->size[0] <= 3e4f * e->spacing) ||
        !(e->size[0] >= 0.49f * e->spacing) || !(e->size[1] >= 0.49f * e->spacing) ||
        !(e->size[1] <= 3e4f * e->spacing) || !(e->speed >= 0.0f && e->speed <= 1e4f) || !(e->weight >= 0.0f))
        return false;
    emitter_lattice(&made);
    if (made.rows[0] != e->rows[0] || made.rows[1] != e->rows[1] || made.places != e->places ||
        made.layer != e->layer || e->held_layers < 1 || (int64_t)e->held_layers * e->places > count)
        return false;
    return e->queue_at >= 0 && e->queue_at < count && e->free >= 0 && e->free <= count && e->out >= 0 &&
           e->next >= e->out && e->next - e->out <= e->held_layers && e->advance >= 0.0 && e->next < INT64_MAX / 2 &&
           e->advance <= ((double)e->next + 1.0) * e->layer && (unsigned)e->on <= 1 && (unsigned)e->open <= 1;
}

static pl_result emitters_check(pl_world *w)
{
    const emitters *all = &w->emitters;
    for (int64_t i = 0; i < all->count; i++)
    {
        int32_t first = all->start[i], count = all->start[i + 1] - first;
        if (!sane(&all->emitter[i], count))
            return PL_ERROR_FORMAT;
        for (int32_t k = first; k < first + count; k++)
            if (all->member[k] != all->member[first] + (k - first) || all->queue[k] < 0 || all->queue[k] >= count ||
                all->held[k] < -1 || all->held[k] >= count || !CHECK_FINITE(all->born[k]))
                return PL_ERROR_FORMAT;
    }
    return PL_OK;
}

// ---- the description of the kind -----------------------------------------------------------------------------------

enum // the role of each column in model/columns.def
{
    ROLE_start = ROLE_STRUCTURE,
    ROLE_emitter = ROLE_STATE,
    ROLE_member = ROLE_STRUCTURE,
    ROLE_queue = ROLE_STATE,
    ROLE_held = ROLE_STATE,
    ROLE_born = ROLE_STATE,
};

static const uint8_t roles[] = {
#define MODEL_EMITTERS(type, name, ...) ROLE_##name,
#include "model/columns.def"
};

const group_kind emitters_kind = {
    .words = "emitters",
    .member_words = "particles of emitters",
    .id_entry = ID_EMITTER,
    GROUP_COLUMNS(EMITTERS),
    .count = offsetof(pl_world, emitters.count),
    .members = offsetof(pl_world, emitters.members),
    .most = INT32_MAX / 8,
    .roles = roles,
    .member_column = MODEL_EMITTERS_member,
    .single = true,
    .melting = MELT_NEVER,
    .check = emitters_check,
    .copy_parameters = copy_parameters,
};
