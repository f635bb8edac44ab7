// joints.h: declares what other files use of the records of joints.
#pragma once
#include "plan/hooks.h"
#include "model/world.h"

// ---- joints.c
// Adds a record for a joint between two particles.
pl_result joint_record_add(pl_world *w, const int32_t ends[2], const joint_record *record, pl_id *id);
// The constraint of a record that a row of a joint is, as an entry; NULL: it is gone.
const id_entry *joint_entry(const pl_world *w, const joint_record *r, pl_joint_row which);

// ---- joints_pack.c
struct arena;
struct planner;
pl_result joints_choose_rows(pl_world *w);
pl_result joints_size(pl_world *w);
void joints_lay_out(pl_world *w, struct arena *a);
void joints_fill(pl_world *w, int32_t *scratch);
void joints_plan(struct planner *p, enum plan_hook hook, int iteration);
