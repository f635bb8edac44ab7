// body_particles.c: lists the particles near the shapes of rigid bodies: one row for each particle and shape. Triangles of
// surfaces: body_surfaces.c.
//
// A shape has the box for which pairs of bodies were listed (rigid_contacts.c). A particle has a place: a ball in which
// it will be for some frames. A row is listed where the ball, grown by the distance from which on shapes act on the
// particle, reaches the box; the list is valid while every shape stays in its box and every particle in its ball
// (stages/body_particle_stages.h). Boxes and places alone decide the list: a loaded world has the same.
#include "groups/body_particles.h"
#include "collide/collision_filter.h"
#include "collide/convex.h"
#include "groups/group.h"
#include "groups/rigids.h"
#include "model/rigid_rest.h"
#include "model/workers.h"
#include "stages/list_validity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PLACE_FRAMES 4.0f  // a place has room for the motion of so many frames,
#define PLACE_MARGIN 0.25f // and for this part of the particle's radius

// ---- places --------------------------------------------------------------------------------------------------------

static bool collides(const pl_world *w, int32_t slot)
{
    return phase_of(w->state.slot[SLOT_COLLISION], slot) >> PHASE_MASK_AT != 0;
}

// Bodies, and particles that collide with nothing, have no place: their room is below 0.
static pl_result find_places(pl_world *w, float dt)
{
    body_particles *b = &w->body_particles;
    const pl_vec3 g = w->settings.gravity;
    const float ahead = PLACE_FRAMES * dt, fall = ahead * ahead * sqrtf(g.x * g.x + g.y * g.y + g.z * g.z);
    pl_result result =
        array_reserve(&w->memory, &b->place, &b->place_capacity, 4 * (int64_t)w->numbers.end + 4, sizeof *b->place);
    if (result != PL_OK)
        return result;
    for (int32_t n = 0; n < w->numbers.end; n++)
    {
        int32_t slot = w->numbers.slot_of[n];
        float *to = b->place + 4 * (size_t)n;
        to[0] = to[1] = to[2] = 0.0f, to[3] = -1.0f;
        if (slot < 0 || !collides(w, slot))
            continue;
        const float *x = w->state.slot[SLOT_X] + 4 * (size_t)slot, *v = w->state.slot[SLOT_V] + 4 * (size_t)slot;
        memcpy(to, x, 3 * sizeof *to);
        to[3] = ahead * sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) +
                (fall + PLACE_MARGIN * w->state.slot[SLOT_COLLISION][4 * (size_t)slot]);
    }
    b->places = w->numbers.end;
    return PL_OK;
}

// ---- rows ----------------------------------------------------------------------------------------------------------

