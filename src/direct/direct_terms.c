// direct_terms.c: see direct_terms.h.
#include "direct/direct_terms.h"
#include "elements/row.h"
#include "kernels/displacement.h"
#include "model/world.h"

#include <math.h>
#include <string.h>

static double number_at(const float *values, uint8_t step, int32_t at) { return (double)values[step ? at : 0]; }

// How far point i of a row has come since the substep's start. For BDF2, the resulting velocity times its step.
static void moved_of(const direct_step *w, uint32_t i, const double *d, double *out)
{
    const float *x = w->s->slot[SLOT_X] + i, *d1 = w->s->slot[SLOT_D1] + i;
    vec low = low_part((point){x[0], x[1], x[2], x[3]});
    const float start[3] = {low.x, low.y, low.z};
    for (int a = 0; a < 3; a++)
        out[a] = d[a] - (double)start[a] - (w->second ? (double)d1[a] / 3.0 : 0.0);
}

// Gathers a row where the blocks are displaced by `d`.
static void gather_row(const direct_step *w, const direct_row *row, const double *d, direct_input *in)
{
    const packed_rows *r = &w->s->rows[row->kind];
    const int32_t *block = w->d->list.block + row->first_point;
    const float *x0 = w->s->slot[SLOT_X] + r->index[0][row->at];
    double first[3] = {0};
    in->ahead = w->ahead, in->drift_share = w->drift_share, in->damped = r->damped;
    for (int i = 0; i < r->arity; i++)
    {
        uint32_t at = r->index[i][row->at];
        const float *x = w->s->slot[SLOT_X] + at, *held = w->s->slot[SLOT_D] + at;
        double by[3] = {(double)held[0], (double)held[1], (double)held[2]};
        if (block[i] >= 0)
            memcpy(by, d + 3 * (int64_t)block[i], sizeof by);
        in->inverse_mass[i] = (double)held[3];
        for (int a = 0; a < 3; a++)
        {
            first[a] = i == 0 && r->arity > 1 ? by[a] : first[a];
            in->x[i][a] = ((double)x[a] - (double)x0[a]) + (by[a] - first[a]);
        }
        if (r->damped)
            moved_of(w, at, by, in->moved[i]);
    }
    for (int i = 0; i < r->params; i++)
        in->param[i] = number_at(r->param[i], r->param_step[i], row->at);
    for (int a = 0; a < 3 && r->arity == 1; a++) // a position in the world
        in->param[a] -= (double)x0[a];
}

// The softness of a row, divided by 1 + gamma: so its damping, too, leaves the matrix symmetric.
typedef struct give
{
    double a, gamma, share; // share: 1/(1 + gamma)
} give;

static give give_of(const direct_step *w, const direct_row *row, const direct_value *v)
{
    const packed_rows *r = &w->s->rows[row->kind];
    double compliance = number_at(r->compliance, r->compliance_step, row->at);
    double a = compliance * w->inverse_h * w->inverse_h;
    double gamma = r->damped ? compliance * number_at(r->damping, r->damping_step, row->at) * w->inverse_h : 0.0;
    a = a > v->least_a ? a : v->least_a;
    return (give){a, gamma, 1.0 / (1.0 + gamma)};
}

// What is left of a row: C + a S lambda + gamma motion, over 1 + gamma.
static void residual_of(const direct_value *v, give g, int parts, const double *lambda, double *out)
{
    for (int i = 0; i < parts; i++)
    {
        double sum = v->c[i] + g.gamma * v->motion[i];
        for (int j = 0; j < parts; j++)
            sum += g.a * (j <= i ? v->soft[i][j] : v->soft[j][i]) * lambda[j];
        out[i] = g.share * sum;
    }
}

// A one-sided row that its multiplier does not hold: the multiplier goes to 0.
static bool is_slack(int bound, double lambda, double residual, double weight)
{
    double next = weight > 0.0 ? lambda - residual / weight : lambda;
    return (bound == BOUND_AT_MOST && next >= 0.0) || (bound == BOUND_AT_LEAST && next <= 0.0);
}

static double merit_of(const direct_step *w, const direct_row *row, const double *lambda, const double *residual)
{
    const int parts = direct_parts(row->kind), bound = facts_of(row->kind)->bound;
    double sum = 0.0;
    for (int i = 0; i < parts; i++)
    {
        double weight = w->d->weight[row->first_part + i], left = residual[i];
        if (is_slack(bound, lambda[i], left, weight))
            left = weight * lambda[i];
        sum += weight > 0.0 ? left * left / weight : 0.0;
    }
    return sum;
}

// L of A = L L^T, in place; a part that nothing moves and that is rigid gets none.
static void factorise(double (*a)[DIRECT_PARTS], int parts)
{
    for (int j = 0; j < parts; j++)
    {
        double d = a[j][j];
        for (int k = 0; k < j; k++)
            d -= a[j][k] * a[j][k];
        a[j][j] = d > 0.0 ? sqrt(d) : 0.0;
        for (int i = j + 1; i < parts; i++)
        {
            double sum = a[i][j];
            for (int k = 0; k < j; k++)
                sum -= a[i][k] * a[j][k];
            a[i][j] = d > 0.0 ? sum / a[j][j] : 0.0;
        }
    }
}

