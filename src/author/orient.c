// orient.c: orients a mesh: makes each shell consistent by walking over its edges, then outward by counting the
// crossings of a ray.
#include "author/orient.h"
#include "author/crossing.h"

void orient_drop(memory *m, orientation *o)
{
    drop_items(m, &o->shell, o->triangles, sizeof *o->shell);
    drop_items(m, &o->flipped, o->triangles, sizeof *o->flipped);
    *o = (orientation){0};
}

static void flip_triangle(int32_t *triangle, int64_t t)
{
    int32_t swap = triangle[3 * t + 1];
    triangle[3 * t + 1] = triangle[3 * t + 2];
    triangle[3 * t + 2] = swap;
}

// ---- consistent orientation ----------------------------------------------------------------------------------------

typedef struct walk
{
    half_edge *halves;
    int32_t *
        across; // for each half edge at its start, 3 triangle + corner: twice the triangle beyond it, plus 1 if that is
                // wound the other way
    int32_t *queue;
    int32_t *self; // each vertex is its own representative: nothing is welded
} walk;

static void list_neighbours(const mesh_view *mesh, walk *w)
{
    for (int64_t i = 0; i < 3 * mesh->triangles; i += 2)
        for (int k = 0; k < 2; k++)
        {
            const half_edge *h = &w->halves[i + k], *other = &w->halves[i + 1 - k];
            w->across[h->at] = 2 * (other->at / 3) + (h->falls == other->falls);
        }
}

// Spreads the orientation of the first triangle of each shell to its neighbours. Fails if a triangle would need both
// orientations.
static pl_result spread(const mesh_view *mesh, const int32_t *from, walk *w, orientation *o)
{
    for (int64_t t = 0; t < mesh->triangles; t++)
        o->shell[t] = -1;
    for (int64_t start = 0; start < mesh->triangles; start++)
    {
        if (o->shell[start] >= 0)
            continue;
        int64_t head = 0, tail = 0;
        w->queue[tail++] = (int32_t)start;
        o->shell[start] = o->shells;
        while (head < tail)
        {
            int32_t t = w->queue[head++];
            for (int i = 0; i < 3; i++)
            {
                int32_t next = w->across[3 * t + i] / 2;
                int8_t wanted = (int8_t)(o->flipped[t] ^ (w->across[3 * t + i] & 1));
                if (o->shell[next] < 0)
                {
                    o->shell[next] = o->shells;
                    o->flipped[next] = wanted;
                    w->queue[tail++] = next;
                }
                else if (o->flipped[next] != wanted)
                {
                    const float *x = mesh->x + 3 * (int64_t)mesh->triangle[3 * t + i];
                    return fail(PL_ERROR_ARGUMENT,
                                "%s: the mesh is one-sided: triangles %d and %d, near (%g, %g, %g), cannot both look "
                                "outwards, however the others are turned; repair the mesh, or mark it two-sided",
                                mesh->name, from[t], from[next], (double)x[0], (double)x[1], (double)x[2]);
                }
            }
        }
        o->shells++;
    }
    return PL_OK;
}

pl_result orient_alike(memory *m, const mesh_view *mesh, int32_t *triangle, const int32_t *from, orientation *out)
{
    int64_t n = mesh->triangles;
    walk w = {0};
    *out = (orientation){.triangles = n};
    pl_result result = take_items(m, &out->shell, n, sizeof *out->shell);
    if (result == PL_OK)
        result = take_items(m, &out->flipped, n, sizeof *out->flipped);
    if (result == PL_OK)
        result = take_items(m, &w.halves, 3 * n, sizeof *w.halves);
    if (result == PL_OK)
        result = take_items(m, &w.across, 3 * n, sizeof *w.across);
    if (result == PL_OK)
        result = take_items(m, &w.queue, n, sizeof *w.queue);
    if (result == PL_OK)
        result = take_items(m, &w.self, mesh->vertices, sizeof *w.self);
    for (int64_t v = 0; result == PL_OK && v < mesh->vertices; v++)
        w.self[v] = (int32_t)v;
    if (result == PL_OK)
        result = mesh_match_edges(mesh, w.self, w.halves, 0, from);
    if (result == PL_OK)
    {
        list_neighbours(mesh, &w);
        result = spread(mesh, from, &w, out);
    }
    for (int64_t t = 0; result == PL_OK && t < n; t++)
        if (out->flipped[t])
            flip_triangle(triangle, t);
    if (result != PL_OK)
        orient_drop(m, out);
    drop_items(m, &w.halves, 3 * n, sizeof *w.halves);
    drop_items(m, &w.across, 3 * n, sizeof *w.across);
    drop_items(m, &w.queue, n, sizeof *w.queue);
    drop_items(m, &w.self, mesh->vertices, sizeof *w.self);
    return result;
}

