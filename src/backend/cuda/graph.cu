// graph.cu: captures a frame as one CUDA graph when the plan or a setting changes, and replays it. First the graph
// copies from pinned memory what changes from frame to frame; then each stage is a kernel. Before each substep of a
// scene with contacts there is a branch that makes the lists again (list_rebuild.cu), except in frames that are
// expected to need no new list (speculative_frame.cu).
#include "backend/cuda/per_particle.h"

enum
{
    SPECULATIVE_SUBSTEPS = 4, // with fewer substeps, two more branches are no gain
};

static bool send(device *d, void *to, const void *from, size_t bytes, device_error *why)
{
    TRY(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, d->stream), "capturing");
    return true;
}

static bool send_all(device *d, device_error *why)
{
    return send(d, d->now, d->pinned, sizeof *d->now, why) &&
           send(d, d->substeps, d->pinned_substeps, d->substep_count * sizeof(substep), why) &&
           (!d->captured.field_count || send(d, d->fields, d->pinned_fields, MAX_FIELDS * sizeof(field), why)) &&
           (!d->placement_count ||
            (send(d, d->solids, d->pinned_solids, (size_t)d->lists.shapes * sizeof(solid), why) &&
             send(d, d->placements, d->pinned_placements, d->placement_count * sizeof(placement), why)));
}

static bool graph_under_capture(device *d, cudaGraph_t *graph, const cudaGraphNode_t **before, size_t *count,
                                device_error *why)
{
    cudaStreamCaptureStatus status;
    unsigned long long id;
    const cudaGraphEdgeData *edges;
    TRY(cudaStreamGetCaptureInfo(d->stream, &status, &id, graph, before, &edges, count), "capturing");
    return true;
}

bool open_branch(device *d, branch *b, device_error *why)
{
    *b = branch{};
    if (d->no_graph)
    {
        b->decision = d->decision;
        return true;
    }
    cudaGraph_t graph;
    const cudaGraphNode_t *before;
    size_t count;
    if (!graph_under_capture(d, &graph, &before, &count, why))
        return false;
    TRY(cudaGraphConditionalHandleCreate(&b->handle, graph, 0, 0), "capturing a branch");
    return true;
}

static bool ask_branch(device *d, branch_body *body, int substep, device_error *why)
{
    int32_t taken = 0;
    TRY(cudaMemcpyAsync(&taken, d->decision, sizeof taken, cudaMemcpyDeviceToHost, d->stream), "asking for a branch");
    TRY(cudaStreamSynchronize(d->stream), "asking for a branch");
    return !taken || body(d, d->stream, substep, why);
}

bool fill_branch(device *d, const branch *b, branch_body *body, int substep, device_error *why)
{
    if (d->no_graph)
        return ask_branch(d, body, substep, why);
    cudaGraph_t graph, filled;
    const cudaGraphNode_t *before;
    size_t count;
    if (!graph_under_capture(d, &graph, &before, &count, why))
        return false;
    cudaGraphNodeParams how = {};
    how.type = cudaGraphNodeTypeConditional;
    how.conditional.handle = b->handle;
    how.conditional.type = cudaGraphCondTypeIf;
    how.conditional.size = 1;
    cudaGraphNode_t node;
    TRY(cudaGraphAddNode(&node, graph, before, NULL, count, &how), "capturing a branch");
    cudaStream_t inside = d->stream == d->side ? d->deep : d->side;
    TRY(cudaStreamBeginCaptureToGraph(inside, how.conditional.phGraph_out[0], NULL, NULL, 0,
                                      cudaStreamCaptureModeThreadLocal),
        "capturing a branch");
    bool made = body(d, inside, substep, why);
    cudaError_t ended = cudaStreamEndCapture(inside, &filled);
    if (!made || failed(ended, "capturing a branch", why))
        return false;
    TRY(cudaStreamUpdateCaptureDependencies(d->stream, &node, NULL, 1, cudaStreamSetCaptureDependencies),
        "capturing a branch");
    return true;
}

// A stage gets a time stamp if it starts another group.
static void stamp(device *d, launch_args *g)
{
    if (g->group == d->last_group || d->stamp_count >= STAMPS - 1)
        return;
    g->stamp = d->stamps + d->stamp_count;
    d->stamp_group[d->stamp_count++] = g->group;
    d->last_group = g->group;
}

