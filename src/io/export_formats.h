// export_formats.h: declares an export format. To add one, write a file for it and add a line to the table in export.c.
#ifndef PLIANT_IO_EXPORT_FORMATS_H
#define PLIANT_IO_EXPORT_FORMATS_H

#include "export.h"
#include "export_fluid.h"
#include "export_lines.h"
#include "export_rigids.h"
#include "core/files.h"

struct export_format
{
    const char *ending;
    const char *later; // not NULL: a known format that this version does not write, and why
    bool last_only;    // a name without a number takes the last frame
    bool one_mesh;     // all frames have the same points
    pl_result (*begin)(struct exporter *e);
    pl_result (*frame)(struct exporter *e);
    pl_result (*end)(struct exporter *e);
    void (*hint)(struct export_timing timing, char *text, size_t size); // NULL: none
};

struct exporter
{
    const struct export_format *format;
    char *path;
    char *frame_path; // path of the file being written
    bool numbered;    // the path contains %d
    int64_t first_frame, last_frame, frame, frames_written;
    const pl_world *world; // of the last frame
    struct export_timing timing;
    double time;
    double began;           // time of the first frame
    int64_t samples;        // of a cache, written
    float *previous;        // of a cache with a frame rate of its own: the positions of the frame before
    int particles, faces;   // the world's own, then those of visuals, of the surfaces of bodies, of the fluids' surface
    int own, own_faces;     // the world's own particles and faces
    int rigid, rigid_faces; // where those of bodies begin
    int fluid, fluid_faces; // where those of fluids begin
    struct rigid_surfaces rigids;
    pl_fluid_surface surface;   // of all fluids
    struct strand_lines lines;  // strands of hair
    float *position, *velocity; // of the present frame
    bool warm;                  // some particle has a temperature
    float *temperature;         // NaN: it has none
    bool wide;                  // some particle has a radius
    float *radius;              // m; 0: it has none
    uint8_t *carries;           // for the world's own particles: it carries a visual, which hides it
    int32_t *face;
    struct out_file out; // closed if stream is NULL
};

// Makes the path of the present frame's file: the number replaces %d or %04d or, without one, is inserted before the
// ending.
pl_result export_frame_path(struct exporter *e, const char *ending);
// Writes one frame as a separate file.
pl_result ply_write(struct exporter *e, const char *path);
pl_result vtp_write(struct exporter *e, const char *path);

extern const struct export_format ply_format, obj_format, pc2_format, vtp_format, pvd_format;

#endif
