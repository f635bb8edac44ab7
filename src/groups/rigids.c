// rigids.c: adds, finds, checks and packs rigid bodies. A body is a particle with a frame (oriented.c) and a record
// here.
#include "core/arena.h"
#include "groups/body_particles.h"
#include "groups/group.h"
#include "groups/oriented.h"
#include "groups/rigid_contacts.h"
#include "groups/rigids.h"
#include "kernels/displacement.h"
#include "model/columns.h"
#include "plan/planner.h"

#include <math.h>
#include <string.h>

extern const group_kind rigids_kind, oriented_kind;

// ---- frames --------------------------------------------------------------------------------------------------------

frame_inertia rigid_frame(const rigid_form *f)
{
    frame_inertia r = {{0}, {0}};
    bool turns = (f->locks & LOCKED_TURNS) != LOCKED_TURNS;
    for (int c = 0; c < 3; c++)
    {
        r.inertia[c] = (float)(5.0 * (double)f->inertia[c] / (double)f->mass);
        r.inverse[c] = turns ? (float)((double)f->mass / (5.0 * (double)f->inertia[c])) : 0.0f;
    }
    r.inertia[3] = turns && r.inertia[0] == r.inertia[1] && r.inertia[1] == r.inertia[2] ? 1.0f : 0.0f;
    return r;
}

// The ellipsoid of the same mass and inertia: 5 I_x/m = b^2 + c^2. A thin body gets a thousandth of its size.
static orient_form form_of(const rigid_form *f, const orient_pose *p)
{
    orient_form o = {.object = -1};
    double square[3], most = 0.0;
    for (int c = 0; c < 3; c++)
    {
        square[c] = 2.5 * ((double)f->inertia[(c + 1) % 3] + (double)f->inertia[(c + 2) % 3] - (double)f->inertia[c]) /
                    (double)f->mass;
        most = square[c] > most ? square[c] : most;
    }
    most = most > 4e-12 ? most : 4e-12;
    for (int c = 0; c < 3; c++)
        o.radii[c] = (float)sqrt(square[c] > 2e-6 * most ? square[c] : 2e-6 * most);
    for (int c = 0; c < 3; c++)
        o.radii[c] = o.radii[c] < 2e-6f ? 2e-6f : o.radii[c] > 1e6f ? 1e6f : o.radii[c];
    o.whole = (float)(1.0 / sqrt(most));
    memcpy(o.rest, p->rotation, sizeof o.rest);
    return o;
}

// ---- adding and finding --------------------------------------------------------------------------------------------

pl_result rigid_frames_add(pl_world *w, const int32_t *particles, const rigid_made *made, int count, pl_id *id)
{
    oriented *o = &w->oriented;
    int64_t first = o->count;
    pl_result result = group_begin(w, &oriented_kind, count, 0);
    for (int i = 0; i < count && result == PL_OK; i++)
    {
        o->member[o->count] = particles[i];
        o->form[o->count] = form_of(&made[i].form, &made[i].pose);
        o->inertia[o->count] = rigid_frame(&made[i].form);
        o->pose[o->count++] = made[i].pose;
    }
    return result == PL_OK ? group_end(w, &oriented_kind, first, id) : result;
}

static void put_rigid(rigids *r, int32_t particle, const rigid_made *m)
{
    if (r->count == 0)
        r->start[0] = 0;
    r->form[r->count] = m->form;
    r->rest[r->count] = (rigid_rest){0};
    r->anchor[r->count] = (rigid_anchor){{0.0f}, {0.0f}};
    r->form[r->count++].serial = ++r->added;
    for (int64_t i = 0; i < m->parts; i++)
    {
        r->member[r->part_count] = particle;
        r->part[r->part_count++] = m->part[i];
    }
    r->start[r->count] = (int32_t)r->part_count;
}

pl_result rigids_add(pl_world *w, const int32_t *particles, const rigid_made *made, int count, pl_id *id)
{
    int64_t parts = 0, first = w->rigids.count;
    for (int i = 0; i < count; i++)
        parts += made[i].parts;
    if (w->rigids.part_count + parts > INT32_MAX / 64)
        return fail(PL_ERROR_ARGUMENT, "rigid: %lld shapes, or quadruples of vertices and triangles; at most %d fit",
                    (long long)(w->rigids.part_count + parts), INT32_MAX / 64);
    pl_result result = group_begin(w, &rigids_kind, count, parts);
    for (int i = 0; i < count && result == PL_OK; i++)
        put_rigid(&w->rigids, particles[i], &made[i]);
    return result == PL_OK ? group_end(w, &rigids_kind, first, id) : result;
}

