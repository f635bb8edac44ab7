// heat_client.c: describes heat as a client of the neighbour service: it flows between any two particles that are near
// each other, even if they do not collide. neighbours/heat/conduction.c lists its particles and makes its list.
#include "neighbours/clients/client.h"

extern const neighbour_client heat_client;
const neighbour_client heat_client = {.scale = HEAT_NEAR, .filter = NEIGHBOURS_ALL};
