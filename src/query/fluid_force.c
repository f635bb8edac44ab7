// fluid_force.c: sums the force of fluids on a shape of the world or on a rigid body. Nothing is stored for it during a
// step: the multipliers of the last substep and the present positions say what presses (kernels/fluid.h,
// kernels/fluid_body.h). On the host, in double, over the particles in the order of their slots.
#include "collide/collision_filter.h"
#include "groups/rigids.h"
#include "kernels/fluid_body.h"
#include "model/fluid.h"
#include "query/cache.h"

typedef struct force_sum
{
    const pl_world *w;
    uint32_t entry;    // index of the id of what is asked for
    double centre[3];  // m: the torque is about it
    double f[3], m[3]; // N, N m
} force_sum;

// Does the shape act on particles, and on one with these channels?
static bool presses(const pl_world *w, const query_part *p, uint32_t channels)
{
    if (p->sensor)
        return false;
    if (p->body < 0)
        return channels & (uint32_t)p->solid.mask;
    return w->rigids.form[p->body].mask[0] & channels;
}

// Is it a hollow shape of a body? Queries take the room inside for solid.
static bool is_hollow(const pl_world *w, const query_part *p)
{
    const rigids *r = &w->rigids;
    int32_t part = 0;
    for (int64_t i = p->body < 0 ? 0 : r->start[p->body]; p->body >= 0 && i < r->start[p->body + 1]; i++)
        if (r->part[i].kind < PL_RIGID_SHAPE_KIND_COUNT && part++ == p->part)
            return r->part[i].shape.flags & RIGID_HOLLOW;
    return false;
}

static void join_wall(const pl_world *w, const query_part *p, surface_distance d, fluid_walls *walls)
{
    fluid_add_wall(&w->state.fluid.kernel, d.distance, d.distance, rotated(&p->at, d.normal), walls);
}

// The flat walls of a hollow shape from inside, as in stages/body_walls.h: of a box one across each axis, of a cylinder
// the nearer end.
static void join_flat_walls(const pl_world *w, const query_part *p, vec x, fluid_walls *walls)
{
    const float at[3] = {x.x, x.y, x.z};
    for (int k = 0; k < 3; k++)
    {
        float up = at[k] < 0.0f ? -1.0f : 1.0f, half = p->cylinder ? 0.5f * p->solid.size[0] : p->solid.size[k];
        vec n = vec_of(k == 0 ? -up : 0.0f, k == 1 ? -up : 0.0f, k == 2 ? -up : 0.0f);
        if (!p->cylinder || k == 1)
            join_wall(w, p, (surface_distance){half - up * at[k], n}, walls);
    }
}

// What the shape fills around a particle; its gradient points out of the shape, in the world's axes.
static fluid_walls wall_of(const pl_world *w, const query_part *p, int32_t slot)
{
    const float *x = w->state.slot[SLOT_X] + 4 * (size_t)slot;
    fluid_walls walls = {1.0f, vec_of(0.0f, 0.0f, 0.0f)};
    vec at = into_frame(&p->at, vec_of(x[0], x[1], x[2]));
    surface_distance d = part_probe(p, at, (FLUID_CONTACT + FLUID_SIGHT) * w->state.fluid.spacing);
    if (!is_hollow(w, p))
        join_wall(w, p, d, &walls);
    else if (d.distance < 0.0f) // inside
    {
        if (p->solid.kind == SOLID_BOX || p->cylinder)
            join_flat_walls(w, p, at, &walls);
        if (p->cylinder)
        {
            float far = root(at.x * at.x + at.z * at.z), back = far > 0.0f ? -1.0f / far : 0.0f;
            d = (surface_distance){p->solid.size[3] - far, vec_of(back * at.x, 0.0f, back * at.z)};
            join_wall(w, p, d, &walls);
        }
        else if (p->solid.kind != SOLID_BOX)
            join_wall(w, p, (surface_distance){-d.distance, negative(d.normal)}, &walls);
    }
    return walls;
}

static void add_particle(force_sum *sum, int32_t slot)
{
    const pl_world *w = sum->w;
    const uint32_t channels = phase_of(w->state.slot[SLOT_COLLISION], slot) >> PHASE_MASK_AT;
    const float *x = w->state.slot[SLOT_X] + 4 * (size_t)slot;
    double scale = (double)w->force_scale * (double)w->state.slot[SLOT_PRESSURE][4 * (size_t)slot], g[3] = {0};
    bool some = false;
    for (int pass = 0; pass < 2; pass++) // most particles are near none of the shapes that are asked for
    {
        for (int64_t i = 0; i < w->queries.part_count && (pass == 0 || some); i++)
        {
            const query_part *p = &w->queries.part[i];
            bool own = p->entry == sum->entry;
            if ((pass == 0 && !own) || !presses(w, p, channels))
                continue;
            fluid_walls wall = wall_of(w, p, slot);
            some |= wall.open < 1.0f;
            const double n[3] = {(double)wall.gradient.x, (double)wall.gradient.y, (double)wall.gradient.z};
            for (int k = 0; pass == 1 && k < 3; k++)
                g[k] = g[k] * (double)wall.open + (own ? scale * n[k] : 0.0);
            if (pass == 1)
                scale *= (double)wall.open;
        }
        if (!some)
            return;
    }
    for (int k = 0; k < 3; k++)
    {
        int a = (k + 1) % 3, b = (k + 2) % 3;
        sum->f[k] += g[k];
        sum->m[k] += ((double)x[a] - sum->centre[a]) * g[b] - ((double)x[b] - sum->centre[b]) * g[a];
    }
}

// Finds the shape or the body, and its centre.
static pl_result find_pressed(const pl_world *w, pl_id id, force_sum *sum)
{
    const id_entry *t = id_find(w, id, ID_FREE, "fluid force");
    if (!t)
        return PL_ERROR_ARGUMENT;
    sum->entry = id.index;
    if (t->type == ID_SHAPE)
    {
        for (int k = 0; k < 3; k++)
            sum->centre[k] = w->contacts.shapes[t->first].at[k];
        return PL_OK;
    }
    int64_t hint = 0, body = rigid_find(w, id, "fluid force", &hint);
    if (body < 0)
        return PL_ERROR_ARGUMENT;
    slot_place(w, rigid_slot(w, body), sum->centre);
    return PL_OK;
}

pl_result pl_get_fluid_force(const pl_world *w, pl_id id, pl_vec3 *force, pl_vec3 *torque)
{
    NEED(w);
    PLAIN_ROUNDING;
    unsigned trees;
    force_sum sum = {.w = w};
    pl_result result = query_prepare(w, PL_CAST_SHAPES | PL_CAST_BODIES, &trees);
    if (result == PL_OK)
        result = pull(w, ARRAY_BIT(SLOT_PRESSURE) | ARRAY_BIT(SLOT_X) | ARRAY_BIT(SLOT_COLLISION));
    if (result == PL_OK)
        result = find_pressed(w, id, &sum);
    for (int32_t slot = 0; result == PL_OK && w->frame > 0 && slot < w->used; slot++)
        if (w->number_of[slot] >= 0 && is_fluid(w, slot) && w->state.slot[SLOT_PRESSURE][4 * (size_t)slot] < 0.0f)
            add_particle(&sum, slot);
    if (result == PL_OK && force)
        *force = (pl_vec3){(float)sum.f[0], (float)sum.f[1], (float)sum.f[2]};
    if (result == PL_OK && torque)
        *torque = (pl_vec3){(float)sum.m[0], (float)sum.m[1], (float)sum.m[2]};
    return result;
}
