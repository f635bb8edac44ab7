// renderer_parts.h: what the renderer is made of, for renderer.c and renderer_draw.c.
#ifndef PLIANT_VIEWER_RENDERER_PARTS_H
#define PLIANT_VIEWER_RENDERER_PARTS_H

#include "body_painter.h"
#include "fluid_painter.h"
#include "graphics.h"
#include "overlay.h"
#include "painter.h"
#include "renderer.h"
#include "solids.h"
#include "wax_painter.h"

enum program
{
    PROGRAM_MESH,
    PROGRAM_GLASS,
    PROGRAM_MESH_SHADE,
    PROGRAM_FLOOR,
    PROGRAM_SKY,
    PROGRAM_BLOCKERS,
    PROGRAM_CONTACT,
    PROGRAM_FINAL,
    PROGRAM_LINE,
    PROGRAM_WIDE_LINE,
    PROGRAM_COUNT
};

struct renderer
{
    GLuint programs[PROGRAM_COUNT];
    GLint contact_on, floor_clear;
    GLuint mesh_array, solid_array, line_array, empty_array, scene_buffer;
    struct stream vertices, indices, solid_vertices, solid_indices, lines;
    struct target samples, picture, shadow, blockers, contact, final;
    GLuint plain_depths; // a sampler that reads the shadow map without comparing
    int width, height;
    const struct model *model;
    struct surface surface;
    struct overlay overlay;
    struct solids solids;
    struct body_painter bodies;
    struct fluid_painter fluids;
    struct wax_painter wax;
    bool shadow_drawn;             // of what was uploaded last
    const struct painter *painter; // of particles
    void *paint;                   // its own
};

#endif
