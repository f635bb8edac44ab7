// emission.c: emits the particles of a jet, and takes back those that are drained or too old.
//
// After a frame of length dt a jet of speed u has advanced by u dt. Its layer k is at s = advance - k L from the opening,
// with the distance L of layers for which the volume of N particles is that of the jet: N a^3 = A L. Layers are made at
// s >= -back, back = 2 a + u dt, and move as fixed particles with the velocity u until they pass the opening: they press
// fluid in front of it away, whatever its pressure, and those that leave have all neighbours that the kernel sees. A
// particle that left the opening t = s/u ago, within the frame, has fallen freely since: x = s n + g t^2/2, v = u n + g t.
// All of it is computed on the host, from the defs and the time alone, so that every backend gets the same bits.
#include "groups/emission.h"

#include <math.h>
#include <string.h>

#define EMITTED_BEHIND 2.0 // spacings behind the opening: the support of the kernel

// ---- slots ---------------------------------------------------------------------------------------------------------

enum // the columns of a particle that leaves the opening
{
    RELEASED = ARRAY_BIT(SLOT_X) | ARRAY_BIT(SLOT_D) | ARRAY_BIT(SLOT_V) | ARRAY_BIT(SLOT_V1)
};

static float *at_slot(pl_world *w, int array, int32_t slot) { return w->state.slot[array] + 4 * (size_t)slot; }

static void put_motion(pl_world *w, int32_t slot, const double x[3], const double v[3], float weight)
{
    for (int c = 0; c < 3; c++)
    {
        at_slot(w, SLOT_X, slot)[c] = (float)x[c];
        at_slot(w, SLOT_V, slot)[c] = at_slot(w, SLOT_V1, slot)[c] = (float)v[c];
        at_slot(w, SLOT_D, slot)[c] = (float)v[c] * w->state.h; // the displacement that BDF2 reads
    }
    at_slot(w, SLOT_X, slot)[3] = at_slot(w, SLOT_V, slot)[3] = at_slot(w, SLOT_V1, slot)[3] = 0.0f;
    at_slot(w, SLOT_D, slot)[3] = weight;
}

// Writes all of a slot that a frame may change. What a fluid has from the start stays: radius and material, object,
// spacing and properties.
static void put_slot(pl_world *w, int32_t slot, const double x[3], const double v[3], float weight, uint32_t phase)
{
    static const uint8_t cleared[] = {SLOT_D1,    SLOT_KEPT,    SLOT_FORCE,     SLOT_AIR,    SLOT_SAFE_X,  SLOT_SAFE_V,
                                      SLOT_BUILD, SLOT_SURFACE, SLOT_SURFACE_V, SLOT_NORMAL, SLOT_PRESSURE};
    for (size_t i = 0; i < sizeof cleared; i++)
        memset(at_slot(w, cleared[i], slot), 0, 4 * sizeof(float));
    float *gas = at_slot(w, SLOT_GAS, slot);
    int32_t rule = (int32_t)gas[GAS_KIND] - 1;
    gas[GAS_START] = gas[GAS_FRAME] = gas[GAS_NOW] = rule < 0 || rule >= w->gases ? 0.0f : w->gas[rule].temperature;
    float *dye = at_slot(w, SLOT_DYE, slot);
    dye[0] = dye[1] = at_slot(w, SLOT_FLOW, slot)[3];
    put_motion(w, slot, x, v, weight);
    memcpy(at_slot(w, SLOT_BUILD, slot), at_slot(w, SLOT_X, slot), 3 * sizeof(float));
    at_slot(w, SLOT_COLLISION, slot)[1] = float_of(phase);
    patch_slot(w, slot);
}

void emission_take(pl_world *w, int32_t number, const float *park, float spacing, int32_t place, int32_t of)
{
    int32_t slot = w->numbers.slot_of[number], side = 1;
    const double rest[3] = {0.0, 0.0, 0.0};
    while ((int64_t)side * side * side < of)
        side++;
    const int32_t cell[3] = {place % side, place / side % side, place / side / side};
    double x[3];
    for (int c = 0; c < 3; c++)
        x[c] = (double)park[c] + ((double)cell[c] - 0.5 * (double)side) * (double)spacing;
    uint32_t phase = phase_of(w->state.slot[SLOT_COLLISION], slot);
    put_slot(w, slot, x, rest, 0.0f, (phase & ((1u << PHASE_MASK_AT) - 1)) | PHASE_INACTIVE);
}

