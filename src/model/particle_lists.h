// particle_lists.h: fills the packed lists of particles: objects and components (state.h).
#pragma once
#include "model/world.h"

// The memory that lists need.
typedef struct lists_size
{
    int64_t lists, blocks, chunks, members;
} lists_size;

// Adds the memory of a list of `count` particles.
void lists_count(lists_size *size, int64_t count);
bool lists_fit(const packed_lists *l, lists_size size);
void lists_reserve(packed_lists *l, lists_size size); // before they are laid out

// Begins to fill the lists; adds a list of `count` members, which are to be written to the place that is returned;
// ends. The caller sets `origin`.
void lists_begin(packed_lists *l);
uint32_t *lists_add(const pl_world *w, packed_lists *l, int32_t count);
void lists_end(const pl_world *w, packed_lists *l);
// Records that the lists have changed.
void lists_patch(pl_world *w, const packed_lists *l);

// ---- ids.c: objects
lists_size size_objects(const pl_world *w);
void list_objects(pl_world *w);
void list_objects_again(pl_world *w); // after an edit
