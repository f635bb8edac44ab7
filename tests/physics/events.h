// events.h: what a world tells of its contacts, for the tests of events.
#pragma once
#include "contact.h"

enum
{
    MOST = 8192,
};

static pl_contact_event told[MOST];

static inline int events_of(const pl_world *w)
{
    int count = pl_contact_events(w, told, MOST);
    assert_true(count <= MOST);
    return count;
}

static inline void watch(pl_world *w, bool stay)
{
    pl_watch_def def = pl_default_watch_def();
    def.stay = stay;
    good(pl_watch_contacts(w, &def));
}
