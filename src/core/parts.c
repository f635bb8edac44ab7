// parts.c: see parts.h; a signal handler may remove the files that are open.
#include "core/parts.h"

#include "core/files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

// The names of the partial files that are open, so that a signal handler can remove them.
enum
{
    PARTS_MOST = 64,
};
static _Atomic(char *) parts[PARTS_MOST];
static _Atomic(pid_t) writers[PARTS_MOST]; // of each, the process that writes it; 0: this one

void part_remember(char *part)
{
    char *none = NULL;
    for (int i = 0; i < PARTS_MOST && !atomic_compare_exchange_strong(&parts[i], &none, part); i++)
    {
        none = NULL;
    }
}

void part_forget(char *part)
{
    for (int i = 0; part && i < PARTS_MOST; i++)
    {
        char *this = part;
        if (atomic_compare_exchange_strong(&parts[i], &this, (char *)NULL))
            writers[i] = 0;
    }
}

void out_written_by(const struct out_file *out, pid_t process)
{
    for (int i = 0; out->part && i < PARTS_MOST; i++)
        if (parts[i] == out->part)
            writers[i] = process;
}

void out_abandon_all(void)
{
    for (int i = 0; i < PARTS_MOST; i++)
    {
        char *part = atomic_exchange(&parts[i], (char *)NULL);
        pid_t writer = atomic_exchange(&writers[i], (pid_t)0);
        if (writer > 0)
        {
            kill(writer, SIGKILL);
        }
        if (part)
        {
            unlink(part);
        }
    }
}

// Is this the name of a partial file of `base`, of a process that is no more?
static bool is_stale(const char *name, const char *base)
{
    size_t length = strlen(base);
    long process;
    unsigned number;
    int end = 0;
    return strncmp(name, base, length) == 0 && sscanf(name + length, ".%ld.%u.part%n", &process, &number, &end) == 2 &&
           end > 0 && name[length + (size_t)end] == 0 && process > 0 && kill((pid_t)process, 0) != 0 && errno == ESRCH;
}

void parts_remove_stale(const char *real)
{
    const char *slash = strrchr(real, '/'), *base = slash ? slash + 1 : real;
    char *folder = slash ? strndup(real, (size_t)(slash - real) + 1) : strdup(".");
    DIR *list = folder ? opendir(folder) : NULL;
    for (struct dirent *entry; list && (entry = readdir(list)) != NULL;)
    {
        int handle =
            is_stale(entry->d_name, base) ? openat(dirfd(list), entry->d_name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC) : -1;
        if (handle < 0)
            continue;
        if (flock(handle, LOCK_EX | LOCK_NB) == 0)
            unlinkat(dirfd(list), entry->d_name, 0);
        close(handle);
    }
    if (list)
        closedir(list);
    free(folder);
}
