// inspect.c: returns internal data for display and debugging: contacts, grid cells, boxes of meshes, and the order of
// constraints.
#include "edit/add.h"
#include "model/world.h"
#include "neighbours/contact/oriented_overlap.h"

#include <math.h>

// ---- contacts ------------------------------------------------------------------------------------------------------

typedef struct collection
{
    const pl_world *w;
    pl_contact_info *out;
    int count, capacity;
} collection;

static void put(collection *c, const pl_contact_info *contact)
{
    if (c->count < c->capacity)
        c->out[c->count] = *contact;
    c->count++;
}

// Fills what all contacts have in common. The point lies on the surface of particle a, opposite to the direction in
// which a is pushed.
static pl_contact_info contact_of(const pl_world *w, int32_t slot, pl_vec3 normal, float lambda)
{
    const float *x = w->state.slot[SLOT_X] + 4 * (size_t)slot;
    reach_now r = reach_towards(w, slot, normal);
    return (pl_contact_info){
        .a = w->number_of[slot],
        .b = -1,
        .point = {x[0] - r.tip.x, x[1] - r.tip.y, x[2] - r.tip.z},
        .normal = normal,
        .force = w->force_scale * lambda,
    };
}

static void put_pairs(collection *c)
{
    const pl_world *w = c->w;
    const neighbour_list *g = &w->contacts.neighbours;
    for (int64_t p = 0; p < g->pairs; p++)
    {
        size_t row = (size_t)w->contacts.row[p];
        int32_t a = g->sorted.value[g->owner[p]], b = g->sorted.value[g->neighbour[p]];
        float lambda = pressed_with(w->state.pairs.lambda[0][row]);
        if (lambda == 0.0f || w->number_of[a] < 0 || w->number_of[b] < 0)
            continue;
        const float *x = w->state.slot[SLOT_X] + 4 * (size_t)a, *y = w->state.slot[SLOT_X] + 4 * (size_t)b;
        float dx = x[0] - y[0], dy = x[1] - y[1], dz = x[2] - y[2], far = sqrtf(dx * dx + dy * dy + dz * dz);
        pl_vec3 n = far > 0.0f ? (pl_vec3){dx / far, dy / far, dz / far} : (pl_vec3){0.0f, 1.0f, 0.0f};
        pl_contact_info contact = contact_of(w, a, n, lambda);
        contact.b = w->number_of[b];
        contact.overlap = w->state.pairs.reach[row] - far;
        if (has_orientation(w, a) || has_orientation(w, b))
        {
            meeting_now m = meet_now(w, a, b);
            contact.normal = m.normal, contact.point = m.point, contact.overlap = m.overlap;
        }
        put(c, &contact);
    }
}

static void put_shape_contacts(collection *c)
{
    const pl_world *w = c->w;
    const contacts *t = &w->contacts;
    const packed_shape_contacts *p = &w->state.shape_contacts;
    for (int32_t slot = 0; t->shape_contacts && slot < w->state.particles; slot++)
        for (int32_t i = t->near_first[slot]; i < t->near_first[slot + 1]; i++)
        {
            size_t row = (size_t)t->near_row[i];
            const float *d = w->state.slot[SLOT_D] + 4 * (size_t)slot;
            if (p->lambda[0][row] == 0.0f || w->number_of[slot] < 0)
                continue;
            pl_vec3 n = {p->plane[0][row], p->plane[1][row], p->plane[2][row]};
            pl_contact_info contact = contact_of(w, slot, n, pressed_with(p->lambda[0][row]));
            contact.shape = pl_shape_at(w, t->near_shape[i]);
            contact.overlap = p->plane[3][row] - (n.x * d[0] + n.y * d[1] + n.z * d[2]);
            if (has_orientation(w, slot)) // its planes are those of its bounding ball
                contact.overlap -= w->state.slot[SLOT_COLLISION][4 * (size_t)slot] - reach_towards(w, slot, n).far;
            put(c, &contact);
        }
}

int pl_get_contacts(const pl_world *w, pl_contact_info *out, int capacity)
{
    collection c = {.w = w, .out = out, .capacity = out ? capacity : 0};
    if (!w || !w->contacts.listed || w->particles_stale ||
        pull(w, ARRAY_BIT(SLOT_X) | ARRAY_BIT(SLOT_D) | ARRAY_BIT(SLOT_COLLISION) | ARRAY_BIT(ARRAY_CONTACTS) |
                    (w->oriented.count ? ARRAY_BIT(ARRAY_CLUSTERS) : 0)) != PL_OK)
        return 0;
    put_pairs(&c);
    put_shape_contacts(&c);
    return c.count;
}

// ---- cells ---------------------------------------------------------------------------------------------------------

int pl_get_cells(const pl_world *w, pl_cell_info *out, int capacity)
{
    int cells = 0;
    const neighbour_list *g = w ? &w->contacts.neighbours : NULL;
    if (!w || !w->contacts.listed || pull(w, ARRAY_BIT(ARRAY_CONTACTS)) != PL_OK)
        return 0;
    for (int32_t i = 0, n; i < g->count; i += n, cells++)
    {
        for (n = 1; i + n < g->count && g->sorted.key[i + n] == g->sorted.key[i]; n++)
        {
        }
        int32_t at[3];
        cell_of_key(g->sorted.key[i], g->bits, at);
        if (!out || cells >= capacity)
            continue;
        out[cells] = (pl_cell_info){
            .corner = {(float)(at[0] + g->low[0]) * g->cell, (float)(at[1] + g->low[1]) * g->cell,
                       (float)(at[2] + g->low[2]) * g->cell},
            .size = g->cell,
            .particles = n,
        };
    }
    return cells;
}

