// png_file.h: a picture as a PNG file that appears whole or not at all.
#ifndef PLIANT_VIEWER_PNG_FILE_H
#define PLIANT_VIEWER_PNG_FILE_H

#include <stdbool.h>
#include <stdint.h>

// rgb: 3 bytes for each pixel, the top row first.
bool png_write(const char *path, const uint8_t *rgb, int width, int height);

#endif
