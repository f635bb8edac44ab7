// rollback.c: a networked game that predicts and corrects. The input of the other player arrives six frames late: the
// world goes back to the frame it belongs to and steps again. Both machines then have the same bits.
#include "check.h"

#include <string.h>

enum
{
    FRAMES = 60,
    LATE = 6,     // frames until the other player's input arrives
    KICK_AT = 30, // the frame of that input
    BODIES = 20,
};

static const float dt = 1.0f / 60.0f;

static pl_world *make_world(pl_id *first)
{
    pl_world_def def = pl_default_world_def();
    def.settings.substeps = 8;
    pl_world *world;
    CHECK(pl_world_create(&def, &world));
    pl_shape_def ground = pl_default_shape_def();
    CHECK(pl_add_shape(world, &ground, NULL));
    pl_rigid_shape box = pl_default_rigid_shape();
    box.half = (pl_vec3){0.2f, 0.2f, 0.2f};
    for (int i = 0; i < BODIES; i++)
    {
        pl_rigid_def body = pl_default_rigid_def();
        body.shapes = &box;
        body.shape_count = 1;
        body.position = (pl_vec3){0.02f * (float)(i % 3), 0.25f + 0.45f * (float)i, 0};
        pl_id id;
        CHECK(pl_add_rigid(world, &body, &id));
        *first = i ? *first : id;
    }
    return world;
}

static void step(pl_world *world, pl_id first, int frame)
{
    if (frame == KICK_AT)
        CHECK(pl_push_rigid(world, first, (pl_vec3){150, 0, 0}, (pl_vec3){0, 0.2f, 0}));
    CHECK(pl_world_step(world, dt));
}

int main(void)
{
    pl_id first, there_first;
    pl_world *here = make_world(&first), *there = make_world(&there_first);
    void *kept[LATE + 1] = {NULL}; // snapshots of the last frames, by frame modulo LATE + 1
    size_t size[LATE + 1];

    for (int frame = 0; frame < FRAMES; frame++)
        step(there, there_first, frame); // the other player's machine knows its own input at once

    for (int frame = 0; frame < FRAMES; frame++)
    {
        int slot = frame % (LATE + 1);
        pl_free(kept[slot]);
        CHECK(pl_world_save_memory(here, &kept[slot], &size[slot]));
        if (frame == KICK_AT + LATE) // the input arrives: back to its frame, and again up to now
        {
            int from = KICK_AT % (LATE + 1);
            CHECK(pl_world_restore(here, kept[from], size[from]));
            for (int again = KICK_AT; again < frame; again++)
                step(here, first, again);
            printf("frame %d: went back to frame %d and caught up\n", frame, KICK_AT);
        }
        CHECK(pl_world_step(here, dt)); // predicted, without the input
    }
    unsigned long long a = pl_world_hash(here), b = pl_world_hash(there);
    printf("here %016llx, there %016llx: %s\n", a, b, a == b ? "equal" : "DIFFERENT");
    for (int i = 0; i <= LATE; i++)
        pl_free(kept[i]);
    pl_world_destroy(here);
    pl_world_destroy(there);
    return a == b ? 0 : 1;
}
