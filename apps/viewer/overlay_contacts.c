// overlay_contacts.c: contacts of rigid bodies as lines: a cross at each point, an arrow along the normal force of the
// point and one along the friction of the contact.
#include "overlay.h"

// The length of the arrow of a force. Its square root: a light body on a heavy pile is still seen.
static float reach_of(float force, float hardest, float scene) { return 0.15f * scene * sqrtf(force / hardest); }

static bool put_contact(struct overlay *o, const pl_rigid_contact *c, float hardest, float scene)
{
    static const uint8_t mark[4] = {214, 40, 36, 255}, push[4] = {250, 196, 40, 255}, rub[4] = {60, 170, 235, 255};
    const float size = 0.012f * scene, friction = length(c->friction);
    vec3 u = scale(across(c->normal), size), v = cross(u, c->normal), middle = v3(0.0f, 0.0f, 0.0f);
    bool good = true;
    for (int i = 0; i < c->count && good; i++)
    {
        vec3 at = c->points[i].position;
        middle = add(middle, scale(at, 1.0f / (float)c->count));
        good = overlay_line(o, sub(at, u), add(at, u), mark) && overlay_line(o, sub(at, v), add(at, v), mark) &&
               (c->points[i].force <= 0.0f ||
                overlay_arrow(o, at, scale(c->normal, reach_of(c->points[i].force, hardest, scene)), push));
    }
    if (good && friction > 0.01f * c->normal_force)
    {
        good = overlay_arrow(o, middle, scale(c->friction, reach_of(friction, hardest, scene) / friction), rub);
    }
    return good;
}

bool overlay_rigid_contacts(struct overlay *o, const struct model *m, const struct frame *f)
{
    float hardest = 1e-9f, scene = bounds_radius(&m->start);
    int every = 1 + f->rigid_contacts / 5000;
    bool good = true;
    for (int i = 0; i < f->rigid_contacts; i++)
    {
        for (int k = 0; k < f->rigid_contact[i].count; k++)
        {
            hardest = fmaxf(hardest, f->rigid_contact[i].points[k].force);
        }
    }
    for (int i = 0; i < f->rigid_contacts && good; i += every)
    {
        good = put_contact(o, &f->rigid_contact[i], hardest, scene);
    }
    return good;
}