// ---- the reserve ---------------------------------------------------------------------------------------------------

typedef struct reserve
{
    pl_world *w;
    emitter *e;
    int32_t *queue, *held;
    const int32_t *number; // of each member
    double *born;
    int32_t count;
} reserve;

static reserve reserve_of(pl_world *w, int64_t index)
{
    emitters *all = &w->emitters;
    int32_t first = all->start[index];
    return (reserve){w,
                     &all->emitter[index],
                     all->queue + first,
                     all->held + first,
                     all->member + first,
                     all->born + first,
                     all->start[index + 1] - first};
}

static void give_back(const reserve *r, int32_t member)
{
    emitter *e = r->e;
    emission_take(r->w, r->number[member], e->position, e->spacing, member, r->count);
    int32_t at = e->queue_at + e->free++;
    r->queue[at < r->count ? at : at - r->count] = member;
}

static int32_t take_out(const reserve *r)
{
    emitter *e = r->e;
    int32_t member = r->queue[e->queue_at];
    e->queue_at = e->queue_at + 1 < r->count ? e->queue_at + 1 : 0;
    e->free--;
    return member;
}

static int32_t *held_layer(const reserve *r, int64_t layer)
{
    return r->held + (layer % r->e->held_layers) * r->e->places;
}

// ---- the jet -------------------------------------------------------------------------------------------------------

typedef struct jet_point
{
    double x[3], v[3];
} jet_point;

// A pseudo-random number from -1 to 1, the same on every machine.
static double chance(int64_t layer, int32_t place, int use)
{
    uint32_t x = ((uint32_t)layer * 0x9e3779b1u + (uint32_t)place) * 3u + (uint32_t)use + 1u;
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    x = x ^ x >> 16;
    return (double)(x >> 8) * (2.0 / 16777216.0) - 1.0;
}

// Where a particle of the jet is: s beyond the opening, and `across` from its axis.
static jet_point jet_at(const reserve *r, double s, const double across[2], int64_t layer, int32_t place)
{
    const emitter *e = r->e;
    const pl_vec3 gravity = r->w->settings.gravity;
    const double g[3] = {(double)gravity.x, (double)gravity.y, (double)gravity.z}, u = (double)e->speed;
    double t = s > 0.0 ? s / u : 0.0;
    const double off = 0.5 * (double)e->jitter * (double)e->spacing, way = s + off * chance(layer, place, 2),
                 side[2] = {across[0] + off * chance(layer, place, 0), across[1] + off * chance(layer, place, 1)};
    jet_point p;
    for (int c = 0; c < 3; c++)
    {
        double n = (double)e->axis[2][c];
        p.x[c] = (double)e->position[c] + side[0] * (double)e->axis[0][c] + side[1] * (double)e->axis[1][c] + way * n +
                 0.5 * t * t * g[c];
        p.v[c] = u * n + t * g[c];
    }
    return p;
}

// A layer that has passed the opening.
static void release_layer(const reserve *r, int64_t layer)
{
    emitter *e = r->e;
    const int32_t *held = held_layer(r, layer);
    double s = e->advance - (double)layer * e->layer, across[2];
    bool inside;
    int32_t place = 0;
    for (int32_t i = 0; i < e->rows[0]; i++)
        for (int32_t k = 0; k < e->rows[1]; k++)
        {
            emitter_place(e, i, k, across, &inside);
            int32_t member = inside ? held[place++] : -1;
            if (member < 0)
                continue;
            int32_t slot = r->w->numbers.slot_of[r->number[member]];
            jet_point p = jet_at(r, s, across, layer, place - 1);
            put_motion(r->w, slot, p.x, p.v, e->weight);
            patch_slot_arrays(r->w, slot, RELEASED);
            r->born[member] = r->w->time - s / (double)e->speed;
            e->emitted++;
        }
}

