// warnings.c: what looks like a mistake in a scene, though it can be run. Each of them is told by `pliant info` and `pliant run` alike.
#include "cli.h"
#include "io/scene_robot.h"

#include <stdlib.h>
#include <string.h>

// ---- fields and solvers --------------------------------------------------------------------------------------------

// Whether a field is of the record that the path's beginning names.
static bool within(const pl_scene_field *field, const char *path, int length)
{
    return strncmp(field->path, path, (size_t)length) == 0 && field->path[length] == '.';
}

// How much of a path names what does nothing: all of it or, where nothing in it counts, the record that it stands in:
// "cloth[0].fabric".
static int idle_length(const pl_scene_field *fields, int count, int i)
{
    const char *path = fields[i].path, *dot = strrchr(path, '.');
    int length = dot ? (int)(dot - path) : 0;
    for (int k = 0; k < count && length; k++)
    {
        if (within(&fields[k], path, length) && fields[k].only_for != fields[i].only_for)
        {
            length = 0;
        }
    }
    return length ? length : (int)strlen(path);
}

static int warn_of_idle_fields(const pl_scene *scene, FILE *to, const char *before)
{
    int count = pl_scene_fields(scene, NULL, 0), warnings = 0;
    pl_scene_field *fields = calloc((size_t)count + 1, sizeof *fields);
    count = fields ? pl_scene_fields(scene, fields, count) : 0;
    for (int i = 0; i < count; i++)
    {
        if (!fields[i].given || !fields[i].only_for)
        {
            continue;
        }
        int length = idle_length(fields, count, i);
        fprintf(to, "%swarning: %.*s has no effect here; it is only for: %s\n", before, length, fields[i].path,
                fields[i].only_for);
        warnings++;
        const char *told = fields[i].path;
        while (i + 1 < count && within(&fields[i + 1], told, length))
        {
            i++;
        }
    }
    free(fields);
    return warnings;
}

// The strains of neighbouring elements cannot all be brought to 0, which is what classic PBD tries; compliance is what lets them share.
static int warn_of_solver(const pl_world *world, FILE *to, const char *before)
{
    char words[64];
    long long elements = 0, rubber = pl_constraint_count(world, PL_KIND_NEO_HOOKEAN);
    for (int k = 0; k < PL_KIND_COUNT; k++)
    {
        const pl_kind_info *info = pl_kind_describe((pl_kind)k);
        bool joint = info->arity == 2; // joints can all hold at once
        elements += info->parts > 1 && !joint ? pl_constraint_count(world, (pl_kind)k) : 0;
    }
    if (pl_world_settings(world).solver != PL_SOLVER_PBD || elements == 0)
    {
        return 0;
    }
    fprintf(to, "%swarning: solver is pbd, which ignores the compliance of its %s: %s; use xpbd\n", before,
            counted(elements, "finite element", words),
            rubber ? "neo-Hookean ones diverge, others may" : "they may diverge");
    return 1;
}

// ---- objects -------------------------------------------------------------------------------------------------------

struct teller
{
    const pl_scene *scene;
    FILE *to;
    const char *before;
    int count;
};

// Begins a line about an object: "warning: body[1]".
static void begin(struct teller *t, const char *key, const struct records *all, size_t size, const void *values)
{
    size_t number = (size_t)((const char *)values - (const char *)all->items) / size;
    fprintf(t->to, "%swarning: %s[%zu]", t->before, key, number);
    t->count++;
}

static void begin_object(struct teller *t, const struct scene_object *o)
{
    bool body = o->type == OBJECT_BODY;
    begin(t, body ? "body" : "cloth", body ? &t->scene->body : &t->scene->cloth,
          body ? sizeof(struct scene_body) : sizeof(struct scene_cloth), o->values);
}

// Whether there is something beside shapes that one would expect an object to meet.
static bool has_company(const pl_scene *scene, const struct scene_object *o)
{
    const int *copies = o->type == OBJECT_BODY ? ((const struct scene_body *)(const void *)o->values)->copies : NULL;
    bool company = copies && copies[0] * copies[1] * copies[2] > 1;
    for (int i = 0; i < scene->object_count && !company; i++)
    {
        const struct scene_object *other = &scene->objects[i];
        company = other != o && (other->type == OBJECT_BODY || scene_object_round(other));
    }
    return company;
}

static void tell_of_ghosts(struct teller *t)
{
    for (int i = 0; i < t->scene->object_count; i++)
    {
        const struct scene_object *o = &t->scene->objects[i];
        bool thin = (o->type == OBJECT_BODY || o->type == OBJECT_CLOTH) && !scene_object_round(o);
        if (thin && has_company(t->scene, o))
        {
            begin_object(t, o);
            fprintf(
                t->to,
                " has no \"thickness\", so it collides with shapes only; give it one to collide with other objects\n");
        }
    }
}

static void tell_of_bodies(struct teller *t)
{
    const struct scene_body *b = t->scene->body.items;
    for (int i = 0; i < t->scene->body.count; i++, b++)
    {
        const pl_cluster_material *m = &b->def.match;
        bool stiff = m->match == PL_MATCH_RIGID && m->stiffness == 1.0f && m->yield == 0.0f;
        for (int k = 0; k < b->repair_count; k++)
        {
            const char *done = strstr(b->repairs[k], ": ");
            fprintf(t->to, "%swarning: %s: %s\n", t->before, b->mesh_file, done ? done + 2 : b->repairs[k]);
            t->count++;
        }
        if (b->def.kind == PL_BODY_JELLY && stiff)
        {
            begin(t, "body", &t->scene->body, sizeof *b, b);
            fprintf(t->to, " is a jelly that is rigid; use a \"match\" of mode linear or a stiffness below 1\n");
        }
        if (b->def.kind == PL_BODY_PLASTIC && m->yield == 0.0f)
        {
            begin(t, "body", &t->scene->body, sizeof *b, b);
            fprintf(t->to, " is plastic without a yield, so it never flows; set \"yield\" in its \"match\"\n");
        }
    }
}

static void tell_of_cuts(struct teller *t, int64_t frames)
{
    const struct scene_cut *c = t->scene->cut.items;
    double end = (double)frames * (double)t->scene->dt;
    for (int i = 0; i < t->scene->cut.count; i++, c++)
    {
        if (!scene_can_be_cut(c))
        {
            begin(t, "cut", &t->scene->cut, sizeof *c, c);
            fprintf(t->to, " has no effect: \"%s\" has no edges; cloth, ropes, bars, balloons and soft bodies have\n",
                    c->of);
        }
        if ((double)c->time >= end)
        {
            begin(t, "cut", &t->scene->cut, sizeof *c, c);
            fprintf(t->to, " has no effect: it begins at %g s, and the last frame ends at %g s\n", (double)c->time,
                    end);
        }
    }
}

static void tell_of_robots(struct teller *t)
{
    for (const char *text; (text = scene_robot_warning(t->scene, t->count)) != NULL; t->count++)
    {
        fprintf(t->to, "%s%s\n", t->before, text);
    }
}

int warn(const pl_scene *scene, const pl_world *world, int64_t frames, FILE *to, const char *before)
{
    struct teller t = {scene, to, before, 0};
    tell_of_robots(&t);
    t.count += warn_of_solver(world, to, before);
    t.count += warn_of_digits(world, scene->dt, to, before);
    t.count += warn_of_idle_fields(scene, to, before);
    tell_of_bodies(&t);
    tell_of_ghosts(&t);
    tell_of_cuts(&t, frames);
    return t.count;
}
