// sensors.h: sensors (triggers): shapes that report what is inside them and push nothing.
#ifndef PLIANT_SENSORS_H
#define PLIANT_SENSORS_H

#include <pliant/base.h>
#include <pliant/events.h>

#ifdef __cplusplus
extern "C" {
#endif

// A shape of the world (pl_shape_def.sensor) or of a body (pl_rigid_shape.sensor) is a sensor. It touches nothing, and
// casts and overlaps do not find it. After each step the world notes which bodies and which objects of particles overlap
// it. A sensor of the world finds bodies whose mask shares a bit with its own mask, and particles on its channels. A
// sensor of a body finds other bodies by the 64-bit categories and masks of both bodies, and all particles. Sensors do
// not find each other. A sensor is a sphere, a capsule, a box, a hull or, on a body, a cylinder; a hull has at most
// PL_CAST_VERTICES vertices.

/// Something that came into a sensor or left it in the last step.
typedef struct pl_sensor_event
{
    /// PL_CONTACT_BEGIN or PL_CONTACT_END.
    pl_contact_phase phase;
    /// The sensor: a shape of the world, or the body that it is a shape of.
    pl_id sensor;
    /// The number of the shape in the body. -1: a shape of the world.
    int part;
    /// What came or left: a body, or an object of particles.
    pl_id visitor;
    /// The user data of the sensor's shape or body, and of the visitor.
    uint64_t user_data[2];
} pl_sensor_event;

/// Copies at most capacity sensor events of the last step to out and returns how many there are. They are ordered by the
/// sensor, its part and the visitor; the order is always the same. What is removed leaves without an event. A loaded
/// world knows what was inside: nothing begins again.
PL_API int pl_sensor_events(const pl_world *world, pl_sensor_event *out, int capacity);

/// Something that is inside a sensor.
typedef struct pl_sensor_visit
{
    /// The number of the shape in the body. -1: the sensor is a shape of the world.
    int part;
    /// What is inside: a body, or an object of particles.
    pl_id visitor;
    /// The number of its particles that are inside. 0: it is a body.
    int particles;
    /// The user data of the visitor.
    uint64_t user_data;
} pl_sensor_visit;

/// Copies at most capacity of what was inside a sensor at the end of the last step to out and returns how many there are.
/// sensor: a shape of the world, or a body, for all of its sensors. 0 if it names none; pl_error_message tells why.
PL_API int pl_sensor_visits(const pl_world *world, pl_id sensor, pl_sensor_visit *out, int capacity);

#ifdef __cplusplus
}
#endif
#endif
