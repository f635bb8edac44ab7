// body_particles_pack.c: packs the contacts between rigid bodies and particles for the stages, keeps their multipliers
// from list to list, saves them, and plans their stages.
#include "groups/body_particles.h"
#include "core/arena.h"
#include "core/stream.h"
#include "groups/rigid_contacts.h"
#include "model/columns.h"
#include "plan/planner.h"

#include <stdlib.h>
#include <string.h>

// ---- packing -------------------------------------------------------------------------------------------------------

void body_particles_size(pl_world *w)
{
    body_particles *b = &w->body_particles;
    b->row_room = !may_touch_bodies(w) ? 0 : b->row_room > 256 ? b->row_room : 256;
}

void body_particles_lay_out(pl_world *w, arena *a)
{
    packed_body_particles *p = &w->state.body_particles;
    p->row_room = (int32_t)w->body_particles.row_room;
    p->noted = p->row_room && rigid_watched(w);
    p->body_room = p->row_room ? (int32_t)w->rigids.count : 0;
    p->chunk_room = p->row_room ? p->row_room / BODY_CHUNK + p->body_room + 1 : 0;
    packed_lay_out(&w->state, OWNER_BODY_PARTICLES, a);
}

void body_particles_fill(pl_world *w)
{
    packed_body_particles *p = &w->state.body_particles;
    w->body_particles.listed = false;
    if (p->row_room)
        memset(p->range, 0, BODY_RANGES * sizeof *p->range);
    for (int32_t slot = 0; p->row_room && slot < w->state.slots; slot++)
        p->of_slot[slot] = -1;
}

// ---- multipliers by name -------------------------------------------------------------------------------------------

static int compare_kept(const void *a, const void *b)
{
    const body_kept *x = a, *y = b;
    if (x->collider != y->collider)
        return x->collider < y->collider ? -1 : 1;
    for (int c = 0; c < BODY_CORNERS; c++)
        if (x->particle[c] != y->particle[c])
            return x->particle[c] < y->particle[c] ? -1 : 1;
    return x->part < y->part ? -1 : x->part > y->part;
}

static body_kept name_of(const pl_world *w, int64_t row)
{
    const body_particles *b = &w->body_particles;
    body_kept k = {.collider = w->rigid_contacts.name[body_row_collider(b, row)], .part = body_row_part(b, row)};
    for (int c = 0; c < BODY_CORNERS; c++)
        k.particle[c] = body_row_particle(b, row, c);
    return k;
}

// Copies the multipliers to `kept`, whose memory was reserved with the list.
void body_particles_unpack(pl_world *w)
{
    body_particles *b = &w->body_particles;
    const packed_body_particles *p = &w->state.body_particles;
    if (!b->listed)
        return;
    b->kept_count = 0;
    for (int64_t i = 0; i < b->rows; i++)
    {
        const float *force = p->kept + 4 * i;
        if (force[0] == 0.0f)
            continue;
        body_kept *k = &b->kept[b->kept_count++];
        *k = name_of(w, i);
        k->tag = p->tag[i];
        memcpy(k->force, force, sizeof k->force);
    }
    if (b->kept_count)
        qsort(b->kept, (size_t)b->kept_count, sizeof *b->kept, compare_kept);
    int64_t left = 0;
    for (int64_t i = 0; i < b->kept_count; i++) // two triangles may have the same corners
        if (!left || compare_kept(b->kept + left - 1, b->kept + i))
            b->kept[left++] = b->kept[i];
    b->kept_count = left;
}

// A frame failed: its multipliers are useless.
void body_particles_back(pl_world *w)
{
    body_particles *b = &w->body_particles;
    b->listed = false;
    b->stale = true;
    b->kept_count = 0;
}

// ---- rows ----------------------------------------------------------------------------------------------------------

static void fill_row(pl_world *w, int64_t i)
{
    const body_particles *b = &w->body_particles;
    packed_body_particles *p = &w->state.body_particles;
    const int32_t collider = body_row_collider(b, i), triangle = body_row_triangle(b, i), part = body_row_part(b, i);
    const body_kept name = name_of(w, i);
    const body_kept *old =
        b->kept_count ? bsearch(&name, b->kept, (size_t)b->kept_count, sizeof name, compare_kept) : NULL;
    const pl_material m =
        material_between(w, w->rigid_contacts.material[collider],
                         material_of(w->state.slot[SLOT_COLLISION], w->numbers.slot_of[name.particle[0]]));
    p->row[i] = (body_row){.corners = body_row_corners(b, i),
                           .rows = part == 0,
                           .collider = collider,
                           .stick = m.static_friction,
                           .slide = m.kinetic_friction,
                           .bounce = m.restitution};
    for (int c = 0; c < BODY_CORNERS; c++)
        p->row[i].member[c] = 4 * (uint32_t)w->numbers.slot_of[name.particle[c < p->row[i].corners ? c : 0]];
    if (part)
        p->row[i - part].rows++;
    memset(&p->face[i], 0, sizeof p->face[i]);
    if (triangle >= 0 && part == 0)
        p->face[i] = body_surface_face(w, triangle);
    memset(p->kept + 4 * i, 0, 4 * sizeof *p->kept);
    p->tag[i] = old ? old->tag : 0;
    if (old)
        memcpy(p->kept + 4 * i, old->force, sizeof old->force);
}

