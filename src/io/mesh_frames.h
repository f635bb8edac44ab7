// mesh_frames.h: reads a sequence of meshes of the same vertices: numbered OBJ files, or a PC2 cache.
#ifndef PLIANT_IO_MESH_FRAMES_H
#define PLIANT_IO_MESH_FRAMES_H

#include "scene.h"

struct mesh_frames
{
    float *x; // 3 numbers for each vertex, frame after frame; in the scene's memory
    int frames, vertices;
    struct triples triangles; // of the first OBJ file; none of a PC2 cache
};

// node: for messages. limit: the memory that the frames may need. A series begins with frame 0 or 1.
pl_result mesh_frames_read(pl_scene *scene, const struct json *node, const char *path, uint64_t limit,
                           struct mesh_frames *out);

#endif
