// body_scenes.c: the benchmark scenes of rigid bodies.
//   wall      a standing wall of 1,012 boxes of 1 x 0.5 x 0.5 m: 22 layers of 46
//   ragdolls  50 figures of 11 bodies and 10 hinges with motors, which fall on the floor
//   pyramid   5,050 boxes of 1 m, 100 in the lowest layer
//   boxes     14 x 14 pyramids of 55 boxes: 10,780
//   joints    a net of N x N balls with ball joints, held at seven points of its first row; nothing collides
//   bricks    N standing walls of 1,000 bricks
#include "body_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool reserve(body_list *l, int bodies, int joints)
{
    l->body = calloc((size_t)bodies, sizeof *l->body);
    l->joint = calloc((size_t)joints + 1, sizeof *l->joint);
    return l->body && l->joint;
}

static bench_body *add_body(body_list *l, body_form form, float x, float y, float z, float mass)
{
    bench_body *b = &l->body[l->bodies++];
    *b = (bench_body){.form = form, .position = {x, y, z}, .rotation = {0.0f, 0.0f, 0.0f, 1.0f}, .mass = mass};
    return b;
}

static void add_box(body_list *l, float x, float y, float z, const float *half, float mass)
{
    bench_body *b = add_body(l, FORM_BOX, x, y, z, mass);
    memcpy(b->half, half, sizeof b->half);
}

// ---- boxes ---------------------------------------------------------------------------------------------------------

// Layers of bricks, every second one shifted by a quarter of a brick, so that the last one stands.
static void add_wall(body_list *l, int across, int layers, const float *half, float z)
{
    for (int row = 0; row < layers; ++row)
    {
        for (int i = 0; i < across; ++i)
        {
            float x = 2.0f * half[0] * ((float)i - 0.5f * (float)across) + (row % 2 ? 0.5f * half[0] : 0.0f);
            add_box(l, x, half[1] * (float)(2 * row + 1), z, half, 1.0f);
        }
    }
}

static void add_pyramid(body_list *l, int base, float x, float z)
{
    static const float half[3] = {0.5f, 0.5f, 0.5f};
    for (int row = 0; row < base; ++row)
    {
        for (int i = 0; i < base - row; ++i)
        {
            add_box(l, x + 1.05f * ((float)i - 0.5f * (float)(base - row - 1)), 0.5f + (float)row, z, half, 1.0f);
        }
    }
}

static bool make_walls(body_list *l, int walls, int across, int layers, float size)
{
    const float half[3] = {size, 0.5f * size, 0.5f * size};
    int side = (int)sqrt((double)walls) + 1;
    bool good = reserve(l, walls * across * layers, 0);
    for (int i = 0; i < walls && good; ++i)
    {
        int first = l->bodies;
        add_wall(l, across, layers, half, 10.0f * size * (float)(i / side));
        for (int k = first; k < l->bodies; ++k)
        {
            l->body[k].position[0] += 2.0f * size * (float)(across + 3) * (float)(i % side);
        }
    }
    l->collide = l->floor = true;
    return good;
}

static bool make_pyramids(body_list *l, int side, int base)
{
    bool good = reserve(l, side * side * base * (base + 1) / 2, 0);
    for (int i = 0; i < side * side && good; ++i)
    {
        add_pyramid(l, base, (1.05f * (float)base + 2.0f) * (float)(i % side), 3.0f * (float)(i / side));
    }
    l->collide = l->floor = true;
    return good;
}

// ---- joints --------------------------------------------------------------------------------------------------------

static void add_joint(body_list *l, int a, int b, float x, float y, float z)
{
    l->joint[l->joints++] = (bench_joint){.a = a, .b = b, .point = {x, y, z}, .axis = {1.0f, 0.0f, 0.0f}};
}

