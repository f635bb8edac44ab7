// scene.h: declares what a scene's text is parsed into. Everything is read, checked and resolved when it is parsed, so
// that making the world is only a sequence of calls to the public API, and can be repeated.
#ifndef PLIANT_IO_SCENE_H
#define PLIANT_IO_SCENE_H

#include "fields.h"
#include "scene_diffuse.h"

// The types of objects, from objects.def.
enum object_type
{
#define OBJECT(key, NAME, about) OBJECT_##NAME,
#include "objects.def"
#undef OBJECT
    OBJECT_KINDS,
};

struct scene_form
{
    struct head head;
    int kind;
    pl_vec3 size;
    float thickness;
    int cells[2];
    struct numbers profile;
};

struct scene_cloth
{
    struct head head;
    const char *name;
    int size[2];
    float width, height, scale;
    const char *mesh;
    struct numbers vertices;
    struct triples triangles;
    struct scene_form form;
    const struct json *pinned;
    pl_vec3 velocity, spin;
    float radius;
    pl_material material;
    pl_cloth_def def;
};

enum
{
    SCENE_REPAIRS = 8,
};

struct scene_body
{
    struct head head;
    const char *name, *mesh_file;
    int form, copies[3];
    float scale;
    bool bond;
    pl_vec3 rotation, step, velocity, spin;
    pl_material material;
    pl_mesh_def mesh_def;
    pl_body_def def;
    pl_mesh mesh;                       // resolved; lives in the scene's store
    const char *repairs[SCENE_REPAIRS]; // resolved: the repairs of the file's mesh, one sentence for each type
    int repair_count;
    int each; // resolved: particles of one copy
};

struct scene_oriented
{
    struct head head;
    const char *name;
    int form; // pl_oriented_form, or one more: points
    struct numbers points, radii;
    float reach, drag;
    pl_vec3 rotation, velocity, spin, turn;
    pl_material material;
    pl_cluster_material match;
    pl_oriented_form_def def;
};

struct scene_grains
{
    struct head head;
    const char *name;
    int size[3];
    pl_vec3 origin, velocity;
    float spacing, radius, jitter, mass, stir, fastest;
    bool stagger, round;
    pl_material material;
};

struct scene_waves
{
    struct head head;
    float height, length;
};

struct scene_shape_key
{
    struct head head;
    float time;
    pl_vec3 position, rotation;
};

struct scene_shape
{
    struct head head;
    const char *name, *mesh, *height_file;
    int kind, copies;
    struct numbers vertices, heights;
    struct triples triangles;
    struct scene_form form;
    struct scene_waves waves;
    int grid[2];
    float scale, memory;
    struct records keys, heat;
    int first; // resolved: its number among the world's shapes
    pl_vec3 rotation, around;
    pl_material material;
    pl_shape_def def;
};

struct scene_constraints
{
    struct head head;
    const char *name;
    int kind;
    const struct json *particles, *params;
    pl_softness soft;
    float strength;
    pl_plastic plastic;
    int32_t *index; // resolved
    float *param;
    int count;
};

// A blade.
struct scene_cut
{
    struct head head;
    const char *of;
    float time, until;
    pl_vec3 from, to, sweep;
    int first, count;                  // resolved: the particles that it cuts
    const struct scene_object *object; // NULL: all
};

// An object's temperature.
struct scene_heat
{
    struct head head;
    const char *of;
    pl_material molten;
    pl_heat_def def;
    int first, count; // resolved: the particles that it concerns
};

struct scene_heat_key
{
    struct head head;
    float time, temperature;
};

struct scene_place
{
    struct head head;
    const struct json *of;
    pl_vec3 position;
    float within;
    bool every;
    struct range x, y, z, speed;
    int32_t *numbers; // resolved: the particles whose mean is checked
    int count;
};

struct scene_probe
{
    struct head head;
    pl_vec3 at;
    struct range pressure, density, speed;
};

