// client_data.h: declares the data that a world holds for one client of the neighbour service
// (neighbours/clients/client.h).
#pragma once
#include "neighbours/list.h"

// The particles of a client, and their neighbours.
typedef struct client_list
{
    int32_t *slot;
    int32_t count;
    int64_t slot_capacity;
    float radius; // the largest
    float beside; // m: the reach of every particle beside its radius
    neighbour_list list;
    int32_t *row; // the same in lanes: packed_neighbours in state.h
    uint32_t *in_lanes;
    int64_t row_capacity, lane_capacity;
} client_list;
