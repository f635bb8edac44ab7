// melt.c: melts and freezes particles, between two frames. A molten particle leaves its cluster and becomes a free
// particle; a cluster that is no longer connected falls into pieces. A particle that has frozen bonds to solid
// particles that it touches and that can melt too: free particles form a new cluster or join the one they touch, and
// clusters that a frozen particle connects become one. The present positions become the shape at rest.
//
// Only the membership of clusters changes: velocities and masses stay, and so do positions except for a tiny shift
// (unsettle), hence all momenta. The clusters are rewritten (melt_write.c) from a list of members sorted by cluster:
// the old clusters in their order, then the new ones.
//
// Collision groups follow: free particles are in a group in which all collide with each other; a new lump gets its own
// group.
#include "core/union_find.h"
#include "edit/melt.h"
#include "groups/clusters.h"
#include "groups/group.h"
#include "groups/melting.h"
#include "model/world.h"

#include <string.h>

#define TOUCHING 1.1f // particles touch within this many sums of their radii

enum
{
    LOOSE_GROUP = PHASE_GROUP, // group of all free particles
    LUMP_GROUPS = 0x7fff,      // number of groups for lumps, below it, used in rotation
};

static particle_heat *warm_of(heat *h, int32_t number)
{
    return number < h->count && h->of_particle[number].rule ? &h->of_particle[number] : NULL;
}

// Is the particle solid, and can it melt?
static bool is_solid(const pl_world *w, int32_t number)
{
    return heat_melts(w, number) && !w->heat.of_particle[number].molten;
}

// ---- phases --------------------------------------------------------------------------------------------------------

static float *phase_at(pl_world *w, int32_t number)
{
    return w->state.slot[SLOT_COLLISION] + 4 * (size_t)w->numbers.slot_of[number] + 1;
}

static int32_t group_of(pl_world *w, int32_t number) { return (int32_t)(bits_of(*phase_at(w, number)) & PHASE_GROUP); }

static int32_t new_group(heat *h)
{
    int32_t group = LOOSE_GROUP - 1 - h->groups;
    h->groups = (h->groups + 1) % LUMP_GROUPS;
    return group;
}

static void put_phase(pl_world *w, int32_t number, uint32_t part, uint32_t value)
{
    *phase_at(w, number) = float_of((bits_of(*phase_at(w, number)) & ~part) | value);
}

// Sets the collision group; saves the original one when it is replaced for the first time.
static void set_group(pl_world *w, int32_t number, int32_t group)
{
    particle_heat *m = warm_of(&w->heat, number);
    if (m && group_of(w, number) < LOOSE_GROUP - LUMP_GROUPS)
        m->phase = (int32_t)(bits_of(*phase_at(w, number)) & SOLID_PHASE);
    put_phase(w, number, SOLID_PHASE, (uint32_t)group | (group == LOOSE_GROUP ? PHASE_SELF : 0));
}

void melt_surface(pl_world *w, int32_t number)
{
    const particle_heat *m = warm_of(&w->heat, number);
    int material = m->molten ? w->heat.rules[m->rule - 1].molten : m->material;
    put_slot_material(w->state.slot[SLOT_COLLISION], w->numbers.slot_of[number], material);
    if (!heat_melts(w, number) && group_of(w, number) >= LOOSE_GROUP - LUMP_GROUPS)
        put_phase(w, number, SOLID_PHASE, (uint32_t)m->phase);
}

// ---- members of clusters -------------------------------------------------------------------------------------------

static void open_sets(const change *c)
{
    for (int32_t n = 0; n < c->w->numbers.end; n++)
    {
        c->h->node[n] = n;
        c->h->size[n] = 0;
        c->h->goal[n] = c->h->group[n] = -1;
        c->h->mark[n] = 0;
    }
}

// Clears the surface field of a member: its depth below the surface is no longer known.
static void no_surface(member *m)
{
    memset(m->field, 0, sizeof m->field);
    m->field[3] = MATCH_DEEP;
}

// Can the particle melt, and does it have a radius, so that its neighbours are known?
static bool joins(const change *c, int32_t number)
{
    return heat_melts(c->w, number) &&
           c->w->state.slot[SLOT_COLLISION][4 * (size_t)c->w->numbers.slot_of[number]] > 0.0f;
}

