// series.h: names that hold a frame's number: x_%04d.ply is x_0000.ply, x_0001.ply ...
#ifndef PLIANT_IO_SERIES_H
#define PLIANT_IO_SERIES_H

#include <pliant/pliant.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// False: it holds a % that is not the one %d or %04d of a series; the name never reaches printf as a format.
bool series_good(const char *path);
// Whether it is one, of those that are good.
bool series_numbered(const char *path);
// The name of a frame's file; returns its length, as snprintf does.
int series_name(const char *path, int64_t frame, char *name, size_t size);
// Whether the file of a frame could be written there; leaves nothing behind. A name without a number is itself.
pl_result series_check(const char *path, int64_t frame);

#endif
