// rigid_contacts.h: reads the contacts of rigid bodies: where they touch, and how hard they press.
#ifndef PLIANT_RIGID_CONTACTS_H
#define PLIANT_RIGID_CONTACTS_H

#include <pliant/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A point of a contact.
typedef struct pl_rigid_contact_point
{
    /// The point in the world, half way between the two surfaces, m.
    pl_vec3 position;
    /// The present separation of the surfaces, m. Below 0: they overlap.
    float separation;
    /// The force along the normal in the last substep, N, 0 or above.
    float force;
} pl_rigid_contact_point;

enum
{
    /// The most points of a contact.
    PL_RIGID_CONTACT_POINTS = 4,
};

/// A contact between a shape of a body and a shape of another body, or of the world: up to four points with one normal.
/// Two bodies may have several contacts: one for each pair of their shapes that touch, and up to four with a mesh, a
/// height field or a distance field. Or a contact between a shape of a body and a particle, or a triangle of a surface:
/// one point.
typedef struct pl_rigid_contact
{
    /// The body on which the forces act, and the other one; {0, 0}: a shape of the world, or an object of particles.
    pl_id bodies[2];
    /// The shape of the world. {0, 0}: another body, or an object of particles.
    pl_id shape;
    /// The object of the particle, or of the triangle. {0, 0}: another body, or a shape of the world.
    pl_id object;
    /// The number of the particle that touches, then -1; or the corners of the triangle; -1: there is none.
    int32_t particles[3];
    /// The part of the force that each of these particles gets. Their sum is 1; 0 if there is none.
    float weights[3];
    /// The numbers of the shapes in the bodies, as in pl_get_rigid_shape. -1: a shape of the world, or an object.
    int parts[2];
    /// The user data of the first body, and of the second body, the shape of the world or the object.
    uint64_t user_data[2];
    /// The unit normal, towards the first body.
    pl_vec3 normal;
    /// The sum of the forces of the points along the normal in the last substep, N.
    float normal_force;
    /// The friction force on the first body in the last substep, N, at a right angle to the normal.
    pl_vec3 friction;
    /// The number of points, from 1 to PL_RIGID_CONTACT_POINTS.
    int count;
    /// The points.
    pl_rigid_contact_point points[PL_RIGID_CONTACT_POINTS];
} pl_rigid_contact;

/// Copies at most capacity contacts of bodies in which a point presses to out and returns how many there are. They are
/// ordered by the bodies, in the order in which they were added, and by their shapes; those with particles come behind all
/// others, ordered by bodies, shapes and particles. The order is always the same. With body not {0, 0}, only contacts of
/// this body are copied, and it is the first body of each. Forces are those of the last
/// substep; contact events (events.h) have the impulse of a whole step. After an edit of bodies, shapes or materials, or a
/// load, there are none until the next step. Returns 0 if body names none; pl_error_message tells why.
PL_API int pl_get_rigid_contacts(const pl_world *world, pl_id body, pl_rigid_contact *out, int capacity);

#ifdef __cplusplus
}
#endif
#endif
