// test_edit_in_place.c: edits of a running world are put where there is room for them. Whatever the sequence, what is packed is whole; the bits are the
// same on any number of threads and lanes, after a snapshot in the middle, whoever asks in between, and however much room there was.
#include "edit/edits.h"
#include "edit/objects.h"

typedef struct way
{
    int threads, lanes;
    bool saved, asked, roomy, anew; // anew: everything is packed anew after each edit
} way;

typedef struct player
{
    pl_world *w;
    way how;
    uint64_t seed;
    pl_id cloth, block[256], object[256];
    int blocks, objects, side;
} player;

static int orderings;

static void listen(void *user, pl_log_level level, const char *text)
{
    (void)user, (void)level;
    orderings += strncmp(text, "ordered", 7) == 0;
}

static pl_world_def def_of(way how)
{
    pl_world_def def = pl_default_world_def();
    def.threads = how.threads, def.lanes = how.lanes;
    def.settings.substeps = 2;
    def.settings.iterations = 2;
    def.settings.internal_damping = 0.5f;
    def.settings.wind = (pl_wind){{3.0f, 0.0f, 1.0f}, 0.5f, 0.3f, 1.2f};
    def.log.write = listen;
    return def;
}

static void open_player(player *p, way how, int side, float strength)
{
    pl_world_def def = def_of(how);
    *p = (player){.how = how, .seed = 7, .side = side};
    good(pl_world_create(&def, &p->w));
    p->w->open = how.roomy;
    pl_cloth_def c = pl_default_cloth_def();
    int32_t corners[2] = {0, side - 1};
    c.columns = c.rows = side;
    c.u = (pl_vec3){0.05f * (float)side, 0.0f, 0.0f};
    c.v = (pl_vec3){0.0f, 0.0f, 0.05f * (float)side};
    c.stretch.compliance = c.shear.compliance = 1e-6f;
    c.bending = PL_BENDING_DIHEDRAL;
    c.bend.compliance = 1e-2f;
    c.pinned = corners, c.pinned_count = 2;
    c.tethers = true;
    c.strength = strength;
    good(pl_add_cloth(p->w, &c, &p->cloth));
}

static int roll(player *p, int sides) { return (int)((0.5 + 0.5 * (double)dice(&p->seed)) * sides) % sides; }

static int any_particle(player *p)
{
    for (;;)
    {
        int number = roll(p, pl_particle_end(p->w));
        if (slot_of(p->w, number) >= 0)
            return number;
    }
}

static void add_particles(player *p)
{
    float x[3 * 400];
    pl_particles_def d = pl_default_particles_def();
    d.count = roll(p, 24) ? 1 + roll(p, 4) : 400; // now and then so many that all are ordered anew
    for (int i = 0; i < 3 * d.count; i++)
        x[i] = dice(&p->seed);
    d.position = x;
    d.mass_each = 0.01f;
    if (p->objects < 256)
        good(pl_add_particles(p->w, &d, &p->object[p->objects++]));
}

static void add_rows_to(player *p)
{
    static const pl_kind kinds[] = {PL_KIND_DISTANCE, PL_KIND_DISTANCE, PL_KIND_TETHER, PL_KIND_DIHEDRAL, PL_KIND_PIN};
    pl_constraints_def d = pl_default_constraints_def();
    int32_t index[PL_MAX_ARITY * 3];
    d.kind = kinds[roll(p, 5)];
    d.count = 1 + roll(p, 3);
    int arity = facts_of((int)d.kind)->info.arity;
    for (int i = 0; i < arity * d.count; i++)
        for (bool again = true; again;)
        {
            index[i] = any_particle(p);
            again = false;
            for (int k = i - i % arity; k < i; k++)
                again |= index[k] == index[i];
        }
    d.index = index;
    d.soft.compliance = 1e-3f * (float)(1 + roll(p, 3));
    if (p->blocks < 256 && pl_add_constraints(p->w, &d, &p->block[p->blocks]) == PL_OK) // four in a line have no hinge
        p->blocks++;
}

// One that is authored, mostly of rows alone; now and then one that is refused.
static void add_object(player *p)
{
    int sort = roll(p, 3) ? roll(p, OBJECT_PLAIN) : roll(p, OBJECT_SORTS);
    pl_vec3 at = {dice(&p->seed), 0.3f + dice(&p->seed), dice(&p->seed)};
    if (!roll(p, 4))
    {
        pl_cloth_def bad = pl_default_cloth_def();
        bad.drag = -1.0f; // its faces come last
        refused(pl_add_cloth(p->w, &bad, NULL), PL_ERROR_ARGUMENT, "drag");
    }
    if (p->objects < 256)
        good(make_object(p->w, sort, at, &p->object[p->objects++]));
}

