// clusters.c: groups of particles that keep their shape: adding them, packing them for the stages (stages/match.h), taking them out.
#include "core/arena.h"
#include "world/world.h"

#include <math.h>
#include <string.h>

pl_cluster_material pl_default_cluster_material(void) { return (pl_cluster_material){.stiffness = 1.0f}; }
pl_clusters_def pl_default_clusters_def(void) { return (pl_clusters_def){.material = pl_default_cluster_material()}; }

// ---- checks --------------------------------------------------------------------------------------------------------

static pl_result check_material_of(const pl_cluster_material *m)
{
    if ((unsigned)m->match > PL_MATCH_QUADRATIC)
        return fail(PL_ERROR_ARGUMENT, "clusters: match is %d; it must be rigid, linear or quadratic", (int)m->match);
    if (!(m->stiffness > 0.0f && m->stiffness <= 1.0f))
        return fail(PL_ERROR_ARGUMENT, "clusters: stiffness is %g; it must be above 0 and at most 1",
                    (double)m->stiffness);
    if (!(m->beta >= 0.0f && m->beta <= 1.0f))
        return fail(PL_ERROR_ARGUMENT, "clusters: beta is %g; it must be from 0 to 1", (double)m->beta);
    const float flow[] = {m->yield, m->creep, m->limit, m->hardening};
    static const char *const names[] = {"yield", "creep", "limit", "hardening"};
    for (int i = 0; i < 4; i++)
        if (!(flow[i] >= 0.0f && CHECK_FINITE(flow[i])))
            return fail(PL_ERROR_ARGUMENT, "clusters: %s is %g; it must be 0 or above", names[i], (double)flow[i]);
    return PL_OK;
}

// `seen` has room for every particle number.
static pl_result check_members(const pl_world *w, int64_t cluster, const int32_t *particles, int64_t count,
                               int32_t *seen)
{
    for (int64_t k = 0; k < count; k++)
    {
        if (slot_of(w, particles[k]) < 0)
            return fail(PL_ERROR_ARGUMENT, "cluster %lld: particle %d does not exist; numbers go from 0 to %d",
                        (long long)cluster, particles[k], w->numbers.end - 1);
        if (seen[particles[k]] == (int32_t)cluster + 1)
            return fail(PL_ERROR_ARGUMENT, "cluster %lld: particle %d appears twice; once is enough",
                        (long long)cluster, particles[k]);
        seen[particles[k]] = (int32_t)cluster + 1;
    }
    return PL_OK;
}

static pl_result check_def(const pl_world *w, const pl_clusters_def *d, int32_t *seen)
{
    int64_t where;
    pl_result result = check_material_of(&d->material);
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
        return fail(PL_ERROR_ARGUMENT, "clusters: the rest position of member %lld is not finite",
                    (long long)(where / 3));
    return result;
}

// ---- adding --------------------------------------------------------------------------------------------------------

static pl_result reserve(pl_world *w, int64_t clusters_more, int64_t members_more)
{
    clusters *c = &w->clusters;
    memory *m = &w->memory;
    int64_t count = c->count + clusters_more, members = c->members + members_more;
    if (members > INT32_MAX / 8)
        return fail(PL_ERROR_ARGUMENT, "clusters: %lld members were asked for; a world holds at most %d",
                    (long long)members, INT32_MAX / 8);
    pl_result r = array_reserve(m, &c->start, &c->start_capacity, count + 1, sizeof *c->start);
    if (r == PL_OK)
        r = array_reserve(m, &c->material, &c->material_capacity, count, sizeof *c->material);
    if (r == PL_OK)
        r = array_reserve(m, &c->pose, &c->pose_capacity, count, sizeof *c->pose);
    if (r == PL_OK)
        r = array_reserve(m, &c->member, &c->member_capacity, members, sizeof *c->member);
    if (r == PL_OK)
        r = array_reserve(m, &c->rest, &c->rest_capacity, 3 * members, sizeof *c->rest);
    return r;
}

static match_pose first_pose(const float *centre)
{
    return (match_pose){.turn = {0.0f, 0.0f, 0.0f, 1.0f},
                        .plastic = {1, 0, 0, 0, 1, 0, 0, 0, 1},
                        .centre = {centre[0], centre[1], centre[2]}};
}

