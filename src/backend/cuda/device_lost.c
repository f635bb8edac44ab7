// device_lost.c: handles a failure of the device. Frames are copied to the host all the time (checkpoint.cu). After a
// failure the world continues from the newest copy that has arrived, as if it had been on the CPU all along. The part
// of the state that a frame changes on the host is recorded here as a `host_record`.
#include "backend/cuda/host_side.h"
#include "groups/group.h"
#include "model/columns.h"
#include "model/rigid_rest.h"
#include "neighbours/contact/events.h"
#include "step/prepare.h"

#if defined(PL_CUDA)

#include <string.h>

// ---- host records -------------------------------------------------------------------------------------------------

// The record made for a copy, or NULL.
static host_record *record_of(cuda_side *c, int64_t number)
{
    for (int i = 0; number && i < HOST_RECORDS; i++)
        if (c->records[i].number == number)
            return &c->records[i];
    return NULL;
}

static pl_result note_array(pl_world *w, void *data, int64_t *capacity, int64_t *noted, const void *from, int64_t count,
                            size_t item)
{
    pl_result result = array_reserve(&w->memory, data, capacity, count, item);
    void *to;
    memcpy(&to, data, sizeof to);
    *noted = result == PL_OK ? count : 0;
    if (result == PL_OK && count)
        memcpy(to, from, (size_t)count * item);
    return result;
}

// Kept multipliers are only recorded where there is no list. From a list they are made when they are needed.
#define NOTE_KEPT(w, to, from, listed)                                                                                 \
    (note_array(w, &(to).items, &(to).capacity, &(to).count, (from).items, (listed) ? 0 : (from).count,                \
                sizeof *(to).items) == PL_OK)

static void bring_array(void *to, int64_t *held, int64_t capacity, const void *from, int64_t count, size_t item)
{
    *held = count <= capacity ? count : 0; // arrays never shrink
    if (*held)
        memcpy(to, from, (size_t)*held * item);
}

#define BRING_KEPT(to, from)                                                                                           \
    bring_array((to).items, &(to).count, (to).capacity, (from).items, (from).count, sizeof *(to).items)

static bool take_arrays(pl_world *w, host_record *m)
{
    const rows *pins = &w->rows[PL_KIND_PIN];
    const events *e = &w->events;
    m->counts = e->counts;
    return NOTE_KEPT(w, m->kept, w->contacts.kept, w->contacts.listed) &&
           NOTE_KEPT(w, m->kept_shape_contacts, w->contacts.kept_shape_contacts, w->contacts.listed) &&
           NOTE_KEPT(w, m->surface_kept, w->surfaces.kept, w->surfaces.listed) &&
           note_array(w, &m->shapes, &m->shape_capacity, &m->shape_count, w->contacts.shapes, w->contacts.shape_count,
                      sizeof *m->shapes) == PL_OK &&
           note_array(w, &m->pins, &m->pin_capacity, &m->pin_count, pins->param, w->pins_travel ? 6 * pins->count : 0,
                      sizeof *m->pins) == PL_OK &&
           note_array(w, &m->held, &m->held_capacity, &m->held_count, e->held.items, e->on ? e->held.count : 0,
                      sizeof *m->held) == PL_OK &&
           note_array(w, &m->heat_of_particle, &m->heat_capacity, &m->heat_count, w->heat.of_particle, w->heat.count,
                      sizeof *m->heat_of_particle) == PL_OK &&
           note_array(w, &m->rest, &m->rest_capacity, &m->rest_count, w->rigids.rest,
                      w->settings.sleep ? w->rigids.count : 0, sizeof *m->rest) == PL_OK &&
           note_array(w, &m->resting, &m->resting_capacity, &m->resting_count, w->rigid_contacts.resting,
                      w->rigid_contacts.resting_count, sizeof *m->resting) == PL_OK;
}

static void take(pl_world *w, host_record *m)
{
    const contacts *t = &w->contacts;
    const surfaces *k = &w->surfaces;
    m->frame = w->frame, m->time = w->time;
    m->flow = w->flow;
    m->last_dt = w->last_dt, m->force_scale = w->force_scale;
    m->lists = w->cuda->lists, m->surfaces = w->cuda->surfaces;
    m->listed = t->listed, m->stale = t->stale, m->resume = t->resume;
    m->sparse = t->sparse, m->margin = t->margin, m->shape_contact_margin = t->shape_contact_margin;
    m->surface_listed = k->listed, m->surface_resume = k->resume;
    m->surface_margin = k->margin, m->horizon = k->horizon;
    m->crossings = k->crossings;
    m->taken = take_arrays(w, m);
    if (m->taken)
        w->cuda->noted = m->number;
}

