// schedule.cu: the table of stages, fusion and the schedule, which the host's library has too, for this module.
#include "backend/cuda/schedule.c"
#include "step/fuse.c"
#include "step/stages.c"
