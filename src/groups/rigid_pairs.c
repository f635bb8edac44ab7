// rigid_pairs.c: lists the pairs of shapes that are near each other, at least one of them of a rigid body.
//
// Every shape has a box that is larger than it needs to be. Pairs are listed by the boxes, and the list is valid while
// every shape stays in its box; stages/rigid_leave_stage.h tests that after each frame. The boxes alone decide the list: a
// loaded world has the same.
#include "groups/group.h"
#include "groups/joints.h"
#include "groups/rigid_contacts.h"
#include "groups/rigid_sleep.h"
#include "groups/rigids.h"
#include "model/workers.h"
#include "stages/rigid_box.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BOX_FRAMES 4.0f  // a box has room for the motion of so many frames,
#define BOX_MARGIN 0.05f // and for this part of the shape's width

// ---- boxes ---------------------------------------------------------------------------------------------------------

static bool is_convex(const rigid_collider *k) { return k->kind < COLLIDER_PLANE; }
static bool is_plane(const rigid_collider *k) { return k->kind == COLLIDER_PLANE; }

// How far a shape of the world may move in dt.
static float stride_of(const shape *s, const rigid_collider *k, float dt)
{
    const pl_vec3 v = s->def.velocity, o = s->def.spin;
    double arm = 0.0, way = 0.0;
    if (s->travels)
    {
        for (int a = 0; a < 3; a++)
            way += (s->goal_at[a] - s->at[a]) * (s->goal_at[a] - s->at[a]);
        return (float)sqrt(way) + 3.2f * k->reach;
    }
    for (int a = 0; a < 3 && s->def.has_pivot; a++)
        arm += (s->at[a] - s->pivot[a]) * (s->at[a] - s->pivot[a]);
    return dt * (sqrtf(v.x * v.x + v.y * v.y + v.z * v.z) +
                 sqrtf(o.x * o.x + o.y * o.y + o.z * o.z) * (k->reach + 2.0f * (float)sqrt(arm)));
}

static bool turns(const shape *s)
{
    return s->travels || s->def.spin.x != 0.0f || s->def.spin.y != 0.0f || s->def.spin.z != 0.0f;
}

// A box around a shape of the world and what it sweeps in dt.
static void world_box(const pl_world *w, const rigid_collider *k, float dt, float low[3], float high[3])
{
    const shape *s = &w->contacts.shapes[k->shape];
    rigid_world_box(w, k, low, high);
    float more = stride_of(s, k, dt);
    for (int a = 0; a < 3; a++)
        low[a] -= more, high[a] += more;
}

// Do all shapes of the world stay in their boxes in the coming frame? Planes have none: a plane that moves is listed
// again in each frame.
bool rigid_shapes_stay(const pl_world *w, float dt)
{
    const rigid_contacts *c = &w->rigid_contacts;
    for (int64_t i = c->of_bodies; i < c->colliders; i++)
    {
        const rigid_collider *k = &c->collider[i];
        const shape *s = &w->contacts.shapes[k->shape];
        float low[3], high[3];
        if (is_plane(k))
        {
            if (turns(s) || stride_of(s, k, dt) > 0.0f)
                return false;
            continue;
        }
        world_box(w, k, dt, low, high);
        for (int a = 0; a < 3; a++)
            if (!(low[a] >= c->box[i].low[a] && high[a] <= c->box[i].high[a]))
                return false;
    }
    return true;
}

bool rigid_moves(const pl_world *w, const rigid_collider *k)
{
    return k->shape < 0 && present_inverse_mass(w, (int32_t)(k->member / 4)) > 0.0f;
}

static pl_result find_boxes(pl_world *w, float dt)
{
    rigid_contacts *c = &w->rigid_contacts;
    pl_result result = array_reserve(&w->memory, &c->box, &c->box_capacity, c->colliders, sizeof *c->box);
    if (result != PL_OK)
        return result;
    for (int64_t i = 0; i < c->colliders; i++)
    {
        const rigid_collider *k = &w->state.rigid_contacts.collider[i];
        broad_box *b = &c->box[i];
        *b = (broad_box){.moves = rigid_moves(w, k) || rigid_stirs(w, (int32_t)i), .skip = is_plane(k)};
        if (!rigid_box_of(&w->state, k, BOX_FRAMES * dt, b->low, b->high) && !b->skip)
            world_box(w, k, BOX_FRAMES * dt, b->low, b->high);
        float margin = k->shape < 0 ? BOX_MARGIN * k->width : 0.0f;
        for (int a = 0; a < 3; a++)
            b->low[a] -= margin, b->high[a] += margin;
    }
    c->boxes = c->colliders;
    return PL_OK;
}

