// lanes_jacobi.c: compiles the Jacobi iterations over the rows of every element kind, and the attachments, for one lane
// width (lanes_unit.h).
#include "stages/attachment_stages.h"

#define EXPORT_JACOBI EXPORT
#include "backend/cpu/lanes_unit.h"
