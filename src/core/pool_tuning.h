// pool_tuning.h: how many workers a pool uses, by the times of frames.
//
// A trial compares the present number of workers with half of it, or with twice of it: some frames of one, some of the
// other, and so on in turns, because frames differ. The first frame of a turn does not count: threads that slept wake up
// in it. A trial that goes badly at once is given up. One that succeeds is followed by the next in the same direction;
// else the other direction is tried after a pause, and pauses grow.
#pragma once
#include <stdbool.h>
#include <string.h>

enum
{
    TUNING_TURN = 4,  // frames of a turn
    TUNING_TURNS = 4, // two of each number of workers
    TUNING_SAMPLES = (TUNING_TURN - 1) * TUNING_TURNS / 2,
    TUNING_FIRST = 8, // frames before the first trial
    TUNING_PAUSE_LEAST = 16,
    TUNING_PAUSE_MOST = 512,
};

#define TUNING_GAIN 0.95 // fraction of the time that another number must take to be chosen
#define TUNING_BAD 1.3   // a fraction at which a trial is given up

typedef struct pool_tuning
{
    int threads, workers; // workers: of the next frame
    int best, other;      // the number chosen, and the one on trial; 0: no trial
    int frame, pause, wait;
    bool up; // the next trial is with more workers
    double ms[2][TUNING_SAMPLES];
} pool_tuning;

static inline void tuning_open(pool_tuning *t, int threads)
{
    memset(t, 0, sizeof *t);
    t->threads = t->workers = t->best = threads;
    t->wait = TUNING_FIRST;
    t->pause = TUNING_PAUSE_LEAST;
}

static inline int tuning_next(const pool_tuning *t, bool up)
{
    int most = 2 * t->best < t->threads ? 2 * t->best : t->threads;
    return up ? most : t->best / 2;
}

// The middle of some times.
static inline double tuning_median(const double *ms, int count)
{
    double sorted[TUNING_SAMPLES] = {0};
    for (int i = 0; i < count; i++)
    {
        int at = i;
        for (; at > 0 && sorted[at - 1] > ms[i]; at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = ms[i];
    }
    return count % 2 ? sorted[count / 2] : 0.5 * (sorted[count / 2 - 1] + sorted[count / 2]);
}

static inline void tuning_end_trial(pool_tuning *t, bool better)
{
    if (better)
        t->best = t->other;
    else
        t->up = !t->up;
    t->pause = better ? TUNING_PAUSE_LEAST : 2 * t->pause < TUNING_PAUSE_MOST ? 2 * t->pause : TUNING_PAUSE_MOST;
    t->wait = better ? 1 : t->pause;
    t->other = 0;
    t->workers = t->best;
}

static inline void tuning_begin_trial(pool_tuning *t)
{
    if (tuning_next(t, t->up) == t->best || tuning_next(t, t->up) == 0)
        t->up = !t->up;
    t->other = tuning_next(t, t->up);
    t->frame = 0;
    t->workers = t->best;
}

// Takes the time of a frame that `workers` have run, and sets `workers` for the next.
static inline void tuning_frame(pool_tuning *t, double ms)
{
    if (t->threads == 1)
        return;
    if (!t->other)
    {
        if (--t->wait <= 0)
            tuning_begin_trial(t);
        return;
    }
    int turn = t->frame / TUNING_TURN, in_turn = t->frame % TUNING_TURN,
        at = turn / 2 * (TUNING_TURN - 1) + in_turn - 1;
    if (in_turn > 0)
        t->ms[turn % 2][at] = ms;
    t->frame++;
    t->workers = t->frame / TUNING_TURN % 2 ? t->other : t->best;
    if (t->frame == TUNING_TURN * TUNING_TURNS)
    {
        double now = tuning_median(t->ms[0], TUNING_SAMPLES), then = tuning_median(t->ms[1], TUNING_SAMPLES);
        tuning_end_trial(t, then < TUNING_GAIN * now);
    }
    else if (turn == 1 && in_turn == TUNING_TURN - 1 &&
             tuning_median(t->ms[1], TUNING_TURN - 1) > TUNING_BAD * tuning_median(t->ms[0], TUNING_TURN - 1))
        tuning_end_trial(t, false);
}
