// export_pc2.c: writes every frame's points into one file, in the point cache 2 format of 3ds Max that Blender's Mesh
// Cache modifier reads.
//   char[12] "POINTCACHE2\0" · int32 version 1 · int32 points · float first frame · float frames per sample · int32
//   samples
//   then for each sample 3 floats for each point; all little-endian
// Apply it to a mesh with the same points: a PLY of the same run. Blender imports a PLY as it is, so y is up; with
// "forward" +Z and "up" -Y the modifier makes that z (tests/cli/blender.sh checks it).
//
// With a frame rate of its own the cache has samples at the times k speed/fps after the first frame: on the straight line
// between the frames of the run before and after it.
#include "export_formats.h"

#include "core/error.h"

#include <stdlib.h>
#include <string.h>

enum
{
    SAMPLES_OFFSET = 28,
};

static pl_result begin(struct exporter *e)
{
    pl_result result = out_open(&e->out, e->path);
    if (result != PL_OK)
    {
        return result;
    }
    if (!e->out.part) // reported now, not after hours of work
    {
        return fail(PL_ERROR_FILE,
                    "cannot write %s: its header is written last, which is not possible with pipes and devices; use a "
                    "regular file",
                    e->path);
    }
    const float timing[2] = {(float)e->first_frame, 1.0f};
    fwrite("POINTCACHE2", 1, 12, e->out.stream);
    out_u32(&e->out, 1);
    out_u32(&e->out, (uint32_t)e->particles);
    out_floats(&e->out, timing, 2);
    out_u32(&e->out, 0);
    if (e->timing.fps > 0.0)
    {
        e->previous = malloc(((size_t)e->particles * 3 + 1) * sizeof *e->previous);
        return e->previous ? PL_OK : fail(PL_ERROR_MEMORY, "no memory to write %s; try again", e->path);
    }
    return PL_OK;
}

static double speed_of(struct export_timing timing) { return timing.speed > 0.0 ? timing.speed : 1.0; }
static double sample_time(const struct exporter *e, int64_t sample)
{
    return e->began + (double)sample * speed_of(e->timing) / e->timing.fps;
}

// Writes the samples that lie after the frame before and not after this one.
static void put_due_samples(struct exporter *e)
{
    // A sample that is due within a thousandth of a frame is due: dt is no decimal number.
    const double dt = (double)e->timing.dt, slack = 1e-3 * dt;
    const size_t count = 3 * (size_t)e->particles;
    for (double due = sample_time(e, e->samples); due <= e->time + slack; due = sample_time(e, ++e->samples))
    {
        double after = (due - (e->time - dt)) / dt; // 0 at the frame before, 1 at this one
        float share = e->samples == 0 || after > 1.0 ? 1.0f : (float)after;
        for (size_t i = 0; i < count; i++)
        {
            float x = share < 1.0f ? e->previous[i] + share * (e->position[i] - e->previous[i]) : e->position[i];
            out_floats(&e->out, &x, 1);
        }
    }
    memcpy(e->previous, e->position, count * sizeof *e->previous);
}

static pl_result frame(struct exporter *e)
{
    if (e->timing.fps > 0.0)
    {
        put_due_samples(e);
    }
    else
    {
        out_floats(&e->out, e->position, 3 * (size_t)e->particles);
        e->samples++;
    }
    return ferror(e->out.stream) ? stream_finish(e->out.stream, e->path) : PL_OK;
}

// Writes the number of samples, which is known only now: a run may be stopped early.
static pl_result end(struct exporter *e)
{
    if (fseek(e->out.stream, SAMPLES_OFFSET, SEEK_SET) != 0)
    {
        return fail(PL_ERROR_FILE, "cannot write %s; use a regular file", e->path);
    }
    out_u32(&e->out, (uint32_t)e->samples);
    return out_finish(&e->out);
}

static void hint(struct export_timing timing, char *text, size_t size)
{
    double rate = timing.fps > 0.0 ? timing.fps : speed_of(timing) / (double)timing.dt;
    snprintf(
        text, size,
        "Blender: import frame 0 as PLY, add a Mesh Cache modifier (PC2, Forward +Z, Up -Y), and set the frame rate to "
        "%.6g%s",
        rate, timing.fps > 0.0 ? "" : "; --fps 24 writes for 24");
}

const struct export_format pc2_format = {
    .ending = "pc2", .one_mesh = true, .begin = begin, .frame = frame, .end = end, .hint = hint};
