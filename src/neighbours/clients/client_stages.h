// client_stages.h: includes the stages of every client of the neighbour service, for the backends, which compile them.
#pragma once
#include "stages/fluid_stages.h"
#include "stages/gas_stages.h"
#include "stages/fluid_tension_stages.h"
#include "stages/fluid_viscosity_stages.h"
#include "stages/fluid_vorticity_stages.h"
#include "stages/fluid_dye_stages.h"
