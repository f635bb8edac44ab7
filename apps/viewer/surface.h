// surface.h: a model in a frame as triangles and spheres, ready for the graphics card: smooth normals, tubes, colours.
#ifndef PLIANT_VIEWER_SURFACE_H
#define PLIANT_VIEWER_SURFACE_H

#include "model.h"

#ifdef __cplusplus
extern "C" {
#endif

enum
{
    MANY_BALLS = 20000, // from here on they are drawn as specks
};

// The fourth byte of a colour says what it is the colour of.
enum material
{
    MATERIAL_METAL = 0,
    MATERIAL_WAX = 64,
    MATERIAL_SOLID = 128,
    MATERIAL_CLOTH = 255, // some light comes through
};

struct vertex
{
    float position[3], normal[3];
    uint8_t front[4], back[4];
    float rest[3]; // where it was at first, for the weave of cloth
};

struct ball
{
    float position[3], radius;
    uint8_t colour[4];
};

struct surface
{
    struct vertex *vertex;
    uint32_t *index;
    struct ball *ball;
    int vertices, indices, balls;
    enum colour_by by;
    float *values,
        *value;      // for each particle what its colour tells: 0 to 1, or a number; value: NULL while it tells nothing
    bool of_fluid;   // density is that of fluids
    float low, high; // what the ends of the scale stand for: speed in m/s, strain and residual as fractions, a count
    float most;      // the largest value there is, which may be beyond the scale
    vec3 *path;      // the points of the tube being made
    struct bounds bounds; // of everything
};

// Sizes the arrays for a model.
bool surface_open(struct surface *s, const struct model *m);
void surface_fill(struct surface *s, const struct model *m, const struct frame *f, enum colour_by by);
void surface_free(struct surface *s);

// ranges.c: the range of a colour scale, from 0 or from the least value on.
struct value_range
{
    float low, high, most;
};
void value_range(const float *value, const uint8_t *active, int count, bool from_least, struct value_range *out);
// legend.c: what the colours stand for, and the value of a particle with its unit; empty if colours tell nothing.
void legend_text(const struct surface *s, char *out, size_t size);
void legend_value(const struct surface *s, int particle, char *out, size_t size);

const char *colour_by_name(enum colour_by by);
// Batches and tiles are numbers of which each has a colour of its own; the others are on a scale.
bool colour_by_number(enum colour_by by);
// tubes.c: how many vertices and indices a chain takes, and filling them in.
void tube_size(const struct chain *c, int *vertices, int *indices, int *path);
void tube_fill(const struct model *m, const struct frame *f, const struct chain *c, struct surface *s);

// ellipsoids.c: the same for each ellipsoid.
void ellipsoid_size(int *vertices, int *indices);
void ellipsoids_fill(const struct model *m, const struct frame *f, struct surface *s);

// colours.c
void colour_material(const struct model *m, int particle, uint8_t front[4], uint8_t back[4]);
// A body: bodies of one form have shades of one colour, and what stands still is nearly grey; or what colours tell.
void colour_body(const struct model *m, const struct surface *s, const struct body *b, bool awake, uint8_t colour[4]);
// The colour of white behind a fluid, and that of its particles.
void colour_fluid(const struct model *m, const struct frame *f, int particle, uint8_t colour[4]);
void colour_value(enum colour_by by, float value, uint8_t out[4]);

#ifdef __cplusplus
}
#endif
#endif
