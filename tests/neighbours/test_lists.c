// Lists of pairs hold for as long as they are kept: after every substep each two that touch, by brute force, are in the
// list, and no two have moved farther, as they see each other, than its margin.
#include "support/support.h"

#include "model/world.h"

enum
{
    ACROSS = 7,
    GRAINS = ACROSS * ACROSS * ACROSS,
    SUBSTEPS = 240,
};

static const float radius = 0.02f;

typedef enum swarm
{
    FALLING,  // half of them onto the other half, which lies on a floor
    CROSSING, // four crowds through each other, along the axes and across
    SWIRLING, // each as it likes, between walls that bounce
    PUSHED,   // at rest, before a wall that comes
    SWARMS,
} swarm;

typedef struct watch
{
    pl_world *w;
    pl_id wall;
    uint8_t listed[GRAINS][GRAINS];
    float before[4 * GRAINS]; // SLOT_BUILD
    int made, kept;           // lists: made, and kept for a substep where twice the farthest way is beyond the margin
    double widest;            // margins that two have moved
} watch;

static void velocity_of(swarm s, int i, const float *x, uint64_t *seed, float *v)
{
    const float crossing[4][3] = {{1.5f, 0, 0}, {-1.0f, 0, 0}, {0.7f, 0, 1.2f}, {0, 0.4f, -1.4f}};
    for (int c = 0; c < 3; c++)
        v[c] = s == SWIRLING ? 1.2f * dice(seed) : s == CROSSING ? crossing[i % 4][c] : 0.0f;
    if (s == FALLING && x[1] > 2.3f * radius * (float)(ACROSS / 2))
        v[1] = -1.5f;
}

static void add_walls(pl_world *w, swarm s, pl_id *wall)
{
    const float rotation = 0.70710678f;
    pl_shape_def def = pl_default_shape_def();
    def.kind = PL_SHAPE_PLANE;
    if (s != CROSSING)
        good(pl_add_shape(w, &def, NULL));
    def.position = (pl_vec3){-0.03f, 0, 0};
    def.rotation = (pl_quat){0, 0, -rotation, rotation}; // faces +x
    if (s == SWIRLING || s == PUSHED)
        good(pl_add_shape(w, &def, wall));
}

static void make_swarm(watch *t, swarm s, uint64_t seed)
{
    static float x[3 * GRAINS], v[3 * GRAINS], mass[GRAINS], r[GRAINS];
    memset(t, 0, sizeof *t);
    t->w = make_world(1, 1);
    set_gravity(t->w, s == CROSSING ? 0.0f : -9.81f);
    pl_material bouncy = {.static_friction = 0.4f, .kinetic_friction = 0.3f};
    bouncy.restitution = s == SWIRLING ? 0.8f : 0.2f;
    good(pl_set_material(t->w, 0, &bouncy));
    for (int i = 0; i < GRAINS; i++)
    {
        const int at[3] = {i % ACROSS, i / ACROSS % ACROSS, i / ACROSS / ACROSS};
        for (int c = 0; c < 3; c++)
            x[3 * i + c] = radius * (1.1f + 2.3f * (float)at[c] + 0.1f * dice(&seed));
        velocity_of(s, i, x + 3 * i, &seed, v + 3 * i);
        r[i] = radius * (0.9f + 0.1f * dice(&seed));
        bool held = i % 29 == 0 && (s == CROSSING || (s == FALLING && v[3 * i + 1] == 0.0f)); // or goes on as it began
        mass[i] = held ? 0.0f : i % 5 ? 1.0f : 8.0f;
    }
    good(pl_add_particles(t->w, &(pl_particles_def){GRAINS, x, v, mass, 1.0f}, NULL));
    good(pl_set(t->w, PL_ATTRIBUTE_RADIUS, 0, GRAINS, r));
    add_walls(t->w, s, &t->wall);
}

static void read_list(watch *t)
{
    const contacts *c = &t->w->contacts;
    const neighbour_list *g = &c->neighbours;
    memset(t->listed, 0, sizeof t->listed);
    for (int64_t p = 0; p < g->pairs; p++)
    {
        int32_t a = g->sorted.value[g->owner[p]], b = g->sorted.value[g->neighbour[p]];
        t->listed[a][b] = t->listed[b][a] = 1;
    }
    const float *built = t->w->state.slot[SLOT_BUILD];
    if (memcmp(built, t->before, sizeof t->before) != 0)
        t->made++;
    memcpy(t->before, built, sizeof t->before);
}

static vec come_of(const watch *t, int32_t slot)
{
    const float *x = t->w->state.slot[SLOT_X] + 4 * slot, *from = t->before + 4 * slot;
    return vec_of(x[0] - from[0], x[1] - from[1], x[2] - from[2]);
}

static void look(watch *t, swarm s, int substep)
{
    const state *w = &t->w->state;
    const float *collision = w->slot[SLOT_COLLISION], *x = w->slot[SLOT_X];
    float farthest = 0.0f, margin = t->w->contacts.margin;
    for (int32_t a = 0; a < GRAINS; a++)
    {
        vec come = come_of(t, a);
        farthest = length(come) > farthest ? length(come) : farthest;
        for (int32_t b = 0; b < a; b++)
        {
            float apart = length(sub(come, come_of(t, b))), reach = collision[4 * a] + collision[4 * b];
            vec d = vec_of(x[4 * a] - x[4 * b], x[4 * a + 1] - x[4 * b + 1], x[4 * a + 2] - x[4 * b + 2]);
            bool held = x[4 * a + 3] == 0.0f && x[4 * b + 3] == 0.0f;
            if (length(d) < reach && !t->listed[a][b] && !held)
                fail_msg("swarm %d, substep %d: slots %d and %d touch, and are not listed", s, substep, a, b);
            double share = (double)apart / (double)margin;
            t->widest = share > t->widest ? share : t->widest;
        }
    }
    t->kept += 2.0f * farthest > margin;
}

static void run_swarm(swarm s, uint64_t seed, bool uneven, watch *t)
{
    make_swarm(t, s, seed);
    for (int i = 0; i < SUBSTEPS; i++)
    {
        if (s == PUSHED)
            good(pl_move_shape(t->w, t->wall, (pl_vec3){-0.03f + 0.001f * (float)(i + 1), 0, 0},
                               (pl_quat){0, 0, -0.70710678f, 0.70710678f}));
        good(pl_world_step(t->w, uneven && i % 11 == 0 ? 0.004f : 0.001f));
        read_list(t);
        look(t, s, i);
    }
    print_message("swarm %d: %d lists, %d substeps beyond twice the way, %.3f margins at the most\n", s, t->made,
                  t->kept, t->widest);
    pl_world_destroy(t->w);
}

static void no_pair_is_missed(void **state)
{
    (void)state;
    static watch t;
    for (int s = 0; s < SWARMS; s++)
        for (int uneven = 0; uneven < 2; uneven++)
        {
            run_swarm((swarm)s, 31u + (uint64_t)s, uneven, &t);
            below("what two have moved, in margins", t.widest, 1.0);
            assert_true(t.made > 1 && t.made < SUBSTEPS / 2);
            assert_true(t.kept > 0 || s != FALLING); // what falls is counted once
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_pair_is_missed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
