// shapes_mesh.c: makes closed meshes of a box, sphere, torus and capsule. The teapot and the octopus are in implicit.c.
#include "author/shapes_mesh.h"
#include "author/implicit.h"
#include "author/mesh_build.h"
#include "core/trig.h"

#include <string.h>

pl_mesh_def pl_default_mesh_def(void)
{
    return (pl_mesh_def){
        .shape = "sphere", .size = {1.0f, 1.0f, 1.0f}, .radius = 0.5f, .tube = 0.2f, .length = 1.0f, .edge = 0.0f};
}

// Returns how many pieces of about `edge` make a length.
static int pieces(double length, double edge, int least_of_them)
{
    double n = floor(length / edge + 0.5);
    return n < least_of_them ? least_of_them : n > 30000.0 ? 30000 : (int)n;
}

// ---- box -----------------------------------------------------------------------------------------------------------

// Numbers the lattice points on a box's surface: the lowest layer, rings, the highest layer.
static int32_t on_box(const int n[3], const int p[3])
{
    int32_t layer = (n[0] + 1) * (n[1] + 1), ring = 2 * (n[0] + n[1]), x = p[0], y = p[1];
    if (p[2] == 0)
        return y * (n[0] + 1) + x;
    if (p[2] == n[2])
        return layer + ring * (n[2] - 1) + y * (n[0] + 1) + x;
    int32_t start = layer + ring * (p[2] - 1);
    if (y == 0)
        return start + x;
    if (x == n[0])
        return start + n[0] + y;
    return y == n[1] ? start + n[0] + n[1] + (n[0] - x) : start + 2 * n[0] + n[1] + (n[1] - y);
}

static void put_box_side(mesh_build *b, const int n[3], int axis, int far)
{
    int u = (axis + 1) % 3, v = (axis + 2) % 3;
    for (int j = 0; j < n[v]; j++)
        for (int i = 0; i < n[u]; i++)
        {
            int32_t q[4];
            for (int k = 0; k < 4; k++)
            {
                int p[3];
                p[axis] = far ? n[axis] : 0;
                p[u] = i + (k == 1 || k == 2);
                p[v] = j + (k >= 2);
                q[far ? k : 3 - k] = on_box(n, p);
            }
            int cut = (i + j) % 2; // diagonals alternate
            mesh_put_triangle(b, q[0], q[1], q[2 + cut]);
            mesh_put_triangle(b, q[cut], q[2], q[3]);
        }
}

static pl_result box(memory *m, const pl_mesh_def *d, double edge, mesh_build *b)
{
    const double size[3] = {(double)d->size.x, (double)d->size.y, (double)d->size.z};
    int n[3];
    for (int k = 0; k < 3; k++)
        n[k] = pieces(size[k], edge, 1);
    int64_t quads = 2 * ((int64_t)n[0] * n[1] + (int64_t)n[1] * n[2] + (int64_t)n[2] * n[0]);
    pl_result result = mesh_build_open(m, quads + 2, 2 * quads, b);
    if (result != PL_OK)
        return result;
    b->mesh.vertex_count = (int)(quads + 2);
    for (int z = 0; z <= n[2]; z++)
        for (int y = 0; y <= n[1]; y++)
            for (int x = 0; x <= n[0]; x += z % n[2] && y % n[1] ? n[0] : 1)
            {
                const int p[3] = {x, y, z};
                for (int k = 0; k < 3; k++)
                    b->mesh.vertices[3 * (int64_t)on_box(n, p) + k] = (float)(size[k] * ((double)p[k] / n[k] - 0.5));
            }
    for (int axis = 0; axis < 3; axis++)
        for (int far = 0; far < 2; far++)
            put_box_side(b, n, axis, far);
    return PL_OK;
}

// ---- sphere --------------------------------------------------------------------------------------------------------

static const int8_t ico_corners[12][3] = {{0, 1, 2},  {0, -1, 2},  {0, 1, -2}, {0, -1, -2}, {1, 2, 0},  {-1, 2, 0},
                                          {1, -2, 0}, {-1, -2, 0}, {2, 0, 1},  {2, 0, -1},  {-2, 0, 1}, {-2, 0, -1}};

