// emitters.h: defines the emitters and drains of a world (groups/emission.h). The members of an emitter are the particles
// of its reserve, the active ones included.
#pragma once
#include "model/members.h"
#include "pliant/pliant.h"

// The jet of an emitter consists of layers across its axis, layer k at the distance advance - k layer from the opening;
// they exist from -back on. Those behind the opening are held: they move with the speed of the jet alone.
typedef struct emitter
{
    double start, stop; // s: when it runs
    double layer;       // m: distance of two layers
    double advance;     // m: how far the jet has come since it was opened
    int64_t next, out;  // the next layer to make, and the next one to leave the opening
    int64_t emitted, drained, aged, missed;
    double area;                   // m^2: of the opening
    float position[3], axis[3][3]; // axis[2]: direction of the jet
    float pitch[2];                // m: distances of the particles in a layer
    float spacing, weight;         // of the particles: distance at rest, inverse mass
    float speed, lifetime, jitter; // jitter: in spacings
    float size[2];
    int32_t nozzle, rows[2]; // rows: of the lattice that the opening is cut from
    int32_t places;          // particles of a layer
    int32_t held_layers;     // the most that are behind the opening
    int32_t queue_at, free;  // the reserve is a ring in `queue`: its first entry, and how many there are
    int32_t on, open;        // open: it ran in the last frame
    uint32_t phase;          // of active particles
} emitter;

typedef struct emitters
{
    int64_t count, members;
#define MODEL_EMITTERS MODEL_MEMBER
#include "model/columns.def"
} emitters;

typedef struct drain
{
    double allowed; // particles: what a drain with a rate may still take
    int64_t taken;
    double volume; // m^3: of what it took
    float position[3], size[3], normal[3], rate;
    int32_t form, on;
} drain;

typedef struct drains
{
    int64_t count;
#define MODEL_DRAINS MODEL_MEMBER
#include "model/columns.def"
} drains;
