// What is refused, with which words, and that nothing changed.
#include "edit/refusals.h"

static void particles(void **state)
{
    (void)state;
    float x[6] = {0, 0, 0, 1, 1, 1}, v[6] = {0}, mass[2] = {1, 1};
    pl_id id = {0};
#define WITH(words, ...)                                                                                               \
    do                                                                                                                 \
    {                                                                                                                  \
        pl_particles_def def = {2, x, v, mass, 1.0f};                                                                  \
        __VA_ARGS__;                                                                                                   \
        REFUSED(pl_add_particles(w, &def, &id), words);                                                                \
    }                                                                                                                  \
    while (0)
    WITH("count is 0", def.count = 0);
    WITH("count is -3", def.count = -3);
    WITH("count is 2147483647", def.count = INT32_MAX);
    WITH("position is NULL", def.position = NULL);
    x[4] = NAN;
    WITH("position of particle 1 is not finite", (void)0);
    x[4] = INFINITY;
    WITH("position of particle 1 is not finite", (void)0);
    x[4] = 1;
    v[0] = NAN;
    WITH("velocity of particle 0 is not finite", (void)0);
    v[0] = 0;
    mass[1] = -1;
    WITH("mass of particle 1 is -1", (void)0);
    mass[1] = NAN;
    WITH("mass of particle 1 is", (void)0);
    mass[1] = 1e-40f; // its inverse is no number
    WITH("mass of particle 1 is", (void)0);
    WITH("mass_each is -2", def.mass = NULL; def.mass_each = -2);
    WITH("mass_each is 1e+38 kg; it must be from 1e-30 to 1e30", def.mass = NULL; def.mass_each = 1e38f);
    WITH("mass_each is", def.mass = NULL; def.mass_each = INFINITY);
#undef WITH
    assert_int_equal(id.index, 0);
}

static void attributes(void **state)
{
    (void)state;
    float a[3] = {1, NAN, 1}, out[3];
    const float light = -1, tiny = 1e-42f, fine[3] = {1, 2, 3};
    int end = pl_particle_end(w);
    REFUSED(pl_set(w, PL_ATTRIBUTE_POSITION, 4, 1, a), "position: the value for particle 4 is not finite");
    REFUSED(pl_set(w, PL_ATTRIBUTE_FORCE, 4, 1, a), "force: the value for particle 4");
    REFUSED(pl_set(w, PL_ATTRIBUTE_MASS, 7, 1, &light), "particle 7 would weigh -1");
    REFUSED(pl_set(w, PL_ATTRIBUTE_MASS, 7, 1, &tiny), "particle 7 would weigh");
    REFUSED(pl_set(w, PL_ATTRIBUTE_VELOCITY, -1, 1, fine), "velocity: particles -1");
    REFUSED(pl_set(w, PL_ATTRIBUTE_VELOCITY, end, 1, fine), "velocity: particles");
    REFUSED(pl_set(w, PL_ATTRIBUTE_VELOCITY, 0, INT32_MAX, fine), "velocity: particles 0 to");
    REFUSED(pl_set(w, PL_ATTRIBUTE_VELOCITY, INT32_MAX, INT32_MAX, fine), "velocity: particles");
    REFUSED(pl_set(w, PL_ATTRIBUTE_VELOCITY, 0, -1, fine), "velocity: particles");
    REFUSED(pl_set(w, (pl_attribute)99, 0, 1, fine), "attribute 99");
    REFUSED(pl_set(w, PL_ATTRIBUTE_POSITION, 0, 1, NULL), "NULL");
    REFUSED(pl_get(w, PL_ATTRIBUTE_POSITION, 0, 1, NULL), "NULL");
    REFUSED(pl_get(w, PL_ATTRIBUTE_POSITION, end, 1, out), "position: particles");
    REFUSED(pl_get(w, (pl_attribute)-1, 0, 1, out), "attribute -1");
}

