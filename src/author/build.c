// build.c: an object under construction.
#include "author/build.h"

#include <string.h>

static build_mark mark_of(const pl_world *w)
{
    build_mark m = {.faces = w->faces.count,
                    .clusters = w->clusters.count,
                    .members = w->clusters.members,
                    .volumes = w->volumes.count,
                    .oriented = w->oriented.count,
                    .lattices = w->lattices.count,
                    .visuals = w->visuals.count,
                    .lattice_members = w->lattices.members,
                    .things = w->thing_count,
                    .live = w->live,
                    .used = w->used,
                    .end = w->numbers.end,
                    .free = w->numbers.free,
                    .smooth = w->flow.smooth,
                    .particles_stale = w->particles_stale,
                    .colours_stale = w->colours_stale,
                    .order_stale = w->order_stale};
    for (int kind = 0; kind < PL_KIND_COUNT; kind++)
        m.rows[kind] = w->rows[kind].count;
    return m;
}

// Everything was put behind what was there, so taking it back is a matter of counts: not even the order is lost.
static void undo(build *b)
{
    pl_world *w = b->w;
    const build_mark *m = &b->mark;
    uint32_t object = b->object.index;
    for (int32_t i = w->things[object].first; i < w->things[object].first + w->things[object].count; i++)
        w->numbers.slot_of[i] = -1;
    for (int a = 0; a < SLOT_ARRAYS; a++) // they may have been dummies, which hold nothing
        memset(w->state.slot[a] + 4 * (size_t)m->used, 0, 16 * (size_t)(w->used - m->used));
    for (uint32_t i = 1; i < w->thing_count; i++)
        if (i == object || w->things[i].owner == object)
            w->things[i] = (thing){.generation = w->things[i].generation - 1};
    for (int kind = 0; kind < PL_KIND_COUNT; kind++)
        w->rows[kind].count = m->rows[kind];
    w->faces.count = m->faces;
    w->clusters.count = m->clusters;
    w->clusters.members = m->members;
    w->volumes.count = m->volumes;
    w->oriented.count = m->oriented;
    w->lattices.count = m->lattices;
    w->visuals.count = m->visuals;
    w->lattices.members = m->lattice_members;
    w->thing_count = m->things;
    w->live = m->live;
    w->used = m->used;
    w->numbers.end = m->end;
    w->numbers.free = m->free;
    w->flow.smooth = m->smooth;
    w->particles_stale = m->particles_stale;
    w->colours_stale = m->colours_stale;
    w->order_stale = m->order_stale;
}

void build_particles(build *b, const pl_particles_def *def)
{
    int count;
    b->mark = mark_of(b->w);
    b->w->building = true;
    if (b->result == PL_OK)
        b->result = pl_add_particles(b->w, def, &b->object);
    if (b->result == PL_OK)
    {
        pl_object_range(b->w, b->object, &b->first, &count);
        set_filter(b->w, b->first, count);
    }
}

void build_apart(build *b, int count)
{
    pl_phase phase;
    if (b->result == PL_OK)
        b->result = pl_get_phase(b->w, b->first, &phase);
    if (b->result != PL_OK)
        return;
    phase.self = false;
    b->result = pl_set_phase(b->w, b->first, count, &phase);
}

void build_radius(build *b, int count, float radius)
{
    for (int i = 0; b->result == PL_OK && i < count; i++)
        b->w->state.slot[SLOT_GRAIN][4 * (size_t)slot_of(b->w, b->first + i)] = radius;
    b->w->contacts.stale = b->w->contacts.crowd_stale = true;
}

void build_thickness(build *b, int count, float thickness)
{
    for (int i = 0; b->result == PL_OK && i < count; i++)
    {
        float *grain = b->w->state.slot[SLOT_GRAIN] + 4 * (size_t)slot_of(b->w, b->first + i);
        grain[0] = 0.5f * thickness;
        grain[2] = thickness;
    }
}

void build_index(build *b, int count, const int32_t *local)
{
    if (b->result == PL_OK)
        b->result =
            array_reserve(&b->w->memory, &b->index, &b->index_capacity, b->index_count + count, sizeof *b->index);
    for (int i = 0; b->result == PL_OK && i < count; i++)
        b->index[b->index_count++] = b->first + local[i];
}

void build_param(build *b, float value)
{
    if (b->result == PL_OK)
        b->result = array_reserve(&b->w->memory, &b->param, &b->param_capacity, b->param_count + 1, sizeof *b->param);
    if (b->result == PL_OK)
        b->param[b->param_count++] = value;
}

static void own(build *b, pl_id block)
{
    if (b->result == PL_OK)
        b->w->things[block.index].owner = b->object.index;
    b->block = block;
    b->index_count = b->param_count = 0;
}

void build_rows(build *b, pl_kind kind, pl_softness soft)
{
    b->block = (pl_id){0};
    if (b->result != PL_OK || b->index_count == 0)
        return;
    pl_constraints_def def = pl_default_constraints_def();
    pl_id block = {0};
    def.kind = kind;
    def.count = (int)(b->index_count / facts_of((int)kind)->info.arity);
    def.index = b->index;
    def.param = b->param_count ? b->param : NULL;
    def.soft = soft;
    b->result = pl_add_constraints(b->w, &def, &block);
    own(b, block);
}

void build_plastic(build *b, const pl_plastic *plastic)
{
    if (b->result == PL_OK && b->block.index && !(plastic->yield == 0.0f))
        b->result = pl_set_plastic(b->w, b->block, 0, b->w->things[b->block.index].count, plastic);
}

void build_strength(build *b, float strength)
{
    if (b->result == PL_OK && b->block.index && !(strength == 0.0f))
        b->result = pl_set_strength(b->w, b->block, 0, b->w->things[b->block.index].count, strength);
}

void build_faces(build *b, float drag, float lift)
{
    if (b->result != PL_OK || b->index_count == 0)
        return;
    pl_faces_def def = {(int)(b->index_count / 3), b->index, drag, lift};
    pl_id block = {0};
    b->result = pl_add_faces(b->w, &def, &block);
    own(b, block);
}

void build_clusters(build *b, const int32_t *start, int count, pl_cluster_material material, const float *field)
{
    if (b->result != PL_OK)
        return;
    pl_clusters_def def = {.count = count, .start = start, .particles = b->index, .field = field, .material = material};
    pl_id block = {0};
    b->result = pl_add_clusters(b->w, &def, &block);
    own(b, block);
}

void build_volume(build *b, float pressure, float compliance)
{
    if (b->result != PL_OK)
        return;
    pl_volume_def def = pl_default_volume_def();
    pl_id block = {0};
    def.triangle_count = (int)(b->index_count / 3);
    def.triangles = b->index;
    def.pressure = pressure;
    def.compliance = compliance;
    b->result = pl_add_volume(b->w, &def, &block);
    own(b, block);
}

pl_result build_end(build *b, pl_id *object)
{
    array_free(&b->w->memory, &b->index, &b->index_capacity, sizeof *b->index);
    array_free(&b->w->memory, &b->param, &b->param_capacity, sizeof *b->param);
    b->w->building = false;
    if (b->result != PL_OK && b->object.index)
        undo(b);
    if (b->result == PL_OK && object)
        *object = b->object;
    return b->result;
}