// A new layer. One for which the reserve does not suffice is left out.
static void make_layer(const reserve *r, int64_t layer)
{
    emitter *e = r->e;
    int32_t *held = held_layer(r, layer), place = 0;
    double s = e->advance - (double)layer * e->layer, across[2];
    bool enough = e->free >= e->places, inside;
    e->missed += enough ? 0 : e->places;
    for (int32_t i = 0; i < e->rows[0]; i++)
        for (int32_t k = 0; k < e->rows[1]; k++)
        {
            emitter_place(e, i, k, across, &inside);
            if (!inside)
                continue;
            int32_t member = enough ? take_out(r) : -1;
            held[place++] = member;
            if (!enough)
                continue;
            jet_point p = jet_at(r, s < 0.0 ? s : 0.0, across, layer, place - 1);
            put_slot(r->w, r->w->numbers.slot_of[r->number[member]], p.x, p.v, 0.0f, e->phase);
            r->born[member] = r->w->time;
        }
}

// The particles that are still behind the opening return to the reserve.
static void close_nozzle(const reserve *r)
{
    emitter *e = r->e;
    for (int64_t layer = e->out; layer < e->next; layer++)
        for (int32_t i = 0; i < e->places; i++)
            if (held_layer(r, layer)[i] >= 0)
                give_back(r, held_layer(r, layer)[i]);
    e->advance = 0.0;
    e->next = e->out = 0;
    e->open = 0;
}

static bool runs(const pl_world *w, const emitter *e)
{
    return e->on && e->speed > 0.0f && w->time >= e->start && w->time < e->stop;
}

static bool emit(const reserve *r, float dt)
{
    emitter *e = r->e;
    if (!runs(r->w, e))
    {
        bool was = e->open;
        if (was)
            close_nozzle(r);
        return was;
    }
    double way = (double)e->speed * (double)dt, back = EMITTED_BEHIND * (double)e->spacing + way;
    if (e->open)
        e->advance += way;
    else // in the frame in which it opens, the nozzle is filled, but for its first layer: fluid may be at the opening
        e->out = e->next = 1;
    e->open = 1;
    int64_t before = e->next;
    bool changed = false;
    for (; e->out < e->next && (double)e->out * e->layer <= e->advance; e->out++, changed = true)
        release_layer(r, e->out);
    while (e->next - e->out < e->held_layers && (double)e->next * e->layer <= e->advance + back)
    {
        make_layer(r, e->next++);
        // Frames became longer or the jet faster: layers leave the opening in the frame in which they are made.
        for (; e->out < e->next && (double)e->out * e->layer <= e->advance; e->out++)
            release_layer(r, e->out);
    }
    return changed || e->next != before;
}

void emission_speed(pl_world *w, int64_t index, float speed)
{
    reserve r = reserve_of(w, index);
    r.e->speed = speed;
    for (int64_t layer = r.e->out; layer < r.e->next; layer++)
        for (int32_t i = 0; i < r.e->places; i++)
        {
            int32_t member = held_layer(&r, layer)[i];
            if (member < 0)
                continue;
            int32_t slot = w->numbers.slot_of[r.number[member]];
            for (int c = 0; c < 3; c++)
                at_slot(w, SLOT_V, slot)[c] = (float)((double)speed * (double)r.e->axis[2][c]);
            patch_slot_arrays(w, slot, ARRAY_BIT(SLOT_V));
        }
}

// ---- drains and lifetimes ------------------------------------------------------------------------------------------

static bool drain_has(const drain *d, const float *x)
{
    const float p[3] = {x[0] - d->position[0], x[1] - d->position[1], x[2] - d->position[2]};
    if (d->form == PL_DRAIN_SPHERE)
        return p[0] * p[0] + p[1] * p[1] + p[2] * p[2] <= d->size[0] * d->size[0];
    if (d->form == PL_DRAIN_PLANE)
        return p[0] * d->normal[0] + p[1] * d->normal[1] + p[2] * d->normal[2] < 0.0f;
    for (int c = 0; c < 3; c++)
        if (!(p[c] >= -0.5f * d->size[c] && p[c] <= 0.5f * d->size[c]))
            return false;
    return true;
}