static int compare_numbers(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

// Is the particle tied to the body by a joint or an attachment?
static bool is_tied(const pl_world *w, int32_t body, int32_t particle)
{
    const rigid_contacts *c = &w->rigid_contacts;
    int64_t key = body < particle ? (int64_t)body << 32 | particle : (int64_t)particle << 32 | body;
    return c->excluded_count &&
           bsearch(&key, c->excluded, (size_t)c->excluded_count, sizeof key, compare_numbers) != NULL;
}

static bool any_tied(const row_search *s, int32_t body)
{
    for (int c = 0; c < s->corners; c++)
        if (is_tied(s->w, body, s->particle[c]))
            return true;
    return false;
}

// How many rows a particle or a triangle has with a shape; 0: they do not touch.
static int rows_of(const pl_world *w, int32_t collider, int corners)
{
    const rigid_collider *k = &w->rigid_contacts.collider[collider];
    if (collider >= w->rigid_contacts.of_bodies)
        return 0; // of the world
    if (corners == BODY_CORNERS)
        return k->kind >= COLLIDER_PLANE ? 0 : k->kind == CONVEX_SPHERE ? 1 : BODY_FACE_ROWS;
    if (k->kind < COLLIDER_PLANE)
        return 1;
    if (k->kind == COLLIDER_HOLLOW)
        return k->wall == CONVEX_BOX ? 3 : k->wall == CONVEX_CYLINDER ? 2 : 1;
    return k->kind == COLLIDER_MESH ? BODY_FACE_ROWS : 0;
}

static int meet(void *arg, int32_t collider)
{
    row_search *s = arg;
    pl_world *w = s->w;
    body_particles *b = &w->body_particles;
    const int rows = rows_of(w, collider, s->corners);
    if (!rows)
        return 1;
    const int32_t body = w->rigid_contacts.owner[collider];
    const rigid_form *f = &w->rigids.form[body];
    int32_t particle = w->rigids.member[w->rigids.start[body]];
    bool held = inverse_mass(w, w->numbers.slot_of[particle]) == 0.0f;
    if (!(f->mask[0] & s->channels) || (held && s->fixed) || any_tied(s, particle))
        return 1;
    s->result = sortable_reserve(&w->memory, &b->sort, b->sort_capacity, b->rows + rows);
    if (s->result != PL_OK)
        return 0;
    for (int part = 0; part < rows; part++)
    {
        b->sort.key[b->rows] = (uint64_t)collider << BODY_NUMBER_BITS | s->low | (uint64_t)part;
        b->sort.value[b->rows++] = 0;
    }
    return 1;
}

void body_rows_near(row_search *s, const broad_box *own)
{
    broad_phase_query(&s->w->rigid_contacts.broad, own, meet, s);
}

// The box of all shapes of bodies: most particles are outside of it.
static broad_box box_of_all(const rigid_contacts *c)
{
    broad_box all = {{INFINITY, INFINITY, INFINITY}, 1, {-INFINITY, -INFINITY, -INFINITY}, 0};
    for (int32_t i = 0; i < c->of_bodies; i++)
        for (int a = 0; a < 3; a++)
        {
            all.low[a] = c->box[i].low[a] < all.low[a] ? c->box[i].low[a] : all.low[a];
            all.high[a] = c->box[i].high[a] > all.high[a] ? c->box[i].high[a] : all.high[a];
        }
    return all;
}

static int bits_for(uint64_t most)
{
    int bits = BODY_NUMBER_BITS;
    while (most >> (bits - BODY_NUMBER_BITS))
        bits++;
    return bits;
}

// The names of the particles of the rows: surfaces may change before their multipliers are kept.
static pl_result name_corners(pl_world *w)
{
    body_particles *b = &w->body_particles;
    pl_result result =
        array_reserve(&w->memory, &b->corner, &b->corner_capacity, BODY_CORNERS * b->rows, sizeof *b->corner);
    for (int64_t i = 0; result == PL_OK && i < b->rows; i++)
    {
        const int32_t triangle = body_row_triangle(b, i);
        int32_t *to = b->corner + BODY_CORNERS * i;
        to[0] = (int32_t)((b->sort.key[i] & (BODY_FACE - 1)) >> BODY_PART_BITS), to[1] = to[2] = -1;
        for (int c = 0; triangle >= 0 && c < BODY_CORNERS; c++)
            to[c] = w->number_of[w->surfaces.triangle[3 * (size_t)triangle + (size_t)c]];
    }
    return result;
}

static pl_result find_rows(pl_world *w)
{
    body_particles *b = &w->body_particles;
    const rigid_contacts *c = &w->rigid_contacts;
    const broad_box all = box_of_all(c);
    row_search s = {.w = w, .corners = 1};
    b->rows = 0;
    for (int32_t n = 0; n < w->numbers.end && s.result == PL_OK; n++)
    {
        const float *place = b->place + 4 * (size_t)n;
        int32_t slot = w->numbers.slot_of[n];
        if (slot < 0 || !(place[3] >= 0.0f))
            continue;
        float reach = place[3] + shape_sight(&w->state, slot);
        broad_box own = {.moves = 1};
        for (int a = 0; a < 3; a++)
            own.low[a] = place[a] - reach, own.high[a] = place[a] + reach;
        if (!boxes_overlap(&own, &all))
            continue;
        s.particle[0] = n, s.low = (uint64_t)n << BODY_PART_BITS;
        s.channels = phase_of(w->state.slot[SLOT_COLLISION], slot) >> PHASE_MASK_AT;
        s.fixed = inverse_mass(w, slot) == 0.0f;
        body_rows_near(&s, &own);
    }
    if (s.result == PL_OK)
        s.result = body_surfaces_find(w, &all);
    parallel threads = cpu_parallel(&w->cpu);
    if (s.result == PL_OK && b->rows)
        radix_sort(&b->sort, b->rows, bits_for((uint64_t)c->of_bodies), &threads);
    return s.result == PL_OK ? name_corners(w) : s.result;
}

bool body_row_stirs(const pl_world *w, int64_t row)
{
    for (int c = 0; c < body_row_corners(&w->body_particles, row); c++)
    {
        int32_t slot = w->numbers.slot_of[body_row_particle(&w->body_particles, row, c)];
        const float *v = w->state.slot[SLOT_V] + 4 * (size_t)slot;
        if (inverse_mass(w, slot) > 0.0f || v[0] != 0.0f || v[1] != 0.0f || v[2] != 0.0f)
            return true;
    }
    return false;
}

// Wakes the sleeping bodies that particles are near. True: there was one.
static bool wake_bodies(pl_world *w)
{
    bool some = false;
    for (int64_t i = 0; w->rigids.asleep && i < w->body_particles.rows; i++)
        if (w->rigids.rest[body_row_body(w, i)].island && body_row_stirs(w, i))
            rigid_wake(w, body_row_body(w, i)), some = true;
    return some;
}

// Asks for larger packed arrays.
static pl_result grow(pl_world *w)
{
    body_particles *b = &w->body_particles;
    if (b->rows > INT32_MAX / 64)
        return fail(PL_ERROR_MEMORY, "rigid: %lld particles near shapes of bodies; at most %d fit", (long long)b->rows,
                    INT32_MAX / 64);
    b->row_room = b->rows + b->rows / 4 + 64;
    return groups_open(w);
}

pl_result body_particles_refresh(pl_world *w, float dt, bool *again)
{
    body_particles *b = &w->body_particles;
    *again = !has_body_particles(w) && may_touch_bodies(w); // particles that were added in place
    if (*again)
        return groups_open(w);
    if (!has_body_particles(w))
        return PL_OK;
    bool find =
        b->stale || w->rigid_contacts.found || w->flow.place_left || dt > w->last_dt || b->places != w->numbers.end;
    pl_result result = PL_OK;
    if (!find && b->listed && b->surface_version == w->surfaces.surface_version)
        return PL_OK;
    if (b->listed)
    {
        result = pull(w, ARRAY_BIT(ARRAY_MULTIPLIERS));
        if (result != PL_OK)
            return result;
        body_particles_unpack(w);
        b->listed = false; // the rows are in `kept` now
    }
    if (find)
        result = rigid_pull(w);
    if (result == PL_OK && find)
        result = find_places(w, dt);
    if (result == PL_OK)
        result = find_rows(w);
    if (result != PL_OK)
        return result;
    b->stale = w->rigid_contacts.found = false;
    w->flow.place_left = 0;
    *again = wake_bodies(w); // the pairs are listed again, then this list
    if (*again)
        return PL_OK;
    if (b->rows > b->row_room)
    {
        *again = true;
        return grow(w);
    }
    return body_particles_restore(w);
}

void body_particles_free(pl_world *w)
{
    body_particles *b = &w->body_particles;
    array_free(&w->memory, &b->place, &b->place_capacity, sizeof *b->place);
    sortable_free(&w->memory, &b->sort, b->sort_capacity);
    array_free(&w->memory, &b->corner, &b->corner_capacity, sizeof *b->corner);
    array_free(&w->memory, &b->watched, &b->watched_capacity, sizeof *b->watched);
    array_free(&w->memory, &b->first, &b->first_capacity, sizeof *b->first);
    array_free(&w->memory, &b->kept, &b->kept_capacity, sizeof *b->kept);
}
