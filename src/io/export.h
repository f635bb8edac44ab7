// export.h: exports a run as files that other programs read. The ending of the name chooses the format:
//   x.ply   the last frame, as points and triangles   x_%04d.ply   every frame, numbered
//   x.obj   the last frame's visible triangles        x_%04d.obj   every frame's
//   x.vtp   the last frame, for ParaView              x.pvd        every frame as x_0000.vtp ..., and the collection
//   x.pc2   every frame's points in one file, for Blender's mesh cache
// Frame 0 is the state before the first step. Every file appears under its name only when it is complete.
#ifndef PLIANT_IO_EXPORT_H
#define PLIANT_IO_EXPORT_H

#include <pliant/pliant.h>

struct exporter;

struct export_timing
{
    float dt;     // s; of a frame of the run
    double fps;   // samples of a cache (.pc2) in a second of playback; 0: one for each frame of the run
    double speed; // simulated seconds in a second of playback; 0: 1
};

// Opens an export for a run of the world from its present frame to `last_frame`. No file appears under the final name
// yet.
pl_result export_open(const char *path, const pl_world *world, int64_t last_frame, struct export_timing timing,
                      struct exporter **exporter);
// Writes how to read the file in Blender into `text`, which is empty for formats that Blender does not read.
void export_hint(const char *path, struct export_timing timing, char *text, size_t size);
// Takes the world's present state. Call it once before the first step and after every step.
pl_result export_frame(struct exporter *exporter, const pl_world *world);
// Finishes, and frees the exporter, also on failure. The world of the last frame must still be there.
pl_result export_close(struct exporter *exporter);
// Frees the exporter and removes incomplete files.
void export_abort(struct exporter *exporter);

// Returns whether the name can be exported to; if not, fails with a message that says what would be right.
pl_result export_check(const char *path);

#endif
