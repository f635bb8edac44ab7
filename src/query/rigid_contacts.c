// rigid_contacts.c: reads the contacts of rigid bodies of the last substep.
#include "query/rigid_contacts.h"
#include "groups/body_particles.h"
#include "groups/oriented.h"
#include "groups/rigid_contacts.h"
#include "groups/rigids.h"

#include <math.h>

typedef struct reader
{
    const pl_world *w;
    int64_t only; // the body whose contacts are asked for; -1: all
    pl_rigid_contact *out;
    int count, capacity;
} reader;

static float kept_of(const pl_world *w, int field, int32_t row)
{
    return w->state.rigid_contacts.kept[RIGID_FIELD(KEPT_WORDS, field, row)];
}

static pl_vec3 kept_vec(const pl_world *w, int field, int32_t row)
{
    return (pl_vec3){kept_of(w, field, row), kept_of(w, field + 1, row), kept_of(w, field + 2, row)};
}

static pl_vec3 minus(pl_vec3 v) { return (pl_vec3){-v.x, -v.y, -v.z}; }

// The list and its multipliers belong to the present world. They are still in memory after groups were opened for an
// edit, such as a new force, until they are packed again.
static bool readable(const pl_world *w)
{
    return has_rigid_contacts(w) && w->rigid_contacts.listed && !rigid_colliders_changed(w);
}

// The place of a point of a body that is given relative to its centre of mass, along its principal axes.
static void place_on(const pl_world *w, int64_t body, pl_vec3 local, double out[3])
{
    const double in[3] = {(double)local.x, (double)local.y, (double)local.z};
    double centre[3];
    slot_place(w, rigid_slot(w, body), centre);
    rotate3(rigid_axes_of(w, body), in, out);
    for (int c = 0; c < 3; c++)
        out[c] += centre[c];
}

static pl_rigid_contact_point read_point(const pl_world *w, const rigid_pair *p, int32_t row, int i)
{
    const rigid_contacts *c = &w->rigid_contacts;
    const float gap = kept_of(w, KEPT_GAP + i, row);
    const pl_vec3 n = kept_vec(w, KEPT_NORMAL, row);
    const double half[3] = {0.5 * (double)gap * (double)n.x, 0.5 * (double)gap * (double)n.y,
                            0.5 * (double)gap * (double)n.z};
    double x[3];
    place_on(w, c->owner[p->a], kept_vec(w, KEPT_A + 3 * i, row), x);
    return (pl_rigid_contact_point){{(float)(x[0] + half[0]), (float)(x[1] + half[1]), (float)(x[2] + half[2])},
                                    gap,
                                    kept_of(w, KEPT_FORCE + i, row)};
}

static pl_id body_id(const pl_world *w, int64_t body)
{
    return id_of_entry(w, object_at(w, w->rigids.member[w->rigids.start[body]]));
}

static uint64_t body_data(const pl_world *w, int64_t body)
{
    const uint32_t *user = w->rigids.form[body].user;
    return user[0] | (uint64_t)user[1] << 32;
}

static int part_of(const rigid_contacts *c, int32_t collider) { return (int)(c->name[collider] & 0xffffff); }

// Who touches: the first end is the body that the normal points to.
static void name_ends(const pl_world *w, const rigid_pair *p, bool swap, pl_rigid_contact *to)
{
    const rigid_contacts *c = &w->rigid_contacts;
    const int first = swap, second = !swap;
    to->bodies[first] = body_id(w, c->owner[p->a]);
    to->parts[first] = part_of(c, p->a);
    to->user_data[first] = body_data(w, c->owner[p->a]);
    if (p->b >= c->of_bodies)
    {
        to->shape = id_of_entry(w, w->contacts.shapes[c->owner[p->b]].id_entry);
        to->parts[second] = -1;
        to->user_data[second] = pl_get_user_data(w, to->shape);
        return;
    }
    to->bodies[second] = body_id(w, c->owner[p->b]);
    to->parts[second] = part_of(c, p->b);
    to->user_data[second] = body_data(w, c->owner[p->b]);
}

