// world.h: everything a pl_world holds.
//
// Users see particle numbers, ids and rows in the order in which they were added. Inside, particles live in slots and
// rows are packed by tile and colour (state.h). compile.c makes the second out of the first when an edit has changed
// the structure; between edits the two are kept in step by the maps slot_of and packed_at.
#pragma once
#include "core/rounding.h"
#include "model/backend.h"
#include "model/client_data.h"
#include "model/colour_data.h"
#include "model/component_data.h"
#include "model/contact_data.h"
#include "model/event_data.h"
#include "model/groups.h"
#include "model/heat_data.h"
#include "model/hierarchy_data.h"
#include "model/query_data.h"
#include "model/sensor_data.h"
#include "model/surface_data.h"
#include "model/tear_data.h"
#include "model/workers.h"

enum id_type
{
    ID_FREE,
    ID_OBJECT, // [first, first + count) particle numbers
    ID_ROWS,   // [first, first + count) rows of `kind`
    ID_FACES,  // [first, first + count) faces
    ID_FIELD,  // field number `first`
    ID_SHAPE,  // shape number `first`
// [first, first + count) groups of a kind
#define GROUP_KIND(name, NAME, id, form, words) ID_##NAME = id,
#include "model/groups.def"
    ENTRY_TYPES = GROUP_ENTRIES + GROUP_KINDS
};

// What a pl_id names. Index 0 is never used.
typedef struct id_entry
{
    uint32_t generation;
    uint8_t type, kind;
    uint16_t torn;  // an object that has come apart
    uint32_t owner; // index of the object that this was authored for or, of an object, came off; or 0
    int32_t first, count;
    uint32_t user[2]; // pl_set_user_data
} id_entry;

// One kind's constraints as the user gave them.
typedef struct rows
{
    int64_t count;
#define MODEL_ROWS MODEL_MEMBER
#include "model/columns.def"
} rows;

typedef struct faces
{
    int64_t count;
#define MODEL_FACES MODEL_MEMBER
#include "model/columns.def"
} faces;

typedef struct numbers
{
    int32_t end;  // one more than the largest number in use
    int32_t free; // numbers below it that are not in use
    int64_t capacity;
    int32_t *slot_of; // -1: no such particle
    int64_t moves;    // counts whenever some get other slots
} numbers;

// How the particles are ordered, which together with the rows decides every colour: kept in snapshots.
typedef struct order
{
    int32_t tiles;
    int64_t capacity;
    int32_t *tile_first; // for each tile its first slot, and one more at the end
    int32_t count;       // how many particles there were,
    int64_t joined;      // and how many rows have come since all were coloured
    bool settled;        // a step has been made since: edits keep slots and colours
} order;

static inline bool row_broken(const rows *r, int64_t row) { return r->damage && r->damage[row].broken > 0.0f; }

// A range of bytes that a backend with its own memory has yet to copy.
typedef struct patch
{
    int64_t at;
    int32_t bytes, array; // array: slot array, -1: the packed memory
} patch;

enum
{
    AFTER_FRAME_PARTS = 4, // of the work after a frame: tearing, heat, emission, sensors (step/step.c)
};

// What is left to do of a frame for which memory was lacking after it had succeeded; the next step does it.
typedef struct unfinished
{
    int32_t from; // the number of the first part of it, from 1; 0: nothing
    float dt;
    bool torn;
} unfinished;

struct pl_world
{
    memory memory;
    pl_log log;
    pl_settings settings;
    cpu cpu;
    const backend *backend;
    struct cuda_side *cuda;              // what the CUDA backend keeps here
    uint32_t device_newer, host_changed; // arrays: see backend.h
    bool stepping;                       // a step has begun and not ended
    unfinished unfinished;

