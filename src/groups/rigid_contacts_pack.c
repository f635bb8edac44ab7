// rigid_contacts_pack.c: packs the contacts of rigid bodies for the stages, keeps their multipliers from list to list,
// saves them, and plans their stages.
#include "core/arena.h"
#include "core/stream.h"
#include "groups/rigid_contacts.h"
#include "groups/rigids.h"
#include "model/columns.h"
#include "plan/hooks.h"
#include "plan/planner.h"

#include <stdlib.h>
#include <string.h>

enum
{
    MOST_RELAX_PASSES = 16
};

// ---- packing -------------------------------------------------------------------------------------------------------

pl_result rigid_contacts_size(pl_world *w)
{
    rigid_contacts *c = &w->rigid_contacts;
    pl_result result = rigid_colliders_list(w);
    if (result != PL_OK || !c->of_bodies)
        return result;
    int64_t few = 4 * (int64_t)c->of_bodies + 64;
    c->pair_room = c->pair_room > few ? c->pair_room : few;
    c->row_room = c->row_room > few + PAD * RIGID_COLOURS ? c->row_room : (few + PAD * RIGID_COLOURS) / PAD * PAD;
    return PL_OK;
}

void rigid_contacts_lay_out(pl_world *w, arena *a)
{
    const rigid_contacts *c = &w->rigid_contacts;
    packed_rigid_contacts *p = &w->state.rigid_contacts;
    bool some = c->of_bodies > 0;
    p->colliders = some ? (int32_t)c->colliders : 0;
    p->of_bodies = some ? c->of_bodies : 0;
    p->pair_room = some ? (int32_t)c->pair_room : 0;
    p->row_room = some ? (int32_t)c->row_room : 0;
    p->words = some ? (int32_t)c->words : 0;
    p->noted = some && rigid_watched(w);
    p->bodies = some ? (int32_t)w->rigids.count : 0;
    packed_lay_out(&w->state, OWNER_RIGID_CONTACTS, a);
}

// Numbers change whenever particles get other slots.
static void place_colliders(pl_world *w)
{
    rigid_contacts *c = &w->rigid_contacts;
    for (int64_t i = 0; i < c->of_bodies; i++)
    {
        int32_t slot = rigid_slot(w, c->owner[i]);
        c->collider[i].member = 4 * (uint32_t)slot;
        c->collider[i].frame = w->oriented.count ? w->state.oriented.of_slot[slot] : -1;
    }
    for (int64_t i = c->of_bodies; i < c->colliders; i++)
        c->collider[i].member = 4 * (uint32_t)(w->dummy + w->order.tiles);
}

void rigid_contacts_fill(pl_world *w)
{
    rigid_contacts *c = &w->rigid_contacts;
    packed_rigid_contacts *p = &w->state.rigid_contacts;
    c->listed = false;
    if (!p->colliders)
        return;
    place_colliders(w);
    memcpy(p->collider, c->collider, (size_t)p->colliders * sizeof *p->collider);
    if (p->words)
        memcpy(p->hulls, c->word, (size_t)p->words * sizeof *p->hulls);
    memset(p->range, 0, RIGID_RANGES * sizeof *p->range);
}

// ---- multipliers by name -------------------------------------------------------------------------------------------

static int compare_kept(const void *a, const void *b)
{
    const rigid_kept *x = a, *y = b;
    if (x->a != y->a)
        return x->a < y->a ? -1 : 1;
    if (x->b != y->b)
        return x->b < y->b ? -1 : 1;
    return x->manifold < y->manifold ? -1 : x->manifold > y->manifold;
}

void rigid_kept_sort(rigid_kept *k, int64_t count)
{
    if (count)
        qsort(k, (size_t)count, sizeof *k, compare_kept);
}

static rigid_kept named(const rigid_contacts *c, const rigid_pair *p, int manifold)
{
    return (rigid_kept){.a = c->name[p->a], .b = c->name[p->b], .manifold = manifold};
}

// Copies the rows to `kept`, whose memory was reserved with the list.
void rigid_contacts_unpack(pl_world *w)
{
    rigid_contacts *c = &w->rigid_contacts;
    const packed_rigid_contacts *p = &w->state.rigid_contacts;
    if (!c->listed)
        return;
    c->kept_count = 0;
    for (int64_t i = 0; i < c->pairs; i++)
        for (int m = 0; m < RIGID_MANIFOLDS && c->pair[i].row[m] >= 0; m++)
        {
            rigid_kept *k = &c->kept[c->kept_count++];
            *k = named(c, &c->pair[i], m);
            for (int f = 0; f < KEPT_WORDS; f++)
                k->field[f] = p->kept[RIGID_FIELD(KEPT_WORDS, f, c->pair[i].row[m])];
        }
    rigid_kept_sort(c->kept, c->kept_count);
}

