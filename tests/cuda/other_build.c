// other_build.c: a module as another build would have made it. Nothing of it may be called.
#include "backend/cuda/device.h"

#include "build_id.h"

const device_api pliant_device_api = {.build_id = BUILD_ID + 1u};
