// model_columns.h: describes the arrays of the user's input as data, made from columns.def, so that adding, removing,
// saving and freeing them are loops.
#pragma once
#include "model/columns.h"
#include "core/stream.h"
#include "model/world.h"

enum model_owner
{
#define MODEL_OWNER(owner, ...) MODEL_OF_##owner,
#include "model/columns.def"
    MODEL_OWNERS
};

// The objects that have one item each: clusters, their members and so on. Each domain belongs to one owner.
enum model_domain
{
#define MODEL_DOMAIN(owner, name, items) PER_##owner##_##name,
#include "model/columns.def"
    MODEL_DOMAINS
};

enum
{
#define MODEL(owner, type, name, ...) MODEL_##owner##_##name,
#include "model/columns.def"
    MODEL_COLUMNS
};

enum column_holds // see columns.def
{
    HOLDS_CHECKED,
    HOLDS_PARTICLES,
    HOLDS_STARTS,
    HOLDS_FINITE,
};

typedef struct model_column
{
    const char *name;
    enum model_owner owner;
    enum model_domain domain;
    enum column_saved saved;
    enum column_holds holds;
    size_t pointer, capacity; // offsets in the owner's struct
    size_t bytes;             // bytes of a number
    bool wide;                // its finite numbers are doubles
} model_column;

extern const model_column model_columns[MODEL_COLUMNS];

// kind: for rows; 0 for every other owner.
int64_t columns_width(int column, int kind);                                  // numbers per item
int64_t columns_items(const pl_world *w, enum model_domain domain, int kind); // number of items
void *columns_array(const pl_world *w, int column, int kind);                 // NULL: it never had an item
// Makes room for so many.
pl_result columns_reserve(pl_world *w, enum model_domain domain, int kind, int64_t items);
// Removes items [first, first + count) from every column of a domain and closes the gap. The owner's counts do not
// change.
void columns_remove(pl_world *w, enum model_domain domain, int kind, int64_t first, int64_t count);
void columns_free(pl_world *w, enum model_owner owner);

// Saves or loads. What is loaded is checked by what the column holds; numbers of particles must have been loaded before.
void columns_stream_one(stream *s, pl_world *w, int column, int kind);
void columns_stream(stream *s, pl_world *w, enum model_owner owner,
                    int kind); // saves or loads the SAVED columns, in the order of the table