// ---- outward orientation -------------------------------------------------------------------------------------------

typedef struct shell_facts
{
    double low[3], high[3], volume, inside[3]; // inside: a point of the shell
    int32_t first, count;                      // its triangles in the list
} shell_facts;

static void corners_of(const mesh_view *mesh, int32_t t, double x[3][3])
{
    for (int i = 0; i < 3; i++)
        widen(mesh->x + 3 * (int64_t)mesh->triangle[3 * (int64_t)t + i], x[i]);
}

static void gather_facts(const mesh_view *mesh, const orientation *o, shell_facts *s, int32_t *list)
{
    double origin[3];
    widen(mesh->x + 3 * (int64_t)mesh->triangle[0], origin);
    for (int64_t t = 0; t < mesh->triangles; t++)
        s[o->shell[t]].count++;
    for (int32_t i = 1; i < o->shells; i++)
        s[i].first = s[i - 1].first + s[i - 1].count;
    for (int32_t i = 0; i < o->shells; i++)
        s[i].count = 0;
    for (int32_t t = 0; t < mesh->triangles; t++)
    {
        shell_facts *f = &s[o->shell[t]];
        double x[3][3];
        corners_of(mesh, t, x);
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++)
            {
                int new_one = f->count == 0 && i == 0;
                f->low[k] = new_one || x[i][k] < f->low[k] ? x[i][k] : f->low[k];
                f->high[k] = new_one || x[i][k] > f->high[k] ? x[i][k] : f->high[k];
                if (f->count == 0)
                    f->inside[k] += x[i][k] / 3.0;
            }
        f->volume += box_product(origin, x[0], x[1], x[2]) / 6.0;
        list[f->first + f->count++] = t;
    }
}

// Returns whether x is inside the shell: a segment to a point beyond its box crosses it an odd number of times. If the
// segment hits the boundary of a triangle, another one is tried.
static int within(const mesh_view *mesh, const shell_facts *s, const int32_t *list, const double x[3])
{
    static const double aims[4][3] = {{0.31, 1.0, 0.17}, {1.0, -0.23, 0.41}, {-0.37, 0.19, 1.0}, {-1.0, -0.43, -0.29}};
    double size = 0.0;
    for (int k = 0; k < 3; k++)
    {
        if (x[k] < s->low[k] || x[k] > s->high[k])
            return 0;
        size += s->high[k] - s->low[k];
    }
    int odd = 0;
    for (int aim = 0; aim < 4; aim++)
    {
        int clear = 1;
        double far[3];
        for (int k = 0; k < 3; k++)
            far[k] = x[k] + 2.0 * size * aims[aim][k];
        odd = 0;
        for (int32_t i = 0; i < s->count; i++)
        {
            double t[3][3];
            corners_of(mesh, list[s->first + i], t);
            int hit = segment_crosses(x, far, (const double(*)[3])t, 0);
            clear &= hit == segment_crosses(x, far, (const double(*)[3])t, 1);
            odd ^= hit;
        }
        if (clear)
            break;
    }
    return odd;
}

pl_result orient_outwards(memory *m, const mesh_view *mesh, int32_t *triangle, orientation *o)
{
    shell_facts *s = NULL;
    int32_t *list = NULL;
    pl_result result = take_items(m, &s, o->shells, sizeof *s);
    if (result == PL_OK)
        result = take_items(m, &list, mesh->triangles, sizeof *list);
    if (result == PL_OK)
        gather_facts(mesh, o, s, list);
    for (int32_t i = 0; result == PL_OK && i < o->shells; i++)
    {
        int depth = 0;
        for (int32_t k = 0; k < o->shells; k++)
            depth += k != i && within(mesh, &s[k], list, s[i].inside);
        if ((s[i].volume > 0.0) == (depth % 2 == 0))
            continue;
        for (int32_t k = 0; k < s[i].count; k++)
        {
            int32_t t = list[s[i].first + k];
            flip_triangle(triangle, t);
            o->flipped[t] ^= 1;
        }
    }
    drop_items(m, &s, o->shells, sizeof *s);
    drop_items(m, &list, mesh->triangles, sizeof *list);
    return result;
}
