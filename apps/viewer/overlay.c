// overlay.c: see overlay.h.
#include "overlay.h"

#include <stdlib.h>
#include <string.h>

bool overlay_line(struct overlay *o, vec3 a, vec3 b, const uint8_t colour[4])
{
    if (o->count + 2 > o->capacity)
    {
        int capacity = o->capacity ? 2 * o->capacity : 1024;
        struct line_point *grown = realloc(o->point, (size_t)capacity * sizeof *grown);
        if (!grown)
        {
            return false;
        }
        o->point = grown;
        o->capacity = capacity;
    }
    struct line_point *p = o->point + o->count;
    p[0] = (struct line_point){{a.x, a.y, a.z}, {0}};
    p[1] = (struct line_point){{b.x, b.y, b.z}, {0}};
    memcpy(p[0].colour, colour, 4);
    memcpy(p[1].colour, colour, 4);
    o->count += 2;
    return true;
}

bool overlay_arrow(struct overlay *o, vec3 from, vec3 step, const uint8_t colour[4])
{
    vec3 tip = add(from, step), side = scale(across(unit(step)), 0.12f * length(step)),
         back = sub(tip, scale(step, 0.25f));
    return overlay_line(o, from, tip, colour) && overlay_line(o, tip, add(back, side), colour) &&
           overlay_line(o, tip, sub(back, side), colour);
}

static bool put_constraints(struct overlay *o, const struct model *m, const struct frame *f)
{
    static const uint8_t colours[PL_KIND_COUNT][4] = {[PL_KIND_DISTANCE] = {24, 40, 70, 255},
                                                      [PL_KIND_DISTANCE_MIN] = {150, 60, 160, 255},
                                                      [PL_KIND_DISTANCE_MAX] = {20, 110, 90, 255},
                                                      [PL_KIND_TETHER] = {235, 170, 40, 255}};
    bool good = true;
    int tethers = 0, every;
    for (int i = 0; i < m->links; i++)
    {
        tethers += m->link_kind[i] == PL_KIND_TETHER;
    }
    every = 1 + tethers / 400; // all of them would hide the rest
    // A link shows its own residual, batch or tile where that is what colours tell.
    enum colour_by by = f->has.colour_by;
    bool told = f->link_told && f->links == m->links && by >= COLOUR_RESIDUAL;
    float most = 1e-6f;
    for (int i = 0; told && i < m->links; i++)
    {
        most = fmaxf(most, f->link_told[i]);
    }
    for (int i = 0, t = 0; i < m->links && good; i++)
    {
        const int32_t *l = m->link + 2 * (size_t)i;
        uint8_t own[4];
        const uint8_t *colour = told ? own : colours[m->link_kind[i]];
        if (told)
        {
            colour_value(by, colour_by_number(by) ? f->link_told[i] : f->link_told[i] / most, own);
            own[3] = 255;
        }
        if (m->link_kind[i] != PL_KIND_TETHER || t++ % every == 0)
        {
            good =
                overlay_line(o, v3_at(f->position + 3 * (size_t)l[0]), v3_at(f->position + 3 * (size_t)l[1]), colour);
        }
    }
    return good;
}

static bool put_velocities(struct overlay *o, const struct model *m, const struct frame *f)
{
    static const uint8_t colour[4] = {20, 20, 24, 255};
    int every = 1 + m->particles / 1500;
    float fastest = 1e-6f, scene = bounds_radius(&m->start);
    bool good = true;
    for (int p = 0; p < m->particles; p++)
    {
        fastest = fmaxf(fastest, length(v3_at(f->velocity + 3 * (size_t)p)));
    }
    for (int p = 0; p < m->particles && good; p += every)
    {
        vec3 v = scale(v3_at(f->velocity + 3 * (size_t)p), 0.35f * scene / fastest);
        good = length(v) < 0.002f * scene || overlay_arrow(o, v3_at(f->position + 3 * (size_t)p), v, colour);
    }
    return good;
}

// A few rows of arrows before the scene, as long as the wind is strong.
static bool put_wind(struct overlay *o, const struct model *m, const struct frame *f)
{
    static const uint8_t colour[4] = {40, 90, 200, 255};
    float speed = length(f->wind), scene = bounds_radius(&m->start);
    bool good = true;
    if (speed < 1e-3f)
    {
        return true;
    }
    vec3 d = scale(f->wind, 1.0f / speed), u = across(d), v = cross(d, u);
    vec3 from = sub(bounds_centre(&m->start), scale(d, 1.7f * scene));
    for (int i = -2; i <= 2 && good; i++)
    {
        for (int k = -2; k <= 2 && good; k++)
        {
            vec3 at = add(from, add(scale(u, 0.4f * scene * (float)i), scale(v, 0.4f * scene * (float)k)));
            good = overlay_arrow(o, at, scale(d, scene * clampf(0.06f * speed, 0.08f, 0.6f)), colour);
        }
    }
    return good;
}

