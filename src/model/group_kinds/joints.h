// joints.h: defines what a world keeps of a joint beside its constraints. Only joints that are solved directly, that can
// break or whose bodies collide are kept here.
#pragma once
#include "kernels/joint_tree_data.h"
#include "model/members.h"
#include "pliant/pliant.h"

typedef struct joint_record
{
    uint32_t rows[PL_JOINT_ROWS][2]; // index and generation of the ids of its constraints; 0: it has none such
    int32_t direct;                  // it is solved together with the tree that it is in
    int32_t collide;                 // the bodies that it connects may touch
} joint_record;

// A joint in the order of elimination (kernels/joint_tree.h): its record, its tree, and its bodies as in a tree_link.
typedef struct joint_order
{
    int32_t record, tree, body[2], end[2];
} joint_order;

typedef struct joints
{
    int64_t count;
#define MODEL_JOINTS MODEL_MEMBER
#include "model/columns.def"
    int32_t trees, links, bodies; // of the packed form; joints_size counts them
} joints;

// The trees of joints that are solved directly. No two share a body.
typedef struct packed_joints
{
    int32_t trees, links, bodies;
#define PACKED_JOINTS COLUMN_MEMBER
#include "model/columns.def"
} packed_joints;