static bool make_net(body_list *l, int side)
{
    bool good = reserve(l, side * side, 2 * side * side);
    for (int k = 0; k < side && good; ++k)
    {
        for (int i = 0; i < side; ++i)
        {
            bool held = i == 0 && k >= side / 2 - 3 && k <= side / 2 + 3;
            bench_body *b = add_body(l, FORM_SPHERE, (float)k, -(float)i, 0.0f, held ? 0.0f : 1.0f);
            b->radius = 0.4f;
        }
    }
    for (int n = 0; n < side * side && good; ++n)
    {
        if (n % side + 1 < side)
        {
            add_joint(l, n, n + 1, (float)(n / side), -(float)(n % side) - 0.5f, 0.0f);
        }
        if (n / side + 1 < side)
        {
            add_joint(l, n, n + side, (float)(n / side) + 0.5f, -(float)(n % side), 0.0f);
        }
    }
    return good;
}

// ---- ragdolls ------------------------------------------------------------------------------------------------------

// A part of a figure 1.7 m tall: a capsule from one point to another, and the hinge at its first end.
typedef struct limb
{
    int parent; // -1: none
    float from[3], to[3], radius, mass;
    float axis[3], low, high;
} limb;

static const limb limbs[] = {
    {-1, {-0.08f, 0.95f, 0}, {0.08f, 0.95f, 0}, 0.12f, 12.0f, {1, 0, 0}, 0, 0},      // hips
    {0, {0, 1.05f, 0}, {0, 1.35f, 0}, 0.14f, 22.0f, {1, 0, 0}, -0.5f, 0.9f},         // chest
    {1, {0, 1.52f, 0}, {0, 1.62f, 0}, 0.1f, 5.0f, {1, 0, 0}, -0.6f, 0.6f},           // head
    {1, {-0.2f, 1.42f, 0}, {-0.48f, 1.42f, 0}, 0.05f, 2.2f, {0, 0, 1}, -1.2f, 1.2f}, // upper arms
    {1, {0.2f, 1.42f, 0}, {0.48f, 1.42f, 0}, 0.05f, 2.2f, {0, 0, 1}, -1.2f, 1.2f},   //
    {3, {-0.5f, 1.42f, 0}, {-0.76f, 1.42f, 0}, 0.04f, 1.6f, {0, 1, 0}, -2.0f, 0},    // forearms
    {4, {0.5f, 1.42f, 0}, {0.76f, 1.42f, 0}, 0.04f, 1.6f, {0, 1, 0}, 0, 2.0f},       //
    {0, {-0.1f, 0.85f, 0}, {-0.1f, 0.52f, 0}, 0.07f, 8.0f, {1, 0, 0}, -1.5f, 0.5f},  // thighs
    {0, {0.1f, 0.85f, 0}, {0.1f, 0.52f, 0}, 0.07f, 8.0f, {1, 0, 0}, -1.5f, 0.5f},    //
    {7, {-0.1f, 0.47f, 0}, {-0.1f, 0.1f, 0}, 0.05f, 4.0f, {1, 0, 0}, 0, 2.2f},       // shins
    {8, {0.1f, 0.47f, 0}, {0.1f, 0.1f, 0}, 0.05f, 4.0f, {1, 0, 0}, 0, 2.2f},         //
};

enum
{
    LIMBS = sizeof limbs / sizeof *limbs,
};

static void add_limb(body_list *l, const limb *m, int first, float x, float y, float z)
{
    float way[3], length = 0.0f;
    for (int c = 0; c < 3; ++c)
    {
        way[c] = m->to[c] - m->from[c];
        length += way[c] * way[c];
    }
    length = sqrtf(length);
    int number = l->bodies;
    bench_body *b = add_body(l, FORM_CAPSULE, x + 0.5f * (m->from[0] + m->to[0]), y + 0.5f * (m->from[1] + m->to[1]),
                             z + 0.5f * (m->from[2] + m->to[2]), m->mass);
    b->radius = m->radius, b->length = length;
    if (fabsf(way[0]) > 0.5f * length) // along x: turned by a right angle about z
    {
        b->rotation[2] = b->rotation[3] = 0.70710678f;
    }
    if (m->parent >= 0)
    {
        bench_joint *j = &l->joint[l->joints++];
        *j = (bench_joint){
            .a = first + m->parent, .b = number, .hinge = true, .low = m->low, .high = m->high, .torque = 2.0f};
        const float point[3] = {x + m->from[0], y + m->from[1], z + m->from[2]};
        memcpy(j->point, point, sizeof j->point);
        memcpy(j->axis, m->axis, sizeof j->axis);
    }
}