// Adds a point of an icosahedron's face. Corners are added in ascending order, so that an edge has the same points in
// both faces.
static void put_on_face(mesh_build *b, const int32_t corner[3], const int part[3], double radius)
{
    static const double golden[3] = {0.0, 1.0, 1.618033988749895};
    double x[3] = {0.0, 0.0, 0.0};
    for (int32_t c = 0; c < 12; c++)
        for (int i = 0; i < 3; i++)
            for (int k = 0; corner[i] == c && k < 3; k++)
            {
                int a = ico_corners[c][k];
                x[k] += (double)part[i] * (a < 0 ? -golden[-a] : golden[a]);
            }
    double s = radius / sqrt(dot3(x, x));
    mesh_put(b, s * x[0], s * x[1], s * x[2]);
}

static void put_ico_face(mesh_build *b, const int32_t corner[3], int n, double radius)
{
    int32_t row = b->mesh.vertex_count;
    for (int j = 0; j <= n; j++)
        for (int i = 0; i <= n - j; i++)
            put_on_face(b, corner, (const int[]){n - i - j, i, j}, radius);
    for (int j = 0; j < n; j++)
    {
        int32_t next = row + n - j + 1;
        for (int i = 0; i < n - j; i++)
        {
            mesh_put_triangle(b, row + i, row + i + 1, next + i);
            if (i + 1 < n - j)
                mesh_put_triangle(b, row + i + 1, next + i + 1, next + i);
        }
        row = next;
    }
}

// Corners at the distance 2 (squared: 4) are neighbours.
static int neighbours(int a, int b)
{
    static const double golden[3] = {0.0, 1.0, 1.618033988749895};
    double s = 0.0;
    for (int k = 0; k < 3; k++)
    {
        int p = ico_corners[a][k], q = ico_corners[b][k];
        double d = (p < 0 ? -golden[-p] : golden[p]) - (q < 0 ? -golden[-q] : golden[q]);
        s += d * d;
    }
    return s < 4.5;
}

static int turned_in(int a, int b, int c)
{
    double p[3][3];
    const int of[3] = {a, b, c};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            p[i][k] = (double)ico_corners[of[i]][k];
    return box_product((const double[]){0.0, 0.0, 0.0}, p[0], p[1], p[2]) < 0.0;
}

// Makes a sphere: an icosahedron, each face cut into n^2 triangles, projected onto the sphere.
static pl_result sphere(memory *m, const pl_mesh_def *d, double edge, mesh_build *b)
{
    int n = pieces(1.1 * (double)d->radius, edge, 1); // an edge of the icosahedron spans 1.1 rad
    pl_result result = mesh_build_open(m, 10 * (int64_t)(n + 1) * (n + 2), 20 * (int64_t)n * n, b);
    if (result != PL_OK)
        return result;
    for (int a = 0; a < 12; a++)
        for (int c = a + 1; c < 12; c++)
            for (int e = c + 1; e < 12; e++)
                if (neighbours(a, c) && neighbours(c, e) && neighbours(e, a))
                    put_ico_face(b, turned_in(a, c, e) ? (const int32_t[]){a, e, c} : (const int32_t[]){a, c, e}, n,
                                 (double)d->radius);
    int32_t *weld;
    mesh_view view = view_of(&b->mesh, "sphere");
    result = take_items(m, &weld, view.vertices, sizeof *weld);
    if (result == PL_OK)
        result = mesh_weld(m, &view, weld);
    if (result == PL_OK)
        result = mesh_compact(m, &b->mesh, weld);
    drop_items(m, &weld, view.vertices, sizeof *weld);
    b->vertices = b->mesh.vertex_count;
    b->triangles = b->mesh.triangle_count;
    return result;
}

// ---- torus and capsule ---------------------------------------------------------------------------------------------

static double turn_sine(int i, int n) { return (double)sine_of_turns((float)i / (float)n); }
static double turn_cosine(int i, int n) { return (double)cosine_of_turns((float)i / (float)n); }

