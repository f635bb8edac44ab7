// advice.h: what looks like a mistake in a scene or in the state of its world, one line for each, with what would be right.
#ifndef PLIANT_ADVICE_H
#define PLIANT_ADVICE_H

#include "io/scene.h"

struct advice
{
    const pl_scene *scene;
    const pl_world *world;
    float dt;
    int64_t frames; // that are run at most
    char *out;      // NULL: the lines are only counted
    size_t size, used;
    int count;
};

// Adds a line; one that does not fit is left out as a whole.
void advise(struct advice *a, const char *format, ...) __attribute__((format(printf, 2, 3)));

// An object as a path of `--set`, with its name if it has one: cloth[0] "flag".
enum
{
    OBJECT_LABEL = 160,
};
void object_label(const struct advice *a, const struct scene_object *object, char label[OBJECT_LABEL]);
// The object of a particle, or "particle 12" if it is of none.
void particle_label(const struct advice *a, int particle, char label[OBJECT_LABEL]);

// pl_scene_advice with the convergence as measured before; NULL: it is measured.
int scene_advice(const pl_scene *scene, const pl_world *world, unsigned about, int64_t frames,
                 const pl_convergence *measured, char *out, size_t size);

// ---- of the scene --------------------------------------------------------------------------------------------------
void advise_fields(struct advice *a);  // fields.c: what has no effect
void advise_objects(struct advice *a); // objects.c: objects that will hardly do what is meant
void advise_digits(struct advice *a);  // digits.c: positions that have too few digits

// ---- of the start --------------------------------------------------------------------------------------------------
void advise_masses(struct advice *a);  // masses.c: nothing can move, everything falls, masses differ too much
void advise_spacing(struct advice *a); // spacing.c: thick cloth; sampling through which something falls
void advise_overlap(struct advice *a); // overlap.c: what overlaps before anything has moved
void advise_fluids(struct advice *a);  // fluids.c: fluids too deep for the substeps

// ---- of the state --------------------------------------------------------------------------------------------------
void advise_strain(struct advice *a); // strain.c: what is stretched beyond measure
// convergence.c: measured, or expected before a run
const char *convergence_percent(const pl_convergence *convergence, char out[32]); // "12", "more than 99.9"
void advise_convergence(struct advice *a, const pl_convergence *convergence, bool expected);

#endif
