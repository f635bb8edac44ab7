// rigid_sleep.c: lets rigid bodies fall asleep and wakes them.
//
// Bodies that contacts, joints or constraints connect form islands (islands.h). An island falls asleep as a whole when
// each of its bodies has been still for a time (stages/rigid_still_stage.h) and nothing drives it. Two bodies count as in
// contact while their pair is listed, that is, while they are near each other: so the islands follow from the list, which
// is the same on every backend, and a body wakes before it is touched.
//
// A sleeping body has the inverse mass 0 and no velocity: every stage treats it as a static body, and two of them are no
// pair. Its rows of contacts lie in `resting` until it wakes.
#include "groups/islands.h"
#include "groups/body_particles.h"
#include "groups/group.h"
#include "groups/rigid_contacts.h"
#include "groups/rigid_sleep.h"
#include "groups/rigids.h"
#include "kernels/displacement.h"
#include "model/columns.h"

#include <string.h>

enum
{
    // The arrays of slots that change when a body falls asleep or wakes.
    RESTED = ARRAY_BIT(SLOT_X) | ARRAY_BIT(SLOT_D) | ARRAY_BIT(SLOT_V) | ARRAY_BIT(SLOT_V1),
};

static bool is_zero(const float *v) { return v[0] == 0.0f && v[1] == 0.0f && v[2] == 0.0f; }

static orient_pose *packed_pose(const pl_world *w, int64_t body)
{
    int32_t frame = w->state.rigids.load[body].frame;
    return frame < 0 ? NULL : &w->state.oriented.pose[frame];
}

// Does a shape of the world move in the coming frame?
static bool shape_stirs(const shape *s)
{
    const pl_vec3 v = s->def.velocity, o = s->def.spin;
    bool travels = s->travels && (memcmp(s->at, s->goal_at, sizeof s->at) != 0 ||
                                  memcmp(s->rotation, s->goal_rotation, sizeof s->rotation) != 0);
    return travels || !is_zero((const float[3]){v.x, v.y, v.z}) || !is_zero((const float[3]){o.x, o.y, o.z});
}

// Does a body that nothing pushes move by its own velocity, or has an edit moved it?
static bool body_stirs(const pl_world *w, int64_t body)
{
    const rigid_load *b = &w->state.rigids.load[body];
    const orient_pose *pose = packed_pose(w, body);
    return w->rigids.rest[body].wake || (b->shape >= 0 && shape_stirs(&w->contacts.shapes[b->shape])) ||
           !is_zero(w->state.slot[SLOT_V] + b->member) || (pose && !is_zero(pose->spin));
}

bool rigid_stirs(const pl_world *w, int32_t collider)
{
    const rigid_contacts *c = &w->rigid_contacts;
    const rigid_collider *k = &c->collider[collider];
    if (!w->settings.sleep)
        return false;
    if (k->shape >= 0)
        return shape_stirs(&w->contacts.shapes[k->shape]);
    return !w->rigids.rest[c->owner[collider]].island && !(present_inverse_mass(w, (int32_t)(k->member / 4)) > 0.0f) &&
           body_stirs(w, c->owner[collider]);
}

static bool sleeps(const pl_world *w, int32_t collider)
{
    return collider < w->rigid_contacts.of_bodies && w->rigids.rest[w->rigid_contacts.owner[collider]].island;
}

bool rigid_meets(pl_world *w, int32_t a, int32_t b)
{
    const rigid_collider *k = w->rigid_contacts.collider;
    const bool push_a = k[a].shape < 0 && present_inverse_mass(w, (int32_t)(k[a].member / 4)) > 0.0f;
    const bool push_b = k[b].shape < 0 && present_inverse_mass(w, (int32_t)(k[b].member / 4)) > 0.0f;
    if (sleeps(w, a) && (push_b || rigid_stirs(w, b)))
        rigid_wake(w, w->rigid_contacts.owner[a]);
    if (sleeps(w, b) && (push_a || rigid_stirs(w, a)))
        rigid_wake(w, w->rigid_contacts.owner[b]);
    return push_a || push_b;
}

