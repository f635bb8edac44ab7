// build.c: an object under construction.
#include "author/build.h"

#include <string.h>

void build_particles(build *b, const pl_particles_def *def)
{
    int count;
    if (b->result == PL_OK)
        b->result = pl_add_particles(b->w, def, &b->object);
    if (b->result == PL_OK)
    {
        pl_object_range(b->w, b->object, &b->first, &count);
        set_filter(b->w, b->first, count);
    }
}

void build_index(build *b, int count, const int32_t *local)
{
    if (b->result == PL_OK)
        b->result = array_reserve(&b->w->memory, &b->index, &b->index_capacity, b->index_count + count, sizeof *b->index);
    for (int i = 0; b->result == PL_OK && i < count; i++)
        b->index[b->index_count++] = b->first + local[i];
}

void build_param(build *b, float value)
{
    if (b->result == PL_OK)
        b->result = array_reserve(&b->w->memory, &b->param, &b->param_capacity, b->param_count + 1, sizeof *b->param);
    if (b->result == PL_OK)
        b->param[b->param_count++] = value;
}

static void own(build *b, pl_id block)
{
    if (b->result == PL_OK)
        b->w->things[block.index].owner = b->object.index;
    b->index_count = b->param_count = 0;
}

void build_rows(build *b, pl_kind kind, pl_softness soft)
{
    if (b->result != PL_OK || b->index_count == 0)
        return;
    pl_constraints_def def = pl_default_constraints_def();
    pl_id block = {0};
    def.kind = kind;
    def.count = (int)(b->index_count / facts_of(kind)->info.arity);
    def.index = b->index;
    def.param = b->param_count ? b->param : NULL;
    def.soft = soft;
    b->result = pl_add_constraints(b->w, &def, &block);
    own(b, block);
}

void build_faces(build *b, float drag, float lift)
{
    if (b->result != PL_OK || b->index_count == 0)
        return;
    pl_faces_def def = {(int)(b->index_count / 3), b->index, drag, lift};
    pl_id block = {0};
    b->result = pl_add_faces(b->w, &def, &block);
    own(b, block);
}

pl_result build_end(build *b, pl_id *object)
{
    array_free(&b->w->memory, &b->index, &b->index_capacity, sizeof *b->index);
    array_free(&b->w->memory, &b->param, &b->param_capacity, sizeof *b->param);
    if (b->result != PL_OK && b->object.index)
        pl_remove(b->w, b->object);
    if (b->result == PL_OK && object)
        *object = b->object;
    return b->result;
}
