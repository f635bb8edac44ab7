// untangle.c
#include "collide/bvh.h"
#include "constraints/skin.h"
#include "world/world.h"
pl_result skin_untangle(pl_world *w)
{
    (void)w;
    return PL_OK;
}