void rigid_forget_stirs(pl_world *w)
{
    rigid_rest *r = w->rigids.rest;
    for (int64_t i = 0; i < w->rigids.count; i++)
        r[i].wake = r[i].island ? r[i].wake : 0;
}

// ---- waking --------------------------------------------------------------------------------------------------------

static void send_poses(pl_world *w)
{
    mark_changed(w, RESTED);
    patch_packed(w, w->state.oriented.pose, (size_t)w->state.oriented.count * sizeof *w->state.oriented.pose);
}

static void wake_body(pl_world *w, int64_t i)
{
    rigids *r = &w->rigids;
    orient_pose *pose = packed_pose(w, i);
    w->state.slot[SLOT_D][4 * (size_t)rigid_slot(w, i) + 3] = r->rest[i].weight;
    if (pose)
        pose->spin[3] = 0.0f;
    r->awake_weight[r->member[r->start[i]]] = -1.0f;
    r->rest[i] = (rigid_rest){0};
    r->asleep--;
}

pl_result rigid_wake_marked(pl_world *w)
{
    rigids *r = &w->rigids;
    bool some = false;
    for (int64_t i = 0; r->asleep && i < r->count && !some; i++)
        some = r->rest[i].island && r->rest[i].wake;
    if (!some)
        return PL_OK;
    pl_result result = pull(w, RESTED | ARRAY_BIT(ARRAY_CLUSTERS));
    if (result != PL_OK)
        return result;
    for (int64_t i = 0; i < r->count; i++)
        if (r->rest[i].island && r->rest[i].wake)
            wake_body(w, i);
    send_poses(w);
    w->rigid_contacts.stale = true;
    return PL_OK;
}

// ---- islands -------------------------------------------------------------------------------------------------------

typedef struct island_search
{
    pl_world *w;
    island_body *body;
    int32_t *set;
    int32_t *of_particle; // -1: it is no body
    int64_t body_room, set_room, particle_room;
} island_search;

static void island_search_free(island_search *s)
{
    memory *m = &s->w->memory;
    array_free(m, &s->body, &s->body_room, sizeof *s->body);
    array_free(m, &s->set, &s->set_room, sizeof *s->set);
    array_free(m, &s->of_particle, &s->particle_room, sizeof *s->of_particle);
}

static pl_result island_search_open(island_search *s)
{
    pl_world *w = s->w;
    const rigids *r = &w->rigids;
    pl_result result = array_reserve(&w->memory, &s->body, &s->body_room, r->count, sizeof *s->body);
    if (result == PL_OK)
        result = array_reserve(&w->memory, &s->set, &s->set_room, r->count, sizeof *s->set);
    if (result == PL_OK)
        result = array_reserve(&w->memory, &s->of_particle, &s->particle_room, w->numbers.end, sizeof *s->of_particle);
    if (result != PL_OK)
        return result;
    islands_open(s->set, r->count);
    for (int32_t i = 0; i < w->numbers.end; i++)
        s->of_particle[i] = -1;
    for (int64_t i = 0; i < r->count; i++)
    {
        const orient_pose *pose = packed_pose(w, i);
        s->of_particle[r->member[r->start[i]]] = (int32_t)i;
        s->body[i].moves = present_inverse_mass(w, rigid_slot(w, i)) > 0.0f;
        s->body[i].ready = s->body[i].moves && pose && !r->form[i].wakeful && pose->spin[3] >= w->settings.sleep_time;
    }
    return PL_OK;
}

// A pair ties two bodies; what moves by itself keeps a body awake.
static void tie_pairs(island_search *s)
{
    const rigid_contacts *c = &s->w->rigid_contacts;
    for (int64_t i = 0; has_rigid_contacts(s->w) && i < c->pairs; i++)
    {
        const int32_t end[2] = {c->pair[i].a, c->pair[i].b};
        if (end[1] < c->of_bodies)
            islands_tie(s->set, s->body, c->owner[end[0]], c->owner[end[1]]);
        for (int e = 0; e < 2; e++)
            if (end[1 - e] < c->of_bodies && rigid_stirs(s->w, end[e]))
                s->body[c->owner[end[1 - e]]].ready = false;
    }
}

