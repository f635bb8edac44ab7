// scene.h: scenes, from their text to a world.
#ifndef PLIANT_SCENE_H
#define PLIANT_SCENE_H

#include <pliant/diffuse.h>
#include <pliant/world.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- scenes --------------------------------------------------------------------------------------------------------

/// A scene: a JSON text that has been read. docs/scenes.md describes the format. It makes worlds and keeps the rest:
/// frames, name, scripts, expectations, camera.
typedef struct pl_scene pl_scene;

/// How a scene should be viewed. It has no effect on the physics.
typedef struct pl_camera
{
    /// False: the scene has no camera, and the viewer chooses one.
    bool given;
    /// Where the camera is, m.
    pl_vec3 eye;
    /// What it looks at, m.
    pl_vec3 target;
    /// The vertical field of view, degrees. The default is 35.
    float fov;
    /// The target is the mean of all particles in every frame, and the eye moves with it.
    bool follow;
    /// Draw the ground at `floor`.
    bool has_floor;
    /// The height of the ground, m.
    float floor;
} pl_camera;

/// Describes a scene. The strings are valid as long as the scene.
typedef struct pl_scene_info
{
    /// The name; "scene" if the text has none.
    const char *name;
    /// What the scene shows; "" if the text does not say.
    const char *about;
    /// The number of frames of a full run.
    int frames;
    /// The duration of a frame, s.
    float dt;
    /// The camera.
    pl_camera camera;
    /// Whether the scene asks for diffuse particles: spray, foam and bubbles.
    bool has_diffuse;
    /// What they are like, if it does.
    pl_diffuse_def diffuse;
} pl_scene_info;

/// Reads a scene from a text of `length` bytes and stores it in *scene. Free it with pl_scene_free. `file` names the
/// text in messages. sets are set_count changes "path=value" that are made before the scene is read. Fails with
/// PL_ERROR_FORMAT and file:line:column in the message if the text is wrong.
PL_API pl_result pl_scene_parse(const char *text, size_t length, const char *file, const char *const *sets,
                                int set_count, pl_scene **scene);

/// Reads a scene from a file, as pl_scene_parse does from a text.
PL_API pl_result pl_scene_load(const char *path, const char *const *sets, int set_count, pl_scene **scene);

/// What pl_scene_open reads.
typedef struct pl_scene_source
{
    /// The text; NULL, the default: that of the file.
    const char *text;
    /// Its length in bytes.
    size_t length;
    /// The file; with a text only its name, for messages and for the folder in which the scene's files are.
    const char *file;
    /// Changes "path=value" that are made before the scene is read.
    const char *const *sets;
    /// Their number. The default is 0.
    int set_count;
    /// Let the scene name files outside its own folder: absolute paths, and paths with "..". The default is false, because
    /// a scene of a stranger should not read any file of this machine.
    bool allow_paths;
} pl_scene_source;

/// Returns the defaults named above.
PL_API pl_scene_source pl_default_scene_source(void);

/// Reads a scene and stores it in *scene. Free it with pl_scene_free. Fails as pl_scene_parse does.
PL_API pl_result pl_scene_open(const pl_scene_source *source, pl_scene **scene);

/// Frees a scene. NULL is allowed.
PL_API void pl_scene_free(pl_scene *scene);

/// Returns the description of a scene.
PL_API pl_scene_info pl_scene_describe(const pl_scene *scene);

/// Creates the world of a scene and stores it in *world. def gives hooks, workers and backend, NULL the defaults; its
/// settings are replaced by those of the scene.
PL_API pl_result pl_scene_world(const pl_scene *scene, const pl_world_def *def, pl_world **world);

/// Writes the text of a scene as JSON, with the changes that were made before it was read, to out: at most size bytes with
/// a 0 at the end. Returns the length of the whole text without the 0, as snprintf does; out may be NULL if size is 0. It
/// names the files of the scene as the scene did, so it belongs in the same folder.
PL_API size_t pl_scene_text(const pl_scene *scene, char *out, size_t size);

/// Applies the scripted part of the scene for the next step: moving pins, particles and shapes, cuts, and hot shapes.
/// Call it before every pl_world_step, which must advance by pl_scene_info.dt.
PL_API pl_result pl_scene_before_step(const pl_scene *scene, pl_world *world);

