// kernels.c: the kernels of a fluid's surface.
//   Yu, Turk 2013: Reconstructing surfaces of particle-based fluids using anisotropic kernels.
//
// Around a particle i, with w_j = 1 - (|x_j - x_i|/near)^3:
//   m_i    = sum w_j (x_j - x_i)/sum w_j,   C = sum w_j (x_j - x_i - m_i)(x_j - x_i - m_i)^T/sum w_j = R diag(c) R^T
//   centre = x_i + smoothing (m_i - sum w_j m_j/sum w_j)
//   radii  r_k = support sqrt(c_k/c_inside), at least a quarter of the largest;   M = R diag(1/r^2) R^T
// c_inside = 0.15 near^2 is that of fluid all around. A particle with few neighbours has a ball that holds about its
// volume. Yu and Turk move centres by all of m_i, which shrinks a fluid, and take c_k for its root, which makes it too
// flat for its volume. Sums are in double, in the order of the sorted particles; + - * / sqrt alone.
#include "query/fluid_surface/surface_work.h"

#include <math.h>

#define FLATTEST 0.25   // least radius as a part of the largest
#define ALONE 4.0       // up to this sum of weights a particle is alone
#define AMONG 12.0      // from this on it has a shape to follow
#define DROP_RADIUS 0.5 // radius of the kernel of a particle that is alone, as a part of the support

typedef struct moments
{
    const surface_work *s;
    double x[3];
    double sum, first[3], second[6]; // xx yy zz yz zx xy
    double means[3];                 // weighted sum of the means of others, for the second pass
} moments;

// Calls of one particle with a stretch of others around it.
typedef void add_fn(moments *t, int32_t begin, int32_t end);

static void add_moments(moments *t, int32_t begin, int32_t end)
{
    const surface_work *s = t->s;
    double near = SURFACE_NEAR * s->spacing;
    for (int32_t j = begin; j < end; j++)
    {
        const float *y = s->w->state.slot[SLOT_X] + 4 * (size_t)s->list.sorted.value[j];
        double d[3] = {(double)y[0] - t->x[0], (double)y[1] - t->x[1], (double)y[2] - t->x[2]};
        double square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
        if (square >= near * near)
            continue;
        double r = sqrt(square) / near, weight = 1.0 - r * r * r;
        t->sum += weight;
        for (int c = 0; c < 3; c++)
        {
            t->first[c] += weight * d[c];
            t->second[c] += weight * d[c] * d[c];
            t->second[3 + c] += weight * d[(c + 1) % 3] * d[(c + 2) % 3];
        }
    }
}

static void add_means(moments *t, int32_t begin, int32_t end)
{
    const surface_work *s = t->s;
    double near = SURFACE_NEAR * s->spacing;
    for (int32_t j = begin; j < end; j++)
    {
        const float *y = s->w->state.slot[SLOT_X] + 4 * (size_t)s->list.sorted.value[j];
        double d[3] = {(double)y[0] - t->x[0], (double)y[1] - t->x[1], (double)y[2] - t->x[2]};
        double square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
        if (square >= near * near)
            continue;
        double r = sqrt(square) / near, weight = 1.0 - r * r * r;
        t->sum += weight;
        for (int c = 0; c < 3; c++)
            t->means[c] += weight * (double)s->mean[3 * (size_t)j + (size_t)c];
    }
}

// The same rows of cells as the neighbour search (neighbours/cells.h).
static void find_around(const surface_work *s, int32_t i, add_fn *add, moments *t)
{
    const neighbour_list *l = &s->list;
    const float *x = s->w->state.slot[SLOT_X] + 4 * (size_t)l->sorted.value[i];
    *t = (moments){.s = s, .x = {(double)x[0], (double)x[1], (double)x[2]}};
    for (int row = 1 - CELL_ROWS; row < CELL_ROWS; row++)
    {
        uint64_t middle = row_key_around(l->bits, l->sorted.key[i], row);
        int32_t begin = first_key(l->sorted.key, 0, l->count, middle - 1);
        add(t, begin, first_key(l->sorted.key, begin, l->count, middle + 2));
    }
}

// ---- eigenvalues ---------------------------------------------------------------------------------------------------

