// resources.h: where the entries of a resource (plan/stages.def) lie in a state.
#ifndef TESTS_STEP_RESOURCES_H
#define TESTS_STEP_RESOURCES_H

#include "model/world.h"
#include "plan/stage.h"

// `count` pieces of `size` bytes, `stride` apart.
typedef struct piece_list
{
    char *at;
    size_t count, stride, size;
} piece_list;

enum
{
    MOST_PIECES = 2048,
};

typedef struct places
{
    piece_list list[MOST_PIECES];
    int count;
} places;

static inline void add_place(places *p, const void *at, size_t count, size_t stride, size_t size)
{
    if (at && count && p->count < MOST_PIECES)
        p->list[p->count++] = (piece_list){(char *)at, count, stride, size};
}

static inline void add_array(places *p, const void *at, size_t bytes) { add_place(p, at, 1, bytes, bytes); }

// Numbers [first, first + n) of each slot of an array.
static inline void add_slot_places(places *p, const state *s, int array, int first, int n)
{
    add_place(p, s->slot[array] + first, (size_t)s->slots, 16, 4 * (size_t)n);
}

static inline void add_row_places(places *p, const state *s, int resource)
{
    for (int kind = 0; kind < PL_KIND_COUNT; kind++)
    {
        const packed_rows *r = &s->rows[kind];
        size_t end = (size_t)r->jacobi_end;
        if (!end)
            continue;
        if (resource == RESOURCE_LAMBDA)
            add_array(p, r->lambda, 4 * (size_t)r->parts * (size_t)r->lambda_step);
        if (resource == RESOURCE_LAMBDA_WAY && s->acceleration.slots && !r->frames)
        {
            add_array(p, r->start_lambda, 4 * (size_t)r->parts * end);
            add_array(p, r->way_lambda, 4 * (size_t)r->parts * end);
        }
        if (resource == RESOURCE_ACTIVE && facts_of(kind)->bound)
            add_array(p, r->active, end);
        if (resource == RESOURCE_DAMAGE && r->damaged)
            add_array(p, r->damage, end * sizeof *r->damage);
        for (int i = 0; resource == RESOURCE_PARAM && i < facts_of(kind)->info.params; i++)
            add_array(p, r->param[i], 4 * (r->param_step[i] ? end : PAD));
        if (resource == RESOURCE_DELTA)
            add_array(p, r->delta,
                      16 * (end - (size_t)r->jacobi_begin) * (size_t)facts_of(kind)->writes *
                          (facts_of(kind)->frames ? 2 : 1));
    }
}

