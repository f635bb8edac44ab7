// specks.h: very many spheres in the order from the nearest to the farthest, so that what is hidden need not be shaded.
#ifndef PLIANT_VIEWER_SPECKS_H
#define PLIANT_VIEWER_SPECKS_H

#include "surface.h"

struct specks
{
    uint32_t *order; // numbers of balls
    int size;
};

// False: no memory.
bool specks_sort(struct specks *k, const struct surface *s, vec3 eye, vec3 forward);
void specks_free(struct specks *k);

#endif
