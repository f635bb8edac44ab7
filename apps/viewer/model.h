// model.h: what there is to draw in a world, taken once, and its state, taken every frame. Only the public API is asked.
//
// An object that has faces is drawn as its mesh, a rigid body as its shapes; links between particles without faces are ropes
// and rods, drawn as tubes; single particles are spheres, those that turn ellipsoids, and what is held in place is marked by a small dark sphere, or a pole along a held edge. Shapes that particles
// collide with are solids, or of glass where they would hide what they hold.
#ifndef PLIANT_VIEWER_MODEL_H
#define PLIANT_VIEWER_MODEL_H

#include "bodies.h"

enum chain_style
{
    CHAIN_ROPE,
    CHAIN_ROD,
    CHAIN_POLE,
    CHAIN_HAIR,
    CHAIN_HEM, // along the free border of a cloth
};

enum body_part
{
    BODY_NONE,   // no body, or one that moves but has no shapes: its ellipsoid of inertia is drawn
    BODY_SHAPES, // drawn as its shapes
    BODY_ANCHOR, // without shapes, and does not move: it holds a joint in the world
};

// A row of particles with a tube around it.
struct chain
{
    int first, count; // in chain_particle
    bool closed;
    enum chain_style style;
    float radius; // m
};

// A shape's surface, in its own frame.
struct shape_triangles
{
    float *corners; // 9 for each
    int count;
};

struct model
{
    int64_t torn; // what had come apart when it was taken
    int particles;
    int points;    // particles, and behind them the vertices of visuals: meshes that ride on objects
    int32_t *like; // for each of these vertices the particle that is nearest to it at the start
    int objects;
    int32_t *object_of; // for each point the number of its object, from 0
    bool *cloth;        // for each object: its mesh has a border; without one it is the skin of something solid
    bool *held;
    float *rest;   // 3 for each point: where it was when it was taken, or in a model before, for the weave of cloth
    int32_t *root; // for each particle the one that it has split off from, or itself; NULL: nothing is torn
    float *radius; // for each particle, m; what a sphere there would have
    float fluid_radius; // of those of fluids
    int froth_most;     // how much spray, foam and bubbles there may be

    int faces, vertices;
    int32_t *face;    // 3 points for each
    int32_t *vertex;  // for each vertex its point: one on a sharp edge has several vertices
    uint32_t *corner; // 3 vertices for each face

    int spheres;
    uint32_t *sphere; // particles drawn as spheres

    int ellipsoids;
    uint32_t *ellipsoid; // particles with a rotation of their own
    vec3 *radii;         // of each of these

    struct bodies bodies; // rigid bodies
    uint8_t *fluid;       // for each particle: 0 if it is none, else 1 + the number of its density, for its colour
    uint8_t *in_body;     // for each particle whether it is the centre of a body: enum body_part

    int chains, chain_particles;
    struct chain *chain;
    int32_t *chain_particle;

    int links;        // distance-like constraints
    int32_t *link;    // 2 particles for each
    float *link_rest; // m
    uint8_t *link_kind;

    int shapes;
    struct shape_triangles *triangles; // of each shape that is made of them

    struct bounds start; // of particles and shapes when it was taken
    float floor;         // m, where the ground is drawn
    unsigned palette;    // where in the palette the first object's colours are
};

// What colours may tell.
enum colour_by
{
    COLOUR_MATERIAL,
    COLOUR_SPEED,
    COLOUR_STRAIN,
    COLOUR_DENSITY, // of fluids; without any, contacts of each particle
    COLOUR_HEAT,    // temperature
    COLOUR_RESIDUAL,
    COLOUR_BATCH,
    COLOUR_TILE,
    COLOUR_PRESSURE, // of fluids
    COLOUR_BY_COUNT
};

// What of a world's inside is wanted with a frame, beside positions, velocities and shapes.
struct wants
{
    enum colour_by colour_by;
    bool contacts, cells, boxes, joints;
    bool fluid; // the surface of fluids, which are drawn as particles without it
    bool wax;   // that of what melts
};

// A box of a mesh's tree, in the world: a corner and three edges.
struct crate
{
    vec3 corner, edge[3];
    int depth;
};

// A joint: where the centres of its ends are, its points in them, and its axes (constraints.h: x and y).
struct joint_mark
{
    pl_kind kind;
    vec3 centre[2], point[2], axis[2], second[2];
};

struct joint_list
{
    struct joint_mark *mark;
    int count, room;
};

// What the mouse drags: from the point that it holds to where it pulls it.
struct drag_line
{
    bool on;
    vec3 from, to;
};

