// files.h: reads whole files, and writes files that appear completely or not at all.
#ifndef PLIANT_CORE_FILES_H
#define PLIANT_CORE_FILES_H

#include <pliant/pliant.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

// Reads a regular file of at most `limit` bytes, and appends a 0. Free *text with free().
pl_result file_read(const char *path, size_t limit, char **text, size_t *length);

// Returns whether a file's name has this ending, ignoring case: path_ends("X.PNG", "png").
bool path_ends(const char *path, const char *ending);

// Returns whether a path leads to a file in the folder that it is relative to, or below it: neither absolute nor with "..".
bool path_is_inside(const char *path);

// A file that is written under a temporary name beside its own and renamed when it is finished. Links are followed, and
// the mode of a replaced file is kept. Devices and pipes are written directly.
struct out_file
{
    FILE *stream;
    char *path, *real, *part; // as named; the target of links; the temporary name. The last two only for regular files
};

pl_result out_open(struct out_file *out, const char *path);
// The same for a program's output: "-" is the standard output.
pl_result out_open_text(struct out_file *out, const char *path);
bool out_is_stdout(const char *path);
// Checks that a file could be written there, and leaves nothing behind. Call it before hours of work.
pl_result out_check(const char *path);
// Flushes and renames. On failure nothing is left behind.
pl_result out_finish(struct out_file *out);
// Flushes a stream, such as stdout; fails if anything written to it was lost.
pl_result stream_finish(FILE *stream, const char *path);
// Closes and removes the partial file. Does nothing if it is not open.
void out_abort(struct out_file *out);
// Tells which process writes the partial file; 0: none any more. out_abandon_all kills it first.
void out_written_by(const struct out_file *out, pid_t process);
// Removes the partial files of all open outputs. For a signal handler; the program must end after it.
void out_abandon_all(void);

// Writes a number as little-endian on every machine.
void out_u32(struct out_file *out, uint32_t value);
void out_u64(struct out_file *out, uint64_t value);
void out_floats(struct out_file *out, const float *values, size_t count);
void out_ints(struct out_file *out, const int32_t *values, size_t count);

#endif
