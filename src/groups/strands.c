// strands.c: adds, checks, reads and changes strands: chains of particles that keep the lengths of their links.
// strands_pack.c makes their packed form.
#include "groups/group.h"
#include "groups/melting.h"
#include "groups/rigids.h"
#include "groups/strands.h"

#include <math.h>
#include <string.h>

extern const group_kind strands_kind;

enum
{
    MOST_MEMBERS = INT32_MAX / 16,
};

pl_strands_def pl_default_strands_def(void) { return (pl_strands_def){.solver = PL_STRAND_DFTL, .correction = 1.0f}; }

// ---- checks --------------------------------------------------------------------------------------------------------

static pl_result check_numbers(int solver, float correction)
{
    if (solver < 0 || solver >= PL_STRAND_SOLVERS)
        return fail(PL_ERROR_ARGUMENT, "strands: solver is %d; it must be from 0 to %d", solver, PL_STRAND_SOLVERS - 1);
    if (!(correction >= 0.0f && correction <= 1.0f))
        return fail(PL_ERROR_ARGUMENT, "strands: correction is %g; it must be from 0 to 1; 1 keeps momentum",
                    (double)correction);
    return PL_OK;
}

static pl_result check_starts(const pl_strands_def *d)
{
    int64_t room = MOST_MEMBERS - (d->carriers ? STRAND_CARRIERS * (int64_t)d->count : 0);
    if (d->count < 1 || room < 2)
        return fail(PL_ERROR_ARGUMENT, "strands: count is %d; it must be from 1 to %d", d->count,
                    MOST_MEMBERS / (STRAND_CARRIERS + 2));
    if (d->start[0] != 0)
        return fail(PL_ERROR_ARGUMENT, "strands: start[0] is %d; it must be 0", d->start[0]);
    for (int i = 0; i < d->count; i++)
        if (d->start[i + 1] - (int64_t)d->start[i] < 2 || d->start[i + 1] > room)
            return fail(PL_ERROR_ARGUMENT,
                        "strands: strand %d has the points %d to %lld; a strand has at least two, and all of a world "
                        "at most %d",
                        i, d->start[i], (long long)d->start[i + 1] - 1, MOST_MEMBERS);
    return PL_OK;
}

enum taken
{
    TAKEN_POINT = 1,
    TAKEN_CARRIER = 2,
};

// Marks the members of all strands in `taken`, which has a number for each particle. Returns the index of the first
// member that may not be there: a point is a point once, and is no carrier. Returns -1 if all may.
static int64_t mark_taken(const strands *t, uint8_t *taken)
{
    for (int64_t i = 0; i < t->count; i++)
        for (int32_t k = t->start[i]; k < t->start[i + 1]; k++)
        {
            uint8_t *mark = &taken[t->member[k]];
            bool carries = k < strand_first_point(t, i);
            if (carries ? *mark & TAKEN_POINT : *mark)
                return k;
            *mark |= carries ? TAKEN_CARRIER : TAKEN_POINT;
        }
    return -1;
}

static pl_result check_particle(const pl_world *w, int32_t particle, int strand, const char *what)
{
    if (slot_of(w, particle) >= 0)
        return PL_OK;
    return fail(PL_ERROR_ARGUMENT, "strands: %s %d of strand %d does not exist; particles go from 0 to %d", what,
                particle, strand, w->numbers.end - 1);
}

static pl_result check_points(const pl_world *w, const pl_strands_def *d, uint8_t *taken)
{
    for (int i = 0; i < d->count; i++)
        for (int32_t k = d->start[i]; k < d->start[i + 1]; k++)
        {
            pl_result result = check_particle(w, d->particles[k], i, "point");
            if (result != PL_OK)
                return result;
            uint8_t *mark = &taken[d->particles[k]];
            if (*mark)
                return fail(PL_ERROR_ARGUMENT, "strands: particle %d of strand %d is %s; it may be in one strand, once",
                            d->particles[k], i,
                            *mark & TAKEN_POINT ? "a point of a strand already" : "a carrier of one");
            *mark = TAKEN_POINT;
            float length = d->lengths && k > d->start[i] ? d->lengths[k] : 1.0f;
            if (!(length > 0.0f && CHECK_FINITE(length)))
                return fail(PL_ERROR_ARGUMENT, "strands: the length %d is %g m; it must be above 0", k, (double)length);
        }
    return PL_OK;
}

