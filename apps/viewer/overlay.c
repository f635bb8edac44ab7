// overlay.c: see overlay.h.
#include "overlay.h"

#include <stdlib.h>
#include <string.h>

static bool put(struct overlay *o, vec3 a, vec3 b, const uint8_t colour[4])
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

static bool arrow(struct overlay *o, vec3 from, vec3 step, const uint8_t colour[4])
{
    vec3 tip = add(from, step), side = scale(across(unit(step)), 0.12f * length(step)),
         back = sub(tip, scale(step, 0.25f));
    return put(o, from, tip, colour) && put(o, tip, add(back, side), colour) && put(o, tip, sub(back, side), colour);
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
    for (int i = 0, t = 0; i < m->links && good; i++)
    {
        const int32_t *l = m->link + 2 * (size_t)i;
        if (m->link_kind[i] != PL_KIND_TETHER || t++ % every == 0)
        {
            good = put(o, v3_at(f->position + 3 * (size_t)l[0]), v3_at(f->position + 3 * (size_t)l[1]),
                       colours[m->link_kind[i]]);
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
        good = length(v) < 0.002f * scene || arrow(o, v3_at(f->position + 3 * (size_t)p), v, colour);
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
            good = arrow(o, at, scale(d, scene * clampf(0.06f * speed, 0.08f, 0.6f)), colour);
        }
    }
    return good;
}

bool overlay_fill(struct overlay *o, const struct model *m, const struct frame *f, const struct look *look)
{
    o->count = 0;
    return (!look->constraints || put_constraints(o, m, f)) && (!look->velocities || put_velocities(o, m, f)) &&
           (!look->wind || put_wind(o, m, f));
}

void overlay_free(struct overlay *o)
{
    free(o->point);
    *o = (struct overlay){0};
}
