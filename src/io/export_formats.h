// export_formats.h: what a format has to offer. A new one is a file of its own and a line in export.c's table.
#ifndef PLIANT_IO_EXPORT_FORMATS_H
#define PLIANT_IO_EXPORT_FORMATS_H

#include "export.h"
#include "files.h"

struct export_format
{
    const char *ending;
    const char *later; // not NULL: known, but not made by this version, and why
    bool last_only;    // a name without a number takes the last frame
    bool one_mesh;     // the same points in all frames
    pl_result (*begin)(struct exporter *e);
    pl_result (*frame)(struct exporter *e);
    pl_result (*end)(struct exporter *e);
};

struct exporter
{
    const struct export_format *format;
    char *path;
    char *frame_path; // of the file being written
    bool numbered;    // the path holds %d
    int64_t first_frame, last_frame, frame, frames_written;
    float dt;
    double time;
    int particles, faces;       // with the vertices and triangles of visuals, which follow the world's own
    int own, own_faces;         // the world's own
    float *position, *velocity; // of the present frame
    bool warm;                  // something has a temperature
    float *temperature;         // NaN: has none
    bool wide;                  // something has a radius
    float *radius;              // m; 0: has none
    uint8_t *carries;           // of the world's own: it carries a visual, which hides it
    int32_t *face;
    struct out_file out; // closed, when stream is NULL
};

// The path of the present frame's file: the number goes where %d or %04d stands, or, without one, before the ending.
pl_result export_frame_path(struct exporter *e, const char *ending);
// Writes one frame as a file of its own.
pl_result ply_write(struct exporter *e, const char *path);
pl_result vtp_write(struct exporter *e, const char *path);

extern const struct export_format ply_format, obj_format, pc2_format, vtp_format, pvd_format;

#endif