static inline void add_group_places(places *p, const state *s, int resource)
{
    const packed_oriented *o = &s->oriented;
    const packed_clusters *c = &s->clusters;
    const packed_lattices *lattice = &s->lattices;
    const packed_volumes *v = &s->volumes;
    bool objects = resource == RESOURCE_MOTION_PART || resource == RESOURCE_MOTION_SUM || resource == RESOURCE_MOTION;
    const packed_lists *l = &s->lists[objects ? LISTS_OBJECTS : LISTS_COMPONENTS];
    size_t turns = (size_t)o->count, cells = (size_t)lattice->cells, poses = (size_t)c->count;
    switch (resource)
    {
    case RESOURCE_TURN:
        add_place(p, turns ? o->pose->rotation : NULL, turns, sizeof *o->pose,
                  sizeof o->pose->rotation + sizeof o->pose->low);
        break;
    case RESOURCE_SPIN:
        add_place(p, turns ? o->pose->spin : NULL, turns, sizeof *o->pose, sizeof o->pose->spin);
        break;
    case RESOURCE_TURN_SAFE:
        add_array(p, o->safe, turns * sizeof *o->safe);
        break;
    case RESOURCE_WAY:
        add_place(p, turns ? o->way->aim : NULL, turns, sizeof *o->way, sizeof *o->way - sizeof o->way->rotated);
        break;
    case RESOURCE_TURNED:
        add_place(p, turns ? o->way->rotated : NULL, turns, sizeof *o->way, sizeof o->way->rotated);
        break;
    case RESOURCE_TURN_KEPT:
        add_array(p, o->kept, 16 * turns);
        break;
    case RESOURCE_MOTION_SUM:
    case RESOURCE_COMPONENT_SUM:
        add_array(p, l->sum, (size_t)l->blocks * sizeof *l->sum);
        break;
    case RESOURCE_MOTION:
    case RESOURCE_COMPONENT_MOTION:
        add_array(p, l->motion, (size_t)l->count * sizeof *l->motion);
        break;
    case RESOURCE_MOTION_PART:
    case RESOURCE_COMPONENT_PART:
        add_array(p, l->part, 4 * MOTION_SUMS * MOTION_TERMS * (size_t)l->chunks);
        break;
    case RESOURCE_CLUSTER_SUM:
        add_array(p, c->sum, (size_t)c->chunks * sizeof *c->sum);
        break;
    case RESOURCE_POSE:
        add_array(p, c->pose, poses * sizeof *c->pose);
        break;
    case RESOURCE_LOST:
        add_array(p, c->lost, 4 * MATCH_LOST * (size_t)c->chunks);
        break;
    case RESOURCE_LATTICE_SUM:
        add_array(p, lattice->sum[0], 16 * LATTICE_PARTS * cells);
        add_array(p, lattice->sum[1], 16 * LATTICE_PARTS * cells);
        add_array(p, lattice->ends, 16 * LATTICE_PARTS * cells);
        break;
    case RESOURCE_LATTICE_TURN:
        add_place(p, cells ? lattice->cell->rotation : NULL, cells, sizeof *lattice->cell,
                  sizeof lattice->cell->rotation);
        break;
    case RESOURCE_VOLUME_SUM:
        add_array(p, v->sum, (size_t)v->chunks * sizeof *v->sum);
        break;
    case RESOURCE_GRADIENT:
        add_array(p, v->gradient, v->count ? 16 * (size_t)v->start[v->count] : 0);
        break;
    case RESOURCE_VOLUME:
        add_array(p, v->body, (size_t)v->count * sizeof *v->body);
        break;
    case RESOURCE_STRAND_PULL:
        for (int c = 0; c < 3 && s->strands.rows; c++)
            add_array(p, s->strands.pull[c], 4 * PAD * (size_t)s->strands.rows);
        break;
    case RESOURCE_RIGID_SAFE:
        add_array(p, s->rigids.safe, (size_t)s->rigids.count * sizeof *s->rigids.safe);
        break;
    case RESOURCE_RIGID_ANCHOR:
        add_array(p, s->rigids.anchor, (size_t)s->rigids.count * sizeof *s->rigids.anchor);
        break;
    default:
        break;
    }
}

static inline void add_columns(places *p, float *const *columns, int n, size_t rows)
{
    for (int i = 0; i < n; i++)
        add_array(p, columns[i], 4 * PAD * rows);
}

