// lanes.c: the table of stages for one lane width, compiled once for each (-DLANES=... -DLANE_TABLE=...). The widths differ in
// nothing but how many items they take at a time.
#include "cpu/lanes.h"

#include "stages/contact_items.h"
#include "stages/items.h"
#include "stages/lattice_items.h"
#include "stages/match_wide.h"
#include "stages/orient_items.h"
#include "stages/skin_items.h"
#include "stages/stabilise_items.h"
#include "stages/volume_items.h"
#include "stages/wear_items.h"

// Stages that take one item at a time: made by the scalar table, used by all.
#define SCALAR_STAGES(X)                                                                                               \
    X(sum_motion, motion_sum_stage)                                                                                    \
    X(solve_motion, motion_solve_stage)                                                                                \
    X(damp_motion, motion_damp_stage)                                                                                  \
    X(guard_shapes, guard_touches)                                                                                     \
    X(lift_shapes, lift_touches)                                                                                       \
    X(sum_match, match_sum_stage)                                                                                      \
    X(solve_match, match_solve_stage)                                                                                  \
    X(move_match, match_move_stage)                                                                                    \
    X(blend_match, match_blend_stage)                                                                                  \
    X(spin_match, match_spin_stage)                                                                                    \
    X(turn_match, match_turn_stage)                                                                                    \
    X(lose_match, match_lose_stage)                                                                                    \
    X(return_match, match_return_stage)                                                                                \
    X(yield_match, match_yield_stage)                                                                                  \
    X(keep_orient, orient_keep_stage)                                                                                  \
    X(wind_orient, orient_wind_stage)                                                                                  \
    X(predict_orient, orient_predict_stage)                                                                            \
    X(spin_orient, orient_spin_stage)                                                                                  \
    X(damp_orient, orient_damp_stage)                                                                                  \
    X(load_lattice, lattice_load_stage)                                                                                \
    X(sum_lattice, lattice_sum_stage)                                                                                  \
    X(move_lattice, lattice_move_stage)                                                                                \
    X(sum_volume, volume_sum_stage)                                                                                    \
    X(solve_volume, volume_solve_stage)                                                                                \
    X(move_volume, volume_move_stage)                                                                                  \
    X(wear_rows, wear_stage)
#define DECLARE_STAGE(name, body) extern stage_fn name;
SCALAR_STAGES(DECLARE_STAGE)
#define DECLARE_REST(name, ...) extern void rest_##name(const float *points, float *param);
PL_KINDS(DECLARE_REST)

#if LANES == 1
extern void probe_alone(const state *s, const stage *g, size_t k);
void probe_alone(const state *s, const stage *g, size_t k) { probe_touch(s, g, k); }

#define DEFINE_PAIR(name)                                                                                              \
    extern void name##_alone(const state *s, const packed_pairs *p, size_t k);                                         \
    void name##_alone(const state *s, const packed_pairs *p, size_t k) { name(s, p, k); }
#define DEFINE_TOUCH(name)                                                                                             \
    extern void name##_alone(const state *s, const packed_touches *t, size_t k);                                       \
    void name##_alone(const state *s, const packed_touches *t, size_t k) { name(s, t, k); }
EACH_ALONE(DEFINE_PAIR, DEFINE_TOUCH)

#define DEFINE_STAGE(name, body)                                                                                       \
    void name(state *s, const stage *g, int32_t begin, int32_t end) { body(s, g, begin, end); }
SCALAR_STAGES(DEFINE_STAGE)

#define DEFINE_REST(name, NAME, arity, writes, params, bound, stem, ...)                                               \
    void rest_##name(const float *points, float *param)                                                                \
    {                                                                                                                  \
        point p[ROW_POINTS];                                                                                           \
        for (int i = 0; i < arity; i++)                                                                                \
            p[i] = load_points(points + 4 * i);                                                                        \
        stem##_rest(p, param);                                                                                         \
    }
PL_KINDS(DEFINE_REST)
#endif

