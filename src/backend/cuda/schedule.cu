// schedule.cu: compiles the table of stages, the fusion rules and the schedule into the CUDA module; the host library
// has them too.
#include "backend/cuda/schedule.c"
#include "plan/fuse.c"
#include "plan/stage_table.c"
