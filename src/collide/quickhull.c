// quickhull.c: the quickhull algorithm. Each face keeps the points above it; the farthest point of a face joins the
// hull, and the faces visible from it are replaced by a fan between it and their boundary (the rim). Every test is a
// determinant of integers, computed exactly, so flat faces, collinear and coincident points need no tolerance: a point
// that is not strictly above a face is not outside it.
#include "collide/quickhull.h"

__extension__ typedef __int128 wide;

static wide determinant(const quickhull *h, int32_t a, int32_t b, int32_t c, int32_t d)
{
    int64_t e[3][3];
    const int64_t *o = h->q + 3 * (int64_t)a;
    const int64_t *p[3] = {h->q + 3 * (int64_t)b, h->q + 3 * (int64_t)c, h->q + 3 * (int64_t)d};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            e[i][k] = p[i][k] - o[k];
    wide x = (wide)e[0][1] * e[1][2] - (wide)e[0][2] * e[1][1];
    wide y = (wide)e[0][2] * e[1][0] - (wide)e[0][0] * e[1][2];
    wide z = (wide)e[0][0] * e[1][1] - (wide)e[0][1] * e[1][0];
    return x * e[2][0] + y * e[2][1] + z * e[2][2];
}

int quickhull_side(const quickhull *h, int32_t a, int32_t b, int32_t c, int32_t d)
{
    wide s = determinant(h, a, b, c, d);
    return (s > 0) - (s < 0);
}

static int sees(const quickhull *h, int32_t point, const hull_face *f)
{
    return determinant(h, f->v[0], f->v[1], f->v[2], point) > 0;
}

// Adds the point to the first face, from `from` on, that it lies above. A point above none is inside and is dropped.
static void assign(quickhull *h, int32_t point, int64_t from)
{
    for (int64_t f = from; f < h->faces; f++)
        if (h->face[f].mark && sees(h, point, &h->face[f]))
        {
            h->next[point] = h->face[f].outside;
            h->face[f].outside = point;
            return;
        }
}

