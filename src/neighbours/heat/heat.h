// heat.h: the temperatures of a world, by particle number. Once a frame heat is conducted (conduction.c), and particles
// that have melted or frozen change their clusters (edit/melt.c). Both happen between frames, as tearing does, so every
// backend sees the same.
#pragma once
#include "neighbours/list.h"
#include "kernels/heat_conduction.h"

// The thermal state of a particle.
//   heat    J/kg, relative to the solid at the melting point (if it does not melt: relative to 0 degrees); latent
//           heat is included
//   solid   T = melting + heat/c up to heat = 0; then T = melting until heat = latent, where it becomes molten
//   molten  T = melting + (heat - latent)/c down to freezing; then T = freezing until it has lost `latent`, where it
//           becomes solid
typedef struct warm
{
    double heat;
    int32_t rule; // 0: no temperature; otherwise its index among the rules, plus 1
    int32_t molten;
    int32_t material; // contact material while solid
    // The group, self and filter bits while solid, saved once melting or falling apart has changed the group.
    int32_t phase;
} warm;

// One thread looks through this many particles in less time than it takes to wake the worker threads, which sleep while
// a device steps.
#define HEAT_WAKE (1 << 18)

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
    float widest; // largest reach: HEAT_NEAR radii
    double rate;  // 1/s, the greatest rate of exchange
} heat_part;

typedef struct heat
{
    pl_heat_def *rules;
    int64_t rule_count, rule_capacity;
    warm *warm; // by particle number; particles beyond the count have no temperature
    int64_t count, capacity;
    float ambient;          // temperature of the air
    int64_t melted, frozen; // number of changes since the world was created
    int32_t groups;         // index of the phase group for the next lump, counted down from the top
    bool slowed;            // the warning about slowed conduction has been logged

    // scratch: the particles that have a temperature, in the order of their numbers
    int32_t items;
    int32_t *number, *slot;
    uint8_t *was; // by particle number: molten before the frame
    // the same particles in the order of the neighbour list
    neighbour_list near;
    warm_spot *spot;
    double *t;        // temperatures, 2 for each particle: before and after a step
    double *conducts; // W/K, for each neighbour
    hot_shape *hot;
    int32_t hot_count;
    heat_part *parts;
    int64_t capacities[8];

    // Scratch of edit/melt.c, by particle number. node: union-find parent. cluster_of: cluster, or -1. For the root of a
    // set, size: its particles; goal: the cluster it becomes, later the index of a member of that cluster; group: its
    // phase group.
    int32_t *node, *cluster_of, *size, *goal, *group;
    uint8_t *mark, *mixed; // mixed, by cluster: some of its members do not melt
    member *members, *sorted;
    int32_t *tally;
    int64_t room[10];
} heat;

// A change of clusters in progress. heat.cluster_of holds for each particle number its cluster, or -1.
typedef struct change
{
    pl_world *w;
    heat *h;
    int32_t old, clusters; // number of clusters before, and including new ones
    int64_t members;
} change;

double temperature_of(const pl_heat_def *r, const warm *m);
double heat_at(const pl_heat_def *r, double temperature, bool molten);
pl_result heat_frame(pl_world *w, float dt, bool edited); // after a frame; edited: the host has changed something since
int heat_steps(pl_world *w, double rate, double dt, double *step); // number and length of the steps
pl_result melt_frame(pl_world *w);           // applies melting and freezing; `was` holds the states before
void heat_lost(pl_world *w, int32_t number); // the particle was removed
pl_result heat_split(pl_world *w, int32_t from, int32_t to); // particle `to` was split off `from`
pl_result melt_open(const change *c);                        // reserves the memory
void melt_write(const change *c);                            // writes the new members and clusters
void melt_surface(pl_world *w, int32_t number);              // sets the contact material of its present state
bool heat_melts(const pl_world *w, int32_t number);
pl_result heat_check(pl_world *w); // checks data read from a snapshot
pl_result heat_check_temperature(const char *what, float t);
pl_result heat_check_rule(const pl_world *w, const pl_heat_def *d);
pl_result heat_check_radii(const pl_world *w, int32_t first, int32_t count);
// Checks whether these particles, and all that melt already, may melt.
pl_result heat_check_free(pl_world *w, int32_t first, int32_t count);
// Checks whether these particles may be members of clusters.
pl_result heat_check_members(pl_world *w, const int32_t *members, int64_t count);
pl_result heat_check_added(const pl_world *w, const int32_t *index, int64_t count, const char *what);
void heat_free(pl_world *w);
