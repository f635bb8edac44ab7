// group.h: the table of group kinds.
//
// A group is a set of particles that belong together beside the constraints: a cluster, a lattice, a volume, a particle with a rotation,
// a mesh that rides on an object. A kind is described once, by a group_kind in its own file, and listed in kinds.def. Everything that
// concerns all kinds (packing, snapshots, removal, undo, queries) loops over the table and names none of them.
//
// A kind keeps its groups in arrays, one item for each group or for each member, in the order in which they were added. group i has the
// members [start[i], start[i + 1]); a kind without starts has one member a group.
#pragma once
#include "groups/kinds.h"
#include "groups/moments.h"

#include <stddef.h>

struct arena;
struct bone;
struct planner;
struct stream;
struct id_entry;

enum group_per
{
    PER_GROUP,
    PER_MEMBER,
    PER_START, // one for each group, and one more at the end
};

enum group_role
{
    ROLE_STRUCTURE, // two worlds that differ in it have another structure (pl_world_copy_parameters)
    ROLE_PARAMETER, // pl_world_copy_parameters copies it
    ROLE_STATE,     // what the simulation has made of it
};

// One array of a kind: where its pointer and its capacity are in the kind's struct.
typedef struct group_array
{
    size_t data, capacity, item; // item: bytes of one number
    int32_t width;               // numbers for each group or member
    uint8_t per, role;
} group_array;

#define GROUP_ARRAY(kind, name, width, per, role)                                                                      \
    {                                                                                                                  \
        offsetof(kind, name), offsetof(kind, name##_capacity), sizeof *((kind *)0)->name, width, per, role             \
    }

enum group_melting // may its particles melt (heat.h)?
{
    MELT_ANY,
    MELT_NEVER,
    MELT_IN_ONE, // yes, where they are in one group of the kind and no other
};

typedef struct group_kind
{
    const char *id_name;              // what an id of it names: "a block of clusters"
    const char *words, *member_words; // in messages: "clusters", "members of clusters"
    int id_entry;                     // the type of its ids
    size_t at;                        // of its struct in pl_world
    size_t count, members;            // of its counts (int64_t) in that struct; without starts both are the same
    int64_t most;                     // groups, and members, that a snapshot may hold
    const group_array *arrays;        // in the order of snapshots
    int array_count, member_array;    // member_array: the one that holds particle numbers
    bool single;                      // an id names one group
    bool packed_first;                // packed and planned before the others: they read its packed form
    bool uses_masses;                 // the packed form holds masses, or what follows from the number of iterations
    bool uses_objects;                // ... or which object a particle belongs to
    bool connects;                    // its members are one piece (pl_count_pieces)
    bool ends_torn;                   // it ends when one of its particles tears
    uint8_t melting;                  // enum group_melting

    // All of them may be NULL. The packed form is what the stages read (state.h).
    pl_result (*size)(pl_world *w);                // counts what lay_out needs
    void (*lay_out)(pl_world *w, struct arena *a); // NULL: it takes no part in a step
    void (*fill)(pl_world *w, int32_t *scratch);   // scratch: one number for each slot
    void (*unpack)(pl_world *w);                   // copies what a step has changed into the kind's arrays
    void (*back)(pl_world *w);                     // after a failed frame. NULL: it is unpacked before each frame
    void (*plan)(struct planner *p, enum plan_moment moment, int iteration); // its stages of that moment
    int32_t (*find_trouble)(const pl_world *w); // a particle whose state is not finite, or -1
    pl_result (*check)(pl_world *w);            // of a snapshot, after starts and particle numbers
    bool (*lost)(pl_world *w, int64_t group);   // particles are gone: repairs it, or true: remove it. NULL: remove
    void (*adopt)(pl_world *w, const pl_world *from);                    // beside ROLE_PARAMETER
    void (*measure)(const pl_world *w, double *energy, double *angular); // adds to them; either may be NULL
    uint64_t (*hash)(const pl_world *w, uint64_t h);
    void (*rotate)(const pl_world *w, int first, int count, struct bone *bones); // adds the rotations of particles
    void (*info)(const pl_world *w, pl_group_info *info);
    void (*walk)(struct stream *s, pl_world *w);                // instead of arrays: saves and loads it,
    void (*compact)(pl_world *w, int64_t first, int64_t count); // takes groups out,
    void (*free)(pl_world *w);                                  // frees its memory
} group_kind;

extern const group_kind *const group_kinds[GROUP_KINDS];
const group_kind *group_kind_of(int id_type); // NULL: not an id of groups
int64_t group_count(const pl_world *w, const group_kind *k);

typedef struct group_members
{
    const int32_t *number; // particle numbers
    int64_t count;
} group_members;
group_members members_of(const pl_world *w, const group_kind *k, int64_t first, int64_t count);
group_members all_members(const pl_world *w, const group_kind *k);

// ---- arrays.c
pl_result group_reserve(pl_world *w, const group_kind *k, int64_t groups, int64_t members); // for so many more
void group_compact(pl_world *w, const group_kind *k, int64_t first, int64_t count);         // takes groups out
void groups_truncate(pl_world *w, const int64_t *counts); // keeps the first ones of each kind
void groups_walk(struct stream *s, pl_world *w);          // saves or loads
pl_result groups_check(pl_world *w);                      // of a snapshot
bool groups_same(const pl_world *w, const pl_world *o);
void groups_adopt(pl_world *w, const pl_world *from);
void groups_free(pl_world *w);

// ---- group.c: packing. All groups are packed behind everything else, so that they can be packed again without it.
// Before groups, or what they are made of, change: unpacks them; they are packed again before the next step.
pl_result groups_open(pl_world *w);
pl_result groups_restart(pl_world *w); // before masses or the number of iterations change
bool has_groups(const pl_world *w);    // that take part in a step
bool groups_use_objects(const pl_world *w);
void groups_unpack(pl_world *w);
void groups_keep(pl_world *w); // before a frame: its start, to go back to
void groups_back(pl_world *w); // after a failed frame
pl_result groups_size(pl_world *w);
void groups_lay_out(pl_world *w, struct arena *a);
int64_t groups_room(const pl_world *w, int64_t used); // bytes behind them, for more to come
void groups_fill(pl_world *w, int32_t *scratch);
pl_result regroup(pl_world *w); // packs groups alone; where there is no room for them, everything is to be packed again
void groups_plan(struct planner *p, enum plan_moment moment, int iteration); // iteration: where the moment has one

// ---- edit.c
// Makes room to add groups and their id: nothing can fail afterwards.
pl_result group_begin(pl_world *w, const group_kind *k, int64_t groups, int64_t members);
pl_result group_end(pl_world *w, const group_kind *k, int64_t first, pl_id *id); // all from `first` on are new
void group_remove(pl_world *w, struct id_entry *t);
void group_prune(pl_world *w, struct id_entry *t); // after particles are gone: removes the groups that had them
pl_result groups_torn(pl_world *w);                // removes groups that end when a particle tears

// ---- query.c
int32_t groups_trouble(const pl_world *w);
void groups_measure(const pl_world *w, double *energy, double *angular);
uint64_t groups_hash(const pl_world *w, uint64_t h);
void groups_rotate(const pl_world *w, int first, int count, struct bone *bones);
