// robot_files.h: files in a folder of their own, for the tests of robots.
#ifndef TESTS_IO_ROBOT_FILES_H
#define TESTS_IO_ROBOT_FILES_H

#include "support/support.h"

#include <unistd.h>

static char folder[] = "/tmp/pliant_robot_XXXXXX";

static inline const char *path_of(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static inline void write_bytes(const char *name, const void *bytes, size_t size)
{
    FILE *f = fopen(path_of(name), "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, size, f), size);
    fclose(f);
}

static inline void write_text(const char *name, const char *text) { write_bytes(name, text, strlen(text)); }

static inline int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static inline int remove_folder(const char *const *names, int count)
{
    for (int i = 0; i < count; i++)
        unlink(path_of(names[i]));
    return rmdir(folder);
}

#endif