// A hub: everything is coloured anew.
static void add_spokes(player *p)
{
    int32_t index[2 * 14];
    pl_constraints_def d = pl_default_constraints_def();
    d.kind = PL_KIND_DISTANCE;
    d.count = 14;
    d.index = index;
    d.soft.compliance = 1e-3f;
    int hub = any_particle(p);
    for (int i = 0; i < 14; i++)
        do
            index[2 * i] = hub, index[2 * i + 1] = any_particle(p);
        while (index[2 * i + 1] == hub);
    if (p->blocks < 256)
        good(pl_add_constraints(p->w, &d, &p->block[p->blocks++]));
}

static void remove_one(player *p, pl_id *list, int *count)
{
    if (*count == 0)
        return;
    int which = roll(p, *count);
    pl_remove(p->w, list[which]); // a block may have gone with an object
    list[which] = list[--*count];
}

static void cut(player *p)
{
    float x[3];
    int cuts;
    good(pl_get(p->w, PL_ATTRIBUTE_POSITION, any_particle(p), 1, x));
    pl_blade b = {{x[0] - 0.1f, x[1] - 1.0f, x[2] - 0.1f}, {0.2f, 0.01f, 0.2f * dice(&p->seed)}, {0.0f, 2.0f, 0.0f}};
    good(pl_cut(p->w, p->cloth, &b, &cuts));
}

static void edit(player *p)
{
    int what = roll(p, 11);
    if (what == 10)
        add_object(p);
    else if (what < 3)
        add_particles(p);
    else if (what < 6)
        add_rows_to(p);
    else if (what == 6 && !roll(p, 8))
        add_spokes(p);
    else if (what < 7)
        remove_one(p, p->block, &p->blocks);
    else if (what < 8)
        remove_one(p, p->object, &p->objects);
    else
        cut(p);
}

static void resume(player *p)
{
    void *data;
    size_t size;
    pl_world_def def = def_of(p->how);
    good(pl_world_save_memory(p->w, &data, &size));
    pl_world_destroy(p->w);
    good(pl_world_load_memory(&def, data, size, &p->w));
    pl_free(data);
}

static uint64_t play_edits(way how, int side, float strength, int frames, bool watched, bool contact)
{
    player p;
    uint64_t hash = 0;
    open_player(&p, how, side, strength);
    if (contact)
    {
        pl_shape_def s = pl_default_shape_def();
        s.kind = PL_SHAPE_PLANE;
        s.position.y = -0.4f;
        good(pl_add_shape(p.w, &s, NULL));
    }
    for (int f = 0; f < frames; f++)
    {
        good(pl_world_step(p.w, 1.0f / 60.0f));
        hash = 31 * hash + pl_world_hash(p.w);
        for (int e = roll(&p, 10); e > 0; e--)
        {
            edit(&p);
            if (contact && p.objects)
            {
                int first, count;
                good(pl_object_range(p.w, p.object[p.objects - 1], &first, &count));
                good(pl_set(p.w, PL_ATTRIBUTE_RADIUS, first, 1, &(float){0.05f}));
            }
            if (how.asked)
                pl_world_order(p.w);
            if (how.anew)
                good(unpack_all(p.w, false, false));
            if (how.saved && e == 1)
                resume(&p);
        }
        if (watched)
            check_packing(p.w);
        if (how.saved && f % 5 == 2)
            resume(&p);
    }
    pl_world_destroy(p.w);
    return hash;
}

static void every_way(int side, float strength, int frames, bool contact)
{
    static const way ways[] = {
        {1, 8, .saved = true}, {1, 8, .asked = true}, {1, 8, .roomy = true}, {1, 8, .anew = true}};
    uint64_t wanted = play_edits((way){.threads = 1, .lanes = 1}, side, strength, frames, true, contact);
    if (play_edits((way){.threads = 3, .lanes = 8}, side, strength, frames, false, contact) != wanted)
        fail_msg("on three threads and eight lanes the bits are others");
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (play_edits(ways[i], side, strength, frames, i == 3, contact) != wanted)
            fail_msg("way %zu of running the edits has other bits", i);
}

static void small_cloth(void **state)
{
    (void)state;
    every_way(12, 0.0f, 30, false);
}

static void cloth_that_tears(void **state)
{
    (void)state;
    every_way(12, 0.4f, 30, false);
}

static void cloth_with_contacts(void **state)
{
    (void)state;
    every_way(10, 0.0f, 30, true);
}

static void tiles(void **state)
{
    (void)state;
    uint64_t wanted = play_edits((way){.threads = 1, .lanes = 8}, 257, 0.0f, 4, true, false);
    assert_true(play_edits((way){.threads = 2, .lanes = 1, .saved = true}, 257, 0.0f, 4, false, false) == wanted);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_cloth),
        cmocka_unit_test(cloth_that_tears),
        cmocka_unit_test(cloth_with_contacts),
        cmocka_unit_test(tiles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
