// cases.c: the tables of cases.h, and who meddles with scenes.
#include "cases.h"

#define COUNT(table) (int)(sizeof table / sizeof *table)

static void watch_world(pl_world *w, int frame)
{
    pl_watch_def def = pl_default_watch_def();
    def.stay = true;
    if (frame == 0)
        must(pl_watch_contacts(w, &def));
}

static const test_case full_worlds[] = {
    {"cloth 20x1", cloth, 60, 20, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.0f, NULL},
    {"cloth 1x20", cloth, 60, 1, 20, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.0f, NULL},
    {"cloth PBD", cloth, 60, 2, 10, PL_SOLVER_PBD, PL_INTEGRATOR_BDF1, 0.0f, NULL},
    {"cloth BDF2", cloth, 60, 5, 4, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF2, 0.0f, NULL},
    {"dihedral, damped", soft_cloth, 60, 10, 2, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 1.0f, NULL},
    {"isometric", isometric_cloth, 60, 10, 2, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.0f, NULL},
    {"tiles", tiled_cloth, 20, 10, 2, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.5f, NULL},
    {"tiles, substeps", tiled_cloth, 10, 20, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.0f, NULL},
    {"elements, Jacobi", elements, 20, 4, 3, PL_SOLVER_JACOBI, PL_INTEGRATOR_BDF1, 0.0f, NULL},
    {"cloth, hybrid", soft_cloth, 20, 4, 3, PL_SOLVER_HYBRID, PL_INTEGRATOR_BDF2, 1.0f, edit_blade},
    {"elements, hierarchy", elements, 20, 4, 3, PL_SOLVER_HIERARCHY, PL_INTEGRATOR_BDF1, 0.0f, NULL},
    {"tiles, hierarchy", tiled_cloth, 8, 2, 2, PL_SOLVER_HIERARCHY, PL_INTEGRATOR_BDF1, 0.0f, NULL},
    {"elements, Chebyshev", elements, 20, 4, 6, PL_SOLVER_CHEBYSHEV, PL_INTEGRATOR_BDF1, 0.0f, NULL},
    {"tiles, Chebyshev", tiled_cloth, 8, 2, 6, PL_SOLVER_CHEBYSHEV, PL_INTEGRATOR_BDF1, 0.0f, NULL},
    {"bar", bar, 60, 20, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.0f, NULL},
    {"oddments", oddments, 60, 10, 3, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF2, 0.0f, NULL},
    {"elements", elements, 60, 20, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.0f, NULL},
    {"elements BDF2", elements, 60, 5, 4, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF2, 1.0f, NULL},
    {"elements PBD", elements, 20, 5, 2, PL_SOLVER_PBD, PL_INTEGRATOR_BDF1, 0.0f, NULL},
    {"skins", layers, 60, 10, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.0f, NULL},
    {"skins BDF2", layers, 40, 6, 2, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF2, 1.0f, NULL},
    {"skins, edits", layers, 40, 8, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.0f, edit_skins},
    {"skins, watched", layers, 60, 10, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.0f, watch_world},
    {"tangled, watched", dipped, 30, 10, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.0f, watch_world},
    {"tangled, dipped", dipped, 60, 10, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.0f, NULL},
    {"tangled, slit", slit, 60, 10, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.0f, NULL},
    {"wear", worn, 40, 10, 2, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.5f, NULL},
    {"wear BDF2, blades", worn, 30, 5, 2, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF2, 0.0f, edit_blade},
    {"company", company, 60, 20, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.0f, NULL},
    {"company, odd", company, 40, 5, 2, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.0f, watch_world},
    {"company, BDF2", company, 30, 6, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF2, 0.0f, NULL},
    {"company of hulls", company_of_hulls, 40, 10, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.0f, NULL},
    {"rain", rain, 60, 20, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.0f, NULL},
    {"melting", melting, 90, 4, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.0f, edit_floor},
    {"warming", warming, 60, 2, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.0f, edit_floor},
    {"tiles, blades", tiled_cloth, 10, 4, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.0f, edit_blade},
    {"ellipsoids", ellipsoids, 60, 8, 2, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.5f, NULL},
    {"ellipsoids, bouncing", ellipsoids, 60, 8, 2, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.0f, edit_ellipsoids},
    {"ellipsoids BDF2", ellipsoids, 40, 6, 2, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF2, 0.0f, NULL},
    {"joints", joints, 30, 8, 2, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.5f, NULL},
    {"joints BDF2", joints, 40, 6, 2, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF2, 0.0f, NULL},
    {"joints in tiles", long_joints, 20, 4, 2, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.0f, NULL},
    {"edits", cloth, 60, 10, 2, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF2, 1.0f, edit},
    {"edits, often", cloth, 60, 4, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF2, 0.0f, edit_often},
    {"edits, often, damped", worn, 30, 2, 2, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 1.0f, edit_often},
    {"edits, often, tiles", tiled_cloth, 6, 1, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.0f, edit_often},
    {"edits, tiles of links", tiled_links, 4, 2, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.0f, edit_ties},
    {"objects", cloth, 60, 4, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF2, 0.5f, edit_objects},
    {"objects, wear", worn, 30, 2, 2, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.0f, edit_objects},
    {"objects, skins", layers, 40, 4, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.0f, edit_objects},
    {"objects, tiles", tiled_cloth, 8, 1, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.0f, edit_objects},
    {"tiles, still", still_tiles, 6, 8, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.0f, edit_still},
    {"tiles, still, twice", still_tiles, 6, 4, 2, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.0f, edit_still},
    {"flags", flags, 60, 20, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.0f, NULL},
    {"flags PBD", flags, 30, 4, 3, PL_SOLVER_PBD, PL_INTEGRATOR_BDF1, 0.0f, NULL},
    {"flags, cut", flags, 30, 10, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.0f, edit_flags},
};

