// froth.h: the spray, foam and bubbles of a scene that asks for them: follows the world, and copies them into frames.
#ifndef PLIANT_VIEWER_FROTH_H
#define PLIANT_VIEWER_FROTH_H

#include <pliant/pliant.h>

struct frame;

struct froth
{
    pl_diffuse *diffuse; // NULL: not begun
    pl_diffuse_def def;
    bool wanted;
    double time; // of the world when it was followed last
};

// Starts over with what the scene says.
void froth_set_scene(struct froth *f, const pl_scene_info *scene);
// Advances them to the state of the world. False: no memory; they are given up.
bool froth_follow(struct froth *f, const pl_world *world);
bool froth_copy(const struct froth *f, struct frame *to);
void froth_close(struct froth *f);

#endif