// Reads a row. False: it does not press.
static bool read_row(const pl_world *w, const rigid_pair *p, int32_t row, bool swap, pl_rigid_contact *to)
{
    *to = (pl_rigid_contact){.count = (int)kept_of(w, KEPT_COUNT, row), .particles = {-1, -1, -1}};
    for (int i = 0; i < to->count; i++)
        to->normal_force += kept_of(w, KEPT_FORCE + i, row);
    if (!(to->normal_force > 0.0f))
        return false;
    for (int i = 0; i < to->count; i++)
        to->points[i] = read_point(w, p, row, i);
    const pl_vec3 normal = kept_vec(w, KEPT_NORMAL, row), friction = kept_vec(w, KEPT_FRICTION, row);
    to->normal = swap ? normal : minus(normal); // both are kept as they act on the second shape
    to->friction = swap ? friction : minus(friction);
    name_ends(w, p, swap, to);
    return true;
}

static void read_pair(reader *r, const rigid_pair *p)
{
    const rigid_contacts *c = &r->w->rigid_contacts;
    const bool second = p->b < c->of_bodies && c->owner[p->b] == r->only;
    if (r->only >= 0 && c->owner[p->a] != r->only && !second)
        return;
    for (int m = 0; m < RIGID_MANIFOLDS && p->row[m] >= 0; m++)
    {
        pl_rigid_contact contact;
        if (!read_row(r->w, p, p->row[m], r->only >= 0 && second, &contact))
            continue;
        if (r->count < r->capacity)
            r->out[r->count] = contact;
        r->count++;
    }
}

// ---- particles and triangles ---------------------------------------------------------------------------------------

// The same of contacts with particles; a removed or moved particle may have another number or place.
static bool particles_readable(const pl_world *w)
{
    const body_particles *b = &w->body_particles;
    return has_body_particles(w) && b->listed && !b->stale && !rigid_colliders_changed(w);
}

// Names the particles of a row. Returns their radius, or half of their thickness, m.
static float name_particles(const pl_world *w, int64_t row, const body_touch *t, pl_rigid_contact *to)
{
    const body_particles *b = &w->body_particles;
    const int corners = body_row_corners(b, row);
    float radius = 0.0f, thickness = 0.0f;
    for (int c = 0; c < BODY_CORNERS; c++)
    {
        to->particles[c] = c < corners ? body_row_particle(b, row, c) : -1;
        to->weights[c] = c < corners ? t->weight[c] : 0.0f;
    }
    for (int c = 0; c < corners; c++)
    {
        const float *collision = w->state.slot[SLOT_COLLISION] + 4 * (size_t)slot_of(w, to->particles[c]);
        radius += collision[0] / (float)corners, thickness += collision[2] / (float)corners;
    }
    return radius > 0.0f || corners == 1 ? radius : 0.5f * thickness;
}

// From the centre of mass of a body to the point of a row, now.
static void arm_now(const pl_world *w, int64_t body, const pl_rigid_contact *to, double out[3])
{
    double centre[3], x[3];
    slot_place(w, rigid_slot(w, body), centre);
    for (int a = 0; a < 3; a++)
        out[a] = -centre[a];
    for (int c = 0; c < BODY_CORNERS && to->particles[c] >= 0; c++)
    {
        slot_place(w, slot_of(w, to->particles[c]), x);
        for (int a = 0; a < 3; a++)
            out[a] += (double)to->weights[c] * x[a];
    }
}

