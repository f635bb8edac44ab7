// clock.h: times of one thing done over and over, and calls that must not fail, for the benchmarks. Included first.
#pragma once
#define _POSIX_C_SOURCE 200112L
#include "pliant/pliant.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

// ms
static inline double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static inline void need(pl_result r)
{
    if (r == PL_OK)
        return;
    fprintf(stderr, "error: %s\n", pl_error_message());
    exit(1);
}

static inline int compare_times(const void *p, const void *q)
{
    double a = *(const double *)p, b = *(const double *)q;
    return (a > b) - (a < b);
}

static inline double median(double *times, int count)
{
    qsort(times, (size_t)count, sizeof *times, compare_times);
    return times[count / 2];
}
