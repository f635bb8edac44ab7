// fluid_bath.h: a tank of water with a rigid body in it, and what tests measure of both.
#ifndef PLIANT_TESTS_FLUID_BATH_H
#define PLIANT_TESTS_FLUID_BATH_H

#include "fluid.h"

#define SPACING 0.02

// ---- a bath with a body --------------------------------------------------------------------------------------------

typedef struct bath
{
    // what is asked for; lengths in spacings
    int across, layers; // of the water, the body included
    double side;        // height of the box, or diameter of the ball
    double wide;        // edges of the box along x and z; 0: it is a cube
    bool ball, filled;  // filled: there is water inside the body too
    double density;     // of the body
    pl_rigid_type type;
    double height, far; // of the body's centre; of the tank from the origin along x
    double fall;        // m/s: the body moves down
    int threads, lanes;
    // what there is
    pl_world *world;
    pl_id body, floor;
    int count;
} bath;

static inline bath a_bath(void)
{
    return (bath){.across = 10, .layers = 9, .side = 5, .density = 400, .height = 8, .threads = 1};
}

static inline double width_of(const bath *b) { return b->wide > 0.0 ? b->wide : b->side; }

static inline double volume_of(const bath *b)
{
    double s = b->side * SPACING, w = width_of(b) * SPACING;
    return b->ball ? 3.14159265358979 / 6.0 * s * s * s : s * w * w;
}

static inline bool is_inside(const bath *b, const double q[3])
{
    double h = 0.5 * b->side - 1e-3;
    if (b->ball)
        return q[0] * q[0] + q[1] * q[1] + q[2] * q[2] < h * h;
    double w = 0.5 * width_of(b) - 1e-3;
    return fabs(q[0]) < w && fabs(q[1]) < h && fabs(q[2]) < w;
}

// Water that was stirred: a lattice would carry loads like a crystal.
static inline void pour(bath *b)
{
    int n = b->across;
    float *x = malloc(sizeof *x * 3 * (size_t)(n * n * b->layers));
    b->count = 0;
    for (int i = 0; i < n * n * b->layers; i++)
    {
        const double p[3] = {i % n + 0.5, i / (n * n) + 0.5, i / n % n + 0.5};
        const double q[3] = {p[0] - 0.5 * n, p[1] - b->height, p[2] - 0.5 * n};
        if (!b->filled && is_inside(b, q))
            continue;
        for (int k = 0; k < 3; k++)
            x[3 * b->count + k] = (float)(SPACING * (p[k] + 0.1 * (double)jitter(i, k)) + (k ? 0.0 : b->far));
        b->count++;
    }
    pl_fluid_def water = pl_default_fluid_def();
    water.spacing = (float)SPACING;
    water.position = x, water.count = b->count;
    good(pl_add_fluid(b->world, &water, NULL));
    for (int i = 0; i < 3 * b->count; i++)
        x[i] = 6.0f * jitter(i, 3);
    if (!b->filled)
        good(pl_set(b->world, PL_ATTRIBUTE_VELOCITY, 0, b->count, x));
    free(x);
}

static inline void open_bath(bath *b)
{
    pl_world_def def = pl_default_world_def();
    def.settings.substeps = 10, def.settings.iterations = 2;
    def.settings.gravity = (pl_vec3){0.0f, (float)-GRAVITY, 0.0f};
    def.threads = b->threads, def.lanes = b->lanes;
    good(pl_world_create(&def, &b->world));
    pour(b);
    float wide = (float)(SPACING * b->across), half = (float)(0.5 * b->side * SPACING), far = (float)b->far;
    const pl_vec3 low = {far, 0.0f, 0.0f}, high = {far + wide, 0.0f, wide};
    b->floor = add_plane(b->world, low, 0.0, 1.0, 0.0);
    add_plane(b->world, low, 1.0, 0.0, 0.0);
    add_plane(b->world, low, 0.0, 0.0, 1.0);
    add_plane(b->world, high, -1.0, 0.0, 0.0);
    add_plane(b->world, high, 0.0, 0.0, -1.0);
    pl_rigid_shape shape = pl_default_rigid_shape();
    shape.kind = b->ball ? PL_RIGID_SPHERE : PL_RIGID_BOX;
    float thick = (float)(0.5 * width_of(b) * SPACING);
    shape.half = (pl_vec3){thick, half, thick}, shape.radius = half, shape.density = (float)b->density;
    pl_rigid_def body = pl_default_rigid_def();
    body.type = b->type, body.shapes = &shape, body.shape_count = 1;
    body.position = (pl_vec3){far + 0.5f * wide, (float)(b->height * SPACING), 0.5f * wide};
    body.velocity.y = (float)-b->fall;
    good(pl_add_rigid(b->world, &body, &b->body));
}