static int32_t particle_of(const rigids *r, int64_t i) { return r->member[r->start[i]]; }

int64_t rigid_of(const pl_world *w, int32_t particle, int64_t *hint)
{
    const rigids *r = &w->rigids;
    int64_t found = -1, low = 0, high = r->count - 1;
    while (low < high) // bodies lie in the order of their particles, unless a particle became a body late
    {
        int64_t middle = low + (high - low) / 2;
        if (particle_of(r, middle) < particle)
            low = middle + 1;
        else
            high = middle;
    }
    if (r->count && particle_of(r, low) == particle)
        found = low;
    if (found < 0 && r->count && *hint >= 0 && *hint < r->count && particle_of(r, *hint) == particle)
        found = *hint;
    for (int64_t i = 0; found < 0 && i < r->count; i++)
        if (particle_of(r, i) == particle)
            found = i;
    *hint = found + 1;
    return found;
}

int64_t rigid_find(const pl_world *w, pl_id body, const char *what, int64_t *hint)
{
    const id_entry *t = id_find(w, body, ID_OBJECT, what);
    int64_t found = t && t->count == 1 ? rigid_of(w, t->first, hint) : -1;
    if (t && found < 0)
        fail(PL_ERROR_ARGUMENT, "%s: the id {%u, %u} names an object that is not a rigid body; give the id of one",
             what, body.index, body.generation);
    return found;
}

int pl_world_rigids(const pl_world *w, pl_id *ids, int capacity)
{
    for (int64_t i = 0; w && ids && i < w->rigids.count && i < capacity; i++)
        ids[i] = id_of_entry(w, object_at(w, particle_of(&w->rigids, i)));
    return w ? (int)w->rigids.count : 0;
}

pl_id pl_rigid_of_particle(const pl_world *w, int particle)
{
    int64_t hint = 0;
    bool found = w && slot_of(w, particle) >= 0 && rigid_of(w, particle, &hint) >= 0;
    return found ? id_of_entry(w, object_at(w, particle)) : (pl_id){0, 0};
}

void slot_place(const pl_world *w, int32_t slot, double out[3])
{
    point x = load_points(w->state.slot[SLOT_X] + 4 * (size_t)slot);
    vec low = low_part(x);
    out[0] = (double)x.x + (double)low.x, out[1] = (double)x.y + (double)low.y, out[2] = (double)x.z + (double)low.z;
}

void slot_put(pl_world *w, int32_t slot, const double x[3])
{
    point at_float = {(float)x[0], (float)x[1], (float)x[2], 0.0f};
    vec rest = vec_of((float)(x[0] - (double)at_float.x), (float)(x[1] - (double)at_float.y),
                      (float)(x[2] - (double)at_float.z));
    store_points(w->state.slot[SLOT_X] + 4 * (size_t)slot, moved_to(at_float, rest));
}

// ---- packing -------------------------------------------------------------------------------------------------------

static pl_result rigids_size(pl_world *w)
{
    pl_result result = rigid_contacts_size(w);
    if (result == PL_OK)
        body_particles_size(w);
    return result;
}

static void rigids_lay_out(pl_world *w, arena *a)
{
    w->state.rigids.count = (int32_t)w->rigids.count;
    packed_lay_out(&w->state, OWNER_RIGIDS, a);
    rigid_contacts_lay_out(w, a);
    body_particles_lay_out(w, a);
}

// The number of the shape that a body follows, or -1.
static int32_t shape_of(const pl_world *w, const rigid_form *f)
{
    bool some = f->follows && f->follows < w->entry_count && w->entries[f->follows].type == ID_SHAPE;
    return some ? w->entries[f->follows].first : -1;
}

// The radius of a ball with the mass and the largest moment of inertia of a body.
static float size_of(const rigid_form *f)
{
    float most = f->inertia[0] > f->inertia[1] ? f->inertia[0] : f->inertia[1];
    most = f->inertia[2] > most ? f->inertia[2] : most;
    return sqrtf(2.5f * most / f->mass);
}

