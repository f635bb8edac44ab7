// clusters.c: adds, checks, reads and removes shape matching clusters. clusters_pack.c makes their packed form.
#include "groups/clusters.h"
#include "groups/group.h"
#include "groups/melting.h"
#include "groups/particle_rotation.h"
#include "model/model_columns.h"
#include "model/world.h"

#include <string.h>

extern const group_kind clusters_kind;

pl_cluster_material pl_default_cluster_material(void) { return (pl_cluster_material){.stiffness = 1.0f}; }
pl_clusters_def pl_default_clusters_def(void) { return (pl_clusters_def){.material = pl_default_cluster_material()}; }

// ---- checks --------------------------------------------------------------------------------------------------------

pl_result check_cluster_material(const pl_cluster_material *m)
{
    if ((unsigned)m->match > PL_MATCH_QUADRATIC)
        return fail(PL_ERROR_ARGUMENT, "clusters: match is %d; it must be rigid, linear or quadratic", (int)m->match);
    if (!(m->stiffness > 0.0f && m->stiffness <= 1.0f))
        return fail(PL_ERROR_ARGUMENT, "clusters: stiffness is %g; it must be above 0 and at most 1",
                    (double)m->stiffness);
    // At beta 1 the goal would be the fit itself: only the volume would be preserved, and rounding errors in shear
    // would grow.
    if (!(m->beta >= 0.0f && m->beta <= 0.95f))
        return fail(PL_ERROR_ARGUMENT,
                    "clusters: beta is %g; it must be from 0 to 0.95: at 1 nothing would restore its shape",
                    (double)m->beta);
    const float flow[] = {m->yield, m->creep, m->limit, m->hardening};
    static const char *const names[] = {"yield", "creep", "limit", "hardening"};
    for (int i = 0; i < 4; i++)
        if (!(flow[i] >= 0.0f && CHECK_FINITE(flow[i])))
            return fail(PL_ERROR_ARGUMENT, "clusters: %s is %g; it must be 0 or above", names[i], (double)flow[i]);
    return PL_OK;
}

// seen: scratch memory, one number for each particle number.
static pl_result check_members(const pl_world *w, int64_t cluster, const int32_t *particles, int64_t count,
                               int32_t *seen)
{
    for (int64_t k = 0; k < count; k++)
    {
        if (slot_of(w, particles[k]) < 0)
            return fail(PL_ERROR_ARGUMENT, "cluster %lld: particle %d does not exist; numbers go from 0 to %d",
                        (long long)cluster, particles[k], w->numbers.end - 1);
        if (seen[particles[k]] == (int32_t)cluster + 1)
            return fail(PL_ERROR_ARGUMENT, "cluster %lld: particle %d appears twice; name each particle once",
                        (long long)cluster, particles[k]);
        seen[particles[k]] = (int32_t)cluster + 1;
    }
    return PL_OK;
}

static pl_result check_def(const pl_world *w, const pl_clusters_def *d, int32_t *seen)
{
    int64_t where;
    pl_result result = check_cluster_material(&d->material);
    if (d->start[0] < 0)
        return fail(PL_ERROR_ARGUMENT, "clusters: start[0] is %d; it must be 0 or above", d->start[0]);
    for (int i = 0; result == PL_OK && i < d->count; i++)
    {
        if (d->start[i + 1] <= d->start[i])
            return fail(PL_ERROR_ARGUMENT, "cluster %d: it has %d particles; it must have at least one", i,
                        d->start[i + 1] - d->start[i]);
        result = check_members(w, i, d->particles + d->start[i], d->start[i + 1] - d->start[i], seen);
    }
    if (result == PL_OK && d->rest && !all_finite(d->rest, 3 * (int64_t)(d->start[d->count] - d->start[0]), &where))
        return fail(PL_ERROR_ARGUMENT, "clusters: the rest position of member %lld is not finite; give finite numbers",
                    (long long)(where / 3));
    if (result == PL_OK && d->field && !all_finite(d->field, 4 * (int64_t)(d->start[d->count] - d->start[0]), &where))
        return fail(PL_ERROR_ARGUMENT, "clusters: the field of member %lld is not finite; give finite numbers",
                    (long long)(where / 4));
    return result;
}

// ---- adding --------------------------------------------------------------------------------------------------------

pl_result clusters_reserve(pl_world *w, int64_t clusters_more, int64_t members_more)
{
    int64_t members = w->clusters.members + members_more;
    if (members > INT32_MAX / 8)
        return fail(PL_ERROR_ARGUMENT, "clusters: %lld members were asked for; a world holds at most %d",
                    (long long)members, INT32_MAX / 8);
    return group_reserve(w, &clusters_kind, clusters_more, members_more);
}

