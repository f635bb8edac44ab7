// cape.c: a character with a cape. The body is a kinematic capsule that the game moves and turns; the cape is a cloth
// that is attached to it along its upper edge and collides with it.
#include "check.h"

#include <math.h>

enum
{
    COLUMNS = 20,
    ROWS = 24,
};

int main(void)
{
    pl_world_def def = pl_default_world_def();
    def.settings.substeps = 10;
    def.settings.damping = 0.5f;
    pl_world *world;
    CHECK(pl_world_create(&def, &world));

    // The character: nothing pushes it, it moves where the game says.
    pl_rigid_shape torso = pl_default_rigid_shape();
    torso.kind = PL_RIGID_CAPSULE;
    torso.radius = 0.2f;
    torso.length = 1.2f;
    pl_rigid_def body = pl_default_rigid_def();
    body.type = PL_RIGID_KINEMATIC;
    body.position = (pl_vec3){0, 0.8f, 0};
    body.shapes = &torso;
    body.shape_count = 1;
    pl_id character;
    CHECK(pl_add_rigid(world, &body, &character));

    // The cape hangs down behind it. Its thickness makes it collide, also with itself.
    pl_cloth_def cloth = pl_default_cloth_def();
    cloth.columns = COLUMNS;
    cloth.rows = ROWS;
    cloth.origin = (pl_vec3){-0.3f, 1.35f, -0.23f};
    cloth.u = (pl_vec3){0.6f, 0, 0};
    cloth.v = (pl_vec3){0, -1.1f, 0};
    cloth.mass = 0.3f;
    cloth.thickness = 0.02f;
    cloth.bend.compliance = 1e-3f;
    pl_id cape;
    CHECK(pl_add_cloth(world, &cloth, &cape));

    int32_t collar[COLUMNS];
    for (int i = 0; i < COLUMNS; i++)
        collar[i] = i; // the first row
    pl_attach_def tie = pl_default_attach_def();
    tie.object = cape;
    tie.particles = collar;
    tie.count = COLUMNS;
    tie.to = character;
    CHECK(pl_attach(world, &tie, NULL));

    // The game: the character runs along z for two seconds, then turns around.
    const float dt = 1.0f / 60.0f;
    float position[COLUMNS * ROWS][3], trail = 0;
    for (int frame = 1; frame <= 240; frame++)
    {
        float run = frame < 120 ? (float)frame : 120.0f, turn = frame < 120 ? 0.0f : (float)(frame - 120) * 0.02f;
        pl_vec3 to = {0, 0.8f, 0.05f * run}; // 3 m/s
        CHECK(pl_move_rigid(world, character, to, (pl_quat){0, sinf(0.5f * turn), 0, cosf(0.5f * turn)}, dt));
        CHECK(pl_world_step(world, dt));
        int first, count;
        CHECK(pl_object_range(world, cape, &first, &count));
        CHECK(pl_get(world, PL_ATTRIBUTE_POSITION, first, count, position[0]));
        if (frame == 120)
            trail = to.z - position[COLUMNS * ROWS - 1][2]; // how far the hem is behind the body
    }
    float hem = position[COLUMNS * ROWS - 1][1];
    printf("at 3 m/s the hem trails %.2f m behind the body; at the end it hangs at %.2f m\n", (double)trail,
           (double)hem);
    pl_world_destroy(world);
    return trail > 0.25f && hem > 0.1f && hem < 0.6f ? 0 : 1;
}