static bool shares_allowed(const float *share)
{
    bool allowed = true;
    for (int c = 0; c < STRAND_CARRIERS; c++)
        allowed &= share[c] >= 0.0f && share[c] <= 1.0f;
    return allowed && fabsf(share[0] + share[1] + share[2] - 1.0f) < 1e-3f;
}

static pl_result check_carriers(const pl_world *w, const pl_strands_def *d, const uint8_t *taken)
{
    if (d->carriers && !d->shares)
        return fail(PL_ERROR_ARGUMENT, "strands: there are carriers, but `shares` is NULL; give three for each strand");
    for (int i = 0; d->carriers && i < d->count; i++)
    {
        const float *share = d->shares + STRAND_CARRIERS * (size_t)i;
        for (int c = 0; c < STRAND_CARRIERS; c++)
        {
            int32_t carrier = d->carriers[STRAND_CARRIERS * i + c];
            pl_result result = check_particle(w, carrier, i, "carrier");
            if (result != PL_OK)
                return result;
            if (taken[carrier] & TAKEN_POINT)
                return fail(PL_ERROR_ARGUMENT, "strands: the carrier %d of strand %d is a point of a strand", carrier,
                            i);
        }
        if (!shares_allowed(share))
            return fail(PL_ERROR_ARGUMENT, "strands: the shares of strand %d are %g, %g, %g; their sum must be 1", i,
                        (double)share[0], (double)share[1], (double)share[2]);
    }
    return PL_OK;
}

static pl_result check_def(pl_world *w, const pl_strands_def *d)
{
    uint8_t *taken = NULL;
    int64_t capacity = 0;
    pl_result result = check_numbers((int)d->solver, d->correction);
    if (result == PL_OK)
        result = check_starts(d);
    if (result == PL_OK)
        result = array_reserve(&w->memory, &taken, &capacity, w->numbers.end + 1, 1);
    if (result == PL_OK)
    {
        memset(taken, 0, (size_t)w->numbers.end + 1);
        mark_taken(&w->strands, taken);
        result = check_points(w, d, taken);
    }
    if (result == PL_OK)
        result = check_carriers(w, d, taken);
    array_free(&w->memory, &taken, &capacity, 1);
    return result;
}

// ---- adding --------------------------------------------------------------------------------------------------------

static double distance_between(const pl_world *w, int32_t a, int32_t b)
{
    double p[3], q[3], sum = 0.0;
    slot_place(w, slot_of(w, a), p);
    slot_place(w, slot_of(w, b), q);
    for (int c = 0; c < 3; c++)
        sum += (p[c] - q[c]) * (p[c] - q[c]);
    return sqrt(sum);
}

// Appends a strand. Returns the number of the point that lies where the one above does, or -1.
static int32_t append(pl_world *w, const pl_strands_def *d, int i)
{
    strands *t = &w->strands;
    int32_t coincident = -1;
    t->form[t->count] = (strand_form){(int32_t)d->solver, d->correction};
    t->carriers[t->count] = d->carriers ? STRAND_CARRIERS : 0;
    t->start[t->count++] = (int32_t)t->members;
    for (int c = 0; d->carriers && c < STRAND_CARRIERS; c++, t->members++)
    {
        t->member[t->members] = d->carriers[STRAND_CARRIERS * (size_t)i + (size_t)c];
        t->length[t->members] = d->shares[STRAND_CARRIERS * (size_t)i + (size_t)c];
    }
    for (int32_t k = d->start[i]; k < d->start[i + 1]; k++, t->members++)
    {
        bool root = k == d->start[i];
        double now = root ? 0.0 : distance_between(w, d->particles[k - 1], d->particles[k]);
        float length = root ? 0.0f : d->lengths ? d->lengths[k] : (float)now;
        coincident = !root && !(length > 0.0f) ? d->particles[k] : coincident;
        t->member[t->members] = d->particles[k];
        t->length[t->members] = length;
    }
    memset(t->pull + 3 * (size_t)t->start[t->count - 1], 0,
           3 * (size_t)(t->members - t->start[t->count - 1]) * sizeof *t->pull);
    t->start[t->count] = (int32_t)t->members;
    return coincident;
}

