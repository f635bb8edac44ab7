// film.h: pictures into a film, through the ffmpeg program: x.mp4, x.gif, x.webp. It appears whole or not at all.
#ifndef PLIANT_VIEWER_FILM_H
#define PLIANT_VIEWER_FILM_H

#include <stdbool.h>
#include <stdint.h>

struct film;

// Whether ffmpeg is there at all.
bool film_ready(void);
bool film_open(struct film **film, const char *path, int width, int height, int fps);
// rgb: 3 bytes for each pixel, the top row first.
bool film_frame(struct film *film, const uint8_t *rgb);
// Waits for ffmpeg, renames; frees the film, whether it went well or not.
bool film_close(struct film *film);
// Leaves nothing behind.
void film_abort(struct film *film);

#endif
