// tear_data.h: declares what a world holds of tearing: the rows and faces at each particle, the particle that each was
// split off, and counts of tears (edit/tear.h).
#pragma once
#include "pliant/pliant.h"

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

// The original particle that this one was split off, or itself.
#define ROOT_OF(w, n) ((n) < (w)->tear.root_count ? (w)->tear.root[n] : (n))