// Divides the rows into bodies and chunks.
static void fill_bodies(pl_world *w)
{
    const body_particles *b = &w->body_particles;
    packed_body_particles *p = &w->state.body_particles;
    int32_t bodies = 0, chunks = 0;
    for (int32_t i = 0; i < b->rows; i++)
    {
        const rigid_collider *k = &w->state.rigid_contacts.collider[p->row[i].collider];
        bool other = !bodies || p->body[bodies - 1].member != k->member;
        if (other)
            p->body[bodies++] = (body_entry){k->member, k->frame, chunks, chunks};
        if (other || p->chunk[chunks - 1].end - p->chunk[chunks - 1].begin == BODY_CHUNK)
            p->chunk[chunks++] = (body_chunk){i, i, bodies - 1};
        p->chunk[chunks - 1].end = i + 1;
        p->body[bodies - 1].end = chunks;
        p->row[i].body = bodies - 1;
    }
    p->range[BODY_RANGE_ROWS + 1] = (int32_t)b->rows;
    p->range[BODY_RANGE_CHUNKS + 1] = chunks;
    p->range[BODY_RANGE_BODIES + 1] = bodies;
}

// Lists the rows of each particle, in the order of particle numbers.
static void fill_points(pl_world *w)
{
    body_particles *b = &w->body_particles;
    packed_body_particles *p = &w->state.body_particles;
    int32_t points = 0, at = 0;
    memset(b->first, 0, (size_t)(w->numbers.end + 1) * sizeof *b->first);
    for (int32_t slot = 0; slot < w->state.slots; slot++)
        p->of_slot[slot] = -1;
    for (int64_t i = 0; i < b->rows; i++)
        for (int c = 0; c < p->row[i].corners; c++)
            b->first[body_row_particle(b, i, c)]++;
    for (int32_t n = 0; n < w->numbers.end; n++)
    {
        int32_t count = b->first[n];
        b->first[n] = points;
        if (count)
            p->of_slot[w->numbers.slot_of[n]] = points;
        if (count)
            p->point[points++] = (body_point){4 * (uint32_t)w->numbers.slot_of[n], at, at};
        at += count;
    }
    for (int64_t i = 0; i < b->rows; i++)
        for (int c = 0; c < p->row[i].corners; c++)
        {
            int32_t point = b->first[body_row_particle(b, i, c)];
            p->row[i].point[c] = point;
            p->entry[p->point[point].end++] = 4 * (int32_t)i + c;
        }
    p->range[BODY_RANGE_POINTS + 1] = points;
}

static void fill_places(pl_world *w)
{
    const body_particles *b = &w->body_particles;
    packed_body_particles *p = &w->state.body_particles;
    for (int32_t slot = 0; slot < w->state.slots; slot++)
    {
        int32_t number = slot < w->used ? w->number_of[slot] : -1;
        float *to = p->place + 4 * (size_t)slot;
        to[0] = to[1] = to[2] = 0.0f, to[3] = 1e30f;
        if (number >= 0 && b->place[4 * (size_t)number + 3] >= 0.0f)
            memcpy(to, b->place + 4 * (size_t)number, 4 * sizeof *to);
    }
}

static void tell_backend(pl_world *w)
{
    const packed_body_particles *p = &w->state.body_particles;
    const size_t rows = (size_t)w->body_particles.rows;
    patch_packed(w, p->row, rows * sizeof *p->row);
    patch_packed(w, p->kept, 4 * rows * sizeof *p->kept);
    patch_packed(w, p->tag, rows * sizeof *p->tag);
    patch_packed(w, p->face, rows * sizeof *p->face);
    patch_packed(w, p->entry, BODY_CORNERS * rows * sizeof *p->entry);
    patch_packed(w, p->chunk, (size_t)p->range[BODY_RANGE_CHUNKS + 1] * sizeof *p->chunk);
    patch_packed(w, p->body, (size_t)p->range[BODY_RANGE_BODIES + 1] * sizeof *p->body);
    patch_packed(w, p->point, (size_t)p->range[BODY_RANGE_POINTS + 1] * sizeof *p->point);
    patch_packed(w, p->range, BODY_RANGES * sizeof *p->range);
    patch_packed(w, p->place, 4 * (size_t)w->state.slots * sizeof *p->place);
    patch_packed(w, p->of_slot, (size_t)w->state.slots * sizeof *p->of_slot);
}