// Shapes that were added or removed since then are the user's edits, and stay.
static void bring_shapes(pl_world *w, const host_record *m)
{
    for (int64_t i = 0; m->shape_count == w->contacts.shape_count && i < m->shape_count; i++)
    {
        shape *to = &w->contacts.shapes[i];
        const shape *from = &m->shapes[i];
        memcpy(to->at, from->at, sizeof to->at);
        memcpy(to->rotation, from->rotation, sizeof to->rotation);
        memcpy(to->pivot, from->pivot, sizeof to->pivot);
        memcpy(to->goal_at, from->goal_at, sizeof to->goal_at);
        memcpy(to->goal_rotation, from->goal_rotation, sizeof to->goal_rotation);
        to->travels = from->travels;
    }
}

static void bring_arrays(pl_world *w, const host_record *m)
{
    rows *pins = &w->rows[PL_KIND_PIN];
    bring_shapes(w, m);
    if (m->pin_count && m->pin_count == 6 * pins->count)
    {
        memcpy(pins->param, m->pins, (size_t)m->pin_count * sizeof *m->pins);
        w->rows_stale[PL_KIND_PIN] = w->pins_travel = true;
    }
    events_drop(w);
    w->events.counts = m->counts;
    if (w->events.on && m->held_count <= w->events.held.capacity)
    {
        w->events.held.count = m->held_count;
        if (m->held_count)
            memcpy(w->events.held.items, m->held, (size_t)m->held_count * sizeof *m->held);
    }
    if (m->heat_count && m->heat_count == w->heat.count)
        memcpy(w->heat.of_particle, m->heat_of_particle, (size_t)m->heat_count * sizeof *m->heat_of_particle);
}

// Restores which bodies sleep: with the inverse masses of the copy, unless the host has changed them since.
static void bring_rest(pl_world *w, const host_record *m)
{
    rigid_contacts *c = &w->rigid_contacts;
    if (!m->rest_count || m->rest_count != w->rigids.count)
        return;
    memcpy(w->rigids.rest, m->rest, (size_t)m->rest_count * sizeof *m->rest);
    bring_array(c->resting, &c->resting_count, c->resting_capacity, m->resting, m->resting_count, sizeof *c->resting);
    (void)rigid_rest_list(w); // it has the memory
    c->stale = true;
}

// Restores the host's part of the state.
static void bring_back(pl_world *w, const host_record *m)
{
    contacts *t = &w->contacts;
    surfaces *k = &w->surfaces;
    w->frame = m->frame, w->time = m->time;
    w->flow = m->flow;
    w->last_dt = m->last_dt, w->force_scale = m->force_scale;
    w->cuda->lists = m->lists, w->cuda->surfaces = m->surfaces;
    t->listed = m->listed, t->stale = m->stale, t->resume = m->resume;
    t->sparse = m->sparse, t->margin = m->margin, t->shape_contact_margin = m->shape_contact_margin;
    BRING_KEPT(t->kept, m->kept);
    BRING_KEPT(t->kept_shape_contacts, m->kept_shape_contacts);
    k->listed = m->surface_listed, k->resume = m->surface_resume;
    k->margin = m->surface_margin, k->horizon = m->horizon;
    k->crossings = m->crossings;
    BRING_KEPT(k->kept, m->surface_kept);
    bring_arrays(w, m);
}

void cuda_records_free(pl_world *w)
{
    for (int i = 0; i < HOST_RECORDS; i++)
    {
        host_record *m = &w->cuda->records[i];
        array_free(&w->memory, &m->kept.items, &m->kept.capacity, sizeof *m->kept.items);
        array_free(&w->memory, &m->kept_shape_contacts.items, &m->kept_shape_contacts.capacity,
                   sizeof *m->kept_shape_contacts.items);
        array_free(&w->memory, &m->surface_kept.items, &m->surface_kept.capacity, sizeof *m->surface_kept.items);
        array_free(&w->memory, &m->shapes, &m->shape_capacity, sizeof *m->shapes);
        array_free(&w->memory, &m->pins, &m->pin_capacity, sizeof *m->pins);
        array_free(&w->memory, &m->held, &m->held_capacity, sizeof *m->held);
        array_free(&w->memory, &m->heat_of_particle, &m->heat_capacity, sizeof *m->heat_of_particle);
        array_free(&w->memory, &m->rest, &m->rest_capacity, sizeof *m->rest);
        array_free(&w->memory, &m->resting, &m->resting_capacity, sizeof *m->resting);
    }
}

