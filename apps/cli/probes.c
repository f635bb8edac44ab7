// probes.c: see probes.h. The part before the last dot is a reference to particles as in a scene (io/scene_refs.c).
#include "probes.h"

#include "cli.h"
#include "io/scene.h"

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
    char particles[160], file[200];
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
    snprintf(file, sizeof file, "--probe %.80s", text);
    const struct json_source source = {file, text, strlen(text)};
    const struct json node = {.type = JSON_STRING, .source = &source};
    return scene_particles_of(scene, &node, particles, &p->first, &p->count) == PL_OK ? EXIT_GOOD
                                                                                      : report_failure(EXIT_USAGE);
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

void probes_free(struct probes *probes) { free(probes->items); }

double probe_value(const struct probe *probe, const pl_world *world)
{
    const struct quantity *q = &quantities[probe->quantity];
    double sum = 0.0;
    for (int i = probe->first; i < probe->first + probe->count; i++)
    {
        float v[3];
        if (pl_get(world, q->attribute, i, 1, v) != PL_OK)
        {
            return (double)NAN;
        }
        double x = (double)v[0], y = (double)v[1], z = (double)v[2];
        sum += q->axis < 0 ? sqrt(x * x + y * y + z * z) : (double)v[q->axis];
    }
    return sum / probe->count;
}

const char *probe_unit(const struct probe *probe) { return quantities[probe->quantity].unit; }