struct scene_expect
{
    struct head head;
    bool finite;
    struct
    {
        struct head head;
        struct range mean, max;
    } residual;
    struct
    {
        struct head head;
        struct range mean, max, crossings;
    } penetration;
    struct
    {
        struct head head;
        struct range kinetic, potential, elastic, total;
    } energy;
    struct
    {
        struct head head;
        struct range linear, angular;
    } momentum;
    struct
    {
        struct head head;
        struct range splits, broken, pieces, mass;
    } torn;
    struct
    {
        struct head head;
        struct range heat, coldest, hottest, molten, melted, frozen;
    } heat;
    struct
    {
        struct head head;
        struct range mean, max, pressure, volume;
    } fluid;
    struct
    {
        struct head head;
        pl_vec3 min, max;
    } bounds;
    struct range joint_error;
    struct records at, robot, probe;
};

struct scene_camera
{
    struct head head;
    pl_vec3 eye, target;
    float fov, floor;
    bool follow;
};

// An object, in the order of the text.
struct scene_object
{
    enum object_type type;
    const char *name;
    const struct head *values;
    int first, count; // its particles
};

// What an object needs of a world.
struct scene_need
{
    int64_t particles, constraints;
};

// Describes a type of object: what the scene does with the values of its record. Those marked optional may be NULL.
struct object_kind
{
    // Checks and resolves the values, and counts; refused if all objects need more than `limit` bytes.
    pl_result (*find)(pl_scene *scene, void *values, uint64_t limit, struct scene_need *need);
    // optional: called after the check of the memory, for what needs memory for each particle
    pl_result (*find_more)(pl_scene *scene, void *values);
    pl_result (*make)(pl_world *world, const void *values, pl_id *id);
    bool copies;                       // one object of the scene may become several of the world, one after the other
    bool (*round)(const void *values); // optional: whether all of its particles have a radius
    const char *round_remedy;          // optional: what gives them one
    bool (*uncut)(const void *values); // optional: whether it has no edges that a blade could cut
    const char *(*mesh)(const void *values);                   // optional: the file of its mesh, or NULL
    bool (*grid)(const void *values, int *columns, int *rows); // optional: whether its particles form a grid
};

struct pl_scene
{
    struct head head;
    struct store store;
    bool allow_paths; // it may name files outside its folder
    const char *schema, *name, *about;
    int frames;
    float dt;
    pl_settings settings;
#define OBJECT(key, NAME, about) struct records key;
#include "objects.def"
#undef OBJECT
    struct records constraints, script, cut, heat;
    float ambient;
    struct scene_expect expect;
    struct scene_camera camera;
    struct scene_diffuse diffuse;

    const struct json *root;
    struct scene_object *objects;
    int object_count;
    int particle_count;
};

extern const char *const solid_model_words[];
extern const struct record softness_record, elastic_record, plastic_record, fabric_record, wind_record, material_record,
    scene_record, match_record, form_record, shape_key_record, heat_record, heat_key_record, constraints_record,
    motion_record, cut_record, expect_record, place_record, camera_record, reach_record;
#define OBJECT(key, NAME, about)                                                                                       \
    extern const struct record key##_record;                                                                           \
    extern const struct object_kind key##_object;
#include "objects.def"
#undef OBJECT

enum
{
    SCENE_MAX_PARTICLES = 64 << 20,
    SCENE_MAX_OBJECTS = 10000,
};

// The most memory, estimated, that a scene may need; a larger one is refused.
#define SCENE_MEMORY ((uint64_t)16 << 30)

// pl_scene_open of a text, with its own limit.
pl_result scene_parse(const pl_scene_source *source, uint64_t memory_limit, pl_scene **scene);

// scene_objects.c: orders the objects, reads meshes, resolves pins, and counts particles and memory.
pl_result scene_find_objects(pl_scene *scene, uint64_t memory_limit);
const struct scene_object *scene_object_by_name(const pl_scene *scene, const char *name);
bool object_always(const void *values); // true: for `round` and `uncut`
// Returns the object that a particle is of, or NULL: particles that were added later are of none.
const struct scene_object *scene_object_of_particle(const pl_scene *scene, int particle);
// Writes the path of an object's fields: "cloth[0]".
void scene_object_path(const pl_scene *scene, const struct scene_object *object, char *out, size_t size);
const struct object_kind *scene_object_kind(const struct scene_object *object);
// Returns whether its particles have a radius, so that they collide with other particles, not only with shapes.
bool scene_object_round(const struct scene_object *object);
// Returns the n-th key under which a scene lists the parts of its world: "cloth", "constraints" ...; NULL beyond the
// last.
const char *scene_object_key(int number);

