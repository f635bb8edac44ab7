// add.h: declares what adding particles, rows and faces shares with other edits.
#pragma once
#include "model/world.h"

// ---- rows_check.c
pl_result rows_check_def(const pl_world *w, const pl_constraints_def *def);
pl_result row_check_softness(const char *name, int64_t row, pl_softness s);
pl_result row_check_param(const kind_facts *k, int64_t row, const float *param);
// Returns the parameters of row i: given, or measured at the present positions.
void row_param(const pl_world *w, const pl_constraints_def *def, int i, float *param);
pl_result rows_check(const pl_world *w, int kind); // every row that is there

// ---- rows.c
float row_lambda(const pl_world *w, int kind, int64_t row, int part); // of the last substep
void rows_compact(pl_world *w, int kind, int64_t first, int64_t count);
// The block, where it has these rows; NULL: fail() has been called.
const id_entry *rows_in_block(const pl_world *w, pl_id block, int first, int count, const void *array);

// ---- measure_rows.c
// Computes C of rows [first, first + count) of a kind, in the users' order.
void rows_measure(const pl_world *w, int kind, int64_t first, int32_t count, float *values);
double row_violation(const kind_facts *k, float value); // C, or 0 if C is on the allowed side of its bound

// ---- set_damage.c
// Makes the only row of a block, that of a joint, break at a force (N) and a torque (N m); 0: at none.
pl_result joint_strength(pl_world *w, pl_id block, float force, float torque);

// ---- faces.c
void faces_compact(pl_world *w, int64_t first, int64_t count);
pl_result check_field(const pl_field *f);
