// gases.h: defines the rules of the gases of a world (kernels/gas.h). A particle has the number of its rule in SLOT_GAS.
#pragma once
#include "kernels/gas.h"
#include "model/members.h"

typedef struct gases
{
    int64_t count;
#define MODEL_GASES MODEL_MEMBER
#include "model/columns.def"
} gases;
