// events.h: what a world keeps to tell which contacts begin and end. Off by default, and then it costs nothing.
#pragma once
#include "collide/radix.h"
#include "pliant/pliant.h"

// How a contact presses, over the substeps of a frame. Seen from its first partner.
typedef struct press
{
    float most;     // N: the greatest normal force; 0: it has not touched
    float force[3]; // N: of that substep, and with it
    float normal[3], point[3];
    float impulse[3]; // N s: of all
} press;

// The same by particle numbers: b is a number too, or the index of a shape's id.
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
    float normal[3], point[3];
} held_contact;

typedef struct held_list
{
    held_contact *items;
    int64_t count, capacity;
} held_list;

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
    seen_contact *seen;
    int64_t seen_count, seen_capacity;
    sortable_items sorted;
    int64_t sorted_capacity[5];
} events;

pl_result events_note(pl_world *w);    // after a substep: who presses
pl_result events_flush(pl_world *w);   // before the lists change
pl_result events_publish(pl_world *w); // after a frame: who began and who ended
void events_drop(pl_world *w);         // the frame has failed
void events_lost(pl_world *w);         // particles or shapes were removed
bool events_fit(const pl_world *w);    // what touched is still there
void events_free(pl_world *w);