static const test_case small_worlds[] = {
    {"tiles", tiled_cloth, 1, 2, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.5f, NULL},
    {"edits, tiles of links", tiled_links, 4, 2, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.0f, edit_ties},
    {"tiles, still", still_tiles, 3, 2, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.0f, edit_still},
    {"flags, cut", flags, 10, 2, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.0f, edit_flags},
    {"wear, blades", worn, 7, 2, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF2, 0.5f, edit_blade},
    {"melting", melting, 40, 1, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF2, 0.0f, edit_floor},
    {"warming", warming, 8, 1, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.0f, NULL},
    {"company", company, 3, 5, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.0f, NULL},
    {"company, odd", company, 2, 3, 2, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.0f, watch_world},
    {"company, BDF2", company, 2, 3, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF2, 0.0f, NULL},
    {"company of hulls", company_of_hulls, 2, 3, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.0f, NULL},
    {"rain", rain, 3, 5, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.0f, NULL},
    {"wear, Jacobi, edits", worn, 5, 2, 2, PL_SOLVER_JACOBI, PL_INTEGRATOR_BDF1, 0.5f, edit_blade},
    {"skins, Chebyshev", layers, 2, 2, 5, PL_SOLVER_CHEBYSHEV, PL_INTEGRATOR_BDF1, 0.0f, NULL},
    {"elements, hierarchy", elements, 2, 2, 2, PL_SOLVER_HIERARCHY, PL_INTEGRATOR_BDF1, 0.0f, NULL},
    {"wear, hierarchy, edits", worn, 5, 2, 2, PL_SOLVER_HIERARCHY, PL_INTEGRATOR_BDF1, 0.5f, edit_blade},
    {"elements, Chebyshev", elements, 2, 2, 4, PL_SOLVER_CHEBYSHEV, PL_INTEGRATOR_BDF1, 0.0f, NULL},
    {"oddments", oddments, 2, 2, 2, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF2, 0.0f, NULL},
    {"joints", joints, 4, 2, 2, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF2, 0.5f, NULL},
    {"joints in tiles", long_joints, 1, 1, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.0f, NULL},
    {"skins", layers, 3, 4, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF2, 0.0f, NULL},
    {"tangled", dipped, 1, 4, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.0f, NULL},
    {"skins, edits", layers, 11, 3, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.0f, edit_skins},
    {"skins, watched", layers, 3, 3, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.0f, watch_world},
    {"tangled, watched", dipped, 2, 2, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.0f, watch_world},
    {"objects", layers, 9, 1, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.5f, edit_objects},
    {"objects, wear", worn, 6, 1, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF2, 0.0f, edit_objects},
    {"objects, tiles", tiled_links, 5, 1, 1, PL_SOLVER_XPBD, PL_INTEGRATOR_BDF1, 0.0f, edit_objects},
};