static void put_clusters(pl_world *w, const pl_clusters_def *d)
{
    clusters *c = &w->clusters;
    for (int i = 0; i < d->count; i++)
    {
        c->material[c->count] = d->material;
        c->pose[c->count] = first_pose(w->state.slot[SLOT_X] + 4 * (size_t)slot_of(w, d->particles[d->start[i]]));
        c->start[c->count++] = (int32_t)c->members;
        for (int32_t k = d->start[i]; k < d->start[i + 1]; k++, c->members++)
        {
            c->member[c->members] = d->particles[k];
            const float *x = d->rest ? d->rest + 3 * (size_t)(k - d->start[0])
                                     : w->state.slot[SLOT_X] + 4 * (size_t)slot_of(w, d->particles[k]);
            memcpy(c->rest + 3 * c->members, x, 3 * sizeof *x);
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
        result = rows_unpack(w);
    if (result == PL_OK)
        result = reserve(w, def->count, def->start[def->count] - def->start[0]);
    if (result == PL_OK)
        result = thing_reserve(w, 1);
    if (result != PL_OK)
        return result;
    thing t = {.type = THING_CLUSTERS, .first = (int32_t)w->clusters.count, .count = def->count};
    put_clusters(w, def);
    w->order_stale = true;
    w->flow.smooth = 0;
    return thing_add(w, t, block);
}

pl_result clusters_check(pl_world *w)
{
    const clusters *c = &w->clusters;
    int64_t seen_capacity = 0, where;
    int32_t *seen = NULL;
    if (c->count == 0)
        return c->members == 0 ? PL_OK : PL_ERROR_FORMAT;
    pl_result result = array_reserve(&w->memory, &seen, &seen_capacity, w->numbers.end + 1, sizeof *seen);
    if (result == PL_OK)
        memset(seen, 0, (size_t)(w->numbers.end + 1) * sizeof *seen);
    if (c->start[0] != 0 || c->start[c->count] != c->members || !all_finite(c->rest, 3 * c->members, &where))
        result = PL_ERROR_FORMAT;
    for (int64_t i = 0; result == PL_OK && i < c->count; i++)
    {
        if (c->start[i] >= c->start[i + 1] || c->start[i + 1] > c->members || !all_finite(c->pose[i].turn, 4, &where) ||
            !all_finite(c->pose[i].plastic, 9, &where) || !all_finite(c->pose[i].centre, 3, &where))
            result = PL_ERROR_FORMAT;
        if (result == PL_OK)
            result = check_material_of(&c->material[i]);
        if (result == PL_OK)
            result = check_members(w, i, c->member + c->start[i], c->start[i + 1] - c->start[i], seen);
    }
    array_free(&w->memory, &seen, &seen_capacity, sizeof *seen);
    return result;
}

void clusters_compact(pl_world *w, int64_t first, int64_t count)
{
    clusters *c = &w->clusters;
    int64_t from = c->start[first], to = c->start[first + count], gone = to - from;
    size_t tail = (size_t)(c->count - first - count), left = (size_t)(c->members - to);
    memmove(c->member + from, c->member + to, left * sizeof *c->member);
    memmove(c->rest + 3 * from, c->rest + 3 * to, 3 * left * sizeof *c->rest);
    memmove(c->material + first, c->material + first + count, tail * sizeof *c->material);
    memmove(c->pose + first, c->pose + first + count, tail * sizeof *c->pose);
    memmove(c->start + first, c->start + first + count, (tail + 1) * sizeof *c->start);
    c->count -= count;
    c->members -= gone;
    for (int64_t i = first; i <= c->count; i++)
        c->start[i] -= (int32_t)gone;
}

// Shares of masses and stiffness of an iteration are packed: what they follow from is about to change.
pl_result clusters_restart(pl_world *w)
{
    if (w->clusters.count == 0 && w->lattices.count == 0)
        return PL_OK;
    pl_result result = rows_unpack(w);
    w->order_stale |= result == PL_OK;
    return result;
}

void clusters_free(pl_world *w)
{
    clusters *c = &w->clusters;
    memory *m = &w->memory;
    array_free(m, &c->start, &c->start_capacity, sizeof *c->start);
    array_free(m, &c->material, &c->material_capacity, sizeof *c->material);
    array_free(m, &c->pose, &c->pose_capacity, sizeof *c->pose);
    array_free(m, &c->member, &c->member_capacity, sizeof *c->member);
    array_free(m, &c->rest, &c->rest_capacity, sizeof *c->rest);
}

// ---- reading and changing ------------------------------------------------------------------------------------------

void clusters_unpack(pl_world *w)
{
    if (w->clusters.count)
        memcpy(w->clusters.pose, w->state.clusters.pose, (size_t)w->clusters.count * sizeof *w->clusters.pose);
}

pl_result pl_cluster_count(const pl_world *w, pl_id block, int *count)
{
    NEED(w);
    NEED(count);
    const thing *t = thing_of(w, block, THING_CLUSTERS, "cluster count");
    if (!t)
        return PL_ERROR_ARGUMENT;
    *count = t->count;
    return PL_OK;
}

pl_result pl_set_cluster_material(pl_world *w, pl_id block, const pl_cluster_material *material)
{
    NEED(w);
    NEED(material);
    const thing *t = thing_of(w, block, THING_CLUSTERS, "set cluster material");
    pl_result result = t ? check_material_of(material) : PL_ERROR_ARGUMENT;
    if (result == PL_OK)
        result = rows_unpack(w);
    if (result != PL_OK)
        return result;
    for (int32_t i = t->first; i < t->first + t->count; i++)
        w->clusters.material[i] = *material;
    w->order_stale = true;
    return PL_OK;
}

pl_result pl_get_cluster(const pl_world *w, pl_id block, int cluster, pl_cluster_pose *pose)
{
    NEED(w);
    NEED(pose);
    const thing *t = thing_of(w, block, THING_CLUSTERS, "get cluster");
    if (!t)
        return PL_ERROR_ARGUMENT;
    if (cluster < 0 || cluster >= t->count)
        return fail(PL_ERROR_ARGUMENT, "get cluster: there is no cluster %d; the block has %d", cluster, t->count);
    pl_result result = pull(w, ARRAY_BIT(SLOT_X) | ARRAY_BIT(ARRAY_CLUSTERS));
    if (result != PL_OK)
        return result;
    int64_t i = t->first + cluster;
    const match_pose *p = w->order_stale ? &w->clusters.pose[i] : &w->state.clusters.pose[i];
    double centre[3] = {0}, mass = 0.0;
    for (int32_t k = w->clusters.start[i]; k < w->clusters.start[i + 1]; k++)
    {
        const float *x = w->state.slot[SLOT_X] + 4 * (size_t)slot_of(w, w->clusters.member[k]);
        double m = x[3] > 0.0f ? 1.0 / (double)x[3] : 1.0;
        mass += m;
        for (int a = 0; a < 3; a++)
            centre[a] += m * (double)x[a];
    }
    pose->centre = (pl_vec3){(float)(centre[0] / mass), (float)(centre[1] / mass), (float)(centre[2] / mass)};
    pose->rotation = (pl_quat){p->turn[0], p->turn[1], p->turn[2], p->turn[3]};
    for (int r = 0; r < 3; r++)
        for (int k = 0; k < 3; k++)
            pose->shape[3 * r + k] = p->plastic[3 * k + r];
    return PL_OK;
}

// ---- packing -------------------------------------------------------------------------------------------------------

static int64_t chunks_of(const clusters *c)
{
    int64_t chunks = 0;
    for (int64_t i = 0; i < c->count; i++)
        chunks += (c->start[i + 1] - c->start[i] + MATCH_CHUNK - 1) / MATCH_CHUNK;
    return chunks;
}

void clusters_lay_out(pl_world *w, arena *a)
{
    const clusters *c = &w->clusters;
    packed_clusters *p = &w->state.clusters;
    int64_t quadratic = 0;
    for (int64_t i = 0; i < c->count; i++)
        quadratic += c->material[i].match == PL_MATCH_QUADRATIC;
    p->count = (int32_t)c->count;
    p->chunks = (int32_t)chunks_of(c);
    p->start = arena_take(a, c->count + 1, sizeof *p->start);
    p->member = arena_take(a, c->members, sizeof *p->member);
    p->rest = arena_take(a, c->members, 4 * sizeof *p->rest);
    p->chunk_cluster = arena_take(a, p->chunks, sizeof *p->chunk_cluster);
    p->chunk_start = arena_take(a, p->chunks + 1, sizeof *p->chunk_start);
    p->cluster_chunk = arena_take(a, c->count + 1, sizeof *p->cluster_chunk);
    p->slot_start = arena_take(a, c->count ? w->state.slots + 1 : 0, sizeof *p->slot_start);
    p->slot_entry = arena_take(a, c->members, 2 * sizeof *p->slot_entry);
    p->sum = arena_take(a, p->chunks, sizeof *p->sum);
    p->lost = arena_take(a, p->chunks, 4 * sizeof *p->lost);
    p->body = arena_take(a, c->count, sizeof *p->body);
    p->pose = arena_take(a, c->count, sizeof *p->pose);
    p->quadratic = arena_take(a, quadratic * 81, sizeof *p->quadratic);
    p->owns = w->oriented.count > 0;
    p->own = arena_take(a, p->owns ? c->members : 0, sizeof *p->own);
}

// For each slot its clusters, in their order; and whether any is in two.
static void fill_slots(pl_world *w)
{
    const clusters *c = &w->clusters;
    packed_clusters *p = &w->state.clusters;
    memset(p->slot_start, 0, (size_t)(w->state.slots + 1) * sizeof *p->slot_start);
    for (int64_t k = 0; k < c->members; k++)
        p->slot_start[w->numbers.slot_of[c->member[k]] + 1]++;
    p->overlap = 0;
    for (int32_t i = 0; i < w->state.slots; i++)
    {
        p->overlap |= p->slot_start[i + 1] > 1;
        p->slot_start[i + 1] += p->slot_start[i];
    }
    for (int64_t i = 0; i < c->count; i++)
        for (int32_t k = c->start[i]; k < c->start[i + 1]; k++)
        {
            int32_t at = p->slot_start[w->numbers.slot_of[c->member[k]]]++;
            p->slot_entry[2 * (size_t)at] = k;
            p->slot_entry[2 * (size_t)at + 1] = (int32_t)i;
        }
    memmove(p->slot_start + 1, p->slot_start, (size_t)w->state.slots * sizeof *p->slot_start);
    p->slot_start[0] = 0;
}

// A particle's mass is shared out among its clusters, so that their pulls together keep momentum (Rivers and James 2007). One that is
// held in place weighs as much as a thousand of the heaviest.
static void fill_members(pl_world *w, int64_t i, double *mass)
{
    const clusters *c = &w->clusters;
    packed_clusters *p = &w->state.clusters;
    double heaviest = 0.0, centre[3] = {0};
    for (int32_t k = c->start[i]; k < c->start[i + 1]; k++)
    {
        float wi = w->state.slot[SLOT_X][4 * (size_t)w->numbers.slot_of[c->member[k]] + 3];
        if (wi > 0.0f && 1.0 / (double)wi > heaviest)
            heaviest = 1.0 / (double)wi;
    }
    *mass = 0.0;
    for (int32_t k = c->start[i]; k < c->start[i + 1]; k++)
    {
        int32_t slot = w->numbers.slot_of[c->member[k]];
        float wi = w->state.slot[SLOT_X][4 * (size_t)slot + 3];
        double m = wi > 0.0f ? 1.0 / (double)wi : heaviest > 0.0 ? 1000.0 * heaviest : 1.0;
        m /= p->slot_start[slot + 1] - p->slot_start[slot];
        p->member[k] = 4 * (uint32_t)slot;
        if (p->owns)
            p->own[k] = w->state.oriented.of_slot[slot];
        p->rest[4 * (size_t)k + 3] = (float)m;
        *mass += m;
        for (int a = 0; a < 3; a++)
            centre[a] += m * (double)c->rest[3 * (size_t)k + (size_t)a];
    }
    for (int32_t k = c->start[i]; k < c->start[i + 1]; k++)
        for (int a = 0; a < 3; a++)
            p->rest[4 * (size_t)k + (size_t)a] =
                (float)((double)c->rest[3 * (size_t)k + (size_t)a] - centre[a] / *mass);
}

// The inverse of a symmetric n x n matrix (Gauss and Jordan); what is flat is made a little thick.
static void invert(double *m, double *out, int n)
{
    for (int i = 0; i < n; i++)
    {
        m[n * i + i] = m[n * i + i] > 0.0 ? m[n * i + i] * (1.0 + 1e-6) : 1.0;
        for (int j = 0; j < n; j++)
            out[n * i + j] = i == j;
    }
    for (int i = 0; i < n; i++)
    {
        double pivot = 1.0 / m[n * i + i];
        for (int j = 0; j < n; j++)
            m[n * i + j] *= pivot, out[n * i + j] *= pivot;
        for (int r = 0; r < n; r++)
        {
            double f = m[n * r + i];
            for (int j = 0; j < n && r != i; j++)
                m[n * r + j] -= f * m[n * i + j], out[n * r + j] -= f * out[n * i + j];
        }
    }
}

static void fill_body(pl_world *w, int64_t i, int32_t *quadratic)
{
    const clusters *c = &w->clusters;
    packed_clusters *p = &w->state.clusters;
    const pl_cluster_material *m = &c->material[i];
    double mass, mean[9] = {0}, second[81] = {0}, inverse[81], linear[9], flat[9];
    fill_members(w, i, &mass);
    for (int pass = 0; pass < 2; pass++)
        for (int32_t k = c->start[i]; k < c->start[i + 1]; k++)
        {
            const float *q = p->rest + 4 * (size_t)k;
            double x = q[0], y = q[1], z = q[2], t[9] = {x, y, z, x * x, y * y, z * z, x * y, y * z, z * x};
            for (int r = 0; r < 9 && pass == 0; r++)
                mean[r] += (double)q[3] * t[r] / mass;
            for (int r = 0; r < 9 && pass == 1; r++)
                for (int s = 0; s < 9; s++)
                    second[9 * r + s] += (double)q[3] * (t[r] - mean[r]) * (t[s] - mean[s]);
        }
    for (int32_t k = c->start[i]; k < c->start[i + 1] && p->owns; k++)
        if (p->own[k] >= 0)
            oriented_moment(w, p->own[k], (double)p->rest[4 * (size_t)k + 3], second);
    match_body *b = &p->body[i];
    *b = (match_body){.match = (int32_t)m->match,
                      .spins = m->match == PL_MATCH_RIGID && m->stiffness == 1.0f && (!p->overlap || p->owns),
                      .alpha = per_iteration(m->stiffness, w->settings.iterations),
                      .beta = m->beta,
                      .yield = m->yield,
                      .creep = m->creep,
                      .limit = m->limit,
                      .hardening = m->hardening,
                      .mass = (float)mass,
                      .inverse_mass = (float)(1.0 / mass),
                      .mean = {(float)mean[0], (float)mean[1], (float)mean[2]},
                      .quadratic = *quadratic};
    double xx = second[0], yy = second[10], zz = second[20], xy = second[1], xz = second[2], yz = second[11];
    for (int k = 0; k < 6; k++)
        b->squares[k] = (float)mean[3 + k];
    const double inertia[6] = {yy + zz, xx + zz, xx + yy, -xy, -xz, -yz};
    for (int k = 0; k < 6; k++)
        b->inertia[k] = (float)inertia[k];
    for (int r = 0; r < 3; r++)
        for (int s = 0; s < 3; s++)
            linear[3 * r + s] = second[9 * r + s];
    invert(linear, flat, 3);
    for (int k = 0; k < 9; k++)
        b->shape[k] = (float)flat[k];
    if (m->match != PL_MATCH_QUADRATIC)
        return;
    invert(second, inverse, 9);
    for (int k = 0; k < 81; k++)
        p->quadratic[*quadratic + k] = (float)inverse[k];
    *quadratic += 81;
}

void clusters_fill(pl_world *w)
{
    const clusters *c = &w->clusters;
    packed_clusters *p = &w->state.clusters;
    int32_t chunk = 0, quadratic = 0;
    p->flows = 0;
    if (c->count == 0)
        return;
    fill_slots(w);
    for (int32_t i = 0; i < p->count; i++)
    {
        p->start[i] = c->start[i];
        p->cluster_chunk[i] = chunk;
        for (int32_t k = c->start[i]; k < c->start[i + 1]; k += MATCH_CHUNK)
        {
            p->chunk_cluster[chunk] = i;
            p->chunk_start[chunk++] = k;
        }
        fill_body(w, i, &quadratic);
        p->pose[i] = c->pose[i];
        p->flows |= c->material[i].yield > 0.0f;
    }
    p->start[p->count] = p->chunk_start[chunk] = c->start[c->count];
    p->cluster_chunk[p->count] = chunk;
}
