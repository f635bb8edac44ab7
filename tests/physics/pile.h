// pile.h: how deep the bodies of the scene `pile` lie in each other's true shapes at its end. Where the shapes are is found from the particles alone, by
// code of its own: boxes and the ball by the map that took their particles from the start to the end, the ring by its surface.
#ifndef PLIANT_TESTS_PILE_H
#define PLIANT_TESTS_PILE_H

#include "physics/physics.h"

enum
{
    BOXES = 8,
    BALL = BOXES, // objects follow each other as in the scene
    OCTOPUS,
    TEAPOT,
    RING,
    BODIES,
};

typedef struct body
{
    int first, count;
    double start[3], now[3];      // middles of its particles
    double map[3][3], back[3][3]; // x = now + map (x_start - start), and its inverse
    double axis[3][3], extent[3]; // of a box, at the start
    double off;                   // the farthest that a particle is from where the map says
} body;

typedef struct heap
{
    pl_world *world;
    int count;
    float *start, *now, *radius;
    body body[BODIES];
} heap;

// ---- maps ----------------------------------------------------------------------------------------------------------

static inline void invert(double a[3][3], double out[3][3])
{
    double cofactor[3][3], det = 0.0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            cofactor[i][j] = a[(i + 1) % 3][(j + 1) % 3] * a[(i + 2) % 3][(j + 2) % 3] -
                             a[(i + 1) % 3][(j + 2) % 3] * a[(i + 2) % 3][(j + 1) % 3];
    for (int j = 0; j < 3; j++)
        det += a[0][j] * cofactor[0][j];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            out[i][j] = cofactor[j][i] / det;
}

static inline void apply(double m[3][3], const double *x, double *out)
{
    for (int i = 0; i < 3; i++)
        out[i] = m[i][0] * x[0] + m[i][1] * x[1] + m[i][2] * x[2];
}

// The affine map that fits best: (sum q p^T) (sum p p^T)^-1 about the middles.
static inline void fit(const heap *h, body *b)
{
    double pp[3][3] = {{0}}, qp[3][3] = {{0}}, inverse[3][3];
    for (int i = 3 * b->first; i < 3 * (b->first + b->count); i++)
        b->start[i % 3] += (double)h->start[i] / b->count, b->now[i % 3] += (double)h->now[i] / b->count;
    for (int n = b->first; n < b->first + b->count; n++)
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
            {
                double p = (double)h->start[3 * n + j] - b->start[j];
                pp[i][j] += ((double)h->start[3 * n + i] - b->start[i]) * p;
                qp[i][j] += ((double)h->now[3 * n + i] - b->now[i]) * p;
            }
    invert(pp, inverse);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            b->map[i][j] = qp[i][0] * inverse[0][j] + qp[i][1] * inverse[1][j] + qp[i][2] * inverse[2][j];
    invert(b->map, b->back);
    for (int n = b->first; n < b->first + b->count; n++)
    {
        double p[3], q[3], square = 0.0;
        for (int c = 0; c < 3; c++)
            p[c] = (double)h->start[3 * n + c] - b->start[c];
        apply(b->map, p, q);
        for (int c = 0; c < 3; c++)
            square += (q[c] + b->now[c] - (double)h->now[3 * n + c]) * (q[c] + b->now[c] - (double)h->now[3 * n + c]);
        b->off = fmax(b->off, sqrt(square));
    }
}

// A box's axes are those of its particles' inertia: Jacobi's turns.
static inline void find_axes(const heap *h, body *b)
{
    double a[3][3] = {{0}};
    for (int n = b->first; n < b->first + b->count; n++)
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                a[i][j] += ((double)h->start[3 * n + i] - b->start[i]) * ((double)h->start[3 * n + j] - b->start[j]);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            b->axis[i][j] = i == j;
    for (int turn = 0; turn < 60; turn++)
    {
        int p = turn % 3, q = (p + 1) % 3;
        double angle = 0.5 * atan(2.0 * a[p][q] / (a[p][p] - a[q][q])), c = cos(angle), s = sin(angle);
        for (int k = 0; k < 3; k++)
        {
            double x = a[p][k], y = a[q][k];
            a[p][k] = c * x + s * y, a[q][k] = c * y - s * x;
            x = b->axis[p][k], y = b->axis[q][k];
            b->axis[p][k] = c * x + s * y, b->axis[q][k] = c * y - s * x;
        }
        for (int k = 0; k < 3; k++)
        {
            double x = a[k][p], y = a[k][q];
            a[k][p] = c * x + s * y, a[k][q] = c * y - s * x;
        }
    }
    static const double half[3] = {0.18, 0.12, 0.15}; // m: the longest edge has the greatest sum, and so on
    for (int i = 0; i < 3; i++)
    {
        int larger = 0;
        for (int j = 0; j < 3; j++)
            larger += a[j][j] > a[i][i];
        b->extent[i] = half[larger == 0 ? 0 : larger == 1 ? 2 : 1];
    }
}