// A frame failed: its multipliers are useless, and the manifolds are found again.
void rigid_contacts_back(pl_world *w)
{
    rigid_contacts *c = &w->rigid_contacts;
    c->listed = false;
    c->stale = true;
    c->kept_count = 0;
}

static void clear_row(const packed_rigid_contacts *p, int64_t row)
{
    for (int f = 0; f < KEPT_WORDS; f++)
        p->kept[RIGID_FIELD(KEPT_WORDS, f, row)] = f >= KEPT_GAP && f < KEPT_GAP + RIGID_POINTS ? 1e30f
                                                   : f == KEPT_MARGIN                           ? -1.0f
                                                                                                : 0.0f;
    for (int f = 0; f < RUB_WORDS; f++)
        p->rub[RIGID_FIELD(RUB_WORDS, f, row)] = 0.0f;
}

static void fill_row(pl_world *w, const rigid_pair *q, int manifold)
{
    rigid_contacts *c = &w->rigid_contacts;
    const packed_rigid_contacts *p = &w->state.rigid_contacts;
    const rigid_collider *a = &p->collider[q->a], *b = &p->collider[q->b];
    const size_t row = (size_t)q->row[manifold];
    rigid_kept name = named(c, q, manifold);
    const rigid_kept *old =
        c->kept_count ? bsearch(&name, c->kept, (size_t)c->kept_count, sizeof name, compare_kept) : NULL;
    const pl_material m = material_between(w, c->material[q->a], c->material[q->b]);
    const float rub[RUB_WORDS] = {
        [RUB_STICK] = m.static_friction, [RUB_SLIDE] = m.kinetic_friction,  [RUB_BOUNCE] = m.restitution,
        [RUB_ROLL] = m.rolling_friction, [RUB_SPIN] = m.torsional_friction, [RUB_REACH_A] = a->reach,
        [RUB_REACH_B] = b->reach};
    p->index[0][row] = a->member, p->index[1][row] = b->member;
    p->frame[0][row] = a->frame, p->frame[1][row] = b->frame;
    for (int f = 0; f < RUB_WORDS; f++)
        p->rub[RIGID_FIELD(RUB_WORDS, f, row)] = rub[f];
    for (int f = 0; old && f < KEPT_WORDS; f++)
        p->kept[RIGID_FIELD(KEPT_WORDS, f, row)] = old->field[f];
    // The stages skip rolling where no row of a group of lanes has it: an edited material must not leave a torque behind.
    for (int f = KEPT_ROLL; m.rolling_friction == 0.0f && f < KEPT_ROLL + 3; f++)
        p->kept[RIGID_FIELD(KEPT_WORDS, f, row)] = 0.0f;
}

static void tell_backend(pl_world *w, int32_t rows)
{
    const packed_rigid_contacts *p = &w->state.rigid_contacts;
    patch_packed(w, p->box, 8 * sizeof(float) * (size_t)p->colliders);
    patch_packed(w, p->pair, (size_t)w->rigid_contacts.pairs * sizeof *p->pair);
    patch_packed(w, p->range, RIGID_RANGES * sizeof *p->range);
    patch_packed(w, p->around, (size_t)p->bodies * sizeof *p->around);
    patch_packed(w, p->near_by, 2 * (size_t)w->rigid_contacts.pairs * sizeof *p->near_by);
    for (int e = 0; e < 2; e++)
    {
        patch_packed(w, p->index[e], (size_t)rows * sizeof *p->index[e]);
        patch_packed(w, p->frame[e], (size_t)rows * sizeof *p->frame[e]);
    }
    patch_packed(w, p->rub, (size_t)rows * RUB_WORDS * sizeof(float));
    patch_packed(w, p->kept, (size_t)rows * KEPT_WORDS * sizeof(float));
}

