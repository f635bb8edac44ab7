// rigids.h: defines rigid bodies. A body is a particle at its centre of mass with a frame along its principal axes
// (elements/frame_rotation.h), which is in `oriented`; here is what a body has beside them: its mass, how it differs from
// a free particle (locks, damping, gravity, torque), and its shapes.
//
// A body's members are its parts: shapes, and behind a hull or a mesh its vertices and triangles, four to a part. So
// removal, undo and snapshots treat them as members of any other group.
#pragma once
#include "kernels/rigid_load.h"
#include "model/members.h"
#include "pliant/pliant.h"

typedef struct rigid_form
{
    float mass, centre[3]; // kg; the centre of mass in the body's axes
    float axes[4];         // the rotation of the principal axes in the body's axes
    float inertia[4];      // kg m^2, along them
    float gravity_scale, linear_damping, angular_damping;
    int32_t locks, type;
    float torque[3];
    uint32_t user[2];
    uint32_t serial; // counts the bodies that were ever added: it names a body in lists of contacts
    uint32_t category[2], mask[2];
    uint32_t follows; // id entry of the shape that it moves with, or 0; its origin and axes are those of the shape
    int32_t wakeful;  // 1: it never falls asleep
} rigid_form;

// Whether a body sleeps (groups/rigid_sleep.c). While it does, its slot has the inverse mass 0.
typedef struct rigid_rest
{
    uint32_t island; // 0: awake; else the lowest serial number of the bodies that fell asleep with it
    float weight;    // asleep: its inverse mass
    int32_t wake;    // 1: asleep: wakes at the next step; awake: an edit has moved it, and it wakes what is near it
} rigid_rest;

enum rigid_part_kind
{
    RIGID_PART_NONE = PL_RIGID_SHAPE_KIND_COUNT, // a body without shapes
    RIGID_PART_VERTICES,                         // of the shape before: up to four, three floats each
    RIGID_PART_TRIANGLES,                        // of the shape before: up to four, three numbers each
    RIGID_PART_KINDS,
};

enum
{
    RIGID_PART_RUN = 4, // vertices or triangles of a part
};

enum rigid_shape_flag
{
    RIGID_TWO_SIDED = 1,
    RIGID_HOLLOW = 2,
};

typedef struct rigid_part
{
    int32_t kind, count; // count: of vertices or triangles, in this part
    union
    {
        struct
        {
            float position[3], rotation[4], half[3], radius, length, density;
            int32_t vertices, triangles;
            int32_t material;
            int32_t sensor; // 1: it touches nothing, and reports what is inside
            int32_t flags;  // enum rigid_shape_flag
        } shape;
        float vertex[3 * RIGID_PART_RUN];
        int32_t triangle[3 * RIGID_PART_RUN];
    };
} rigid_part;

static inline bool part_is_sensor(const rigid_part *p) { return p->kind < RIGID_PART_NONE && p->shape.sensor; }

typedef struct rigids
{
    int64_t count, part_count; // part_count: of all bodies together
    uint32_t added;            // bodies that were ever added
    int64_t asleep;            // bodies
    float *awake_weight;       // for each particle number the inverse mass of the sleeping body there, or -1
    int64_t awake_capacity;
#define MODEL_RIGIDS MODEL_MEMBER
#include "model/columns.def"
} rigids;

typedef struct packed_rigids
{
    int32_t count;
    int32_t loaded, locked, damped; // some body has a torque or its own gravity; a lock; damping
    int32_t following;              // some body follows a shape
#define PACKED_RIGIDS COLUMN_MEMBER
#include "model/columns.def"
} packed_rigids;
