// strands.h: strands: chains of particles that keep their length, such as hairs. docs/hair.md explains the solvers.
#ifndef PLIANT_STRANDS_H
#define PLIANT_STRANDS_H

#include <pliant/groups.h>

#ifdef __cplusplus
extern "C" {
#endif

/// How the links of a strand are solved. Every solver takes the points of a strand in one pass from the root on.
typedef enum pl_strand_solver
{
    /// Follow the leader: a pass moves only the lower point of each link, so the strand never stretches; but it moves as
    /// if points below weighed nothing.
    PL_STRAND_FTL,
    /// Dynamic follow the leader: FTL, and what each link has done to its lower point is returned to the velocity of the
    /// upper one. The strand never stretches and swings as a chain does.
    PL_STRAND_DFTL,
    /// XPBD without compliance: moves both points of each link. It keeps momentum, and stretches unless there are many
    /// substeps or iterations.
    PL_STRAND_XPBD,
    /// Number of solvers.
    PL_STRAND_SOLVERS
} pl_strand_solver;

/// Describes a block of strands of existing particles. A particle may be in one strand only, once.
typedef struct pl_strands_def
{
    /// Number of strands, at least 1.
    int count;
    /// count + 1 numbers: strand i has the points start[i] to start[i + 1] - 1 of `particles`, at least two; the first is
    /// its root. A root without mass stays where it is, or moves by its velocity; one with mass falls, unless constraints,
    /// such as attachments to a body, or carriers hold it.
    const int32_t *start;
    /// Particle numbers.
    const int32_t *particles;
    /// For each point the length of the link to the point above, m, above 0; that of a root is not used. NULL, the
    /// default: the current distances.
    const float *lengths;
    /// Three particles for each strand that carry its root, such as the corners of a triangle of a cloth: in every
    /// iteration the root is moved to their weighted mean. They must not be points of strands. NULL, the default: none.
    /// The strand does not pull on them.
    const int32_t *carriers;
    /// Three shares for each strand, from 0 to 1, whose sum is 1: those of the carriers in the position of the root.
    const float *shares;
    /// How the links are solved. The default is PL_STRAND_DFTL.
    pl_strand_solver solver;
    /// PL_STRAND_DFTL: the share of the pull of each link that is returned as velocity (s_damping of Mueller, Kim and
    /// Chentanez 2012), from 0 to 1. With 1, the default, momentum is kept. Below 1 it damps, and no link bears more than
    /// the weight of 1/(1 - correction) points. With 0 it is PL_STRAND_FTL.
    float correction;
} pl_strands_def;

/// Returns the defaults named above.
PL_API pl_strands_def pl_default_strands_def(void);

/// Adds a block of strands and stores its id in *block, which may be NULL. A strand is removed when one of its points or
/// carriers is removed. A world holds at most 134,217,727 points and carriers of strands.
PL_API pl_result pl_add_strands(pl_world *world, const pl_strands_def *def, pl_id *block);

/// Changes the solver and the correction of all strands of a block, with the ranges of pl_strands_def.
PL_API pl_result pl_set_strands(pl_world *world, pl_id block, pl_strand_solver solver, float correction);

/// The state of a block of strands.
typedef struct pl_strands_state
{
    /// Number of strands.
    int count;
    /// Number of their points.
    int64_t points;
    /// How the links are solved.
    pl_strand_solver solver;
    /// The share of a pull that is returned as velocity.
    float correction;
    /// The mean relative error of the lengths of the links.
    double stretch_mean;
    /// The largest relative error of the length of a link.
    double stretch_max;
} pl_strands_state;

/// Stores the state of a block of strands.
PL_API pl_result pl_get_strands(const pl_world *world, pl_id block, pl_strands_state *state);

/// Copies at most capacity ids of all blocks of strands to out, which may be NULL if capacity is 0, and returns how many
/// there are.
PL_API int pl_world_strands(const pl_world *world, pl_id *out, int capacity);

/// Copies the particle numbers of the points of a strand of a block, counted from 0, root first, at most capacity of them,
/// to out, which may be NULL if capacity is 0. Returns how many points the strand has; 0 if there is no such strand.
PL_API int pl_strand_points(const pl_world *world, pl_id block, int strand, int32_t *out, int capacity);

#ifdef __cplusplus
}
#endif
#endif
