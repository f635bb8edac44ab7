// speculative_frame.cu: runs a frame without graph branches if all lists are expected to stay valid, as they do in most
// frames of a settled scene. A branch costs several microseconds even where it is not taken. The device makes this
// prediction. Before each substep of such a speculative frame one warp makes the check that a branch would have made.
// If a list is no longer valid, the frame stops there, like one whose lists ran out of room, and continues with
// branches from that substep:
//
//   foresee -> if speculative: all substeps, with checks -> if stopped or not speculative: the substeps with branches
//
// The computation and its order are the same either way.
#include "backend/cuda/list_validity.h"
#include "backend/cuda/per_particle.h"

// Expects the lists to stay valid if the displacement that the last frame added, with a margin of 25 %, keeps them
// within their margins when added once more. After lists were rebuilt, only the greatest speed is known.
static __device__ __forceinline__ bool looks_unchanged(const list_arrays &l, const speculative_state *speculative,
                                                       int32_t substeps, travel far, float shapes)
{
    bool known = speculative->builds == l.now->builds;
    float most_come = (float)substeps * far.stride, come = known ? 1.25f * (far.come - speculative->come) : most_come,
          apart = known ? 1.25f * (far.apart - speculative->apart) : 2.0f * most_come;
    far.come += come > 0.0f ? come : 0.0f;
    far.apart += apart > 0.0f ? apart : 0.0f;
    return lists_reach(l, far, shapes);
}

// Run by one warp. forced: for tests, 0: no frame is speculative, 1: any frame may be; -1: the prediction decides.
static __global__ void foresee(const __grid_constant__ state s, const __grid_constant__ list_arrays l,
                               const __grid_constant__ surface_arrays k, speculative_state *speculative,
                               int32_t substeps, int forced, branch go)
{
    float shapes = shapes_moved(s, l, substeps - 1), fall = look_ahead(s, l);
    wait_for_previous_kernel();
    if (threadIdx.x > 0)
        return;
    bool may = lists_stand(l.now) && s.now->from <= 0;
    if (k.triangles)
        may = may && k.now->listed && k.now->crossings == 0;
    travel far = travel_of(&s, fall);
    bool looks = looks_unchanged(l, speculative, substeps, far, shapes);
    if (k.triangles && looks) // the age of the list at the end of the frame is known
        looks = surface_list_holds(s.now->surface_age + (float)(substeps - 1) * s.h, s.h, k.now->horizon,
                                   s.now->drifted, k.now->margin);
    speculative->speculative = may && (forced < 0 ? looks : forced > 0);
    speculative->builds = l.now->builds;
    speculative->come = far.come;
    speculative->apart = far.apart;
    speculative->to = s.now->to;
    speculative->way[1] = speculative->way[2] = way_now{};
    decide_branch(go, speculative->speculative);
}

// Checks the lists before a substep; run by one warp.
static __global__ void ask_lists(const __grid_constant__ state s, const __grid_constant__ list_arrays l,
                                 const surface_now *surfaces, const __grid_constant__ launch_args g)
{
    float shapes = shapes_moved(s, l, g.substep), fall = look_ahead(s, l);
    wait_for_previous_kernel();
    stamp_time(g);
    if (threadIdx.x > 0)
        return;
    bool holds =
        lists_reach(l, travel_of(&s, fall), shapes) && (!surfaces || surface_holds(s, surfaces, l.now, g.substep));
    if (surfaces && g.stamp)
        g.stamp[1] = g.stamp[0];
    if (!substep_is_active(s.now, g))
        return;
    if (holds)
        travel_forget(&s);
    else
        s.now->to = g.substep;
}

// Where a substep's first kernel runs per-particle stages, each of its blocks checks the lists itself beforehand
// (per_particle.h); then only the first substep has a kernel for the check. The maxima that are checked, those that the
// substep finds, which the same kernel may do, and those that the next substep will find lie in three separate buffers,
// which rotate.
void set_list_test(const device *d, launch_args *g)
{
    way_now *way = d->now->speculative.way;
    if (!d->tests_lists)
        return;
    if (g->lead && g->substep)
        g->tested = way + g->substep % WAYS_KEPT, g->cleared = way + (g->substep + 2) % WAYS_KEPT;
    if (g->tested || (g->per_particle | g->after) & PER_PARTICLE_FARTHEST)
        g->maxima = way + (g->substep + 1) % WAYS_KEPT;
}

bool lists_hold_on(device *d, int substep, bool early, device_error *why)
{
    launch_args g = {};
    int count = d->surfaces.triangles ? 2 : 1; // as many stamps as the branches have
    g.substep = substep;
    g.gated = 1;
    if (d->stamp_count + count < STAMPS)
    {
        g.stamp = d->stamps + d->stamp_count;
        for (int i = 0; i < count; i++)
            d->stamp_group[d->stamp_count++] = PL_STAGE_GRID;
    }
    d->last_group = PL_STAGE_GRID;
    if (d->tests_lists && substep)
        return true;
    return start(why, d->stream, early, 32, 32, 0, ask_lists, d->captured, d->lists,
                 (const surface_now *)(d->surfaces.triangles ? d->surfaces.now : NULL), g);
}

// tested: the number of substeps if their first kernels check the lists; otherwise 0.
static __global__ void go_on(const __grid_constant__ state s, const speculative_state *speculative, int32_t tested,
                             branch rest)
{
    wait_for_previous_kernel();
    int32_t at = s.now->to < tested ? s.now->to : tested;
    bool halted = s.now->to < speculative->to;
    if (speculative->speculative && at > 0)
        memcpy(s.now->far, speculative->way[at % WAYS_KEPT].far, sizeof s.now->far);
    if (halted)
    {
        s.now->from = s.now->to;
        s.now->to = speculative->to;
    }
    decide_branch(rest, halted || !speculative->speculative);
}

bool speculate_or_not(device *d, int32_t substeps, bool early, branch_body *speculative, branch_body *stirred,
                      device_error *why)
{
    int forced = debug->speculative ? debug->speculative > 0 : -1, count = d->stamp_count, group = d->last_group;
    branch go, rest;
    if (!open_branch(d, &go, why) ||
        !start(why, d->stream, early, 32, 32, 0, foresee, d->captured, d->lists, d->surfaces, &d->now->speculative,
               substeps, forced, go) ||
        !fill_branch(d, &go, speculative, substeps, why) || !open_branch(d, &rest, why) ||
        !start(why, d->stream, false, 1, 1, 0, go_on, d->captured, (const speculative_state *)&d->now->speculative,
               kernel_tests_lists(d) ? substeps : 0, rest))
        return false;
    // Frames with and without branches write the same stamps.
    d->stamp_count = count;
    d->last_group = group;
    return fill_branch(d, &rest, stirred, substeps, why);
}