pl_result pl_add_strands(pl_world *w, const pl_strands_def *def, pl_id *block)
{
    NEED(w);
    NEED(def);
    NEED(def->start);
    NEED(def->particles);
    PLAIN_ROUNDING;
    strands *t = &w->strands;
    pl_result result = check_def(w, def);
    if (result != PL_OK)
        return result;
    int64_t points = def->start[def->count];
    int64_t members = points + (def->carriers ? STRAND_CARRIERS * (int64_t)def->count : 0);
    if (t->members + members > MOST_MEMBERS)
        return fail(PL_ERROR_ARGUMENT, "strands: %lld points and carriers in all; a world holds at most %d",
                    (long long)(t->members + members), MOST_MEMBERS);
    result = heat_check_added(w, def->particles, points, "a strand");
    if (result == PL_OK)
        result = pull(w, ARRAY_BIT(SLOT_X));
    if (result == PL_OK)
        result = group_begin(w, &strands_kind, def->count, members);
    if (result != PL_OK)
        return result;
    const int64_t count = t->count, before = t->members;
    for (int i = 0; i < def->count; i++)
    {
        int32_t coincident = append(w, def, i);
        if (coincident < 0)
            continue;
        t->count = count, t->members = before;
        return fail(PL_ERROR_ARGUMENT,
                    "strands: point %d of strand %d lies where the point above it does; give `lengths`", coincident, i);
    }
    return group_end(w, &strands_kind, count, block);
}

static pl_result strands_check(pl_world *w)
{
    const strands *t = &w->strands;
    uint8_t *taken = NULL;
    int64_t capacity = 0;
    for (int64_t i = 0; i < t->count; i++)
    {
        if (t->carriers[i] != 0 && t->carriers[i] != STRAND_CARRIERS)
            return PL_ERROR_FORMAT;
        int32_t first = strand_first_point(t, i);
        if (t->start[i + 1] - first < 2 || check_numbers(t->form[i].solver, t->form[i].correction) != PL_OK ||
            (t->carriers[i] && !shares_allowed(t->length + t->start[i])))
            return PL_ERROR_FORMAT;
        for (int32_t k = first + 1; k < t->start[i + 1]; k++)
            if (!(t->length[k] > 0.0f))
                return PL_ERROR_FORMAT;
    }
    pl_result result = array_reserve(&w->memory, &taken, &capacity, w->numbers.end + 1, 1);
    if (result == PL_OK)
    {
        memset(taken, 0, (size_t)w->numbers.end + 1);
        result = mark_taken(t, taken) < 0 ? PL_OK : PL_ERROR_FORMAT;
    }
    array_free(&w->memory, &taken, &capacity, 1);
    return result;
}

// ---- reading and changing ------------------------------------------------------------------------------------------

pl_result pl_set_strands(pl_world *w, pl_id block, pl_strand_solver solver, float correction)
{
    NEED(w);
    const id_entry *t = id_find(w, block, ID_STRANDS, "set strands");
    pl_result result = t ? check_numbers((int)solver, correction) : PL_ERROR_ARGUMENT;
    if (result == PL_OK)
        result = groups_open(w);
    for (int32_t i = 0; result == PL_OK && i < t->count; i++)
        w->strands.form[t->first + i] = (strand_form){(int32_t)solver, correction};
    return result;
}

