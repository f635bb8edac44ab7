// newton.c: one implicit step of the judge, by Newton's method on positions and multipliers together.
//
// The equations of reference.h, linearised at (x, lambda), with K = M/h^2 - sum lambda_i Hessian_i:
//     K dx - J^T dlambda = p = -(M (x - x~)/h^2 - J^T lambda)
//     J dx + (a + e) dlambda = q = -(C + a lambda)
// a is the compliance; e is 0 for soft rows and small beside h^2 J M^-1 J^T for rows that are (nearly) rigid. It stands
// only in the matrix, never in the residuals, so it slows Newton a little and changes nothing of what it converges to.
// Finite elements have no multipliers to solve for: their forces stand in p and their stiffness in K.
// Eliminating dlambda leaves a symmetric positive definite matrix (system.c): K + J^T J/(a + e).
// One-sided rows: an active set by the sign that lambda would take (semismooth Newton). The line search halves the step
// until the residuals, weighted to be energies, shrink.                      Nocedal and Wright 2006, chapters 11 and 16
#include "reference.h"
#include "system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    NEWTON_LIMIT = 400,
    PATIENCE = 40, // steps without progress that are borne far from the solution ...
    POLISH = 2,    // ... and near it, where rounding has won
};

typedef struct work
{
    judge *j;
    double h;     // the step that the mass matrix is divided by
    double *goal; // x~
    double *p;    // momentum residual of each unknown
    double *right, *move;
    double *x, *best_x;           // where the line search starts; the best positions met
    double *lambda, *best_lambda; // and the multipliers there, for each part of each row
    double *change;               // dlambda
    double *soft, *weight;        // e, and a + h^2 J M^-1 J^T, for each row
    int *unknown;                 // particle -> first unknown, -1 where it is held
    int unknowns;
    double force, balance, constraint; // largest force at work, largest |p|, largest |q|
    linear_system *system;
} work;

static void evaluate(const work *w, int r, judge_value *value)
{
    double at[3 * PL_MAX_ARITY];
    judge_gather(w->j, r, at);
    judge_evaluate(&w->j->row[r], at, value);
}

// q of one part. A one-sided row that is slack asks for lambda = its bound instead of C + a lambda = 0.
static double gap(const work *w, int r, const judge_value *value, int part, bool *slack)
{
    const judge_row *row = &w->j->row[r];
    double l = row->lambda[part], q = -(value->c[part] + row->compliance * l);
    double next = l + q / w->weight[r];
    *slack = next <= value->low || next >= value->high;
    return !*slack ? q : w->weight[r] * ((next <= value->low ? value->low : value->high) - l);
}

// A finite element pushes by itself.
static void push(work *w, int r)
{
    judge_row *row = &w->j->row[r];
    double at[3 * PL_MAX_ARITY], force[3 * PL_MAX_ARITY];
    judge_gather(w->j, r, at);
    judge_element_force(row, at, force, row->lambda);
    for (int a = 0; a < 3 * judge_arity(row->kind); ++a)
    {
        int u = w->unknown[row->index[a / 3]];
        if (u >= 0)
        {
            w->p[u + a % 3] += force[a];
            w->force = fmax(w->force, fabs(force[a]));
        }
    }
}