static const int32_t *range_of(const device *d, const stage *g)
{
    if (!g->range)
        return NULL;
    const int32_t *rigid = d->captured.rigid_contacts.range;
    if (stage_of(g->op)->items == ITEMS_RIGID_PAIRS)
        return rigid + RANGE_PAIRS;
    if (stage_of(g->op)->items == ITEMS_RIGID_BODIES)
        return rigid + RANGE_BODIES;
    if (stage_of(g->op)->items == ITEMS_RIGID_ROWS)
        return rigid + (g->colour <= RIGID_COLOURS ? RANGE_COLOURS + g->colour : RANGE_ROWS);
    const int32_t *body = d->captured.body_particles.range;
    switch (stage_of(g->op)->items)
    {
    case ITEMS_BODY_ROWS:
        return body + BODY_RANGE_ROWS;
    case ITEMS_BODY_CHUNKS:
        return body + BODY_RANGE_CHUNKS;
    case ITEMS_BODIES:
        return body + BODY_RANGE_BODIES;
    case ITEMS_BODY_POINTS:
        return body + BODY_RANGE_POINTS;
    case ITEMS_BODY_PAIRS:
        return body + BODY_RANGE_PAIRS;
    default:
        break;
    }
    return (stage_of(g->op)->items == ITEMS_SURFACES ? d->surfaces.ranges : d->lists.ranges) + g->colour;
}

static launch_args launch_args_of(const device *d, const plan *p, const launch *l)
{
    launch_args g = {};
    *(stage *)&g = p->stages[l->stage];
    g.lead = l->lead, g.per_particle = l->per_particle, g.after = l->after;
    g.joined = l->joined, g.whole = l->bodies, g.skips_velocities = l->skips_velocities, g.ended = l->ended;
    g.faces = l->faces ? d->faces : NULL;
    g.gated = d->lists.slots > 0;
    g.range = g.per_particle ? NULL : range_of(d, &g);
    return g;
}

// Launches consecutive colours in one kernel where possible. Returns the number of stages launched; 0: it failed.
static int64_t launch_colours(device *d, const stage *from, int64_t left, launch_args *g, bool early, device_error *why)
{
    colour_list colours;
    int in_one_kernel = g->per_particle ? 0 : contacts_one_kernel_joins(d, from, left),
        passed = g->per_particle ? 0 : links_one_kernel_joins(d, from, left);
    if (in_one_kernel)
        return launch_contacts_one_kernel(d, g, early, why) ? in_one_kernel : 0;
    if (passed)
        return launch_links_one_kernel(d, g, early, why) ? passed : 0;
    int swept = sweeps_join(d, from, left, &colours);
    if (swept)
        return launch_sweeps(d, g, &colours, early, why) ? swept : 0;
    return launch_stage(d, g, early, why) ? 1 : 0;
}

// Advances *i if the kernel contains more stages than the schedule assumed.
static bool capture_launch(device *d, const plan *p, const launch *l, int64_t *i, int64_t end, bool *early,
                           device_error *why)
{
    const stage *from = &p->stages[l->stage];
    launch_args g = launch_args_of(d, p, l);
    if (!from->range && from->end <= from->begin)
        return true;
    stamp(d, &g);
    set_list_test(d, &g);
    *early |= g.tested != NULL; // it may start early, since the kernel after it does not start before its wait (late)
    g.late = g.tested != NULL;
    g.follows = d->after_rows;
    int64_t count = launch_colours(d, from, end - l->stage, &g, *early, why);
    if (!count)
        return false;
    d->after_rows = g.op == OP_SWEEP && count == 1 && !g.claims;
    if (g.faces)
        swap_faces(d);
    if (count > 1)
        *i = l->stage + count;
    // Kernels that start early prefetch parameters: not while a stage that changes them runs.
    *early = !(stage_changes(g.op) & R(PARAM));
    return true;
}

static bool capture_stages(device *d, const plan *p, int64_t begin, int64_t end, bool *early, device_error *why)
{
    schedule_world w = schedule_of(d);
    for (int64_t i = begin; i < end;)
    {
        launch l[LAUNCHES_AT_ONCE];
        int count = schedule_next(&w, p, &i, end, l);
        for (int n = 0; n < count; n++)
            if (!capture_launch(d, p, &l[n], &i, end, early, why))
                return false;
    }
    return true;
}

static __global__ void stamp_end(const __grid_constant__ launch_args g)
{
    wait_for_previous_kernel();
    stamp_time(g);
}