// Adds the relative errors of the lengths of strands to `sum`: mean holds their sum.
static void add_errors(const pl_world *w, int64_t first, int64_t count, pl_residual *sum)
{
    const strands *t = &w->strands;
    for (int64_t i = first; i < first + count; i++)
        for (int32_t k = strand_first_point(t, i) + 1; k < t->start[i + 1]; k++)
        {
            double off = fabs(distance_between(w, t->member[k - 1], t->member[k]) / (double)t->length[k] - 1.0);
            sum->mean += off;
            sum->max = off > sum->max ? off : sum->max;
            sum->count++;
        }
}

pl_result pl_get_strands(const pl_world *w, pl_id block, pl_strands_state *out)
{
    NEED(w);
    NEED(out);
    const id_entry *t = id_find(w, block, ID_STRANDS, "get strands");
    pl_result result = t ? pull(w, ARRAY_BIT(SLOT_X)) : PL_ERROR_ARGUMENT;
    if (result != PL_OK)
        return result;
    pl_residual sum = {0};
    const strand_form *form = &w->strands.form[t->first];
    add_errors(w, t->first, t->count, &sum);
    *out = (pl_strands_state){.count = t->count,
                              .points = sum.count + t->count,
                              .solver = (pl_strand_solver)form->solver,
                              .correction = form->correction,
                              .stretch_mean = sum.mean / (double)sum.count,
                              .stretch_max = sum.max};
    return PL_OK;
}

int pl_world_strands(const pl_world *w, pl_id *out, int capacity)
{
    int count = 0;
    for (uint32_t i = 1; w && i < w->entry_count; i++)
    {
        if (w->entries[i].type != ID_STRANDS)
            continue;
        if (out && count < capacity)
            out[count] = (pl_id){i, w->entries[i].generation};
        count++;
    }
    return count;
}

int pl_strand_points(const pl_world *w, pl_id block, int strand, int32_t *out, int capacity)
{
    const id_entry *e = w ? id_find(w, block, ID_STRANDS, "strand points") : NULL;
    if (!e || strand < 0 || strand >= e->count)
        return 0;
    const strands *t = &w->strands;
    int32_t first = strand_first_point(t, (int64_t)e->first + strand);
    int count = t->start[e->first + strand + 1] - first;
    for (int i = 0; out && i < count && i < capacity; i++)
        out[i] = t->member[first + i];
    return count;
}

static void strands_residual(const pl_world *w, pl_residual *sum) { add_errors(w, 0, w->strands.count, sum); }

// ---- the description of the kind -----------------------------------------------------------------------------------

enum // the role of each column in model/columns.def
{
    ROLE_start = ROLE_STRUCTURE,
    ROLE_member = ROLE_STRUCTURE,
    ROLE_length = ROLE_PARAMETER,
    ROLE_carriers = ROLE_STRUCTURE,
    ROLE_form = ROLE_PARAMETER,
    ROLE_pull = ROLE_STATE,
    ROLE_order = ROLE_STATE,
};

static const uint8_t roles[] = {
#define MODEL_STRANDS(type, name, ...) ROLE_##name,
#include "model/columns.def"
};

const group_kind strands_kind = {
    .words = "strands",
    .member_words = "points of strands",
    .id_entry = ID_STRANDS,
    GROUP_COLUMNS(STRANDS),
    .count = offsetof(pl_world, strands.count),
    .members = offsetof(pl_world, strands.members),
    .most = MOST_MEMBERS,
    .roles = roles,
    .member_column = MODEL_STRANDS_member,
    .melting = MELT_NEVER,
    .size = strands_size,
    .lay_out = strands_lay_out,
    .fill = strands_fill,
    .unpack = strands_unpack,
    .back = strands_back,
    .place = strands_place,
    .plan = strands_plan,
    .check = strands_check,
    .residual = strands_residual,
};