// ---- copies --------------------------------------------------------------------------------------------------------

void cuda_record_host(pl_world *w)
{
    cuda_side *c = w->cuda;
    host_record *m = record_of(c, c->copies);
    c->begun = w->frame;
    c->copy[c->copies % COPIES_NOTED].time = w->time;
    if (m && !m->taken && !c->lost)
        take(w, m);
}

// Starts a copy. first: of the state before a frame; else of the state after it.
static pl_result set_out(pl_world *w, bool first)
{
    cuda_side *c = w->cuda;
    device_error why = {0};
    device_keeping what = {.number = ++c->copies,
                           .lists = has_contacts(w) && w->contacts.listed ? &c->lists : NULL,
                           .surfaces_now = has_surface(w) && w->surfaces.listed ? &c->surfaces : NULL,
                           .contacts = has_contacts(w),
                           .has_surfaces = has_surface(w),
                           .must = first};
    c->copy[what.number % COPIES_NOTED].frame = w->frame + !first;
    if (!c->api->keep(c->device, &w->state, &what, &why))
        return why.memory ? PL_OK : cuda_report(w, &why); // a missing copy is not an error: the frame was good
    if (what.whole)
    {
        host_record *m = &c->records[c->next_record];
        c->next_record = (c->next_record + 1) % HOST_RECORDS;
        m->number = what.number;
        m->taken = false;
        if (first)
            take(w, m);
    }
    return PL_OK;
}

pl_result cuda_keep_copy(pl_world *w)
{
    cuda_side *c = w->cuda;
    pl_result result = set_out(w, false);
    c->fresh = result == PL_OK ? c->copies : 0;
    return result;
}

// Makes the first copy of this structure. Until it has arrived, the host's own arrays hold the same state.
pl_result cuda_keep_first(pl_world *w)
{
    cuda_side *c = w->cuda;
    if (c->has_copy)
        return PL_OK;
    c->has_copy = true;
    bool here = w->device_newer == 0;
    pl_result result = set_out(w, true);
    c->copy[c->copies % COPIES_NOTED].time = w->time;
    c->host_copy_number = result == PL_OK && here && record_of(c, c->copies) ? c->copies : 0;
    return result;
}

// ---- failures ------------------------------------------------------------------------------------------------------

static pl_result say_lost(const pl_world *w, const char *what)
{
    return fail(PL_ERROR_DEVICE, "%s; %s after frame %lld: pl_world_set_backend continues from there on the CPU", what,
                w->cuda->bare ? "positions and velocities are those" : "the world is as it was", (long long)w->frame);
}

// Reads everything from a copy. Edits that were not sent to the device yet are in the host's arrays, and are kept.
static bool read_copy(pl_world *w, int64_t number)
{
    const cuda_side *c = w->cuda;
    const host_record *m = record_of(w->cuda, number);
    uint32_t mine = w->host_changed;
    for (int64_t i = 0; i < w->patch_count; i++)
    {
        const patch *p = &w->patches[i];
        const char *from = (p->array < 0 ? w->packing : (const char *)w->state.slot[p->array]) + p->at;
        c->api->amend(c->device, p->array, (size_t)p->at, from, (size_t)p->bytes);
    }
    w->patch_count = 0;
    if (m && m->taken)
        bring_back(w, m);
    if (m && m->taken && !(mine & ARRAY_BIT(SLOT_D)))
        bring_rest(w, m);
    w->cuda->fresh = w->cuda->host_copy_number = 0;
    w->device_newer = ALL_ARRAYS & ~mine;
    bool read = pull(w, ALL_ARRAYS) == PL_OK;
    w->host_changed = 0;
    return read;
}

// The newest copy that the world may continue from: during a step, only those from before it.
static int64_t newest_of_use(const pl_world *w) { return w->stepping ? w->cuda->noted : INT64_MAX; }