static inline double weight_of(const bath *b) { return 1000.0 * SPACING * SPACING * SPACING * GRAVITY * b->count; }

static inline pl_rigid_state state_of(const bath *b)
{
    pl_rigid_state s;
    good(pl_get_rigids(b->world, &b->body, 1, &s));
    return s;
}

static inline double push_on(const bath *b, pl_id id)
{
    pl_vec3 f;
    good(pl_get_fluid_force(b->world, id, &f, NULL));
    return (double)f.y;
}

static inline double fastest(const bath *b)
{
    float *v = malloc(sizeof *v * 3 * (size_t)b->count);
    double most = 0.0;
    good(pl_get(b->world, PL_ATTRIBUTE_VELOCITY, 0, b->count, v));
    for (int i = 0; i < 3 * b->count; i++)
        most = fmax(most, fabs((double)v[i]));
    free(v);
    return most;
}

// The volume of the body below a level, m^3: of points that fill it evenly. It may be tilted: a cube of 210 to 790 kg/m^3
// does not float upright.
static inline double volume_under(const bath *b, const pl_rigid_state *s, double level)
{
    enum
    {
        POINTS = 32
    };
    const double x = (double)s->rotation.x, y = (double)s->rotation.y, z = (double)s->rotation.z,
                 w = (double)s->rotation.w, high = b->side * SPACING, wide = width_of(b) * SPACING;
    const double up[3] = {2.0 * (x * y + w * z) * wide, (1.0 - 2.0 * (x * x + z * z)) * high,
                          2.0 * (y * z - w * x) * wide};
    int inside = 0;
    if (b->ball)
    {
        double deep = fmin(fmax(level - (double)s->position.y + 0.5 * high, 0.0), high);
        return 3.14159265358979 * deep * deep * (0.5 * high - deep / 3.0);
    }
    for (int i = 0; i < POINTS * POINTS * POINTS; i++)
    {
        double h = (double)s->position.y;
        for (int k = 0, left = i; k < 3; k++, left /= POINTS)
            h += up[k] * ((left % POINTS + 0.5) / POINTS - 0.5);
        inside += h < level;
    }
    return volume_of(b) * inside / (POINTS * POINTS * POINTS);
}

// The volume of the body under water, m^3: water and body fill the tank up to one level.
static inline double volume_below(const bath *b)
{
    const pl_rigid_state s = state_of(b);
    double area = b->across * b->across * SPACING * SPACING, water = b->count * SPACING * SPACING * SPACING,
           below = 0.0;
    for (int i = 0; i < 16; i++)
        below = 0.5 * (below + volume_under(b, &s, (water + below) / area));
    return below;
}

// The mean share of the body's volume that is under water over some frames.
static inline double share_below(const bath *b, int settle, int frames)
{
    double sum = 0.0;
    steps(b->world, settle, 1.0 / 60.0);
    for (int i = 0; i < frames; i++)
    {
        steps(b->world, 1, 1.0 / 60.0);
        sum += volume_below(b) / volume_of(b) / frames;
    }
    return sum;
}

// The angle between the axis of the body and the vertical, degrees.
static inline double tilt_of(const bath *b)
{
    const pl_rigid_state s = state_of(b);
    double x = (double)s.rotation.x, z = (double)s.rotation.z;
    return acos(fmin(1.0 - 2.0 * (x * x + z * z), 1.0)) * 57.29577951308232;
}

#endif
