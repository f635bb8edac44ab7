// probes.c: see probes.h. The part before the last dot is a selector as in a scene.
#include "probes.h"

#include "cli.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct quantity
{
    const char *name, *unit;
    pl_attribute attribute;
    int axis; // -1: the length of the vector
} quantities[] = {
    {"x", "m", PL_ATTRIBUTE_POSITION, 0},        {"y", "m", PL_ATTRIBUTE_POSITION, 1},
    {"z", "m", PL_ATTRIBUTE_POSITION, 2},        {"vx", "m/s", PL_ATTRIBUTE_VELOCITY, 0},
    {"vy", "m/s", PL_ATTRIBUTE_VELOCITY, 1},     {"vz", "m/s", PL_ATTRIBUTE_VELOCITY, 2},
    {"speed", "m/s", PL_ATTRIBUTE_VELOCITY, -1},
};

static int find_quantity(const char *name)
{
    for (size_t i = 0; i < sizeof quantities / sizeof *quantities; i++)
    {
        if (strcmp(quantities[i].name, name) == 0)
        {
            return (int)i;
        }
    }
    return -1;
}

static int open_probe(struct probe *p, const pl_scene *scene, const char *text)
{
    char particles[256];
    const char *dot = strrchr(text, '.');
    size_t length = dot ? (size_t)(dot - text) : 0;
    p->text = text;
    p->quantity = dot ? find_quantity(dot + 1) : -1;
    if (p->quantity < 0 || length == 0 || length >= sizeof particles)
    {
        return bad_usage("--probe is \"%.80s\"; use a particle, a dot, and x, y, z, vx, vy, vz or speed, such as "
                         "\"cloth[390].y\"",
                         text);
    }
    memcpy(particles, text, length);
    particles[length] = 0;
    pl_result result = pl_scene_select(scene, NULL, particles, NULL, 0, &p->count);
    p->numbers = result == PL_OK ? malloc((size_t)p->count * sizeof *p->numbers) : NULL;
    if (result == PL_OK && !p->numbers)
    {
        return bad_usage("no memory for the probes; give fewer");
    }
    result = result == PL_OK ? pl_scene_select(scene, NULL, particles, p->numbers, p->count, &p->count) : result;
    return result == PL_OK ? EXIT_GOOD : report_failure(EXIT_USAGE);
}

int probes_open(struct probes *probes, const pl_scene *scene, const char *const *texts, int count)
{
    int code = EXIT_GOOD;
    probes->items = calloc((size_t)count + 1, sizeof *probes->items);
    probes->count = probes->items ? count : 0;
    for (int i = 0; i < probes->count && code == EXIT_GOOD; i++)
    {
        code = open_probe(&probes->items[i], scene, texts[i]);
    }
    return probes->items ? code : bad_usage("no memory for the probes; give fewer");
}

void probes_free(struct probes *probes)
{
    for (int i = 0; i < probes->count; i++)
    {
        free(probes->items[i].numbers);
    }
    free(probes->items);
}

double probe_value(const struct probe *probe, const pl_world *world)
{
    const struct quantity *q = &quantities[probe->quantity];
    double sum = 0.0;
    for (int i = 0; i < probe->count; i++)
    {
        float v[3];
        if (pl_get(world, q->attribute, probe->numbers[i], 1, v) != PL_OK)
        {
            return (double)NAN;
        }
        double x = (double)v[0], y = (double)v[1], z = (double)v[2];
        sum += q->axis < 0 ? sqrt(x * x + y * y + z * z) : (double)v[q->axis];
    }
    return sum / probe->count;
}

const char *probe_unit(const struct probe *probe) { return quantities[probe->quantity].unit; }