match_pose cluster_first_pose(const float *centre)
{
    return (match_pose){.rotation = {0.0f, 0.0f, 0.0f, 1.0f},
                        .plastic = {1, 0, 0, 0, 1, 0, 0, 0, 1},
                        .centre = {centre[0], centre[1], centre[2]},
                        .last = {centre[0], centre[1], centre[2]},
                        .before = {centre[0], centre[1], centre[2]}};
}

// Stores the outward direction of the body and the depth below its surface. A particle without a field gets the
// greatest depth, so that a contact prefers the direction of the other particle.
static void put_field(float *out, const float *field)
{
    memset(out, 0, 4 * sizeof *out);
    out[3] = MATCH_DEEP;
    if (!field || (field[0] == 0.0f && field[1] == 0.0f && field[2] == 0.0f))
        return;
    memcpy(out, field, 3 * sizeof *out);
    out[3] = -field[3] > MATCH_SHALLOW ? -field[3] : MATCH_SHALLOW;
}

static void put_clusters(pl_world *w, const pl_clusters_def *d)
{
    clusters *c = &w->clusters;
    for (int i = 0; i < d->count; i++)
    {
        c->material[c->count] = d->material;
        c->pose[c->count] =
            cluster_first_pose(w->state.slot[SLOT_X] + 4 * (size_t)slot_of(w, d->particles[d->start[i]]));
        c->start[c->count++] = (int32_t)c->members;
        for (int32_t k = d->start[i]; k < d->start[i + 1]; k++, c->members++)
        {
            c->member[c->members] = d->particles[k];
            const float *x = d->rest ? d->rest + 3 * (size_t)(k - d->start[0])
                                     : w->state.slot[SLOT_X] + 4 * (size_t)slot_of(w, d->particles[k]);
            memcpy(c->rest + 3 * c->members, x, 3 * sizeof *x);
            put_field(c->field + 4 * c->members, d->field ? d->field + 4 * (size_t)(k - d->start[0]) : NULL);
        }
    }
    c->start[c->count] = (int32_t)c->members;
}

pl_result pl_add_clusters(pl_world *w, const pl_clusters_def *def, pl_id *block)
{
    NEED(w);
    NEED(def);
    NEED(def->start);
    NEED(def->particles);
    PLAIN_ROUNDING;
    if (def->count < 1 || def->count > INT32_MAX / 8)
        return fail(PL_ERROR_ARGUMENT, "clusters: count is %d; it must be from 1 to %d", def->count, INT32_MAX / 8);
    int32_t *seen = NULL;
    int64_t seen_capacity = 0;
    pl_result result = pull(w, ARRAY_BIT(SLOT_X));
    if (result == PL_OK)
        result = array_reserve(&w->memory, &seen, &seen_capacity, w->numbers.end + 1, sizeof *seen);
    if (result == PL_OK)
    {
        memset(seen, 0, (size_t)(w->numbers.end + 1) * sizeof *seen);
        result = check_def(w, def, seen);
    }
    array_free(&w->memory, &seen, &seen_capacity, sizeof *seen);
    if (result == PL_OK)
        result = heat_check_members(w, def->particles + def->start[0], def->start[def->count] - def->start[0]);
    int64_t first = w->clusters.count, members = def->start[def->count] - def->start[0];
    if (result == PL_OK)
        result = clusters_reserve(w, def->count, members);
    if (result == PL_OK)
        result = group_begin(w, &clusters_kind, def->count, members);
    if (result != PL_OK)
        return result;
    put_clusters(w, def);
    return group_end(w, &clusters_kind, first, block);
}

static pl_result clusters_check(pl_world *w)
{
    const clusters *c = &w->clusters;
    int64_t seen_capacity = 0, where;
    int32_t *seen = NULL;
    pl_result result = array_reserve(&w->memory, &seen, &seen_capacity, w->numbers.end + 1, sizeof *seen);
    if (result == PL_OK)
        memset(seen, 0, (size_t)(w->numbers.end + 1) * sizeof *seen);
    if (!all_finite(c->rest, 3 * c->members, &where) || !all_finite(c->field, 4 * c->members, &where))
        result = PL_ERROR_FORMAT;
    for (int64_t i = 0; result == PL_OK && i < c->count; i++)
    {
        if (!all_finite(c->pose[i].rotation, 4, &where) || !all_finite(c->pose[i].plastic, 9, &where) ||
            !all_finite(c->pose[i].centre, 3, &where) || !all_finite(c->pose[i].last, 6, &where))
            result = PL_ERROR_FORMAT;
        if (result == PL_OK)
            result = check_cluster_material(&c->material[i]);
        if (result == PL_OK)
            result = check_members(w, i, c->member + c->start[i], c->start[i + 1] - c->start[i], seen);
    }
    array_free(&w->memory, &seen, &seen_capacity, sizeof *seen);
    return result;
}