pl_result rigid_contacts_restore(pl_world *w)
{
    rigid_contacts *c = &w->rigid_contacts;
    const packed_rigid_contacts *p = &w->state.rigid_contacts;
    const int32_t rows = c->range[RANGE_ROWS + 1];
    const uint32_t dummy = 4 * (uint32_t)(w->dummy + w->order.tiles);
    // For the next rigid_contacts_unpack, which cannot fail.
    pl_result result = array_reserve(&w->memory, &c->kept, &c->kept_capacity, rows, sizeof *c->kept);
    if (result != PL_OK)
        return result;
    for (int64_t i = 0; i < c->colliders; i++)
    {
        memcpy(p->box + 8 * i, c->box[i].low, sizeof c->box[i].low);
        memcpy(p->box + 8 * i + 4, c->box[i].high, sizeof c->box[i].high);
    }
    memcpy(p->range, c->range, sizeof c->range);
    if (p->bodies)
        memcpy(p->around, c->around, (size_t)p->bodies * sizeof *c->around);
    if (c->pairs) // else the arrays may be NULL
    {
        memcpy(p->pair, c->pair, (size_t)c->pairs * sizeof *c->pair);
        memcpy(p->near_by, c->near_by, 2 * (size_t)c->pairs * sizeof *c->near_by);
    }
    for (int32_t row = 0; row < rows; row++)
    {
        p->index[0][row] = p->index[1][row] = dummy;
        p->frame[0][row] = p->frame[1][row] = -1;
        clear_row(p, row);
    }
    for (int64_t i = 0; i < c->pairs; i++)
        for (int m = 0; m < RIGID_MANIFOLDS && c->pair[i].row[m] >= 0; m++)
            fill_row(w, &c->pair[i], m);
    c->listed = true;
    tell_backend(w, rows);
    return PL_OK;
}

// ---- snapshots -----------------------------------------------------------------------------------------------------

static uint32_t highest_of_rows(const rigid_kept *k, int64_t count, uint32_t most)
{
    for (int64_t i = 0; i < count; i++)
    {
        uint32_t a = rigid_name_serial(k[i].a), b = rigid_name_serial(k[i].b);
        most = a > most ? a : most;
        most = b > most ? b : most;
    }
    return most;
}

// The highest serial number that a body has, or had when the multipliers were kept: the next body gets a higher one.
static uint32_t highest_serial(const pl_world *w)
{
    const rigid_contacts *c = &w->rigid_contacts;
    uint32_t most = 0;
    for (int64_t i = 0; i < w->rigids.count; i++)
        most = w->rigids.form[i].serial > most ? w->rigids.form[i].serial : most;
    return highest_of_rows(c->resting, c->resting_count, highest_of_rows(c->kept, c->kept_count, most));
}

void rigid_contacts_walk(stream *s, pl_world *w)
{
    rigid_contacts *c = &w->rigid_contacts;
    bool edited = (c->colliders_stale && !c->loaded) || c->shape_version != w->contacts.shape_version ||
                  c->bodies != w->rigids.count;
    int32_t stale = c->stale || edited || w->flow.rigid_left;
    if (s->saving)
        rigid_contacts_unpack(w);
    stream_number32(s, &stale, 0, 1, "the list of rigid contacts");
    stream_number32(s, &c->height, 0, INT32_MAX, "the height of stacks");
    stream_number64(s, &c->boxes, 0, INT32_MAX / 64, "boxes of rigid shapes");
    stream_items(s, &w->memory, &c->box, &c->box_capacity, c->boxes, sizeof *c->box);
    stream_number64(s, &c->kept_count, 0, INT32_MAX / 64, "rigid contacts");
    stream_items(s, &w->memory, &c->kept, &c->kept_capacity, c->kept_count, sizeof *c->kept);
    stream_number64(s, &c->resting_count, 0, INT32_MAX / 64, "rigid contacts at rest");
    stream_items(s, &w->memory, &c->resting, &c->resting_capacity, c->resting_count, sizeof *c->resting);
    if (s->saving || s->result != PL_OK)
        return;
    c->stale = stale;
    w->flow.rigid_still = 1; // nothing sleeps too early: islands are looked for
    w->rigids.added = highest_serial(w);
    c->listed = false;
    c->colliders_stale = c->loaded = true;
    c->bodies = w->rigids.count;
}

static bool sound_rows(const rigid_kept *k, int64_t count)
{
    int64_t where;
    for (int64_t i = 0; i < count; i++)
    {
        float points = k[i].field[KEPT_COUNT];
        if (!all_finite(k[i].field, KEPT_ID, &where) || !(points >= 0.0f && points <= (float)RIGID_POINTS) ||
            (unsigned)k[i].manifold >= RIGID_MANIFOLDS || (i && compare_kept(&k[i - 1], &k[i]) >= 0))
            return false;
    }
    return true;
}

