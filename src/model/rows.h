// rows.h: what rows.c asks of rows_check.c.
#pragma once
#include "model/world.h"

pl_result rows_check_def(const pl_world *w, const pl_constraints_def *def);
pl_result row_check_softness(const char *name, int64_t row, pl_softness s);
pl_result row_check_param(const kind_facts *k, int64_t row, const float *param);
// The parameters of row i: given, or measured on the particles as they lie.
void row_param(const pl_world *w, const pl_constraints_def *def, int i, float *param);
