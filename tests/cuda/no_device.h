// no_device.h: how a test of the GPU ends where the backend does not open. Without a GPU it is skipped; a GPU that is there and not used is
// a failure, or a table of skipped rows would look like one of equal bits.
#ifndef PLIANT_TESTS_NO_DEVICE_H
#define PLIANT_TESTS_NO_DEVICE_H

#include <stdio.h>
#include <unistd.h>

// Returns the exit status.
static inline int no_device(const char *why)
{
    if (access("/dev/nvidia0", F_OK) == 0 || access("/dev/nvidiactl", F_OK) == 0)
    {
        printf("there is a GPU, but it is not used: %s\n", why);
        return 1;
    }
    printf("skipped: %s\n", why);
    return 77;
}

#endif