static pl_result torus(memory *m, const pl_mesh_def *d, double edge, mesh_build *b)
{
    double big = (double)d->radius, small = (double)d->tube;
    int rings = pieces(6.2832 * big, edge, 6), sides = pieces(6.2832 * small, edge, 5);
    int64_t count = (int64_t)rings * sides;
    pl_result result = mesh_build_open(m, count, 2 * count, b);
    for (int i = 0; result == PL_OK && i < rings; i++)
        for (int j = 0; j < sides; j++)
        {
            double r = big + small * turn_cosine(j, sides);
            mesh_put(b, r * turn_cosine(i, rings), small * turn_sine(j, sides), r * turn_sine(i, rings));
        }
    for (int i = 0; result == PL_OK && i < rings; i++)
        for (int j = 0; j < sides; j++)
        {
            int i1 = (i + 1) % rings, j1 = (j + 1) % sides;
            mesh_put_triangle(b, i * sides + j, i * sides + j1, i1 * sides + j);
            mesh_put_triangle(b, i1 * sides + j, i * sides + j1, i1 * sides + j1);
        }
    return result;
}

// Makes rings from the lower pole to the upper: a quarter turn, the straight part, a quarter turn.
static pl_result capsule(memory *m, const pl_mesh_def *d, double edge, mesh_build *b)
{
    double r = (double)d->radius, half = 0.5 * (double)d->length;
    int sides = pieces(6.2832 * r, edge, 6), caps = pieces(1.5708 * r, edge, 2);
    int straight = half > 0.0 ? pieces(2.0 * half, edge, 1) : 0, rings = 2 * caps - 1 + straight;
    pl_result result = mesh_build_open(m, (int64_t)rings * sides + 2, 2 * (int64_t)rings * sides, b);
    if (result != PL_OK)
        return result;
    for (int i = 0; i < rings; i++)
    {
        int low = i < caps, high = i >= caps + straight;
        int turn = low    ? i + 1 - caps
                   : high ? i + 1 - caps - straight
                          : 0; // in parts of a quarter turn, up from the equator
        double y = low ? -half : high ? half : -half + 2.0 * half * (double)(i + 1 - caps) / straight;
        for (int j = 0; j < sides; j++)
        {
            double across_it = r * turn_cosine(turn, 4 * caps);
            mesh_put(b, across_it * turn_cosine(j, sides), y + r * turn_sine(turn, 4 * caps),
                     across_it * turn_sine(j, sides));
        }
    }
    int32_t bottom = mesh_put(b, 0.0, -half - r, 0.0), top = mesh_put(b, 0.0, half + r, 0.0);
    for (int j = 0; j < sides; j++)
    {
        int j1 = (j + 1) % sides, last = (rings - 1) * sides;
        mesh_put_triangle(b, bottom, j, j1);
        for (int i = 0; i + 1 < rings; i++)
        {
            mesh_put_triangle(b, i * sides + j, (i + 1) * sides + j, i * sides + j1);
            mesh_put_triangle(b, i * sides + j1, (i + 1) * sides + j, (i + 1) * sides + j1);
        }
        mesh_put_triangle(b, last + j, top, last + j1);
    }
    return PL_OK;
}

// ---- shapes by name ------------------------------------------------------------------------------------------------

static pl_result teapot(memory *m, const pl_mesh_def *d, double edge, mesh_build *b)
{
    return implicit_mesh(m, "teapot", implicit_teapot(), (double)d->radius, edge, &b->mesh);
}

static pl_result octopus(memory *m, const pl_mesh_def *d, double edge, mesh_build *b)
{
    return implicit_mesh(m, "octopus", implicit_octopus(), (double)d->radius, edge, &b->mesh);
}

typedef struct shape_entry
{
    const char *name;
    pl_result (*make)(memory *m, const pl_mesh_def *def, double edge, mesh_build *b);
    int use_size, use_tube, use_length; // the dimensions that it uses, besides the radius, which all but the box use
    double fine;                        // default edge length, as a part of its smallest dimension
} shape_entry;

static const shape_entry shapes[] = {{"box", box, 1, 0, 0, 0.25},       {"sphere", sphere, 0, 0, 0, 0.2},
                                     {"torus", torus, 0, 1, 0, 0.4},    {"capsule", capsule, 0, 0, 1, 0.25},
                                     {"teapot", teapot, 0, 0, 0, 0.07}, {"octopus", octopus, 0, 0, 0, 0.08}};

enum
{
    SHAPES = sizeof shapes / sizeof *shapes
};

const char *shape_mesh_name(int number) { return number >= 0 && number < SHAPES ? shapes[number].name : NULL; }

static pl_result check_measure(const char *shape, const char *what, float value)
{
    if (value > 0.0f && value <= 1e6f)
        return PL_OK;
    return fail(PL_ERROR_ARGUMENT, "mesh '%s': %s is %g m; it must be above 0 and at most 1e6", shape, what,
                (double)value);
}