static inline void add_contact_places(places *p, const state *s, int resource)
{
    const packed_pairs *a = &s->pairs;
    const packed_shape_contacts *t = &s->shape_contacts;
    const packed_surface *k = &s->surfaces;
    size_t pairs = a->groups.row ? (size_t)a->groups.row[a->all[1]] : 0;
    size_t shape_contacts = t->groups.row ? (size_t)t->groups.row[t->range[1]] : 0;
    size_t surface_rows = k->groups.row ? (size_t)k->groups.row[k->all[1]] : 0;
    for (int i = 0; resource == RESOURCE_PAIR_LAMBDA && i < 4; i++)
        add_place(p, a->lambda[i], pairs, 4 * (size_t)a->step, 4 * PAD);
    if (resource == RESOURCE_PAIR_CARRIED)
        add_place(p, a->carried, pairs, 4 * (size_t)a->step, 4 * PAD);
    if (resource == RESOURCE_SHAPE_CONTACT_CARRIED)
        add_columns(p, &t->carried, 1, shape_contacts);
    if (resource == RESOURCE_PLANE)
        add_columns(p, t->plane, 4, shape_contacts), add_columns(p, t->drift, 3, shape_contacts);
    if (resource == RESOURCE_SHAPE_CONTACT_LAMBDA)
        add_columns(p, t->lambda, 4, shape_contacts);
    if (resource == RESOURCE_SURFACE_FORM)
    {
        add_columns(p, k->normal, 3, surface_rows), add_columns(p, k->weight, 4, surface_rows);
        add_columns(p, &k->gap, 1, surface_rows), add_columns(p, &k->aim, 1, surface_rows);
    }
    if (resource == RESOURCE_SURFACE_PUSH)
        add_array(p, k->push, 16 * PAD * surface_rows);
    if (resource == RESOURCE_SURFACE_LIMIT)
        add_columns(p, &k->limit, 1, surface_rows);
    if (resource == RESOURCE_SURFACE_LAMBDA)
        add_columns(p, k->lambda, 4, surface_rows);
    const packed_fluid *f = &s->fluid;
    size_t wet = f->room ? 16 * (size_t)s->neighbours[CLIENT_FLUID].count : 0;
    if (resource == RESOURCE_FLUID_COPY)
        add_array(p, f->x, wet), add_array(p, f->d, wet), add_array(p, f->mass, wet);
    if (resource == RESOURCE_FLUID_PUSH)
        add_array(p, f->push, wet), add_array(p, f->wall, wet);
    if (resource == RESOURCE_FLUID_NORMAL && f->room > 1)
        add_array(p, f->normal, wet);
    if (resource == RESOURCE_FLUID_ATTRACTION && f->room > 1)
        add_array(p, f->attraction, wet);
    const packed_rigid_contacts *r = &s->rigid_contacts;
    size_t rows = r->row_room ? (size_t)r->range[RANGE_ROWS + 1] : 0;
    if (resource == RESOURCE_RIGID_KEPT && rows)
        add_array(p, r->kept, 4 * rows * KEPT_WORDS);
    if (resource == RESOURCE_RIGID_STOP && rows)
        add_array(p, r->stop, 4 * STOP_WORDS * (size_t)r->bodies);
    if (resource == RESOURCE_RIGID_WORK && rows)
        add_array(p, r->work, 4 * rows * WORK_WORDS);
    if (resource == RESOURCE_RIGID_WORK && rows && r->noted)
        add_array(p, r->speed, 4 * rows * RIGID_POINTS);
    if (resource == RESOURCE_RIGID_NOTE && rows && r->noted)
        add_array(p, r->note, (size_t)r->range[RANGE_PAIRS + 1] * sizeof *r->note);
    const packed_body_particles *b = &s->body_particles;
    const int32_t *range = b->row_room ? b->range : NULL;
    if (resource == RESOURCE_BODY_KEPT && range)
    {
        add_array(p, b->kept, 16 * (size_t)range[BODY_RANGE_ROWS + 1]);
        add_array(p, b->tag, sizeof *b->tag * (size_t)range[BODY_RANGE_ROWS + 1]);
    }
    if (resource == RESOURCE_BODY_NOTE && range && b->noted)
        add_array(p, b->note, sizeof *b->note * (size_t)range[BODY_RANGE_PAIRS + 1]);
    if (resource == RESOURCE_BODY_WEIGHT && range)
        add_array(p, b->weight, 16 * (size_t)range[BODY_RANGE_ROWS + 1]);
    if (resource == RESOURCE_BODY_WORK && range)
        add_array(p, b->work, sizeof *b->work * (size_t)range[BODY_RANGE_ROWS + 1]);
    if (resource == RESOURCE_BODY_FLUID && range)
        add_array(p, b->fluid, sizeof *b->fluid * (size_t)range[BODY_RANGE_POINTS + 1]);
    if (resource == RESOURCE_BODY_SUM && range)
        add_array(p, b->sum, sizeof *b->sum * (size_t)range[BODY_RANGE_CHUNKS + 1]);
    if (resource == RESOURCE_BODY_MOTION && range)
        add_array(p, b->motion, sizeof *b->motion * (size_t)range[BODY_RANGE_BODIES + 1]);
}