static void rigids_fill(pl_world *w, int32_t *scratch)
{
    const rigids *r = &w->rigids;
    packed_rigids *p = &w->state.rigids;
    (void)scratch;
    p->loaded = p->locked = p->damped = p->following = 0;
    for (int32_t i = 0; i < p->count; i++)
    {
        const rigid_form *f = &r->form[i];
        int32_t slot = w->numbers.slot_of[particle_of(r, i)];
        rigid_load load = {.member = 4 * (uint32_t)slot,
                           .frame = w->oriented.count ? w->state.oriented.of_slot[slot] : -1,
                           .locks = f->locks,
                           .shape = shape_of(w, f),
                           .size = f->wakeful ? -1.0f : size_of(f),
                           .more_gravity = f->gravity_scale - 1.0f,
                           .linear = f->linear_damping,
                           .angular = f->angular_damping,
                           .torque = {f->torque[0], f->torque[1], f->torque[2], 0.0f}};
        p->load[i] = load;
        p->loaded |=
            load.more_gravity != 0.0f || load.torque[0] != 0.0f || load.torque[1] != 0.0f || load.torque[2] != 0.0f;
        p->locked |= load.locks != 0;
        p->following |= load.shape >= 0;
        p->damped |= load.linear != 0.0f || load.angular != 0.0f;
    }
    for (int32_t i = 0; i < p->count; i++)
        p->anchor[i] = p->safe[i] = r->anchor[i];
    rigid_contacts_fill(w);
    body_particles_fill(w);
}

static void rigids_unpack(pl_world *w)
{
    if (w->rigids.count)
        memcpy(w->rigids.anchor, w->state.rigids.anchor, (size_t)w->rigids.count * sizeof *w->rigids.anchor);
    rigid_contacts_unpack(w);
    body_particles_unpack(w);
}

static void rigids_back(pl_world *w)
{
    if (w->rigids.count)
        memcpy(w->rigids.anchor, w->state.rigids.safe, (size_t)w->rigids.count * sizeof *w->rigids.anchor);
    rigid_contacts_back(w);
    body_particles_back(w);
}

static void rigids_plan(planner *p, enum plan_hook hook, int iteration)
{
    const packed_rigids *r = &p->world->state.rigids;
    if (hook == PLAN_FRAME && p->world->settings.sleep)
        plan_items(p, OP_RIGID_KEEP, r->count);
    if (hook == PLAN_PREDICT && (r->loaded || r->locked || r->following))
        plan_items(p, OP_RIGID_PREDICT, r->count);
    body_particles_plan(p, hook);
    rigid_contacts_plan(p, hook, iteration);
    if (hook == PLAN_ITERATION_END && r->locked)
        plan_items(p, OP_RIGID_LOCK, r->count);
    if (hook == PLAN_VELOCITY && (r->damped || r->locked))
        plan_items(p, OP_RIGID_DAMP, r->count);
    if (hook == PLAN_END && p->world->settings.sleep)
        plan_items(p, OP_RIGID_STILL, r->count);
}

static bool sound_form(const rigid_form *f)
{
    int64_t where;
    const float last[] = {f->gravity_scale, f->torque[0], f->torque[1], f->torque[2]};
    double size = 0.0;
    for (int c = 0; c < 4; c++)
        size += (double)f->axes[c] * (double)f->axes[c];
    return f->mass > 0.0f && f->mass <= 1e30f && f->inertia[0] > 0.0f && f->inertia[1] > 0.0f && f->inertia[2] > 0.0f &&
           all_finite(f->inertia, 3, &where) && all_finite(f->centre, 3, &where) && all_finite(last, 4, &where) &&
           size > 0.98 && size < 1.02 && f->linear_damping >= 0.0f && f->linear_damping <= 1e6f &&
           f->angular_damping >= 0.0f && f->angular_damping <= 1e6f && f->locks >= 0 && f->locks < 64 &&
           (unsigned)f->type <= PL_RIGID_STATIC;
}

static bool sound_shape(const rigid_part *p, int materials)
{
    int64_t where;
    const float size[] = {p->shape.half[0], p->shape.half[1], p->shape.half[2], p->shape.radius, p->shape.length};
    double turn = 0.0;
    for (int c = 0; c < 4; c++)
        turn += (double)p->shape.rotation[c] * (double)p->shape.rotation[c];
    for (int c = 0; c < 5; c++)
        if (!(size[c] >= 0.0f && size[c] <= 1e12f))
            return false;
    return turn > 0.9 && turn < 1.1 && all_finite(p->shape.position, 3, &where) &&
           (unsigned)p->shape.material < (unsigned)materials && (unsigned)p->shape.sensor <= 1 &&
           !(p->shape.sensor && (p->kind == PL_RIGID_MESH || p->shape.vertices > PL_CAST_VERTICES)) &&
           (unsigned)p->shape.flags < 4 && (!(p->shape.flags & RIGID_TWO_SIDED) || p->kind == PL_RIGID_MESH) &&
           (!(p->shape.flags & RIGID_HOLLOW) || p->kind <= PL_RIGID_CYLINDER);
}

