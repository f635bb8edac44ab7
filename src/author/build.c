// build.c: builds an object part by part, and undoes it if a part fails.
#include "author/build.h"
#include "edit/edit_in_place.h"
#include "groups/group.h"

#include <string.h>

build_mark build_begin(const pl_world *w)
{
    const contacts *t = &w->contacts;
    build_mark m = {.faces = w->faces.count,
                    .entries = w->entry_count,
                    .joined = w->order.joined,
                    .live = w->live,
                    .used = w->used,
                    .hole = w->hole,
                    .end = w->numbers.end,
                    .free = w->numbers.free,
                    .smooth = w->flow.smooth,
                    .particles_stale = w->particles_stale,
                    .colours_stale = w->colours_stale,
                    .tear_on = w->tear.on,
                    .colliders_stale = t->colliders_stale,
                    .contacts_stale = t->stale,
                    .rigid_stale = w->rigid_contacts.stale,
                    .places_stale = w->body_particles.stale,
                    .rigid_colliders_stale = w->rigid_contacts.colliders_stale,
                    .rigid_loaded = w->rigid_contacts.loaded,
                    .rigids_added = w->rigids.added,
                    .listed = t->listed,
                    .resume = t->resume,
                    .surface_stale = w->surfaces.stale,
                    .surface_listed = w->surfaces.listed,
                    .surface_resume = w->surfaces.resume};
    for (int kind = 0; kind < PL_KIND_COUNT; kind++)
    {
        m.rows[kind] = w->rows[kind].count;
        m.worn[kind] = w->rows[kind].damage != NULL;
    }
    for (int i = 0; i < GROUP_KINDS; i++)
        m.groups[i] = group_count(w, group_kinds[i]);
    return m;
}

// Restores the flags by which the object would have made the world be ordered, coloured and listed again. If the device
// was lost meanwhile, the world has been restored from a checkpoint, and the flags of the lists are kept.
static void undo_flags(pl_world *w, const build_mark *m, bool lost)
{
    contacts *t = &w->contacts;
    w->particles_stale = m->particles_stale;
    w->colours_stale = m->colours_stale;
    w->order.joined = m->joined;
    w->tear.on = m->tear_on;
    w->surfaces.stale = m->surface_stale;
    if (lost)
        return;
    t->colliders_stale = m->colliders_stale, t->stale = m->contacts_stale;
    w->body_particles.stale = m->places_stale;
    w->rigid_contacts.stale = m->rigid_stale, w->rigid_contacts.colliders_stale = m->rigid_colliders_stale;
    w->rigid_contacts.loaded = m->rigid_loaded;
    w->rigids.added = m->rigids_added;
    t->listed = m->listed, t->resume = m->resume;
    w->surfaces.listed = m->surface_listed, w->surfaces.resume = m->surface_resume;
    w->flow.smooth = m->smooth;
}

static void undo_rows(pl_world *w, const build_mark *m)
{
    for (int kind = 0; kind < PL_KIND_COUNT; kind++)
    {
        rows *r = &w->rows[kind];
        edit_undo_rows(w, kind, m->rows[kind]);
        if (r->damage && !m->worn[kind])
            array_free(&w->memory, &r->damage, &r->damage_capacity, sizeof *r->damage);
    }
}

static void undo_object(pl_world *w, uint32_t object)
{
    const id_entry *t = &w->entries[object];
    for (int32_t i = t->first; i < t->first + t->count; i++)
    {
        edit_free_slot(w, w->numbers.slot_of[i]);
        w->numbers.slot_of[i] = -1;
    }
    for (uint32_t i = 1; i < w->entry_count; i++)
        if (i == object || w->entries[i].owner == object)
            w->entries[i] = (id_entry){.generation = w->entries[i].generation - 1};
}

// Removes the objects. Rows and particles are removed from the places that they were given; everything else was
// appended, so it is enough to restore the counts. If the world was about to be packed again, it still is, which
// changes nothing.
void build_undo(pl_world *w, const build_mark *m, const pl_id *objects, int count, pl_result why)
{
    undo_flags(w, m, why == PL_ERROR_DEVICE);
    undo_rows(w, m);
    for (int i = count - 1; i >= 0; i--)
        undo_object(w, objects[i].index);
    w->faces.count = m->faces;
    groups_truncate(w, m->groups);
    w->entry_count = m->entries;
    w->live = m->live;
    w->used = m->used;
    w->hole = m->hole;
    w->numbers.end = m->end;
    w->numbers.free = m->free;
    w->faces_stale = true;
    world_changed(w, true);
}

void build_particles(build *b, const pl_particles_def *def)
{
    int count;
    b->mark = build_begin(b->w);
    if (b->result == PL_OK)
        b->result = pl_add_particles(b->w, def, &b->object);
    if (b->result == PL_OK)
    {
        pl_object_range(b->w, b->object, &b->first, &count);
        set_filter(b->w, b->first, count);
    }
}

float *build_collision(build *b, int i)
{
    int32_t slot = slot_of(b->w, b->first + i);
    patch_slot(b->w, slot);
    return b->w->state.slot[SLOT_COLLISION] + 4 * (size_t)slot;
}

void build_apart(build *b, int count)
{
    for (int i = 0; b->result == PL_OK && i < count; i++)
    {
        float *phase = build_collision(b, i) + 1;
        *phase = float_of(bits_of(*phase) & ~(uint32_t)PHASE_SELF);
    }
}

void build_radius(build *b, int count, float radius)
{
    for (int i = 0; b->result == PL_OK && i < count; i++)
        build_collision(b, i)[0] = radius;
    if (b->result == PL_OK)
        b->w->contacts.stale = b->w->contacts.colliders_stale = true;
}

void build_thickness(build *b, int count, float thickness)
{
    for (int i = 0; b->result == PL_OK && i < count; i++)
    {
        float *collision = build_collision(b, i);
        collision[0] = 0.5f * thickness;
        collision[2] = thickness;
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
        b->w->entries[block.index].owner = b->object.index;
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
        b->result = pl_set_plastic(b->w, b->block, 0, b->w->entries[b->block.index].count, plastic);
}

void build_strength(build *b, float strength)
{
    if (b->result == PL_OK && b->block.index && !(strength == 0.0f))
        b->result = pl_set_strength(b->w, b->block, 0, b->w->entries[b->block.index].count, strength);
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

void build_strands(build *b, const pl_strands_def *def)
{
    if (b->result != PL_OK)
        return;
    pl_id block = {0};
    b->result = pl_add_strands(b->w, def, &block);
    own(b, block);
}

pl_result build_end(build *b, pl_id *object)
{
    array_free(&b->w->memory, &b->index, &b->index_capacity, sizeof *b->index);
    array_free(&b->w->memory, &b->param, &b->param_capacity, sizeof *b->param);
    if (b->result != PL_OK && b->object.index)
        build_undo(b->w, &b->mark, &b->object, 1, b->result);
    if (b->result == PL_OK && object)
        *object = b->object;
    return b->result;
}