// ---- pairs ---------------------------------------------------------------------------------------------------------

static int compare_numbers(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

static int64_t key_of(int32_t a, int32_t b) { return a < b ? (int64_t)a << 32 | b : (int64_t)b << 32 | a; }

// Numbers a row over all kinds.
static int64_t joint_row_key(int kind, int64_t row) { return (int64_t)kind << 40 | row; }

// Lists the rows of joints whose bodies may touch, sorted.
static pl_result list_colliding(pl_world *w, int64_t **rows, int64_t *count, int64_t *capacity)
{
    const joints *j = &w->joints;
    pl_result result = PL_OK;
    for (int64_t i = 0; i < j->count && result == PL_OK; i++)
        for (int k = 0; k < PL_JOINT_ROWS && result == PL_OK && j->record[i].collide; k++)
        {
            const id_entry *t = joint_entry(w, &j->record[i], (pl_joint_row)k);
            if (!t)
                continue;
            result = array_reserve(&w->memory, rows, capacity, *count + 1, sizeof **rows);
            if (result == PL_OK)
                (*rows)[(*count)++] = joint_row_key(t->kind, t->first);
        }
    if (*count)
        qsort(*rows, (size_t)*count, sizeof **rows, compare_numbers);
    return result;
}

static bool is_listed(const int64_t *rows, int64_t count, int64_t key)
{
    return count && bsearch(&key, rows, (size_t)count, sizeof key, compare_numbers) != NULL;
}

// Lists the bodies that joints keep apart. touching: rows of joints that do not.
static pl_result list_apart(pl_world *w, const int64_t *touching, int64_t touching_count)
{
    rigid_contacts *c = &w->rigid_contacts;
    c->excluded_count = 0;
    for (int kind = 0; kind < PL_KIND_COUNT; kind++)
    {
        const rows *r = &w->rows[kind];
        const kind_facts *k = facts_of(kind);
        if (!k->frames)
            continue;
        pl_result result = array_reserve(&w->memory, &c->excluded, &c->excluded_capacity, c->excluded_count + r->count,
                                         sizeof *c->excluded);
        if (result != PL_OK)
            return result;
        for (int64_t i = 0; i < r->count; i++)
            if (!row_broken(r, i) && !is_listed(touching, touching_count, joint_row_key(kind, i)))
                c->excluded[c->excluded_count++] = key_of(r->index[i * k->info.arity], r->index[i * k->info.arity + 1]);
    }
    if (c->excluded_count)
        qsort(c->excluded, (size_t)c->excluded_count, sizeof *c->excluded, compare_numbers);
    return PL_OK;
}

static pl_result list_joined(pl_world *w)
{
    int64_t *touching = NULL, count = 0, capacity = 0;
    pl_result result = list_colliding(w, &touching, &count, &capacity);
    if (result == PL_OK)
        result = list_apart(w, touching, count);
    array_free(&w->memory, &touching, &capacity, sizeof *touching);
    return result;
}

static uint64_t bits64(const uint32_t *two) { return (uint64_t)two[1] << 32 | two[0]; }

static bool may_touch(const pl_world *w, int32_t a, int32_t b)
{
    const rigid_contacts *c = &w->rigid_contacts;
    const int32_t *body = c->owner;
    const rigid_form *f = &w->rigids.form[body[a]];
    const rigid_collider *kb = &c->collider[b];
    if (kb->shape >= 0)
        return (bits64(f->mask) & (uint64_t)(uint32_t)w->contacts.shapes[kb->shape].def.mask & 255) != 0;
    const rigid_form *g = &w->rigids.form[body[b]];
    int64_t key = key_of(w->rigids.member[w->rigids.start[body[a]]], w->rigids.member[w->rigids.start[body[b]]]);
    return body[a] != body[b] && (bits64(f->mask) & bits64(g->category)) && (bits64(g->mask) & bits64(f->category)) &&
           !(c->excluded_count &&
             bsearch(&key, c->excluded, (size_t)c->excluded_count, sizeof key, compare_numbers) != NULL);
}

// Is the box below the plane, at least in part? If the plane has two sides: do they meet? The plane's normal is its y axis.
static bool reaches_plane(const pl_world *w, const rigid_collider *plane, const broad_box *b, float dt)
{
    const shape *s = &w->contacts.shapes[plane->shape];
    const double x = s->rotation[0], y = s->rotation[1], z = s->rotation[2], q = s->rotation[3];
    const double n[3] = {2.0 * (x * y - z * q), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + x * q)};
    const double room = (double)stride_of(s, plane, dt) + (plane->two_sided ? (double)plane->thick : 0.0);
    double lowest = -room, highest = room;
    for (int a = 0; a < 3; a++)
    {
        lowest += n[a] * ((n[a] > 0.0 ? (double)b->low[a] : (double)b->high[a]) - s->at[a]);
        highest += n[a] * ((n[a] > 0.0 ? (double)b->high[a] : (double)b->low[a]) - s->at[a]);
    }
    return (lowest <= 0.0 && (!plane->two_sided || highest >= 0.0)) || turns(s);
}

