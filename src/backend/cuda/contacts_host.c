// contacts_host.c: sends the colliders, shapes and multipliers to the device, and lays out its lists as the host's code
// expects them.
#include "backend/cuda/host_side.h"
#include "core/arena.h"
#include "neighbours/clients/client.h"
#include "neighbours/contact/contacts.h"

#include <string.h>

#if defined(PL_CUDA)

// Where the materials, the pairs of materials and the ids of the shapes lie in one block.
typedef struct sent_arrays
{
    material_values *each, *pair;
    uint64_t *key;
    int32_t *id_entry;
} sent_arrays;

static sent_arrays cut_block(const contacts *t, void *block)
{
    sent_arrays s;
    s.key = block;
    s.each = (material_values *)(s.key + t->between_count);
    s.pair = s.each + t->materials;
    s.id_entry = (int32_t *)(s.pair + t->between_count);
    return s;
}

static void fill_materials(const contacts *t, const sent_arrays *s)
{
    for (int32_t i = 0; i < t->materials; i++)
        s->each[i] = material_values_of(&t->material[i]);
    for (int64_t i = 0; i < t->between_count; i++)
    {
        s->key[i] = (uint64_t)t->between[i].a << 32 | (uint64_t)t->between[i].b;
        s->pair[i] = material_values_of(&t->between[i].values);
    }
}

static pl_result send_colliders(pl_world *w)
{
    contacts *t = &w->contacts;
    cuda_side *c = w->cuda;
    void *block = NULL;
    size_t bytes = (size_t)t->between_count * (sizeof(uint64_t) + sizeof(material_values)) +
                   (size_t)t->materials * sizeof(material_values) + 4 * (size_t)t->shape_count;
    pl_result result = memory_resize(&w->memory, &block, 0, bytes);
    if (result != PL_OK)
        return result;
    const sent_arrays sent = cut_block(t, block);
    fill_materials(t, &sent);
    int32_t hard = 0;
    for (int32_t i = 0; i < t->shape_count; i++)
    {
        sent.id_entry[i] = (int32_t)t->shapes[i].id_entry;
        hard |= t->shapes[i].def.kind > PL_SHAPE_BOX;
    }
    device_colliders colliders = {.collider = t->collider,
                                  .colliders = t->colliders,
                                  .live = w->state.particles,
                                  .radius = t->radius,
                                  .one_material = t->one_material,
                                  .materials = {sent.each, sent.pair, sent.key, (int32_t)t->between_count},
                                  .material_count = t->materials,
                                  .shape_id_entry = sent.id_entry,
                                  .shapes = t->shape_count,
                                  .hard_shapes = hard,
                                  .has_surfaces = has_surface(w),
                                  .built = t->resume ? t->built : NULL};
    for (int i = 0; i < NEIGHBOUR_CLIENTS; i++)
    {
        const client_list *l = &w->client_lists[i];
        const neighbour_client *client = client_of(i);
        if (client->takes)
            colliders.clients[i] =
                (device_client){l->slot, l->count, client->filter, client->scale, l->radius, l->beside};
    }
    device_error why = {0};
    if (c->api->set_colliders(c->device, &colliders, &c->lists, &why))
    {
        c->collider_version = t->collider_version;
        c->shape_version = t->shape_version;
        c->sent_surfaces = has_surface(w);
    }
    else
        result = cuda_report(w, &why);
    memory_free(&w->memory, block, bytes);
    return result;
}

static device_carry view_carry(const carry *c)
{
    return (device_carry){c->first, c->count, c->other, c->lambda, c->entries};
}

// Sends the multipliers that the host has, for the next lists.
static pl_result tell_carried(pl_world *w)
{
    contacts *t = &w->contacts;
    cuda_side *c = w->cuda;
    device_error why = {0};
    pl_result result = carry_kept(w, &t->carry, &t->kept, true);
    if (result == PL_OK)
        result = carry_kept(w, &t->shape_contact_carry, &t->kept_shape_contacts, false);
    if (result != PL_OK)
        return result;
    device_carry pairs = view_carry(&t->carry), shape_contacts = view_carry(&t->shape_contact_carry);
    return c->api->carry(c->device, &pairs, &shape_contacts, &c->lists, &why) ? PL_OK : cuda_report(w, &why);
}