// Lists every member that is still solid; tally counts them for each cluster.
static void list_members(change *c)
{
    const clusters *all = &c->w->clusters;
    heat *h = c->h;
    memset(h->tally, 0, (size_t)(c->old + 1) * sizeof *h->tally);
    memset(h->mixed, 0, (size_t)(c->old + h->items + 1));
    for (int32_t n = 0; n < c->w->numbers.end; n++)
        h->cluster_of[n] = -1;
    for (int32_t i = 0; i < c->old; i++)
        for (int32_t k = all->start[i]; k < all->start[i + 1]; k++)
        {
            const particle_heat *m = warm_of(h, all->member[k]);
            if (m && m->molten)
                continue;
            member *to = &h->members[c->members++];
            to->cluster = i, to->particle = all->member[k];
            memcpy(to->rest, all->rest + 3 * (size_t)k, sizeof to->rest);
            memcpy(to->field, all->field + 4 * (size_t)k, sizeof to->field);
            h->cluster_of[to->particle] = i;
            h->tally[i]++;
            h->mixed[i] |= !joins(c, to->particle);
        }
}

static bool has_lost(const change *c, int32_t cluster)
{
    const clusters *all = &c->w->clusters;
    return c->h->tally[cluster] != all->start[cluster + 1] - all->start[cluster];
}

// Can the cluster fall apart? A cluster with members that do not melt stays one body: it is not known how those are
// connected.
static bool parts(const change *c, int32_t cluster) { return has_lost(c, cluster) && !c->h->mixed[cluster]; }

// Returns the number of the particle with this sorted index in the neighbour list.
static int32_t number_at(const change *c, int32_t i) { return c->w->number_of[c->near->sorted.value[i]]; }

// ---- melting -------------------------------------------------------------------------------------------------------

static int32_t new_cluster(change *c, const pl_cluster_material *material, const match_pose *pose)
{
    clusters *all = &c->w->clusters;
    all->material[c->clusters] = *material;
    all->pose[c->clusters] = *pose;
    return c->clusters++;
}

// Clusters that lost members have new surfaces, so their surface fields are cleared; members that still touch form one
// piece.
static void find_pieces(const change *c)
{
    heat *h = c->h;
    open_sets(c);
    for (int32_t i = 0; i < c->near->count; i++)
        for (int32_t k = c->near->start[i]; k < c->near->start[i + 1]; k++)
        {
            int32_t j = c->near->neighbour[k], a = number_at(c, i), b = number_at(c, j);
            if (i < j && h->cluster_of[a] >= 0 && h->cluster_of[a] == h->cluster_of[b] && parts(c, h->cluster_of[a]))
                union_join(h->node, a, b);
        }
    for (int64_t k = 0; k < c->members; k++)
        if (has_lost(c, h->members[k].cluster))
        {
            no_surface(&h->members[k]);
            h->size[union_find(h->node, h->members[k].particle)]++;
        }
}

// The first piece keeps the cluster, each other piece becomes a new cluster; a single particle becomes free.
static void part_pieces(change *c)
{
    heat *h = c->h;
    const clusters *all = &c->w->clusters;
    int64_t kept = 0;
    int32_t last = -1; // the cluster whose first piece has been found
    for (int64_t k = 0; k < c->members; k++)
    {
        member m = h->members[k];
        int32_t from = m.cluster;
        if (parts(c, from))
        {
            int32_t set = union_find(h->node, m.particle);
            if (h->size[set] == 1)
            {
                h->cluster_of[m.particle] = -1;
                set_group(c->w, m.particle, LOOSE_GROUP);
                continue;
            }
            if (h->goal[set] < 0 && last != from)
                h->goal[set] = last = from;
            else if (h->goal[set] < 0)
            {
                h->goal[set] = new_cluster(c, &all->material[from], &all->pose[from]);
                h->group[set] = new_group(h);
            }
            m.cluster = h->cluster_of[m.particle] = h->goal[set];
            if (h->group[set] >= 0)
                set_group(c->w, m.particle, h->group[set]);
        }
        h->members[kept++] = m;
    }
    c->members = kept;
}

