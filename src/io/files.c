// files.c: see files.h.
#include "files.h"

#include "core/error.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

pl_result file_read(const char *path, size_t limit, char **text, size_t *length)
{
    struct stat about;
    *text = NULL;
    *length = 0;
    // Asked before opening, because opening a pipe would wait for a writer.
    if (stat(path, &about) != 0)
    {
        return fail(PL_ERROR_FILE, "%s:1:1: error: cannot read it: %s; a file should be there", path, strerror(errno));
    }
    if (!S_ISREG(about.st_mode))
    {
        return fail(PL_ERROR_FILE, "%s:1:1: error: not a regular file; name a file", path);
    }
    if ((uintmax_t)about.st_size > limit)
    {
        return fail(PL_ERROR_FILE, "%s:1:1: error: %ju bytes; at most %zu are read", path, (uintmax_t)about.st_size,
                    limit);
    }
    FILE *file = fopen(path, "rb");
    char *data = malloc((size_t)about.st_size + 1);
    if (!file || !data)
    {
        int why = errno;
        free(data);
        if (file)
        {
            fclose(file);
            return fail(PL_ERROR_MEMORY, "%s:1:1: error: no memory for %ju bytes; a smaller file would fit", path,
                        (uintmax_t)about.st_size);
        }
        return fail(PL_ERROR_FILE, "%s:1:1: error: cannot read it: %s; check its permissions", path, strerror(why));
    }
    *length = fread(data, 1, (size_t)about.st_size, file);
    data[*length] = 0;
    bool broken = ferror(file) != 0;
    fclose(file);
    if (broken)
    {
        free(data);
        return fail(PL_ERROR_FILE, "%s:1:1: error: reading failed half-way; check the disk", path);
    }
    *text = data;
    return PL_OK;
}

pl_result out_open(struct out_file *out, const char *path)
{
    size_t length = strlen(path) + 32;
    *out = (struct out_file){.path = strdup(path), .part = malloc(length)};
    if (!out->path || !out->part)
    {
        out_abort(out);
        return fail(PL_ERROR_MEMORY, "no memory to write %s; try again", path);
    }
    // The number keeps two runs that write the same file apart.
    snprintf(out->part, length, "%s.%ld.part", path, (long)getpid());
    out->stream = fopen(out->part, "wb");
    if (!out->stream)
    {
        pl_result result =
            fail(PL_ERROR_FILE, "cannot write %s: %s; name a file in a folder that exists and can be written to", path,
                 strerror(errno));
        out_abort(out);
        return result;
    }
    return PL_OK;
}

static void out_forget(struct out_file *out)
{
    free(out->path);
    free(out->part);
    *out = (struct out_file){0};
}

void out_abort(struct out_file *out)
{
    if (out->stream)
    {
        fclose(out->stream);
        remove(out->part);
    }
    out_forget(out);
}

pl_result out_check(const char *path)
{
    struct out_file out;
    pl_result result = out_open(&out, path);
    out_abort(&out);
    return result;
}

pl_result out_finish(struct out_file *out)
{
    bool good = fflush(out->stream) == 0 && !ferror(out->stream);
    // On the disk before the rename, or a power cut could leave an empty file under the final name.
    good = good && fsync(fileno(out->stream)) == 0;
    good = fclose(out->stream) == 0 && good;
    out->stream = NULL;
    pl_result result = PL_OK;
    if (!good || rename(out->part, out->path) != 0)
    {
        result = fail(PL_ERROR_FILE, "cannot write %s: %s; check the room on the disk", out->path, strerror(errno));
        remove(out->part);
    }
    out_forget(out);
    return result;
}

void out_u32(struct out_file *out, uint32_t value)
{
    unsigned char b[4] = {(unsigned char)value, (unsigned char)(value >> 8), (unsigned char)(value >> 16),
                          (unsigned char)(value >> 24)};
    fwrite(b, 1, sizeof b, out->stream);
}

void out_u64(struct out_file *out, uint64_t value)
{
    out_u32(out, (uint32_t)value);
    out_u32(out, (uint32_t)(value >> 32));
}

static bool little_endian(void)
{
    const uint16_t one = 1;
    unsigned char first;
    memcpy(&first, &one, 1);
    return first == 1;
}

static void out_words(struct out_file *out, const void *words, size_t count)
{
    if (little_endian())
    {
        fwrite(words, 4, count, out->stream);
        return;
    }
    for (size_t i = 0; i < count; i++)
    {
        uint32_t word;
        memcpy(&word, (const char *)words + 4 * i, 4);
        out_u32(out, word);
    }
}

void out_floats(struct out_file *out, const float *values, size_t count) { out_words(out, values, count); }

void out_ints(struct out_file *out, const int32_t *values, size_t count) { out_words(out, values, count); }