pl_result cuda_far_away(const pl_world *w)
{
    const neighbour_state *s = &w->cuda->lists.search;
    float cell = cell_size(w->contacts.radius, s->margin);
    bool wide = true; // the particles are spread too widely; none is too far away
    for (int a = 0; a < 3; a++)
        wide &= s->high[a] < CELL_MOST;
    return wide ? neighbours_too_wide(s->bits, cell) : neighbours_too_far(cell);
}

static pl_result resume_lists(pl_world *w)
{
    cuda_side *c = w->cuda;
    device_error why = {0};
    if (c->api->resume(c->device, &w->state, &c->lists, &why))
        return PL_OK;
    return why.far ? cuda_far_away(w) : cuda_report(w, &why);
}

pl_result cuda_contacts_begin(pl_world *w)
{
    contacts *t = &w->contacts;
    cuda_side *c = w->cuda;
    bool up_to_date = c->collider_version == t->collider_version && c->shape_version == t->shape_version &&
                      c->sent_surfaces == has_surface(w);
    pl_result result = PL_OK;
    if (!has_contacts(w) && up_to_date)
        return PL_OK;
    if (!up_to_date || !t->listed)
    {
        result = contacts_keep(w);
        t->listed = false;
        c->lists = (list_now){
            .sparse = t->sparse, .shape_contact_margin = t->shape_contact_margin, .search.margin = t->margin};
        if (result == PL_OK && (!up_to_date || t->resume))
            result = send_colliders(w);
        if (result == PL_OK && has_contacts(w))
            result = tell_carried(w);
    }
    c->lists.stale = t->stale;
    if (result == PL_OK && t->resume)
        result = resume_lists(w);
    return result;
}

void cuda_contacts_end(pl_world *w)
{
    contacts *t = &w->contacts;
    const list_now *l = &w->cuda->lists;
    if (!has_contacts(w))
        return;
    t->kept.count = t->kept_shape_contacts.count = 0;
    t->listed = l->listed;
    t->stale = l->stale;
    t->resume = false;
    t->sparse = l->sparse;
    t->margin = l->search.margin;
    t->shape_contact_margin = l->shape_contact_margin;
}

// ---- from the device -----------------------------------------------------------------------------------------------

static pl_result reserve_lists(pl_world *w, float **lambda)
{
    contacts *t = &w->contacts;
    const list_now *l = &w->cuda->lists;
    memory *m = &w->memory;
    pl_result r = neighbours_reserve(&t->neighbours, m, l->search.sorted_count, l->search.pairs);
    if (r == PL_OK)
        r = array_reserve(m, &t->row, &t->row_capacity, l->search.pairs, sizeof(int32_t));
    if (r == PL_OK)
        r = array_reserve(m, &t->near_first, &t->near_first_capacity, w->state.particles + 1, sizeof(int32_t));
    if (r == PL_OK)
        r = array_reserve(m, &t->near_shape, &t->near_shape_capacity, l->shape_contacts, sizeof(int32_t));
    if (r == PL_OK)
        r = array_reserve(m, &t->near_row, &t->near_row_capacity, l->shape_contacts, sizeof(int32_t));
    if (r == PL_OK)
        r = array_reserve(m, &t->built, &t->built_capacity, t->shape_count, sizeof *t->built);
    // Space for the columns, and for the data as it comes from the device.
    if (r == PL_OK)
        r = array_reserve(m, &t->packing, &t->packing_capacity, 36 * (int64_t)l->search.pairs + 1024, 1);
    if (r == PL_OK)
        r = array_reserve(m, &t->shape_contact_packing, &t->shape_contact_packing_capacity,
                          72 * (int64_t)l->shape_contacts + 1024, 1);
    *lambda = (float *)(void *)t->packing;
    return r;
}

