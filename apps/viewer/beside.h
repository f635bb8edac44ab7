// beside.h: a second session in the right half of the window, so that two settings can be compared: it has the scene with the
// changes as they were when it was opened, and runs in step with the first.
#ifndef PLIANT_VIEWER_BESIDE_H
#define PLIANT_VIEWER_BESIDE_H

#include "renderer.h"
#include "session.h"

struct beside;

// With the changes of `now` against `original`. NULL: it could not be opened; viewer_message() tells why.
struct beside *beside_open(const struct session_def *def, const char *scene, const struct parameters *parameters);
void beside_close(struct beside *b);
// What both do: restart, go back, and what frames must bring.
void beside_ask(struct beside *b, const struct wish *wish);
// It steps until it has come to this frame of the first session.
void beside_follow(struct beside *b, int64_t frame);
// Draws it into a part of the window: x and width in pixels. False: it cannot go on.
bool beside_draw(struct beside *b, const struct camera *c, const struct look *look, int x, int width, int height,
                 int samples);
// Its picture as bytes; beside_draw has been called before.
void beside_picture(struct beside *b, const struct camera *c, const struct look *look, uint8_t *rgb);

#endif
