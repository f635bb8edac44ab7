// edits.h: a scene with changes made to it: those of the command line, and those made in the panel, one for each field.
#ifndef PLIANT_VIEWER_EDITS_H
#define PLIANT_VIEWER_EDITS_H

#include "session.h"

enum
{
    EDITS_MOST = 256,
};

struct edits
{
    const char *const *sets; // of the command line
    int set_count;
    bool allow_paths;         // pl_scene_source
    char *change[EDITS_MOST]; // "path=value"
    int count;
};

// Changes a field once more, or anew.
bool edits_put(struct edits *e, const char *change);
void edits_clear(struct edits *e);
// A scene by its built-in name or path, with all changes. A path that ends in .obj is a mesh: a small scene is made around it.
pl_result edits_load(const struct edits *e, const char *name, pl_scene **scene);
// The scene's fields, as they are and as they were before the panel.
bool edits_fields(const struct edits *e, const char *name, const pl_scene *scene, struct parameters *out);
// Whether a path names a mesh.
bool is_mesh_file(const char *path);

#endif