// ---- scenes, with contacts ---------------------------------------------------------------------------------------------

// A shape comes and goes, a material changes, grains are thrown.
static void meddle_with_grains(pl_world **w, int frame, pl_backend backend)
{
    static pl_id ball;
    (void)backend;
    if (frame == 20)
    {
        pl_shape_def d = pl_default_shape_def();
        d.kind = PL_SHAPE_SPHERE;
        d.radius = 0.3f;
        d.position = (pl_vec3){0.1f, 0.6f, 0.0f};
        must(pl_add_shape(*w, &d, &ball));
    }
    if (frame == 30)
    {
        pl_material m = pl_default_material();
        m.restitution = 0.4f;
        must(pl_set_material(*w, 0, &m));
    }
    if (frame >= 30 && frame < 40)
        must(pl_move_shape(*w, ball, (pl_vec3){0.1f + 0.02f * (float)(frame - 30), 0.6f, 0.0f}, (pl_quat){0, 0, 0, 1}));
    if (frame == 45)
        must(pl_remove(*w, ball));
    if (frame == 50)
    {
        float v[3 * 10];
        must(pl_get(*w, PL_ATTRIBUTE_VELOCITY, 5, 10, v));
        for (int i = 0; i < 10; i++)
            v[3 * i + 1] += 3.0f;
        must(pl_set(*w, PL_ATTRIBUTE_VELOCITY, 5, 10, v));
    }
}

// Saved, and gone on with from there.
static void save_and_load(pl_world **w, int frame, pl_backend backend)
{
    if (frame != 25)
        return;
    void *bytes = NULL;
    size_t size = 0;
    pl_world_def def = pl_default_world_def();
    def.backend = backend;
    must(pl_world_save_memory(*w, &bytes, &size));
    pl_world_destroy(*w);
    must(pl_world_load_memory(&def, bytes, size, w));
    pl_free(bytes);
}

// From one backend to the other and back.
static void change_horses(pl_world **w, int frame, pl_backend backend)
{
    if (backend == PL_BACKEND_CUDA && frame == 20)
        must(pl_world_set_backend(*w, PL_BACKEND_CPU));
    if (backend == PL_BACKEND_CUDA && frame == 35)
        must(pl_world_set_backend(*w, PL_BACKEND_CUDA));
}

static void watch(pl_world **w, int frame, pl_backend backend)
{
    (void)backend;
    watch_world(*w, frame);
}

// Pushes the last body, whether it sleeps or not.
static void wake_bodies(pl_world **w, int frame, pl_backend backend)
{
    (void)backend;
    pl_id body[64];
    pl_rigid_state s;
    int count = pl_world_rigids(*w, body, 64);
    pl_id *last = &body[count < 64 ? count - 1 : 63];
    if (frame % 30 != 15)
        return;
    must(pl_get_rigids(*w, last, 1, &s));
    must(pl_push_rigid(*w, *last, (pl_vec3){0.5f, 0.3f, 0.1f}, s.position));
}

#define BRICKS "body[0].copies=[2,2,1]", "body[1].copies=[1,2,1]", "body[2].copies=[1,2,1]"

#define BOUNCING "body[0].material.restitution=0.7", "body[1].material.restitution=0.7"

