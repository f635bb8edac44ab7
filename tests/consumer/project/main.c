// A user's program: it sees the installed header and library, and nothing else.
#include <pliant/pliant.h>
#include <stdio.h>

// Functions of the library have these names too. They are hidden, so that a user may use the names.
int compile(void);
int fail(void);
int compile(void) { return 3; }
int fail(void) { return 4; }

int main(void)
{
    pl_world_def def = pl_default_world_def();
    pl_world *world = NULL;
    if (pl_world_create(&def, &world) != PL_OK)
    {
        fprintf(stderr, "%s\n", pl_error_message());
        return 1;
    }
    pl_rope_def rope = pl_default_rope_def();
    rope.segments = 10;
    rope.from = (pl_vec3){0.0f, 1.0f, 0.0f};
    rope.to = (pl_vec3){1.0f, 1.0f, 0.0f};
    rope.mass = 1.0f;
    rope.pin_first = true;
    pl_id id;
    pl_result result = pl_add_rope(world, &rope, &id);
    for (int frame = 0; frame < 30 && result == PL_OK; frame++)
    {
        result = pl_world_step(world, 1.0f / 60.0f);
    }

    // After half a second the free end has fallen a good way, and hangs no lower than the rope is long.
    float end[3] = {0};
    if (result == PL_OK)
    {
        result = pl_get(world, PL_ATTRIBUTE_POSITION, 10, 1, end);
    }
    bool fell = end[1] < 0.9f && end[1] > -0.2f;
    printf("pliant %s: the end is at y = %g\n", pl_version(), (double)end[1]);
    if (result != PL_OK)
    {
        fprintf(stderr, "%s\n", pl_error_message());
    }
    pl_world_destroy(world);
    return result == PL_OK && fell && compile() + fail() == 7 ? 0 : 1;
}
