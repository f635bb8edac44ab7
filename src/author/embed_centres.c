// embed_centres.c: binds vertices to their nearest centres (embed.h): finds these with a k-d tree and computes their
// weights.
#include "author/embed.h"

#include <math.h>
#include <stdlib.h>

// A balanced tree without pointers: the middle of a range is its root; centres with a lower coordinate along its axis
// lie before it.
typedef struct centre
{
    double x[3], key;
    int32_t id, axis;
} centre;

static int compare_centres(const void *p, const void *q)
{
    const centre *a = p, *b = q;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return (a->id > b->id) - (a->id < b->id);
}

static int widest_axis(const centre *c, int64_t count)
{
    int axis = 0;
    double widest = -1.0;
    for (int k = 0; k < 3; k++)
    {
        double low = c[0].x[k], high = low;
        for (int64_t i = 1; i < count; i++)
        {
            low = fmin(low, c[i].x[k]);
            high = fmax(high, c[i].x[k]);
        }
        if (high - low > widest)
        {
            widest = high - low;
            axis = k;
        }
    }
    return axis;
}

typedef struct range
{
    int64_t first, count;
    double gap; // lower bound of the squared distance of its centres from the given point
} range;

enum
{
    DEPTH = 64
};

// Sorts the centres into a tree.
static void build_tree(centre *c, int64_t count)
{
    range stack[DEPTH];
    int top = 0;
    stack[top++] = (range){0, count, 0.0};
    while (top > 0)
    {
        range r = stack[--top];
        if (r.count < 1)
            continue;
        int axis = widest_axis(c + r.first, r.count);
        for (int64_t i = r.first; i < r.first + r.count; i++)
            c[i].key = c[i].x[axis];
        qsort(c + r.first, (size_t)r.count, sizeof *c, compare_centres);
        int64_t half = r.count / 2;
        c[r.first + half].axis = axis;
        stack[top++] = (range){r.first + half + 1, r.count - half - 1, 0.0};
        stack[top++] = (range){r.first, half, 0.0};
    }
}

typedef struct found
{
    double square;
    int32_t id;
} found;

static int nearer(found a, found b) { return a.square < b.square || (a.square == b.square && a.id < b.id); }

// Finds the `wanted` nearest, in order. Returns how many there are.
static int nearest_of(const centre *c, int64_t count, const double x[3], int wanted, found *best)
{
    range stack[DEPTH];
    int top = 0, have = 0;
    stack[top++] = (range){0, count, 0.0};
    while (top > 0)
    {
        range r = stack[--top];
        if (r.count < 1 || (have == wanted && r.gap > best[have - 1].square))
            continue;
        int64_t half = r.count / 2;
        const centre *middle = &c[r.first + half];
        double d[3];
        sub3(x, middle->x, d);
        found f = {dot3(d, d), middle->id};
        if (have < wanted || nearer(f, best[have - 1]))
        {
            int at = have < wanted ? have++ : have - 1;
            for (; at > 0 && nearer(f, best[at - 1]); at--)
                best[at] = best[at - 1];
            best[at] = f;
        }
        double off = d[middle->axis], gap_across = fmax(r.gap, off * off);
        range low = {r.first, half, off > 0.0 ? gap_across : r.gap};
        range high = {r.first + half + 1, r.count - half - 1, off < 0.0 ? gap_across : r.gap};
        stack[top++] = off > 0.0 ? low : high; // the near side is pushed last and visited first
        stack[top++] = off > 0.0 ? high : low;
    }
    return have;
}

// Computes the weights (1 - d^2/R^2)^2, normalized (embed.h).
static void compute_weights(const found *best, int have, int k, int32_t *index, float *weight)
{
    int used = have < k ? have : k;
    double reach_square = have > k ? best[k].square : 4.0 * best[used - 1].square, w[EMBED_MOST], sum = 0.0;
    for (int i = 0; i < used; i++)
    {
        double part = reach_square > 0.0 ? 1.0 - best[i].square / reach_square : 0.0;
        w[i] = part * part;
        sum += w[i];
    }
    for (int i = 0; i < k; i++)
    {
        index[i] = i < used ? best[i].id : best[0].id;
        // The sum is 0 if all are equally far.
        weight[i] = i >= used ? 0.0f : sum > 0.0 ? (float)(w[i] / sum) : (float)(1.0 / used);
    }
}

pl_result embed_on_centres(memory *m, const float *x_centre, int64_t centres, int k, const float *x, int64_t count,
                           int32_t *index, float *weight)
{
    if (centres < 1 || centres > INT32_MAX)
        return fail(PL_ERROR_ARGUMENT, "embedding: there are %lld centres; give from 1 to %d", (long long)centres,
                    INT32_MAX);
    if (k < 1 || k > EMBED_MOST)
        return fail(PL_ERROR_ARGUMENT, "embedding: %d centres for each vertex; give from 1 to %d", k, EMBED_MOST);
    centre *c;
    pl_result result = take_items(m, &c, centres, sizeof *c);
    if (result != PL_OK)
        return result;
    for (int32_t i = 0; i < centres; i++)
    {
        widen(x_centre + 3 * (int64_t)i, c[i].x);
        c[i].id = i;
    }
    build_tree(c, centres);
    for (int64_t i = 0; i < count; i++)
    {
        found best[EMBED_MOST + 1];
        double at[3];
        widen(x + 3 * i, at);
        compute_weights(best, nearest_of(c, centres, at, k + 1, best), k, index + i * k, weight + i * k);
    }
    drop_items(m, &c, centres, sizeof *c);
    return PL_OK;
}