// Splits arrays of 4 floats into 4 columns.
static void into_columns(const float *from, int64_t count, float **columns)
{
    for (int64_t i = 0; i < count; i++)
        for (int l = 0; l < 4; l++)
            columns[l][i] = from[4 * i + l];
}

static void lay_out_readback(pl_world *w, const float *lambda, const float *shape_contact_lambda,
                             const float *shape_contact_plane)
{
    contacts *t = &w->contacts;
    const list_now *l = &w->cuda->lists;
    packed_pairs *p = &w->state.pairs;
    packed_shape_contacts *q = &w->state.shape_contacts;
    const float *grain = w->state.slot[SLOT_COLLISION];
    float *column = (float *)(void *)t->packing + 4 * (size_t)l->search.pairs;
    for (int i = 0; i < 4; i++)
        p->lambda[i] = column + (size_t)i * (size_t)l->search.pairs;
    p->reach = column + 4 * (size_t)l->search.pairs;
    into_columns(lambda, l->search.pairs, p->lambda);
    for (int32_t i = 0; i < l->search.pairs; i++)
    {
        const neighbour_list *n = &t->neighbours;
        const int32_t *slot = n->sorted.value;
        t->row[i] = i;
        p->reach[i] = grain[4 * (size_t)slot[n->owner[i]]] + grain[4 * (size_t)slot[n->neighbour[i]]];
    }
    column = (float *)(void *)t->shape_contact_packing + 8 * (size_t)l->shape_contacts;
    for (int i = 0; i < 4; i++)
    {
        q->lambda[i] = column + (size_t)i * (size_t)l->shape_contacts;
        q->plane[i] = column + (size_t)(4 + i) * (size_t)l->shape_contacts;
    }
    into_columns(shape_contact_lambda, l->shape_contacts, q->lambda);
    into_columns(shape_contact_plane, l->shape_contacts, q->plane);
    q->shape = t->near_shape;
    q->index = (uint32_t *)(void *)(column + 8 * (size_t)l->shape_contacts);
    q->part = (int32_t *)(void *)(column + 9 * (size_t)l->shape_contacts);
    for (int32_t slot = 0; l->shape_contacts && slot < w->state.particles; slot++)
        for (int32_t i = t->near_first[slot]; i < t->near_first[slot + 1]; i++)
        {
            bool again = i > t->near_first[slot] && t->near_shape[i] == t->near_shape[i - 1];
            t->near_row[i] = i;
            q->index[i] = 4 * (uint32_t)slot;
            q->part[i] = again ? q->part[i - 1] + 1 : 0;
        }
}

pl_result cuda_contacts_read(pl_world *w)
{
    contacts *t = &w->contacts;
    cuda_side *c = w->cuda;
    neighbour_list *g = &t->neighbours;
    float *lambda;
    device_error why = {0};
    if (!t->listed)
        return PL_OK;
    pl_result result = pull(w, ARRAY_BIT(SLOT_COLLISION));
    if (result == PL_OK)
        result = reserve_lists(w, &lambda);
    if (result != PL_OK)
        return result;
    g->count = c->lists.search.sorted_count;
    g->pairs = c->lists.search.pairs;
    g->cell = cell_size(t->radius, c->lists.search.margin);
    memcpy(g->low, c->lists.search.low, sizeof g->low);
    memcpy(g->bits, c->lists.search.bits, sizeof g->bits);
    t->shape_contacts = c->lists.shape_contacts;
    float *shape_contact_lambda = (float *)(void *)t->shape_contact_packing,
          *shape_contact_plane = shape_contact_lambda + 4 * (size_t)t->shape_contacts;
    device_readback host_copy = {g->sorted.key,
                                 g->sorted.value,
                                 g->start,
                                 g->owner,
                                 g->neighbour,
                                 lambda,
                                 t->near_first,
                                 t->near_shape,
                                 shape_contact_lambda,
                                 shape_contact_plane,
                                 t->built};
    if (!c->api->read_lists(c->device, &c->lists, &host_copy, &why))
        return cuda_report(w, &why);
    lay_out_readback(w, lambda, shape_contact_lambda, shape_contact_plane);
    return PL_OK;
}

#endif
