// events.h: what a world keeps to tell which contacts begin and end. Off by default, and then it costs nothing.
#pragma once
#include "core/radix_sort.h"
#include "pliant/pliant.h"

// How a contact presses, over the substeps of a frame. Seen from its first partner.
typedef struct press
{
    float most;     // N: the greatest normal force; 0: it has not touched
    float force[3]; // N: of that substep, and with it
    float normal[3], point[3];
    float impulse[3]; // N s: of all
    int32_t other;    // on a skin: its nearest corner in that substep, a slot, then a number; else -1
} press;

// The same by particle numbers: b is a number too, or the index of a shape's or an object's id.
typedef struct contact_name
{
    int32_t kind, a, b;
} contact_name;

typedef struct seen_contact
{
    contact_name name;
    press press;
} seen_contact;

// What touched in the last frame; as it lies in snapshots.
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

// Who may press on whose skin: the corners of the listed pairs, by particle and object (surface_forces.c).
typedef struct surface_marks
{
    sortable_items sorted; // key: slot and object, value: 4 * pair + corner
    int64_t sorted_capacity[SORTABLE_ARRAYS];
    int32_t *start; // for each contact its first corner, and one more at the end
    int64_t count, start_capacity;
    int bits; // of the object
} surface_marks;

typedef struct events
{
    bool on;
    pl_watch_def watch;
    pl_contact_counts counts;
    held_list held, next;
    pl_contact_event *told;
    int64_t told_count, told_capacity;

    // while a frame runs
    bool open; // `lasting` fits the lists of now
    press *lasting[PL_CONTACT_KIND_COUNT];
    int64_t lasting_capacity[PL_CONTACT_KIND_COUNT];
    surface_marks marks;
    seen_contact *seen;
    int64_t seen_count, seen_capacity;
    sortable_items sorted;
    int64_t sorted_capacity[SORTABLE_ARRAYS];
} events;

// What a contact shows after a substep.
typedef struct reading
{
    float lambda;  // of its normal, what its parts come to; 0: it does not press
    float push[3]; // what that and friction push the first partner by
    float normal[3], point[3];
    int32_t other; // as in press
} reading;

// Where contacts are read from: one for each pl_contact_kind.
typedef struct press_source
{
    pl_result (*open)(pl_world *w); // the lists are new; NULL: nothing to do
    int64_t (*count)(const pl_world *w);
    reading (*read)(const pl_world *w, int64_t i);
    contact_name (*name)(const pl_world *w, int64_t i);
} press_source;
extern const press_source surface_presses;

pl_result events_note(pl_world *w);    // after a substep: who presses
pl_result events_flush(pl_world *w);   // before the lists change
pl_result events_publish(pl_world *w); // after a frame: who began and who ended
void events_drop(pl_world *w);         // the frame has failed
void events_lost(pl_world *w);         // particles or shapes were removed
bool events_fit(const pl_world *w);    // what touched is still there
void events_free(pl_world *w);
