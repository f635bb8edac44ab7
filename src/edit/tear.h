// tear.h: surfaces and solids that come apart: who is at a particle, which particle was one with which, what has given way.
#pragma once
#include "model/state.h"

enum
{
    TEAR_FACES = PL_KIND_COUNT, // faces, beside the kinds of rows
    TEAR_LISTS = PL_KIND_COUNT + 1,
};

// For each particle the rows and faces that name it, as chains of entries. An entry is a corner of a row: kind by kind, faces last.
typedef struct incidence
{
    bool ready;
    int64_t base[TEAR_LISTS + 1]; // for each kind its first entry
    int32_t *head;                // for each particle number, -1: none
    int32_t *next;                // for each entry
    int64_t head_capacity, next_capacity;
} incidence;

// A cell at a vertex: a tetrahedron, or a triangle of a surface.
typedef struct cell
{
    int32_t entry, part;
    int32_t points;
    int32_t point[4];
} cell;

// A link along an edge that has become two.
typedef struct doubled
{
    int64_t row;                    // that it is like
    int32_t kind, entry, corner[2]; // a cell at the second edge, and the edge's ends among its corners
    int32_t pair[2];                // the same as numbers, when nothing splits any more
    int32_t owner;                  // the object they belong to
    int64_t order;                  // in which it was found
} doubled;

// A face of a tetrahedron that comes to light.
typedef struct opened
{
    int32_t entry, corner[3]; // its cell, and three of its corners
    int32_t point[3];         // the same as numbers, when nothing splits any more
    int32_t owner;            // the object they belong to
    int64_t order;            // in which it was found
} opened;

typedef struct tear
{
    bool on;       // something may tear: slots are kept free
    int32_t *root; // for each particle number that of the one it was split off; beyond the count: itself
    int64_t root_count, root_capacity;
    int64_t splits, broken; // since the world began
    int32_t *mark;          // scratch: numbers that have had their turn
    int64_t mark_capacity;
    int32_t *list; // scratch: entries
    int64_t list_capacity;
    cell *cells; // scratch
    int64_t cell_capacity;
    opened *open; // scratch
    int64_t open_count, open_capacity;
    int32_t *todo; // scratch: vertices whose cells may hang together by nothing but them
    int64_t todo_count, todo_capacity;
    doubled *doubled; // scratch
    int64_t doubled_count, doubled_capacity;
    int32_t *side; // scratch: cut.c
    int64_t side_capacity;
    incidence incidence;
} tear;

// ---- incidence.c
pl_result incidence_open(pl_world *w);
// 3: tetrahedra, 2: faces, 1: triangles of rows that have no faces, 0: none of these.
int incidence_rank(int kind);
typedef struct incidence_place
{
    int32_t kind, corner, points;
    int64_t row;
    int32_t *index; // of the row
} incidence_place;
incidence_place incidence_at(pl_world *w, int32_t entry);
pl_result incidence_list(pl_world *w, int32_t number, int32_t **list,
                         int32_t *count);              // in order; good until the next call
pl_result incidence_grow(pl_world *w, int32_t number); // a new particle that nothing names
void incidence_move(pl_world *w, int32_t entry, int32_t to);
void incidence_drop(pl_world *w, int64_t first, int32_t count); // the entries of a row that is broken
pl_result incidence_cells(pl_world *w, int32_t number, cell **cells, int32_t *count);
void incidence_free(pl_world *w);

// ---- split_particles.c
pl_result particle_copy(pl_world *w, int32_t of, int32_t *number); // a particle like this one, in the same place
// Of the vertex that all cells share, by their sizes at rest.
double part_share(const pl_world *w, const cell *cells, int32_t count, int32_t part);

// ---- split.c
typedef bool apart_fn(const void *user, const pl_world *w, const cell *a, const cell *b);
pl_result tear_begin(pl_world *w);
// Parts the cells at a vertex; those that are still joined keep it together. The first part keeps the vertex, each other gets a new one.
pl_result tear_vertex(pl_world *w, int32_t vertex, apart_fn *apart, const void *user, bool *split);
pl_result tear_row(pl_world *w, int kind, int64_t row); // breaks
pl_result tear_end(pl_world *w);
void tear_free(pl_world *w);
int32_t object_at(const pl_world *w, int32_t number); // the index of the thing

// ---- split_faces.c
bool cell_has(const cell *c, int32_t number);
int cells_share(const cell *a, const cell *b); // points
pl_result split_faces_begin(pl_world *w, const cell *cells, int32_t count);
pl_result split_faces_duplicate(pl_world *w, const incidence_place *p, int32_t part, const cell *cells, int32_t count);
pl_result split_faces_end(pl_world *w);

// ---- tear.c
pl_result tear_frame(pl_world *w); // after a frame in which something was loaded beyond its strength

// The particle that this one was one with.
#define ROOT_OF(w, n) ((n) < (w)->tear.root_count ? (w)->tear.root[n] : (n))