// scene_mesh.c: reads files beside the scene. `node` is for messages.
// Joins the scene's folder and the path. Free it with free(); NULL: no memory.
char *scene_path(const pl_scene *scene, const char *path);
pl_result scene_read_file(const pl_scene *scene, const struct json *node, const char *path, char **text,
                          size_t *length);
// Returns the engine's own message, after the place in the scene and, if the object is made from one, the mesh's file.
pl_result scene_trouble(const struct json *node, const char *mesh, pl_result result);
pl_result scene_read_mesh(pl_scene *scene, const struct json *node, const char *path, struct numbers *vertices,
                          struct triples *triangles);

// scene_form.c: makes the mesh of a form in the scene's memory.
pl_result scene_fill_form(pl_scene *scene, const struct scene_form *from, uint64_t limit, struct numbers *vertices,
                          struct triples *triangles);
// Returns whether the mesh begins with a grid, and its size.
bool scene_form_grid(const struct scene_form *from, int *columns, int *rows);

// scene_animated.c: sets the velocities with which animated meshes reach their places at `time`.
pl_result scene_move_animated(const pl_scene *scene, pl_world *world, double time);

// scene_shapes.c: shapes, their geometry, and their motion.
pl_result scene_move_shapes(const pl_scene *scene, pl_world *world, double time);

// Returns a rotation around r by the length of r, in degrees.
pl_quat scene_rotation(pl_vec3 r);

// scene_body.c
const char *scene_form_name(int form), *scene_solver_word(pl_solver solver);
#define SCENE_SOLVER_AUTO (PL_SOLVER_DIRECT + 1) // the word behind those of the solvers: trials choose
// Sets the initial velocities of an object's particles, from the motion of its centre and the rotation about it.
pl_result scene_set_motion(pl_world *world, pl_id id, pl_vec3 velocity, pl_vec3 spin);

// scene_contact.c: loose particles (grains) and materials.
// Returns the number of a material equal to this one; adds it if there is none.
pl_result scene_material(pl_world *world, const pl_material *m, int *number);
// Gives all particles of an object a radius and a material; a radius of 0 leaves them as they are.
pl_result scene_set_surface(pl_world *world, pl_id id, float radius, const pl_material *material);

// scene_refs.c: references to particles in a scene: 12, "rope[3]", "rope[-1]", "bead".
pl_result scene_particle(const pl_scene *scene, const struct json *node, int *number);
// scene_select.c: consecutive particles: "rope" means all of its particles, "rope[2:5]" a range of them.
pl_result scene_particles_of(const pl_scene *scene, const struct json *node, const char *text, int *first, int *count);
pl_result scene_find_constraints(pl_scene *scene);

// scene_world.c: stores the initial positions of all particles of all objects in *x. Free it with free().
pl_result scene_start_positions(const pl_scene *scene, float **x);

// scene_script.c, scene_expect.c
pl_result scene_find_motions(pl_scene *scene);
// Checks that the particles which the script moves are pinned, which only the world knows.
pl_result scene_check_motions(const pl_scene *scene, pl_world *world);
pl_result scene_find_places(pl_scene *scene);

// scene_cut.c
pl_result scene_find_cuts(pl_scene *scene);
pl_result scene_run_cuts(const pl_scene *scene, pl_world *world, double time);
// Returns whether its object has edges to cut; true if it has no single object.
bool scene_can_be_cut(const struct scene_cut *cut);
// Returns whether the blade moves in the step that begins at this time.
bool scene_cut_passes(const pl_scene *scene, const struct scene_cut *cut, double time);

// scene_heat.c
pl_result scene_find_heat(pl_scene *scene);
pl_result scene_make_heat(const pl_scene *scene, pl_world *world);
pl_result scene_warm_shapes(const pl_scene *scene, pl_world *world, double time);

// Returns the JSON Schema of scenes. Free it with free().
char *scene_schema(void);

#endif
