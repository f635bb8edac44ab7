// series.h: handles file names that contain a frame's number: x_%04d.ply is x_0000.ply, x_0001.ply ...
#ifndef PLIANT_IO_SERIES_H
#define PLIANT_IO_SERIES_H

#include <pliant/pliant.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Returns false if the name contains a % that is not the single %d or %04d of a series. The name is never used as a
// format of printf.
bool series_good(const char *path);
// Returns whether a good name contains a number.
bool series_numbered(const char *path);
// Writes the name of a frame's file; returns its length, as snprintf does.
int series_name(const char *path, int64_t frame, char *name, size_t size);
// Checks that the file of a frame could be written there, and leaves nothing behind. A name without a number is used as
// it is.
pl_result series_check(const char *path, int64_t frame);

#endif
