// clusters_pack.c: makes the packed form of clusters, which the stages read (kernels/shape_match.h): chunks, masses,
// moments, surface fields.
#include "core/arena.h"
#include "core/power.h"
#include "groups/clusters.h"
#include "groups/oriented.h"
#include "model/columns.h"
#include "plan/planner.h"

#include <math.h>
#include <string.h>

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
    p->count = (int32_t)c->count;
    p->members = (int32_t)c->members;
    p->chunks = (int32_t)chunks_of(c);
    p->owns = w->oriented.count > 0;
    p->quadratics = 0;
    for (int64_t i = 0; i < c->count; i++)
        p->quadratics += c->material[i].match == PL_MATCH_QUADRATIC;
    packed_lay_out(&w->state, OWNER_CLUSTERS, a);
}

// Lists the clusters of each slot, in order, and records whether any particle is in two.
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

// Divides a particle's mass among its clusters, so that their corrections together conserve momentum (Rivers and James
// 2007). A particle of infinite mass counts as a thousand times the heaviest one.
static void fill_members(pl_world *w, int64_t i, double *mass)
{
    const clusters *c = &w->clusters;
    packed_clusters *p = &w->state.clusters;
    double heaviest = 0.0, centre[3] = {0};
    for (int32_t k = c->start[i]; k < c->start[i + 1]; k++)
    {
        float wi = inverse_mass(w, w->numbers.slot_of[c->member[k]]);
        if (wi > 0.0f && 1.0 / (double)wi > heaviest)
            heaviest = 1.0 / (double)wi;
    }
    *mass = 0.0;
    for (int32_t k = c->start[i]; k < c->start[i + 1]; k++)
    {
        int32_t slot = w->numbers.slot_of[c->member[k]];
        float wi = inverse_mass(w, slot);
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

// Inverts a symmetric n x n matrix (Gauss-Jordan). A small addition to the diagonal makes singular matrices invertible.
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

// Computes the mass-weighted mean of x y z x^2 y^2 z^2 xy yz zx over a cluster's members, and their 9 x 9 second
// moments about it.
static void find_moments(const pl_world *w, int64_t i, double mass, double mean[9], double second[81])
{
    const clusters *c = &w->clusters;
    for (int pass = 0; pass < 2; pass++)
        for (int32_t k = c->start[i]; k < c->start[i + 1]; k++)
        {
            const float *q = w->state.clusters.rest + 4 * (size_t)k;
            double x = q[0], y = q[1], z = q[2], t[9] = {x, y, z, x * x, y * y, z * z, x * y, y * z, z * x};
            for (int r = 0; r < 9 && pass == 0; r++)
                mean[r] += (double)q[3] * t[r] / mass;
            for (int r = 0; r < 9 && pass == 1; r++)
                for (int s = 0; s < 9; s++)
                    second[9 * r + s] += (double)q[3] * (t[r] - mean[r]) * (t[s] - mean[s]);
        }
}

// Adds the moments of oriented members. Returns whether there are any.
static bool add_own_moments(pl_world *w, int64_t i, double *second)
{
    const clusters *c = &w->clusters;
    const packed_clusters *p = &w->state.clusters;
    bool oriented = false;
    for (int32_t k = c->start[i]; k < c->start[i + 1] && p->owns; k++)
        if (p->own[k] >= 0)
        {
            oriented_moment(w, p->own[k], (double)p->rest[4 * (size_t)k + 3], second);
            oriented = true;
        }
    return oriented;
}

// Computes the inertia, and the inverse moments that the fit of a linear or a quadratic shape needs.
static void fill_inverse(packed_clusters *p, match_body *b, double *second)
{
    double inverse[81], linear[9], flat[9];
    double xx = second[0], yy = second[10], zz = second[20], xy = second[1], xz = second[2], yz = second[11];
    const double inertia[6] = {yy + zz, xx + zz, xx + yy, -xy, -xz, -yz};
    for (int k = 0; k < 6; k++)
        b->inertia[k] = (float)inertia[k];
    for (int r = 0; r < 3; r++)
        for (int s = 0; s < 3; s++)
            linear[3 * r + s] = second[9 * r + s];
    invert(linear, flat, 3);
    for (int k = 0; k < 9; k++)
        b->shape[k] = (float)flat[k];
    if (b->match != PL_MATCH_QUADRATIC)
        return;
    invert(second, inverse, 9);
    for (int k = 0; k < 81; k++)
        p->quadratic[b->quadratic + k] = (float)inverse[k];
}

static void fill_body(pl_world *w, int64_t i, int32_t *quadratic)
{
    const clusters *c = &w->clusters;
    packed_clusters *p = &w->state.clusters;
    const pl_cluster_material *m = &c->material[i];
    double mass, mean[9] = {0}, second[81] = {0};
    fill_members(w, i, &mass);
    find_moments(w, i, mass, mean, second);
    int32_t own = 0; // particles that are in no other cluster
    for (int32_t k = c->start[i]; k < c->start[i + 1]; k++)
        own += p->slot_start[p->member[k] / 4 + 1] - p->slot_start[p->member[k] / 4] == 1;
    bool fully_rigid = m->match == PL_MATCH_RIGID && m->stiffness == 1.0f, oriented = add_own_moments(w, i, second);
    p->fully_rigid |= fully_rigid && own > 0;
    match_body *b = &p->body[i];
    *b = (match_body){.match = (int32_t)m->match,
                      .fully_rigid = fully_rigid,
                      .spins = fully_rigid && (own == c->start[i + 1] - c->start[i] || oriented),
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
    for (int k = 0; k < 6; k++)
        b->squares[k] = (float)mean[3 + k];
    fill_inverse(p, b, second);
    *quadratic += m->match == PL_MATCH_QUADRATIC ? 81 : 0;
}

// Sets the surface fields (SLOT_NORMAL). Only particles that are in one rigid cluster have one; for others, contacts
// treat each particle separately.
static void fill_fields(pl_world *w, int64_t i)
{
    const clusters *c = &w->clusters;
    packed_clusters *p = &w->state.clusters;
    for (int32_t k = c->start[i]; k < c->start[i + 1]; k++)
    {
        float *field = p->field + 4 * (size_t)k;
        memset(field, 0, 4 * sizeof *field);
        int32_t slot = (int32_t)(p->member[k] / 4);
        if (p->body[i].fully_rigid && p->slot_start[slot + 1] - p->slot_start[slot] == 1)
            memcpy(field, c->field + 4 * (size_t)k, 4 * sizeof *field);
        store_points(w->state.slot[SLOT_NORMAL] + p->member[k], match_way_out(&p->pose[i], load_points(field)));
    }
}

void clusters_fill(pl_world *w, int32_t *scratch)
{
    (void)scratch;
    const clusters *c = &w->clusters;
    packed_clusters *p = &w->state.clusters;
    int32_t chunk = 0, quadratic = 0;
    p->flows = p->fully_rigid = p->spins = p->widest = 0;
    memset(w->state.slot[SLOT_NORMAL], 0, 16 * (size_t)w->state.slots);
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
            int32_t members = c->start[i + 1] - k < MATCH_CHUNK ? c->start[i + 1] - k : MATCH_CHUNK;
            p->widest = members > p->widest ? members : p->widest;
        }
        fill_body(w, i, &quadratic);
        p->pose[i] = c->pose[i];
        fill_fields(w, i);
        p->spins |= p->body[i].spins;
        p->flows |= c->material[i].yield > 0.0f;
    }
    p->start[p->count] = p->chunk_start[chunk] = c->start[c->count];
    p->cluster_chunk[p->count] = chunk;
}

// ---- stages --------------------------------------------------------------------------------------------------------

// Plans the stages that fit each cluster's shape to its particles and move the particles towards the fit.
static void plan_match(planner *p, bool first, int which)
{
    const packed_clusters *c = &p->world->state.clusters;
    stage g = {.first = first, .grain_size = 1};
    if (!c->count)
        return;
    g.op = OP_MATCH_SUM, g.end = c->chunks;
    plan_stage(p, g);
    g.op = OP_MATCH_SOLVE, g.end = c->count;
    plan_stage(p, g);
    g.kind = (uint8_t)which;
    if (c->overlap && c->spins)
    {
        g.op = OP_MATCH_LOSE, g.end = c->chunks;
        plan_stage(p, g);
    }
    g.op = c->overlap ? OP_MATCH_BLEND : OP_MATCH_MOVE, g.end = c->overlap ? p->world->state.particles : c->chunks;
    plan_stage(p, g);
}

// Plans the stages after the velocity update: they return the angular momentum that the clusters' rotation lost, and
// turn strain into plastic deformation.
static void plan_ends(planner *p)
{
    const packed_clusters *c = &p->world->state.clusters;
    stage g = {.grain_size = 1};
    if (c->spins)
    {
        g.op = OP_MATCH_SPIN, g.end = c->count;
        plan_stage(p, g);
        g.op = c->overlap ? OP_MATCH_RETURN : OP_MATCH_TURN, g.end = c->overlap ? p->world->state.particles : c->chunks;
        plan_stage(p, g);
    }
    if (c->flows)
    {
        g.op = OP_MATCH_SUM, g.end = c->chunks;
        plan_stage(p, g);
        g.op = OP_MATCH_YIELD, g.end = c->count;
        plan_stage(p, g);
    }
}

void clusters_plan(planner *p, enum plan_hook hook, int iteration)
{
    bool warm = has_contacts(p->world) && p->world->state.clusters.fully_rigid;
    if (hook == PLAN_WARM_START && warm)
        plan_match(p, true,
                   MATCH_RIGID_ONLY); // rigid bodies, not single particles, respond to the contacts of the last substep
    else if (hook == PLAN_AFTER_CONTACTS)
        plan_match(p, iteration == 0 && !warm, MATCH_ALL);
    else if (hook == PLAN_VELOCITY)
        plan_ends(p);
}
