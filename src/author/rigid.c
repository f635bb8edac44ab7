// rigid.c: adds rigid bodies: their mass from their shapes, a particle at the centre of mass, and a frame along the
// principal axes.
#include "author/build.h"
#include "author/rigid_mass.h"
#include "collide/collision_filter.h"
#include "groups/group.h"
#include "groups/rigids.h"

#include <math.h>
#include <string.h>

pl_rigid_def pl_default_rigid_def(void)
{
    return (pl_rigid_def){.rotation = {0.0f, 0.0f, 0.0f, 1.0f},
                          .gravity_scale = 1.0f,
                          .allow_sleep = true,
                          .category = 1,
                          .mask = UINT64_MAX};
}

// ---- checks and mass -----------------------------------------------------------------------------------------------

static pl_result check_def(const pl_rigid_def *d)
{
    const pl_quat q = d->rotation;
    double size = (double)q.x * q.x + (double)q.y * q.y + (double)q.z * q.z + (double)q.w * q.w;
    const pl_vec3 v = d->velocity, s = d->spin;
    bool moves = v.x != 0.0f || v.y != 0.0f || v.z != 0.0f || s.x != 0.0f || s.y != 0.0f || s.z != 0.0f;
    if ((unsigned)d->type > PL_RIGID_STATIC)
        return fail(PL_ERROR_ARGUMENT, "rigid: type is %d; it must be from 0 to %d", (int)d->type, PL_RIGID_STATIC);
    if (!finite3(d->position) || !finite3(d->velocity) || !finite3(d->spin))
        return fail(PL_ERROR_ARGUMENT,
                    "rigid: the position, the velocity or the spin is not finite; give finite numbers");
    if (!(size > 0.98 && size < 1.02))
        return fail(PL_ERROR_ARGUMENT, "rigid: the rotation is a quaternion of length %g; it must be 1", sqrt(size));
    if (d->type == PL_RIGID_STATIC && moves)
        return fail(PL_ERROR_ARGUMENT, "rigid: a static body has a velocity or a spin; use a kinematic one");
    if (d->shape_count < 0 || d->shape_count > 1000000 || (d->shape_count && !d->shapes))
        return fail(PL_ERROR_ARGUMENT, "rigid: there are %d shapes; give from 0 to 1,000,000, and their array",
                    d->shape_count);
    if (!(d->mass == 0.0f || (d->mass >= 1e-9f && d->mass <= 1e15f)))
        return fail(PL_ERROR_ARGUMENT,
                    "rigid: mass is %g kg; it must be from 1e-9 to 1e15, or 0 for that of the shapes", (double)d->mass);
    return rigid_check_values(d);
}

static void take_properties(const pl_mass_properties *p, rigid_mass *m)
{
    const float *i = p->inertia;
    const double inertia[3][3] = {{(double)i[0], (double)i[3], (double)i[5]},
                                  {(double)i[3], (double)i[1], (double)i[4]},
                                  {(double)i[5], (double)i[4], (double)i[2]}};
    m->mass = (double)p->mass;
    m->centre[0] = (double)p->centre.x, m->centre[1] = (double)p->centre.y, m->centre[2] = (double)p->centre.z;
    memcpy(m->inertia, inertia, sizeof inertia);
}

static pl_result find_mass(memory *memory, const pl_rigid_def *d, rigid_mass *m)
{
    pl_result result = rigid_mass_of(memory, d->shapes, d->shape_count, m);
    if (result != PL_OK)
        return result;
    if (d->properties)
        take_properties(d->properties, m);
    if (!(m->mass > 0.0) && d->type != PL_RIGID_DYNAMIC) // nothing depends on it
        take_properties(&(pl_mass_properties){.mass = 1.0f, .inertia = {1.0f, 1.0f, 1.0f}}, m);
    if (!(m->mass >= 1e-9 && m->mass <= 1e15))
        return fail(PL_ERROR_ARGUMENT,
                    "rigid: the mass is %g kg; it must be from 1e-9 to 1e15: give shapes with a density, or properties",
                    m->mass);
    double scale = d->mass > 0.0f ? (double)d->mass / m->mass : 1.0;
    m->mass *= scale;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            m->inertia[r][c] *= scale;
    return PL_OK;
}

// ---- parts ---------------------------------------------------------------------------------------------------------

static int64_t runs_of(int count) { return (count + RIGID_PART_RUN - 1) / RIGID_PART_RUN; }

