// edits.c: see edits.h.
#include "edits.h"

#include "message.h"
#include "mesh_scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static size_t path_length(const char *change) { return strcspn(change, "="); }

bool edits_put(struct edits *e, const char *change)
{
    size_t length = path_length(change);
    int i = 0;
    while (i < e->count && (path_length(e->change[i]) != length || strncmp(e->change[i], change, length) != 0))
    {
        i++;
    }
    if (i == EDITS_MOST)
    {
        return trouble("more than %d fields were changed; edit the scene's file instead", EDITS_MOST);
    }
    char *copy = strdup(change);
    if (!copy)
    {
        return trouble("no memory for a change; free some memory");
    }
    if (i < e->count)
    {
        free(e->change[i]);
    }
    e->count += i == e->count;
    e->change[i] = copy;
    return true;
}

void edits_clear(struct edits *e)
{
    for (int i = 0; i < e->count; i++)
    {
        free(e->change[i]);
    }
    e->count = 0;
}

bool is_mesh_file(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && strcasecmp(dot, ".obj") == 0;
}

static pl_result load(const char *name, const char *const *sets, int count, bool allow_paths, pl_scene **scene)
{
    pl_scene_source source = {.file = name, .sets = sets, .set_count = count, .allow_paths = allow_paths};
    source.text = pl_builtin_scene(name, &source.length);
    return is_mesh_file(name) ? mesh_scene_load(name, sets, count, scene) : pl_scene_open(&source, scene);
}

pl_result edits_load(const struct edits *e, const char *name, pl_scene **scene)
{
    const char **all = malloc(((size_t)e->set_count + (size_t)e->count + 1) * sizeof *all);
    if (!all)
    {
        return load(name, e->sets, e->set_count, e->allow_paths, scene);
    }
    for (int i = 0; i < e->set_count + e->count; i++)
    {
        all[i] = i < e->set_count ? e->sets[i] : e->change[i - e->set_count];
    }
    pl_result result = load(name, all, e->set_count + e->count, e->allow_paths, scene);
    free(all);
    return result;
}

bool edits_fields(const struct edits *e, const char *name, const pl_scene *scene, struct parameters *out)
{
    int count = pl_scene_fields(scene, NULL, 0);
    pl_scene *plain = NULL;
    *out = (struct parameters){.now = calloc((size_t)count + 1, sizeof *out->now),
                               .original = calloc((size_t)count + 1, sizeof *out->original),
                               .count = count};
    if (!out->now || !out->original)
    {
        parameters_free(out);
        return trouble("no memory for %d fields; use a smaller scene", count);
    }
    pl_scene_fields(scene, out->now, count);
    memcpy(out->original, out->now, (size_t)count * sizeof *out->now);
    // Another number of fields: the file has changed meanwhile, and will be read anew.
    if (e->count > 0 && load(name, e->sets, e->set_count, e->allow_paths, &plain) == PL_OK &&
        pl_scene_fields(plain, NULL, 0) == count)
    {
        pl_scene_fields(plain, out->original, count);
    }
    pl_scene_free(plain);
    return true;
}

static int put_value(const pl_scene_field *f, double value, char *out, size_t size)
{
    switch (f->type)
    {
    case PL_VALUE_BOOL:
        return snprintf(out, size, "%s", value != 0.0 ? "true" : "false");
    case PL_VALUE_CHOICE:
        return snprintf(out, size, "%s", f->choices[(int)value]);
    default:
        return snprintf(out, size, "%.9g", value);
    }
}

void change_text(const pl_scene_field *f, const double *value, char *out, size_t size)
{
    size_t used = (size_t)snprintf(out, size, "%s=%s", f->path, f->count > 1 ? "[" : "");
    for (int i = 0; i < f->count && used + 2 < size; i++)
    {
        if (i > 0)
        {
            out[used++] = ',';
        }
        used += (size_t)put_value(f, value[i], out + used, size - used);
    }
    if (f->count > 1 && used + 1 < size)
    {
        snprintf(out + used, size - used, "]");
    }
}

void parameters_free(struct parameters *p)
{
    free(p->now);
    free(p->original);
    *p = (struct parameters){0};
}
