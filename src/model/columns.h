// columns.h: describes the packed columns of a state as data, made from columns.def, so that code loops over them. C
// and CUDA compile it.
#pragma once
#include "model/state.h"

#include <stddef.h>
#include <string.h>

enum column_life // see columns.def
{
    LIFE_FIXED,
    LIFE_LISTED,
    LIFE_SCRATCH,
    LIFE_SAFE,
    LIFE_DERIVED,
    LIFE_MULTIPLIER, // from here on: kept from frame to frame
    LIFE_DAMAGE,
    LIFE_POSE,
};

enum slot_checkpoint
{
    CHECKPOINT_NEVER,
    CHECKPOINT_ALWAYS,
    CHECKPOINT_IF_HISTORY,
    CHECKPOINT_IF_CONTACTS,
    CHECKPOINT_IF_SURFACES,
};

enum column_saved
{
    COLUMN_NOT_SAVED,
    COLUMN_SAVED,
    COLUMN_SAVED_APART,
};

// ---- slots ---------------------------------------------------------------------------------------------------------

typedef struct slot_column
{
    const char *name;
    enum column_saved saved;
    enum slot_checkpoint checkpoint;
    int undo; // the slot array that holds its values at the frame's start; -1: none
} slot_column;

static const slot_column slot_columns[SLOT_ARRAYS] = {
#define SLOT_NONE (-1)
#define SLOT_COLUMN(name, saved, checkpoint, undo) {#name, COLUMN_##saved, CHECKPOINT_##checkpoint, SLOT_##undo},
#include "model/columns.def"
#undef SLOT_NONE
};

// ---- packed columns ------------------------------------------------------------------------------------------------

enum packed_owner
{
#define PACKED_OWNER(owner, ...) OWNER_##owner,
#include "model/columns.def"
    PACKED_OWNERS,
    FIRST_GROUP = OWNER_ORIENTED, // this owner and those after it are groups
};

enum
{
#define PACKED_OWNER(owner, type, at, count) STRUCTS_OF_##owner = count,
#include "model/columns.def"
};

enum packed_domain
{
#define PACKED_DOMAIN(owner, name, items) DOMAIN_##name,
#include "model/columns.def"
    PACKED_DOMAINS
};

// Where a struct of columns, or `count` of them, lies in a state.
typedef struct owner_layout
{
    size_t at, bytes;
    int count;
} owner_layout;

static const owner_layout packed_owners[PACKED_OWNERS] = {
#define PACKED_OWNER(owner, type, at, count) {at, sizeof(type), count},
#include "model/columns.def"
};

// Names the types of the owners' structs.
#define PACKED_OWNER(owner, type, ...) typedef type packed_type_##owner;
#include "model/columns.def"

typedef struct packed_column
{
    const char *name;
    enum packed_owner owner;
    enum packed_domain domain;
    enum column_life life;
    int parts;     // pointers of the member
    size_t member; // its offset in the owner's struct
    size_t item;   // bytes
} packed_column;

static const packed_column packed_columns[] = {
#define PACKED(owner, type, name, parts, width, domain, life)                                                          \
    {#owner "." #name,                                                                                                 \
     OWNER_##owner,                                                                                                    \
     DOMAIN_##domain,                                                                                                  \
     LIFE_##life,                                                                                                      \
     (int)(sizeof(((packed_type_##owner *)NULL)->name) / sizeof(void *)),                                              \
     offsetof(packed_type_##owner, name),                                                                              \
     (width) * sizeof(type)},
#include "model/columns.def"
};

enum
{
    PACKED_COLUMNS = sizeof packed_columns / sizeof *packed_columns,
};

// Iterates over every part of every column in the order in which they lie in memory. Start with PACKED_WALK.
typedef struct packed_walk
{
    int column, index, part; // index: of the owner's structs
} packed_walk;

#define PACKED_WALK                                                                                                    \
    {                                                                                                                  \
        0, 0, -1                                                                                                       \
    }

static inline bool packed_next(packed_walk *w)
{
    const packed_column *c = &packed_columns[w->column];
    if (++w->part < c->parts)
        return true;
    w->part = 0;
    if (++w->column < PACKED_COLUMNS && packed_columns[w->column].owner == c->owner)
        return true;
    if (++w->index == packed_owners[c->owner].count)
    {
        w->index = 0;
        return w->column < PACKED_COLUMNS;
    }
    while (w->column > 0 && packed_columns[w->column - 1].owner == c->owner)
        w->column--;
    return true;
}

static inline size_t packed_member(const packed_walk *w)
{
    const packed_column *c = &packed_columns[w->column];
    const owner_layout *p = &packed_owners[c->owner];
    return p->at + (size_t)w->index * p->bytes + c->member + (size_t)w->part * sizeof(void *);
}

static inline char *packed_get(const state *s, const packed_walk *w)
{
    char *array;
    memcpy(&array, (const char *)s + packed_member(w), sizeof array);
    return array;
}

static inline void packed_set(state *s, const packed_walk *w, const void *array)
{
    memcpy((char *)s + packed_member(w), &array, sizeof array);
}

// Returns the number of items of a part; -1: there is no such part.
static inline int64_t packed_items(const state *s, const packed_walk *w)
{
    const packed_column *c = &packed_columns[w->column];
    const char *owner = (const char *)s + packed_owners[c->owner].at + (size_t)w->index * packed_owners[c->owner].bytes;
    const int part = w->part;
    switch (c->domain)
    {
#define PACKED_DOMAIN(owner_name, name, items)                                                                         \
    case DOMAIN_##name:                                                                                                \
    {                                                                                                                  \
        const packed_type_##owner_name *p = (const packed_type_##owner_name *)(const void *)owner;                     \
        if (!p || part < 0) /* some use neither */                                                                     \
            return -1;                                                                                                 \
        return items;                                                                                                  \
    }
#include "model/columns.def"
    case PACKED_DOMAINS:
        break;
    }
    return -1;
}

static inline size_t packed_bytes(const state *s, const packed_walk *w)
{
    int64_t items = packed_items(s, w);
    return items > 0 ? (size_t)items * packed_columns[w->column].item : 0;
}

// Returns how a frame treats the column: parameters of rows without damage are fixed.
static inline enum column_life packed_life(const state *s, const packed_walk *w)
{
    enum column_life life = packed_columns[w->column].life;
    return life == LIFE_DAMAGE && !s->rows[w->index].damaged ? LIFE_FIXED : life;
}

// Returns whether columns of this life are copied from a device to the host when those of `wanted` are.
static inline bool life_comes_with(enum column_life life, int wanted)
{
    return (int)life == wanted || (life == LIFE_SAFE && wanted == LIFE_POSE);
}

// Returns whether a frame changes the column and the next frame needs it.
static inline bool life_is_kept(enum column_life life) { return life >= LIFE_MULTIPLIER; }

// ---- columns.c
struct arena;
// Assigns memory to each column of an owner, by the counts that are in the state.
void packed_lay_out(state *s, enum packed_owner owner, struct arena *a);