static pl_result open_tetrahedron(memory *m, quickhull *h, const int32_t start[4])
{
    static const int corner[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
    static const int beside[4][3] = {{1, 2, 3}, {3, 2, 0}, {1, 3, 0}, {2, 1, 0}};
    pl_result result = array_reserve(m, &h->face, &h->face_room, 64, sizeof *h->face);
    if (result != PL_OK)
        return result;
    // The fourth point must be below the first face.
    int flip = quickhull_side(h, start[0], start[1], start[2], start[3]) > 0;
    int32_t s[4] = {start[0], start[flip ? 2 : 1], start[flip ? 1 : 2], start[3]};
    for (int f = 0; f < 4; f++)
    {
        h->face[f] = (hull_face){.outside = -1, .mark = 1};
        for (int i = 0; i < 3; i++)
        {
            h->face[f].v[i] = s[corner[f][i]];
            h->face[f].beside[i] = beside[f][i];
        }
    }
    h->faces = 4;
    for (int32_t p = 0; p < (int32_t)h->count; p++)
        assign(h, p, 0);
    return PL_OK;
}

static int32_t farthest(const quickhull *h, const hull_face *f)
{
    int32_t best = f->outside;
    wide most = determinant(h, f->v[0], f->v[1], f->v[2], best);
    for (int32_t p = h->next[best]; p >= 0; p = h->next[p])
    {
        wide d = determinant(h, f->v[0], f->v[1], f->v[2], p);
        if (d > most || (d == most && p < best))
        {
            most = d;
            best = p;
        }
    }
    return best;
}

// The half edge on the neighbouring face that shares edge i of face f.
static int32_t twin(const quickhull *h, int64_t f, int i)
{
    int32_t other = h->face[f].beside[i], end = h->face[f].v[(i + 1) % 3];
    for (int k = 0; k < 3; k++)
        if (h->face[other].v[k] == end && h->face[other].v[(k + 1) % 3] == h->face[f].v[i])
            return 3 * other + k;
    return -1; // cannot happen: faces are linked both ways
}

// Finds the faces visible from `point`, starting with one of them: faces into list, half edges across their rim into
// rim.
static pl_result find_seen(memory *m, quickhull *h, int32_t point, int64_t from, int64_t *seen, int64_t *edges)
{
    pl_result result = array_reserve(m, &h->list, &h->list_room, 1, sizeof *h->list);
    if (result != PL_OK)
        return result;
    *seen = *edges = 0;
    h->list[(*seen)++] = (int32_t)from;
    h->face[from].mark = 2;
    for (int64_t at = 0; at < *seen; at++)
        for (int i = 0; i < 3; i++)
        {
            int32_t other = h->face[h->list[at]].beside[i];
            if (h->face[other].mark == 2)
                continue;
            result = array_reserve(m, &h->list, &h->list_room, *seen + 1, sizeof *h->list);
            if (result == PL_OK)
                result = array_reserve(m, &h->rim, &h->rim_room, *edges + 1, sizeof *h->rim);
            if (result != PL_OK)
                return result;
            if (sees(h, point, &h->face[other]))
            {
                h->face[other].mark = 2;
                h->list[(*seen)++] = other;
            }
            else
                h->rim[(*edges)++] = twin(h, h->list[at], i);
        }
    return PL_OK;
}

// Creates one new face on every edge of the rim, linked to the face that stays and to its neighbours in the fan.
static pl_result raise_fan(memory *m, quickhull *h, int32_t point, int64_t edges)
{
    int64_t base = h->faces;
    if (base + edges > INT32_MAX / 4)
        return fail(PL_ERROR_MEMORY, "a hull of more than %d faces; use fewer vertices", INT32_MAX / 4);
    pl_result result = array_reserve(m, &h->face, &h->face_room, base + edges, sizeof *h->face);
    if (result != PL_OK)
        return result;
    for (int64_t i = 0; i < edges; i++)
    {
        hull_face *stays = &h->face[h->rim[i] / 3];
        int k = h->rim[i] % 3;
        int32_t a = stays->v[(k + 1) % 3], b = stays->v[k]; // opposite to the direction in the face that stays
        h->face[base + i] = (hull_face){{a, b, point}, {h->rim[i] / 3, -1, -1}, -1, 1};
        stays->beside[k] = (int32_t)(base + i);
    }
    // next[] of the rim's points is unused (they are on the hull): it holds the new face that starts at each point.
    for (int64_t i = 0; i < edges; i++)
        h->next[h->face[base + i].v[0]] = (int32_t)(base + i);
    for (int64_t i = 0; i < edges; i++)
    {
        int32_t after = h->next[h->face[base + i].v[1]];
        h->face[base + i].beside[1] = after;
        h->face[after].beside[2] = (int32_t)(base + i);
    }
    h->faces = base + edges;
    return PL_OK;
}

static pl_result add_point(memory *m, quickhull *h, int64_t from)
{
    int32_t point = farthest(h, &h->face[from]);
    int64_t seen, edges, base = h->faces;
    pl_result result = find_seen(m, h, point, from, &seen, &edges);
    if (result == PL_OK)
        result = raise_fan(m, h, point, edges);
    if (result != PL_OK)
        return result;
    for (int64_t i = 0; i < seen; i++)
    {
        hull_face *f = &h->face[h->list[i]];
        f->mark = 0;
        for (int32_t p = f->outside, after; p >= 0; p = after)
        {
            after = h->next[p];
            if (p != point)
                assign(h, p, base);
        }
        f->outside = -1;
    }
    return PL_OK;
}

pl_result quickhull_run(memory *m, quickhull *h, const int32_t start[4])
{
    pl_result result = open_tetrahedron(m, h, start);
    for (int64_t f = 0; result == PL_OK && f < h->faces; f++) // new faces are appended
        if (h->face[f].mark && h->face[f].outside >= 0)
            result = add_point(m, h, f);
    return result;
}

void quickhull_free(memory *m, quickhull *h)
{
    array_free(m, &h->face, &h->face_room, sizeof *h->face);
    array_free(m, &h->list, &h->list_room, sizeof *h->list);
    array_free(m, &h->rim, &h->rim_room, sizeof *h->rim);
}
