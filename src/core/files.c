// files.c: reads and writes whole files, so that a failed write leaves the old file as it was.
#include "core/files.h"

#include "core/error.h"
#include "core/parts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

bool path_ends(const char *path, const char *ending)
{
    const char *slash = path ? strrchr(path, '/') : NULL, *dot = path ? strrchr(slash ? slash : path, '.') : NULL;
    return dot && strcasecmp(dot + 1, ending) == 0;
}

bool path_is_inside(const char *path)
{
    for (const char *part = path; part; part = strchr(part, '/') ? strchr(part, '/') + 1 : NULL)
        if (strncmp(part, "..", 2) == 0 && (part[2] == '/' || part[2] == 0))
            return false;
    return path[0] != '/';
}

pl_result file_read(const char *path, size_t limit, char **text, size_t *length)
{
    struct stat about;
    *text = NULL;
    *length = 0;
    // Checked before opening, because opening a pipe would wait for a writer.
    if (stat(path, &about) != 0)
    {
        return fail(PL_ERROR_FILE, "%s:1:1: error: cannot read it: %s; check its name", path, strerror(errno));
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
            return fail(PL_ERROR_MEMORY, "%s:1:1: error: no memory for %ju bytes; use a smaller file", path,
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

// ---- writing files --------------------------------------------------------------------------------------------------

static pl_result cannot_write(const char *path, int why)
{
    return fail(PL_ERROR_FILE, "cannot write %s: %s; name a file in a folder that exists and can be written to", path,
                why ? strerror(why) : "a write to it failed");
}

// Returns the target of a link, one step; NULL if it is not a link. Free it.
static char *link_target(const char *path)
{
    char target[4096];
    ssize_t length = readlink(path, target, sizeof target - 1);
    if (length <= 0)
    {
        return NULL;
    }
    target[length] = 0;
    const char *slash = target[0] == '/' ? NULL : strrchr(path, '/');
    size_t folder = slash ? (size_t)(slash - path) + 1 : 0;
    char *whole = malloc(folder + (size_t)length + 1);
    if (whole)
    {
        memcpy(whole, path, folder);
        memcpy(whole + folder, target, (size_t)length + 1);
    }
    return whole;
}

// Returns the file that a name finally refers to, whether it exists yet or not: a link stays a link, and its target is
// written.
static char *follow_links(const char *path)
{
    enum
    {
        MOST = 40, // as many as the system itself follows
    };
    char *real = strdup(path);
    for (int i = 0; real && i < MOST; i++)
    {
        char *next = link_target(real);
        if (!next)
        {
            return real;
        }
        free(real);
        real = next;
    }
    errno = real ? ELOOP : ENOMEM;
    free(real);
    return NULL;
}

// Opens a new file beside the real one. The numbers distinguish two runs, and two outputs of one run.
static FILE *open_part(struct out_file *out)
{
    enum
    {
        TRIES = 1000,
    };
    static atomic_uint counter;
    size_t length = strlen(out->real) + 48;
    parts_remove_stale(out->real);
    out->part = malloc(length);
    for (int i = 0; out->part && i < TRIES; i++)
    {
        snprintf(out->part, length, "%s.%ld.%u.part", out->real, (long)getpid(), atomic_fetch_add(&counter, 1u));
        FILE *stream = fopen(out->part, "wbxe"); // never overwrites an existing file
        if (stream)
        {
            flock(fileno(stream), LOCK_EX | LOCK_NB);
            part_remember(out->part);
        }
        if (stream || errno != EEXIST)
        {
            return stream;
        }
    }
    return NULL;
}

// Gives a file that replaces an old one its mode, and its owner if that is allowed.
static bool keep_mode(FILE *stream, const struct stat *about)
{
    bool owner = fchown(fileno(stream), about->st_uid, about->st_gid) == 0;
    // Drops the set-user-id, set-group-id and sticky bits if the owner could not be kept.
    return fchmod(fileno(stream), about->st_mode & (owner ? 07777 : 0777)) == 0;
}

enum target
{
    TARGET_NEW,
    TARGET_FILE,
    TARGET_SPECIAL, // a device or a pipe: written directly, because a rename would replace it by a file
};

static pl_result find_target(const char *path, struct stat *about, enum target *target)
{
    *target = TARGET_NEW;
    if (stat(path, about) != 0)
    {
        return errno == ENOENT ? PL_OK : cannot_write(path, errno);
    }
    if (S_ISDIR(about->st_mode))
    {
        return fail(PL_ERROR_FILE, "cannot write %s: it is a folder; name a file", path);
    }
    *target = S_ISREG(about->st_mode) ? TARGET_FILE : TARGET_SPECIAL;
    return access(path, W_OK) == 0 ? PL_OK : cannot_write(path, errno);
}

static void out_forget(struct out_file *out)
{
    part_forget(out->part);
    free(out->path);
    free(out->real);
    free(out->part);
    *out = (struct out_file){0};
}

pl_result out_open(struct out_file *out, const char *path)
{
    struct stat about;
    enum target target;
    *out = (struct out_file){0};
    pl_result result = find_target(path, &about, &target);
    if (result != PL_OK)
    {
        return result;
    }
    errno = 0;
    out->path = strdup(path);
    if (target == TARGET_SPECIAL)
    {
        out->stream = out->path ? fopen(path, "wb") : NULL;
    }
    else
    {
        out->real = out->path ? follow_links(path) : NULL;
        out->stream = out->real ? open_part(out) : NULL;
    }
    int why = errno;
    if (out->stream && target == TARGET_FILE && !keep_mode(out->stream, &about))
    {
        why = errno;
        out_abort(out);
    }
    if (!out->stream)
    {
        out_forget(out);
        return cannot_write(path, why);
    }
    return PL_OK;
}

bool out_is_stdout(const char *path) { return path && strcmp(path, "-") == 0; }

pl_result out_open_text(struct out_file *out, const char *path)
{
    if (!out_is_stdout(path))
    {
        return out_open(out, path);
    }
    *out = (struct out_file){.stream = stdout, .path = strdup("the standard output")};
    return out->path ? PL_OK : fail(PL_ERROR_MEMORY, "no memory to write the standard output; free some memory");
}

// The standard output belongs to the program and is not closed here.
static int close_stream(FILE *stream) { return stream == stdout ? 0 : fclose(stream); }

void out_abort(struct out_file *out)
{
    if (out->stream)
    {
        close_stream(out->stream);
        if (out->part)
        {
            remove(out->part);
        }
    }
    out_forget(out);
}

pl_result out_check(const char *path)
{
    struct stat about;
    enum target target;
    pl_result result = find_target(path, &about, &target);
    if (result != PL_OK || target == TARGET_SPECIAL) // opening and closing a pipe would end it
    {
        return result;
    }
    struct out_file out;
    result = out_open(&out, path);
    out_abort(&out);
    return result;
}

// Syncs the folder, so that the name itself is on the disk. Some file systems cannot do it; that is ignored.
static void sync_folder(const char *path)
{
    char *folder = strdup(path), *slash = folder ? strrchr(folder, '/') : NULL;
    if (slash)
    {
        slash[slash == folder] = 0;
    }
    int handle = open(slash ? folder : ".", O_RDONLY | O_DIRECTORY);
    if (handle >= 0)
    {
        fsync(handle);
        close(handle);
    }
    free(folder);
}

// Finds out why an earlier write failed, which is no longer known, with one more write to a file that is not kept.
static int ask_again(FILE *stream)
{
    struct stat about;
    bool file = stream != stdout && fstat(fileno(stream), &about) == 0 && S_ISREG(about.st_mode);
    errno = 0;
    return file && (fseek(stream, 0, SEEK_END) != 0 || fputc(0, stream) < 0 || fflush(stream) != 0) ? errno : 0;
}

pl_result stream_finish(FILE *stream, const char *path)
{
    errno = 0;
    bool good = fflush(stream) == 0;
    int why = good ? 0 : errno;
    bool lost = ferror(stream) != 0;
    why = good && lost ? ask_again(stream) : why;
    good = good && !lost;
    return good ? PL_OK
                : fail(PL_ERROR_FILE, "cannot write %s: %s; check the room on the disk", path,
                       why ? strerror(why) : "a write to it failed");
}

pl_result out_finish(struct out_file *out)
{
    pl_result result = stream_finish(out->stream, out->path);
    errno = 0;
    // The data must be on the disk before the rename, or a power failure could leave an empty file under the final
    // name.
    bool good = result != PL_OK || !out->part || fsync(fileno(out->stream)) == 0;
    int why = errno;
    if (close_stream(out->stream) != 0 && good)
    {
        good = false;
        why = errno;
    }
    out->stream = NULL;
    if (result == PL_OK && good && out->part && rename(out->part, out->real) != 0)
    {
        good = false;
        why = errno;
    }
    if (result == PL_OK && !good)
    {
        result = fail(PL_ERROR_FILE, "cannot write %s: %s; check the room on the disk", out->path, strerror(why));
    }
    if (out->part && result != PL_OK)
    {
        remove(out->part);
    }
    else if (out->part)
    {
        sync_folder(out->real);
    }
    out_forget(out);
    return result;
}