// ---- removal -------------------------------------------------------------------------------------------------------

// Removes deleted particles from a cluster that keeps some members.
static void lose_members(pl_world *w, int64_t cluster)
{
    clusters *c = &w->clusters;
    int64_t to = c->start[cluster], end = c->start[cluster + 1], gone;
    for (int64_t k = to; k < end; k++)
    {
        if (slot_of(w, c->member[k]) < 0)
            continue;
        c->member[to] = c->member[k];
        memmove(c->rest + 3 * to, c->rest + 3 * k, 3 * sizeof *c->rest);
        memset(c->field + 4 * to, 0, 3 * sizeof *c->field);
        c->field[4 * to++ + 3] = MATCH_DEEP; // the original surface field no longer holds
    }
    gone = end - to;
    columns_remove(w, PER_CLUSTERS_MEMBER, 0, to, gone);
    c->members -= gone;
    for (int64_t i = cluster + 1; i <= c->count; i++)
        c->start[i] -= (int32_t)gone;
}

// Decides whether a cluster that lost a particle is removed. It stays only if it is a body that froze together: at
// least two particles are left and all of them can melt.
static bool cluster_lost(pl_world *w, int64_t cluster)
{
    group_members m = members_of(w, &clusters_kind, cluster, 1);
    int left = 0;
    for (int64_t k = 0; k < m.count; k++)
    {
        bool there = slot_of(w, m.number[k]) >= 0;
        left += there;
        if (there && !heat_melts(w, m.number[k]))
            return true;
    }
    if (left >= 2)
        lose_members(w, cluster);
    return left < 2;
}

// ---- reading and changing ------------------------------------------------------------------------------------------

static void clusters_unpack(pl_world *w)
{
    if (w->clusters.count)
        memcpy(w->clusters.pose, w->state.clusters.pose, (size_t)w->clusters.count * sizeof *w->clusters.pose);
}

pl_result pl_cluster_count(const pl_world *w, pl_id block, int *count)
{
    NEED(w);
    NEED(count);
    const id_entry *t = id_find(w, block, ID_CLUSTERS, "cluster count");
    if (!t)
        return PL_ERROR_ARGUMENT;
    *count = t->count;
    return PL_OK;
}

pl_result pl_set_cluster_material(pl_world *w, pl_id block, const pl_cluster_material *material)
{
    NEED(w);
    NEED(material);
    const id_entry *t = id_find(w, block, ID_CLUSTERS, "set cluster material");
    pl_result result = t ? check_cluster_material(material) : PL_ERROR_ARGUMENT;
    if (result == PL_OK)
        result = groups_open(w);
    if (result != PL_OK)
        return result;
    for (int32_t i = t->first; i < t->first + t->count; i++)
        w->clusters.material[i] = *material;
    return PL_OK;
}

pl_result pl_get_cluster(const pl_world *w, pl_id block, int cluster, pl_cluster_pose *pose)
{
    NEED(w);
    NEED(pose);
    const id_entry *t = id_find(w, block, ID_CLUSTERS, "get cluster");
    if (!t)
        return PL_ERROR_ARGUMENT;
    if (cluster < 0 || cluster >= t->count)
        return fail(PL_ERROR_ARGUMENT, "get cluster: there is no cluster %d; the block has %d", cluster, t->count);
    pl_result result = pull(w, ARRAY_BIT(SLOT_X) | ARRAY_BIT(ARRAY_CLUSTERS));
    if (result != PL_OK)
        return result;
    int64_t i = t->first + cluster;
    const match_pose *p = groups_packed(w) ? &w->state.clusters.pose[i] : &w->clusters.pose[i];
    double centre[3] = {0}, mass = 0.0;
    for (int32_t k = w->clusters.start[i]; k < w->clusters.start[i + 1]; k++)
    {
        const float *x = w->state.slot[SLOT_X] + 4 * (size_t)slot_of(w, w->clusters.member[k]);
        float weight = inverse_mass(w, slot_of(w, w->clusters.member[k]));
        double m = weight > 0.0f ? 1.0 / (double)weight : 1.0;
        mass += m;
        for (int a = 0; a < 3; a++)
            centre[a] += m * (double)x[a];
    }
    pose->centre = (pl_vec3){(float)(centre[0] / mass), (float)(centre[1] / mass), (float)(centre[2] / mass)};
    pose->rotation = (pl_quat){p->rotation[0], p->rotation[1], p->rotation[2], p->rotation[3]};
    for (int r = 0; r < 3; r++)
        for (int k = 0; k < 3; k++)
            pose->shape[3 * r + k] = p->plastic[3 * k + r];
    return PL_OK;
}