// Fills w->p, and returns how far (x, lambda) is from solving the equations, as an energy.
static double residual(work *w)
{
    const judge *j = w->j;
    double merit = 0.0;
    w->force = w->balance = w->constraint = 0.0;
    for (int u = 0; u < 3 * j->particles; ++u)
    {
        int to = w->unknown[u / 3] + u % 3;
        if (w->unknown[u / 3] >= 0)
        {
            w->p[to] = -j->mass[u / 3] * (j->x[u] - w->goal[u]) / (w->h * w->h);
            w->force = fmax(w->force, fabs(w->p[to]));
        }
    }
    for (int r = 0; r < j->rows; ++r)
    {
        judge_value value;
        bool slack;
        evaluate(w, r, &value);
        if (judge_element(j->row[r].kind))
        {
            push(w, r);
        }
        for (int part = 0; part < value.parts; ++part)
        {
            double l = j->row[r].lambda[part], q = gap(w, r, &value, part, &slack);
            merit += q * q / w->weight[r];
            w->constraint = fmax(w->constraint, fabs(q));
            for (int a = 0; a < value.coordinates; ++a)
            {
                int u = w->unknown[j->row[r].index[a / 3]];
                double f = l * value.gradient[part][a];
                if (u >= 0)
                {
                    w->p[u + a % 3] += f;
                    w->force = fmax(w->force, fabs(f));
                }
            }
        }
    }
    for (int i = 0; i < j->particles; ++i)
    {
        for (int k = 0; k < 3 && w->unknown[i] >= 0; ++k)
        {
            double p = w->p[w->unknown[i] + k];
            merit += p * p * w->h * w->h / j->mass[i];
            w->balance = fmax(w->balance, fabs(p));
        }
    }
    return merit;
}

static void scatter(work *w, int r, const double *vector, double block[][3 * PL_MAX_ARITY], int n)
{
    const int *index = w->j->row[r].index;
    for (int a = 0; a < n; ++a)
    {
        int ua = w->unknown[index[a / 3]];
        if (ua < 0)
        {
            continue;
        }
        w->right[ua + a % 3] += vector[a];
        for (int b = 0; b < n; ++b)
        {
            int ub = w->unknown[index[b / 3]];
            if (ub >= 0)
            {
                system_add(w->system, ua + a % 3, ub + b % 3, block[a][b]);
            }
        }
    }
}

// The matrix and the right side of the eliminated system. shift: extra inertia, see descend.
static void linearise(work *w, double shift)
{
    const judge *j = w->j;
    memcpy(w->right, w->p, (size_t)w->unknowns * sizeof *w->right);
    system_clear(w->system);
    for (int i = 0; i < j->particles; ++i)
    {
        for (int k = 0; k < 3 && w->unknown[i] >= 0; ++k)
        {
            system_add(w->system, w->unknown[i] + k, w->unknown[i] + k, (1.0 + shift) * j->mass[i] / (w->h * w->h));
        }
    }
    for (int r = 0; r < j->rows; ++r)
    {
        double vector[3 * PL_MAX_ARITY] = {0}, block[3 * PL_MAX_ARITY][3 * PL_MAX_ARITY] = {{0}};
        judge_value value;
        evaluate(w, r, &value);
        if (judge_element(j->row[r].kind))
        {
            double at[3 * PL_MAX_ARITY];
            judge_gather(j, r, at);
            judge_element_stiffness(&j->row[r], at, block);
        }
        for (int part = 0; part < value.parts; ++part)
        {
            bool slack;
            double l = j->row[r].lambda[part], q = gap(w, r, &value, part, &slack);
            double stiff = slack ? 0.0 : 1.0 / (j->row[r].compliance + w->soft[r]);
            double push = slack ? q / w->weight[r] : q * stiff; // dlambda, but for the part of J dx
            const double *g = value.gradient[part];
            for (int a = 0; a < value.coordinates; ++a)
            {
                vector[a] += push * g[a];
                for (int b = 0; b < value.coordinates; ++b)
                {
                    double bend = value.parts == 1 ? l * value.hessian[a][b] : 0.0;
                    block[a][b] += stiff * g[a] * g[b] - bend;
                }
            }
        }
        scatter(w, r, vector, block, value.coordinates);
    }
}

