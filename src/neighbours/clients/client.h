// client.h: declares the clients of the neighbour service that have a full list (model/neighbour_clients.def).
//
// A client with a function `takes` has a list in every substep: which of the particles take part is found when the
// world is compiled, and its list is made together with those of the contacts, with the same margin, so that one test
// decides when all of them are rebuilt (neighbours/contact/contacts.c). Its stages read it as
// state.neighbours[CLIENT_NAME], on either backend. A client without `takes` lists its own particles and makes its list
// when it needs it (heat, after a frame).
#pragma once
#include "core/parallel_for.h"
#include "model/world.h"
#include "plan/hooks.h"

struct planner;

typedef struct neighbour_client
{
    float scale;                                    // the reach of a particle is scale * radius
    int32_t filter;                                 // enum neighbour_filter
    bool (*takes)(const pl_world *w, int32_t slot); // does the particle take part?
    float (*beside)(const pl_world *w);             // NULL, or m: added to the reach of every particle
    // Adds the stages of a hook; NULL: the client has no stages.
    void (*plan)(struct planner *p, enum plan_hook hook, int iteration);
} neighbour_client;

const neighbour_client *client_of(int number);
pl_result clients_find(pl_world *w);     // lists the particles of each client with `takes`
float clients_radius(const pl_world *w); // the largest radius of their particles
pl_result clients_build(pl_world *w);    // makes the lists of a substep, from SLOT_BUILD
// Makes the list of one client, from the positions x.
pl_result client_build(pl_world *w, int number, const float *x, float margin, const parallel *threads);
void clients_plan(struct planner *p, enum plan_hook hook, int iteration);
void clients_free(pl_world *w);
