// fields.c: fields of a scene that have no effect, because the object is of another kind.
#include "advice.h"

#include <stdlib.h>
#include <string.h>

// Whether a field is of the record that the path's beginning names.
static bool within(const pl_scene_field *field, const char *path, int length)
{
    return strncmp(field->path, path, (size_t)length) == 0 && field->path[length] == '.';
}

// How much of a path names what does nothing: all of it or, where nothing in it counts, the record that it stands in:
// "cloth[0].fabric".
static int idle_length(const pl_scene_field *fields, int count, int i)
{
    const char *path = fields[i].path, *dot = strrchr(path, '.');
    int length = dot ? (int)(dot - path) : 0;
    for (int k = 0; k < count && length; k++)
    {
        if (within(&fields[k], path, length) && fields[k].only_for != fields[i].only_for)
        {
            length = 0;
        }
    }
    return length ? length : (int)strlen(path);
}

void advise_fields(struct advice *a)
{
    int count = pl_scene_fields(a->scene, NULL, 0);
    pl_scene_field *fields = calloc((size_t)count + 1, sizeof *fields);
    count = fields ? pl_scene_fields(a->scene, fields, count) : 0;
    for (int i = 0; i < count; i++)
    {
        if (!fields[i].given || !fields[i].only_for)
        {
            continue;
        }
        int length = idle_length(fields, count, i);
        advise(a, "%.*s has no effect here; it is only for: %s", length, fields[i].path, fields[i].only_for);
        const char *told = fields[i].path;
        while (i + 1 < count && within(&fields[i + 1], told, length))
        {
            i++;
        }
    }
    free(fields);
}
