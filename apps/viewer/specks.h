// specks.h: which of very many spheres are to be seen at all, from the nearest to the farthest.
//
// A speck is drawn flat, with the depth of its middle. So, walked from the nearest to the farthest, one whose pixels are all taken
// already cannot show; of a full block of 100,000 nine in ten go this way, and are neither sent nor drawn.
#ifndef PLIANT_VIEWER_SPECKS_H
#define PLIANT_VIEWER_SPECKS_H

#include "painter.h"

struct specks
{
    uint32_t *order; // numbers of balls; behind them, while sorting, the bin of each
    int size;
    uint32_t *first; // for each bin
    uint64_t *taken; // a bit for each pixel
    size_t words;
};

enum
{
    SPECK_MOST = 250, // pixels, the widest point that every driver draws
};

// How wide a ball is in a pass, in pixels; the same as in the shader.
float speck_width(const struct pass *pass, float radius, float away);
// Fills `order`, and returns how many are to be drawn; -1: no memory, draw them all as they come.
int specks_choose(struct specks *k, const struct ball *ball, int count, const struct pass *pass);
void specks_free(struct specks *k);

#endif