// A Jacobi rotation that makes a[p][q] 0; the columns of v become the eigenvectors.
static void rotate(double a[3][3], double v[3][3], int p, int q)
{
    if (a[p][q] == 0.0)
        return;
    double tau = (a[q][q] - a[p][p]) / (2.0 * a[p][q]), size = tau < 0.0 ? -tau : tau;
    double t = 1.0 / (size + sqrt(1.0 + tau * tau)), c, s;
    t = tau < 0.0 ? -t : t;
    c = 1.0 / sqrt(1.0 + t * t), s = t * c;
    for (int k = 0; k < 3; k++)
    {
        double x = a[k][p], y = a[k][q];
        a[k][p] = c * x - s * y, a[k][q] = s * x + c * y;
    }
    for (int k = 0; k < 3; k++)
    {
        double x = a[p][k], y = a[q][k];
        a[p][k] = c * x - s * y, a[q][k] = s * x + c * y;
        x = v[k][p], y = v[k][q];
        v[k][p] = c * x - s * y, v[k][q] = s * x + c * y;
    }
    a[p][q] = a[q][p] = 0.0;
}

static void find_axes(const moments *t, double value[3], double v[3][3])
{
    const double *m = t->first, n = t->sum;
    double a[3][3];
    for (int c = 0; c < 3; c++)
    {
        int d = (c + 1) % 3, e = (c + 2) % 3;
        a[c][c] = t->second[c] / n - m[c] / n * (m[c] / n);
        a[d][e] = a[e][d] = t->second[3 + c] / n - m[d] / n * (m[e] / n);
        for (int k = 0; k < 3; k++)
            v[c][k] = c == k ? 1.0 : 0.0;
    }
    for (int sweep = 0; sweep < 6; sweep++)
        for (int p = 0; p < 2; p++)
            for (int q = p + 1; q < 3; q++)
                rotate(a, v, p, q);
    for (int c = 0; c < 3; c++)
        value[c] = a[c][c];
}

// ---- kernels -------------------------------------------------------------------------------------------------------

// The radii along the axes, m.
static void find_radii(const surface_work *s, const moments *t, const double value[3], double radius[3])
{
    const double near = SURFACE_NEAR * s->spacing, inside = 0.15 * near * near, support = SURFACE_SUPPORT * s->spacing;
    double part[3], most = FLATTEST, among = (t->sum - ALONE) / (AMONG - ALONE);
    among = among < 0.0 ? 0.0 : among > 1.0 ? 1.0 : among;
    for (int c = 0; c < 3; c++)
    {
        part[c] = value[c] > 0.0 ? value[c] < inside ? sqrt(value[c] / inside) : 1.0 : 0.0;
        most = part[c] > most ? part[c] : most;
    }
    for (int c = 0; c < 3; c++)
    {
        double least = FLATTEST * most, flat = part[c] > least ? part[c] : least;
        flat = 1.0 + s->anisotropy * (flat - 1.0);
        radius[c] = support * (DROP_RADIUS + among * (flat - DROP_RADIUS));
    }
}

static void put_kernel(const surface_work *s, const double r[3], double v[3][3], surface_kernel *k)
{
    const double e = s->spacing;
    for (int c = 0; c < 3; c++)
    {
        int d = (c + 1) % 3, f = (c + 2) % 3;
        double same = 0.0, mixed = 0.0, wide = 0.0;
        for (int a = 0; a < 3; a++)
        {
            double inverse = 1.0 / (r[a] * r[a]);
            same += inverse * v[c][a] * v[c][a];
            mixed += inverse * v[d][a] * v[f][a];
            wide += r[a] * r[a] * v[c][a] * v[c][a];
        }
        k->m[c] = (float)same, k->m[3 + c] = (float)(2.0 * mixed);
        k->extent[c] = (float)(1.001 * sqrt(wide));
    }
    k->weight = (float)(e * e * e * 3.3422538049298023 / (r[0] * r[1] * r[2])); // 21/(2 pi)
}

