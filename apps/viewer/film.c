// film.c: see film.h. ffmpeg reads raw pictures from a pipe; what it complains about goes to a nameless file, to be told
// when it fails. It runs in a process group of its own, so that Ctrl-C stops the simulation and the film is finished.
#include "film.h"

#include "core/files.h"
#include "message.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

struct film
{
    struct out_file out; // what ffmpeg fills; it takes its own name when it is whole
    FILE *complaints;
    pid_t process; // 0: over
    int pipe;      // -1: closed
    size_t frame_size;
};

struct format
{
    const char *ending;
    const char *arguments[16];
};

// One palette for the whole of a gif; webp and gif repeat for ever. x264 at 18 keeps the sky's gradient whole.
static const struct format formats[] = {
    {"mp4",
     {"-c:v", "libx264", "-preset", "medium", "-crf", "18", "-pix_fmt", "yuv420p", "-movflags", "+faststart", "-f",
      "mp4", NULL}},
    {"gif",
     {"-vf", "split[a][b];[a]palettegen=stats_mode=diff[p];[b][p]paletteuse=dither=bayer:bayer_scale=4", "-loop", "0",
      "-f", "gif", NULL}},
    {"webp", {"-c:v", "libwebp", "-lossless", "0", "-q:v", "80", "-loop", "0", "-f", "webp", NULL}},
};

static const struct format *format_of(const char *path)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
    {
        if (path_ends(path, formats[i].ending))
        {
            return &formats[i];
        }
    }
    return NULL;
}

bool film_ready(void)
{
    const char *path = getenv("PATH");
    char name[4096];
    while (path && *path)
    {
        int length = (int)strcspn(path, ":");
        snprintf(name, sizeof name, "%.*s/ffmpeg", length, path);
        if (access(name, X_OK) == 0)
        {
            return true;
        }
        path += length + (path[length] == ':');
    }
    return trouble("films need the program ffmpeg, which is not installed; `apt-get install ffmpeg` installs it, and "
                   "x_%%04d.png does not need it");
}

static void film_free(struct film *f)
{
    if (f->complaints)
    {
        fclose(f->complaints);
    }
    if (f->pipe >= 0)
    {
        close(f->pipe);
    }
    out_abort(&f->out);
    free(f);
}

static bool start(struct film *f, const struct format *format, int width, int height, int fps)
{
    char size[32], rate[16];
    const char *arguments[48] = {"ffmpeg", "-hide_banner", "-nostdin", "-xerror",  "-loglevel", "error",
                                 "-y",     "-f",           "rawvideo", "-pix_fmt", "rgb24",     "-s",
                                 size,     "-r",           rate,       "-i",       "pipe:0"};
    int count = 17, ends[2];
    snprintf(size, sizeof size, "%dx%d", width, height);
    snprintf(rate, sizeof rate, "%d", fps);
    for (int i = 0; format->arguments[i]; i++)
    {
        arguments[count++] = format->arguments[i];
    }
    const char *target = f->out.part ? f->out.part : f->out.path; // a device is written to straight
    char *name = malloc(sizeof "file:" + strlen(target));
    if (!name)
    {
        return trouble("no memory for a film; free some memory");
    }
    sprintf(name, "file:%s", target); // or a name such as tcp:x would be a protocol's, and -x an option
    arguments[count] = name;
    if (pipe(ends) != 0)
    {
        free(name);
        return trouble("cannot open a pipe to ffmpeg: %s; close some programs", strerror(errno));
    }
    fcntl(ends[0], F_SETFD, FD_CLOEXEC); // a second ffmpeg must not hold this one's pipe open
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, fileno(f->complaints), STDERR_FILENO);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    int error =
        posix_spawnp(&f->process, "ffmpeg", &actions, &attributes, (char *const *)(uintptr_t)arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    close(ends[0]);
    free(name);
    f->pipe = ends[1];
    f->process = error ? 0 : f->process;
    out_written_by(&f->out, f->process);
    return error ? trouble("ffmpeg does not start: %s; `apt-get install ffmpeg` installs it", strerror(error)) : true;
}

bool film_open(struct film **out, const char *path, int width, int height, int fps)
{
    struct film *f = calloc(1, sizeof *f);
    const struct format *format = format_of(path);
    if (!f || !format)
    {
        free(f);
        return trouble("cannot make a film of %s; use a name ending in .mp4, .gif or .webp", path);
    }
    f->pipe = -1;
    f->complaints = tmpfile();
    f->frame_size = 3 * (size_t)width * (size_t)height;
    if (!f->complaints)
    {
        film_free(f);
        return trouble("cannot start %s: %s; free some disk space", path, strerror(errno));
    }
    if (out_open(&f->out, path) != PL_OK)
    {
        film_free(f);
        return library_trouble();
    }
    if (!start(f, format, width, height, fps))
    {
        film_free(f);
        return false;
    }
    *out = f;
    return true;
}

// Waits for the end of ffmpeg, and tells what it said where it failed.
static bool finish(struct film *f)
{
    int status = 0;
    if (f->pipe >= 0)
    {
        close(f->pipe);
        f->pipe = -1;
    }
    while (f->process && waitpid(f->process, &status, 0) < 0 && errno == EINTR)
    {
    }
    out_written_by(&f->out, 0);
    f->process = 0;
    char said[400] = "";
    rewind(f->complaints);
    size_t length = fread(said, 1, sizeof said - 1, f->complaints);
    // On a full disk ffmpeg ends with 0 all the same, having complained; so its silence is asked for, too.
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && length == 0)
    {
        return true;
    }
    if (length == 0 && WIFSIGNALED(status))
    {
        return trouble("ffmpeg could not make %s: it was killed by a signal (%s); run it again", f->out.path,
                       strsignal(WTERMSIG(status)));
    }
    while (length && said[length - 1] == '\n')
    {
        said[--length] = 0;
    }
    for (size_t i = 0; i < length; i++)
    {
        said[i] = said[i] == '\n' ? ' ' : said[i];
    }
    return trouble("ffmpeg could not make %s: %s; check the free disk space and that this ffmpeg has x264 and webp",
                   f->out.path, length ? said : "it ended early");
}

bool film_frame(struct film *f, const uint8_t *rgb)
{
    size_t done = 0;
    void (*before)(int) = signal(SIGPIPE, SIG_IGN); // ffmpeg's end must not be ours
    while (done < f->frame_size)
    {
        ssize_t n = write(f->pipe, rgb + done, f->frame_size - done);
        if (n < 0 && errno != EINTR)
        {
            break;
        }
        done += n > 0 ? (size_t)n : 0;
    }
    signal(SIGPIPE, before);
    if (done < f->frame_size && finish(f)) // else it said why
    {
        trouble("ffmpeg stopped reading pictures for %s and gave no reason; run it again", f->out.path);
    }
    return done == f->frame_size;
}

bool film_close(struct film *f)
{
    bool good = finish(f);
    if (good && out_finish(&f->out) != PL_OK)
    {
        good = library_trouble();
    }
    film_free(f); // what is not finished is removed
    return good;
}

void film_abort(struct film *f)
{
    if (f->process)
    {
        kill(f->process, SIGKILL);
        finish(f);
    }
    film_free(f);
}
