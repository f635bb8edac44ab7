// session_advice.c: keeps the lines of advice of a session: those about the scene, the state and a frame that took very long.
#include "session_parts.h"

#include "advice/advice.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void session_advise_start(struct session *s)
{
    pl_scene_advice(s->scene, s->world, PL_ADVICE_SCENE, 0, s->scene_advice, sizeof s->scene_advice);
    memcpy(s->now.advice, s->scene_advice, sizeof s->now.advice);
    s->slow = (struct slow_frame){0};
    s->stepped = 0;
}

void session_note_time(struct session *s)
{
    pl_timing timing = pl_world_timing(s->world);
    s->recent[s->stepped % RECENT_FRAMES] = timing.total;
    if (s->stepped++ > 0) // the first one also prepares the world
    {
        slow_frame_note(&s->slow, pl_world_frame(s->world), &timing);
    }
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(const struct session *s)
{
    double sorted[RECENT_FRAMES];
    int count = s->stepped < RECENT_FRAMES ? (int)s->stepped : RECENT_FRAMES;
    memcpy(sorted, s->recent, (size_t)count * sizeof *sorted);
    qsort(sorted, (size_t)count, sizeof *sorted, compare);
    return count ? sorted[count / 2] : 0.0;
}

void session_advise(struct session *s)
{
    char state[ADVICE_TEXT], slow[SESSION_TEXT] = "";
    scene_advice(s->scene, s->world, PL_ADVICE_STATE, 0, &s->now.convergence, state, sizeof state);
    slow_frame_tell(&s->slow, median(s), s->now.dt, slow, sizeof slow);
    snprintf(s->now.advice, sizeof s->now.advice, "%.*s%.*s%s", ADVICE_TEXT / 2, s->scene_advice, ADVICE_TEXT / 4,
             state, slow);
}