    id_entry *entries;
    int64_t entry_count, entry_capacity;
    numbers numbers;
    int64_t slot_capacity[SLOT_ARRAYS];
    int32_t live;       // particles
    int32_t used;       // slots that hold one or held one
    int32_t hole;       // no slot before this one is free
    int32_t room;       // slots that are kept free for what comes or tears off,
    int32_t dummy;      // and the first slot behind them: padding points there and beyond
    int32_t spares;     // dummies beside those of the tiles
    int32_t *number_of; // for each slot its particle number, -1: removed
    int64_t number_capacity;
    rows rows[PL_KIND_COUNT];
    faces faces;
#define GROUP_KIND(name, NAME, id, form, words) name name;
#include "model/groups.def"
    rigid_contacts rigid_contacts;
    body_particles body_particles;
    pl_field fields[MAX_FIELDS];
    uint32_t field_entry[MAX_FIELDS];
    gas_rule gas[GAS_RULES];
    int32_t gases; // how many of these there are
    order order;
    contacts contacts;
    events events;
    sensors sensors;
    surfaces surfaces;
    tear tear;
    heat heat;
    client_list client_lists[NEIGHBOUR_CLIENTS];
    int32_t client_particles; // of all clients whose lists are made before a substep

    // compiled
    bool particles_stale;           // order the particles again
    bool colours_stale;             // colour the rows again
    bool order_stale;               // pack everything again
    bool groups_stale;              // pack the groups again
    bool rows_stale[PL_KIND_COUNT]; // parameters changed: pack again
    bool runs_stale;                // a colour has got its first row
    bool objects_stale;             // particles came or went: list those of the objects again
    bool components_stale;          // rows, volumes or masses changed: find the components again
    bool faces_stale;               // faces have other corners: pack them again
    bool plan_stale;                // settings changed: plan again
    bool open;                      // edits have come: the next packing has room for more
    bool roomy;                     // this one has
    colour_ranges colour_ranges[PL_KIND_COUNT];
    components components;
    hierarchy hierarchy;
    struct direct_system *direct; // of the solver direct (direct/direct.h)
    patch *patches;
    int64_t patch_count, patch_capacity;
    bool patch_lost;  // for want of memory
    bool pins_travel; // some pin may travel in the coming frame
    state state;
    char *packing; // the memory behind `state`
    int64_t packing_capacity, packing_used;
    int64_t groups_at; // where in it the groups begin: they are the last
    run *runs;         // plain colours and seams, in order
    int64_t run_count, run_capacity;
    pl_order_info order_info;
    plan plan;
    int64_t substep_capacity;
    field frame_fields[MAX_FIELDS]; // behind state.fields

    double time;
    double origin[3]; // the sum of all shifts of the origin
    int64_t frame;
    float last_dt;
    float force_scale; // what makes a multiplier of the last substep a force: 1/h^2
    flow flow;
    pl_timing timing;

    queries queries;
    uint64_t changes;      // counts whenever positions, poses or filters may have changed, for `queries`
    uint64_t item_changes; // the same for which particles, faces, shapes and bodies there are
};

// What makes a multiplier of the last substep a force.
static inline float multiplier_force(const pl_world *w)
{
    float implicit = w->state.second && w->flow.second ? 1.5f / w->state.h : 1.0f / w->state.h;
    return implicit * implicit;
}

// Something that queries see has changed; items: also which items there are.
static inline void world_changed(pl_world *w, bool items)
{
    w->changes++;
    w->item_changes += items;
}

// ---- contacts
static inline bool has_pairs(const pl_world *w) { return w->contacts.colliders > 0; }
static inline bool has_shape_contacts(const pl_world *w) { return w->contacts.shape_count > 0; }
static inline bool has_surface(const pl_world *w) { return w->surfaces.triangles > 0; }
// Particles or shapes that may touch.
static inline bool has_contacts(const pl_world *w)
{
    return has_pairs(w) || has_shape_contacts(w) || has_surface(w) || w->client_particles > 0;
}
// The same for edits: a world that was loaded does not know what touches until it is compiled, but it has lists to
// repeat.
static inline bool has_surface_lists(const pl_world *w) { return has_surface(w) || w->surfaces.resume; }
static inline bool has_lists(const pl_world *w) { return has_contacts(w) || w->contacts.resume || w->surfaces.resume; }
// After an edit of faces, thicknesses or rest positions: the mesh is built again, and all lists with it.
static inline void surfaces_changed(pl_world *w) { w->surfaces.stale = w->contacts.stale = true; }