static pl_result add_pair(pl_world *w, int32_t a, int32_t b)
{
    rigid_contacts *c = &w->rigid_contacts;
    pl_result result = array_reserve(&w->memory, &c->pair, &c->pair_capacity, c->pairs + 1, sizeof *c->pair);
    if (result == PL_OK)
        c->pair[c->pairs++] = (rigid_pair){a, b, {-1, -1, -1, -1}, 0};
    return result;
}

static int compare_pairs(const void *a, const void *b)
{
    const rigid_pair *x = a, *y = b;
    return x->a != y->a ? (x->a < y->a ? -1 : 1) : x->b < y->b ? -1 : x->b > y->b;
}

// Lists the pairs whose boxes overlap.
static pl_result list_pairs(pl_world *w, float dt)
{
    rigid_contacts *c = &w->rigid_contacts;
    parallel threads = cpu_parallel(&w->cpu);
    pl_result result = list_joined(w);
    if (result == PL_OK)
        result = broad_phase_find(&w->memory, &c->broad, c->box, c->boxes, &threads);
    c->pairs = 0;
    for (int64_t i = 0; i < c->broad.pairs && result == PL_OK; i++)
    {
        int32_t a = c->broad.pair[2 * i], b = c->broad.pair[2 * i + 1];
        if (!is_convex(&c->collider[a])) // of a body that does not move, so the other one does
        {
            int32_t mesh = a;
            a = b, b = mesh;
        }
        if (a < c->of_bodies && is_convex(&c->collider[a]) && may_touch(w, a, b) && rigid_meets(w, a, b))
            result = add_pair(w, a, b);
    }
    bool planes = false;
    for (int64_t p = c->of_bodies; p < c->colliders; p++)
    {
        bool stirs = is_plane(&c->collider[p]) && rigid_stirs(w, (int32_t)p);
        for (int32_t a = 0; is_plane(&c->collider[p]) && a < c->of_bodies && result == PL_OK; a++)
            if ((c->box[a].moves || stirs) && may_touch(w, a, (int32_t)p) &&
                reaches_plane(w, &c->collider[p], &c->box[a], BOX_FRAMES * dt) && rigid_meets(w, a, (int32_t)p))
                result = add_pair(w, a, (int32_t)p), planes = true;
    }
    if (planes && result == PL_OK)
        qsort(c->pair, (size_t)c->pairs, sizeof *c->pair, compare_pairs);
    return result;
}

// Finds the boxes, if wanted, and the pairs. A body that wakes may wake others: then both are found again.
pl_result rigid_find_pairs(pl_world *w, float dt, bool find)
{
    rigid_contacts *c = &w->rigid_contacts;
    int64_t asleep;
    pl_result result = PL_OK;
    do
    {
        asleep = w->rigids.asleep;
        if (find)
            result = find_boxes(w, dt), c->found = true;
        if (result == PL_OK)
            result = list_pairs(w, dt);
        if (result == PL_OK)
            result = rigid_wake_marked(w);
        find = true;
    }
    while (result == PL_OK && w->rigids.asleep < asleep);
    rigid_forget_stirs(w);
    return result == PL_OK ? rigid_rows_return(w) : result;
}
