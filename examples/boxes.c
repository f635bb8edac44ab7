// boxes.c: a wall of boxes, a ball that hits it, events, and picking: a ray finds a box, which is then pushed away.
#include "check.h"

enum
{
    ACROSS = 6,
    HIGH = 5,
    WALL = 100, // our numbers of the boxes begin here
};

int main(void)
{
    pl_world_def def = pl_default_world_def();
    def.settings.substeps = 8;
    def.settings.sleep = true; // what has come to rest costs nothing
    pl_world *world;
    CHECK(pl_world_create(&def, &world));
    pl_shape_def ground = pl_default_shape_def(); // a plane through the origin
    CHECK(pl_add_shape(world, &ground, NULL));

    pl_rigid_shape brick = pl_default_rigid_shape();
    brick.half = (pl_vec3){0.25f, 0.125f, 0.125f};
    for (int i = 0; i < ACROSS * HIGH; i++)
    {
        int row = i / ACROSS, column = i % ACROSS;
        pl_rigid_def box = pl_default_rigid_def();
        box.shapes = &brick;
        box.shape_count = 1;
        box.position = (pl_vec3){0.5f * (float)column + 0.25f * (float)(row % 2), 0.125f + 0.25f * (float)row, 0};
        box.user_data = (uint64_t)(WALL + i); // hits and events return it
        CHECK(pl_add_rigid(world, &box, NULL));
    }
    pl_rigid_shape round = pl_default_rigid_shape();
    round.kind = PL_RIGID_SPHERE;
    round.radius = 0.2f;
    pl_rigid_def ball = pl_default_rigid_def();
    ball.shapes = &round;
    ball.shape_count = 1;
    ball.position = (pl_vec3){1.5f, 0.6f, 3.0f};
    ball.velocity = (pl_vec3){0, 1.0f, -12.0f};
    CHECK(pl_add_rigid(world, &ball, NULL));
    pl_watch_def watch = pl_default_watch_def();
    watch.bodies = true;
    watch.hit_speed = 2.0f;
    CHECK(pl_watch_contacts(world, &watch));

    float hardest = 0;
    int hits = 0;
    for (int frame = 0; frame < 300; frame++)
    {
        CHECK(pl_world_step(world, 1.0f / 60.0f));
        pl_contact_event events[256];
        int count = pl_contact_events(world, events, 256);
        for (int i = 0; i < count && i < 256; i++)
        {
            if (events[i].phase == PL_CONTACT_HIT)
            {
                hits++;
                hardest = events[i].approach > hardest ? events[i].approach : hardest;
            }
        }
    }
    printf("%d hits, the hardest at %.1f m/s; %d bodies sleep\n", hits, (double)hardest, pl_sleeping_rigids(world));

    // Picking: what is below the mouse? Here a ray from above onto the left end of the wall.
    pl_cast_def ray = pl_default_cast_def();
    ray.origin = (pl_vec3){0, 5, 0};
    ray.direction = (pl_vec3){0, -1, 0};
    ray.targets = PL_CAST_BODIES;
    pl_hit hit;
    CHECK(pl_cast(world, &ray, &hit));
    if (!hit.found)
        return fputs("the ray hit nothing\n", stderr), 1;
    printf("picked box %llu at %.2f m height\n", (unsigned long long)(hit.user_data - WALL), (double)hit.point.y);
    CHECK(pl_push_rigid(world, hit.object, (pl_vec3){0, 100, 0}, hit.point)); // N s; it wakes up
    pl_rigid_state before, after;
    CHECK(pl_get_rigids(world, &hit.object, 1, &before));
    for (int frame = 0; frame < 15; frame++)
        CHECK(pl_world_step(world, 1.0f / 60.0f));
    CHECK(pl_get_rigids(world, &hit.object, 1, &after));
    printf("pushed: it rose by %.2f m\n", (double)(after.position.y - before.position.y));
    pl_world_destroy(world);
    return hits > 0 && hardest > 10.0f && after.position.y > before.position.y + 0.3f ? 0 : 1;
}
