// lanes_kernel.c: the kernel of test_lanes.c, compiled once for each width as LANES_KERNEL.
#include "lanes_kernel.h"

void LANES_KERNEL(const hull *h, const float *in, float *out, int64_t count);

void LANES_KERNEL(const hull *h, const float *in, float *out, int64_t count)
{
    for (int64_t i = 0; i < count; i += LANES)
        lanes_kernel(h, in, out, count, i);
}
