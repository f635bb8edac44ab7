// mjcf.h: declares what the readers of the parts of an MJCF text share (mjcf*.c).
#ifndef PLIANT_IO_MJCF_H
#define PLIANT_IO_MJCF_H

#include "robot_model.h"

struct mjcf
{
    struct robot_model *m;
    bool radians, limits; // angles; limits follow from ranges
    int from_geoms;       // 0: inertia only from <inertial>, 1: always from geoms, 2: from geoms where there is none
    char euler[4];        // the axes of Euler angles, in order
    const char *mesh_folder;
};

// Returns the element with the defaults of its class, or of `around`, the <default> of the bodies that hold it.
struct robot_element mjcf_element(struct mjcf *f, const struct xml *node, const struct xml *around);
// Returns the <default> of a class; NULL if there is none of that name, with a failure.
const struct xml *mjcf_class(struct mjcf *f, const struct xml *node, const char *name);
// Reads pos, quat, axisangle, euler, xyaxes and zaxis; leaves what is not there.
void mjcf_pose(struct mjcf *f, const struct robot_element *e, struct robot_pose *pose);
// Returns an angle of the file in radians.
double mjcf_angle(const struct mjcf *f, double angle);

void mjcf_geom(struct mjcf *f, const struct robot_element *e, int link);  // mjcf_geom.c
void mjcf_joint(struct mjcf *f, const struct robot_element *e, int link); // mjcf_joint.c
void mjcf_actuators(struct mjcf *f);                                      // mjcf_actuator.c
void mjcf_sensors(struct mjcf *f);
void mjcf_equalities(struct mjcf *f);

#endif
