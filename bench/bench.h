// bench.h: what the benchmarks share. A scene is plain arrays, so that every engine gets the same particles, the same
// masses and the same links in the same order; an engine is a handful of functions.
#ifndef PLIANT_BENCH_H
#define PLIANT_BENCH_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum
{
    MAX_ENGINES = 8,
};

typedef struct scene
{
    const char *name;
    const char *about;
    int particles;
    float *position; // 3 for each
    float *mass;     // 0: held
    int links;
    int32_t *link; // 2 for each
    int tets;
    int32_t *tet; // 4 for each
    float young;  // above 0: the tetrahedra are neo-Hookean, of this many Pa, where an engine can; else links
    int substeps, iterations;
    float dt;
    float radius;            // above 0: grains in a box, instead of links
    float half;              // half the box's width
    float spacing;           // above 0: a tank of fluid of this spacing, instead of links
    int tank[3];             // its edges in spacings
    float *velocity;         // 3 for each; grains only
    int body_size;           // above 0: so many particles after each other are a rigid body, and have velocities
    int settle;              // steps before the clock starts
    const char *told;        // NULL, or the scene that comes with Pliant: no other engine reads it
    const char *const *sets; // ... with these changes
    int set_count;
    bool for_gpu;             // too large for the others
    struct body_list *bodies; // NULL, or rigid bodies with joints, instead of particles
    bool direct;              // their joints are solved directly, where an engine can
    bool alone;               // no other engine runs it
} scene;

// By name; false when there is none.
bool scene_make(const char *name, scene *out);
void scene_free(scene *s);
// Room for so many; false when there is no memory.
bool scene_reserve(scene *s, int particles, int links, int tets);
void scene_add_link(scene *s, int a, int b);
bool make_bar(scene *s, const int *cells);
// How many tetrahedra are flat or inside out.
int tets_inverted(const scene *s, const float *position);
// Grains: the scene, and the mean overlap of those that overlap, over the radius.
bool make_grains(scene *s, int count);
void tell_glass(scene *s);
// A tank of still water, 20 spacings deep.
bool make_tank(scene *s, int across, int along);
double grains_overlap(const scene *s, const float *position);
// NULL past the last one.
const char *scene_name(int number);
// Mean |length - rest| / rest over the links, rest being the length in the scene.
double scene_stretch(const scene *s, const float *position);

typedef struct engine
{
    const char *name, *version;
    int threads, lanes;
    void *(*create)(const scene *s, int threads, int lanes); // NULL: it failed
    bool (*step)(void *state);
    void (*positions)(void *state, float *out); // 3 for each particle
    void (*destroy)(void *state);
    void (*poses)(void *state, float *out); // of rigid bodies: position and rotation (x y z w); NULL: it has none
    double (*compression)(void *state);     // of fluids: the mean; NULL: it has none
    bool volumes;                           // it holds the volumes of tetrahedra too
    const char *backend, *device;           // NULL: the processor
    double (*ms)(const void *state);        // of the last step, by the device's own clock; NULL: by ours
    double copy_rate;                       // bytes/s that a copy on the device reads and writes; 0: not known
} engine;

// lanes 0: what the engine itself would take.
engine pliant_engine(int threads, int lanes);
// False: there is no GPU, and why.
bool pliant_cuda_engine(engine *out, const char **why);
#ifdef PLIANT_BENCH_BULLET
engine bullet_engine(void);
#endif

typedef struct result
{
    const char *bench;
    engine from;
    int particles;
    double ms, ms_min, work_per_s, error;
    int tets, inverted; // of elements
    double ratio;       // Bullet's ms over this; 0: Bullet was not in the run
    double bytes_per_s; // that the visits of links ask for; 0: not told
    int bodies;         // rigid bodies, with the errors that follow, m
    double drift_mean, drift_max, gap_mean, gap_max;
} result;

// Runs all engines on one scene, in turns, `rounds` times `steps` steps from rest. False: an engine failed.
bool measure(const scene *s, const engine *engines, int count, int rounds, int steps, result *out);

void print_head(void);
void print_results(const result *results, int count);
// What a particle of grains and fluids costs, and how that grows from the smallest bench of the kind on.
void print_growth(const result *results, int count);
// Elements that are inside out at the end.
void print_inverted(const result *results, int count);
// How far bodies have moved and joints have opened.
void print_bodies(const result *results, int count);
// The file appears whole or not at all.
bool write_json(const char *path, const result *results, int count);

#ifdef __cplusplus
}
#endif
#endif
