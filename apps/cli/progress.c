// progress.c: see progress.h.
#include "progress.h"

#include "cli.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum
{
    BAR = 30,
};

void progress_begin(struct progress *p, bool wanted, int64_t first, int64_t last)
{
    *p = (struct progress){
        .shown = wanted && isatty(STDERR_FILENO), .first = first, .last = last, .began = milliseconds_now()};
}

void progress_show(struct progress *p, int64_t frame)
{
    double now = milliseconds_now();
    if (!p->shown || (now - p->drawn < 100.0 && frame != p->last)) // ten times a second is enough for an eye
    {
        return;
    }
    p->drawn = now;
    double seconds = (now - p->began) * 1e-3, done = (double)(frame - p->first), all = (double)(p->last - p->first);
    double rate = seconds > 0.0 ? done / seconds : 0.0, left = rate > 0.0 ? (all - done) / rate : 0.0;
    int filled = all > 0.0 ? (int)(BAR * done / all) : BAR;
    char bar[BAR + 1];
    memset(bar, '.', BAR);
    memset(bar, '#', (size_t)filled);
    bar[BAR] = 0;
    fprintf(stderr, "\r[%s] %lld/%lld  %.1f frames/s  %d:%02d left \x1b[K", bar, (long long)frame, (long long)p->last,
            rate, (int)left / 60, (int)left % 60);
    fflush(stderr);
}

void progress_end(struct progress *p)
{
    if (p->shown)
    {
        fputs("\r\x1b[K", stderr);
        fflush(stderr);
    }
}
