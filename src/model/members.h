// members.h: defines how a struct declares its columns. Before it includes model/columns.def, it defines the macro of
// its owner as one of these.
#pragma once

#include <stdint.h>

#define COLUMN_MEMBER(type, name, parts, ...) type *name parts;
#define MODEL_MEMBER(type, name, ...)                                                                                  \
    type *name;                                                                                                        \
    int64_t name##_capacity;
