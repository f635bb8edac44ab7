// oriented.c: adds oriented particles and the links between them. Each particle is the centre of a cluster of itself
// and its linked neighbours (Mueller and Chentanez 2011), so that any graph keeps its shape.
#include "author/build.h"

#include <string.h>

pl_oriented_def pl_default_oriented_def(void)
{
    return (pl_oriented_def){
        .mass_each = 0.1f, .radii_each = {0.05f, 0.05f, 0.05f}, .match = pl_default_cluster_material()};
}

static pl_result check_links(const pl_oriented_def *d)
{
    if (d->count < 1 || d->count > INT32_MAX / 64)
        return fail(PL_ERROR_ARGUMENT, "oriented: count is %d; it must be from 1 to %d", d->count, INT32_MAX / 64);
    if (d->link_count < 0 || d->link_count > INT32_MAX / 64 || (d->link_count && !d->links))
        return fail(PL_ERROR_ARGUMENT, "oriented: there are %d links; give from 0 to %d, and their array",
                    d->link_count, INT32_MAX / 64);
    for (int i = 0; i < d->link_count; i++)
    {
        int32_t a = d->links[2 * i], b = d->links[2 * i + 1];
        if (a < 0 || a >= d->count || b < 0 || b >= d->count || a == b)
            return fail(PL_ERROR_ARGUMENT, "oriented: link %d joins %d and %d; give two different numbers from 0 to %d",
                        i, a, b, d->count - 1);
    }
    return PL_OK;
}

// Lists the neighbours of each particle, in the order of the links; a duplicate link counts once.
static void fill_neighbours(const pl_oriented_def *d, int32_t *start, int32_t *near)
{
    memset(start, 0, ((size_t)d->count + 1) * sizeof *start);
    for (int i = 0; i < 2 * d->link_count; i++)
        start[d->links[i] + 1]++;
    for (int i = 0; i < d->count; i++)
        start[i + 1] += start[i];
    for (int i = 0; i < d->link_count; i++)
    {
        near[start[d->links[2 * i]]++] = d->links[2 * i + 1];
        near[start[d->links[2 * i + 1]]++] = d->links[2 * i];
    }
    memmove(start + 1, start, (size_t)d->count * sizeof *start);
    start[0] = 0;
}

static void build_groups(build *b, const pl_oriented_def *d, int32_t *start, int32_t *near, int32_t *group)
{
    fill_neighbours(d, start, near);
    for (int32_t i = 0; i < d->count; i++)
    {
        group[i] = (int32_t)b->index_count;
        build_index(b, 1, &i);
        for (int32_t k = start[i]; k < start[i + 1]; k++)
        {
            bool again = false;
            for (int32_t j = start[i]; j < k; j++)
                again |= near[j] == near[k];
            if (!again)
                build_index(b, 1, &near[k]);
        }
    }
    group[d->count] = (int32_t)b->index_count;
    build_clusters(b, group, d->count, d->match, NULL);
}

// Sets the radius of the bounding sphere of each ellipsoid, which the contact search uses.
static void set_radii(build *b, const pl_oriented_def *d)
{
    for (int i = 0; b->result == PL_OK && i < d->count; i++)
    {
        const float *r = d->radii ? d->radii + 3 * (size_t)i : &d->radii_each.x;
        float greatest = r[0] > r[1] ? r[0] : r[1];
        build_collision(b, i)[0] = greatest > r[2] ? greatest : r[2];
    }
    if (b->result == PL_OK)
        b->w->contacts.stale = b->w->contacts.colliders_stale = true;
}

static void build_turns(build *b, const pl_oriented_def *d, int32_t *list)
{
    pl_orient_def def = pl_default_orient_def();
    pl_id block = {0};
    if (b->result != PL_OK)
        return;
    for (int i = 0; i < d->count; i++)
        list[i] = b->first + i;
    def.count = d->count;
    def.particles = list;
    def.radii = d->radii;
    def.radii_each = d->radii_each;
    def.rotation = d->rotation;
    def.drag = d->drag;
    b->result = pl_orient(b->w, &def, &block);
    if (b->result == PL_OK)
        b->w->entries[block.index].owner = b->object.index;
}

pl_result pl_add_oriented(pl_world *w, const pl_oriented_def *def, pl_id *object)
{
    NEED(w);
    NEED(def);
    NEED(def->position);
    PLAIN_ROUNDING;
    int32_t *room = NULL;
    int64_t capacity = 0;
    pl_result result = check_links(def);
    if (result == PL_OK)
        result = array_reserve(&w->memory, &room, &capacity, 2 * (int64_t)def->count + 2 + 2 * (int64_t)def->link_count,
                               sizeof *room);
    if (result != PL_OK)
        return result;
    int32_t *start = room, *group = room + def->count + 1, *near = group + def->count + 1;
    build b = {.w = w};
    build_particles(
        &b, &(pl_particles_def){
                .count = def->count, .position = def->position, .mass = def->mass, .mass_each = def->mass_each});
    build_turns(&b, def, start);
    if (def->link_count)
        build_groups(&b, def, start, near, group);
    set_radii(&b, def);
    build_apart(&b, def->count);
    array_free(&w->memory, &room, &capacity, sizeof *room);
    return build_end(&b, object);
}