// ---- how far a place is outside ------------------------------------------------------------------------------------

static inline double outside_box(const body *b, const double *p)
{
    double most = -1e30, square = 0.0;
    for (int i = 0; i < 3; i++)
    {
        double out = fabs(b->axis[i][0] * p[0] + b->axis[i][1] * p[1] + b->axis[i][2] * p[2]) - b->extent[i];
        most = fmax(most, out);
        square += out > 0.0 ? out * out : 0.0;
    }
    return most > 0.0 ? sqrt(square) : most;
}

static inline void minus(const double *a, const double *b, double *out)
{
    for (int c = 0; c < 3; c++)
        out[c] = a[c] - b[c];
}

static inline double inner(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static inline void outer(const double *a, const double *b, double *out)
{
    for (int c = 0; c < 3; c++)
        out[c] = a[(c + 1) % 3] * b[(c + 2) % 3] - a[(c + 2) % 3] * b[(c + 1) % 3];
}

static inline double from_segment(const double *p, const double *a, const double *b)
{
    double ab[3], ap[3], t, square = 0.0;
    minus(b, a, ab);
    minus(p, a, ap);
    t = fmin(fmax(inner(ap, ab) / inner(ab, ab), 0.0), 1.0);
    for (int c = 0; c < 3; c++)
        square += (ap[c] - t * ab[c]) * (ap[c] - t * ab[c]);
    return sqrt(square);
}

static inline double from_triangle(const double *p, double x[3][3])
{
    double u[3], v[3], n[3], d[3], along[3];
    minus(x[1], x[0], u);
    minus(x[2], x[0], v);
    outer(u, v, n);
    bool over = true;
    for (int i = 0; i < 3; i++)
    {
        minus(x[(i + 1) % 3], x[i], u);
        minus(p, x[i], d);
        outer(n, u, along);
        over = over && inner(along, d) >= 0.0;
    }
    double best = over ? fabs(inner(n, d)) / sqrt(inner(n, n)) : 1e30;
    for (int i = 0; i < 3; i++)
        best = fmin(best, from_segment(p, x[i], x[(i + 1) % 3]));
    return best;
}

// The solid angle that a triangle is seen under. Van Oosterom and Strackee 1983.
static inline double solid_angle(const double *p, double x[3][3])
{
    double a[3][3], size[3], c[3];
    for (int i = 0; i < 3; i++)
    {
        minus(x[i], p, a[i]);
        size[i] = sqrt(inner(a[i], a[i]));
    }
    outer(a[1], a[2], c);
    return 2.0 * atan2(inner(a[0], c), size[0] * size[1] * size[2] + inner(a[0], a[1]) * size[2] +
                                           inner(a[1], a[2]) * size[0] + inner(a[2], a[0]) * size[1]);
}

// A closed surface: seen under the whole sphere from inside.
static inline double outside_mesh(const double *vertices, const int32_t *triangles, int count, const double *p)
{
    double whole = 0.0, nearest = 1e30;
    for (int t = 0; t < count; t++)
    {
        double x[3][3];
        for (int i = 0; i < 3; i++)
            memcpy(x[i], vertices + 3 * triangles[3 * t + i], sizeof x[i]);
        whole += solid_angle(p, x);
        nearest = fmin(nearest, from_triangle(p, x));
    }
    return whole > 6.283 ? -nearest : nearest;
}

static inline heap play(const char *const *sets, int set_count)
{
    heap h = {0};
    size_t length;
    const char *text = pl_builtin_scene("pile", &length);
    pl_scene *scene = NULL;
    pl_world_def def = pl_default_world_def();
    pl_id object[BODIES + 1];
    good(pl_scene_parse(text, length, "pile", sets, set_count, &scene));
    good(pl_scene_world(scene, &def, &h.world));
    h.count = pl_particle_count(h.world);
    float **const arrays[] = {&h.start, &h.now, &h.radius};
    for (int i = 0; i < 3; i++)
        assert_non_null(*arrays[i] = malloc(3 * (size_t)h.count * sizeof(float)));
    good(pl_get(h.world, PL_ATTRIBUTE_POSITION, 0, h.count, h.start));
    for (int f = 0; f < pl_scene_describe(scene).frames; f++)
        good(pl_world_step(h.world, pl_scene_describe(scene).dt));
    good(pl_get(h.world, PL_ATTRIBUTE_POSITION, 0, h.count, h.now));
    good(pl_get(h.world, PL_ATTRIBUTE_RADIUS, 0, h.count, h.radius));
    assert_int_equal(pl_world_objects(h.world, object, BODIES + 1), BODIES);
    for (int i = 0; i < BODIES; i++)
    {
        good(pl_object_range(h.world, object[i], &h.body[i].first, &h.body[i].count));
        fit(&h, &h.body[i]);
        if (i < BOXES)
            find_axes(&h, &h.body[i]);
    }
    pl_scene_free(scene);
    return h;
}

typedef struct surface
{
    const double *vertices;
    const int32_t *triangles;
    int count;
} surface;

// How far the place is outside body i, in m; below 0: inside.
static inline double outside(heap *h, int i, const surface *ring, const double *x)
{
    body *b = &h->body[i];
    double d[3], p[3];
    minus(x, b->now, d);
    if (i == RING)
        return outside_mesh(ring->vertices, ring->triangles, ring->count, x);
    apply(b->back, d, p);
    return i == BALL ? sqrt(inner(p, p)) - 0.25 : outside_box(b, p);
}

// The middle of a particle that lies in the hollow of four, spaced as they are wide, is sqrt(2) radii over theirs: so deep may
// a grain of one body be in the even face of another without touching it.
#define HOLLOW (2.0 - sqrt(2.0))

typedef struct depths
{
    double rigid, soft; // radii: of particles of rigid bodies and of others, in the boxes
    double others;      // ... and of all in the ball and the ring
    double apart;       // radii between the middles of two of different bodies, at the least
} depths;

static inline bool is_rigid(const heap *h, int n)
{
    return n < h->body[BALL].first || (n >= h->body[TEAPOT].first && n < h->body[RING].first);
}

static inline double nearest_other(const heap *h)
{
    double best = 1e30;
    for (int i = 0; i < BODIES; i++)
        for (int n = h->body[i].first; n < h->body[i].first + h->body[i].count; n++)
            for (int m = h->body[i].first + h->body[i].count; m < h->count; m++)
            {
                double square = 0.0;
                for (int c = 0; c < 3; c++)
                    square += pow((double)h->now[3 * n + c] - (double)h->now[3 * m + c], 2.0);
                best = fmin(best, sqrt(square) / (double)h->radius[n]);
            }
    return best;
}

// How deep particles lie in other bodies. The octopus is only asked where its particles are, and so is the teapot: its spout and handle are
// thinner than its particles.
static inline depths measure(const char *const *sets, int set_count)
{
    heap h = play(sets, set_count);
    depths worst = {.apart = nearest_other(&h)};
    double *now = malloc(3 * (size_t)h.count * sizeof *now);
    int32_t *faces = malloc(3 * (size_t)pl_face_count(h.world) * sizeof *faces);
    surface ring = {now, faces, 0};
    good(pl_get_faces(h.world, 0, pl_face_count(h.world), faces));
    for (int f = 0; f < pl_face_count(h.world); f++)
        if (faces[3 * f] >= h.body[RING].first && faces[3 * f] < h.body[RING].first + h.body[RING].count)
            memmove(faces + 3 * ring.count++, faces + 3 * f, 3 * sizeof *faces);
    for (int i = 0; i < 3 * h.count; i++)
        now[i] = (double)h.now[i];
    for (int i = 0; i < BODIES; i++)
    {
        const body *b = &h.body[i];
        double own = -1e30;
        for (int n = 0; n < h.count && i != OCTOPUS && i != TEAPOT; n++)
        {
            double out = outside(&h, i, &ring, now + 3 * n), deep = 1.0 - out / (double)h.radius[n];
            double *most = i >= BOXES ? &worst.others : is_rigid(&h, n) ? &worst.rigid : &worst.soft;
            if (n >= b->first && n < b->first + b->count)
                own = fmax(own, out);
            else
                *most = fmax(*most, deep);
        }
        if (i < BOXES) // the map and the axes are right: its particles are a radius inside
        {
            near("a box's own particles, m outside", own, -0.03, 1e-4);
            below("a box's particles off its map, m", b->off, 1e-5);
        }
    }
    free(faces);
    free(now);
    free(h.start);
    free(h.now);
    free(h.radius);
    pl_world_destroy(h.world);
    print_message(
        "in boxes: rigid ones %.3f radii, others %.3f; in the ball and the ring %.3f; %.3f radii apart at the least\n",
        worst.rigid, worst.soft, worst.others, worst.apart);
    return worst;
}

#endif
