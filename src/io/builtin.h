// builtin.h: declares the scenes of scenes/*.json, which are compiled into the library. The build writes the table, in
// order of names.
#ifndef PLIANT_IO_BUILTIN_H
#define PLIANT_IO_BUILTIN_H

#include <stddef.h>

struct builtin_scene
{
    const char *name;
    const char *text;
    size_t length;
};

extern const struct builtin_scene builtin_scenes[];
extern const int builtin_scene_count;

#endif