static void find_range(void *arg, int64_t begin, int64_t end)
{
    surface_work *s = arg;
    for (int64_t i = begin; i < end; i++)
    {
        moments t;
        double value[3], v[3][3], radius[3];
        if (surface_depth(s, s->list.sorted.key[i]) == CELL_DEEPER)
        {
            s->kernel[i] = (surface_kernel){.weight = 0.0f}; // it reaches nothing
            s->mean[3 * i] = s->mean[3 * i + 1] = s->mean[3 * i + 2] = 0.0f;
            continue;
        }
        find_around(s, (int32_t)i, add_moments, &t);
        find_axes(&t, value, v);
        find_radii(s, &t, value, radius);
        put_kernel(s, radius, v, &s->kernel[i]);
        for (int c = 0; c < 3; c++)
            s->mean[3 * i + c] = (float)(t.first[c] / t.sum);
    }
}

static void move_range(void *arg, int64_t begin, int64_t end)
{
    surface_work *s = arg;
    const double most = SURFACE_SHIFT * s->spacing;
    for (int64_t i = begin; i < end; i++)
    {
        moments t;
        double way[3];
        if (s->kernel[i].weight == 0.0f)
            continue;
        find_around(s, (int32_t)i, add_means, &t);
        for (int c = 0; c < 3; c++)
            way[c] = s->smoothing * ((double)s->mean[3 * i + c] - t.means[c] / t.sum);
        double length = sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
        for (int c = 0; c < 3; c++)
            s->kernel[i].centre[c] = t.x[c] + (length > most ? most / length : 1.0) * way[c];
    }
}

pl_result surface_sort(surface_work *s)
{
    const pl_world *w = s->w;
    neighbour_query q = {.x = w->state.slot[SLOT_X],
                         .collision = w->state.slot[SLOT_COLLISION],
                         .slot = s->slot,
                         .count = s->list.count,
                         .reach = (float)(0.5 * SURFACE_NEAR * s->spacing)};
    return neighbours_sort(&s->list, &s->m, &q, &s->threads);
}

pl_result surface_find_kernels(surface_work *s)
{
    int64_t count = s->list.count;
    pl_result result = array_reserve(&s->m, &s->kernel, &s->kernel_capacity, count, sizeof *s->kernel);
    if (result == PL_OK)
        result = array_reserve(&s->m, &s->mean, &s->mean_capacity, 3 * count, sizeof *s->mean);
    if (result != PL_OK)
        return result;
    parallel_for(&s->threads, find_range, s, count, 64);
    parallel_for(&s->threads, move_range, s, count, 64);
    return PL_OK;
}

// ---- kernels near a box --------------------------------------------------------------------------------------------

static bool reaches(const surface_kernel *k, const double low[3], const double high[3])
{
    bool near = k->weight > 0.0f;
    for (int c = 0; c < 3; c++)
        near &= k->centre[c] + (double)k->extent[c] > low[c] && k->centre[c] - (double)k->extent[c] < high[c];
    return near;
}

static int32_t cell_clamped(const neighbour_list *l, double x, int axis)
{
    double a = x / (double)l->cell - (double)l->low[axis], most = (double)((int64_t)1 << l->bits[axis]) - 1.0;
    return (int32_t)(a < 0.0 ? 0.0 : a > most ? most : a);
}

void visit_kernels(const surface_work *s, const double low[3], const double high[3], kernel_visit *visit, void *user)
{
    const neighbour_list *l = &s->list;
    const double far = (SURFACE_SUPPORT + SURFACE_SHIFT) * s->spacing * 1.01;
    int32_t from[3], to[3], at[3];
    for (int c = 0; c < 3; c++)
        from[c] = cell_clamped(l, low[c] - far, c), to[c] = cell_clamped(l, high[c] + far, c);
    for (at[2] = from[2]; at[2] <= to[2]; at[2]++)
        for (at[1] = from[1]; at[1] <= to[1]; at[1]++)
        {
            at[0] = from[0];
            uint64_t first = key_of_cell(at, l->bits), last = first + (uint64_t)(to[0] - from[0]);
            int32_t i = first_key(l->sorted.key, 0, l->count, first);
            for (; i < l->count && l->sorted.key[i] <= last; i++)
                if (reaches(&s->kernel[i], low, high))
                    visit(user, &s->kernel[i], i);
        }
}
