// joint_tree_data.h: declares the data of a tree of joints that is solved directly (joint_tree.h).
#pragma once
#include <stdint.h>

enum
{
    TREE_AXES = 6,  // three of translation, three of rotation
    TREE_PARTS = 6, // most parts of a joint
    TREE_HALF = TREE_PARTS * (TREE_PARTS + 1) / 2,
};

// A joint of a tree: its row, and its two ends. What no stage changes.
typedef struct tree_link
{
    int32_t kind, row; // the packed row
    int32_t body[2];   // the body away from the root, and the one towards it, or -1: held, or already eliminated
    int32_t end[2];    // which end of the row each of them is
} tree_link;

// What the solve needs of a joint.
typedef struct tree_work
{
    double j[2][TREE_PARTS][TREE_AXES]; // gradients by the motion of the two bodies
    double b[TREE_PARTS][TREE_AXES];    // B^T
    double d[TREE_HALF];                // D, then its factors: L D below the diagonal
    double inverse[TREE_PARTS];         // of the pivots
    double y[TREE_PARTS];               // the right side, then the multipliers
    int32_t parts;
} tree_work;

typedef struct tree_body
{
    double w[TREE_AXES][TREE_AXES]; // mobility
    double u[TREE_AXES], f[TREE_AXES];
    double k[TREE_AXES]; // geometric stiffness: 00 11 22 12 20 01
    double i[TREE_AXES]; // inertia, in the same order
    float own[4];        // at first: the inverse mass
    float turn[3][4];    // and the inverse inertia, in world axes
    uint32_t slot;       // 4 * slot
    int32_t frame;       // or -1
    int32_t open;
} tree_body;
