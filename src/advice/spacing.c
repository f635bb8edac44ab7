// spacing.c: cloth that is thick for the distance of its particles, and objects whose particles are so far apart that
// something falls between them.
//
// Particles at the distance s leave holes: between four of a square grid there is room for a ball of the radius
// s/sqrt(2) - r, between three of a mesh of s/sqrt(3) - r, where r is their own radius.
#include "advice.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define THICK_PART 0.5 // of the distance of its particles

struct sampling
{
    double spacing, radius;
    double hole;  // the radius of a ball that just passes
    bool surface; // its triangles collide too, though not with shapes of the world
};

static double length_of(pl_vec3 v) { return sqrt((double)v.x * v.x + (double)v.y * v.y + (double)v.z * v.z); }

// The mean edge of the object's faces as they are now, 0 without any.
static double mean_edge(const pl_world *world, const struct scene_object *o)
{
    int faces = pl_face_count(world);
    int32_t *face = malloc(((size_t)faces + 1) * 3 * sizeof *face);
    float *x = malloc(((size_t)o->count + 1) * 3 * sizeof *x);
    double sum = 0.0;
    int64_t edges = 0;
    bool known = face && x && pl_get_faces(world, 0, faces, face) == PL_OK &&
                 pl_get(world, PL_ATTRIBUTE_POSITION, o->first, o->count, x) == PL_OK;
    for (int i = 0; known && i < 3 * faces; i++)
    {
        int a = face[i] - o->first, b = face[i % 3 == 2 ? i - 2 : i + 1] - o->first;
        if (a < 0 || a >= o->count || b < 0 || b >= o->count)
            continue;
        double square = 0.0;
        for (int c = 0; c < 3; c++)
        {
            double d = (double)x[3 * a + c] - (double)x[3 * b + c];
            square += d * d;
        }
        sum += sqrt(square);
        edges++;
    }
    free(face);
    free(x);
    return edges ? sum / (double)edges : 0.0;
}

static bool sampling_of(const struct advice *a, const struct scene_object *o, struct sampling *s)
{
    bool grid = true;
    if (o->type == OBJECT_CLOTH)
    {
        const struct scene_cloth *c = (const struct scene_cloth *)(const void *)o->values;
        grid = !c->def.vertices;
        s->spacing = grid ? fmin(length_of(c->def.u) / (c->size[0] - 1), length_of(c->def.v) / (c->size[1] - 1))
                          : mean_edge(a->world, o);
        s->radius = c->radius > 0.0f ? (double)c->radius : 0.5 * (double)c->def.thickness;
        s->surface = c->def.thickness > 0.0f;
    }
    else if (o->type == OBJECT_BODY)
    {
        const pl_body_def *d = &((const struct scene_body *)(const void *)o->values)->def;
        grid = d->kind != PL_BODY_SOFT && d->kind != PL_BODY_BALLOON;
        s->spacing = grid ? (double)d->spacing : mean_edge(a->world, o);
        s->radius = 0.5 * (double)(grid ? d->spacing : d->thickness);
        s->surface = false;
    }
    else
    {
        return false;
    }
    s->hole = s->spacing * sqrt(grid ? 1.0 / 2.0 : 1.0 / 3.0) - s->radius;
    return s->spacing > 0.0;
}

// The radius of a rigid body that consists of one ball or capsule; infinite for others.
static double radius_of_body(const pl_world *world, const struct scene_object *o)
{
    pl_rigid_shape shape;
    pl_id body = pl_rigid_of_particle(world, o->first);
    if (!body.index || pl_rigid_shape_count(world, body) != 1 ||
        pl_get_rigid_shape(world, body, 0, &shape, NULL, NULL) != PL_OK)
        return DBL_MAX;
    return shape.kind == PL_RIGID_SPHERE || shape.kind == PL_RIGID_CAPSULE ? (double)shape.radius : DBL_MAX;
}

// The smallest ball of which another object consists; infinite if it collides with no particles.
static double radius_of_other(const struct advice *a, const struct scene_object *o, const struct scene_object *sieve,
                              const struct sampling *s)
{
    struct sampling own;
    double least = DBL_MAX;
    bool told = (o->type == OBJECT_CLOTH || o->type == OBJECT_BODY) && o < sieve; // of the pair, the other way round
    if (o == sieve || told || o->count == 0 || o->type == OBJECT_FLUID || o->type == OBJECT_EMITTER)
        return DBL_MAX;
    if (o->type == OBJECT_RIGID)
        return s->surface ? DBL_MAX : radius_of_body(a->world, o);
    if (s->surface || !scene_object_round(o))
        return DBL_MAX;
    float *radius = malloc((size_t)o->count * sizeof *radius);
    bool known = radius && pl_get(a->world, PL_ATTRIBUTE_RADIUS, o->first, o->count, radius) == PL_OK;
    for (int i = 0; known && i < o->count; i++)
        if (radius[i] > 0.0f && (double)radius[i] < least)
            least = (double)radius[i];
    free(radius);
    // Of two that are sampled, each has to pass between the particles of the other.
    return sampling_of(a, o, &own) && (own.surface || s->radius >= own.hole) ? DBL_MAX : least;
}

static void advise_thickness(struct advice *a, const char *label, const struct sampling *s)
{
    double thickness = 2.0 * s->radius;
    if (s->surface && thickness > THICK_PART * 1.001 * s->spacing)
    {
        advise(
            a,
            "%s is %.3g mm thick, more than half of the %.3g mm between its particles, so that each of its triangles "
            "is near many others and a step takes several times as long; use a thickness of %.3g mm, or fewer "
            "particles",
            label, 1e3 * thickness, 1e3 * s->spacing, 1e3 * THICK_PART * s->spacing);
    }
}

static void advise_holes(struct advice *a, const struct scene_object *sieve, const char *label,
                         const struct sampling *s)
{
    char other[OBJECT_LABEL] = "";
    double radius = s->hole;
    for (int i = 0; i < a->scene->object_count; i++)
    {
        const struct scene_object *o = &a->scene->objects[i];
        double least = DBL_MAX;
        if (o->type == OBJECT_SHAPE)
        {
            const pl_shape_def *d = &((const struct scene_shape *)(const void *)o->values)->def;
            bool ball = (d->kind == PL_SHAPE_SPHERE || d->kind == PL_SHAPE_CAPSULE) && !d->inside && !d->sensor;
            least = ball ? (double)d->radius : DBL_MAX;
        }
        else
        {
            least = radius_of_other(a, o, sieve, s);
        }
        if (least < radius)
        {
            radius = least;
            object_label(a, o, other);
        }
    }
    if (other[0])
    {
        double factor = (s->hole + s->radius) / s->spacing;
        advise(a,
               "%s has its particles %.3g m apart, with a radius of %.3g m: %s, with a radius of %.3g m, sinks in "
               "between them; use particles that are %.2g m apart%s",
               label, s->spacing, s->radius, other, radius, (radius + s->radius) / factor,
               s->surface || sieve->type != OBJECT_CLOTH ? "" : ", or a \"thickness\"");
    }
}

void advise_spacing(struct advice *a)
{
    for (int i = 0; i < a->scene->object_count; i++)
    {
        const struct scene_object *o = &a->scene->objects[i];
        struct sampling s = {0};
        char label[OBJECT_LABEL];
        if (!sampling_of(a, o, &s))
            continue;
        object_label(a, o, label);
        advise_thickness(a, label, &s);
        advise_holes(a, o, label, &s);
    }
}