// Does the row drive its bodies: a motor with a speed, a pin that travels?
static bool row_drives(int kind, const float *param, int params)
{
    if (kind == PL_KIND_SLIDE_MOTOR || kind == PL_KIND_TWIST_MOTOR)
        return param[params - 2] != 0.0f && param[params - 1] > 0.0f;
    return kind == PL_KIND_PIN && !is_zero(param + 3);
}

// Does the end of a row keep the others awake? It is a particle that can move, or something that moves by itself.
static bool end_stirs(const island_search *s, int32_t number)
{
    const pl_world *w = s->w;
    int32_t slot = w->numbers.slot_of[number], body = s->of_particle[number];
    if (body >= 0)
        return !s->body[body].moves && !w->rigids.rest[body].island && body_stirs(w, body);
    return present_inverse_mass(w, slot) > 0.0f || !is_zero(w->state.slot[SLOT_V] + 4 * (size_t)slot);
}

static void tie_row(island_search *s, const int32_t *index, int arity, bool drives)
{
    int32_t first = -1;
    bool stirs = drives;
    for (int e = 0; e < arity; e++)
    {
        int32_t body = s->of_particle[index[e]];
        if (body < 0 || !s->body[body].moves)
            continue;
        if (first >= 0)
            islands_tie(s->set, s->body, first, body);
        first = body;
    }
    for (int e = 0; e < arity && first >= 0 && !stirs; e++)
        stirs = end_stirs(s, index[e]);
    if (first >= 0 && stirs)
        s->body[first].ready = false;
}

static void tie_rows(island_search *s)
{
    for (int kind = 0; kind < PL_KIND_COUNT; kind++)
    {
        const rows *r = &s->w->rows[kind];
        const pl_kind_info *k = &facts_of(kind)->info;
        for (int64_t i = 0; i < r->count; i++)
            if (!row_broken(r, i))
                tie_row(s, r->index + i * k->arity, k->arity, row_drives(kind, r->param + i * k->params, k->params));
    }
}

// Bodies that are members of clusters, lattices or volumes stay awake.
static void tie_groups(island_search *s)
{
    for (int i = 0; i < GROUP_KINDS; i++)
    {
        const group_kind *k = group_kinds[i];
        if (k->id_entry == ID_RIGID || k->id_entry == ID_ORIENTED || k->id_entry == ID_JOINT || !k->lay_out)
            continue;
        group_members m = all_members(s->w, k);
        for (int64_t j = 0; j < m.count; j++)
            if (s->of_particle[m.number[j]] >= 0)
                s->body[s->of_particle[m.number[j]]].ready = false;
    }
}

// Particles never sleep: what they are near stays awake.
static void tie_particles(island_search *s)
{
    const pl_world *w = s->w;
    for (int64_t i = 0; has_body_particles(w) && i < w->body_particles.rows; i++)
        if (body_row_stirs(w, i))
            s->body[body_row_body(w, i)].ready = false;
}

// ---- falling asleep ------------------------------------------------------------------------------------------------

// Stores a position so that a substep without motion does not change its bits: one that lies half way between two floats
// may be stored with either of them.
static void settle_position(float *x)
{
    for (int i = 0; i < 3; i++)
    {
        point p = load_points(x);
        store_points(x, moved_to(p, low_part(p)));
    }
}

static void rest_body(pl_world *w, int64_t i, uint32_t island)
{
    rigids *r = &w->rigids;
    size_t at_slot = 4 * (size_t)rigid_slot(w, i);
    float *d = w->state.slot[SLOT_D] + at_slot, *spin = packed_pose(w, i)->spin;
    r->rest[i] = (rigid_rest){island, d[3], 0};
    settle_position(w->state.slot[SLOT_X] + at_slot);
    memset(d, 0, 4 * sizeof *d);
    memset(w->state.slot[SLOT_V] + at_slot, 0, 4 * sizeof *d);
    memset(w->state.slot[SLOT_V1] + at_slot, 0, 4 * sizeof *d);
    spin[0] = spin[1] = spin[2] = 0.0f, spin[3] = -1.0f;
}

