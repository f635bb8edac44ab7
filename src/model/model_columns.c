// model_columns.c: loops over the arrays of the model: adds, removes, saves and frees them. See columns.def.
#include "model/model_columns.h"

#include <string.h>

#define MODEL_OWNER(owner, type, ...) typedef type model_type_##owner;
#include "model/columns.def"

const model_column model_columns[MODEL_COLUMNS] = {
#define MODEL(owner, type, name, width, domain, saved, holds)                                                          \
    {#owner "." #name,                                                                                                 \
     MODEL_OF_##owner,                                                                                                 \
     PER_##owner##_##domain,                                                                                           \
     COLUMN_##saved,                                                                                                   \
     HOLDS_##holds,                                                                                                    \
     offsetof(model_type_##owner, name),                                                                               \
     offsetof(model_type_##owner, name##_capacity),                                                                    \
     sizeof(type),                                                                                                     \
     _Generic((type *)NULL, double *: true, default: false)},
#include "model/columns.def"
};

static const owner_layout owners[MODEL_OWNERS] = {
#define MODEL_OWNER(owner, type, member, count) {offsetof(pl_world, member), sizeof(type), count},
#include "model/columns.def"
};

static const enum model_owner owner_of[MODEL_DOMAINS] = {
#define MODEL_DOMAIN(owner, name, items) MODEL_OF_##owner,
#include "model/columns.def"
};

static char *owner_struct(const pl_world *w, enum model_owner owner, int kind)
{
    return (char *)(pl_world *)w + owners[owner].at + (size_t)kind * owners[owner].bytes;
}

int64_t columns_width(int column, int kind)
{
    const kind_facts *k = facts_of(kind);
    switch (column)
    {
#define MODEL(owner, type, name, width, ...)                                                                           \
    case MODEL_##owner##_##name:                                                                                       \
        return width;
#include "model/columns.def"
    default:
        return 0;
    }
}

int64_t columns_items(const pl_world *w, enum model_domain domain, int kind)
{
    const void *owner = domain < MODEL_DOMAINS ? owner_struct(w, owner_of[domain], kind) : NULL;
    switch (domain)
    {
#define MODEL_DOMAIN(owner_name, name, items)                                                                          \
    case PER_##owner_name##_##name:                                                                                    \
    {                                                                                                                  \
        const model_type_##owner_name *m = owner;                                                                      \
        return items;                                                                                                  \
    }
#include "model/columns.def"
    case MODEL_DOMAINS:
        break;
    }
    return 0;
}

void *columns_array(const pl_world *w, int column, int kind)
{
    const model_column *c = &model_columns[column];
    void *array;
    memcpy(&array, owner_struct(w, c->owner, kind) + c->pointer, sizeof array);
    return array;
}

static int64_t *capacity_of(const pl_world *w, const model_column *c, int kind)
{
    return (int64_t *)(void *)(owner_struct(w, c->owner, kind) + c->capacity);
}

pl_result columns_reserve(pl_world *w, enum model_domain domain, int kind, int64_t items)
{
    pl_result result = PL_OK;
    for (int i = 0; i < MODEL_COLUMNS && result == PL_OK; i++)
    {
        const model_column *c = &model_columns[i];
        if (c->domain == domain)
            result = array_reserve(&w->memory, owner_struct(w, c->owner, kind) + c->pointer, capacity_of(w, c, kind),
                                   items * columns_width(i, kind), c->bytes);
    }
    return result;
}

void columns_remove(pl_world *w, enum model_domain domain, int kind, int64_t first, int64_t count)
{
    int64_t tail = columns_items(w, domain, kind) - first - count;
    for (int i = 0; i < MODEL_COLUMNS && tail > 0; i++)
    {
        if (model_columns[i].domain != domain)
            continue;
        size_t item = (size_t)columns_width(i, kind) * model_columns[i].bytes;
        char *array = columns_array(w, i, kind);
        memmove(array + (size_t)first * item, array + (size_t)(first + count) * item, (size_t)tail * item);
    }
}

void columns_free(pl_world *w, enum model_owner owner)
{
    for (int i = 0; i < MODEL_COLUMNS; i++)
        for (int kind = 0; model_columns[i].owner == owner && kind < owners[owner].count; kind++)
            array_free(&w->memory, owner_struct(w, owner, kind) + model_columns[i].pointer,
                       capacity_of(w, &model_columns[i], kind), model_columns[i].bytes);
}

// ---- snapshots -----------------------------------------------------------------------------------------------------

static bool are_particles(const pl_world *w, const int32_t *number, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if (slot_of(w, number[i]) < 0)
            return false;
    return true;
}

static bool are_starts(const int32_t *start, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if (i == 0 ? start[i] != 0 : start[i] <= start[i - 1])
            return false;
    return true;
}

static bool are_finite(const model_column *c, const void *array, int64_t count)
{
    int64_t where;
    if (!c->wide) // a struct that is FINITE consists of floats
        return all_finite(array, count * (int64_t)(c->bytes / sizeof(float)), &where);
    for (int64_t i = 0; i < count; i++)
        if (!CHECK_FINITE(((const double *)array)[i]))
            return false;
    return true;
}

// Checks a column that was loaded by what it holds.
static pl_result check_column(const pl_world *w, int column, int kind)
{
    const model_column *c = &model_columns[column];
    const void *array = columns_array(w, column, kind);
    int64_t count = columns_items(w, c->domain, kind) * columns_width(column, kind);
    if (c->holds == HOLDS_PARTICLES && !are_particles(w, array, count))
        return fail(PL_ERROR_FORMAT, "snapshot: %s names a particle that does not exist; the file is damaged", c->name);
    if (c->holds == HOLDS_STARTS && !are_starts(array, count))
        return fail(PL_ERROR_FORMAT, "snapshot: %s does not increase; the file is damaged", c->name);
    if (c->holds == HOLDS_FINITE && !are_finite(c, array, count))
        return fail(PL_ERROR_FORMAT, "snapshot: %s has a number that is not finite; the file is damaged", c->name);
    return PL_OK;
}

void columns_stream_one(stream *s, pl_world *w, int column, int kind)
{
    const model_column *c = &model_columns[column];
    if (s->result == PL_OK)
        stream_items(s, &w->memory, owner_struct(w, c->owner, kind) + c->pointer, capacity_of(w, c, kind),
                     columns_items(w, c->domain, kind) * columns_width(column, kind), c->bytes);
    if (s->result == PL_OK && !s->saving)
        s->result = check_column(w, column, kind);
}

void columns_stream(stream *s, pl_world *w, enum model_owner owner, int kind)
{
    for (int i = 0; i < MODEL_COLUMNS; i++)
        if (model_columns[i].owner == owner && model_columns[i].saved == COLUMN_SAVED)
            columns_stream_one(s, w, i, kind);
}
