// tear.h: declares how surfaces and solids are torn.
#pragma once
#include "model/world.h"

// ---- incidence.c
pl_result incidence_open(pl_world *w); // builds the lists if they are not up to date
// Returns 3: tetrahedra, 2: faces, 1: triangles of rows that have no faces, 0: none of these.
int incidence_rank(int kind);
typedef struct incidence_entry
{
    int32_t kind, corner, points;
    int64_t row;
    int32_t *index; // particle numbers of the row
} incidence_entry;
incidence_entry incidence_at(pl_world *w, int32_t entry); // the row or face and the corner of an entry
// The entries of a particle, sorted; valid until the next call.
pl_result incidence_list(pl_world *w, int32_t number, int32_t **list, int32_t *count);
pl_result incidence_grow(pl_world *w, int32_t number);          // adds a particle that no row names
void incidence_move(pl_world *w, int32_t entry, int32_t to);    // the entry's corner names particle `to` from now on
void incidence_drop(pl_world *w, int64_t first, int32_t count); // removes the entries of a broken row
// The cells of the highest rank at a particle; valid until the next call.
pl_result incidence_cells(pl_world *w, int32_t number, cell **cells, int32_t *count);
void incidence_free(pl_world *w);

// ---- split_particles.c
pl_result particle_copy(pl_world *w, int32_t of, int32_t *number); // creates a copy at the same position
// The share of the vertex's mass that a part gets, by the sizes of its cells at rest.
double part_share(const pl_world *w, const cell *cells, int32_t count, int32_t part);

// ---- split.c
// Are two neighbouring cells to be separated?
typedef bool apart_fn(const void *user, const pl_world *w, const cell *a, const cell *b);
pl_result tear_begin(pl_world *w); // before a series of splits and breaks
// Splits the cells at a vertex into parts; cells that `apart` does not separate stay together. The first part keeps the
// vertex, each other gets a new one.
pl_result tear_vertex(pl_world *w, int32_t vertex, apart_fn *apart, const void *user, bool *split);
pl_result tear_row(pl_world *w, int kind, int64_t row); // breaks the row
pl_result tear_end(pl_world *w); // after the series: adds new faces and links, marks the lists for a new search
void tear_free(pl_world *w);

// ---- split_faces.c
bool cell_has(const cell *c, int32_t number);
int cells_share(const cell *a, const cell *b); // number of shared points
// Records the new boundary faces between the parts of the tetrahedra at a vertex.
pl_result split_faces_begin(pl_world *w, const cell *cells, int32_t count);
// Records copies of a link along an edge for the other parts that have the edge.
pl_result split_faces_duplicate(pl_world *w, const incidence_entry *p, int32_t part, const cell *cells, int32_t count);
pl_result split_faces_end(pl_world *w); // adds the recorded faces and links

// ---- tear.c
// Ends the guard of the memory for a cut or a tear (core/memory.h): a failure undoes it, except that of a lost device, after
// which the world has gone back to where the device left it.
void tear_settle(pl_world *w, pl_result result);
pl_result tear_frame(pl_world *w); // called after a frame in which a row was loaded beyond its strength
