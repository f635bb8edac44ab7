// tear.h: tearing of surfaces and solids: the rows and faces at each particle, the particle that each was split off,
// and counts of tears.
#pragma once
#include "model/state.h"

enum
{
    TEAR_FACES = PL_KIND_COUNT, // faces, after the kinds of rows
    TEAR_LISTS = PL_KIND_COUNT + 1,
};

// For each particle the rows and faces that name it, as linked lists of entries. An entry is a corner of a row or face:
// kind by kind, faces last.
typedef struct incidence
{
    bool ready;
    int64_t base[TEAR_LISTS + 1]; // first entry of each kind
    int32_t *head;                // first entry of each particle number, -1: none
    int32_t *next;                // next entry of each entry
    int64_t head_capacity, next_capacity;
} incidence;

// A cell at a vertex: a tetrahedron, or a triangle of a surface.
typedef struct cell
{
    int32_t entry, part;
    int32_t points;
    int32_t point[4];
} cell;

// A link to add along the second of two edges that were one.
typedef struct doubled
{
    int64_t row;                    // the row to copy
    int32_t kind, entry, corner[2]; // a cell at the second edge; the edge's ends among its corners
    int32_t pair[2];                // the same as particle numbers, set when all splits are done
    int32_t owner;                  // the object it belongs to
    int64_t order;                  // order in which it was found
} doubled;

// A new boundary face of a tetrahedron.
typedef struct opened
{
    int32_t entry, corner[3]; // its cell, and three of its corners
    int32_t point[3];         // the same as particle numbers, set when all splits are done
    int32_t owner;            // the object it belongs to
    int64_t order;            // order in which it was found
} opened;

typedef struct tear
{
    bool on; // something may tear, so slots are kept free
    // For each particle number the one it was split off; beyond the count: itself.
    int32_t *root;
    int64_t root_count, root_capacity;
    int64_t splits, broken; // since the world was created
    int32_t *mark;          // scratch: particles that are not split again in this frame
    int64_t mark_capacity;
    int32_t *list; // scratch: entries
    int64_t list_capacity;
    cell *cells; // scratch
    int64_t cell_capacity;
    opened *open; // scratch
    int64_t open_count, open_capacity;
    int32_t *todo; // scratch: vertices whose cells may be connected only at the vertex itself
    int64_t todo_count, todo_capacity;
    doubled *doubled; // scratch
    int64_t doubled_count, doubled_capacity;
    int32_t *side; // scratch: cut.c
    int64_t side_capacity;
    incidence incidence;
} tear;

// ---- incidence.c
pl_result incidence_open(pl_world *w); // builds the lists if they are not up to date
// Returns 3: tetrahedra, 2: faces, 1: triangles of rows that have no faces, 0: none of these.
int incidence_rank(int kind);
typedef struct incidence_place
{
    int32_t kind, corner, points;
    int64_t row;
    int32_t *index; // particle numbers of the row
} incidence_place;
incidence_place incidence_at(pl_world *w, int32_t entry); // the row or face and the corner of an entry
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
int32_t object_at(const pl_world *w, int32_t number); // index of the particle's object id

// ---- split_faces.c
bool cell_has(const cell *c, int32_t number);
int cells_share(const cell *a, const cell *b); // number of shared points
// Records the new boundary faces between the parts of the tetrahedra at a vertex.
pl_result split_faces_begin(pl_world *w, const cell *cells, int32_t count);
// Records copies of a link along an edge for the other parts that have the edge.
pl_result split_faces_duplicate(pl_world *w, const incidence_place *p, int32_t part, const cell *cells, int32_t count);
pl_result split_faces_end(pl_world *w); // adds the recorded faces and links

// ---- tear.c
pl_result tear_frame(pl_world *w); // called after a frame in which a row was loaded beyond its strength

// The original particle that this one was split off, or itself.
#define ROOT_OF(w, n) ((n) < (w)->tear.root_count ? (w)->tear.root[n] : (n))
