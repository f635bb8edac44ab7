// rows.h: declares the functions of rows_check.c that rows.c uses.
#pragma once
#include "model/world.h"

pl_result rows_check_def(const pl_world *w, const pl_constraints_def *def);
pl_result row_check_softness(const char *name, int64_t row, pl_softness s);
pl_result row_check_param(const kind_facts *k, int64_t row, const float *param);
// Returns the parameters of row i: given, or measured at the present positions.
void row_param(const pl_world *w, const pl_constraints_def *def, int i, float *param);
