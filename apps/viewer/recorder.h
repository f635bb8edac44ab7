// recorder.h: a run as pictures and films, without a screen. The ending of a name chooses:
//   x.png        the last frame               x_%04d.png   every frame, numbered; neither needs ffmpeg
//   x.mp4 x.gif x.webp   a film in real time, through the ffmpeg program
#ifndef PLIANT_VIEWER_RECORDER_H
#define PLIANT_VIEWER_RECORDER_H

#include "renderer.h"

struct recorder_def
{
    const char *const *paths;
    int path_count;
    int width, height; // 0: 1280 x 720, or 640 x 360 where there are only gif and webp
    int fps;           // 0: 30
    double time_scale; // simulated seconds in a second of film; 0: 1
    int samples;       // 0: 4, or as many as there are
    pl_scene_info scene;
    struct look look;
    void (*tell)(const char *what); // of each file that is lost; NULL: nobody is told
};

struct recorder;

// Whether the name is one of ours.
bool recorder_takes(const char *path);
// Fails here, before anything is simulated, where there is no EGL, no ffmpeg, or no folder to write to.
bool recorder_open(struct recorder **r, const struct recorder_def *def, const pl_world *world);
// Takes the world's present state: to be called once before the first step and after every step. A file that cannot take
// it is told of and given up, and the others go on; false: one was.
bool recorder_frame(struct recorder *r, const pl_world *world);
// Finishes every file, and frees the recorder, whether it went well or not. What is lost is told of. world: that of the
// last frame.
bool recorder_close(struct recorder *r, const pl_world *world);
// Frees it and leaves nothing half-written behind.
void recorder_abort(struct recorder *r);

#endif