static bool make_ragdolls(body_list *l, int count)
{
    bool good = reserve(l, count * LIMBS, count * LIMBS);
    for (int i = 0; i < count && good; ++i)
    {
        int first = l->bodies;
        for (int k = 0; k < LIMBS; ++k)
        {
            add_limb(l, &limbs[k], first, 1.8f * (float)(i % 5), 0.3f + 2.0f * (float)(i / 25),
                     1.0f * (float)(i / 5 % 5));
        }
    }
    l->collide = l->floor = true;
    return good;
}

// ---- the table -----------------------------------------------------------------------------------------------------

bool make_body_scene(scene *s, const char *name)
{
    body_list *l = calloc(1, sizeof *l);
    bool good = l != NULL;
    s->bodies = l;
    if (good)
    {
        good = strcmp(name, "wall") == 0         ? make_walls(l, 1, 46, 22, 0.5f)
               : strcmp(name, "ragdolls") == 0   ? make_ragdolls(l, 50)
               : strcmp(name, "pyramid") == 0    ? make_pyramids(l, 1, 100)
               : strcmp(name, "boxes") == 0      ? make_pyramids(l, 14, 10)
               : strcmp(name, "joints") == 0     ? make_net(l, 100)
               : strcmp(name, "joints72k") == 0  ? make_net(l, 190)
               : strcmp(name, "bricks110k") == 0 ? make_walls(l, 110, 50, 20, 0.2f)
               : strcmp(name, "bricks510k") == 0 ? make_walls(l, 510, 50, 20, 0.2f)
                                                 : false;
    }
    s->particles = good ? l->bodies : 0;
    s->links = good ? l->joints : 0;
    return good;
}

void free_bodies(body_list *list)
{
    if (list != NULL)
    {
        free(list->body);
        free(list->joint);
    }
    free(list);
}

// ---- errors --------------------------------------------------------------------------------------------------------

static void turn(const float *q, const double *in, double *out)
{
    double t[3];
    for (int c = 0; c < 3; ++c)
    {
        t[c] = 2.0 * ((double)q[(c + 1) % 3] * in[(c + 2) % 3] - (double)q[(c + 2) % 3] * in[(c + 1) % 3]);
    }
    for (int c = 0; c < 3; ++c)
    {
        out[c] = in[c] + (double)q[3] * t[c] + (double)q[(c + 1) % 3] * t[(c + 2) % 3] -
                 (double)q[(c + 2) % 3] * t[(c + 1) % 3];
    }
}

// Where the point of the start that moves with a body is now.
static void carried(const bench_body *b, const float *pose, const float *point, double *out)
{
    const float back[4] = {-b->rotation[0], -b->rotation[1], -b->rotation[2], b->rotation[3]};
    double from[3], local[3];
    for (int c = 0; c < 3; ++c)
    {
        from[c] = (double)point[c] - (double)b->position[c];
    }
    turn(back, from, local);
    turn(pose + 3, local, out);
    for (int c = 0; c < 3; ++c)
    {
        out[c] += (double)pose[c];
    }
}

body_errors find_body_errors(const body_list *l, const float *poses)
{
    body_errors e = {0.0, 0.0, 0.0, 0.0};
    for (int i = 0; i < l->bodies; ++i)
    {
        double square = 0.0;
        for (int c = 0; c < 3; ++c)
        {
            double d = (double)poses[POSE_FLOATS * i + c] - (double)l->body[i].position[c];
            square += d * d;
        }
        e.drift_mean += sqrt(square) / l->bodies;
        e.drift_max = fmax(e.drift_max, sqrt(square));
    }
    for (int i = 0; i < l->joints; ++i)
    {
        const bench_joint *j = &l->joint[i];
        double a[3], b[3];
        carried(&l->body[j->a], poses + POSE_FLOATS * j->a, j->point, a);
        carried(&l->body[j->b], poses + POSE_FLOATS * j->b, j->point, b);
        double gap =
            sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
        e.gap_mean += gap / l->joints;
        e.gap_max = fmax(e.gap_max, gap);
    }
    return e;
}
