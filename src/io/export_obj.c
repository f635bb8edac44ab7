// export_obj.c: writes what is visible as Wavefront OBJ, which nearly every program reads: only the corners of
// triangles, in the order of particles, visuals, bodies (each an object of its own) and the surface of fluids, so that they keep their
// numbers from frame to frame until something tears; those of the fluids' surface are others in every frame. Particles that carry a visual are left out, as in pictures. If there are no triangles, it writes the
// particles as points. Strands of hair are lines.
#include "export_formats.h"

#include "core/error.h"
#include "number.h"

#include <stdlib.h>
#include <string.h>

static bool shown(const struct exporter *e, int face)
{
    return face >= e->own_faces || !e->carries[e->face[3 * (size_t)face]];
}

// Sets the number of each point in the file, from 1 on; 0: it is not written.
static void number_points(const struct exporter *e, int32_t *number)
{
    int32_t next = 1;
    bool seen = false;
    memset(number, 0, (size_t)e->particles * sizeof *number);
    for (int i = 0; i < e->faces; i++)
    {
        for (int k = 0; k < 3 && shown(e, i); k++)
        {
            number[e->face[3 * (size_t)i + (size_t)k]] = 1;
            seen = true;
        }
    }
    for (int i = 0; i < strand_lines_points(&e->lines); i++)
    {
        number[e->lines.point[i]] = 1;
        seen = true;
    }
    for (int i = 0; i < e->particles; i++)
    {
        number[i] = number[i] || !seen ? next++ : 0;
    }
}

static void put_points(FILE *f, const struct exporter *e, const int32_t *number)
{
    for (int i = 0; i < e->particles; i++)
    {
        const float *x = e->position + 3 * (size_t)i;
        char t[3][NUMBER_TEXT];
        if (number[i])
        {
            fprintf(f, "v %s %s %s\n", number_write_float(x[0], t[0]), number_write_float(x[1], t[1]),
                    number_write_float(x[2], t[2]));
        }
    }
}

enum part
{
    SURFACES,
    VISUALS,
    RIGID,
    FLUID,
};

static void put_faces(FILE *f, const struct exporter *e, const int32_t *number)
{
    int written = 0, part = -1, body = 0;
    for (int i = 0; i < e->faces; i++)
    {
        const int32_t *corner = e->face + 3 * (size_t)i;
        if (!shown(e, i))
        {
            continue;
        }
        int now = i >= e->fluid_faces ? FLUID : i >= e->rigid_faces ? RIGID : i >= e->own_faces ? VISUALS : SURFACES;
        if (now != RIGID && now != part)
        {
            fputs(now == FLUID ? "o fluid\n" : now == VISUALS ? "o visuals\n" : "o surfaces\n", f);
        }
        while (now == RIGID && body < e->rigids.count && i - e->rigid_faces >= e->rigids.triangle[body])
        {
            if (e->rigids.triangle[body + 1] > i - e->rigid_faces)
            {
                fprintf(f, "o rigid_%d\n", body);
            }
            body++;
        }
        part = now;
        fprintf(f, "f %d %d %d\n", number[corner[0]], number[corner[1]], number[corner[2]]);
        written++;
    }
    for (int i = 0; i < e->lines.count; i++, written++)
    {
        fputs(i ? "l" : "o hair\nl", f);
        for (int k = e->lines.start[i]; k < e->lines.start[i + 1]; k++)
        {
            fprintf(f, " %d", number[e->lines.point[k]]);
        }
        fputc('\n', f);
    }
    for (int i = 0; i < e->particles && !written; i++)
    {
        fprintf(f, "%sp %d\n", i ? "" : "o particles\n", number[i]);
    }
}

static pl_result write(struct exporter *e, const char *path)
{
    int32_t *number = malloc(((size_t)e->particles + 1) * sizeof *number);
    pl_result result =
        number ? out_open(&e->out, path) : fail(PL_ERROR_MEMORY, "no memory to write %s; try again", path);
    if (result == PL_OK)
    {
        number_points(e, number);
        fprintf(e->out.stream, "# Pliant %s, frame %lld, metres, y up\n", pl_version(), (long long)e->frame);
        put_points(e->out.stream, e, number);
        put_faces(e->out.stream, e, number);
        result = out_finish(&e->out);
    }
    free(number);
    return result;
}

static pl_result frame(struct exporter *e)
{
    pl_result result = e->numbered ? export_frame_path(e, "obj") : PL_OK;
    return result == PL_OK ? write(e, e->numbered ? e->frame_path : e->path) : result;
}

static void hint(struct export_timing timing, char *text, size_t size)
{
    (void)timing;
    snprintf(text, size, "Blender: import as OBJ with Forward -Z, Up Y, its defaults");
}

const struct export_format obj_format = {.ending = "obj", .last_only = true, .frame = frame, .hint = hint};