static const scene_case full_scenes[] = {
    {"sand", "sandpile", 90, {"grains.size=[12,16,12]"}, NULL},
    {"sand, stiff", "sandpile", 60, {"grains.size=[12,16,12]", "iterations=3", "substeps=4"}, NULL},
    {"sand, bouncing", "sandpile", 60, {"grains.size=[12,16,12]", "grains.material.restitution=0.6"}, NULL},
    {"sand, stabilised", "sandpile", 60, {"grains.size=[12,16,12]", "stabilise=2"}, NULL},
    {"sand, BDF2", "sandpile", 60, {"grains.size=[12,16,12]", "integrator=bdf2"}, NULL},
    {"sand, meddled", "sandpile", 70, {"grains.size=[12,16,12]"}, meddle_with_grains},
    {"sand, saved", "sandpile", 60, {"grains.size=[12,16,12]"}, save_and_load},
    {"sand, both", "sandpile", 50, {"grains.size=[12,16,12]"}, change_horses},
    {"cloth, both", "flag", 50, {NULL}, change_horses},
    {"drape", "drape", 60, {"cloth.size=[30,30]", "cloth.thickness=0.02"}, NULL},
    {"dress", "dress", 30, {"cloth.form.cells=[30,24]"}, NULL},
    {"drape, saved", "drape", 50, {"cloth.size=[30,30]", "cloth.thickness=0.02"}, save_and_load},
    {"drape, both", "drape", 50, {"cloth.size=[30,30]", "cloth.thickness=0.02"}, change_horses},
    {"drape, watched", "drape", 30, {"cloth.size=[20,20]", "cloth.thickness=0.02"}, watch},
    {"tree", "orient", 40, {NULL}, NULL},
    {"tree, BDF2", "orient", 30, {"integrator=bdf2"}, NULL},
    {"tree, stabilised", "orient", 30, {"stabilise=1", "shape[1].velocity=[-6,0,0]"}, NULL},
    {"tree, saved", "orient", 40, {NULL}, save_and_load},
    {"tree, both", "orient", 50, {NULL}, change_horses},
    {"ball joints", "ball_joint", 60, {NULL}, NULL},
    {"ball joints, BDF2", "ball_joint", 30, {"integrator=bdf2"}, NULL},
    {"ball joints, soft", "ball_joint", 30, {"constraints[1].compliance=1e-4", "constraints[1].damping=10"}, NULL},
    {"ball joints, both", "ball_joint", 30, {NULL}, change_horses},
    {"rigid chain", "chain", 20, {NULL}, NULL},
    {"rigid chain, BDF2", "chain", 20, {"integrator=bdf2", "iterations=2"}, NULL},
    {"rigid chain, breaking", "chain", 30, {"joint[2].break_force=1000"}, NULL},
    {"rigid chain, both", "chain", 30, {NULL}, change_horses},
    {"rigid chain, saved", "chain", 30, {NULL}, save_and_load},
    {"gears", "mill_gears", 60, {NULL}, NULL},
    {"water", "dam_break", 40, {NULL}, NULL},
    {"water, 4 x 1", "dam_break", 40, {"substeps=4", "iterations=1", "fluid.viscosity=1e-4"}, NULL},
    {"water in a bend", "u_tube", 30, {NULL}, NULL},
    {"water, both", "dam_break", 30, {NULL}, change_horses},
    {"water, saved", "dam_break", 30, {NULL}, save_and_load},
    {"motors", "motor", 60, {NULL}, NULL},
    {"bodies in contact", "wrecking_ball", 90, {NULL}, NULL},
    {"bodies in contact, BDF2", "pyramid", 30, {"integrator=bdf2", "iterations=2"}, NULL},
    {"bodies on a mesh, bouncing", "marbles", 60, {NULL}, NULL},
    {"bodies on a mesh, watched", "marbles", 60, {NULL}, watch},
    {"bodies in contact, watched", "wrecking_ball", 60, {NULL}, watch},
    {"bodies in contact, both", "pyramid", 30, {NULL}, change_horses},
    {"bodies and grains", "scales", 60, {NULL}, NULL},
    {"bodies and grains, BDF2", "scales", 30, {"integrator=bdf2", "grains.origin=[0.85,1,-0.05]"}, NULL},
    {"bodies and grains, bouncing",
     "scales",
     40,
     {"grains.material.restitution=0.6", "grains.origin=[0.85,1,-0.05]"},
     NULL},
    {"bodies and grains, both", "scales", 40, {"grains.origin=[0.85,1,-0.05]"}, change_horses},
    {"bodies and grains, saved", "scales", 40, {"grains.origin=[0.85,1,-0.05]"}, save_and_load},
    {"ragdoll", "ragdoll", 60, {NULL}, NULL},
    {"ragdoll, BDF2", "ragdoll", 60, {"integrator=bdf2"}, NULL},
    {"ragdoll, swept", "ragdoll", 60, {"ragdoll.direct=false"}, NULL},
    {"ragdoll, both", "ragdoll", 60, {NULL}, change_horses},
    {"vehicle", "vehicle", 60, {NULL}, NULL},
    {"bodies of all shapes", "pile_bodies", 60, {NULL}, NULL},
    {"bodies of all shapes, saved", "pile_bodies", 60, {NULL}, save_and_load},
    {"bodies asleep", "pyramid", 60, {"rigid.copies=4", "rigid.layers=4", "expect.at=[]", "sleep=true"}, NULL},
    {"bodies asleep, woken",
     "pyramid",
     90,
     {"rigid.copies=4", "rigid.layers=4", "expect.at=[]", "sleep=true"},
     wake_bodies},
    {"bodies asleep, saved",
     "pyramid",
     60,
     {"rigid.copies=4", "rigid.layers=4", "expect.at=[]", "sleep=true", "sleep_time=0.2"},
     save_and_load},
    {"bodies asleep, both",
     "pyramid",
     60,
     {"rigid.copies=4", "rigid.layers=4", "expect.at=[]", "sleep=true", "sleep_time=0.2"},
     change_horses},
    {"chain asleep", "chain", 60, {"sleep=true", "sleep_speed=100", "sleep_time=0.1"}, wake_bodies},
    {"puppet, BDF2", "puppet", 30, {"integrator=bdf2"}, NULL},
    {"attachments", "attach", 40, {NULL}, NULL},
    {"attachments, BDF2", "attach", 30, {"integrator=bdf2", "iterations=2"}, NULL},
    {"attachments, soft", "attach", 30, {"attach[0].compliance=1e-3", "attach[0].damping=1"}, NULL},
    {"attachments, both", "attach", 30, {NULL}, change_horses},
    {"rubber, both", "rubber", 20, {NULL}, change_horses},
    {"strands", "ftl", 40, {NULL}, NULL},
    {"strands, saved", "ftl", 40, {NULL}, save_and_load},
    {"lattices", "lattice", 40, {NULL}, NULL},
    {"lattices, saved", "lattice", 40, {NULL}, save_and_load},
    {"lattices, both", "lattice", 50, {NULL}, change_horses},
    {"sand, watched", "sandpile", 30, {"grains.size=[8,10,8]"}, watch},
    {"hammock, watched", "hammock", 50, {NULL}, watch},
    {"bricks", "stack", 60, {BRICKS, "body[1].velocity=[0,0.5,4]"}, NULL},
    {"bricks, free, BDF2", "stack", 30, {BRICKS, "integrator=bdf2", "gravity=[0,0,0]", "body[1].spin=[1,3,2]"}, NULL},
    {"elements, stiff", "cantilever", 10, {"iterations=3"}, NULL},
    {"bricks, stiff", "stack", 30, {BRICKS, "iterations=3", "stabilise=1"}, NULL},
    {"bricks, bouncing", "stack", 60, {BRICKS, BOUNCING, "body[1].velocity=[1,0,4]"}, NULL},
    {"bricks, bouncing, saved", "stack", 60, {BRICKS, BOUNCING, "body[1].velocity=[1,0,4]"}, save_and_load},
    {"heap, bouncing", "pile", 40, {"body[0].material.restitution=0.7", "body[3].material.restitution=0.5"}, NULL},
    {"bricks, saved", "stack", 60, {BRICKS, "body[1].velocity=[1,0,4]"}, save_and_load},
    {"bricks, both", "stack", 50, {BRICKS, "body[1].velocity=[1,0,4]"}, change_horses},
    {"box on a cloth", "trampoline", 60, {NULL}, NULL},
    {"tiles with bodies",
     "cover",
     4,
     {"cloth.size=[100,100]", "cloth.radius=0.02", "cloth.origin=[-1.99,0.83,-1.99]", "body.spacing=0.02"},
     NULL},
};