// Every number must be finite and sensible; a manifold that is not is found again at the next step.
pl_result rigid_contacts_check(const pl_world *w)
{
    const rigid_contacts *c = &w->rigid_contacts;
    int64_t where;
    for (int64_t i = 0; i < c->boxes; i++)
        if (!all_finite(c->box[i].low, 3, &where) || !all_finite(c->box[i].high, 3, &where) ||
            (unsigned)c->box[i].moves > 1 || (unsigned)c->box[i].skip > 1)
            return PL_ERROR_FORMAT;
    return sound_rows(c->kept, c->kept_count) && sound_rows(c->resting, c->resting_count) ? PL_OK : PL_ERROR_FORMAT;
}

// ---- stages --------------------------------------------------------------------------------------------------------

static void plan_range(planner *p, int op, int range, int32_t grain_size, int colour)
{
    plan_stage(p, (stage){.op = (uint8_t)op,
                          .grain_size = grain_size,
                          .range = p->world->state.rigid_contacts.range + range,
                          .colour = (uint8_t)colour});
}

static void plan_colours(planner *p, int op)
{
    const rigid_contacts *r = &p->world->rigid_contacts;
    for (int c = 0; c < r->colours; c++)
        plan_range(p, op, RANGE_COLOURS + c, PAD, c);
    if (r->uncoloured)
        plan_range(p, op, RANGE_COLOURS + RIGID_COLOURS, 1 << 30, RIGID_COLOURS);
}

// As many as the solve has sweeps, and at least two (kernels/rigid_contact.h). An impact passes through bodies that touch
// in one pass, if they lie in the order of the colours; more passes carry it farther in one substep.
static int relax_passes(const pl_world *w)
{
    int n = w->settings.iterations * rigid_sweeps(w);
    return n < 2 ? 2 : n > MOST_RELAX_PASSES ? MOST_RELAX_PASSES : n;
}

// As rigid_impacts_apart in stages/rigid_contact_stages.h.
static bool impacts_apart(const pl_world *w) { return w->state.contact.rigid_bouncy || w->state.second; }

void rigid_contacts_plan(planner *p, enum plan_hook hook, int iteration)
{
    const pl_world *w = p->world;
    (void)iteration;
    if (!has_rigid_contacts(w))
        return;
    if (hook == PLAN_WARM_START)
    {
        plan_range(p, OP_RIGID_DRIFT, RANGE_PAIRS, 1, RIGID_COLOURS + 1);
        plan_range(p, OP_RIGID_PREPARE, RANGE_ROWS, PAD, RIGID_COLOURS + 1);
        plan_range(p, OP_RIGID_COLLIDE, RANGE_PAIRS, 1, RIGID_COLOURS + 1);
        if (w->state.rigid_contacts.noted)
            plan_range(p, OP_RIGID_APPROACH, RANGE_ROWS, PAD, RIGID_COLOURS + 1);
        plan_colours(p, OP_RIGID_WARM);
    }
    // Before the joints: they would turn a multiplier that an impact has left, and that the solve takes back, into speed.
    // Joints come last, so that they stay closed where a light foot carries a heavy body.
    for (int i = 0; hook == PLAN_ITERATION_START && i < rigid_sweeps(w); i++)
        plan_colours(p, OP_RIGID_SOLVE);
    if (hook == PLAN_SOLVED)
    {
        plan_range(p, OP_RIGID_SWEEP, RANGE_BODIES, 1, RIGID_COLOURS + 1);
        plan_range(p, OP_RIGID_FOLLOW, RANGE_ROWS, PAD, RIGID_COLOURS + 1);
    }
    if (hook == PLAN_VELOCITY && impacts_apart(w))
        plan_colours(p, OP_RIGID_RELEASE);
    if (hook == PLAN_VELOCITY)
    {
        plan_range(p, OP_RIGID_BACK, RANGE_BODIES, 1, RIGID_COLOURS + 1);
        plan_range(p, OP_RIGID_REFRESH, RANGE_PAIRS, 1, RIGID_COLOURS + 1);
        plan_range(p, OP_RIGID_SETTLE, RANGE_ROWS, PAD, RIGID_COLOURS + 1);
    }
    for (int i = 0; hook == PLAN_VELOCITY && i < relax_passes(w); i++)
        plan_colours(p, OP_RIGID_RELAX);
    if (hook == PLAN_VELOCITY && w->state.rigid_contacts.noted)
        plan_range(p, OP_RIGID_NOTE, RANGE_PAIRS, 1, RIGID_COLOURS + 1);
    if (hook == PLAN_VELOCITY && impacts_apart(w))
        plan_range(p, OP_RIGID_FORGET, RANGE_ROWS, PAD, RIGID_COLOURS + 1);
    if (hook == PLAN_END)
        plan_items(p, OP_RIGID_LEAVE, w->state.rigid_contacts.of_bodies);
}
