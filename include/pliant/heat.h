// heat.h: temperature: particles that conduct heat, and solids of particles that melt into grains and freeze again.
#ifndef PLIANT_HEAT_H
#define PLIANT_HEAT_H

#include <pliant/groups.h>

#ifdef __cplusplus
extern "C" {
#endif

// What an object is made of, as heat feels it. Temperatures are in kelvin or in degrees Celsius, all of a world in the same.
typedef struct pl_heat_def
{
    float temperature;  // at the start
    float conductivity; // W/(m K)
    float capacity;     // J/(kg K)
    float exchange;     // W/(m^2 K): what the surface gives to air of another temperature; 0: nothing
    // Melting. A particle that has come to `melting` and taken up `latent` leaves its cluster and is a grain; a grain that has cooled to
    // `freezing` and given it back holds together with what it touches that is solid and melts too.
    bool melts;
    float melting, freezing;   // freezing at most as high as melting
    float latent;              // J/kg
    int molten;                // contact material of what is molten
    pl_cluster_material solid; // of what freezes together
} pl_heat_def;

PL_API pl_heat_def pl_default_heat_def(void);
// The particles of an object have a temperature from now on. They need a radius. To melt, none of them may be in two clusters, in a
// lattice, or named by constraints other than pins, faces or volumes; nor can they be added to any later. In a body that melts neighbours
// should lie nearer than 1.2 times the sum of their radii, for those hang together once some of it has melted; a cluster of which some
// do not melt loses what does, and stays one.
//
// Clusters come and go: a block of which nothing is left is gone with its id, and new ones belong to the object of their first particle,
// where pl_object_blocks finds them. Phase groups from 32768 on are given to what is molten and to pieces and lumps, so that they meet each
// other; masks stay as they are.
PL_API pl_result pl_set_heat(pl_world *world, pl_id object, const pl_heat_def *def);

// Of particles [first, first + count); NaN for one that has none, and only those that have one can be given another. A particle that is held
// in place keeps its temperature.
PL_API pl_result pl_get_temperature(const pl_world *world, int first, int count, float *out);
PL_API pl_result pl_set_temperature(pl_world *world, int first, int count, const float *values);
// For each particle: 0 it has no temperature, 1 solid, 2 molten.
PL_API pl_result pl_get_molten(const pl_world *world, int first, int count, uint8_t *out);

// The air's temperature. At the start 20.
PL_API pl_result pl_set_ambient(pl_world *world, float temperature);
// A shape that is hot or cold, whatever flows into it; `on` false: it takes no heat, as at the start.
PL_API pl_result pl_set_shape_heat(pl_world *world, pl_id shape, bool on, float temperature);

typedef struct pl_heat_totals
{
    double heat;            // J, from 0 degrees on, what melting has taken up included; of particles that can move
    float coldest, hottest; // 0 where there is none
    int warm, molten;       // particles that have a temperature, and those of them that are molten now
    int64_t melted, frozen; // changes since the world began
} pl_heat_totals;

PL_API pl_heat_totals pl_world_heat(const pl_world *world);

#ifdef __cplusplus
}
#endif
#endif
