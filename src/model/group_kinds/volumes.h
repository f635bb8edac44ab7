// volumes.h: defines the volumes of a world: closed surfaces that hold a volume (kernels/volume.h). A volume's members
// are its triangles.
#pragma once
#include "model/members.h"
#include "pliant/pliant.h"
#include "kernels/volume.h"

typedef struct volumes
{
    int64_t count, triangle_count; // triangle_count: of all volumes together
#define MODEL_VOLUMES MODEL_MEMBER
#include "model/columns.def"
    int32_t members, chunks; // of the packed form; volumes_size counts them
} volumes;

// Volumes: closed surfaces that hold a volume. No particle is in two.
typedef struct packed_volumes
{
    int32_t count, members, triangles, chunks;
#define PACKED_VOLUMES COLUMN_MEMBER
#include "model/columns.def"
} packed_volumes;