static pl_rigid_contact_point touched_point(const pl_world *w, int64_t body, const body_touch *t, float radius,
                                            const pl_rigid_contact *to)
{
    const orient_pose *pose = pose_of(w, w->rigids.member[w->rigids.start[body]]);
    const double step = (double)w->last_dt / w->settings.substeps;
    double arm[3], centre[3], gap = (double)t->separation, n[3], spin[3];
    for (int a = 0; a < 3; a++)
        n[a] = (double)t->normal[a], spin[a] = pose ? (double)pose->spin[a] : 0.0;
    arm_now(w, body, to, arm);
    slot_place(w, rigid_slot(w, body), centre);
    for (int a = 0; a < 3; a++) // how far the point has moved relative to the body in the substep
        gap += n[a] * (arm[a] - (double)t->arm[a] -
                       step * (spin[(a + 1) % 3] * (double)t->arm[(a + 2) % 3] -
                               spin[(a + 2) % 3] * (double)t->arm[(a + 1) % 3]));
    const double back = (double)radius + 0.5 * gap;
    return (pl_rigid_contact_point){{(float)(centre[0] + arm[0] - back * n[0]),
                                     (float)(centre[1] + arm[1] - back * n[1]),
                                     (float)(centre[2] + arm[2] - back * n[2])},
                                    (float)gap,
                                    to->normal_force};
}

static void read_touch(reader *r, int64_t row)
{
    const pl_world *w = r->w;
    const float *kept = w->state.body_particles.kept + 4 * row;
    const int64_t body = body_row_body(w, row);
    if (!(kept[0] > 0.0f) || (r->only >= 0 && body != r->only)) // below 0: of an impact
        return;
    if (r->count < r->capacity)
    {
        const body_touch *t = &w->state.body_particles.touch[row];
        pl_rigid_contact *to = &r->out[r->count];
        *to = (pl_rigid_contact){.bodies = {body_id(w, body)},
                                 .parts = {part_of(&w->rigid_contacts, body_row_collider(&w->body_particles, row)), -1},
                                 .object = id_of_entry(w, object_at(w, body_row_particle(&w->body_particles, row, 0))),
                                 .normal = {-t->normal[0], -t->normal[1], -t->normal[2]},
                                 .normal_force = kept[0],
                                 .friction = {-kept[1], -kept[2], -kept[3]},
                                 .count = 1};
        to->user_data[0] = body_data(w, body);
        to->user_data[1] = pl_get_user_data(w, to->object);
        float radius = name_particles(w, row, t, to);
        to->points[0] = touched_point(w, body, t, radius, to);
    }
    r->count++;
}

int pl_get_rigid_contacts(const pl_world *w, pl_id body, pl_rigid_contact *out, int capacity)
{
    int64_t hint = 0;
    reader r = {.w = w, .only = -1, .out = out, .capacity = out ? capacity : 0};
    if (!w)
        return 0;
    PLAIN_ROUNDING;
    if (body.index && (r.only = rigid_find(w, body, "rigid contacts", &hint)) < 0)
        return 0;
    const bool pairs = readable(w), particles = particles_readable(w);
    if (!(pairs || particles) || rigid_pull(w) != PL_OK || pull(w, ARRAY_BIT(ARRAY_MULTIPLIERS)) != PL_OK)
        return 0;
    for (int64_t i = 0; pairs && i < w->rigid_contacts.pairs; i++)
        read_pair(&r, &w->rigid_contacts.pair[i]);
    for (int64_t i = 0; particles && i < w->body_particles.rows; i++)
        read_touch(&r, i);
    return r.count;
}

pl_result rigid_depth_measure(const pl_world *w, rigid_depth *out)
{
    *out = (rigid_depth){0};
    if (!readable(w))
        return PL_OK;
    pl_result result = pull(w, ARRAY_BIT(ARRAY_MULTIPLIERS));
    for (int64_t i = 0; result == PL_OK && i < w->rigid_contacts.pairs; i++)
        for (int m = 0; m < RIGID_MANIFOLDS && w->rigid_contacts.pair[i].row[m] >= 0; m++)
        {
            int32_t row = w->rigid_contacts.pair[i].row[m];
            bool presses = false;
            for (int k = 0; k < (int)kept_of(w, KEPT_COUNT, row); k++)
            {
                presses |= kept_of(w, KEPT_FORCE + k, row) > 0.0f;
                out->most = fmax(out->most, -(double)kept_of(w, KEPT_GAP + k, row));
            }
            out->contacts += presses;
        }
    return result;
}
