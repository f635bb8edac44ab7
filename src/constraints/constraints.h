// constraints.h: the table of kinds. A new kind is one header, one line here, one name in pl_kind, one test.
//
//   X(name, NAME, arity, writes, params, bound, stem, scale)
//     name, NAME   as in "distance" and PL_KIND_DISTANCE; lines stand in that enum's order
//     arity        particles of a constraint; the first `writes` of them are moved, the others are only read
//     params       parameters of a constraint
//     bound        which side of C = 0 is allowed
//     stem         the kernel: stem_eval and stem_rest
//     scale        1: parameter 0 is a length that |C| is measured against (residual); 0: no such length
//
// Colouring, sweeps on every backend, snapshots, scenes, stats and bindings are driven by this table alone.
// What a person reads about a kind (its parameters' names, what is refused) is in world/kinds.c.
#pragma once
#include "constraints/dihedral.h"
#include "constraints/distance.h"
#include "constraints/isometric.h"
#include "constraints/pin.h"
#include "constraints/tet_volume.h"
#include "constraints/tether.h"

#define PL_KINDS(X)                                                                                                    \
    X(distance, DISTANCE, 2, 2, 1, BOUND_EQUAL, distance, 1)                                                           \
    X(distance_min, DISTANCE_MIN, 2, 2, 1, BOUND_AT_LEAST, distance, 1)                                                \
    X(distance_max, DISTANCE_MAX, 2, 2, 1, BOUND_AT_MOST, distance, 1)                                                 \
    X(tether, TETHER, 2, 1, 1, BOUND_AT_MOST, tether, 1)                                                               \
    X(dihedral, DIHEDRAL, 4, 4, 1, BOUND_EQUAL, dihedral, 0)                                                           \
    X(isometric, ISOMETRIC, 4, 4, 4, BOUND_EQUAL, isometric, 0)                                                        \
    X(tet_volume, TET_VOLUME, 4, 4, 1, BOUND_EQUAL, tet_volume, 0)                                                     \
    X(pin, PIN, 1, 1, 6, BOUND_EQUAL, pin, 0)