static void constraints(void **state)
{
    (void)state;
    int32_t index[PL_MAX_ARITY] = {1, 2, 3, 4, 5, 6, 7, 8};
    float param[PL_MAX_PARAMS];
    for (int i = 0; i < PL_MAX_PARAMS; i++)
        param[i] = 1;
    pl_id id = {0};
#define WITH(words, ...)                                                                                               \
    do                                                                                                                 \
    {                                                                                                                  \
        pl_constraints_def def = pl_default_constraints_def();                                                         \
        def.count = 1;                                                                                                 \
        def.index = index;                                                                                             \
        def.param = param;                                                                                             \
        __VA_ARGS__;                                                                                                   \
        REFUSED(pl_add_constraints(w, &def, &id), words);                                                              \
    }                                                                                                                  \
    while (0)
    char beyond[64];
    snprintf(beyond, sizeof beyond, "kind %d does not exist", (int)PL_KIND_COUNT);
    WITH(beyond, def.kind = PL_KIND_COUNT);
    WITH("kind -1 does not exist", def.kind = (pl_kind)-1);
    WITH("count is 0", def.count = 0);
    WITH("distance: count is 2147483647", def.count = INT32_MAX);
    WITH("index is NULL", def.index = NULL);
    WITH("compliance is -1", def.soft.compliance = -1);
    WITH("compliance is", def.soft.compliance = NAN);
    WITH("damping is -1", def.soft.damping = -1);
    WITH("stiffness is 1.5", def.soft.stiffness = 1.5f);
    WITH("stiffness is", def.soft.stiffness = NAN);
    WITH("distance 1: stiffness is -0.5", def.count = 2; def.each = ((pl_softness[]){{0, 0, 1}, {0, 0, -0.5f}});
         def.param = NULL);
    for (int kind = 0; kind < PL_KIND_COUNT; kind++)
    {
        const pl_kind_info *info = pl_kind_describe((pl_kind)kind);
        char words[64];
        for (int i = 0; i < info->arity; i++)
        {
            int32_t kept = index[i];
            index[i] = pl_particle_end(w);
            snprintf(words, sizeof words, "%s 0: particle %d does not exist", info->name, index[i]);
            WITH(words, def.kind = (pl_kind)kind);
            index[i] = -5;
            WITH("particle -5 does not exist", def.kind = (pl_kind)kind);
            if (i)
            {
                index[i] = index[0];
                WITH("appears twice", def.kind = (pl_kind)kind);
            }
            index[i] = kept;
        }
        for (int i = 0; i < info->params; i++)
        {
            param[i] = NAN;
            snprintf(words, sizeof words, "%s 0: %s is not a finite", info->name, info->param_names[i]);
            WITH(words, def.kind = (pl_kind)kind);
            param[i] = 1;
        }
    }
    param[0] = 0;
    WITH("distance 0: rest is 0", def.kind = PL_KIND_DISTANCE);
    WITH("tet_volume 0: rest is 0", def.kind = PL_KIND_TET_VOLUME);
    param[0] = -1;
    WITH("tether 0: rest is -1", def.kind = PL_KIND_TETHER);
    param[9] = -0.5f; // volume of a tetrahedron; 10 is Poisson's ratio
    WITH("stvk_tet 0: volume is -0.5: the shape at rest is turned inside out", def.kind = PL_KIND_STVK_TET);
    param[9] = 1, param[10] = 0.5f;
    WITH("neo_hookean 0: poisson is 0.5; it must be from 0 to 0.495", def.kind = PL_KIND_NEO_HOOKEAN);
    param[4] = 0; // of a triangle: 4 volume, 5 Poisson's ratio, 6 weft, 7 shear
    WITH("stvk_triangle 0: volume is 0: the shape at rest is flat", def.kind = PL_KIND_STVK_TRIANGLE);
    param[4] = 1, param[5] = 0.3f, param[6] = 0;
    WITH("strain_triangle 0: weft is 0 and shear is 1", def.kind = PL_KIND_STRAIN_TRIANGLE);
    param[6] = 100;
    WITH("stvk_triangle 0: poisson is 0.3; it must be", def.kind = PL_KIND_STVK_TRIANGLE);
    assert_int_equal(id.index, 0);
#undef WITH
}

// Shapes that give no rest: measured on particles that lie on a line or in one place.
static void degenerate_rests(void **state)
{
    (void)state;
    pl_world *kept = w;
    picture kept_before = before;
    w = make_world(1, 1);
    const float x[15] = {0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0, 0, 0, 0};
    pl_particles_def def = {5, x, NULL, NULL, 1.0f};
    good(pl_add_particles(w, &def, NULL));
    before = picture_of(w);
    const int32_t line[4] = {0, 1, 2, 3}, same[2] = {0, 4};
    pl_constraints_def rows = pl_default_constraints_def();
    rows.count = 1;
    rows.index = line;
    rows.kind = PL_KIND_TET_VOLUME;
    REFUSED(pl_add_constraints(w, &rows, NULL), "flat");
    rows.kind = PL_KIND_ISOMETRIC;
    REFUSED(pl_add_constraints(w, &rows, NULL), "degenerate");
    rows.kind = PL_KIND_DISTANCE;
    rows.index = same;
    REFUSED(pl_add_constraints(w, &rows, NULL), "rest is 0");
    pl_free(before.data);
    pl_world_destroy(w);
    w = kept;
    before = kept_before;
}

