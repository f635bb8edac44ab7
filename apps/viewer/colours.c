// colours.c: what colour things have: their own, one pair for each object, or one that tells speed or strain.
#include "surface.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// sRGB; front and back of a cloth differ, so that folds read.
static const uint8_t palette[][2][3] = {
    {{178, 52, 46}, {232, 190, 128}},  // vermilion, straw
    {{28, 86, 132}, {160, 196, 206}},  // sea, mist
    {{212, 140, 36}, {244, 218, 170}}, // amber, cream
    {{46, 112, 78}, {186, 206, 150}},  // moss, reed
    {{104, 66, 126}, {206, 182, 214}}, // plum, lilac
    {{184, 88, 56}, {240, 200, 172}},  // terracotta, sand
};

static void set(uint8_t out[4], const uint8_t rgb[3], uint8_t material)
{
    memcpy(out, rgb, 3);
    out[3] = material;
}

void colour_material(const struct model *m, int particle, uint8_t front[4], uint8_t back[4])
{
    size_t object = m->object_of[particle] < 0 ? 0 : (size_t)m->object_of[particle];
    size_t n = (object + m->palette) % (sizeof palette / sizeof *palette);
    uint8_t material = m->cloth && m->cloth[object] ? MATERIAL_CLOTH : MATERIAL_SOLID;
    set(front, palette[n][0], material);
    set(back, palette[n][1], material);
}

void colour_fluid(const struct model *m, const struct frame *f, int particle, uint8_t colour[4])
{
    static const uint8_t ink[4] = {196, 52, 116, MATERIAL_SOLID};
    static const uint8_t tints[][3] = {{96, 178, 212}, {226, 166, 60}, {120, 196, 110}, {206, 112, 150}}; // water, oil
    int kind = particle < m->particles && m->fluid[particle] > 0 ? m->fluid[particle] - 1 : 0;
    set(colour, tints[(size_t)kind % (sizeof tints / sizeof *tints)], MATERIAL_SOLID);
    float dye = f->dye && particle < f->particles ? clampf(f->dye[particle], 0.0f, 1.0f) : 0.0f;
    for (int k = 0; k < 3; k++)
    {
        colour[k] = (uint8_t)((float)colour[k] + dye * ((float)ink[k] - (float)colour[k]) + 0.5f);
    }
}

static void mix_colours(uint8_t a[4], const uint8_t b[3], int share, int whole)
{
    for (int k = 0; k < 3; k++)
    {
        a[k] = (uint8_t)((a[k] * (whole - share) + b[k] * share) / whole);
    }
}

void colour_body(const struct model *m, const struct surface *s, const struct body *b, bool awake, uint8_t colour[4])
{
    static const uint8_t grey[3] = {150, 150, 148};
    static const uint8_t black[3] = {0, 0, 0};
    static const int shades[] = {0, -3, 3, -2, 2}; // tenths: below 0 darker, above 0 paler
    int object = m->object_of[b->particle] - b->merged;
    size_t n = ((size_t)(object < 0 ? 0 : object) + m->palette) % (sizeof palette / sizeof *palette);
    set(colour, palette[n][0], MATERIAL_SOLID);
    int shade = shades[b->shade % 5];
    mix_colours(colour, shade < 0 ? black : palette[n][1], abs(shade), 10);
    mix_colours(colour, grey, b->type == PL_RIGID_STATIC ? 4 : 0, 5);
    if (s->value && b->type != PL_RIGID_STATIC)
    {
        colour_value(s->by, s->value[b->particle], colour);
    }
    mix_colours(colour, grey, awake ? 0 : 3, 5); // what sleeps is dull
}

static void blend(const float stops[][3], int count, float t, uint8_t out[4])
{
    float x = clampf(t, 0.0f, 1.0f) * (float)(count - 1);
    int i = (int)x < count - 2 ? (int)x : count - 2;
    for (int k = 0; k < 3; k++)
    {
        float c = stops[i][k] + (stops[i + 1][k] - stops[i][k]) * (x - (float)i);
        out[k] = (uint8_t)(c * 255.0f + 0.5f);
    }
    out[3] = MATERIAL_SOLID;
}

// Neighbouring numbers get hues far apart, by the golden ratio; what has none is grey.
static void number_colour(int number, uint8_t out[4])
{
    static const float wheel[][3] = {{0.80f, 0.22f, 0.20f}, {0.86f, 0.58f, 0.16f}, {0.62f, 0.68f, 0.20f},
                                     {0.18f, 0.56f, 0.34f}, {0.16f, 0.58f, 0.64f}, {0.20f, 0.36f, 0.70f},
                                     {0.48f, 0.30f, 0.66f}, {0.80f, 0.22f, 0.20f}};
    static const float grey[][3] = {{0.55f, 0.55f, 0.55f}, {0.55f, 0.55f, 0.55f}};
    float turn = 0.618034f * (float)number;
    if (number < 0)
    {
        blend(grey, 2, 0.0f, out);
        return;
    }
    blend(wheel, 8, turn - floorf(turn), out);
    for (int k = 0; k < 3; k++) // and the next round is lighter
    {
        out[k] = (uint8_t)(out[k] + (255 - out[k]) * (number / 8 % 3) / 5);
    }
}

bool colour_by_number(enum colour_by by) { return by == COLOUR_BATCH || by == COLOUR_TILE; }

void colour_value(enum colour_by by, float value, uint8_t out[4])
{
    // Dark blue over green to yellow: even steps to the eye, and readable without colour vision.
    static const float rising[][3] = {{0.22f, 0.13f, 0.42f},
                                      {0.19f, 0.35f, 0.56f},
                                      {0.13f, 0.57f, 0.55f},
                                      {0.37f, 0.79f, 0.38f},
                                      {0.99f, 0.91f, 0.14f}};
    // Pressed is blue, at rest nearly white, pulled is red.
    static const float both[][3] = {{0.10f, 0.25f, 0.62f},
                                    {0.45f, 0.65f, 0.86f},
                                    {0.93f, 0.93f, 0.91f},
                                    {0.93f, 0.56f, 0.42f},
                                    {0.68f, 0.07f, 0.14f}};
    if (colour_by_number(by))
    {
        number_colour((int)value, out);
        return;
    }
    // Cold is blue and dark, hot glows.
    static const float glow[][3] = {{0.16f, 0.26f, 0.50f},
                                    {0.45f, 0.24f, 0.50f},
                                    {0.80f, 0.22f, 0.24f},
                                    {0.96f, 0.55f, 0.12f},
                                    {1.00f, 0.90f, 0.45f}};
    blend(by == COLOUR_STRAIN ? both : by == COLOUR_HEAT ? glow : rising, 5, value, out);
}

const char *colour_by_name(enum colour_by by)
{
    static const char *const names[] = {"material", "speed", "strain", "density", "heat",
                                        "residual", "batch", "tile",   "pressure"};
    return by < COLOUR_BY_COUNT ? names[by] : "?";
}
