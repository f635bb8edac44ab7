// probes.h: what `--probe` measures in every frame: a quantity of a particle, or its mean over several.
#ifndef PLIANT_CLI_PROBES_H
#define PLIANT_CLI_PROBES_H

#include <pliant/pliant.h>

struct probe
{
    const char *text; // as given: "cloth[390].y"
    int32_t *numbers; // its particles
    int count;
    int quantity;
};

struct probes
{
    struct probe *items;
    int count;
};

// Resolves the texts against the objects of the scene. Returns an exit code; the message has been written.
int probes_open(struct probes *probes, const pl_scene *scene, const char *const *texts, int count);
void probes_free(struct probes *probes);
// Returns NaN if a particle does not exist (any more).
double probe_value(const struct probe *probe, const pl_world *world);
// Returns "m" or "m/s".
const char *probe_unit(const struct probe *probe);

#endif
