// events.h: which contacts have begun and ended, and how hard they press.
#ifndef PLIANT_EVENTS_H
#define PLIANT_EVENTS_H

#include <pliant/base.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- events of contacts --------------------------------------------------------------------------------------------

typedef enum pl_contact_phase
{
    PL_CONTACT_BEGIN, // pressed in the last step, and not in the one before
    PL_CONTACT_STAY,  // pressed in both; told when asked for
    PL_CONTACT_END,   // no longer presses: force and impulse are 0, point and normal are those of the step before
} pl_contact_phase;

// More kinds may come; leave alone what you do not know.
typedef enum pl_contact_kind
{
    PL_CONTACT_PARTICLES, // particles a and b, a < b
    PL_CONTACT_SHAPE,     // particle a on a shape; b is -1
    PL_CONTACT_SURFACE, // particle a, a grain or a corner of a skin, on the skin of an object, which may be its own. One
                        // contact, however many triangles and edges press it; b: the skin's nearest corner
    PL_CONTACT_KIND_COUNT
} pl_contact_kind;

typedef struct pl_contact_event
{
    pl_contact_phase phase;
    pl_contact_kind kind;
    int a, b;
    pl_id shape;     // of PL_CONTACT_SHAPE, else {0, 0}
    pl_id object;    // of PL_CONTACT_SURFACE: whose skin it is, else {0, 0}
    pl_vec3 force;   // N, on a, friction included: of the substep in which the normal force was greatest
    pl_vec3 impulse; // N s, on a: over the step. What restitution adds is not in it
    pl_vec3 point;   // of that substep: where they meet
    pl_vec3 normal;  // towards a
} pl_contact_event;

// Which contacts are watched. A contact must pass every line.
typedef struct pl_watch_def
{
    bool particles, shapes, surfaces; // kinds
    bool stay;                        // tell of contacts that go on as well
    pl_id object;                     // one of the particles, or the skin, is of this object; {0, 0}: any
    pl_id shape;                      // it is with this shape; {0, 0}: any, and particles and skins
    int mask;                         // 8 bits: one of the particles is on one of these channels (pl_phase)
} pl_watch_def;

// Everything but `stay`.
PL_API pl_watch_def pl_default_watch_def(void);
// Off until it is called, and again with NULL. What touches when the watch begins, begins in the next step.
PL_API pl_result pl_watch_contacts(pl_world *world, const pl_watch_def *def);
PL_API bool pl_world_watches(const pl_world *world);

// The events of the last step, ordered by kind, a, and b or the shape's or object's index: the same on any threads and lanes. Returns how
// many there are, and fills at most capacity. A contact that presses in any substep counts for its step, so that no bounce is
// missed. Contacts of what has been removed end without an event.
PL_API int pl_contact_events(const pl_world *world, pl_contact_event *out, int capacity);

typedef struct pl_contact_counts
{
    int64_t begun, ended;         // in the last step
    int64_t touching;             // now
    int64_t all_begun, all_ended; // since the watch began
} pl_contact_counts;

PL_API pl_contact_counts pl_world_contact_counts(const pl_world *world);

#ifdef __cplusplus
}
#endif
#endif