// The state of one frame.
struct frame
{
    int particles, points;
    float *position;      // 3 for each point
    float *velocity;      // 3 for each particle
    uint8_t *active;      // for each particle; 0: it is in the reserve of an emitter, and not drawn
    pl_orientation *turn; // for each, where any has one
    float *dye;           // for each, where a fluid had some at first
    struct body_poses bodies;
    struct joint_list strings; // distance joints, which are drawn as strings
    double time;
    int64_t number;
    pl_vec3 wind;
    int shapes;
    pl_shape_def *shape; // as they are now

    // as wanted; see inside.c
    struct wants has;
    float
        *told; // for each particle: strain of elements, contacts, density, temperature, residual, batch, tile, pressure
    bool of_fluid;    // what is told is of fluids; density and pressure
    float *link_told; // for each link of the model: its own residual, batch or tile
    int links, link_room;
    pl_contact_info *contact;
    int contacts, contact_room;
    pl_rigid_contact *rigid_contact;
    int rigid_contacts, rigid_contact_room;
    pl_cell_info *cell;
    int cells, cell_room;
    struct crate *crate;
    int crates, crate_room;
    struct joint_list joints; // all of them
    struct drag_line drag;    // set while something is dragged
    pl_fluid_surface fluid;   // empty unless wanted
    pl_fluid_surface *wax;    // of each object that melts, as wanted
    int waxes, wax_room;
    uint8_t *waxed; // for each particle whether it is in one of them; NULL: none
    float *froth;   // 4 for each: where it is, and its pl_diffuse_kind
    int froths, froth_room;
};

bool model_take(struct model *m, const pl_world *world);
void model_free(struct model *m);
// roots.c: from which particles others have split off; and a fresh model keeps where its particles were in the model before.
bool roots_take(struct model *m, const pl_world *world);
void model_keep_rest(struct model *fresh, const struct model *before);
// What the scene says: where the ground is; and its name chooses the colours, so that each scene keeps its own.
void model_set_scene(struct model *m, const pl_scene_info *scene);
// The view of a scene: its own, or one fitted to the start.
struct camera model_camera(const struct model *m, const pl_camera *camera, float aspect);

// visuals.c: the vertices of all visuals, into an array that has room for them; how many there are of what.
bool visuals_count(const pl_world *world, int *vertices, int *triangles);
bool visuals_take(const pl_world *world, float *vertex);
// Their triangles join the faces of the model, and what they hide goes.
bool visuals_join(struct model *m, const pl_world *world, const float *x, bool *authored);

// wax.c
bool wax_take(struct frame *f, const pl_world *world);
void wax_clear(struct frame *f);
// model.c: whether an object has anything but clusters.
bool object_has_lines(const pl_world *world, pl_id object);

// wants: NULL for none.
bool frame_take(struct frame *f, const pl_world *world, const struct wants *wants);
void frame_free(struct frame *f);
// Moves a camera that follows to where the mean of all particles is.
void frame_follow(const struct frame *f, struct camera *c);

// inside.c: contacts, cells and what colours tell of the inside.
bool inside_take(struct frame *f, const pl_world *world, const struct wants *wants);
// Makes room for `count` of something in an array; false: no memory.
bool room_for(void **array, int *room, int count, size_t size);
// joints.c: all joints, or distance joints alone, into a list of the frame. Positions and orientations are taken already.
bool joints_take(struct frame *f, struct joint_list *list, const pl_world *world, bool strings_only);
// strains.c: of finite elements, into f->told.
bool strains_take(struct frame *f, const pl_world *world);

// shapes.c: all shapes of a world, into an array that is made anew when their number changes.
bool shapes_take(const pl_world *world, pl_shape_def **shape, int *count);
// The triangles of those that are made of them: they do not change.
bool shapes_take_triangles(const pl_world *world, struct shape_triangles **triangles, int *count);
void shapes_free_triangles(struct shape_triangles *triangles, int count);
// A level plane is not drawn: it says where the ground is.
bool shape_is_ground(const pl_shape_def *d);
// To be seen through: what is hollow, and walls.
bool shape_is_glass(const pl_shape_def *d);
struct bounds shape_bounds(const pl_shape_def *d);
// any: there is something in the box already. Planes are left out.
void bounds_add_shapes(struct bounds *b, bool any, const pl_shape_def *shape, int count);

// lines.c: whether rows of a kind are links of the model: they have two ends and a length.
bool is_link(pl_kind kind);
// All links; those of one block whose particles have no face are ropes or rods. x: where particles are.
bool links_take(struct model *m, const pl_world *world, const bool *meshed, const float *x);
// What has a border is cloth; where one is held, it hangs on a pole.
bool borders_take(struct model *m, const float *x);

// chains.c: joins pairs of particles to rows; a pair whose particles are in one row already is left out.
bool chains_add(struct model *m, const int32_t *pairs, int count, enum chain_style style, const float *position);
// Adds a row of these particles.
bool chain_add(struct model *m, const int32_t *particles, int count, enum chain_style style, float radius);
// strands.c: the strands of hair.
bool strands_take(struct model *m, const pl_world *world);

#endif