// dlambda, once dx is known.
static void multipliers(work *w)
{
    const judge *j = w->j;
    for (int r = 0; r < j->rows; ++r)
    {
        judge_value value;
        evaluate(w, r, &value);
        for (int part = 0; part < value.parts; ++part)
        {
            bool slack;
            double q = gap(w, r, &value, part, &slack);
            for (int a = 0; a < value.coordinates && !slack; ++a)
            {
                int u = w->unknown[j->row[r].index[a / 3]];
                q -= u >= 0 ? value.gradient[part][a] * w->move[u + a % 3] : 0.0;
            }
            double by = slack ? w->weight[r] : j->row[r].compliance + w->soft[r];
            w->change[JUDGE_MAX_PARTS * r + part] = q / by;
        }
    }
}

static void store(const judge *j, double *x, double *lambda)
{
    memcpy(x, j->x, 3 * (size_t)j->particles * sizeof *x);
    for (int r = 0; r < j->rows; ++r)
    {
        memcpy(lambda + JUDGE_MAX_PARTS * r, j->row[r].lambda, sizeof j->row[r].lambda);
    }
}

static void advance(work *w, const double *x, const double *lambda, double part)
{
    judge *j = w->j;
    for (int u = 0; u < 3 * j->particles; ++u)
    {
        int from = w->unknown[u / 3];
        j->x[u] = x[u] + (part > 0.0 && from >= 0 ? part * w->move[from + u % 3] : 0.0);
    }
    for (int s = 0; s < JUDGE_MAX_PARTS * j->rows; ++s)
    {
        j->row[s / JUDGE_MAX_PARTS].lambda[s % JUDGE_MAX_PARTS] = lambda[s] + part * w->change[s];
    }
}

// One Newton step with its line search. Returns the new merit.
static double descend(work *w, double merit)
{
    double shift = 0.0, now = merit;
    linearise(w, shift);
    while (!system_solve(w->system, w->right, w->move))
    {
        // Where links are compressed the matrix is indefinite, which does no harm: the step still reduces the residuals. At
        // the point of buckling it is singular: more inertia for this one step mends it.
        shift = shift > 0.0 ? 4.0 * shift : 0.5;
        linearise(w, shift);
    }
    multipliers(w);
    store(w->j, w->x, w->lambda);
    double part = 1.0;
    for (int tries = 0; tries < 12; ++tries, part *= 0.5)
    {
        advance(w, w->x, w->lambda, part);
        now = residual(w);
        if (now < (1.0 - 1e-4 * part) * merit)
        {
            break;
        }
    }
    return now; // when nothing helped, a tiny step is taken all the same: it leaves the spot
}

// How soft a rigid row is in the matrix: 1e-4 of how much it gives way by the inertia of its particles alone.
static void soften(work *w)
{
    const judge *j = w->j;
    for (int r = 0; r < j->rows; ++r)
    {
        double give = 0.0;
        judge_value value;
        evaluate(w, r, &value);
        for (int a = 0; a < value.coordinates; ++a)
        {
            double m = j->mass[j->row[r].index[a / 3]];
            for (int part = 0; part < value.parts && m > 0.0; ++part)
            {
                give += value.gradient[part][a] * value.gradient[part][a] / m;
            }
        }
        give = fmax(w->h * w->h * give / fmax(value.parts, 1), 1e-30);
        w->soft[r] = j->row[r].compliance < 1e-4 * give ? 1e-4 * give : 0.0;
        w->weight[r] = j->row[r].compliance + give;
    }
}

static void predict(work *w, double h)
{
    judge *j = w->j;
    bool second = j->integrator == JUDGE_BDF2 && j->steps > 0;
    w->h = second ? 2.0 / 3.0 * h : h;
    for (int i = 0; i < j->particles; ++i)
    {
        for (int k = 0; k < 3; ++k)
        {
            int u = 3 * i + k;
            double a = j->mass[i] > 0.0 ? j->gravity[k] + j->force[u] / j->mass[i] : 0.0;
            if (second && j->mass[i] > 0.0)
            {
                w->goal[u] = (4.0 * j->x[u] - j->old_x[u]) / 3.0 + h * (8.0 * j->v[u] - 2.0 * j->old_v[u]) / 9.0 +
                             4.0 / 9.0 * h * h * a;
            }
            else
            {
                w->goal[u] = j->x[u] + h * j->v[u] + h * h * a;
            }
        }
    }
}