// ---- kinds.c
enum param_rule // for parameter 0
{
    PARAM_ANY,
    PARAM_POSITIVE,
    PARAM_NONZERO,
    PARAM_BALANCED, // all parameters together: they sum to 0
    PARAM_TET,      // those of fem.h
    PARAM_TRIANGLE,
    PARAM_PATCH, // those of patch_volume.h
    // Of kinds between frames, whose ends have parameters of their own:
    PARAM_POINTS, // a point for each end (3): one of them must have a frame
    PARAM_JOINT,  // a point (3) and a rotation (3) for each end: both must have frames
    PARAM_TURNS,  // a rotation for each end (3): both must have frames
    PARAM_SLIDE,  // a point and a rotation of the first end (6), a point of the second (3): the first must have a frame
    PARAM_ATTACH, // a point of the first end (3), which must have a frame: all rows of a body are solved as one block
};

typedef struct kind_facts
{
    pl_kind_info info;
    int writes, bound;
    int scale; // 1: parameter 0 is a length that |C| is measured against
    int rule;
    bool frames; // its ends are particles or frames
} kind_facts;
const kind_facts *facts_of(int kind);

// ---- ids.c: ids
pl_result id_add(pl_world *w, id_entry t, pl_id *id); // never fails after id_reserve
pl_result id_reserve(pl_world *w, int more);
id_entry *id_find(const pl_world *w, pl_id id, int type, const char *what); // NULL: fail() has been called
int32_t object_at(const pl_world *w, int32_t number);                       // index of the particle's object id
const char *id_type_name(int type);                                         // for messages: "a block of clusters"
pl_id id_of_entry(const pl_world *w, int64_t index);
void shift_entries(pl_world *w, int type, int kind, int32_t after, int32_t by); // those behind a gap of `by`
void free_entry(id_entry *t); // keeps its generation, so that old ids are known