// Adds the rotations of a particle's clusters. While packed, each particle knows its clusters; otherwise all clusters
// are searched. Both add them in the order of the clusters, so that the sums are equal.
static void rotate_clusters(const pl_world *w, int first, int count, bone *bones)
{
    const clusters *c = &w->clusters;
    const packed_clusters *p = &w->state.clusters;
    for (int i = 0; groups_packed(w) && c->count && i < count; i++)
    {
        int32_t slot = slot_of(w, first + i);
        for (int32_t e = p->slot_start[slot]; e < p->slot_start[slot + 1]; e++)
        {
            const match_pose *pose = &p->pose[p->slot_entry[2 * (size_t)e + 1]];
            bone_set_rotation(&bones[i], pose->rotation, pose->plastic);
        }
    }
    for (int64_t i = 0; !groups_packed(w) && i < c->count; i++)
        for (int32_t k = c->start[i]; k < c->start[i + 1]; k++)
            if (c->member[k] >= first && c->member[k] < first + count)
                bone_set_rotation(&bones[c->member[k] - first], c->pose[i].rotation, c->pose[i].plastic);
}

static bool is_rigid(const pl_world *w, int64_t i)
{
    const pl_cluster_material *m = &w->clusters.material[i];
    return m->match == PL_MATCH_RIGID && m->stiffness == 1.0f;
}

// Counts rigid bodies. Rigid clusters that overlap, as those of a tree, bend at the overlap and do not count. in: for
// each particle the number of its clusters, at most two.
static int64_t count_rigid(const pl_world *w)
{
    const clusters *c = &w->clusters;
    memory m = w->memory; // a copy, because a query does not change the world's memory count
    uint8_t *in = NULL;
    int64_t capacity = 0, count = 0;
    if (c->count == 0 || array_reserve(&m, &in, &capacity, w->numbers.end, 1) != PL_OK)
        return 0;
    for (int64_t k = 0; k < c->members; k++)
        in[c->member[k]] = in[c->member[k]] ? 2 : 1;
    for (int64_t i = 0; i < c->count; i++)
    {
        bool alone = is_rigid(w, i);
        for (int32_t k = c->start[i]; alone && k < c->start[i + 1]; k++)
            alone = in[c->member[k]] == 1;
        count += alone;
    }
    array_free(&m, &in, &capacity, 1);
    return count;
}

static void clusters_info(const pl_world *w, pl_group_info *info)
{
    info->clusters = w->clusters.count;
    info->rigid = count_rigid(w);
}

// ---- the description of the kind -----------------------------------------------------------------------------------

enum // the role of each column in model/columns.def
{
    ROLE_start = ROLE_STRUCTURE,
    ROLE_member = ROLE_STRUCTURE,
    ROLE_rest = ROLE_STRUCTURE,
    ROLE_field = ROLE_STRUCTURE,
    ROLE_material = ROLE_PARAMETER,
    ROLE_pose = ROLE_STATE,
};

static const uint8_t roles[] = {
#define MODEL_CLUSTERS(type, name, ...) ROLE_##name,
#include "model/columns.def"
};

const group_kind clusters_kind = {
    .words = "clusters",
    .member_words = "members of clusters",
    .id_entry = ID_CLUSTERS,
    GROUP_COLUMNS(CLUSTERS),
    .count = offsetof(pl_world, clusters.count),
    .members = offsetof(pl_world, clusters.members),
    .most = INT32_MAX / 8,
    .roles = roles,
    .member_column = MODEL_CLUSTERS_member,
    .uses_masses = true,
    .connects = true,
    .melting = MELT_IN_ONE,
    .lay_out = clusters_lay_out,
    .fill = clusters_fill,
    .unpack = clusters_unpack,
    .plan = clusters_plan,
    .check = clusters_check,
    .lost = cluster_lost,
    .rotate = rotate_clusters,
    .info = clusters_info,
};
