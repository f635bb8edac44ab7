// scene_robot.h: declares the robots of scenes (scene_robot.c).
#ifndef PLIANT_IO_SCENE_ROBOT_H
#define PLIANT_IO_SCENE_ROBOT_H

#include "scene.h"

// A link of a robot that must be where its controls would put it.
struct scene_reach
{
    struct head head;
    const char *of, *link;
    float within, angle;
    const struct scene_object *object; // resolved
    int number;                        // of the link
};

pl_result scene_find_reaches(pl_scene *scene);
// Sets the controls of all robots for a time.
pl_result scene_control_robots(const pl_scene *scene, pl_world *world, double time);
// Stores how far a link is, m and degrees, from where forward kinematics puts it for the controls at this time.
pl_result scene_reach_error(const pl_scene *scene, const pl_world *world, const struct scene_reach *reach, double time,
                            double *distance, double *angle);
// Returns the n-th warning about the robots of a scene, or NULL.
const char *scene_robot_warning(const pl_scene *scene, int n);
// Returns the text of a scene with the robot of a file, or NULL. Free it with free().
char *scene_of_robot_file(const char *path);

#endif
