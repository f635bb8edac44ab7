// model_columns.h: the arrays that hold what the user gave, as data, made of columns.def: adding, removing, saving and freeing them are loops.
#pragma once
#include "model/columns.h"
#include "snapshot/snapshot.h"

enum model_owner
{
#define MODEL_OWNER(owner, ...) MODEL_OF_##owner,
#include "model/columns.def"
    MODEL_OWNERS
};

// What has one item each: clusters, their members and so on. Each belongs to one owner.
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

typedef struct model_column
{
    const char *name;
    enum model_owner owner;
    enum model_domain domain;
    enum column_saved saved;
    size_t pointer, capacity; // where they are in the owner's struct
    size_t bytes;             // of a number
} model_column;

extern const model_column model_columns[MODEL_COLUMNS];

// kind: of rows; 0 for every other owner.
int64_t columns_width(int column, int kind);                                  // numbers of an item
int64_t columns_items(const pl_world *w, enum model_domain domain, int kind); // that there are
void *columns_array(const pl_world *w, int column, int kind);                 // NULL: nothing was ever there
pl_result columns_reserve(pl_world *w, enum model_domain domain, int kind, int64_t items); // room for so many
// Takes items [first, first + count) out of every column of a domain and closes the gap. The owner's counts are as before.
void columns_remove(pl_world *w, enum model_domain domain, int kind, int64_t first, int64_t count);
void columns_free(pl_world *w, enum model_owner owner);

void columns_stream_one(stream *s, pl_world *w, int column, int kind);
void columns_stream(stream *s, pl_world *w, enum model_owner owner,
                    int kind); // columns that are SAVED, in the order of the table
