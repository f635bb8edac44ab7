// export_pc2.c: writes every frame's points into one file, in the point cache 2 format of 3ds Max that Blender's Mesh
// Cache modifier reads.
//   char[12] "POINTCACHE2\0" · int32 version 1 · int32 points · float first frame · float frames per sample · int32
//   samples
//   then for each sample 3 floats for each point; all little-endian
// Apply it to a mesh with the same points (a PLY of the same run), with "up" set to Y and "forward" to -Z.
#include "export_formats.h"

#include "core/error.h"

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
    return PL_OK;
}

static pl_result frame(struct exporter *e)
{
    out_floats(&e->out, e->position, 3 * (size_t)e->particles);
    return ferror(e->out.stream) ? stream_finish(e->out.stream, e->path) : PL_OK;
}

// Writes the number of samples, which is known only now: a run may be stopped early.
static pl_result end(struct exporter *e)
{
    if (fseek(e->out.stream, SAMPLES_OFFSET, SEEK_SET) != 0)
    {
        return fail(PL_ERROR_FILE, "cannot write %s; use a regular file", e->path);
    }
    out_u32(&e->out, (uint32_t)e->frames_written);
    return out_finish(&e->out);
}

const struct export_format pc2_format = {.ending = "pc2", .one_mesh = true, .begin = begin, .frame = frame, .end = end};
