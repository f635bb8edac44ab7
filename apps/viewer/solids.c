// solids.c: see solids.h. Sphere, capsule and box are one thing: a ball of some radius led through a box, which may have no
// size at all (a sphere) or only a length (a capsule). So one mesh does for all three: a cube of directions, cut open
// along its middles, with every piece moved to its corner of the box.
#include "solids.h"

#include <stdlib.h>
#include <string.h>

enum
{
    MOST_STEPS = 14 // from the middle of a cube's side to its edge
};

static const uint8_t stone[4] = {132, 134, 138, MATERIAL_SOLID};
static const uint8_t rubber[4] = {62, 64, 70, MATERIAL_SOLID};
static const uint8_t glass[4] = {196, 220, 226, MATERIAL_SOLID};

// Where a solid is, and how it is cut.
struct part
{
    vec3 position, half;
    pl_quat rotation;
    float radius;
    int steps;
    bool edges[3]; // to be shown at the ends of that axis
    const uint8_t *colour;
};

static bool make_room(struct solids *s, int vertices, int indices)
{
    if (s->vertices + vertices > s->room_vertices)
    {
        int room = 2 * (s->vertices + vertices);
        struct vertex *grown = realloc(s->vertex, (size_t)room * sizeof *grown);
        s->room_vertices = grown ? room : s->room_vertices;
        s->vertex = grown ? grown : s->vertex;
    }
    if (s->indices + indices > s->room_indices)
    {
        int room = 2 * (s->indices + indices);
        uint32_t *grown = realloc(s->index, (size_t)room * sizeof *grown);
        s->room_indices = grown ? room : s->room_indices;
        s->index = grown ? grown : s->index;
    }
    return s->vertices + vertices <= s->room_vertices && s->indices + indices <= s->room_indices;
}

// on: where on its side it is, in two numbers from 0 to 255.
static void put_vertex(struct solids *s, const struct part *p, vec3 corner, vec3 normal, const uint8_t on[2])
{
    struct vertex *v = &s->vertex[s->vertices++];
    vec3 at = add(p->position, turned(p->rotation, add(corner, scale(normal, p->radius))));
    vec3 n = turned(p->rotation, normal);
    memcpy(v->position, &at, sizeof v->position);
    memcpy(v->normal, &n, sizeof v->normal);
    memcpy(v->front, p->colour, 4);
    memcpy(v->back, p->colour, 4);
    if (p->colour == glass) // which has no other side, but edges
    {
        memcpy(v->back, on, 2);
    }
}

// One of the cube's six sides. Numbers across it go from -1 to 1 in even angles, with the 0 twice: once for either half.
static void put_side(struct solids *s, const struct part *p, int axis, float sign)
{
    int count = 2 * p->steps + 2, b = (axis + 1) % 3, c = (axis + 2) % 3;
    uint32_t first = (uint32_t)s->vertices, row = (uint32_t)count;
    const float half[3] = {p->half.x, p->half.y, p->half.z};
    float number[2 * MOST_STEPS + 2];
    for (int i = 0; i < count; i++)
    {
        int from_middle = i <= p->steps ? i - p->steps : i - p->steps - 1;
        number[i] = p->steps > 0 ? tanf((float)M_PI / 4.0f * (float)from_middle / (float)p->steps) : 0.0f;
    }
    for (int j = 0; j < count; j++)
    {
        for (int i = 0; i < count; i++)
        {
            float direction[3], corner[3];
            direction[axis] = sign;
            direction[b] = number[i];
            direction[c] = number[j];
            corner[axis] = sign * half[axis];
            corner[b] = i <= p->steps ? -half[b] : half[b];
            corner[c] = j <= p->steps ? -half[c] : half[c];
            const uint8_t on[2] = {p->edges[b] ? (uint8_t)(i > p->steps ? 255 : 0) : 128,
                                   p->edges[c] ? (uint8_t)(j > p->steps ? 255 : 0) : 128};
            put_vertex(s, p, v3_at(corner), unit(v3_at(direction)), on);
        }
    }
    for (uint32_t j = 0; j + 1 < row; j++)
    {
        for (uint32_t i = 0; i + 1 < row; i++)
        {
            uint32_t a = first + j * row + i, d = a + row;
            const uint32_t out[6] = {a, a + 1, d + 1, a, d + 1, d}, in[6] = {a, d + 1, a + 1, a, d, d + 1};
            memcpy(s->index + s->indices, sign > 0.0f ? out : in, sizeof out);
            s->indices += 6;
        }
    }
}

static bool put_part(struct solids *s, const struct part *p)
{
    int count = 2 * p->steps + 2;
    if (!make_room(s, 6 * count * count, 36 * (count - 1) * (count - 1)))
    {
        return false;
    }
    for (int axis = 0; axis < 3; axis++)
    {
        put_side(s, p, axis, 1.0f);
        put_side(s, p, axis, -1.0f);
    }
    return true;
}

// A plane that is not the ground is a thin square, large enough to reach past everything.
static struct part sheet_of(const pl_shape_def *d, const struct model *m)
{
    vec3 up = turned(d->rotation, v3(0.0f, 1.0f, 0.0f)), middle = bounds_centre(&m->start);
    float reach = 1.2f * bounds_radius(&m->start), thick = d->two_sided ? fmaxf(d->radius, 5e-4f) : 0.0f;
    vec3 at = sub(middle, scale(up, dot(sub(middle, d->position), up)));
    return (struct part){.position = at, .half = v3(reach, thick, reach), .rotation = d->rotation};
}