static void rows_and_ids(void **state)
{
    (void)state;
    const pl_id none = {0}, stale = {3, 77}, object = {1, 1}, far = {100000, 1}, rows = {2, 1};
    float out[64];
    int32_t index[4];
    pl_kind kind;
    int count;
    good(pl_block_info(w, rows, &kind, &count));
    REFUSED(pl_block_info(w, none, &kind, &count), "{0, 0} names nothing");
    REFUSED(pl_block_info(w, stale, &kind, &count), "{3, 77} names nothing");
    REFUSED(pl_block_info(w, far, &kind, &count), "names nothing");
    REFUSED(pl_block_info(w, object, &kind, &count), "names an object; it must name a block");
    REFUSED(pl_object_range(w, rows, &count, &count), "it must name an object");
    REFUSED(pl_remove(w, none), "names nothing");
    REFUSED(pl_remove(w, stale), "names nothing");
    REFUSED(pl_set_field(w, object, &(pl_field){0}), "it must name a field");
    REFUSED(pl_drag_end(w, object), "it must name");
    REFUSED(pl_drag_move(w, none, (pl_vec3){0}), "drag move: the id {0, 0} names nothing");
    REFUSED(pl_drag_begin(w, -1, 0.0f, NULL), "drag: particle -1 does not exist");
    REFUSED(pl_drag_begin(w, pl_particle_end(w), 0.0f, NULL), "drag: particle");
    REFUSED(pl_get_rows(w, rows, PL_ROW_FORCE, 0, count + 1, out), "the block has");
    REFUSED(pl_get_rows(w, rows, PL_ROW_FORCE, -1, 1, out), "the block has");
    REFUSED(pl_get_rows(w, rows, PL_ROW_FORCE, INT32_MAX, INT32_MAX, out), "the block has");
    REFUSED(pl_get_rows(w, rows, (pl_row)9, 0, 1, out), "number 9");
    REFUSED(pl_get_rows(w, rows, PL_ROW_PARAM, 0, 1, NULL), "NULL");
    REFUSED(pl_get_row_particles(w, rows, 0, count + 1, index), "the block has");
    REFUSED(pl_get_row_particles(w, rows, 0, 1, NULL), "NULL");
    const float values[2] = {1, -1};
    REFUSED(pl_set_rows(w, rows, PL_ROW_PARAM, 3, 2, values), "distance 4: rest is -1"); // the first of the two too
    REFUSED(pl_set_rows(w, rows, PL_ROW_COMPLIANCE, 3, 2, values), "distance 4: compliance is -1");
    REFUSED(pl_set_rows(w, rows, PL_ROW_FORCE, 0, 1, values), "read, not set");
    REFUSED(pl_set_rows(w, rows, PL_ROW_PARAM, 0, 1, NULL), "NULL");
    REFUSED(pl_move_pins(w, rows, 0, 1, out), "holds distance; it must hold pins");
    assert_int_equal(pl_object_blocks(w, stale, NULL, 0), 0);
}

static void faces_and_fields(void **state)
{
    (void)state;
    int32_t index[3] = {0, 1, 2};
    REFUSED(pl_add_faces(w, &(pl_faces_def){0, index, 1, 0}, NULL), "count is 0");
    REFUSED(pl_add_faces(w, &(pl_faces_def){INT32_MAX, index, 1, 0}, NULL), "count is 2147483647");
    REFUSED(pl_add_faces(w, &(pl_faces_def){1, NULL, 1, 0}, NULL), "index");
    REFUSED(pl_add_faces(w, &(pl_faces_def){1, index, NAN, 0}, NULL), "drag is");
    REFUSED(pl_add_faces(w, &(pl_faces_def){1, index, 1, -1}, NULL), "lift is -1");
    index[2] = 1 << 20;
    REFUSED(pl_add_faces(w, &(pl_faces_def){1, index, 1, 0}, NULL), "face 0: particle 1048576 does not exist");
    REFUSED(pl_get_faces(w, 0, pl_face_count(w) + 1, index), "there are");
    REFUSED(pl_get_faces(w, 0, 1, NULL), "NULL");
    REFUSED(pl_add_field(w, &(pl_field){.kind = (pl_field_kind)9}, NULL), "kind 9");
    REFUSED(pl_add_field(w, &(pl_field){.vector = {NAN, 0, 0}}, NULL), "finite");
    REFUSED(pl_add_field(w, &(pl_field){.kind = PL_FIELD_DRAG, .strength = -1}, NULL), "strength of a drag is -1");
    REFUSED(pl_add_field(w, &(pl_field){.kind = PL_FIELD_POINT, .radius = -1}, NULL), "radius is -1");
    pl_world *many = make_world(1, 1);
    for (int i = 0; i < 32; i++)
        good(pl_add_field(many, &(pl_field){0}, NULL));
    refused(pl_add_field(many, &(pl_field){0}, NULL), PL_ERROR_ARGUMENT, "at most 32");
    pl_world_destroy(many);
}

