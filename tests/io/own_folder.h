// own_folder.h: a folder of its own for the files of a test: make_folder and remove_folder are the set-up and the tear-down of
// its group.
#pragma once
#include <stdio.h>
#include <stdlib.h>

static char folder[] = "/tmp/pliant_files_XXXXXX";

static inline void path_of(const char *name, char *path, size_t size) { snprintf(path, size, "%s/%s", folder, name); }

static inline int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static inline int remove_folder(void **state)
{
    char command[96];
    (void)state;
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}