static int triangles_of(const pl_rigid_shape *s) { return s->kind == PL_RIGID_MESH ? s->triangle_count : 0; }
static int vertices_of(const pl_rigid_shape *s) { return s->kind >= PL_RIGID_HULL ? s->vertex_count : 0; }

static int64_t count_parts(const pl_rigid_def *d)
{
    int64_t parts = d->shape_count ? 0 : 1;
    for (int i = 0; i < d->shape_count; i++)
        parts += 1 + runs_of(vertices_of(&d->shapes[i])) + runs_of(triangles_of(&d->shapes[i]));
    return parts;
}

// Writes runs of four vertices or triangles; both have three numbers of four bytes.
static rigid_part *put_runs(rigid_part *p, int kind, const void *numbers, int count)
{
    for (int i = 0; i < count; i += RIGID_PART_RUN, p++)
    {
        *p = (rigid_part){.kind = kind, .count = count - i < RIGID_PART_RUN ? count - i : RIGID_PART_RUN};
        memcpy(p->vertex, (const char *)numbers + 12 * (size_t)i, 12 * (size_t)p->count);
    }
    return p;
}

static void put_parts(const pl_rigid_def *d, rigid_part *p)
{
    if (!d->shape_count)
        *p = (rigid_part){.kind = RIGID_PART_NONE};
    for (int i = 0; i < d->shape_count; i++)
    {
        const pl_rigid_shape *s = &d->shapes[i];
        *p = (rigid_part){.kind = (int32_t)s->kind};
        memcpy(p->shape.position, &s->position, sizeof p->shape.position);
        memcpy(p->shape.rotation, &s->rotation, sizeof p->shape.rotation);
        memcpy(p->shape.half, &s->half, sizeof p->shape.half);
        p->shape.radius = s->radius, p->shape.length = s->length, p->shape.density = s->density;
        p->shape.vertices = vertices_of(s), p->shape.triangles = triangles_of(s);
        p->shape.material = s->material, p->shape.sensor = s->sensor;
        p->shape.flags = (s->two_sided ? RIGID_TWO_SIDED : 0) | (s->hollow ? RIGID_HOLLOW : 0);
        p = put_runs(p + 1, RIGID_PART_VERTICES, s->vertices, vertices_of(s));
        p = put_runs(p, RIGID_PART_TRIANGLES, s->triangles, triangles_of(s));
    }
}

// ---- adding --------------------------------------------------------------------------------------------------------

static pl_result check_uses(const pl_world *w, const pl_rigid_def *d)
{
    for (int i = 0; i < d->shape_count; i++)
    {
        const pl_rigid_shape *s = &d->shapes[i];
        if (s->material < 0 || s->material >= w->contacts.materials)
            return fail(PL_ERROR_ARGUMENT, "rigid: shape %d has material %d; numbers go from 0 to %d", i, s->material,
                        w->contacts.materials - 1);
        if (s->sensor && (s->kind == PL_RIGID_MESH || (s->kind == PL_RIGID_HULL && s->vertex_count > PL_CAST_VERTICES)))
            return fail(PL_ERROR_ARGUMENT,
                        "rigid: shape %d is a sensor; it must be no mesh, and a hull of at most %d vertices", i,
                        PL_CAST_VERTICES);
    }
    return PL_OK;
}

// Sheets and hollow shapes have no mass, and nothing could tell on which side of them a body that moves freely is.
static pl_result check_sides(const pl_rigid_def *d)
{
    for (int i = 0; i < d->shape_count && d->type == PL_RIGID_DYNAMIC; i++)
        if (d->shapes[i].two_sided || d->shapes[i].hollow)
            return fail(PL_ERROR_ARGUMENT,
                        "rigid: shape %d is %s; only static and kinematic bodies may have such shapes", i,
                        d->shapes[i].hollow ? "hollow" : "a mesh with two sides");
    return PL_OK;
}

