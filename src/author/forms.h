// forms.h: makes meshes of simple forms for shapes and cloth (a flat sheet, a ball, a torus, a bowl, a turned profile),
// and waves for a height field.
#pragma once
#include <stdint.h>

enum form_kind
{
    FORM_SHEET, // size x by z, in the plane y = 0, facing up; open
    FORM_BALL,  // size x by y by z
    FORM_TORUS, // around y, size x wide; its tube is size y thick
    FORM_BOWL,  // the lower half of a ball of size x, its wall `thickness` thick; 0: open, a thin shell
    FORM_LATHE, // a smooth curve through the points of `profile`, turned around y; closed where its radius is 0
    FORM_KINDS
};

typedef struct form
{
    int kind;
    float size[3];   // m
    float thickness; // m
    // Sheet: cells along x, z; others: around y, and along the revolved line (of a bowl: on each side of its wall).
    int cells[2];
    const float *profile; // of a lathe: half of the width along x, height, half of the depth along z (0: as x)
    int profile_count;    // at least 2
} form;

// Returns whether the vertices begin with a grid, row by row, and its size. A lathe has columns around y, and a row for
// each ring; its ends on the axis come last.
int form_grid(const form *f, int *columns, int *rows);

void form_count(const form *f, int64_t *vertices, int64_t *triangles);
// Triangles are counterclockwise seen from outside (from above, for a sheet). Both arrays have room for what form_count
// says.
void form_fill(const form *f, float *vertices, int32_t *triangles);

// Fills a height field with waves along x and z: height sin(x) sin(z), with wavelength `length`.
void form_waves(int columns, int rows, float spacing, float height, float length, float *heights);
