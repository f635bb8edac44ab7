// group.h: declares the table of group kinds.
//
// A group is a set of particles that belong together beyond the constraints: a cluster, a lattice, a volume, an
// oriented particle, a visual mesh attached to an object. A kind is described once, by a group_kind in its own file,
// and listed in model/groups.def. Code that concerns all kinds (packing, snapshots, removal, undo, queries) loops over
// the table and names none of them.
//
// A kind keeps its groups in the columns of its struct (model/columns.def), with one item for each group or for each
// member, in the order in which they were added. Group i has the members [start[i], start[i + 1]); a kind without starts
// has one member per group.
#pragma once
#include "plan/hooks.h"
#include "model/model_columns.h"

#include <stddef.h>

struct arena;
struct bone;
struct planner;
struct stream;
struct id_entry;

enum group_role
{
    ROLE_STRUCTURE, // two worlds that differ in it have different structures (pl_world_copy_parameters)
    ROLE_PARAMETER, // pl_world_copy_parameters copies it
    ROLE_STATE,     // changed by the simulation
};

enum group_melting // whether its particles may melt (heat.h)
{
    MELT_ANY,
    MELT_NEVER,
    MELT_IN_ONE, // only particles that are in at most one group of the kind
};

typedef struct group_kind
{
    const char *words, *member_words; // for messages: "clusters", "members of clusters"
    int id_entry;                     // the type of its ids
    enum model_owner owner;           // its columns: GROUP_COLUMNS or GROUP_COLUMNS_WITHOUT_STARTS sets these five
    enum model_domain group, start, member; // their domains; without starts: start is MODEL_DOMAINS, member is group
    int start_column;                       // -1: no starts
    size_t count, members; // offsets of its counts (int64_t) in pl_world; without starts both are the same
    int64_t most;          // the most groups, and the most members, that a snapshot may hold
    const uint8_t *roles;  // enum group_role of each column; NULL: the kind has loops of its own
    int member_column;     // the column that holds particle numbers
    bool single;           // an id names one group
    bool packed_first;     // packed and planned before the other kinds, because they read its packed form
    bool uses_masses;      // the packed form depends on masses or on the number of iterations
    bool uses_objects;     // the packed form depends on the object of a particle
    bool uses_rows;        // the packed form depends on which rows there are and where they are packed
    bool connects;         // its members count as one piece (pl_count_pieces)
    bool alone;            // its groups have no particles, and stay when particles are removed
    bool ends_torn;        // a group is removed when one of its particles tears
    uint8_t melting;       // enum group_melting

    // Each function may be NULL. The packed form is what the stages read (state.h).
    // Gives the rows that its own stages solve the colour COLOUR_GROUP; called before all rows are coloured.
    pl_result (*choose_rows)(pl_world *w);
    // Appends the particles whose slots it chooses, in that order, to number; called when all particles are ordered.
    pl_result (*place)(pl_world *w, int32_t *number, int64_t *count);
    pl_result (*size)(pl_world *w);                // counts what lay_out needs
    void (*lay_out)(pl_world *w, struct arena *a); // NULL: the kind takes no part in a step
    void (*fill)(pl_world *w, int32_t *scratch);   // scratch: one number for each slot
    void (*unpack)(pl_world *w);                   // copies what a step has changed into the kind's arrays
    // Undoes a failed frame; NULL: the kind is unpacked before each frame.
    void (*back)(pl_world *w);
    void (*plan)(struct planner *p, enum plan_hook hook, int iteration); // adds its stages of that hook
    int32_t (*find_trouble)(const pl_world *w); // returns a particle whose state is not finite, or -1
    pl_result (*check)(pl_world *w);            // checks a loaded snapshot, after starts and particle numbers
    // Called after particles were removed: repairs the group, or returns true to remove it; NULL: always remove.
    bool (*lost)(pl_world *w, int64_t group);
    // Copies parameters that are not in a ROLE_PARAMETER array.
    void (*copy_parameters)(pl_world *w, const pl_world *from);
    void (*measure)(const pl_world *w, double *energy, double *angular); // adds to both; either may be NULL
    void (*residual)(const pl_world *w, pl_residual *sum); // adds the relative errors of its lengths; mean: their sum
    uint64_t (*hash)(const pl_world *w, uint64_t h);
    void (*rotate)(const pl_world *w, int first, int count, struct bone *bones); // adds the rotations of particles
    void (*info)(const pl_world *w, pl_group_info *info);
    void (*walk)(struct stream *s, pl_world *w);                // replaces the loops over columns: saves and loads,
    void (*compact)(pl_world *w, int64_t first, int64_t count); // removes groups
} group_kind;