// LANE_TABLE names it: a width may be built twice, for older and newer processors.
extern const lane_table LANE_TABLE;
const lane_table LANE_TABLE = {
    .lanes = LANES,
    .stage = {[OP_REMEMBER] = remember,
              [OP_WIND] = wind_faces,
              [OP_AIR] = sum_air,
              [OP_PREDICT] = predict,
              [OP_SWEEP] = sweep_stage,
              [OP_TILES] = tiles_stage,
              [OP_JACOBI] = jacobi_stage,
              [OP_JACOBI_MOVE] = jacobi_move,
              [OP_VELOCITY] = update_velocity,
              [OP_MOTION_SUM] = sum_motion,
              [OP_MOTION_SOLVE] = solve_motion,
              [OP_MOTION_DAMP] = damp_motion,
              [OP_EVENTS] = events,
              [OP_ADVANCE] = advance,
              [OP_CHECK] = check,
#if LANES > 1
              [OP_MATCH_SUM] = match_sum_wide,
              [OP_MATCH_MOVE] = match_move_wide,
              [OP_MATCH_TURN] = match_turn_wide,
#else
              [OP_MATCH_SUM] = sum_match,
              [OP_MATCH_MOVE] = move_match,
              [OP_MATCH_TURN] = turn_match,
#endif
              [OP_MATCH_SOLVE] = solve_match,
              [OP_MATCH_BLEND] = blend_match,
              [OP_MATCH_SPIN] = spin_match,
              [OP_MATCH_LOSE] = lose_match,
              [OP_MATCH_RETURN] = return_match,
              [OP_MATCH_YIELD] = yield_match,
              [OP_ORIENT_KEEP] = keep_orient,
              [OP_ORIENT_WIND] = wind_orient,
              [OP_ORIENT_TURN] = predict_orient,
              [OP_ORIENT_SPIN] = spin_orient,
              [OP_ORIENT_DAMP] = damp_orient,
              [OP_LATTICE_LOAD] = load_lattice,
              [OP_LATTICE_SUM] = sum_lattice,
              [OP_LATTICE_FIND] = lattice_solve_stage,
              [OP_LATTICE_MOVE] = move_lattice,
              [OP_VOLUME_SUM] = sum_volume,
              [OP_VOLUME_SOLVE] = solve_volume,
              [OP_VOLUME_MOVE] = move_volume,
              [OP_WEAR] = wear_rows,
              [OP_PAIRS_WARM] = warm_pairs,
              [OP_PROBE] = probe_touches,
              [OP_TOUCH_WARM] = warm_touches,
              [OP_PAIRS] = sweep_pairs,
              [OP_TOUCHES] = sweep_touches,
              [OP_PAIRS_BOUNCE] = bounce_pairs,
              [OP_TOUCH_BOUNCE] = bounce_touches,
              [OP_PAIRS_EVENT] = pairs_event,
              [OP_TOUCH_EVENT] = touch_event,
              [OP_FARTHEST] = farthest,
              [OP_SKIN_OPEN] = skin_open,
              [OP_SKIN_PROBE] = skin_probe,
              [OP_SKIN_WARM] = skin_warm,
              [OP_SKIN] = sweep_skin,
              [OP_SKIN_BOUNCE] = bounce_skins,
              [OP_SKIN_BOUND] = skin_bound,
              [OP_SKIN_LIMIT] = skin_limit,
              [OP_SKIN_CLIP] = skin_clip,
              [OP_SKIN_EVENT] = skin_event,
              [OP_SKIN_DRIFT] = skin_drift,
              [OP_TOUCH_GUARD] = guard_shapes,
              [OP_PAIRS_PART] = part_pairs,
              [OP_TOUCH_LIFT] = lift_shapes},
    .measure =
        {
#define ENTRY(name, ...) measure_##name,
            PL_KINDS(ENTRY)
#undef ENTRY
        },
    .rest =
        {
#define ENTRY(name, ...) rest_##name,
            PL_KINDS(ENTRY)
#undef ENTRY
        },
};
