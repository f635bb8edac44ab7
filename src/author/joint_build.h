// joint_build.h: declares a joint under construction: its ends and its frame in the world (joint.c), and the constraints
// that it consists of (joint_rows.c).
#pragma once
#include "author/rigid_mass.h"
#include "groups/particle_rotation.h"
#include "model/world.h"

// One end: its particle, and the joint's point and rotation in it.
typedef struct end
{
    int32_t particle;
    bool body;
    float point[3], rotation[3];
} end;

typedef struct making
{
    pl_world *w;
    const pl_joint_def *def;
    end ends[2];
    double_quat frame; // of the joint, in the world
    pl_joint out;
    pl_result result;
} making;

static inline bool id_given(pl_id id) { return id.index || id.generation; }

// ---- joint.c
pl_result joint_frame_along(pl_vec3 axis, pl_vec3 second, bool needs_second, double_quat *frame);
void joint_place_end(making *m, int e);
// Frees the ids of a joint that was just added, before build_undo.
void joint_forget(pl_world *w, const pl_joint *j);

// ---- joint_rows.c
pl_result joint_check(const pl_joint_def *d);
void joint_add_rows(making *m);
