// measure.c: computes energies, momentum, the residual and the hash. Sums are in double, in particle and row order.
#include "core/hash.h"
#include "edit/add.h"
#include "elements/row.h"
#include "groups/group.h"
#include "groups/oriented.h"
#include "model/world.h"

#include <math.h>
#include <string.h>

enum
{
    STRETCH = 256, // rows measured at a time
};

static double mass_at(const pl_world *w, int32_t slot)
{
    float weight = inverse_mass(w, slot);
    return weight > 0.0f ? 1.0 / (double)weight : 0.0;
}

static double field_potential(const pl_field *f, const float *x, double mass, double charge)
{
    double px = x[0], py = x[1], pz = x[2], along = f->vector.x * px + f->vector.y * py + f->vector.z * pz;
    if (f->kind == PL_FIELD_UNIFORM)
        return -mass * along;
    if (f->kind == PL_FIELD_ELECTRIC)
        return -charge * along;
    if (f->kind == PL_FIELD_POINT)
    {
        double dx = f->origin.x - px, dy = f->origin.y - py, dz = f->origin.z - pz;
        double r = sqrt(dx * dx + dy * dy + dz * dz + (double)f->radius * f->radius);
        return r > 0.0 ? -mass * f->strength / r : 0.0;
    }
    return 0.0; // a drag has no energy
}

// Calls visit(user, row, C) for every row of a kind, in the users' order.
typedef void row_visit(void *user, int64_t row, float value);

static void visit_rows(const pl_world *w, int kind, row_visit *visit, void *user)
{
    float values[STRETCH];
    for (int64_t first = 0; first < w->rows[kind].count; first += STRETCH)
    {
        int32_t count = w->rows[kind].count - first < STRETCH ? (int32_t)(w->rows[kind].count - first) : STRETCH;
        rows_measure(w, kind, first, count, values);
        for (int32_t j = 0; j < count; j++)
            visit(user, first + j, values[j]);
    }
}

typedef struct tally
{
    const pl_world *w;
    int kind;
    double sum, most;
    int64_t count;
} tally;

static void add_elastic(void *user, int64_t row, float value)
{
    tally *t = user;
    double c = row_violation(facts_of(t->kind), value), compliance = t->w->rows[t->kind].soft[row].compliance;
    if (compliance > 0.0)
        t->sum += 0.5 * c * c / compliance;
}

static void add_residual(void *user, int64_t row, float value)
{
    tally *t = user;
    const kind_facts *k = facts_of(t->kind);
    double relative = fabs(row_violation(k, value)) / (double)t->w->rows[t->kind].param[row * k->info.params];
    t->sum += relative;
    t->most = relative > t->most ? relative : t->most;
    t->count++;
}

pl_energy pl_world_energy(const pl_world *w)
{
    pl_energy e = {0};
    if (!w)
        return e;
    pull(w, ARRAY_BIT(SLOT_X) | ARRAY_BIT(SLOT_V) | ARRAY_BIT(SLOT_FORCE));
    groups_measure(w, &e.kinetic, NULL);
    for (int32_t n = 0; n < w->numbers.end; n++)
    {
        int32_t slot = w->numbers.slot_of[n];
        if (slot < 0)
            continue;
        const float *x = w->state.slot[SLOT_X] + 4 * (size_t)slot, *v = w->state.slot[SLOT_V] + 4 * (size_t)slot;
        double m = mass_at(w, slot), vx = v[0], vy = v[1], vz = v[2];
        const pl_vec3 g = w->settings.gravity;
        e.kinetic += 0.5 * m * (vx * vx + vy * vy + vz * vz);
        e.potential -= m * ((double)g.x * x[0] + (double)g.y * x[1] + (double)g.z * x[2]);
        for (int i = 0; i < MAX_FIELDS; i++)
            if (w->field_entry[i] && m > 0.0)
                e.potential += field_potential(&w->fields[i], x, m, w->state.slot[SLOT_FORCE][4 * (size_t)slot + 3]);
    }
    tally t = {.w = w};
    for (t.kind = 0; w->settings.solver != PL_SOLVER_PBD && t.kind < PL_KIND_COUNT; t.kind++)
        visit_rows(w, t.kind, add_elastic, &t);
    e.elastic = t.sum;
    return e;
}

void pl_world_momentum(const pl_world *w, double linear[3], double angular[3])
{
    double unused[3];
    linear = linear ? linear : unused;
    angular = angular ? angular : unused;
    for (int c = 0; c < 3; c++)
        linear[c] = angular[c] = 0.0;
    if (!w)
        return;
    pull(w, ARRAY_BIT(SLOT_X) | ARRAY_BIT(SLOT_V));
    groups_measure(w, NULL, angular);
    for (int32_t n = 0; n < w->numbers.end; n++)
    {
        int32_t slot = w->numbers.slot_of[n];
        if (slot < 0)
            continue;
        const float *x = w->state.slot[SLOT_X] + 4 * (size_t)slot, *v = w->state.slot[SLOT_V] + 4 * (size_t)slot;
        double m = mass_at(w, slot), p[3];
        for (int c = 0; c < 3; c++)
            linear[c] += p[c] = m * (double)v[c];
        for (int c = 0; c < 3; c++)
            angular[c] += (double)x[(c + 1) % 3] * p[(c + 2) % 3] - (double)x[(c + 2) % 3] * p[(c + 1) % 3];
    }
}

pl_residual pl_world_residual(const pl_world *w)
{
    if (!w)
        return (pl_residual){0};
    pull(w, ARRAY_BIT(SLOT_X));
    tally t = {.w = w};
    for (t.kind = 0; t.kind < PL_KIND_COUNT; t.kind++)
        if (facts_of(t.kind)->scale)
            visit_rows(w, t.kind, add_residual, &t);
    pl_residual all = {t.sum, t.most, t.count};
    groups_residual(w, &all);
    all.mean = all.count ? all.mean / (double)all.count : 0.0;
    return all;
}

uint64_t pl_world_hash(const pl_world *w)
{
    uint64_t h = 14695981039346656037u;
    if (!w)
        return 0;
    pull(w, ARRAY_BIT(SLOT_X) | ARRAY_BIT(SLOT_V));
    for (int32_t n = 0; n < w->numbers.end; n++)
    {
        int32_t slot = w->numbers.slot_of[n];
        if (slot < 0)
            continue;
        for (int c = 0; c < 3; c++)
            h = hash_float(h, w->state.slot[SLOT_X][4 * (size_t)slot + (size_t)c]);
        for (int c = 0; c < 3; c++)
            h = hash_float(h, w->state.slot[SLOT_V][4 * (size_t)slot + (size_t)c]);
    }
    h = groups_hash(w, h);
    for (int64_t i = 0; i < w->heat.count; i++)
        if (w->heat.of_particle[i].rule)
            h = hash_float(h, (float)w->heat.of_particle[i].heat) + (uint64_t)w->heat.of_particle[i].molten;
    return h;
}
