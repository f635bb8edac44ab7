// component_data.h: declares the components of a world: what layout/components.c finds, before it is packed.
#pragma once
#include <stdbool.h>
#include <stdint.h>

enum component_bits
{
    COMPONENT_HELD = 1,     // something outside holds it
    COMPONENT_FRAMED = 2,   // it contains a frame
    COMPONENT_ATTACHED = 4, // it contains an attachment
};

typedef struct components
{
    int32_t count;
    int64_t capacity, held_capacity, size_capacity, of_capacity;
    int32_t *set;  // for each slot a slot of its component (core/union_find.h)
    uint8_t *held; // for each component, at its lowest slot: enum component_bits
    bool frames;   // one that is listed contains a frame
    int32_t *size; // for each component how many particles it has
    int32_t *of;   // for each slot its component, or -1
} components;
