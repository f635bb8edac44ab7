// bodies.h: rigid bodies, drawn as their shapes. Every sphere is the same mesh, and so is every capsule, box and cylinder; hulls
// and meshes with the same vertices share one too. The graphics card draws a mesh once for each shape that has it (an instance).
#ifndef PLIANT_VIEWER_BODIES_H
#define PLIANT_VIEWER_BODIES_H

#include "camera.h"

// A vertex is at corner * half + direction * radius, in the axes of a shape with that half and radius. So one mesh serves
// capsules and cylinders of any proportions.
struct body_vertex
{
    float corner[3], direction[3], normal[3];
};

// Its part of the vertices and indices, and the shapes that have it.
struct body_mesh
{
    int first_vertex, vertices, first_index, indices;
    int first_shape, shapes;
    bool balls;                      // very many spheres: drawn as the particles are, which costs a tenth
    struct bounds corner, direction; // of its vertices
    pl_rigid_shape_kind kind;
    uint64_t key; // of hulls and meshes: a hash of what they were made of
    pl_rigid_shape source;
};

struct body_shape
{
    int body, mesh;
    vec3 position; // in the axes of the body
    pl_quat rotation;
    vec3 half;
    float radius;
    bool glass; // a thin box that stands upright and still: seen through, as such shapes are (shapes.c)
};

struct body
{
    int32_t particle;
    pl_rigid_type type;
    int shapes;
    int shade;   // its number among bodies of the same form that follow each other
    int merged;  // so many bodies before it share the colour of another one
    bool ground; // a large level box that stands still: the ground is drawn in its place
};

struct bodies
{
    int count;
    struct body *body;
    int shapes;
    struct body_shape *shape; // ordered by mesh
    int meshes, mesh_room;
    struct body_mesh *mesh;
    int vertices, vertex_room;
    struct body_vertex *vertex;
    int indices, index_room;
    uint32_t *index; // counted within the mesh
    bool has_floor;
    float floor; // m, where the ground is
};

// The poses of all bodies in a frame.
struct body_poses
{
    int count, room;
    pl_id *id;
    pl_rigid_state *state;
    bool *awake;
};

// What the graphics card gets of a shape.
struct body_instance
{
    float position[3], rotation[4], half[3], radius;
    uint8_t colour[4];
};

bool bodies_take(struct bodies *b, const pl_world *world);
void bodies_free(struct bodies *b);

bool body_poses_take(struct body_poses *p, const pl_world *world);
void body_poses_free(struct body_poses *p);

// Where a shape is in the world.
void body_shape_pose(const struct body_shape *s, const pl_rigid_state *pose, vec3 *position, pl_quat *rotation);
// Where a vertex of a mesh is in the axes of a shape.
static inline vec3 body_vertex_at(const struct body_vertex *v, const struct body_shape *s)
{
    return v3(v->corner[0] * s->half.x + v->direction[0] * s->radius,
              v->corner[1] * s->half.y + v->direction[1] * s->radius,
              v->corner[2] * s->half.z + v->direction[2] * s->radius);
}

// Adds the bodies to bounds. any: there is something in the bounds already. Bodies that stand still count only near the
// others: a long wall is not to make everything else small.
void bounds_add_bodies(struct bounds *b, bool any, const struct bodies *all, const struct body_poses *p);
// The same for the start of a scene; also decides what is of glass, and where the ground is: on top of a large level box that stands still, which
// is not drawn, or below the lowest body that stands still if nothing is lower.
void bodies_settle(struct bodies *all, const struct body_poses *p, struct bounds *b, bool any);

pl_shape_def body_shape_def(const struct body_shape *s, const pl_rigid_state *pose);

// body_meshes.c: the number of the mesh of a shape, which is made if there is none yet; -1: no memory, or the shape is bad.
// source: with its vertices and triangles, which are kept by the caller.
int body_mesh_of(struct bodies *b, const pl_rigid_shape *source, int segments);
// The half and the radius with which a mesh has the size of a shape.
void body_shape_size(const pl_rigid_shape *source, vec3 *half, float *radius);

#endif