static pl_result rest_islands(island_search *s, bool *some)
{
    pl_world *w = s->w;
    const rigids *r = &w->rigids;
    for (int64_t i = 0; i < r->count && !*some; i++)
        *some = s->set[i] >= 0;
    // Nothing may fail once a body sleeps: rows are copied first, and memory is reserved.
    pl_result result = *some ? pull(w, RESTED | ARRAY_BIT(ARRAY_MULTIPLIERS)) : PL_OK;
    if (result == PL_OK && *some)
        result = rigid_rest_list(w);
    if (result == PL_OK && *some)
        result = rigid_rows_rest(w, s->set);
    if (result != PL_OK || !*some)
        return result;
    for (int64_t i = 0; i < r->count; i++)
        if (s->set[i] >= 0)
            rest_body(w, i, r->form[s->set[i]].serial);
    send_poses(w);
    w->rigid_contacts.stale = true;
    return rigid_rest_list(w); // reserves nothing more
}

pl_result rigid_sleep(pl_world *w, bool *again)
{
    island_search s = {.w = w};
    bool some = false;
    if (!w->settings.sleep || !w->flow.rigid_still || w->frame % SLEEP_EVERY != 0)
        return PL_OK;
    pl_result result = rigid_pull(w);
    if (result == PL_OK)
        result = island_search_open(&s);
    if (result == PL_OK)
    {
        tie_pairs(&s);
        tie_rows(&s);
        tie_groups(&s);
        tie_particles(&s);
        islands_close(s.set, s.body, w->rigids.count);
        result = rest_islands(&s, &some);
    }
    if (result == PL_OK)
        w->flow.rigid_still = 0;
    *again |= some;
    island_search_free(&s);
    return result;
}

// ---- for the user --------------------------------------------------------------------------------------------------

static bool is_awake(const rigid_rest *r) { return !r->island || r->wake; }

bool pl_rigid_awake(const pl_world *w, pl_id body)
{
    int64_t hint = 0, i = w ? rigid_find(w, body, "rigid awake", &hint) : -1;
    return i >= 0 && is_awake(&w->rigids.rest[i]);
}

pl_result pl_rigids_awake(const pl_world *w, const pl_id *bodies, int count, bool *out)
{
    NEED(w);
    int64_t hint = 0;
    if (count < 0 || (count && (!bodies || !out)))
        return fail(PL_ERROR_ARGUMENT, "rigids awake: %d bodies; give their ids, and where to store the answers",
                    count);
    for (int i = 0; i < count; i++)
    {
        int64_t found = rigid_find(w, bodies[i], "rigids awake", &hint);
        if (found < 0)
            return PL_ERROR_ARGUMENT;
        out[i] = is_awake(&w->rigids.rest[found]);
    }
    return PL_OK;
}

pl_result pl_wake_rigid(pl_world *w, pl_id body)
{
    NEED(w);
    int64_t hint = 0, i = rigid_find(w, body, "wake rigid", &hint);
    if (i < 0)
        return PL_ERROR_ARGUMENT;
    if (w->rigids.rest[i].island)
    {
        rigid_wake(w, i);
        return PL_OK;
    }
    pl_result result = rigid_open(w);
    orient_pose *pose = result == PL_OK ? rigid_pose(w, i) : NULL;
    if (pose)
        pose->spin[3] = 0.0f;
    return result;
}

int pl_sleeping_rigids(const pl_world *w)
{
    int count = 0;
    for (int64_t i = 0; w && w->rigids.asleep && i < w->rigids.count; i++)
        count += !is_awake(&w->rigids.rest[i]);
    return count;
}