// L^-1 b and L^-T b; `step` between the numbers of b.
static void solve_lower(double (*l)[DIRECT_PARTS], int parts, double *b, int step)
{
    for (int i = 0; i < parts; i++)
    {
        for (int k = 0; k < i; k++)
            b[i * step] -= l[i][k] * b[k * step];
        b[i * step] = l[i][i] > 0.0 ? b[i * step] / l[i][i] : 0.0;
    }
}

void direct_solve_upper(double (*l)[DIRECT_PARTS], int parts, double *b)
{
    for (int i = parts - 1; i >= 0; i--)
    {
        for (int k = i + 1; k < parts; k++)
            b[i] -= l[k][i] * b[k];
        b[i] = l[i][i] > 0.0 ? b[i] / l[i][i] : 0.0;
    }
}

double (*direct_triangle(const direct_system *d, const direct_row *row))[DIRECT_PARTS]
{
    return (double(*)[DIRECT_PARTS])(void *)(d->triangle + DIRECT_PARTS * (int64_t)row->first_part);
}

// Computes J of a row, its A and what is left of it. Returns its part of the merit.
double direct_open(const direct_step *w, direct_row *row)
{
    direct_system *d = w->d;
    direct_input in;
    direct_value v;
    double left[DIRECT_PARTS], (*l)[DIRECT_PARTS] = direct_triangle(d, row);
    const int parts = direct_parts(row->kind), writes = facts_of(row->kind)->writes;
    double *j = d->gradient + row->first_gradient, *lambda = d->lambda + row->first_part;
    gather_row(w, row, d->d, &in);
    direct_evaluate(row->kind, &in, &v);
    const give g = give_of(w, row, &v);
    residual_of(&v, g, parts, lambda, left);
    for (int i = 0; i < parts; i++)
    {
        double weight = 0.0;
        for (int k = 0; k < writes; k++)
            for (int a = 0; a < 3; a++)
            {
                double slope = in.inverse_mass[k] > 0.0 ? v.gradient[i][k][a] : 0.0;
                j[3 * (writes * i + k) + a] = slope;
                weight += in.inverse_mass[k] * slope * slope;
            }
        for (int k = 0; k <= i; k++)
            l[i][k] = g.share * g.a * v.soft[i][k];
        d->weight[row->first_part + i] = weight + l[i][i];
        l[i][i] = l[i][i] > w->softness * weight ? l[i][i] : w->softness * weight;
        d->residual[row->first_part + i] = -left[i];
    }
    row->slack = is_slack(facts_of(row->kind)->bound, *lambda, *left, d->weight[row->first_part]);
    if (!row->slack)
    {
        factorise(l, parts);
        solve_lower(l, parts, d->residual + row->first_part, 1);
        for (int k = 0; k < 3 * writes; k++)
            solve_lower(l, parts, j + k, 3 * writes);
    }
    return merit_of(w, row, lambda, left);
}

// The merit of a point that the line search tries.
double direct_try(const direct_step *w, const direct_row *row)
{
    direct_input in;
    direct_value v;
    double left[DIRECT_PARTS], *lambda = w->d->tried_lambda + row->first_part;
    gather_row(w, row, w->d->tried, &in);
    direct_evaluate(row->kind, &in, &v);
    residual_of(&v, give_of(w, row, &v), direct_parts(row->kind), lambda, left);
    return merit_of(w, row, lambda, left);
}

// Solves a single row, as a sweep does, and moves its particles.
void direct_sweep(const direct_step *w, const direct_row *row)
{
    direct_system *d = w->d;
    direct_input in;
    direct_value v;
    double change[DIRECT_PARTS], l[DIRECT_PARTS][DIRECT_PARTS];
    const int parts = direct_parts(row->kind), writes = facts_of(row->kind)->writes, bound = facts_of(row->kind)->bound;
    const int32_t *block = d->list.block + row->first_point;
    double *lambda = d->lambda + row->first_part;
    gather_row(w, row, d->d, &in);
    direct_evaluate(row->kind, &in, &v);
    const give g = give_of(w, row, &v);
    residual_of(&v, g, parts, lambda, change);
    for (int i = 0; i < parts; i++)
        for (int j = 0; j <= i; j++)
        {
            l[i][j] = g.share * g.a * v.soft[i][j];
            for (int k = 0; k < writes; k++)
                for (int a = 0; a < 3; a++)
                    l[i][j] += in.inverse_mass[k] * v.gradient[i][k][a] * v.gradient[j][k][a];
        }
    factorise(l, parts);
    solve_lower(l, parts, change, 1);
    direct_solve_upper(l, parts, change);
    for (int i = 0; i < parts; i++)
    {
        double next = lambda[i] - change[i];
        bool wrong = (bound == BOUND_AT_MOST && next > 0.0) || (bound == BOUND_AT_LEAST && next < 0.0);
        change[i] = wrong ? -lambda[i] : -change[i];
        lambda[i] += change[i];
        for (int k = 0; k < writes; k++)
            for (int a = 0; a < 3 && block[k] >= 0; a++)
                d->d[3 * (int64_t)block[k] + a] += in.inverse_mass[k] * v.gradient[i][k][a] * change[i];
    }
}
