// oriented.h: defines oriented particles, which have a rotation of their own (kernels/oriented.h).
#pragma once
#include "model/members.h"
#include "pliant/pliant.h"
#include "kernels/oriented.h"

typedef struct oriented
{
    int64_t count;
#define MODEL_ORIENTED MODEL_MEMBER
#include "model/columns.def"
} oriented;

// The body frames of slots (elements/frame_rotation.h). All belong to oriented particles, which have a form too
// (kernels/oriented.h).
typedef struct packed_oriented
{
    int32_t count;
    int32_t airy; // wind acts on some of them
#define PACKED_ORIENTED COLUMN_MEMBER
#include "model/columns.def"
} packed_oriented;
