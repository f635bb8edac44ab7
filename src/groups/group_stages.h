// group_stages.h: includes the stages of every group kind, for the backends, which compile them.
#pragma once
#include "stages/joint_stages.h"
#include "stages/lattice_stages.h"
#include "stages/oriented_stages.h"
#include "stages/rigid_stages.h"
#include "stages/rigid_still_stage.h"
#include "stages/shape_match_spin_stages.h"
#include "stages/strand_stages.h"
#include "stages/volume_stages.h"