// ---- boxes of meshes -----------------------------------------------------------------------------------------------

int pl_get_shape_boxes(const pl_world *w, pl_id id, pl_box_info *out, int capacity)
{
    const id_entry *t = w ? id_find(w, id, ID_SHAPE, "shape boxes") : NULL;
    const shape *s = t ? &w->contacts.shapes[t->first] : NULL;
    if (!s || s->def.kind != PL_SHAPE_MESH || s->data < 0)
        return 0;
    bvh b = mesh_of((const geometry *)(const void *)(w->state.shape_data + s->data));
    int32_t ends[BVH_DEPTH + 1]; // for each enclosing box, where its left half ends
    int depth = 0;
    for (int32_t i = 0; i < b.nodes; i++)
    {
        const bvh_node *n = &b.node[i];
        while (depth > 0 && ends[depth - 1] < i) // this box is beside that one, not inside
            depth--;
        if (out && i < capacity)
            out[i] =
                (pl_box_info){{n->low[0], n->low[1], n->low[2]}, {n->high[0], n->high[1], n->high[2]}, depth, n->count};
        if (n->count == 0 && depth < BVH_DEPTH)
            ends[depth++] = n->next;
    }
    return (int)b.nodes;
}

// ---- the order of constraints --------------------------------------------------------------------------------------

// Returns the batch: the number of the run that holds a packed row, counted among the runs of that kind; -1: none.
// Lists are short: a few dozen runs.
static int batch_in(const run *runs, int64_t count, int kind, int32_t packed_at)
{
    int batch = 0;
    for (int64_t i = 0; i < count; i++)
    {
        if (runs[i].kind != kind)
            continue;
        if (packed_at >= runs[i].begin && packed_at < runs[i].end)
            return batch;
        batch++;
    }
    return -1;
}

static int tile_at(const pl_world *w, int32_t slot)
{
    int32_t low = 0, high = w->state.tiles;
    while (high - low > 1)
    {
        int32_t middle = (low + high) / 2;
        if (w->state.tile_first[middle] <= slot)
            low = middle;
        else
            high = middle;
    }
    return w->state.tiles ? low : -1;
}

static void locate_row(const pl_world *w, int kind, int64_t row, pl_row_info *out)
{
    int32_t packed_at = w->rows[kind].packed_at[row];
    *out = (pl_row_info){.tile = -1, .batch = -1};
    if (packed_at < 0)
        return; // the row is broken
    int32_t tile = tile_at(w, (int32_t)(w->state.rows[kind].index[0][packed_at] / 4));
    if (tile >= 0)
    {
        int32_t first = w->state.tile_start[tile];
        out->batch = batch_in(w->state.tile_run + first, w->state.tile_start[tile + 1] - first, kind, packed_at);
        out->tile = out->batch >= 0 ? tile : -1;
    }
    if (out->batch < 0)
        out->batch = batch_in(w->runs, w->run_count, kind, packed_at);
}

pl_result pl_get_row_info(const pl_world *w, pl_id block, int first, int count, pl_row_info *out)
{
    enum
    {
        STRETCH = 256, // rows at a time
    };
    NEED(w);
    PLAIN_ROUNDING;
    const id_entry *t = rows_in_block(w, block, first, count, out);
    if (!t)
        return PL_ERROR_ARGUMENT;
    pl_result result = pull(w, ARRAY_BIT(SLOT_X));
    const kind_facts *k = facts_of(t->kind);
    float values[STRETCH];
    for (int i = 0; i < count && result == PL_OK; i++)
    {
        int64_t row = (int64_t)t->first + first + i;
        if (i % STRETCH == 0)
            rows_measure(w, t->kind, row, count - i < STRETCH ? count - i : STRETCH, values);
        if (w->order_stale)
            out[i] = (pl_row_info){.tile = -1, .batch = -1};
        else
            locate_row(w, t->kind, row, &out[i]);
        double off = fabs(row_violation(k, values[i % STRETCH]));
        out[i].residual = (float)(k->scale ? off / (double)w->rows[t->kind].param[row * k->info.params] : off);
    }
    return result;
}

pl_result pl_get_tiles(const pl_world *w, int first, int count, int *out)
{
    NEED(w);
    if (first < 0 || count < 0 || (int64_t)first + count > w->numbers.end)
        return fail(PL_ERROR_ARGUMENT, "tiles: particles %d to %lld were asked for; there are %d", first,
                    (long long)first + count - 1, w->numbers.end);
    if (!out && count)
        return fail(PL_ERROR_ARGUMENT, "tiles: the array is NULL; it must hold a number for each particle");
    for (int i = 0; i < count; i++)
    {
        int32_t slot = w->numbers.slot_of[first + i];
        out[i] = slot < 0 || w->order_stale ? -1 : tile_at(w, slot);
    }
    return PL_OK;
}
