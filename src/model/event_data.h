// event_data.h: declares what a world holds of contact events: the contacts of the last frame, and the loads of the
// frame that runs (neighbours/contact/events.h).
#pragma once
#include "core/memory.h"
#include "core/radix_sort.h"

// The load of a contact over the substeps of a frame, as it acts on the first partner.
typedef struct press
{
    float most;     // N: the greatest normal force in a substep; 0: no contact
    float force[3]; // N: the force in that substep; normal and point are of the same substep
    float normal[3], point[3];
    float impulse[3]; // N s: the sum over all substeps
    // For a surface contact, the nearest corner of the other surface in that substep: a slot, after events_flush a
    // particle number. Otherwise -1.
    int32_t other;
    float approach; // m/s: of bodies, how fast they came together; otherwise 0
} press;

enum
{
    PARTICLE_CONTACT_KINDS = PL_CONTACT_SURFACE + 1, // kinds of contacts that are read after every substep
};

// Identifies a contact by particle numbers: a is a particle number; b is one too, or the index of a shape's or an
// object's id.
typedef struct contact_name
{
    int32_t kind, a, b;
} contact_name;

typedef struct seen_contact
{
    contact_name name;
    press press;
} seen_contact;

// A contact of the last frame, in the layout of snapshots.
typedef struct held_contact
{
    contact_name name;
    int32_t other; // as in press
    float normal[3], point[3];
} held_contact;

typedef struct held_list
{
    held_contact *items;
    int64_t count, capacity;
} held_list;

// The possible surface contacts: the corners of the listed pairs, sorted by particle and object (surface_forces.c).
typedef struct surface_marks
{
    sortable_items sorted; // key: slot and object, value: 4 * pair + corner
    int64_t sorted_capacity[SORTABLE_ARRAYS];
    int32_t *start; // for each contact its first corner; count + 1 entries
    int64_t count, start_capacity;
    int bits; // bits of the object's id index in a key
} surface_marks;

typedef struct events
{
    bool on;
    pl_watch_def watch;
    pl_contact_counts counts;
    held_list held, next;       // contacts of the last frame, sorted by name; next: of the frame being published
    pl_contact_event *reported; // the events of the last frame
    int64_t reported_count, reported_capacity;

    // used while a frame runs
    bool open;                              // `lasting` matches the current lists
    press *lasting[PARTICLE_CONTACT_KINDS]; // loads by position in the lists
    int64_t lasting_capacity[PARTICLE_CONTACT_KINDS];
    surface_marks marks;
    seen_contact *seen; // loads by particle numbers
    int64_t seen_count, seen_capacity;
    sortable_items sorted;
    int64_t sorted_capacity[SORTABLE_ARRAYS];
} events;

// The state of a contact after a substep.
typedef struct reading
{
    float lambda;  // normal multiplier, parts combined; 0: not active
    float push[3]; // multiplier vector on the first partner, with friction
    float normal[3], point[3];
    int32_t other; // as in press
} reading;

// Access to the contacts of one pl_contact_kind.
typedef struct press_source
{
    pl_result (*open)(pl_world *w); // called when the lists are new; NULL: nothing to do
    int64_t (*count)(const pl_world *w);
    reading (*read)(const pl_world *w, int64_t i);
    contact_name (*name)(const pl_world *w, int64_t i);
} press_source;