// ---- checks
// What must not be NULL, in a call that returns a pl_result.
#define NEED(pointer)                                                                                                  \
    if (!(pointer))                                                                                                    \
    return fail(PL_ERROR_ARGUMENT, "%s: %s is NULL", __func__, #pointer[0] == 'w' && !#pointer[1] ? "world" : #pointer)
#define CHECK_FINITE(x) ((x) - (x) == 0)
static inline bool finite3(pl_vec3 v) { return CHECK_FINITE(v.x) && CHECK_FINITE(v.y) && CHECK_FINITE(v.z); }
pl_result check_settings(const pl_settings *s); // settings.c
int colour_cap(const pl_settings *s);           // of all kinds but those between frames, which always have colours
bool solver_relaxes(const pl_settings *s);      // it reads `relaxation` and `averaged`
bool solver_has_memory(const pl_settings *s);   // it has arrays of its own
// Are the rows of a kind solved by stages of the solver's own, beside the colours?
bool is_solved_apart(const pl_settings *s, int kind);
pl_result check_solver_backend(const pl_settings *s, pl_backend which);
bool all_finite(const float *values, int64_t count, int64_t *where);

// ---- rigid_rest.c
float awake_inverse_mass(const pl_world *w, int32_t slot); // of a sleeping rigid body; 0: none is there

// ---- particles
static inline int32_t slot_of(const pl_world *w, int32_t number)
{
    return number >= 0 && number < w->numbers.end ? w->numbers.slot_of[number] : -1;
}

// The inverse mass of a slot as the stages see it: 0 of a sleeping body. It is beside the displacement, but no stage
// changes it.
static inline float present_inverse_mass(const pl_world *w, int32_t slot)
{
    return w->state.slot[SLOT_D][4 * (size_t)slot + 3];
}

// The inverse mass of a slot; 0: it is fixed.
static inline float inverse_mass(const pl_world *w, int32_t slot)
{
    float own = present_inverse_mass(w, slot);
    return own > 0.0f || !w->rigids.asleep ? own : awake_inverse_mass(w, slot);
}

static inline bool groups_packed(const pl_world *w) { return !w->order_stale && !w->groups_stale; }

// ---- patches.c
bool patches_wanted(const pl_world *w);     // whether the backend has copies of the packed arrays
void patch_slot(pl_world *w, int32_t slot); // records that a slot's data have changed
void patch_slot_arrays(pl_world *w, int32_t slot, uint32_t arrays); // ... only in these arrays
void patch_packed(pl_world *w, const void *from, size_t bytes);     // records that packed bytes have changed
void patches_free(pl_world *w);

// ---- damage.c
enum // bits of packed_rows.damaged
{
    DAMAGE_FLOWS = 1,
    DAMAGE_BREAKS = 2,
};
int damage_law_of(int kind);
bool damage_flows(const rows *r);
bool damage_breaks(const rows *r);
bool damage_can_flow(int kind); // which damage a kind can have: other damage is refused, in snapshots too
bool damage_can_break(int kind);
pl_result damage_reserve(pl_world *w, int kind, int64_t count);
pl_result damage_pull(const pl_world *w); // what has flown and what is loaded, by the users' rows
void damage_unpack(pl_world *w);          // the same, where the host has the newest
void damage_pack(pl_world *w, int kind);
pl_result damage_check(const pl_world *w, int kind); // every record that is there

// ---- shapes.c, shapes_place.c, materials.c
pl_result shapes_place(pl_world *w, float dt); // where they are in each substep of the frame to come
void shapes_arrive(pl_world *w, float dt);     // the frame is done
void shape_remove(pl_world *w, id_entry *t);
placement placement_of(pl_vec3 position, pl_quat rotation);
placement placement_from(const double at[3], const double quat[4]);   // quat: x y z w
solid shape_solid(const pl_world *w, int32_t number, placement *now); // as it stands between steps
float shapes_moved(const pl_world *w, int substep);
void shapes_free(pl_world *w);
pl_result check_shape(const pl_shape_def *def);
const char *shape_kind_name(pl_shape_kind kind);
// ---- shape_data.c
// What the stages need, and how far it reaches from the shape's origin; checks the arrays.
pl_result shape_build(pl_world *w, const pl_shape_def *def, int64_t *data, float *reach);
void shape_drop(pl_world *w, int64_t data);
pl_result check_material(const pl_material *m);
pl_result materials_check(const contacts *t);             // those of a snapshot
pl_result materials_copy(pl_world *w, const pl_world *o); // all of another world's
void materials_free(pl_world *w);
static inline material_values material_values_of(const pl_material *m)
{
    return (material_values){m->static_friction, m->kinetic_friction, m->restitution, m->rolling};
}
pl_material material_between(const pl_world *w, int a, int b);
bool any_bounce(const pl_world *w);
void phase_defaults(pl_world *w, int32_t slot, int32_t object);
void set_filter(pl_world *w, int first, int count); // an object's particles spare those that they lie near at rest

// ---- sensors.c
void sensors_lost(pl_world *w);      // drops what was removed
bool sensors_fit(const pl_world *w); // are the saved visits consistent with the world?
bool sensors_exist(pl_world *w);
void sensors_free(pl_world *w);

// ---- heat.c
pl_result heat_reserve(pl_world *w, int64_t count);          // makes room for so many particles
void heat_lost(pl_world *w, int32_t number);                 // the particle was removed
pl_result heat_split(pl_world *w, int32_t from, int32_t to); // particle `to` was split off `from`
