// cluster_frame_plan.cu: decides which scenes run in one kernel (cluster_frame.cu), and makes the list of a frame's
// tasks.
#include "backend/cuda/links.h"
#include "backend/cuda/per_particle.h"
#include "backend/cuda/cluster_frame_pack.h"

// ---- tasks ---------------------------------------------------------------------------------------------------------

// A frame's tasks, and the runs of rows among them, which are the same in every substep.
struct cluster_list
{
    cluster_task *tasks;
    cluster_run *runs;
};

static bool cluster_task_of(const device *d, const stage *g, cluster_task *j)
{
    const uint32_t able =
        PER_PARTICLE_REMEMBER | PER_PARTICLE_VELOCITY | PER_PARTICLE_CHECK | PER_PARTICLE_AIR | PER_PARTICLE_PREDICT;
    *j = cluster_task{CLUSTER_PER_PARTICLE, g->kind, g->first, g->keep, g->substep, per_particle_stage(g->op), 0};
    if (j->per_particle)
        return !(j->per_particle & ~able);
    j->op = g->op == OP_WIND ? CLUSTER_WIND : CLUSTER_SWEEP;
    return g->op == OP_WIND || (g->op == OP_SWEEP && is_link(g->kind) && !d->captured.rows[g->kind].damped);
}

// One task can run several per-particle stages if they come in the order of own_slot.
static bool joins(const cluster_task *last, const cluster_task *j)
{
    const uint32_t order[] = {PER_PARTICLE_REMEMBER, PER_PARTICLE_VELOCITY, PER_PARTICLE_CHECK, PER_PARTICLE_AIR,
                              PER_PARTICLE_PREDICT};
    int latest = -1, mine = -1;
    for (int i = 0; i < 5; i++)
    {
        latest = last->per_particle & order[i] ? i : latest;
        mine = j->per_particle & order[i] ? i : mine;
    }
    return last->op == CLUSTER_PER_PARTICLE && j->op == CLUSTER_PER_PARTICLE && mine > latest;
}

static void add_task(cluster_task *tasks, int32_t *count, cluster_task j)
{
    cluster_task *last = *count ? tasks + *count - 1 : NULL;
    if (last && joins(last, &j))
        last->per_particle |= j.per_particle;
    else
        tasks[(*count)++] = j;
}

static int32_t run_of(cluster_run *runs, int32_t *count, const stage *g)
{
    int32_t r = 0;
    while (r < *count && (runs[r].kind != g->kind || runs[r].begin != g->begin || runs[r].end != g->end))
        r++;
    if (r == *count)
        runs[(*count)++] = cluster_run{g->kind, g->begin, g->end};
    return r;
}

static void free_list(cluster_list *l)
{
    free(l->tasks), free(l->runs);
    *l = cluster_list{};
}

// Returns no tasks if the scene has a stage that the kernel cannot run.
static cluster_list list_tasks(const device *d, cluster_frame *f)
{
    const plan *p = d->plan;
    cluster_list l = {(cluster_task *)calloc((size_t)p->count + 1, sizeof *l.tasks),
                      (cluster_run *)calloc((size_t)p->count + 1, sizeof *l.runs)};
    bool able = l.tasks && l.runs;
    for (int64_t i = 0; able && i < p->count; i++)
    {
        const stage *g = &p->stages[i];
        cluster_task j;
        if (g->end <= g->begin)
            continue;
        able = cluster_task_of(d, g, &j);
        if (able && j.op == CLUSTER_SWEEP)
            j.stretch = run_of(l.runs, &f->stretches, g);
        if (able && j.op == CLUSTER_WIND)
            f->substeps = (int32_t)d->substep_count;
        if (able)
            add_task(l.tasks, &f->count, j);
    }
    if (!able)
        free_list(&l);
    return l;
}

// ---- preparation ---------------------------------------------------------------------------------------------------

enum
{
    SMALL_MORE = 16, // rows and faces that edits may add before the frame is captured again
};

static bool sends(device *d, void *to, const void *from, size_t bytes, device_error *why)
{
    return !failed(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, d->stream), "copying stages", why) &&
           !failed(cudaStreamSynchronize(d->stream), "copying stages", why);
}

static bool send_images(device *d, const cluster_run *runs, const cluster_layout *l, device_error *why)
{
    const cluster_frame *f = &d->in_cluster;
    size_t bytes = CLUSTER_BLOCKS * image_bytes(*f);
    char *images = (char *)calloc(1, bytes);
    if (!images)
        return !failed(cudaErrorMemoryAllocation, "laying out a small scene", why);
    draw_cluster(d, runs, f, l, images);
    d->cluster_ready = sends(d, (char *)f->image, images, bytes, why);
    free(images);
    return d->cluster_ready;
}

static bool open_cluster_frame(device *d, cluster_frame f, const cluster_list *l, const cluster_layout *layout,
                               device_error *why)
{
    size_t bytes = ((size_t)f.count * sizeof *l->tasks + 15) / 16 * 16;
    if (!grow((void **)&d->cluster_tasks, &d->cluster_bytes, bytes + CLUSTER_BLOCKS * image_bytes(f), why) ||
        !sends(d, d->cluster_tasks, l->tasks, (size_t)f.count * sizeof *l->tasks, why))
        return false;
    f.tasks = (const cluster_task *)d->cluster_tasks;
    f.image = (const char *)d->cluster_tasks + bytes;
    d->in_cluster = f;
    return send_images(d, l->runs, layout, why);
}

static bool may_be_small(const device *d)
{
    return !d->lists.slots && !d->captured.second && d->captured.slots <= CLUSTER_BLOCKS * CLUSTER_SHARE;
}

// Makes the list of the frame's tasks if the scene qualifies; otherwise d->small.count stays 0.
bool ready_cluster_frame(device *d, device_error *why)
{
    cluster_frame f = {};
    cluster_layout layout = {};
    d->in_cluster = f;
    cluster_list l = may_be_small(d) ? list_tasks(d, &f) : cluster_list{};
    bool able = l.tasks && f.count && lay_out_cluster(d, l.runs, &f, &layout), done = true;
    f.rows += SMALL_MORE;
    f.faces += f.substeps ? SMALL_MORE : 0, f.corners += f.substeps ? 6 * SMALL_MORE : 0;
    if (able && cluster_frame_fits(d, f))
        done = open_cluster_frame(d, f, &l, &layout, why);
    free_layout(&layout);
    free_list(&l);
    return done;
}

// Before a frame after its rows have changed: sends new images. If the rows no longer fit, the frame is captured again.
bool ready_images(device *d, device_error *why)
{
    cluster_frame f = {};
    cluster_layout layout = {};
    if (!d->in_cluster.count || d->cluster_ready)
        return true;
    cluster_list l = list_tasks(d, &f);
    bool fits = l.tasks && lay_out_cluster(d, l.runs, &f, &layout) && f.rows <= d->in_cluster.rows &&
                f.faces <= d->in_cluster.faces && f.corners <= d->in_cluster.corners;
    bool done = fits ? send_images(d, l.runs, &layout, why) : make_graph(d, why);
    free_layout(&layout);
    free_list(&l);
    return done;
}
