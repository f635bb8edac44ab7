// events.h: which contacts begin, end and hit, and how hard they press.
#ifndef PLIANT_EVENTS_H
#define PLIANT_EVENTS_H

#include <pliant/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What happened to a contact in the last step. A contact is active in a step if it presses in at least one substep.
typedef enum pl_contact_phase
{
    /// It is active and was not in the step before.
    PL_CONTACT_BEGIN,
    /// It is active in both steps. Reported only if pl_watch_def.stay is set.
    PL_CONTACT_STAY,
    /// It is no longer active. Force and impulse are 0; point and normal are those of the step before.
    PL_CONTACT_END,
    /// Two bodies, a body and a shape, or a body and an object came together faster than pl_watch_def.hit_speed. It follows the event of the
    /// same contact with PL_CONTACT_BEGIN or PL_CONTACT_STAY, if that is reported.
    PL_CONTACT_HIT,
} pl_contact_phase;

/// The kinds of contacts. Later versions may add kinds; skip those that you do not know.
typedef enum pl_contact_kind
{
    /// Particles a and b, with a < b.
    PL_CONTACT_PARTICLES,
    /// Particle a on a shape. b is -1.
    PL_CONTACT_SHAPE,
    /// Particle a on the colliding surface of an object. a is a free particle or a corner of a surface, possibly of the
    /// same one. It is one contact however many triangles and edges press. b is the nearest corner of the surface.
    PL_CONTACT_SURFACE,
    /// Two rigid bodies, however many of their shapes touch. a and b are the particles at their centres, with a < b.
    PL_CONTACT_BODIES,
    /// A rigid body on a shape of the world. a is the particle at its centre, b is -1.
    PL_CONTACT_BODY_SHAPE,
    /// A rigid body and an object of particles (cloth, rope, soft body, grains), however many of its particles and
    /// triangles touch. a is the particle at the body's centre, b the particle that presses hardest.
    PL_CONTACT_BODY_OBJECT,
    /// The number of kinds.
    PL_CONTACT_KIND_COUNT
} pl_contact_kind;

/// An event of a contact.
typedef struct pl_contact_event
{
    /// What happened.
    pl_contact_phase phase;
    /// The kind of contact.
    pl_contact_kind kind;
    /// The particle on which force and impulse act; of a rigid body, the particle at its centre.
    int a;
    /// The other particle, or the nearest corner of the surface, or -1.
    int b;
    /// The shape of PL_CONTACT_SHAPE or PL_CONTACT_BODY_SHAPE; otherwise {0, 0}.
    pl_id shape;
    /// The object whose surface presses, of PL_CONTACT_SURFACE, or whose particles do, of PL_CONTACT_BODY_OBJECT;
    /// otherwise {0, 0}.
    pl_id object;
    /// Force on a with friction, N, in the substep with the largest normal force.
    pl_vec3 force;
    /// Impulse on a over the step, N s. Restitution is included for bodies, not for particles.
    pl_vec3 impulse;
    /// Where they touch in that substep, m.
    pl_vec3 point;
    /// The unit normal, towards a, in that substep.
    pl_vec3 normal;
    /// The user data of what a belongs to, and of what b or the shape is: of the body, object or shape.
    uint64_t user_data[2];
    /// The bodies that a and b are the centres of, or {0, 0}.
    pl_id bodies[2];
    /// The largest force along the normal in a substep, N.
    float normal_force;
    /// The speed at which the points that press came together, m/s, along the normal: the largest of the step. Only of
    /// bodies; otherwise 0.
    float approach;
} pl_contact_event;

/// Selects the contacts that are reported. A contact must match every field.
typedef struct pl_watch_def
{
    /// Report contacts between particles. The default is true.
    bool particles;
    /// Report contacts with shapes. The default is true.
    bool shapes;
    /// Report contacts with surfaces. The default is true.
    bool surfaces;
    /// Report contacts of rigid bodies with each other, with shapes and with objects of particles. The default is true.
    bool bodies;
    /// Also report contacts that continue (PL_CONTACT_STAY). The default is false.
    bool stay;
    /// Report only contacts in which one of the particles, or the surface, is of this object or body. {0, 0}, the
    /// default: any.
    pl_id object;
    /// Report only contacts with this shape. {0, 0}, the default: any shape, and the other kinds.
    pl_id shape;
    /// Report only contacts in which one of the particles is on one of these channels (pl_phase.mask), from 0 to 255.
    /// The default is 255. It is not used for contacts of bodies.
    int mask;
    /// Bodies: report PL_CONTACT_HIT when they come together faster than this, m/s, 0 or above. The default is 1.
    float hit_speed;
} pl_watch_def;

/// Returns the defaults named above.
PL_API pl_watch_def pl_default_watch_def(void);

/// Starts to watch contacts, or stops with def == NULL. A world does not watch until this is called. A new watch starts
/// from nothing: contacts that press already begin in the next step. Fails with PL_ERROR_ARGUMENT if an id names
/// nothing, or the mask or hit_speed is out of range. With PL_BACKEND_CUDA a frame stops after every substep, which costs
/// time, if contacts of particles are watched; those of bodies need no stop.
PL_API pl_result pl_watch_contacts(pl_world *world, const pl_watch_def *def);

/// Tells whether the world watches contacts.
PL_API bool pl_world_watches(const pl_world *world);

/// Copies at most capacity events of the last step to out and returns how many there are. They are ordered by kind, a,
/// and b or the index of the shape or object; the order is the same for any number of threads and any SIMD width.
/// Contacts of removed particles and shapes end without an event.
PL_API int pl_contact_events(const pl_world *world, pl_contact_event *out, int capacity);

/// Numbers of watched contacts.
typedef struct pl_contact_counts
{
    /// Contacts that began in the last step.
    int64_t begun;
    /// Contacts that ended in the last step.
    int64_t ended;
    /// Contacts that are active now.
    int64_t touching;
    /// Contacts that have begun since the watch started.
    int64_t all_begun;
    /// Contacts that have ended since the watch started.
    int64_t all_ended;
    /// Hits of bodies in the last step.
    int64_t hits;
    /// Hits of bodies since the watch started.
    int64_t all_hits;
} pl_contact_counts;

/// Returns the numbers of watched contacts. All are 0 if the world does not watch.
PL_API pl_contact_counts pl_world_contact_counts(const pl_world *world);

#ifdef __cplusplus
}
#endif
#endif