static void settings_and_worlds(void **state)
{
    (void)state;
#define WITH(words, ...)                                                                                               \
    do                                                                                                                 \
    {                                                                                                                  \
        pl_settings s = pl_world_settings(w);                                                                          \
        __VA_ARGS__;                                                                                                   \
        REFUSED(pl_world_set_settings(w, &s), words);                                                                  \
        pl_world_def def = small_def(1, 1);                                                                            \
        def.settings = s;                                                                                              \
        pl_world *none = w;                                                                                            \
        refused(pl_world_create(&def, &none), PL_ERROR_ARGUMENT, words);                                               \
        assert_null(none);                                                                                             \
    }                                                                                                                  \
    while (0)
    WITH("gravity is", s.gravity.y = NAN);
    WITH("substeps is 0", s.substeps = 0);
    WITH("substeps is 2147483647; it must be from 1 to 10000", s.substeps = INT32_MAX);
    WITH("iterations is -1", s.iterations = -1);
    WITH("substeps x iterations", s.substeps = s.iterations = 10000);
    WITH("damping is -1", s.damping = -1);
    WITH("internal_damping is", s.internal_damping = NAN);
    WITH("wind.velocity is", s.wind.velocity.x = INFINITY);
    WITH("wind.gust is -1", s.wind.gust = -1);
    WITH("wind.gust_size is 0", s.wind.gust_size = 0);
    WITH("wind.density is -1", s.wind.density = -1);
    WITH("solver is 7", s.solver = (pl_solver)7);
    WITH("integrator is 7", s.integrator = (pl_integrator)7);
#undef WITH
    pl_world_def def = small_def(1, 1);
    pl_world *none;
    def.threads = 1000;
    refused(pl_world_create(&def, &none), PL_ERROR_ARGUMENT, "threads is 1000");
    def = small_def(1, 1);
    def.lanes = 32;
    refused(pl_world_create(&def, &none), PL_ERROR_UNSUPPORTED, "32 lanes");
    def = small_def(1, 1);
    def.backend = (pl_backend)5;
    refused(pl_world_create(&def, &none), PL_ERROR_ARGUMENT, "backend");
    refused(pl_world_create(NULL, &none), PL_ERROR_ARGUMENT, "def is NULL");
    refused(pl_world_create(&def, NULL), PL_ERROR_ARGUMENT, "world is NULL");
    refused(pl_world_step(NULL, 0.1f), PL_ERROR_ARGUMENT, "NULL");
    REFUSED(pl_world_step(w, 0.0f), "above 0");
    REFUSED(pl_world_step(w, NAN), "above 0");
    REFUSED(pl_world_step(w, 1e-9f), "a substep must be at least 1e-09 seconds");
    refused(pl_add_cloth(NULL, NULL, NULL), PL_ERROR_ARGUMENT, "NULL");
    refused(pl_world_load(&def, NULL, &none), PL_ERROR_ARGUMENT, "path is NULL");
    pl_world_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(particles, set_up, tear_down),
        cmocka_unit_test_setup_teardown(attributes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(constraints, set_up, tear_down),
        cmocka_unit_test_setup_teardown(degenerate_rests, set_up, tear_down),
        cmocka_unit_test_setup_teardown(rows_and_ids, set_up, tear_down),
        cmocka_unit_test_setup_teardown(faces_and_fields, set_up, tear_down),
        cmocka_unit_test_setup_teardown(settings_and_worlds, set_up, tear_down),
    };
    return cmocka_run_group_tests_name("bad_input", tests, NULL, NULL);
}