// Edges that are near each other are left out: a ring of narrow boxes is to look like one glass.
static void show_edges(struct part *p)
{
    const float half[3] = {p->half.x, p->half.y, p->half.z};
    float most = fmaxf(half[0], fmaxf(half[1], half[2]));
    for (int axis = 0; axis < 3; axis++)
    {
        p->edges[axis] = half[axis] > 0.2f * most;
    }
}

// What is made of triangles, each with a normal of its own.
static bool put_triangles(struct solids *s, const struct model *m, const pl_shape_def *d, int number)
{
    const struct shape_triangles *t = number < m->shapes ? &m->triangles[number] : NULL;
    struct part p = {.position = d->position, .rotation = d->rotation, .colour = stone};
    const uint8_t on[2] = {128, 128};
    if (!t || !make_room(s, 3 * t->count, 3 * t->count))
    {
        return t == NULL;
    }
    for (int i = 0; i < t->count; i++)
    {
        vec3 c[3];
        memcpy(c, t->corners + 9 * (size_t)i, sizeof c);
        vec3 normal = unit(cross(sub(c[1], c[0]), sub(c[2], c[0])));
        for (int k = 0; k < 3; k++)
        {
            s->index[s->indices++] = (uint32_t)s->vertices;
            put_vertex(s, &p, c[k], normal, on);
        }
    }
    return true;
}

static bool put_shape(struct solids *s, const struct model *m, const pl_shape_def *d, int number)
{
    struct part p = {.position = d->position, .rotation = d->rotation, .radius = d->radius, .steps = MOST_STEPS};
    switch (d->kind)
    {
    case PL_SHAPE_PLANE:
        p = sheet_of(d, m);
        break;
    case PL_SHAPE_SPHERE:
        break;
    case PL_SHAPE_CAPSULE:
        p.half = v3(0.0f, 0.5f * d->length, 0.0f);
        break;
    case PL_SHAPE_BOX:
        p.half = d->half;
        p.steps = d->radius > 0.0f ? 4 : 0;
        show_edges(&p);
        break;
    default:
        return put_triangles(s, m, d, number);
    }
    p.colour = shape_is_glass(d) ? glass : length(d->belt) > 0.0f ? rubber : stone;
    return put_part(s, &p);
}

static bool put_pane(struct solids *s, int first, vec3 middle)
{
    if (s->panes == s->room_panes)
    {
        int room = 2 * s->panes + 16;
        struct pane *grown = realloc(s->pane, (size_t)room * sizeof *grown);
        if (!grown)
        {
            return false;
        }
        s->pane = grown;
        s->room_panes = room;
    }
    s->pane[s->panes++] = (struct pane){first, s->indices - first, middle};
    return true;
}

void solids_sort(struct solids *s, vec3 eye)
{
    for (int i = 1; i < s->panes; i++) // they are few, and from picture to picture nearly in order
    {
        struct pane p = s->pane[i];
        float far = length(sub(p.middle, eye));
        int k = i;
        for (; k > 0 && length(sub(s->pane[k - 1].middle, eye)) < far; k--)
        {
            s->pane[k] = s->pane[k - 1];
        }
        s->pane[k] = p;
    }
}

// A string from one end of a distance joint to the other.
static bool put_string(struct solids *s, const struct model *m, const struct joint_mark *j)
{
    vec3 along = sub(j->point[1], j->point[0]), d = unit(along);
    float size = length(along);
    // The rotation from the y axis to d; half way round where they are opposite.
    float w = 1.0f + d.y, inverse = w > 1e-6f ? 1.0f / sqrtf(2.0f * w) : 0.0f;
    struct part p = {.position = mix(j->point[0], j->point[1], 0.5f),
                     .half = v3(0.0f, 0.5f * size, 0.0f),
                     .rotation = inverse > 0.0f ? (pl_quat){d.z * inverse, 0.0f, -d.x * inverse, w * inverse}
                                                : (pl_quat){1.0f, 0.0f, 0.0f, 0.0f},
                     .radius = fminf(0.006f * bounds_radius(&m->start), 0.05f * size),
                     .steps = 2,
                     .colour = rubber};
    return put_part(s, &p);
}

bool solids_fill(struct solids *s, const struct model *m, const struct frame *f)
{
    bool good = true;
    s->vertices = s->indices = s->seen = s->panes = 0;
    for (int through = 0; through < 2; through++)
    {
        for (int i = 0; good && i < f->shapes; i++)
        {
            if (shape_is_glass(&f->shape[i]) == (through == 1) && !shape_is_ground(&f->shape[i]))
            {
                int first = s->indices;
                good = put_shape(s, m, &f->shape[i], i) && (through == 0 || put_pane(s, first, f->shape[i].position));
            }
        }
        for (int i = 0; through == 0 && good && i < f->strings.count; i++)
        {
            good = put_string(s, m, &f->strings.mark[i]);
        }
        s->seen = through == 0 ? s->indices : s->seen;
    }
    for (int i = 0; good && i < m->bodies.shapes && f->bodies.count == m->bodies.count; i++)
    {
        const struct body_shape *b = &m->bodies.shape[i];
        if (b->glass)
        {
            pl_shape_def d = body_shape_def(b, &f->bodies.state[b->body]);
            int first = s->indices;
            good = put_shape(s, m, &d, 0) && put_pane(s, first, d.position);
        }
    }
    return good;
}

void solids_free(struct solids *s)
{
    free(s->vertex);
    free(s->index);
    free(s->pane);
    *s = (struct solids){0};
}