// ---- freezing ------------------------------------------------------------------------------------------------------

// Joins two solid neighbours, given by their sorted indices, if they touch and one of them has just frozen.
static void join_frozen(const change *c, int32_t i, int32_t j)
{
    heat *h = c->h;
    int32_t a = number_at(c, i), b = number_at(c, j);
    if (j < i || !((h->was[a] || h->was[b]) && is_solid(c->w, a) && is_solid(c->w, b))) // pairs are listed twice
        return;
    const float *x = c->near->sphere + 4 * (size_t)i, *y = c->near->sphere + 4 * (size_t)j;
    float dx = x[0] - y[0], dy = x[1] - y[1], dz = x[2] - y[2];
    float reach = TOUCHING / HEAT_NEAR * (x[3] + y[3]);
    if (dx * dx + dy * dy + dz * dz < reach * reach)
        union_join(h->node, a, b);
}

// Finds the sets of particles that frozen ones connect; marks the sets in which a particle froze.
static void find_lumps(const change *c)
{
    heat *h = c->h;
    open_sets(c);
    for (int32_t i = 0; i < c->clusters; i++)
        h->tally[i] = -1;
    for (int64_t k = 0; k < c->members; k++)
    {
        int32_t *lead = &h->tally[h->members[k].cluster], particle = h->members[k].particle;
        if (!joins(c, particle))
            continue;
        *lead = *lead < 0 ? particle : *lead;
        union_join(h->node, *lead, particle);
    }
    for (int32_t i = 0; i < c->near->count; i++)
        for (int32_t k = c->near->start[i]; k < c->near->start[i + 1]; k++)
            join_frozen(c, i, c->near->neighbour[k]);
    for (int32_t i = 0; i < h->items; i++)
    {
        int32_t n = h->number[i], set = union_find(h->node, n);
        h->size[set]++;
        if (h->was[n] && is_solid(c->w, n))
            h->mark[set] = 1;
    }
}

// Computes the rest position of a particle that joins a cluster where it is now, relative to the cluster's first
// member.
static void rest_in(pl_world *w, const member *first, int32_t cluster, int32_t particle, float *out)
{
    const match_pose *pose = &w->clusters.pose[cluster];
    quat q = {vec_of(pose->rotation[0], pose->rotation[1], pose->rotation[2]), pose->rotation[3]};
    mat3 p = mat_load(pose->plastic), r = mat_of_quat(q), map = mat_mul(&r, &p), back = mat_inverse(&map);
    const float *x = w->state.slot[SLOT_X] + 4 * (size_t)w->numbers.slot_of[particle];
    const float *y = w->state.slot[SLOT_X] + 4 * (size_t)w->numbers.slot_of[first->particle];
    vec d = mat_times(&back, vec_of(x[0] - y[0], x[1] - y[1], x[2] - y[2]));
    out[0] = first->rest[0] + d.x, out[1] = first->rest[1] + d.y, out[2] = first->rest[2] + d.z;
}

// Chooses the cluster of each set that absorbs all others: the first, or the first mixed one, which cannot be absorbed.
// goal: the index of its first member.
static void choose_clusters(const change *c)
{
    heat *h = c->h;
    for (int64_t k = 0; k < c->members; k++)
    {
        int32_t *goal = &h->goal[union_find(h->node, h->members[k].particle)];
        if (joins(c, h->members[k].particle) &&
            (*goal < 0 || (h->mixed[h->members[k].cluster] && !h->mixed[h->members[*goal].cluster])))
            *goal = (int32_t)k;
    }
}

// Merges the clusters of each marked set into the chosen one.
static void join_clusters(const change *c)
{
    heat *h = c->h;
    choose_clusters(c);
    for (int64_t k = 0; k < c->members; k++)
    {
        member *m = &h->members[k];
        int32_t set = union_find(h->node, m->particle);
        if (!h->mark[set])
            continue;
        const member *lead = &h->members[h->goal[set]];
        no_surface(m);
        if (m->cluster == lead->cluster || h->mixed[m->cluster])
            continue;
        rest_in(c->w, lead, lead->cluster, m->particle, m->rest);
        m->cluster = lead->cluster;
        set_group(c->w, m->particle, group_of(c->w, lead->particle));
    }
}

