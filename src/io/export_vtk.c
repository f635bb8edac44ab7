// export_vtk.c: writes VTK's PolyData (VTP, one frame) and the collection of a run (PVD), which ParaView reads.
#include "export_formats.h"

#include "core/error.h"
#include "number.h"

#include <stdlib.h>
#include <string.h>

// The arrays follow at the end of the file as raw data, each after its length in bytes (UInt64).
struct layout
{
    uint64_t offset;
};

static uint64_t place(struct layout *l, uint64_t bytes)
{
    uint64_t here = l->offset;
    l->offset += 8 + bytes;
    return here;
}

static void put_array(FILE *f, const char *name, const char *type, int components, uint64_t offset)
{
    fprintf(f, "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"appended\" offset=\"%llu\"/>\n",
            type, name, components, (unsigned long long)offset);
}

// Writes connectivity and offsets of `count` cells, which have so many corners together.
static void put_cells(FILE *f, struct layout *l, const char *name, uint64_t count, uint64_t corners)
{
    fprintf(f, "<%s>\n", name);
    put_array(f, "connectivity", "Int32", 1, place(l, 4 * corners));
    put_array(f, "offsets", "Int32", 1, place(l, 4 * count));
    fprintf(f, "</%s>\n", name);
}

static void append_counting(struct out_file *out, uint64_t count, uint32_t start, uint32_t step)
{
    out_u64(out, 4 * count);
    for (uint64_t i = 0; i < count; i++)
    {
        out_u32(out, start + (uint32_t)i * step);
    }
}

// How many cells of each sort a file has.
struct cells
{
    uint64_t points, verts, lines, ends, faces; // ends: of all lines together
};

static void put_header(FILE *f, const struct exporter *e, const struct cells *n)
{
    struct layout l = {0};
    fputs("<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" "
          "header_type=\"UInt64\">\n",
          f);
    fprintf(f,
            "<PolyData><Piece NumberOfPoints=\"%llu\" NumberOfVerts=\"%llu\" NumberOfLines=\"%llu\" "
            "NumberOfStrips=\"0\" NumberOfPolys=\"%llu\">\n",
            (unsigned long long)n->points, (unsigned long long)n->verts, (unsigned long long)n->lines,
            (unsigned long long)n->faces);
    fputs("<PointData Vectors=\"velocity\">\n", f);
    put_array(f, "velocity", "Float32", 3, place(&l, 12 * n->points));
    if (e->warm)
    {
        put_array(f, "temperature", "Float32", 1, place(&l, 4 * n->points));
    }
    if (e->wide)
    {
        put_array(f, "radius", "Float32", 1, place(&l, 4 * n->points));
    }
    fputs("</PointData>\n<Points>\n", f);
    put_array(f, "position", "Float32", 3, place(&l, 12 * n->points));
    fputs("</Points>\n", f);
    put_cells(f, &l, "Verts", n->verts, n->verts);
    if (n->lines)
    {
        put_cells(f, &l, "Lines", n->lines, n->ends);
    }
    put_cells(f, &l, "Polys", n->faces, 3 * n->faces);
    fputs("</Piece></PolyData>\n<AppendedData encoding=\"raw\">\n_", f);
}

static void append_floats(struct out_file *out, const float *from, uint64_t count)
{
    out_u64(out, 4 * count);
    out_floats(out, from, (size_t)count);
}

static void append_ints(struct out_file *out, const int32_t *from, uint64_t count)
{
    out_u64(out, 4 * count);
    out_ints(out, from, (size_t)count);
}

pl_result vtp_write(struct exporter *e, const char *path)
{
    pl_result result = out_open(&e->out, path);
    if (result != PL_OK)
    {
        return result;
    }
    struct cells n = {.points = (uint64_t)e->particles,
                      .lines = (uint64_t)e->lines.count,
                      .ends = (uint64_t)strand_lines_points(&e->lines),
                      .faces = (uint64_t)e->faces};
    n.verts = n.faces || n.lines ? 0 : n.points; // so that something is visible
    put_header(e->out.stream, e, &n);
    append_floats(&e->out, e->velocity, 3 * n.points);
    if (e->warm)
    {
        append_floats(&e->out, e->temperature, n.points);
    }
    if (e->wide)
    {
        append_floats(&e->out, e->radius, n.points);
    }
    append_floats(&e->out, e->position, 3 * n.points);
    append_counting(&e->out, n.verts, 0, 1);
    append_counting(&e->out, n.verts, 1, 1);
    if (n.lines)
    {
        append_ints(&e->out, e->lines.point, n.ends);
        append_ints(&e->out, e->lines.start + 1, n.lines);
    }
    append_ints(&e->out, e->face, 3 * n.faces);
    append_counting(&e->out, n.faces, 3, 3);
    fputs("\n</AppendedData>\n</VTKFile>\n", e->out.stream);
    return out_finish(&e->out);
}

static pl_result vtp_frame(struct exporter *e)
{
    pl_result result = e->numbered ? export_frame_path(e, "vtp") : PL_OK;
    return result == PL_OK ? vtp_write(e, e->numbered ? e->frame_path : e->path) : result;
}

static pl_result pvd_frame(struct exporter *e)
{
    pl_result result = export_frame_path(e, "vtp");
    return result == PL_OK ? vtp_write(e, e->frame_path) : result;
}

static void put_escaped(FILE *f, const char *text)
{
    for (; *text; text++)
    {
        switch (*text)
        {
        case '&':
            fputs("&amp;", f);
            break;
        case '<':
            fputs("&lt;", f);
            break;
        case '"':
            fputs("&quot;", f);
            break;
        default:
            fputc(*text, f);
        }
    }
}

// Writes the collection last, when all of its frames exist.
static pl_result pvd_end(struct exporter *e)
{
    pl_result result = out_open(&e->out, e->path);
    if (result != PL_OK)
    {
        return result;
    }
    FILE *f = e->out.stream;
    fputs("<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" "
          "byte_order=\"LittleEndian\">\n<Collection>\n",
          f);
    for (int64_t i = 0; i < e->frames_written && result == PL_OK; i++)
    {
        char time[NUMBER_TEXT];
        e->frame = e->first_frame + i;
        result = export_frame_path(e, "vtp");
        if (result == PL_OK)
        {
            const char *slash = strrchr(e->frame_path, '/');
            fprintf(f, "<DataSet timestep=\"%s\" file=\"", number_write((double)e->frame * (double)e->timing.dt, time));
            put_escaped(f, slash ? slash + 1 : e->frame_path);
            fputs("\"/>\n", f);
        }
    }
    fputs("</Collection>\n</VTKFile>\n", f);
    return result == PL_OK ? out_finish(&e->out) : result;
}

const struct export_format vtp_format = {.ending = "vtp", .last_only = true, .frame = vtp_frame};
const struct export_format pvd_format = {.ending = "pvd", .frame = pvd_frame, .end = pvd_end};
