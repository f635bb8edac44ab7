// export_ply.c: writes points, triangles and, for the links of hair, edges as binary PLY (Turk 1994), which Blender, MeshLab and many others read.
#include "export_formats.h"

pl_result ply_write(struct exporter *e, const char *path)
{
    pl_result result = out_open(&e->out, path);
    if (result != PL_OK)
    {
        return result;
    }
    fprintf(e->out.stream,
            "ply\nformat binary_little_endian 1.0\ncomment Pliant %s, frame %lld, metres, y up\n"
            "element vertex %d\nproperty float x\nproperty float y\nproperty float z\n%s%s"
            "element face %d\nproperty list uchar int vertex_indices\n",
            pl_version(), (long long)e->frame, e->particles, e->warm ? "property float temperature\n" : "",
            e->wide ? "property float radius\n" : "", e->faces);
    if (e->lines.count)
    {
        fprintf(e->out.stream, "element edge %d\nproperty int vertex1\nproperty int vertex2\n",
                strand_lines_points(&e->lines) - e->lines.count);
    }
    fputs("end_header\n", e->out.stream);
    for (int i = 0; i < e->particles; i++)
    {
        out_floats(&e->out, e->position + 3 * (size_t)i, 3);
        out_floats(&e->out, e->temperature + i, e->warm);
        out_floats(&e->out, e->radius + i, e->wide);
    }
    for (int i = 0; i < e->faces; i++)
    {
        fputc(3, e->out.stream);
        out_ints(&e->out, e->face + 3 * (size_t)i, 3);
    }
    for (int i = 0; i < e->lines.count; i++)
    {
        for (int k = e->lines.start[i]; k + 1 < e->lines.start[i + 1]; k++)
        {
            out_ints(&e->out, e->lines.point + k, 2);
        }
    }
    return out_finish(&e->out);
}

static pl_result frame(struct exporter *e)
{
    pl_result result = e->numbered ? export_frame_path(e, "ply") : PL_OK;
    return result == PL_OK ? ply_write(e, e->numbered ? e->frame_path : e->path) : result;
}

static void hint(struct export_timing timing, char *text, size_t size)
{
    (void)timing;
    snprintf(text, size, "Blender: import as PLY, then turn the object by 90 degrees around X: y is up in the file");
}

const struct export_format ply_format = {.ending = "ply", .last_only = true, .frame = frame, .hint = hint};
