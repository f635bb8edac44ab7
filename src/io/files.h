// files.h: whole files in, and files out that appear whole or not at all.
#ifndef PLIANT_IO_FILES_H
#define PLIANT_IO_FILES_H

#include <pliant/pliant.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

// Reads a regular file of at most `limit` bytes. Free *text with free(); a 0 stands behind it.
pl_result file_read(const char *path, size_t limit, char **text, size_t *length);

// Whether a file's name ends in this, in capitals or not: path_ends("X.PNG", "png").
bool path_ends(const char *path, const char *ending);

// A file that is written under another name beside its own, and takes its own when it is finished. Links are followed, the
// mode of a file that is replaced stays. Devices and pipes are written straight through.
struct out_file
{
    FILE *stream;
    char *path, *real, *part; // as named; where links lead; the name while it is written. The last two only for files
};

pl_result out_open(struct out_file *out, const char *path);
// The same for a program's output: "-" is the standard output.
pl_result out_open_text(struct out_file *out, const char *path);
bool out_is_stdout(const char *path);
// Whether a file could be written there; leaves nothing behind. To be asked before hours of work.
pl_result out_check(const char *path);
// Flushes, and renames. On failure nothing is left behind.
pl_result out_finish(struct out_file *out);
// Flushes a stream, such as stdout; fails when anything written to it was lost.
pl_result stream_finish(FILE *stream, const char *path);
// Leaves nothing behind. Does nothing when it is not open.
void out_abort(struct out_file *out);
// Removes what is half-written, of all that are open. For a signal's handler; the program must end after it.
void out_abandon_all(void);

// Little-endian, whatever the machine is.
void out_u32(struct out_file *out, uint32_t value);
void out_u64(struct out_file *out, uint64_t value);
void out_floats(struct out_file *out, const float *values, size_t count);
void out_ints(struct out_file *out, const int32_t *values, size_t count);

#endif
