// objects.c: objects that will hardly do what is meant: a solver that does not suit, bodies that meet nothing, cuts in vain.
#include "advice.h"

#include "io/scene_robot.h"

#include <string.h>

// The strains of neighbouring elements cannot all be brought to 0, which is what classic PBD tries; compliance is what lets them share.
static void advise_solver(struct advice *a)
{
    long long elements = 0, rubber = pl_constraint_count(a->world, PL_KIND_NEO_HOOKEAN);
    for (int k = 0; k < PL_KIND_COUNT; k++)
    {
        const pl_kind_info *info = pl_kind_describe((pl_kind)k);
        bool joint = info->arity == 2; // joints can all hold at once
        elements += info->parts > 1 && !joint ? pl_constraint_count(a->world, (pl_kind)k) : 0;
    }
    if (pl_world_settings(a->world).solver == PL_SOLVER_PBD && elements)
    {
        advise(a, "solver is pbd, which ignores the compliance of its %lld finite element%s: %s; use xpbd", elements,
               elements == 1 ? "" : "s", rubber ? "neo-Hookean ones diverge, others may" : "they may diverge");
    }
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

static void advise_ghosts(struct advice *a, const struct scene_object *o, const char *label)
{
    bool thin = (o->type == OBJECT_BODY || o->type == OBJECT_CLOTH) && !scene_object_round(o);
    if (thin && has_company(a->scene, o))
    {
        advise(a, "%s has no \"thickness\", so it collides with shapes only; give it one to collide with other objects",
               label);
    }
}

static void advise_body(struct advice *a, const struct scene_body *b, const char *label)
{
    const pl_cluster_material *m = &b->def.match;
    bool stiff = m->match == PL_MATCH_RIGID && m->stiffness == 1.0f && m->yield == 0.0f;
    for (int k = 0; k < b->repair_count; k++)
    {
        const char *done = strstr(b->repairs[k], ": ");
        advise(a, "%s: %s", b->mesh_file, done ? done + 2 : b->repairs[k]);
    }
    if (b->def.kind == PL_BODY_JELLY && stiff)
    {
        advise(a, "%s is a jelly that is rigid; use a \"match\" of mode linear or a stiffness below 1", label);
    }
    if (b->def.kind == PL_BODY_PLASTIC && m->yield == 0.0f)
    {
        advise(a, "%s is plastic without a yield, so it never flows; set \"yield\" in its \"match\"", label);
    }
}

static void advise_cuts(struct advice *a)
{
    const struct scene_cut *c = a->scene->cut.items;
    double end = (double)a->frames * (double)a->dt;
    for (int i = 0; i < a->scene->cut.count; i++)
    {
        if (!scene_can_be_cut(&c[i]))
        {
            advise(a, "cut[%d] has no effect: \"%s\" has no edges; cloth, ropes, bars, balloons and soft bodies have",
                   i, c[i].of);
        }
        if ((double)c[i].time >= end)
        {
            advise(a, "cut[%d] has no effect: it begins at %g s, and the last frame ends at %g s", i, (double)c[i].time,
                   end);
        }
    }
}

void advise_objects(struct advice *a)
{
    const char *text;
    for (int i = 0; (text = scene_robot_warning(a->scene, i)) != NULL; i++)
    {
        advise(a, "%s", text);
    }
    advise_solver(a);
    for (int i = 0; i < a->scene->object_count; i++)
    {
        const struct scene_object *o = &a->scene->objects[i];
        char label[OBJECT_LABEL];
        object_label(a, o, label);
        if (o->type == OBJECT_BODY)
        {
            advise_body(a, (const struct scene_body *)(const void *)o->values, label);
        }
        advise_ghosts(a, o, label);
    }
    advise_cuts(a);
}