pl_result body_particles_restore(pl_world *w)
{
    body_particles *b = &w->body_particles;
    // For the next body_particles_unpack, which cannot fail.
    pl_result result = array_reserve(&w->memory, &b->kept, &b->kept_capacity, b->rows, sizeof *b->kept);
    if (result == PL_OK)
        result = array_reserve(&w->memory, &b->first, &b->first_capacity, w->numbers.end + 1, sizeof *b->first);
    if (result != PL_OK)
        return result;
    for (int64_t i = 0; i < b->rows; i++)
        fill_row(w, i);
    memset(w->state.body_particles.range, 0, BODY_RANGES * sizeof *w->state.body_particles.range);
    fill_bodies(w);
    fill_points(w);
    fill_places(w);
    result = body_events_list(w);
    if (result != PL_OK)
        return result;
    b->listed = true;
    tell_backend(w);
    return PL_OK;
}

// ---- snapshots -----------------------------------------------------------------------------------------------------

void body_particles_walk(stream *s, pl_world *w)
{
    body_particles *b = &w->body_particles;
    int32_t stale = b->stale || w->flow.place_left || w->rigid_contacts.found; // new boxes, not listed yet
    int64_t numbers = 4 * b->places;
    if (s->saving)
        body_particles_unpack(w);
    stream_number32(s, &stale, 0, 1, "the list of particles near bodies");
    stream_number64(s, &numbers, 0, INT32_MAX, "places of particles");
    stream_items(s, &w->memory, &b->place, &b->place_capacity, numbers, sizeof *b->place);
    stream_number64(s, &b->kept_count, 0, INT32_MAX / 64, "contacts of particles and bodies");
    stream_items(s, &w->memory, &b->kept, &b->kept_capacity, b->kept_count, sizeof *b->kept);
    if (s->saving || s->result != PL_OK)
        return;
    b->places = numbers / 4;
    b->stale = stale;
    b->listed = false;
}

pl_result body_particles_check(const pl_world *w)
{
    const body_particles *b = &w->body_particles;
    int64_t where;
    if (!all_finite(b->place, 4 * b->places, &where))
        return PL_ERROR_FORMAT;
    for (int64_t i = 0; i < b->kept_count; i++)
        if (!all_finite(b->kept[i].force, 4, &where) || b->kept[i].unused || b->kept[i].part < 0 ||
            b->kept[i].part >= BODY_FACE_ROWS || (i && compare_kept(b->kept + i - 1, b->kept + i) >= 0))
            return PL_ERROR_FORMAT;
    return PL_OK;
}

// ---- stages --------------------------------------------------------------------------------------------------------

static void plan_over(planner *p, int op, int range, int pass, bool first)
{
    plan_stage(p, (stage){.op = (uint8_t)op,
                          .kind = (uint8_t)pass,
                          .first = first,
                          .grain_size = 1,
                          .range = p->world->state.body_particles.range + range,
                          .colour = RIGID_COLOURS + 1});
}

static void plan_pass(planner *p, int pass, int rounds)
{
    for (int i = 0; i < rounds; i++)
    {
        plan_over(p, OP_BODY_SUM, BODY_RANGE_CHUNKS, pass, i == 0);
        plan_over(p, OP_BODY_SOLVE, BODY_RANGE_BODIES, pass, i == 0);
    }
    plan_over(p, OP_BODY_PUSH, BODY_RANGE_CHUNKS, pass, false);
    plan_over(p, OP_BODY_MOVE, BODY_RANGE_BODIES, pass, false);
    plan_over(p, OP_BODY_POINTS, BODY_RANGE_POINTS, pass, false);
}

void body_particles_plan(planner *p, enum plan_hook hook)
{
    const pl_world *w = p->world;
    if (!has_body_particles(w))
        return;
    if (hook == PLAN_PREDICT)
    {
        plan_over(p, OP_BODY_PROBE, BODY_RANGE_ROWS, 0, false);
        plan_over(p, OP_BODY_SHARE, BODY_RANGE_ROWS, 0, false);
    }
    if (hook == PLAN_WARM_START)
        plan_pass(p, BODY_WARM, 0);
    if (hook == PLAN_AFTER_CONTACTS)
        plan_pass(p, BODY_SOLVE, BODY_ROUNDS);
    if (hook == PLAN_VELOCITY && w->state.contact.rigid_bouncy)
        plan_pass(p, BODY_IMPACT, 2);
    if (hook == PLAN_VELOCITY && w->state.body_particles.noted)
        plan_over(p, OP_BODY_NOTE, BODY_RANGE_PAIRS, 0, false);
    if (hook == PLAN_END)
        plan_slots(p, OP_BODY_LEAVE);
}