static pl_result check_shape(const shape_entry *s, const pl_mesh_def *d)
{
    pl_result result = PL_OK;
    const float size[3] = {d->size.x, d->size.y, d->size.z}, centre[3] = {d->centre.x, d->centre.y, d->centre.z};
    for (int k = 0; result == PL_OK && s->use_size && k < 3; k++)
        result = check_measure(s->name, k == 0 ? "size.x" : k == 1 ? "size.y" : "size.z", size[k]);
    if (result == PL_OK && !s->use_size)
        result = check_measure(s->name, "radius", d->radius);
    if (result == PL_OK && s->use_tube)
        result = check_measure(s->name, "tube", d->tube);
    if (result == PL_OK && s->use_tube && d->tube >= d->radius)
        result =
            fail(PL_ERROR_ARGUMENT, "mesh '%s': tube is %g m, radius %g m; the tube must be thinner than the radius",
                 s->name, (double)d->tube, (double)d->radius);
    if (result == PL_OK && s->use_length && !(d->length >= 0.0f && d->length <= 1e6f))
        result =
            fail(PL_ERROR_ARGUMENT, "mesh '%s': length is %g m; it must be from 0 to 1e6", s->name, (double)d->length);
    for (int k = 0; result == PL_OK && k < 3; k++)
        if (!(centre[k] >= -1e6f && centre[k] <= 1e6f))
            result = fail(PL_ERROR_ARGUMENT, "mesh '%s': centre.%c is %g m; keep within 1e6 m", s->name, "xyz"[k],
                          (double)centre[k]);
    if (result == PL_OK && !(d->edge >= 0.0f && d->edge <= 1e6f))
        result = fail(PL_ERROR_ARGUMENT, "mesh '%s': edge is %g m; it must be from 0 (as the shape needs) to 1e6",
                      s->name, (double)d->edge);
    return result;
}

// Chooses the length of the edges, and fails if that makes too many of them.
static pl_result choose_edge(const shape_entry *s, const pl_mesh_def *d, double *edge)
{
    double least_of_it = (double)d->radius, most_of_it = (double)d->radius + (double)d->tube;
    if (s->use_size)
    {
        const double size[3] = {(double)d->size.x, (double)d->size.y, (double)d->size.z};
        least_of_it = size[0] < size[1] ? size[0] : size[1];
        least_of_it = size[2] < least_of_it ? size[2] : least_of_it;
        most_of_it = size[0] > size[1] ? size[0] : size[1];
        most_of_it = size[2] > most_of_it ? size[2] : most_of_it;
    }
    if (s->use_tube)
        least_of_it = (double)d->tube;
    if (s->use_length)
        most_of_it += (double)d->length;
    *edge = d->edge > 0.0f ? (double)d->edge : s->fine * least_of_it;
    if (most_of_it / *edge > 1000.0)
        return fail(PL_ERROR_ARGUMENT, "mesh '%s': edges of %g m on a shape of %g m make too many; use %g m or more",
                    s->name, *edge, most_of_it, most_of_it / 1000.0);
    return PL_OK;
}

pl_result shape_mesh(memory *m, const pl_mesh_def *def, pl_mesh *out)
{
    *out = (pl_mesh){0};
    const shape_entry *s = NULL;
    for (int i = 0; def->shape && i < SHAPES; i++)
        if (strcmp(def->shape, shapes[i].name) == 0)
            s = &shapes[i];
    if (!s)
        return fail(PL_ERROR_ARGUMENT,
                    "mesh: there is no shape '%s'; there are box, sphere, torus, capsule, teapot, octopus",
                    def->shape ? def->shape : "(none)");
    double edge;
    mesh_build b = {0};
    pl_result result = check_shape(s, def);
    if (result == PL_OK)
        result = choose_edge(s, def, &edge);
    if (result == PL_OK)
        result = s->make(m, def, edge, &b);
    if (result != PL_OK)
    {
        mesh_drop(m, &b.mesh);
        return result;
    }
    const float centre[3] = {def->centre.x, def->centre.y, def->centre.z};
    for (int64_t i = 0; i < 3 * (int64_t)b.mesh.vertex_count; i++)
        b.mesh.vertices[i] += centre[i % 3];
    *out = b.mesh;
    return PL_OK;
}
