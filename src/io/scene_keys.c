// scene_keys.c: see scene_keys.h.
#include "scene_keys.h"

#include "core/trig.h"
#include "scene.h"

#include <math.h>

static const struct scene_time *key_at(const struct records *keys, size_t size, int i)
{
    return (const struct scene_time *)(const void *)((const char *)keys->items + (size_t)i * size);
}

pl_result keys_check(const struct records *keys, size_t size)
{
    for (int i = 1; i < keys->count; i++)
    {
        const struct scene_time *key = key_at(keys, size, i);
        if (!(key->time > key_at(keys, size, i - 1)->time))
            return json_fail(key->head.node, "a key that is not later than the one before; times must grow");
    }
    return PL_OK;
}

struct key_pair keys_around(const struct records *keys, size_t size, double time)
{
    int i = 0;
    while (i < keys->count && (double)key_at(keys, size, i)->time <= time)
        i++;
    const struct scene_time *a = key_at(keys, size, i ? i - 1 : 0),
                            *b = key_at(keys, size, i < keys->count ? i : keys->count - 1);
    double part = b == a ? 0.0 : (time - (double)a->time) / ((double)b->time - (double)a->time);
    return (struct key_pair){a, b, part};
}

pl_quat rotation_by(pl_vec3 axis, double degrees)
{
    double x = axis.x, y = axis.y, z = axis.z, size = sqrt(x * x + y * y + z * z);
    if (!(size > 0.0))
        return (pl_quat){0.0f, 0.0f, 0.0f, 1.0f};
    double turns = degrees / 720.0;
    turns -= floor(turns);
    double s = (double)sine_of_turns((float)turns) / size, c = (double)cosine_of_turns((float)turns);
    return (pl_quat){(float)(s * x), (float)(s * y), (float)(s * z), (float)c};
}

pl_quat scene_rotation(pl_vec3 r)
{
    return rotation_by(r, sqrt((double)r.x * r.x + (double)r.y * r.y + (double)r.z * r.z));
}

static bool around_one_axis(pl_vec3 a, pl_vec3 b)
{
    double x = (double)a.y * b.z - (double)a.z * b.y, y = (double)a.z * b.x - (double)a.x * b.z,
           z = (double)a.x * b.y - (double)a.y * b.x;
    double sizes = ((double)a.x * a.x + (double)a.y * a.y + (double)a.z * a.z) *
                   ((double)b.x * b.x + (double)b.y * b.y + (double)b.z * b.z);
    return x * x + y * y + z * z <= 1e-12 * sizes;
}

static float between(float a, float b, double part) { return (float)((double)a + part * ((double)b - (double)a)); }

pl_quat rotation_between(pl_vec3 r, pl_vec3 s, double part)
{
    pl_quat from = scene_rotation(r), to = scene_rotation(s);
    double quat[4] = {from.x, from.y, from.z, from.w}, goal[4] = {to.x, to.y, to.z, to.w}, same = 0.0, size = 0.0;
    if (around_one_axis(r, s))
        return scene_rotation((pl_vec3){between(r.x, s.x, part), between(r.y, s.y, part), between(r.z, s.z, part)});
    for (int k = 0; k < 4; k++)
        same += quat[k] * goal[k];
    for (int k = 0; k < 4; k++)
    {
        quat[k] += part * ((same < 0.0 ? -goal[k] : goal[k]) - quat[k]);
        size += quat[k] * quat[k];
    }
    size = sqrt(size);
    return (pl_quat){(float)(quat[0] / size), (float)(quat[1] / size), (float)(quat[2] / size),
                     (float)(quat[3] / size)};
}