// A cross where two touch, and an arrow along the normal, the longer the harder they press.
static bool put_contacts(struct overlay *o, const struct model *m, const struct frame *f)
{
    static const uint8_t mark[4] = {214, 40, 36, 255}, push[4] = {250, 196, 40, 255};
    float hardest = 1e-9f, scene = bounds_radius(&m->start);
    int every = 1 + f->contacts / 20000;
    bool good = true;
    for (int i = 0; i < f->contacts; i++)
    {
        hardest = fmaxf(hardest, f->contact[i].force);
    }
    for (int i = 0; i < f->contacts && good; i += every)
    {
        const pl_contact_info *c = &f->contact[i];
        float size = fmaxf(0.35f * m->radius[c->a], 0.002f * scene),
              reach = size * (2.0f + 6.0f * sqrtf(c->force / hardest));
        vec3 u = scale(across(c->normal), size), v = cross(u, c->normal);
        good = overlay_line(o, sub(c->point, u), add(c->point, u), mark) &&
               overlay_line(o, sub(c->point, v), add(c->point, v), mark) &&
               overlay_arrow(o, c->point, scale(c->normal, reach), push);
    }
    return good;
}

static bool put_box(struct overlay *o, vec3 corner, const vec3 edge[3], const uint8_t colour[4])
{
    bool good = true;
    for (int axis = 0; axis < 3 && good; axis++)
    {
        for (int side = 0; side < 4 && good; side++)
        {
            vec3 p = corner;
            p = side & 1 ? add(p, edge[(axis + 1) % 3]) : p;
            p = side & 2 ? add(p, edge[(axis + 2) % 3]) : p;
            good = overlay_line(o, p, add(p, edge[axis]), colour);
        }
    }
    return good;
}

// The deeper, the lighter; beyond some depth there would be nothing else to see.
static bool put_crates(struct overlay *o, const struct frame *f)
{
    bool good = true;
    for (int i = 0; i < f->crates && good; i++)
    {
        int depth = f->crate[i].depth;
        const uint8_t colour[4] = {(uint8_t)(40 + 26 * depth), (uint8_t)(90 + 18 * depth), (uint8_t)(60 + 8 * depth),
                                   255};
        good = depth > 7 || put_box(o, f->crate[i].corner, f->crate[i].edge, colour);
    }
    return good;
}

static bool put_cells(struct overlay *o, const struct frame *f)
{
    static const uint8_t few[4] = {70, 110, 170, 255}, many[4] = {150, 60, 150, 255};
    bool good = true;
    for (int i = 0, every = 1 + f->cells / 8000; i < f->cells && good; i += every)
    {
        const pl_cell_info *c = &f->cell[i];
        const vec3 edge[3] = {v3(c->size, 0.0f, 0.0f), v3(0.0f, c->size, 0.0f), v3(0.0f, 0.0f, c->size)};
        good = put_box(o, c->corner, edge, c->particles < 4 ? few : many);
    }
    return good;
}

// From what is dragged to the mouse.
static bool put_drag(struct overlay *o, const struct frame *f)
{
    static const uint8_t colour[4] = {255, 255, 255, 255};
    return !f->drag.on || overlay_arrow(o, f->drag.from, sub(f->drag.to, f->drag.from), colour);
}

bool overlay_fill(struct overlay *o, const struct model *m, const struct frame *f, const struct look *look)
{
    o->count = 0;
    bool good = (!look->constraints || put_constraints(o, m, f)) && (!look->velocities || put_velocities(o, m, f)) &&
                (!look->wind || put_wind(o, m, f)) && (!look->cells || put_cells(o, f)) &&
                (!look->boxes || put_crates(o, f));
    o->plain = o->count;
    return good && (!look->contacts || (put_contacts(o, m, f) && overlay_rigid_contacts(o, m, f))) &&
           (!look->joints || overlay_joints(o, m, f)) && put_drag(o, f);
}

void overlay_free(struct overlay *o)
{
    free(o->point);
    *o = (struct overlay){0};
}