// Checks the parts of a body: shapes, each followed by as many vertices and triangles as it says.
static bool sound_parts(const rigid_part *part, int64_t count, int materials)
{
    int64_t vertices = 0, triangles = 0;
    for (int64_t i = 0; i < count; i++)
    {
        const rigid_part *p = &part[i];
        if (p->kind >= 0 && p->kind < RIGID_PART_VERTICES && (vertices || triangles))
            return false;
        if (p->kind == PL_RIGID_HULL || p->kind == PL_RIGID_MESH)
            vertices = p->shape.vertices, triangles = p->shape.triangles;
        else if (p->kind == RIGID_PART_VERTICES)
            vertices -= p->count;
        else if (p->kind == RIGID_PART_TRIANGLES)
            triangles -= p->count;
        bool run = p->kind == RIGID_PART_VERTICES || p->kind == RIGID_PART_TRIANGLES;
        if (p->kind < 0 || p->kind >= RIGID_PART_KINDS || vertices < 0 || triangles < 0 ||
            (run && (p->count < 1 || p->count > RIGID_PART_RUN)) ||
            (p->kind < RIGID_PART_NONE && !sound_shape(p, materials)))
            return false;
    }
    return vertices == 0 && triangles == 0;
}

// A body sleeps if its record and its frame say so; then it has no mass and no speed, unless an edit has changed it.
static bool sound_rest(const pl_world *w, int64_t i)
{
    const rigid_rest *r = &w->rigids.rest[i];
    int64_t where;
    if (!all_finite(w->rigids.anchor[i].position, 4, &where) || !all_finite(w->rigids.anchor[i].rotation, 4, &where))
        return false;
    const orient_pose *pose = pose_of(w, particle_of(&w->rigids, i));
    const float *v = w->state.slot[SLOT_V] + 4 * (size_t)rigid_slot(w, i);
    if ((unsigned)r->wake > 1 || !(r->weight >= 0.0f && r->weight <= 1e30f) ||
        (i && w->rigids.form[i - 1].serial >= w->rigids.form[i].serial))
        return false;
    if (!r->island)
        return !pose || pose->spin[3] >= 0.0f;
    return pose && pose->spin[3] == -1.0f &&
           (r->wake || (present_inverse_mass(w, rigid_slot(w, i)) == 0.0f && r->weight > 0.0f && v[0] == 0.0f &&
                        v[1] == 0.0f && v[2] == 0.0f));
}

static pl_result rigids_check(pl_world *w)
{
    const rigids *r = &w->rigids;
    for (int64_t i = 0; i < r->count; i++)
    {
        if (!sound_form(&r->form[i]) || (r->form[i].follows && shape_of(w, &r->form[i]) < 0) ||
            !sound_parts(r->part + r->start[i], r->start[i + 1] - r->start[i], w->contacts.materials))
            return PL_ERROR_FORMAT;
        for (int32_t k = r->start[i]; k < r->start[i + 1]; k++)
            if (r->member[k] != particle_of(r, i))
                return PL_ERROR_FORMAT;
        if (!sound_rest(w, i))
            return PL_ERROR_FORMAT;
    }
    pl_result result = rigid_contacts_check(w);
    return result == PL_OK ? body_particles_check(w) : result;
}

static void rigids_walk(struct stream *s, pl_world *w)
{
    group_walk_columns(s, w, &rigids_kind);
    if (w->rigids.count)
        rigid_contacts_walk(s, w), body_particles_walk(s, w);
    if (w->rigids.count && !s->saving && s->result == PL_OK)
        s->result = rigid_rest_list(w);
}

// ---- the description of the kind -----------------------------------------------------------------------------------

enum // the role of each column in model/columns.def
{
    ROLE_start = ROLE_STRUCTURE,
    ROLE_member = ROLE_STRUCTURE,
    ROLE_form = ROLE_PARAMETER,
    ROLE_rest = ROLE_STATE,
    ROLE_anchor = ROLE_STATE,
    ROLE_part = ROLE_PARAMETER,
};

static const uint8_t roles[] = {
#define MODEL_RIGIDS(type, name, ...) ROLE_##name,
#include "model/columns.def"
};

const group_kind rigids_kind = {
    .words = "rigid bodies",
    .member_words = "shapes of rigid bodies",
    .id_entry = ID_RIGID,
    GROUP_COLUMNS(RIGIDS),
    .count = offsetof(pl_world, rigids.count),
    .members = offsetof(pl_world, rigids.part_count),
    .most = INT32_MAX / 64,
    .roles = roles,
    .member_column = MODEL_RIGIDS_member,
    .melting = MELT_NEVER,
    .size = rigids_size,
    .lay_out = rigids_lay_out,
    .fill = rigids_fill,
    .unpack = rigids_unpack,
    .back = rigids_back,
    .walk = rigids_walk,
    .plan = rigids_plan,
    .check = rigids_check,
};
