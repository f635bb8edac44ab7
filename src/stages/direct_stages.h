// direct_stages.h: the stage of the solver direct (direct/direct.h). It runs on the host alone.
#pragma once
#include "direct/direct.h"
#include "stages/stage_common.h"

STAGE_FN void direct_stage(state *s, const stage *g, int32_t begin, int32_t end)
{
    (void)begin, (void)end;
    direct_iterate(s, g);
}