#define GROUP_COLUMNS(NAME)                                                                                            \
    .owner = MODEL_OF_##NAME, .group = PER_##NAME##_GROUP, .start = PER_##NAME##_START, .member = PER_##NAME##_MEMBER, \
    .start_column = MODEL_##NAME##_start
#define GROUP_COLUMNS_WITHOUT_STARTS(NAME)                                                                             \
    .owner = MODEL_OF_##NAME, .group = PER_##NAME##_GROUP, .start = MODEL_DOMAINS, .member = PER_##NAME##_GROUP,       \
    .start_column = -1

extern const group_kind *const group_kinds[GROUP_KINDS];
const group_kind *group_kind_of(int id_type); // NULL if the id does not name groups
int64_t group_count(const pl_world *w, const group_kind *k);

typedef struct group_members
{
    const int32_t *number; // particle numbers
    int64_t count;
} group_members;
group_members members_of(const pl_world *w, const group_kind *k, int64_t first, int64_t count);
group_members all_members(const pl_world *w, const group_kind *k);

// ---- group_columns.c
// Makes room for so many more.
pl_result group_reserve(pl_world *w, const group_kind *k, int64_t groups, int64_t members);
// Removes groups.
void group_compact(pl_world *w, const group_kind *k, int64_t first, int64_t count);
void groups_truncate(pl_world *w, const int64_t *counts);                    // keeps the first ones of each kind
void groups_walk(struct stream *s, pl_world *w);                             // saves or loads
void group_walk_columns(struct stream *s, pl_world *w, const group_kind *k); // ... the columns of one kind
pl_result groups_check(pl_world *w);                                         // checks a loaded snapshot
bool groups_same(const pl_world *w, const pl_world *o);
void groups_copy_parameters(pl_world *w, const pl_world *from);
void groups_free(pl_world *w);

// ---- group.c: packing. Packed groups lie behind all other packed data, so that they can be packed again alone.
// Call before groups, or data that they are made of, change. Unpacks them; they are packed again before the next step.
pl_result groups_open(pl_world *w);
pl_result groups_restart(pl_world *w);     // call before the number of iterations changes
pl_result groups_weigh(pl_world *w);       // call before masses change
pl_result groups_follow_rows(pl_world *w); // call before rows are added or removed
pl_result groups_choose_rows(pl_world *w); // call before all rows are coloured
bool has_groups(const pl_world *w);        // whether any group takes part in a step
bool groups_use_objects(const pl_world *w);
void groups_unpack(pl_world *w);
void groups_keep(pl_world *w); // call before a frame: keeps its start for groups_back
void groups_back(pl_world *w); // call after a failed frame
// Lists the particles whose slots are chosen by groups, in that order. No particle is there twice.
pl_result groups_place(pl_world *w, int32_t *number, int64_t *count);
pl_result groups_size(pl_world *w);
void groups_lay_out(pl_world *w, struct arena *a);
int64_t groups_room(const pl_world *w, int64_t used); // bytes to reserve behind them for later groups
void groups_fill(pl_world *w, int32_t *scratch);
// Stores the contact lists so that they can be built again unchanged for arrays of another size.
pl_result set_lists_aside(pl_world *w);
pl_result regroup(pl_world *w); // packs only the groups; if they do not fit, marks everything to be packed again
// iteration: for hooks inside an iteration.
void groups_plan(struct planner *p, enum plan_hook hook, int iteration);

// ---- edit.c
// Makes room for groups and their id, so that nothing can fail afterwards.
pl_result group_begin(pl_world *w, const group_kind *k, int64_t groups, int64_t members);
pl_result group_end(pl_world *w, const group_kind *k, int64_t first, pl_id *id); // all groups from `first` on are new
void group_remove(pl_world *w, struct id_entry *t);
// Call after particles were removed: removes or repairs the groups that had them.
void group_prune(pl_world *w, struct id_entry *t);

// ---- query.c
int32_t groups_trouble(const pl_world *w);
void groups_measure(const pl_world *w, double *energy, double *angular);
void groups_residual(const pl_world *w, pl_residual *sum);
uint64_t groups_hash(const pl_world *w, uint64_t h);
void groups_rotate(const pl_world *w, int first, int count, struct bone *bones);

// ---- unpack.c
pl_result rows_unpack(pl_world *w); // copies the multipliers, damage and groups to the user's arrays
pl_result unpack_all(pl_world *w, bool colours, bool particles); // marks for packing, colouring, ordering
pl_result keep_all(pl_world *w);  // copies all that a step has changed to the user's arrays
void forget_packing(pl_world *w); // after keep_all: everything is packed again before the next step, in the same order
// Leaves the world as a save and a load would: both of these.
pl_result unpack_world(pl_world *w);
