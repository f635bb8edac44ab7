// lanes_rigid.c: compiles the stages of contacts between rigid bodies for one lane width (lanes_unit.h).
#include "stages/body_leave_stage.h"
#include "stages/body_note_stage.h"
#include "stages/fluid_body_stages.h"
#include "stages/rigid_collide_stages.h"
#include "stages/rigid_leave_stage.h"
#include "stages/rigid_note_stages.h"
#include "stages/rigid_relax_stages.h"

#define EXPORT_RIGID EXPORT
#include "backend/cpu/lanes_unit.h"
