// heat_data.h: declares what a world holds of heat: the temperatures of its particles (neighbours/heat/heat.h).
#pragma once
#include "kernels/heat_conduction.h"
#include "neighbours/list.h"

// The thermal state of a particle.
//   heat    J/kg, relative to the solid at the melting point (if it does not melt: relative to 0 degrees); latent
//           heat is included
//   solid   T = melting + heat/c up to heat = 0; then T = melting until heat = latent, where it becomes molten
//   molten  T = melting + (heat - latent)/c down to freezing; then T = freezing until it has lost `latent`, where it
//           becomes solid
typedef struct particle_heat
{
    double heat;
    int32_t rule; // 0: no temperature; otherwise its index among the rules, plus 1
    int32_t molten;
    int32_t material; // contact material while solid
    // The group, self and filter bits while solid, saved once melting or falling apart has changed the group.
    int32_t phase;
} particle_heat;

#define SOLID_PHASE (PHASE_GROUP | PHASE_SELF | PHASE_FILTER)

// A member of a cluster, while the clusters are rewritten (edit/melt.c).
typedef struct member
{
    int32_t cluster, particle;
    float rest[3], field[4];
} member;

// A range of consecutive particles that one thread processes.
typedef struct heat_part
{
    int32_t warm; // particles with a temperature; later, how many there are before the range
    float widest; // largest radius
    double rate;  // 1/s, the greatest rate of exchange
} heat_part;

typedef struct heat
{
    pl_heat_def *rules;
    int64_t rule_count, rule_capacity;
    particle_heat *of_particle; // by particle number; particles beyond the count have no temperature
    int64_t count, capacity;
    float ambient;          // temperature of the air
    int64_t melted, frozen; // number of changes since the world was created
    int32_t groups;         // index of the phase group for the next lump, counted down from the top
    bool slowed;            // the warning about slowed conduction has been logged

    // scratch: the particles that have a temperature, in the order of their numbers
    int32_t items;
    int32_t *number; // their slots and their list of neighbours are client_lists[CLIENT_HEAT]
    uint8_t *was;    // by particle number: molten before the frame
    double *before;  // the same: heat before the frame
    // the same particles in the order of the neighbour list
    heat_node *nodes;
    double *t;        // temperatures, 2 for each particle: before and after a step
    double *conducts; // W/K, for each neighbour
    hot_shape *hot;
    int32_t hot_count;
    heat_part *parts;
    int64_t capacities[9];

    // Scratch of edit/melt.c, by particle number. node: union-find parent. cluster_of: cluster, or -1. For the root of
    // a set, size: its particles; goal: the cluster it becomes, later the index of a member of that cluster; group: its
    // phase group.
    int32_t *node, *cluster_of, *size, *goal, *group;
    uint8_t *mark, *mixed; // mixed, by cluster: some of its members do not melt
    member *members, *sorted;
    int32_t *tally;
    int64_t room[10];
} heat;