/// Checks the expectations of the scene against a world that has run all frames. Stores how many were checked and how
/// many failed, and writes one line for each that failed to report, at most report_size bytes. Each pointer may be
/// NULL.
PL_API pl_result pl_scene_expect(const pl_scene *scene, const pl_world *world, char *report, size_t report_size,
                                 int *checked, int *failed);

/// Writes the name of a particle as scenes and messages have it, such as "flag[12]", or "cloth[0][12]" if its object has no
/// name; its number alone if it is of no object of the scene. At most size bytes are written, with a 0 at the end.
PL_API void pl_scene_particle_name(const pl_scene *scene, int particle, char *out, size_t size);

/// Finds the particles that a selector names: "cloth[3]", "cloth[0:5]", "cloth.top", or JSON such as {"of": "cloth",
/// "box": [[0, 1, 0], [2, 3, 1]]} (docs/scenes.md, Selectors). Copies at most capacity numbers to out, each once, and
/// stores in *count how many there are. Boxes and spheres choose by the positions in world, or by those at the start if
/// world is NULL. Fails with PL_ERROR_FORMAT if the selector is wrong or names no particle. out may be NULL if capacity
/// is 0.
PL_API pl_result pl_scene_select(const pl_scene *scene, const pl_world *world, const char *selector, int32_t *out,
                                 int capacity, int *count);

// ---- advice --------------------------------------------------------------------------------------------------------

/// What pl_scene_advice looks at. Add the values up.
typedef enum pl_advice_about
{
    /// The scene as it was written and its world before the first step: fields without effect, objects that overlap or
    /// meet nothing, cloth that is thick for the distance of its particles, particles between which something sinks in.
    PL_ADVICE_SCENE = 1,
    /// What is to be expected of the run: how well it will converge, whether anything can move or everything falls.
    PL_ADVICE_START = 2,
    /// The present state: how well the last step has converged, and constraints that are stretched to more than twice
    /// their length.
    PL_ADVICE_STATE = 4,
} pl_advice_about;

/// Looks for what is likely to be a mistake and writes a line for each to out, at most size bytes, with what would be
/// right. Lines that do not fit are left out. about is a sum of pl_advice_about; frames is how many will be run, 0 for those of the
/// scene. Returns how many lines there are. It may take as long as several frames; the world stays as it is. out may be NULL.
PL_API int pl_scene_advice(const pl_scene *scene, const pl_world *world, unsigned about, int64_t frames, char *out,
                           size_t size);

// ---- the fields of a scene -----------------------------------------------------------------------------------------

/// The type of a field.
typedef enum pl_value_type
{
    /// Real numbers.
    PL_VALUE_NUMBER,
    /// Integers.
    PL_VALUE_INT,
    /// True or false: 1 or 0.
    PL_VALUE_BOOL,
    /// One of several words: value[0] is its index in choices.
    PL_VALUE_CHOICE,
} pl_value_type;

/// A field of a scene with one, two or three values. The strings are valid as long as the scene.
typedef struct pl_scene_field
{
    /// The path, as the sets of pl_scene_parse and `--set` take it, such as "cloth[0].stretch.compliance".
    char path[96];
    /// The "name" of the object that the field belongs to; NULL if it belongs to none or to one without a name.
    const char *object;
    /// What the field means.
    const char *about;
    /// The type of its values.
    pl_value_type type;
    /// Number of values, from 1 to 3.
    int count;
    /// The values in this scene.
    double value[3];
    /// The smallest allowed value.
    double min;
    /// The largest allowed value.
    double max;
    /// The words of PL_VALUE_CHOICE, terminated by NULL.
    const char *const *choices;
    /// True if the text sets the field; false if it has its default.
    bool given;
    /// NULL if the field has an effect. Otherwise the kinds (or models, or forms) for which it has one: this object is
    /// of another kind.
    const char *only_for;
} pl_scene_field;

/// Copies at most capacity fields to out and returns how many there are: all fields that hold numbers or words, in the
/// order of the schema. Texts, lists and expectations are left out.
PL_API int pl_scene_fields(const pl_scene *scene, pl_scene_field *out, int capacity);

// ---- built-in scenes -----------------------------------------------------------------------------------------------

/// Returns the text of a scene that is compiled into the library and stores its length, or returns NULL if there is
/// none of that name.
PL_API const char *pl_builtin_scene(const char *name, size_t *length);

/// Returns the name of built-in scene `number`, counted from 0, or NULL if there is none.
PL_API const char *pl_builtin_scene_name(int number);

#ifdef __cplusplus
}
#endif
#endif
