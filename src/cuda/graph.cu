// graph.cu: a frame is one CUDA graph, captured when the plan or a setting changes and replayed: first what changes from frame to frame
// goes over from pinned memory, then each stage is a kernel; before each substep of a scene with contacts lies a branch that makes the
// lists anew (lists.cu), but for frames that look as if no list had to be made (calm.cu).
#include "cuda/own.h"

enum
{
    CALM_SUBSTEPS = 4, // for fewer, two branches more are no gain
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
        b->told = d->told;
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
    TRY(cudaMemcpyAsync(&taken, d->told, sizeof taken, cudaMemcpyDeviceToHost, d->stream), "asking for a branch");
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

// A stage's time begins where another group's ended.
static void stamp(device *d, job *g)
{
    if (g->group == d->last_group || d->stamp_count >= STAMPS - 1)
        return;
    g->stamp = d->stamps + d->stamp_count;
    d->stamp_group[d->stamp_count++] = g->group;
    d->last_group = g->group;
}

// What the clusters' turning has lost does not ask for velocities: found before these, it lets one kernel do them and what follows.
static bool spin_comes_first(const plan *p, int64_t i, int64_t end)
{
    return i + 2 < end && p->stages[i].op == OP_VELOCITY && p->stages[i + 1].op == OP_MATCH_SPIN &&
           p->stages[i + 2].op == OP_MATCH_TURN;
}

// The stages behind i that the same kernel can run: what a particle does for itself, in the kernel's order.
static void join_more(const device *d, const plan *p, int64_t *i, int64_t end, job *g, uint32_t latest)
{
    while (latest && *i + 1 < end)
    {
        bool nothing = (p->stages[*i + 1].op == OP_MATCH_SPIN && match_spins_inside(d) && *i + 2 < end) ||
                       spin_comes_first(p, *i, end);
        uint32_t next = own_stage(p->stages[*i + 1 + nothing].op);
        bool more = next == latest && p->stages[*i + 1].op == OP_PAIRS_WARM; // its colours are one stage here
        if (next <= latest && !more) // another kind of stage, or one that has to come earlier, or once again
            break;
        if (own_apart(d, g->own, next))
            break;
        g->own |= latest = next;
        *i += 1 + nothing;
    }
}

static job join_own(const device *d, const plan *p, int64_t *i, int64_t end)
{
    job g = {};
    *(stage *)&g = p->stages[*i];
    g.own = own_stage(g.op);
    join_more(d, p, i, end, &g, g.own);
    return g;
}

// The prediction together with what follows it (beside.cu).
static void join_lead(device *d, const plan *p, int64_t *i, int64_t end, job *g)
{
    const uint32_t lead = OWN_AIR | OWN_PREDICT;
    if (!(g->own & OWN_PREDICT) || g->own & ~lead || *i + 1 >= end || !leads(d))
        return;
    uint32_t led = g->own;
    ++*i;
    *g = join_own(d, p, i, end);
    g->lead = led;
    change_places(&d->captured.slot[SLOT_X], &d->captured.slot[SLOT_X0]);
}

// Bodies have their turn in the kernel of what their particles do before and after it (bodies.cu).
static void join_bodies(const device *d, const plan *p, int64_t *i, int64_t end, job *g)
{
    int64_t at = *i + (g->own ? 1 : 0), last = at + 2;
    bool warm = g->own & OWN_WARM;
    if (!bodies_join(d, p->stages + at, end - at) || !bodies_may(g->own, 0) || (warm && !faces_lead(d)))
        return;
    job after = {};
    int64_t next = last;
    if (last + 1 < end && own_stage(p->stages[last + 1].op))
        next++, after = join_own(d, p, &next, end);
    bool more = bodies_may(g->own, after.own);
    uint32_t own = g->own, lead = g->lead;
    *(stage *)g = p->stages[last];
    g->own = own, g->lead = lead;
    g->after = more ? after.own : 0;
    g->joined = is_last_turn(p->stages + last + 1, end - last - 1) ? MATCH_JOINED_SPIN : MATCH_JOINED;
    g->whole = 1;
    g->faces = warm ? d->faces : NULL;
    *i = more ? next : last;
}

// Wind between the end of a substep and the next prediction would cut in two what one kernel can do: so it goes first.
static bool blow_early(device *d, const plan *p, int64_t *i, int64_t end, job *g, bool *early, device_error *why)
{
    const state *s = &d->captured;
    if (g->own != OWN_VELOCITY || *i + 1 >= end || p->stages[*i + 1].op != OP_WIND || s->second || s->contact.bouncy)
        return true;
    job wind = {};
    *(stage *)&wind = p->stages[++*i];
    wind.gated = d->lists.slots > 0;
    wind.ended = 1;
    stamp(d, &wind);
    if (!launch_stage(d, &wind, *early, why))
        return false;
    *early = true;
    join_more(d, p, i, end, g, g->own);
    return true;
}

// Between the end of one substep and that of the next, who reads velocities? Rows do not. Then those of free particles need not be written,
// nor what they were be read.
static bool velocities_pass(const device *d, const plan *p, int64_t i, int64_t end, uint32_t own)
{
    const state *s = &d->captured;
    const uint32_t both = OWN_VELOCITY | OWN_PREDICT;
    if ((own & both) != both || own & OWN_AIR || d->lists.slots || s->second || s->contact.bouncy)
        return false;
    while (i < end && (p->stages[i].op == OP_TILES || p->stages[i].op == OP_SWEEP || p->stages[i].op == OP_JACOBI ||
                       p->stages[i].op == OP_JACOBI_MOVE))
        i++;
    return i < end && p->stages[i].op == OP_VELOCITY;
}

static const int32_t *range_of(const device *d, const stage *g, const plan *p, int64_t i)
{
    if (!g->range)
        return NULL;
    // Colours come one after the other.
    int64_t first = i;
    while (first > 0 && p->stages[first - 1].op == g->op)
        first--;
    return (g->op == OP_SKIN || g->op == OP_SKIN_BOUNCE ? d->skin.ranges : d->lists.ranges) +
           (i - first) % PAIR_COLOURS;
}

static bool launch_spin_first(device *d, const plan *p, int64_t i, int64_t end, bool *early, device_error *why)
{
    if (!spin_comes_first(p, i, end) || match_spins_inside(d))
        return true;
    job spin = {};
    *(stage *)&spin = p->stages[i + 1];
    spin.gated = d->lists.slots > 0;
    bool launched = launch_stage(d, &spin, *early, why);
    *early = true;
    return launched;
}

static bool capture_stages(device *d, const plan *p, int64_t begin, int64_t end, bool *early, device_error *why)
{
    int32_t last = (int32_t)d->substep_count - 1;
    for (int64_t i = begin; i < end; i++)
    {
        int64_t at = i;
        if (!launch_spin_first(d, p, i, end, early, why))
            return false;
        job g = join_own(d, p, &i, end);
        join_lead(d, p, &i, end, &g);
        join_bodies(d, p, &i, end, &g);
        if (!blow_early(d, p, &i, end, &g, early, why))
            return false;
        if (g.own && i + 1 < end && p->stages[i + 1].op == OP_TILES && own_before_tiles(g.own))
        {
            uint32_t own = g.own;
            *(stage *)&g = p->stages[++i];
            g.own = own;
            g.passing = velocities_pass(d, p, i + 1, end, own);
        }
        i += match_joins(d, p->stages + i, end - i, &g);
        if (g.op == OP_MATCH_SPIN && match_spins_inside(d))
            continue;
        if (!g.range && g.end <= g.begin)
            continue;
        g.gated = d->lists.slots > 0;
        g.range = g.own ? NULL : range_of(d, &p->stages[at], p, at);
        if (g.op == OP_CHECK)
            g.substep = last;
        stamp(d, &g);
        set_asking(d, &g);
        *early |= g.asked != NULL; // what comes after it waits outside
        g.late = g.asked != NULL;
        colour_list colours;
        int relayed = g.own ? 0 : relay_joins(d, p->stages + i, end - i);
        int passed = g.own ? 0 : pass_joins(d, p->stages + i, end - i);
        int together = relayed ? relayed : passed ? passed : sweeps_join(d, p->stages + i, end - i, &colours);
        if (!(relayed    ? launch_relay(d, &g, *early, why)
              : passed   ? launch_pass(d, &g, *early, why)
              : together ? launch_sweeps(d, &g, &colours, *early, why)
                         : launch_stage(d, &g, *early, why)))
            return false;
        if (g.faces)
            change_places(&d->captured.slot[SLOT_NORMAL], &d->faces);
        i += together ? together - 1 : 0;
        *early = g.op != OP_WEAR; // what flows is read ahead by those that come early
    }
    return true;
}

static __global__ void stamp_end(const __grid_constant__ job g)
{
    fall_in();
    stamp_time(g);
}

// calm: the lists are taken to hold, and are only asked.
static bool capture_substeps(device *d, cudaStream_t stream, int32_t substeps, bool calm, device_error *why)
{
    const plan *p = d->plan;
    cudaStream_t outside = d->stream;
    float *slot[SLOT_ARRAYS], *faces = d->faces;
    bool early = false, captured = true; // the first follows a branch
    memcpy(slot, d->captured.slot, sizeof slot);
    d->stream = stream;
    d->asking = calm && asks_itself(d);
    for (int32_t s = 0; s < substeps && captured; s++)
    {
        int64_t end = s + 1 < substeps ? p->head + (s + 1) * p->body : p->count;
        captured = calm ? lists_hold_on(d, s, early, why) : skin_refresh(d, s, why) && lists_refresh(d, s, why);
        early = false; // kernels of two substeps that wait beside each other are slower
        captured = captured && capture_stages(d, p, p->head + s * p->body, end, &early, why);
    }
    memcpy(d->captured.slot, slot, sizeof slot);
    d->faces = faces;
    d->asking = false;
    d->stream = outside;
    return captured;
}

static bool capture_calm(device *d, cudaStream_t stream, int substeps, device_error *why)
{
    return capture_substeps(d, stream, substeps, true, why);
}

static bool capture_stirred(device *d, cudaStream_t stream, int substeps, device_error *why)
{
    return capture_substeps(d, stream, substeps, false, why);
}

static bool capture(device *d, const plan *p, device_error *why)
{
    bool early = false; // the first follows a copy
    d->stamp_count = 0;
    d->last_group = -1;
    if (!send_all(d, why) || !open_relays(d, why))
        return false;
    if (d->small.count)
    {
        job all = {};
        all.group = PL_STAGE_ELEMENTS;
        stamp(d, &all);
        if (!launch_small(d, &all, why))
            return false;
    }
    else if (!d->lists.slots && !capture_stages(d, p, 0, p->count, &early, why))
        return false;
    if (d->lists.slots)
    {
        if (!capture_stages(d, p, 0, p->head, &early, why))
            return false;
        int32_t substeps = (int32_t)((p->count - p->head) / p->body);
        if (!launch_change(d, substeps, false, early, why))
            return false;
        if (!(substeps >= CALM_SUBSTEPS ? calm_or_not(d, substeps, early, capture_calm, capture_stirred, why)
                                        : capture_stirred(d, d->stream, substeps, why)) ||
            !launch_change(d, substeps, true, false, why))
            return false;
        early = false;
    }
    job g = {};
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
    if (!ready_small(d, why) || !ready_links(d, why) || !ready_pass(d, d->plan, why) || !ready_relay(d, d->plan, why) ||
        !ready_beside(d, why))
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
