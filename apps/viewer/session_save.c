// session_save.c: a session's scene and state as files. Both are written beside their name first, so that nothing half-written
// is left.
#include "session_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool write_text(const char *path, const char *text, size_t length)
{
    char part[SESSION_TEXT + 8];
    snprintf(part, sizeof part, "%s.part", path);
    FILE *f = fopen(part, "wb");
    bool good = f && fwrite(text, 1, length, f) == length;
    good = f && fclose(f) == 0 && good;
    good = good && rename(part, path) == 0;
    if (!good)
    {
        remove(part);
    }
    return good;
}

static bool save_scene(struct session *s, const char *path)
{
    size_t length = pl_scene_text(s->scene, NULL, 0);
    char *text = malloc(length + 1);
    bool good = text && (pl_scene_text(s->scene, text, length + 1), write_text(path, text, length));
    free(text);
    return good;
}

void simulation_save(struct session *s, bool state, const char *path)
{
    bool good = state ? pl_world_save(s->world, path) == PL_OK : save_scene(s, path);
    const char *why = state && !good ? pl_error_message() : "the folder cannot be written to, or the disk is full";
    if (good)
    {
        snprintf(s->now.saved, sizeof s->now.saved, "wrote %.400s", path);
    }
    else
    {
        snprintf(s->now.saved, sizeof s->now.saved, "not saved: %.100s: %.300s", path, why);
    }
    s->now.saved_number++;
}
