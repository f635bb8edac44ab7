// members.h: declares the columns of a struct as its members. Inside its braces, the struct defines the macro of its
// owner (such as MODEL_LATTICES) as one of these two, and then includes model/columns.def, which lists the columns.
#pragma once

#include <stdint.h>

// A packed column: a pointer, or an array of them.
#define COLUMN_MEMBER(type, name, parts, ...) type *name parts;
// A column of the user's data: a pointer and its capacity.
#define MODEL_MEMBER(type, name, ...)                                                                                  \
    type *name;                                                                                                        \
    int64_t name##_capacity;
