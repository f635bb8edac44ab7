// pliant.h: the public API of Pliant, a position-based dynamics engine. It includes all other headers.
//
// Units are SI, y is up, coordinates are right-handed, numbers are float32. There is no global state: everything
// belongs to a pl_world. Worlds are independent of each other, so different threads may use different worlds at the
// same time.
//
// A call that can fail returns a pl_result. If it is not PL_OK, pl_error_message() says what was wrong and which values
// are allowed, and the world is as it was before the call. A call that only reads and cannot fail returns zeros for a
// world that is NULL. Definitions (pl_..._def) start from a function pl_default_...; change the fields that you need.
//
// The same scene gives the same bits on every thread count, SIMD width, compiler and machine: see docs/determinism.md.
#ifndef PLIANT_H
#define PLIANT_H

#include <pliant/attach.h>
#include <pliant/author.h>
#include <pliant/base.h>
#include <pliant/batch.h>
#include <pliant/constraints.h>
#include <pliant/contact.h>
#include <pliant/damage.h>
#include <pliant/diffuse.h>
#include <pliant/emitter.h>
#include <pliant/events.h>
#include <pliant/fluid.h>
#include <pliant/gas.h>
#include <pliant/fluid_probe.h>
#include <pliant/fluid_surface.h>
#include <pliant/groups.h>
#include <pliant/hair.h>
#include <pliant/heat.h>
#include <pliant/inspect.h>
#include <pliant/joints.h>
#include <pliant/mover.h>
#include <pliant/oriented.h>
#include <pliant/query.h>
#include <pliant/ragdoll.h>
#include <pliant/rigid.h>
#include <pliant/rigid_contacts.h>
#include <pliant/robot.h>
#include <pliant/scene.h>
#include <pliant/sensors.h>
#include <pliant/solids.h>
#include <pliant/solver_trials.h>
#include <pliant/strands.h>
#include <pliant/visual.h>
#include <pliant/world.h>

/// The version of these headers. pl_version returns the version of the library.
#define PL_VERSION_MAJOR 0
#define PL_VERSION_MINOR 1
#define PL_VERSION_PATCH 0

#endif
