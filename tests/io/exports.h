// exports.h: small runs as files in a folder of their own, for the tests of what is exported.
#ifndef PLIANT_TESTS_EXPORTS_H
#define PLIANT_TESTS_EXPORTS_H

#include "io/export.h"
#include "core/files.h"

#include <dirent.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/pliant-export-XXXXXX";

static const char *in_folder(const char *name, char path[256])
{
    snprintf(path, 256, "%s/%s", folder, name);
    return path;
}

static inline pl_world *world_of(const char *text)
{
    pl_scene *scene;
    pl_world *world;
    pl_world_def def = pl_default_world_def();
    def.threads = 1;
    assert_int_equal(pl_scene_parse(text, strlen(text), "t", NULL, 0, &scene), PL_OK);
    assert_int_equal(pl_scene_world(scene, &def, &world), PL_OK);
    pl_scene_free(scene);
    return world;
}

static inline pl_world *make_world(void)
{
    return world_of(
        "{\"cloth\": {\"size\": [3, 2], \"u\": [2, 0, 0], \"v\": [0, 0, 1], \"origin\": [1, 2, 3], \"drag\": 0}}");
}

// Exports the start and two steps.
static inline void export_run(const char *path)
{
    struct exporter *e = NULL;
    pl_world *world = make_world();
    assert_int_equal(export_open(path, world, 2, (struct export_timing){.dt = 0.1f}, &e), PL_OK);
    assert_int_equal(export_frame(e, world), PL_OK);
    for (int i = 0; i < 2; i++)
    {
        assert_int_equal(pl_world_step(world, 0.1f), PL_OK);
        assert_int_equal(export_frame(e, world), PL_OK);
    }
    assert_int_equal(export_close(e), PL_OK);
    pl_world_destroy(world);
}

static inline char *slurp(const char *name, size_t *length)
{
    static char *text;
    char path[256];
    if (file_read(in_folder(name, path), 1 << 20, &text, length) != PL_OK)
    {
        fail_msg("%s", pl_error_message());
    }
    return text;
}

static inline uint32_t u32_at(const char *p)
{
    const unsigned char *b = (const unsigned char *)p;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static inline float float_at(const char *p)
{
    uint32_t bits = u32_at(p);
    float value;
    memcpy(&value, &bits, 4);
    return value;
}

static inline int count_files(void)
{
    DIR *dir = opendir(folder);
    int count = 0;
    assert_non_null(dir);
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;)
    {
        count += entry->d_name[0] != '.';
    }
    closedir(dir);
    return count;
}

static inline int empty_folder(void **state)
{
    (void)state;
    DIR *dir = opendir(folder);
    char path[512];
    for (struct dirent *entry; dir && (entry = readdir(dir)) != NULL;)
    {
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] != '.')
        {
            remove(path);
        }
    }
    return dir ? closedir(dir) : -1;
}

// Exports a world as it is.
static inline void export_now(const pl_world *world, const char *path)
{
    struct exporter *e = NULL;
    assert_int_equal(export_open(path, world, 0, (struct export_timing){.dt = 0.1f}, &e), PL_OK);
    assert_int_equal(export_frame(e, world), PL_OK);
    assert_int_equal(export_close(e), PL_OK);
}

// Runs the tests, and removes the folder.
#define RUN_IN_FOLDER(tests) (mkdtemp(folder) ? cmocka_run_group_tests(tests, NULL, NULL) | rmdir(folder) : 1)

#endif
