// heat.h: what a world keeps of temperature. By particle numbers: once a frame heat flows (conduction.c), and what has melted
// or frozen changes its kind (melt.c), between frames, as what tears does. So every backend sees the same.
#pragma once
#include "neighbours/list.h"
#include "kernels/heat_conduction.h"

// A particle's warmth.
//   heat: J/kg, from solid at the melting point on (of what does not melt: from 0 degrees on), what melting takes up included.
// Solid   T = melting + heat/c up to heat = 0, then melting until heat = latent, where it is molten.
// Molten  T = melting + (heat - latent)/c down to freezing, then freezing until it has given latent back, where it is solid.
typedef struct warm
{
    double heat;
    int32_t rule; // 0: it has no temperature; else one more than its number among the rules
    int32_t molten;
    int32_t material; // contact material while solid
    int32_t phase;    // group, self and filter while solid: once melting or parting has given it another group
} warm;

// So many particles are looked through by one hand in less time than it takes to wake all the others, which sleep while a device steps.
#define HEAT_WAKE (1 << 18)

#define SOLID_PHASE (PHASE_GROUP | PHASE_SELF | PHASE_FILTER)

// A particle in a cluster, while clusters are written anew (melt.c).
typedef struct member
{
    int32_t cluster, particle;
    float rest[3], field[4];
} member;

// Some particles that have come after each other, and that one hand takes.
typedef struct heat_part
{
    int32_t warm; // how many have a temperature; then how many before it have
    float widest; // radius
    double rate;  // 1/s, the greatest
} heat_part;

typedef struct heat
{
    pl_heat_def *rules;
    int64_t rule_count, rule_capacity;
    warm *warm; // by particle numbers; beyond the count: none
    int64_t count, capacity;
    float ambient;
    int64_t melted, frozen;
    int32_t groups; // the phase group that the next lump is given, counted down from the top
    bool slowed;    // it has been said that conduction is slowed down

    // scratch: those that have a temperature, in the order of their numbers
    int32_t items;
    int32_t *number, *slot;
    uint8_t *was; // by particle numbers: molten before the frame
    // ... and in the order of the neighbour list, in which heat flows
    neighbour_list near;
    warm_spot *spot;
    double *t;        // 2 for each
    double *conducts; // for each neighbour
    hot_shape *hot;
    int32_t hot_count;
    heat_part *parts;
    int64_t capacities[8];

    // scratch of melt.c: by particle numbers: sets, clusters, and what stands for a set
    int32_t *node, *host_copy, *size, *goal, *group;
    uint8_t *mark, *mixed; // mixed, by clusters: some of it does not melt
    member *members, *sorted;
    int32_t *tally;
    int64_t room[10];
} heat;

// A change of kinds under way. `home`: for each particle number its cluster, or -1.
typedef struct change
{
    pl_world *w;
    heat *h;
    int32_t old, clusters; // clusters before, and with the new ones
    int64_t members;
} change;

double temperature_of(const pl_heat_def *r, const warm *m);
double heat_at(const pl_heat_def *r, double temperature, bool molten);
pl_result heat_frame(pl_world *w, float dt, bool edited); // after a frame; edited: the host has changed something since
int heat_steps(pl_world *w, double rate, double dt, double *step); // how many, and how long each, at the greatest rate
pl_result melt_frame(pl_world *w);                                 // some have melted or frozen: `was` tells them
void heat_lost(pl_world *w, int32_t number);                       // the particle is gone
pl_result heat_split(pl_world *w, int32_t from, int32_t to);       // a particle has torn off
pl_result melt_open(const change *c);                              // room for it
void melt_write(const change *c);                                  // its members, and which clusters there are
void melt_surface(pl_world *w, int32_t number);                    // its contact material by what it is now
bool heat_melts(const pl_world *w, int32_t number);
pl_result heat_check(pl_world *w); // what a snapshot held
pl_result heat_check_temperature(const char *what, float t);
pl_result heat_check_rule(const pl_world *w, const pl_heat_def *d);
pl_result heat_check_radii(const pl_world *w, int32_t first, int32_t count);
pl_result heat_check_free(pl_world *w, int32_t first, int32_t count);             // may these melt, and all that do?
pl_result heat_check_members(pl_world *w, const int32_t *members, int64_t count); // may these be in clusters?
pl_result heat_check_added(const pl_world *w, const int32_t *index, int64_t count, const char *what);
void heat_free(pl_world *w);
