// builtin.c: looks up the scenes that are compiled in.
#include "builtin.h"

#include <pliant/pliant.h>
#include <string.h>

const char *pl_builtin_scene(const char *name, size_t *length)
{
    for (int i = 0; name && i < builtin_scene_count; i++)
    {
        if (strcmp(builtin_scenes[i].name, name) == 0)
        {
            if (length)
            {
                *length = builtin_scenes[i].length;
            }
            return builtin_scenes[i].text;
        }
    }
    return NULL;
}

const char *pl_builtin_scene_name(int number)
{
    return number >= 0 && number < builtin_scene_count ? builtin_scenes[number].name : NULL;
}