static void finish(work *w, double h, const double *start)
{
    judge *j = w->j;
    bool second = j->integrator == JUDGE_BDF2 && j->steps > 0;
    for (int u = 0; u < 3 * j->particles; ++u)
    {
        double before = j->v[u];
        if (j->mass[u / 3] > 0.0)
        {
            j->v[u] = second ? (1.5 * j->x[u] - 2.0 * start[u] + 0.5 * j->old_x[u]) / h : (j->x[u] - start[u]) / h;
        }
        j->old_v[u] = before;
        j->old_x[u] = start[u];
    }
    ++j->steps;
}

static void solve(work *w, judge_report *report)
{
    judge *j = w->j;
    for (int i = 0; i < j->particles; ++i)
    {
        if (w->unknown[i] < 0)
        {
            memcpy(j->x + 3 * i, w->goal + 3 * i, 3 * sizeof *j->x);
        }
    }
    soften(w);
    double merit = residual(w), best = merit;
    double scale = w->force; // of what moves it at the start: a free particle ends with no force at all
    store(j, w->best_x, w->best_lambda);
    double size = 1e-6;
    for (int u = 0; u < 3 * j->particles; ++u)
    {
        size = fmax(size, fabs(j->x[u]));
    }
    for (int idle = 0; merit > 0.0 && report->newton < NEWTON_LIMIT; ++report->newton)
    {
        merit = descend(w, merit);
        idle = merit < 0.5 * best ? 0 : idle + 1;
        if (merit < best)
        {
            best = merit;
            store(j, w->best_x, w->best_lambda);
        }
        bool near = w->balance < 1e-10 * fmax(scale, w->force) && w->constraint < 1e-13 * size;
        if (idle >= (near ? POLISH : PATIENCE))
        {
            break;
        }
    }
    advance(w, w->best_x, w->best_lambda, 0.0);
    residual(w);
    scale = fmax(scale, w->force);
    report->momentum = scale > 0.0 ? w->balance / scale : 0.0;
    report->constraint = w->constraint;
    report->converged = report->momentum < 1e-7 && report->constraint <= 1e-9 * size;
}

bool judge_step(judge *j, double h, judge_report *report)
{
    judge_report local;
    report = report ? report : &local;
    memset(report, 0, sizeof *report);

    size_t coordinates = 3 * (size_t)j->particles + 1, parts = JUDGE_MAX_PARTS * (size_t)j->rows + 1;
    double *memory = calloc(7 * coordinates + 5 * parts, sizeof *memory);
    work w = {.j = j, .unknown = malloc(((size_t)j->particles + 1) * sizeof(int))};
    if (memory == NULL || w.unknown == NULL)
    {
        free(memory);
        free(w.unknown);
        return false;
    }
    double *start = memory, **array[] = {&w.goal, &w.p, &w.right, &w.move, &w.x, &w.best_x};
    for (size_t i = 0; i < 6; ++i)
    {
        *array[i] = memory + (i + 1) * coordinates;
    }
    double **row_array[] = {&w.lambda, &w.best_lambda, &w.change, &w.soft, &w.weight};
    for (size_t i = 0; i < 5; ++i)
    {
        *row_array[i] = memory + 7 * coordinates + i * parts;
    }
    for (int i = 0; i < j->particles; ++i)
    {
        w.unknown[i] = j->mass[i] > 0.0 ? w.unknowns : -1;
        w.unknowns += j->mass[i] > 0.0 ? 3 : 0;
    }
    w.system = system_create(w.unknowns);

    memcpy(start, j->x, 3 * (size_t)j->particles * sizeof *start);
    predict(&w, h);
    solve(&w, report);
    finish(&w, h, start);

    system_destroy(w.system);
    free(w.unknown);
    free(memory);
    return report->converged;
}