static pl_result make_form(pl_world *w, const pl_rigid_def *d, rigid_form *f)
{
    rigid_mass m;
    double axes[4], moment[3];
    pl_result result = check_def(d);
    if (result == PL_OK)
        result = check_uses(w, d);
    if (result == PL_OK)
        result = check_sides(d);
    if (result == PL_OK)
        result = find_mass(&w->memory, d, &m);
    if (result == PL_OK)
        result = rigid_principal(&m, axes, moment);
    if (result != PL_OK)
        return result;
    *f = (rigid_form){.mass = (float)m.mass,
                      .gravity_scale = d->gravity_scale,
                      .linear_damping = d->linear_damping,
                      .angular_damping = d->angular_damping,
                      .locks = d->locks,
                      .wakeful = !d->allow_sleep,
                      .type = (int32_t)d->type,
                      .user = {(uint32_t)d->user_data, (uint32_t)(d->user_data >> 32)},
                      .category = {(uint32_t)d->category, (uint32_t)(d->category >> 32)},
                      .mask = {(uint32_t)d->mask, (uint32_t)(d->mask >> 32)}};
    for (int c = 0; c < 3; c++)
    {
        f->centre[c] = (float)m.centre[c];
        f->inertia[c] = (float)moment[c];
        if (!(f->inertia[c] >= 1e-30f && f->inertia[c] <= 1e30f && CHECK_FINITE(f->centre[c])))
            return fail(PL_ERROR_ARGUMENT, "rigid: a moment of inertia is %g kg m^2; it must be from 1e-30 to 1e30",
                        moment[c]);
    }
    for (int c = 0; c < 4; c++)
        f->axes[c] = (float)axes[c];
    return PL_OK;
}

// Bodies have no contacts of particles: their shapes will collide instead.
static void no_contacts(build *b)
{
    if (b->result != PL_OK)
        return;
    float *phase = build_collision(b, 0) + 1;
    *phase = float_of(bits_of(*phase) & ((1u << PHASE_MASK_AT) - 1));
    b->w->contacts.stale = b->w->contacts.colliders_stale = true;
}

static pl_result add_one(pl_world *w, const pl_rigid_def *d, pl_id *body)
{
    rigid_made made = {.pose = {{0.0f, 0.0f, 0.0f, 1.0f}, {0}, {0}}};
    rigid_part *part = NULL;
    int64_t capacity = 0;
    pl_id group;
    pl_result result = make_form(w, d, &made.form);
    if (result == PL_OK)
        result = array_reserve(&w->memory, &part, &capacity, count_parts(d), sizeof *part);
    if (result != PL_OK)
        return result;
    put_parts(d, part);
    made.part = part, made.parts = count_parts(d);
    build b = {.w = w};
    build_particles(&b, &(pl_particles_def){.count = 1,
                                            .position = &d->position.x,
                                            .mass_each = d->type == PL_RIGID_DYNAMIC ? made.form.mass : 0.0f});
    no_contacts(&b);
    for (int i = 0; i < 2 && b.result == PL_OK; i++) // owned at once, so that a failure takes it back
    {
        b.result = i ? rigids_add(w, &b.first, &made, 1, &group) : rigid_frames_add(w, &b.first, &made, 1, &group);
        if (b.result == PL_OK)
            w->entries[group.index].owner = b.object.index;
    }
    if (b.result == PL_OK)
        b.result = pl_set_rigids(w, &b.object, 1, &(pl_rigid_state){d->position, d->rotation, d->velocity, d->spin});
    array_free(&w->memory, &part, &capacity, sizeof *part);
    result = build_end(&b, body);
    if (result == PL_OK)
        w->rigid_contacts.colliders_stale = true, w->rigid_contacts.loaded = false;
    return result;
}

pl_result pl_add_rigids(pl_world *w, const pl_rigid_def *defs, int count, pl_id *bodies)
{
    NEED(w);
    NEED(defs);
    PLAIN_ROUNDING;
    pl_id *made = NULL;
    int64_t capacity = 0;
    if (count < 1 || count > INT32_MAX / 64)
        return fail(PL_ERROR_ARGUMENT, "rigids: count is %d; it must be from 1 to %d", count, INT32_MAX / 64);
    pl_result result = array_reserve(&w->memory, &made, &capacity, count, sizeof *made);
    build_mark mark = build_begin(w);
    int done = 0;
    while (result == PL_OK && done < count)
    {
        result = add_one(w, &defs[done], &made[done]);
        done += result == PL_OK;
    }
    if (result != PL_OK && done)
        build_undo(w, &mark, made, done, result);
    if (result == PL_OK && bodies)
        memcpy(bodies, made, (size_t)count * sizeof *made);
    array_free(&w->memory, &made, &capacity, sizeof *made);
    return result;
}

pl_result pl_add_rigid(pl_world *w, const pl_rigid_def *def, pl_id *body) { return pl_add_rigids(w, def, 1, body); }
