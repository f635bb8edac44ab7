// refusals.h: a world that runs, to which refused calls must do nothing.
#ifndef PLIANT_TESTS_REFUSALS_H
#define PLIANT_TESTS_REFUSALS_H

#include "support/support.h"

static pl_world *w;
static picture before;

static inline int set_up(void **state)
{
    (void)state;
    w = make_world(2, 1);
    fill_world(w, 6);
    pl_settings s = pl_world_settings(w);
    s.integrator = PL_INTEGRATOR_BDF2; // whose history a refused call must not lose
    good(pl_world_set_settings(w, &s));
    play(w, 3);
    before = picture_of(w);
    return 0;
}

static inline int tear_down(void **state)
{
    (void)state;
    same_picture(&before, w, "a refused call");
    pl_free(before.data);
    // It still runs, and just as it would have: refused calls leave nothing behind.
    pl_world *fresh = make_world(2, 1);
    fill_world(fresh, 6);
    pl_settings s = pl_world_settings(fresh);
    s.integrator = PL_INTEGRATOR_BDF2;
    good(pl_world_set_settings(fresh, &s));
    play(fresh, 6);
    play(w, 3);
    assert_true(pl_world_hash(w) == pl_world_hash(fresh));
    pl_world_destroy(fresh);
    pl_world_destroy(w);
    return 0;
}

#define REFUSED(call, words)                                                                                           \
    do                                                                                                                 \
    {                                                                                                                  \
        refused(call, PL_ERROR_ARGUMENT, words);                                                                       \
        same_picture(&before, w, #call);                                                                               \
    }                                                                                                                  \
    while (0)

#endif
