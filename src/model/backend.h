// backend.h: what runs a frame, and where the newest copy of an array is.
//
// Every other part of the library reads the host's arrays in world->state. A backend with its own memory keeps copies:
// world->device_newer says which arrays are newer on the device, world->host_changed which the host has changed since.
// pull() reads back what a reader needs; a step first sends what has changed. The CPU backend has no copies, and both
// stay 0.
#pragma once
#include "pliant/pliant.h"

enum
{
    ARRAY_DAMAGE = 28,      // beside the slot arrays: what rows have flown and are loaded by
    ARRAY_CONTACTS = 29,    // ... the lists of contacts
    ARRAY_CLUSTERS = 30,    // ... the clusters' poses
    ARRAY_MULTIPLIERS = 31, // ... and every kind's lambda
};

#define ARRAY_BIT(array) ((uint32_t)1 << (array))
#define ALL_ARRAYS UINT32_MAX

typedef struct backend
{
    pl_backend which;
    const char *(*device)(const pl_world *w);
    // A new structure has been compiled, a kind's parameters were packed again, a new plan was made.
    pl_result (*structure)(pl_world *w);
    pl_result (*rows)(pl_world *w, int kind);
    pl_result (*plan)(pl_world *w);
    void (*begin)(pl_world *w); // a step begins: nothing of it has been done. NULL: nothing to do
    bool (*undo)(pl_world *w);  // back to there; false: it cannot be done. NULL: there is no such way
    // A frame has failed: the model gets the groups' poses and the wear of its start, which the host may have missed. NULL: it has them.
    void (*start_poses)(pl_world *w);
    // Runs the frame that world->state describes; sets world->timing.
    pl_result (*frame)(pl_world *w);
    pl_result (*read)(pl_world *w, int array);
    void (*close)(pl_world *w);
    // With memory of its own: sends what the host has changed; where an array lies. NULL: none.
    pl_result (*send)(pl_world *w);
    const float *(*address)(const pl_world *w, int array);
    double (*copy_rate)(const pl_world *w);
    // Writes the attribute of which `map` tells into an OpenGL buffer; forgets one. NULL: there is no such way.
    pl_result (*to_gl)(pl_world *w, int array, const pl_map *map, bool inverse, unsigned buffer);
    pl_result (*forget_gl)(pl_world *w, unsigned buffer);
    pl_result (*patch)(pl_world *w); // sends what world->patches name
    // Heat flows for dt among world->heat.number; widest: HEAT_NEAR times the largest radius. done stays false: the host has to do it.
    // Either all heats are updated, or none. NULL: there is no such way.
    pl_result (*conduct)(pl_world *w, float widest, double dt, bool *done);
} backend;

// Makes the host's copies of these arrays the newest.
pl_result pull(const pl_world *w, uint32_t arrays);
// The host is about to change these arrays (after pulling them).
void mark_changed(pl_world *w, uint32_t arrays);
