// mesh_scene.h: a small scene around a mesh file, so that any OBJ can be dropped on the window.
#ifndef PLIANT_VIEWER_MESH_SCENE_H
#define PLIANT_VIEWER_MESH_SCENE_H

#include <pliant/pliant.h>

// The mesh as a cloth, made about a metre large, a little above the ground, onto which it falls. What it weighs, how stiff it
// is and all else is in the panel, or in `sets`.
pl_result mesh_scene_load(const char *path, const char *const *sets, int count, pl_scene **scene);

#endif
