// shapes.h: declares the functions of shapes_place.c that shapes.c uses.
#pragma once
#include "model/world.h"

pl_result shape_check_pose(const char *what, pl_vec3 position, pl_quat rotation);
void shape_set_pose(double at[3], double quat[4], pl_vec3 position, pl_quat rotation);