static const scene_case small_scenes[] = {
    {"balloon", "balloon", 1, {"substeps=3"}, NULL},
    {"bead_on_circle", "bead_on_circle", 2, {NULL}, NULL},
    {"bent_metal", "bent_metal", 3, {"bar[0].plastic.yield=0.0001", "gravity=[0,-9.81,0]", "substeps=3"}, NULL},
    {"bowl", "bowl", 2, {"grains.size=[4,5,4]"}, NULL},
    {"orient", "orient", 2, {"shape[1].position=[1,1.5,0.2]", "substeps=3", "iterations=2"}, NULL},
    {"ball_joint",
     "ball_joint",
     4,
     {"substeps=3", "iterations=2", "constraints[1].compliance=1e-4", "constraints[1].damping=10"},
     NULL},
    {"mill_gears", "mill_gears", 2, {"substeps=2", "joint[7].direct=true"}, NULL},
    {"dam_break", "dam_break", 2, {"fluid.size=[0.06,0.09,0.06]", "substeps=2"}, NULL},
    {"buoyancy", "buoyancy", 2, {"fluid.size=[0.56,0.06,0.28]", "rigid[0].position=[-0.18,0.1,0]", "substeps=2"}, NULL},
    {"mill", "mill", 2, {"fluid.size=[0.1,0.1,0.14]", "substeps=2"}, NULL},
    {"u_tube", "u_tube", 1, {"fluid[0].size=[0.08,0.1,0.08]", "substeps=2"}, NULL},
    {"droplets", "droplets", 2, {"substeps=2"}, NULL},
    {"honey", "honey", 2, {"fluid.size=[0.04,0.06,0.04]", "substeps=2"}, NULL},
    {"fountain", "fountain", 3, {"fluid.size=[1.2,0.03,1.2]", "substeps=2"}, NULL},
    {"smoke", "smoke", 3, {"emitter.capacity=900", "emitter.speed=4", "substeps=2"}, NULL},
    {"tower_of_cloth", "tower_of_cloth", 2, {"rigid.layers=2", "substeps=2"}, NULL},
    {"trampoline_bodies", "trampoline_bodies", 3, {"rigid[0].position=[-0.2,1.7,0.1]", "substeps=3"}, NULL},
    {"cover_bodies", "cover_bodies", 3, {"cloth.size=[12,12]", "cloth.origin=[-1.99,0.84,-1.99]", "substeps=3"}, NULL},
    {"two_fluids", "two_fluids", 2, {"substeps=2"}, NULL},
    {"ink", "ink", 2, {"fluid[0].size=[0.32,0.05,0.2]", "fluid[1].origin=[-0.05,0.05,-0.05]", "substeps=2"}, NULL},
    {"wet_cloth",
     "wet_cloth",
     3,
     {"cloth.size=[12,12]", "emitter.capacity=900", "emitter.speed=5", "substeps=2"},
     NULL},
    {"wet_sand",
     "wet_sand",
     2,
     {"fluid.size=[0.24,0.1,0.28]", "grains[0].size=[8,3,8]", "grains[1].size=[3,3,3]", "substeps=2"},
     NULL},
    {"ftl", "ftl", 2, {"substeps=2", "iterations=2"}, NULL},
    {"hair", "hair", 2, {"hair.count=60", "hair.points=8", "attach.what=\"hair[0:60]\""}, NULL},
    {"dress", "dress", 2, {"cloth.form.cells=[12,8]", "animated.form.cells=[12,10]", "substeps=3"}, NULL},
    {"lattice", "lattice", 2, {"substeps=2"}, NULL},
    {"bullets", "bullets", 3, {"grains[0].size=[5,2,5]", "grains[1].size=[5,2,5]"}, NULL},
    {"cantilever", "cantilever", 2, {"substeps=2", "iterations=2"}, NULL},
    {"charged_rod", "charged_rod", 2, {NULL}, NULL},
    {"conveyor", "conveyor", 3, {"grains.size=[6,4,4]"}, NULL},
    {"curtain", "curtain", 2, {"cloth.size=[22,22]", "substeps=2"}, NULL},
    {"damping", "damping", 2, {"iterations=5"}, NULL},
    {"drape", "drape", 3, {"cloth.size=[16,16]", "cloth.thickness=0.04", "cloth.origin=[-1,0.62,-1]"}, NULL},
    {"flag", "flag", 2, {"cloth.size=[20,20]", "substeps=2"}, NULL},
    {"glass", "glass", 2, {"grains.size=[5,8,5]"}, NULL},
    {"hammock", "hammock", 2, {NULL}, NULL},
    {"jelly", "jelly", 1, {"body[0].spacing=0.16", "body[1].spacing=0.16", "substeps=3"}, NULL},
    {"oscillator", "oscillator", 2, {NULL}, NULL},
    {"paper_plane", "paper_plane", 2, {"substeps=3", "iterations=2"}, NULL},
    {"pendulum", "pendulum", 2, {NULL}, NULL},
    {"chain", "chain", 1, {"substeps=3"}, NULL},
    {"motor", "motor", 3, {"substeps=4"}, NULL},
    {"puppet", "puppet", 2, {"substeps=3"}, NULL},
    {"attach", "attach", 2, {"substeps=3"}, NULL},
    {"pyramid", "pyramid", 2, {"substeps=2"}, NULL},
    {"pyramid asleep",
     "pyramid",
     20,
     {"substeps=1", "rigid.copies=2", "rigid.layers=2", "expect.at=[]", "sleep=true", "sleep_time=0.05",
      "sleep_speed=0.5"},
     wake_bodies},
    {"domino", "domino", 3, {"substeps=3"}, NULL},
    {"newton_cradle", "newton_cradle", 2, {"substeps=3"}, NULL},
    {"marbles", "marbles", 2, {"rigid.layers=2", "rigid.position=[-0.3,0.35,-0.3]", "substeps=3"}, NULL},
    {"marbles, watched", "marbles", 3, {"rigid.layers=2", "rigid.position=[-0.3,0.3,-0.3]", "substeps=3"}, watch},
    {"domino, watched", "domino", 3, {"substeps=3"}, watch},
    {"scales", "scales", 2, {"grains.size=[3,8,3]", "grains.origin=[0.85,0.99,-0.05]", "substeps=3"}, NULL},
    {"wrecking_ball", "wrecking_ball", 2, {"substeps=2"}, NULL},
    {"ragdoll", "ragdoll", 2, {"substeps=3", "ragdoll.position=[0,1.39,-2]"}, NULL},
    {"vehicle", "vehicle", 2, {"substeps=3"}, NULL},
    {"stack_bodies", "stack_bodies", 2, {"substeps=3"}, NULL},
    {"pile_bodies", "pile_bodies", 2, {"substeps=3"}, NULL},
    {"robot_arm", "robot_arm", 1, {"substeps=3", "iterations=2"}, NULL},
    {"rubber", "rubber", 1, {"substeps=2", "iterations=1"}, NULL},
    {"rope", "rope", 2, {"substeps=4"}, NULL},
    {"sandpile", "sandpile", 4, {"grains.size=[6,8,6]", "substeps=4"}, NULL},
    {"soft_bar", "soft_bar", 2, {"bar.cells=[8,2,2]", "substeps=4"}, NULL},
    {"squash", "squash", 1, {"substeps=4"}, NULL},
    {"stiff_sheet", "stiff_sheet", 2, {"cloth.size=[20,20]"}, NULL},
    {"stiffness", "stiffness", 1, {"iterations=5"}, NULL},
    {"tear", "tear", 10, {"cloth.size=[10,10]", "cloth.strength=500", "substeps=3"}, NULL},
    {"melt", "melt", 3, {"body.spacing=0.1", "substeps=2", "heat.conductivity=100000"}, NULL},
    {"trampoline", "trampoline", 2, {"cloth.size=[16,12]"}, NULL},
    {"trampoline, wind", "trampoline", 2, {"cloth.size=[16,12]", "wind.velocity=[3,1,0]", "substeps=3"}, NULL},
    {"stack", "stack", 3, {BRICKS, "body[1].velocity=[0,0.5,4]", "substeps=4"}, NULL},
    {"stack, free, BDF2",
     "stack",
     3,
     {BRICKS, "integrator=bdf2", "gravity=[0,0,0]", "body[1].spin=[1,3,2]", "substeps=4"},
     NULL},
    {"bricks, bouncing", "stack", 3, {BRICKS, BOUNCING, "body[1].velocity=[0,-4,4]", "substeps=3"}, NULL},
    {"cover", "cover", 2, {"cloth.size=[12,12]", "cloth.origin=[-1.99,0.85,-1.99]", "body.spacing=0.1"}, NULL},
    {"pile", "pile", 1, {"body[0].copies=[1,1,1]", "substeps=3"}, NULL},
    {"tumbler", "tumbler", 2, {"grains.size=[5,5,5]"}, NULL},
    {"sand, bouncing", "sandpile", 4, {"grains.size=[6,8,6]", "grains.material.restitution=0.6"}, NULL},
    {"sand, watched", "sandpile", 4, {"grains.size=[6,8,6]", "substeps=4"}, watch},
};

const case_set full_cases = {full_worlds, COUNT(full_worlds), full_scenes, COUNT(full_scenes)};
const case_set small_cases = {small_worlds, COUNT(small_worlds), small_scenes, COUNT(small_scenes)};