// Adds free particles to a cluster; two or more without one form a new cluster.
static void join_particles(change *c)
{
    heat *h = c->h;
    for (int32_t i = 0; i < h->items; i++)
    {
        int32_t n = h->number[i], set = union_find(h->node, n);
        if (!is_solid(c->w, n) || h->cluster_of[n] >= 0 || !h->mark[set])
            continue;
        if (h->goal[set] < 0 && h->size[set] < 2)
        {
            set_group(c->w, n, LOOSE_GROUP);
            continue;
        }
        member m = {.particle = n};
        const float *x = c->w->state.slot[SLOT_X] + 4 * (size_t)c->w->numbers.slot_of[n];
        no_surface(&m);
        if (h->goal[set] < 0)
        {
            match_pose pose = cluster_first_pose(x);
            m.cluster = new_cluster(c, &h->rules[h->of_particle[n].rule - 1].solid, &pose);
            memcpy(m.rest, x, sizeof m.rest);
            h->goal[set] = (int32_t)c->members;
            set_group(c->w, n, new_group(h));
        }
        else
        {
            const member *lead = &h->members[h->goal[set]];
            m.cluster = lead->cluster;
            rest_in(c->w, lead, lead->cluster, n, m.rest);
            set_group(c->w, n, group_of(c->w, lead->particle));
        }
        h->cluster_of[n] = m.cluster;
        h->members[c->members++] = m;
    }
}

// In a body sampled on a lattice, particles stand exactly on top of each other and would balance for ever, which
// nothing real does. So a melting particle is moved by up to a thousandth of its radius along each axis,
// pseudo-randomly from its number.
static void unsettle(pl_world *w, int32_t number)
{
    size_t at = 4 * (size_t)w->numbers.slot_of[number];
    float *x = w->state.slot[SLOT_X] + at, size = 1e-3f * w->state.slot[SLOT_COLLISION][at];
    uint32_t dice = (uint32_t)number * 2654435761u + 1u;
    for (int c = 0; c < 3 && inverse_mass(w, w->numbers.slot_of[number]) > 0.0f; c++)
    {
        dice = dice * 1664525u + 1013904223u;
        x[c] = x[c] + size * ((float)(int32_t)(dice >> 8) * (1.0f / 8388608.0f) - 1.0f);
    }
}

// ---- the frame -----------------------------------------------------------------------------------------------------

// Applies the new state of particles that melted or froze: material, group, counts.
static void change_matter(const change *c)
{
    heat *h = c->h;
    for (int32_t i = 0; i < h->items; i++)
    {
        particle_heat *m = &h->of_particle[h->number[i]];
        if (h->was[h->number[i]] == m->molten)
            continue;
        if (m->molten)
            m->material = material_of(c->w->state.slot[SLOT_COLLISION], c->w->numbers.slot_of[h->number[i]]);
        melt_surface(c->w, h->number[i]);
        if (m->molten)
        {
            set_group(c->w, h->number[i], LOOSE_GROUP);
            unsettle(c->w, h->number[i]);
        }
        h->melted += m->molten;
        h->frozen += !m->molten;
    }
}

pl_result melt_frame(pl_world *w)
{
    int32_t count = (int32_t)w->clusters.count;
    change c = {w, &w->heat, &w->client_lists[CLIENT_HEAT].list, count, count, 0};
    pl_result result = pull(w, ALL_ARRAYS);
    if (result == PL_OK)
        result = melt_open(&c);
    if (result == PL_OK)
        result = rows_unpack(w);
    if (result != PL_OK)
        return result;
    list_members(&c);
    change_matter(&c);
    find_pieces(&c);
    part_pieces(&c);
    find_lumps(&c);
    join_clusters(&c);
    join_particles(&c);
    melt_write(&c);
    w->flow.smooth = 0;
    w->order_stale = w->contacts.colliders_stale = w->contacts.stale = true;
    return PL_OK;
}