// The drain that takes the particle in a slot; NULL: none.
static drain *find_drain(pl_world *w, int32_t slot, double volume)
{
    for (int64_t i = 0; i < w->drains.count; i++)
    {
        drain *d = &w->drains.drain[i];
        if (!d->on || (d->rate > 0.0f && d->allowed < volume) || !drain_has(d, at_slot(w, SLOT_X, slot)))
            continue;
        d->allowed -= d->rate > 0.0f ? volume : 0.0;
        d->taken++;
        d->volume += volume;
        return d;
    }
    return NULL;
}

static int64_t emitter_with(const pl_world *w, int32_t number)
{
    const emitters *all = &w->emitters;
    for (int64_t i = 0; i < all->count; i++)
    {
        int32_t at = number - all->member[all->start[i]];
        if (at >= 0 && at < all->start[i + 1] - all->start[i])
            return i;
    }
    return -1;
}

static bool drain_frame(pl_world *w, float dt)
{
    bool changed = false;
    for (int64_t i = 0; i < w->drains.count; i++)
    {
        drain *d = &w->drains.drain[i];
        double a = (double)w->state.fluid.spacing, frame = (double)d->rate * (double)dt, most = 2.0 * frame + a * a * a;
        d->allowed = d->allowed + frame < most ? d->allowed + frame : most;
    }
    for (int32_t number = 0; number < w->numbers.end && w->drains.count; number++)
    {
        int32_t slot = w->numbers.slot_of[number];
        float a = slot >= 0 ? at_slot(w, SLOT_FLUID, slot)[0] : 0.0f;
        if (!(a > 0.0f) || is_inactive(w->state.slot[SLOT_COLLISION], slot) || !(inverse_mass(w, slot) > 0.0f))
            continue;
        const drain *d = find_drain(w, slot, (double)a * (double)a * (double)a);
        int64_t index = d ? emitter_with(w, number) : -1;
        if (index >= 0)
        {
            reserve r = reserve_of(w, index);
            r.e->drained++;
            give_back(&r, number - r.number[0]);
        }
        else if (d)
        {
            const id_entry *object = &w->entries[object_at(w, number)];
            emission_take(w, number, d->position, a, number - object->first, object->count);
        }
        changed |= d != NULL;
    }
    return changed;
}

// Held particles have the time of the present as that of their birth, as long as they are held.
static bool age_frame(const reserve *r)
{
    emitter *e = r->e;
    int64_t before = e->aged;
    const float *collision = r->w->state.slot[SLOT_COLLISION];
    for (int32_t i = 0; e->lifetime > 0.0f && i < r->count; i++)
    {
        int32_t slot = r->w->numbers.slot_of[r->number[i]];
        if (is_inactive(collision, slot) || !(inverse_mass(r->w, slot) > 0.0f) ||
            r->w->time - r->born[i] < (double)e->lifetime)
            continue;
        give_back(r, i);
        e->aged++;
    }
    return e->aged != before;
}

// ---- a frame -------------------------------------------------------------------------------------------------------

pl_result emission_frame(pl_world *w, float dt)
{
    if (!w->emitters.count && !w->drains.count)
        return PL_OK;
    // With drains a device sends back all positions; without them it sends nothing, and gets what changes.
    pl_result result = w->drains.count ? pull(w, ARRAY_BIT(SLOT_X)) : PL_OK;
    if (result != PL_OK)
        return result;
    bool changed = drain_frame(w, dt);
    for (int64_t i = 0; i < w->emitters.count; i++)
    {
        reserve r = reserve_of(w, i);
        changed |= age_frame(&r);
        changed |= emit(&r, dt);
    }
    if (changed)
    {
        w->contacts.stale = w->body_particles.stale = true;
        world_changed(w, true);
    }
    return PL_OK;
}
