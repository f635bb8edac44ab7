// sensor_data.h: declares what a world holds of its sensors: what is inside, and the events of the last step.
#pragma once
#include "core/memory.h"
#include "pliant/sensors.h"

#include <stdbool.h>
#include <stdint.h>

// Something inside a sensor, in the layout of snapshots. sensor, visitor: indices of ids.
typedef struct sensor_visit
{
    int32_t sensor, part, visitor;
    int32_t particles; // of the visitor that are inside; 0: a body
} sensor_visit;

static inline int compare_visits(const sensor_visit *a, const sensor_visit *b)
{
    if (a->sensor != b->sensor)
        return a->sensor < b->sensor ? -1 : 1;
    if (a->part != b->part)
        return a->part < b->part ? -1 : 1;
    return a->visitor < b->visitor ? -1 : a->visitor > b->visitor;
}

typedef struct visit_list
{
    sensor_visit *items; // sorted by sensor, part and visitor
    int64_t count, capacity;
} visit_list;

typedef struct sensors
{
    visit_list inside, next;
    pl_sensor_event *reported;
    int64_t reported_count, reported_capacity;
    bool counted; // `some` holds for the items of the world when `items` was noted
    bool some;    // there are sensors
    uint64_t items;
} sensors;