static inline void add_world_places(places *p, const state *s, int resource)
{
    flow *f = s->now;
    switch (resource)
    {
    case RESOURCE_SMOOTH:
        add_array(p, &f->smooth, sizeof f->smooth);
        add_array(p, &f->second, sizeof f->second);
        break;
    case RESOURCE_EVENT:
        add_array(p, &f->event, sizeof f->event);
        break;
    case RESOURCE_CHEBYSHEV:
        add_array(p, &f->chebyshev, sizeof f->chebyshev);
        break;
    case RESOURCE_BAD:
        add_array(p, &f->bad, sizeof f->bad);
        break;
    case RESOURCE_TORN:
        add_array(p, &f->torn, sizeof f->torn);
        break;
    case RESOURCE_RIGID_LEFT:
        add_array(p, &f->rigid_left, sizeof f->rigid_left);
        break;
    case RESOURCE_PLACE_LEFT:
        add_array(p, &f->place_left, sizeof f->place_left);
        break;
    case RESOURCE_RIGID_STILL:
        add_array(p, &f->rigid_still, sizeof f->rigid_still);
        break;
    case RESOURCE_FAR:
        add_array(p, f->far, sizeof f->far);
        break;
    case RESOURCE_SURFACE_AGE:
        add_array(p, &f->surface_age, sizeof f->surface_age);
        break;
    case RESOURCE_DRIFTED:
        add_array(p, &f->drifted, sizeof f->drifted);
        break;
    case RESOURCE_CROWDED:
        add_array(p, f->crowded, sizeof f->crowded);
        break;
    default:
        break;
    }
}

static inline void places_of(const state *s, int resource, places *p)
{
    static const struct
    {
        int array, first, n;
    } slots[RESOURCE_COUNT] = {[RESOURCE_X] = {SLOT_X, 0, 4},
                               [RESOURCE_D] = {SLOT_D, 0, 3},
                               [RESOURCE_D1] = {SLOT_D1, 0, 4},
                               [RESOURCE_V] = {SLOT_V, 0, 3},
                               [RESOURCE_STRUCK] = {SLOT_V, 3, 1},
                               [RESOURCE_V1] = {SLOT_V1, 0, 4},
                               [RESOURCE_AIR] = {SLOT_AIR, 0, 4},
                               [RESOURCE_SAFE] = {SLOT_SAFE_X, 0, 4},
                               [RESOURCE_NORMAL] = {SLOT_NORMAL, 0, 4},
                               [RESOURCE_KEPT] = {SLOT_KEPT, 0, 3},
                               [RESOURCE_PRESSURE] = {SLOT_PRESSURE, 0, 4},
                               [RESOURCE_DYE] = {SLOT_DYE, 0, 4},
                               [RESOURCE_GAS_START] = {SLOT_GAS, 0, 2},
                               [RESOURCE_GAS_NOW] = {SLOT_GAS, 3, 1}};
    const packed_acceleration *a = &s->acceleration;
    p->count = 0;
    if (resource == RESOURCE_ROWS_START)
        add_place(p, a->slots ? a->start : NULL, (size_t)a->slots, 16, 12);
    if (resource == RESOURCE_ROWS_WAY)
        add_place(p, a->slots ? a->way : NULL, (size_t)a->slots, 16, 12);
    const packed_hierarchy *h = &s->hierarchy;
    for (int i = 0; resource == RESOURCE_COARSE && h->nodes && i < 3; i++)
        add_array(p, i == 0 ? h->x : i == 1 ? h->from : h->d, 16 * (size_t)h->nodes);
    if (resource == RESOURCE_COARSE_TENSION && h->links)
        add_array(p, h->tension, 4 * (size_t)h->links);
    if (slots[resource].n)
        add_slot_places(p, s, slots[resource].array, slots[resource].first, slots[resource].n);
    if (resource == RESOURCE_SAFE)
        add_slot_places(p, s, SLOT_SAFE_V, 0, 4);
    if (resource == RESOURCE_FACE_FORCE)
        add_array(p, s->faces.force, 16 * (size_t)s->faces.count);
    add_row_places(p, s, resource);
    add_group_places(p, s, resource);
    add_contact_places(p, s, resource);
    add_world_places(p, s, resource);
}

static inline bool by_slot(int resource) { return resource <= RESOURCE_NORMAL; }

#endif