// Restores the newest complete state that the host can get. False: there is none.
static bool restore_checkpoint(pl_world *w)
{
    cuda_side *c = w->cuda;
    const host_record *m = record_of(c, c->noted);
    // The host's arrays are current; only what the host has begun for the frame is undone.
    if (w->device_newer == 0)
    {
        if (w->stepping && m && m->taken && m->frame == c->begun && w->frame == c->begun)
            bring_back(w, m);
        return true;
    }
    int64_t number = c->api->copies_on_host(c->device, newest_of_use(w), false);
    if (number)
        return read_copy(w, number);
    m = record_of(c, c->host_copy_number);
    if (!m || !m->taken)
        return false;
    bring_back(w, m);
    w->device_newer = 0;
    return true;
}

// Restores a copy of positions and velocities only: everything else restarts, as after an edit.
static void restore_positions(pl_world *w)
{
    cuda_side *c = w->cuda;
    state *s = &w->state;
    size_t bytes = 16 * (size_t)s->slots;
    int64_t number = 0;
    float *kept = w->device_newer & ARRAY_BIT(SLOT_X) ? c->api->kept(c->device, 0, &number) : NULL;
    if (kept)
    {
        for (int64_t i = 0; i < w->patch_count; i++) // edits that were not sent to the device yet
        {
            const patch *p = &w->patches[i];
            if (p->array == SLOT_X || p->array == SLOT_V)
                memcpy((char *)kept + (p->array == SLOT_V ? bytes : 0) + p->at, (char *)s->slot[p->array] + p->at,
                       (size_t)p->bytes);
        }
        memcpy(s->slot[SLOT_X], kept, bytes);
        memcpy(s->slot[SLOT_V], kept + 4 * (size_t)s->slots, bytes);
    }
    if (w->device_newer & ARRAY_BIT(SLOT_X))
    {
        int64_t frame = kept ? c->copy[number % COPIES_NOTED].frame : c->host_frame;
        if (frame != w->frame)
            w->time = kept ? c->copy[number % COPIES_NOTED].time : c->host_time;
        w->frame = frame;
    }
    w->device_newer = 0;
    memcpy(s->slot[SLOT_SAFE_X], s->slot[SLOT_X], bytes);
    memcpy(s->slot[SLOT_SAFE_V], s->slot[SLOT_V], bytes);
    step_back(w);
    rigid_wake_all(w);
    c->bare = true;
}

// The device is lost: the world continues from what the host has.
static void fall_back_to_host(pl_world *w)
{
    w->cuda->lost = true; // no more calls to the device, whatever is read
    if (!restore_checkpoint(w))
        restore_positions(w);
    w->host_changed = 0;
    w->patch_count = 0;
}

pl_result cuda_report(pl_world *w, const device_error *why)
{
    cuda_side *c = w->cuda;
    c->collider_version = c->shape_version = c->surface_version = -1; // what was sent may be incomplete
    if (why->memory)
        return fail(PL_ERROR_MEMORY, "%s; nothing is lost, and pl_world_set_backend can continue on the CPU",
                    why->text);
    if (!c->lost)
        fall_back_to_host(w);
    return say_lost(w, why->text);
}

pl_result cuda_not_lost(const pl_world *w) { return w->cuda->lost ? say_lost(w, "CUDA: the device was lost") : PL_OK; }

// The device changes poses and damage during a frame; the copy of the frame's start has them as they were.
void cuda_start_poses(pl_world *w)
{
    cuda_side *c = w->cuda;
    device_error why = {0};
    const host_record *m = record_of(c, c->noted);
    const uint32_t away = w->device_newer;
    if (m && m->taken && m->frame == c->begun && c->api->copies_on_host(c->device, c->noted, true) == c->noted &&
        c->api->read_packed(c->device, &w->state, LIFE_POSE, &why))
    {
        w->device_newer = 0; // the packed block on the host is now that of the frame's start
        groups_unpack(w);
        damage_unpack(w);
        w->device_newer = away;
    }
    c->api->drop_copies(c->device);
}

bool cuda_frame_undone(pl_world *w)
{
    cuda_side *c = w->cuda;
    const host_record *m = record_of(c, c->noted);
    bool undone = m && m->taken && m->frame == c->begun &&
                  c->api->copies_on_host(c->device, c->noted, true) == c->noted && read_copy(w, c->noted);
    c->api->drop_copies(c->device);
    return undone && unpack_world(w) == PL_OK; // the device's state is invalid: everything will be sent again
}

#endif
