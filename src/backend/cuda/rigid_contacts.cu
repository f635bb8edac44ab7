// rigid_contacts.cu: the stages of contacts between rigid bodies. A thread takes a pair, a body or a row and runs the function
// of a CPU worker. Lists change from frame to frame while the graph stays, so a kernel reads its range when it runs.
#include "backend/cuda/device_internal.h"
#include "stages/body_note_stage.h"
#include "stages/fluid_body_stages.h"
#include "stages/rigid_collide_stages.h"
#include "stages/rigid_note_stages.h"
#include "stages/rigid_relax_stages.h"

enum
{
    COLLIDE_THREADS = 64, // finding a manifold needs many registers and much local memory
};

// Rows without a colour share bodies: one thread takes them in their order. Each of them has a group of PAD.
static __device__ __forceinline__ bool in_order(const launch_args &g) { return g.colour == RIGID_COLOURS; }

#define RIGID_KERNEL(name, body)                                                                                       \
    static __global__ void __launch_bounds__(COLLIDE_THREADS)                                                          \
        name(const __grid_constant__ state s, const __grid_constant__ launch_args g)                                   \
    {                                                                                                                  \
        wait_for_previous_kernel();                                                                                    \
        stamp_time(g);                                                                                                 \
        if (!substep_is_active(s.now, g))                                                                              \
            return;                                                                                                    \
        int32_t end = g.range[1];                                                                                      \
        if (!in_order(g))                                                                                              \
            for (int64_t i = g.range[0] + first_item(); i < end; i += all_items())                                     \
                body(MUTABLE_STATE(s), &g, (int32_t)i, (int32_t)i + 1);                                                \
        else if (first_item() == 0)                                                                                    \
            for (int32_t i = g.range[0]; i < end; i += PAD)                                                            \
                body(MUTABLE_STATE(s), &g, i, i + 1);                                                                  \
    }

#define KERNEL_rigid(NAME, function) RIGID_KERNEL(run_##NAME, function)
#define KERNEL_item(NAME, function)
#define KERNEL_per_particle(NAME, function)
#define KERNEL_wind(NAME, function)
#define KERNEL_host(NAME, function)
#define KERNEL_sweep(NAME, function)
#define KERNEL_jacobi(NAME, function)
#define KERNEL_tiles(NAME, function)
#define KERNEL_match(NAME, function)
#define KERNEL_surface(NAME, function)
#define KERNEL_pairs(NAME, function)
#define STAGE(NAME, items, timing, unit, form, function, launcher, ...) KERNEL_##launcher(NAME, function)
#include "plan/stages.def"

typedef void rigid_kernel(const state s, const launch_args g);

static rigid_kernel *kernel_of(int op)
{
#define ENTRY_rigid(NAME)                                                                                              \
    case OP_##NAME:                                                                                                    \
        return run_##NAME;
#define ENTRY_item(NAME)
#define ENTRY_per_particle(NAME)
#define ENTRY_wind(NAME)
#define ENTRY_host(NAME)
#define ENTRY_sweep(NAME)
#define ENTRY_jacobi(NAME)
#define ENTRY_tiles(NAME)
#define ENTRY_match(NAME)
#define ENTRY_surface(NAME)
#define ENTRY_pairs(NAME)
    switch (op)
    {
#define STAGE(NAME, items, timing, unit, form, function, launcher, ...) ENTRY_##launcher(NAME)
#include "plan/stages.def"
    }
    return NULL;
}

static int64_t room_of(const device *d, int items)
{
    const packed_body_particles *b = &d->captured.body_particles;
    switch (items)
    {
    case ITEMS_RIGID_PAIRS:
        return d->captured.rigid_contacts.pair_room;
    case ITEMS_RIGID_BODIES:
        return d->captured.rigid_contacts.bodies;
    case ITEMS_BODY_ROWS:
    case ITEMS_BODY_PAIRS:
    case ITEMS_BODY_POINTS: // most rows are of one particle
        return b->row_room;
    case ITEMS_BODY_CHUNKS:
        return b->chunk_room;
    case ITEMS_BODIES:
        return b->body_room;
    default:
        return d->captured.rigid_contacts.row_room;
    }
}

bool launch_rigid(device *d, const launch_args *g, bool early, device_error *why)
{
    int64_t room = room_of(d, stage_of(g->op)->items);
    return start(why, d->stream, early, g->colour == RIGID_COLOURS ? 1 : spread(d, room), COLLIDE_THREADS, 0,
                 kernel_of(g->op), d->captured, *g);
}
