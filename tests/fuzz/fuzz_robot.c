// fuzz_robot.c: any text as a robot, URDF or MJCF: read, added to a world, driven, stepped once, sensed. What is refused
// leaves an empty world. Meshes of files are looked for in a folder that is not there.
#include "pliant/pliant.h"

#include <stdint.h>
#include <stdlib.h>

enum
{
    MOST_BYTES = 8192, // so that a run stays short: every link costs
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void use(pl_robot *robot, pl_world *world)
{
    float *values = calloc((size_t)pl_robot_sensor_size(robot) + 1, sizeof *values);
    for (int i = 0; i < pl_robot_actuators(robot); i++)
        pl_robot_set_control(robot, world, i, 0.5f);
    pl_world_step(world, 1.0f / 60.0f);
    if (values)
        pl_robot_sense(robot, world, values);
    free(values);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    pl_world_def def = pl_default_world_def();
    pl_robot_def how = pl_default_robot_def();
    pl_world *world = NULL;
    pl_robot *robot = NULL;
    if (size < 1 || size > MOST_BYTES)
        return 0;
    def.threads = def.lanes = 1;
    def.settings.substeps = 2;
    how.fixed = data[0] & 1, how.keep_fixed = data[0] & 2, how.gravity = data[0] & 4; // a text begins behind it
    how.control = (pl_control)(data[0] >> 4 & 3);
    if (pl_world_create(&def, &world) != PL_OK)
        return 0;
    if (pl_add_robot(world, (const char *)data + 1, size - 1, "/nowhere/robot", &how, &robot) == PL_OK)
        use(robot, world);
    else if (pl_particle_count(world) || pl_shape_count(world) || !pl_error_message()[0])
        abort();
    pl_robot_free(robot);
    pl_world_destroy(world);
    return 0;
}