// speculative: the lists are expected to stay valid, and are only tested.
static bool capture_substeps(device *d, cudaStream_t stream, int32_t substeps, bool speculative, device_error *why)
{
    const plan *p = d->plan;
    cudaStream_t outside = d->stream;
    float *slot[SLOT_ARRAYS], *faces = d->faces;
    bool early = false, captured = true; // the first kernel follows a branch
    memcpy(slot, d->captured.slot, sizeof slot);
    d->stream = stream;
    d->tests_lists = speculative && kernel_tests_lists(d);
    for (int32_t s = 0; s < substeps && captured; s++)
    {
        int64_t end = s + 1 < substeps ? p->head + (s + 1) * p->body : p->count;
        captured =
            speculative ? lists_hold_on(d, s, early, why) : surface_refresh(d, s, why) && lists_refresh(d, s, why);
        early = false; // it is slower when kernels of two substeps wait at the same time
        captured = captured && capture_stages(d, p, p->head + s * p->body, end, &early, why);
    }
    memcpy(d->captured.slot, slot, sizeof slot);
    d->faces = faces;
    d->tests_lists = false;
    d->stream = outside;
    return captured;
}

static bool capture_speculative(device *d, cudaStream_t stream, int substeps, device_error *why)
{
    return capture_substeps(d, stream, substeps, true, why);
}

static bool capture_checked(device *d, cudaStream_t stream, int substeps, device_error *why)
{
    return capture_substeps(d, stream, substeps, false, why);
}

static bool capture(device *d, const plan *p, device_error *why)
{
    bool early = false; // the first kernel follows a copy
    d->after_rows = false;
    d->stamp_count = 0;
    d->last_group = -1;
    if (!send_all(d, why) || !clear_claims(d, why))
        return false;
    if (d->in_cluster.count)
    {
        launch_args all = {};
        all.group = PL_STAGE_ELEMENTS;
        stamp(d, &all);
        if (!launch_cluster_frame(d, &all, why))
            return false;
    }
    else if (!d->lists.slots && !capture_stages(d, p, 0, p->count, &early, why))
        return false;
    if (d->lists.slots)
    {
        if (!capture_stages(d, p, 0, p->head, &early, why))
            return false;
        int32_t substeps = (int32_t)((p->count - p->head) / p->body);
        if (!launch_faces_back(d, substeps, false, early, why))
            return false;
        if (!(substeps >= SPECULATIVE_SUBSTEPS
                  ? speculate_or_not(d, substeps, early, capture_speculative, capture_checked, why)
                  : capture_checked(d, d->stream, substeps, why)) ||
            !launch_faces_back(d, substeps, true, false, why))
            return false;
        early = false;
    }
    launch_args g = {};
    g.stamp = d->stamps + d->stamp_count++;
    if (!start(why, d->stream, early, 1, 1, 0, stamp_end, g))
        return false;
    TRY(cudaMemcpyAsync(d->pinned_stamps, d->stamps, (size_t)d->stamp_count * sizeof *d->stamps, cudaMemcpyDeviceToHost,
                        d->stream),
        "capturing");
    TRY(cudaMemcpyAsync(d->pinned, d->now, sizeof *d->now, cudaMemcpyDeviceToHost, d->stream), "capturing");
    return true;
}

void drop_graph(device *d)
{
    if (d->graph)
        cudaGraphExecDestroy(d->graph);
    d->graph = NULL;
}

bool make_graph(device *d, device_error *why)
{
    drop_graph(d);
    if (!ready_cluster_frame(d, why) || !ready_links(d, why) || !ready_links_one_kernel(d, d->plan, why) ||
        !ready_contacts_one_kernel(d, d->plan, why) || !ready_faces(d, why))
        return false;
    if (d->no_graph)
        return true;
    TRY(cudaStreamBeginCapture(d->stream, cudaStreamCaptureModeThreadLocal), "beginning the capture");
    bool captured = capture(d, d->plan, why);
    cudaGraph_t graph = NULL;
    cudaError_t ended = cudaStreamEndCapture(d->stream, &graph);
    if (captured)
        captured = !failed(ended, "capturing the frame", why) &&
                   !failed(cudaGraphInstantiate(&d->graph, graph, 0), "making the graph", why);
    if (graph)
        cudaGraphDestroy(graph);
    return captured;
}

bool run_stages(device *d, device_error *why) { return capture(d, d->plan, why); }
