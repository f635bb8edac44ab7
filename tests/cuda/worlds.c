// worlds.c: see worlds.h.
#include "worlds.h"

#include <stdio.h>
#include <stdlib.h>

void must(pl_result result)
{
    if (result == PL_OK)
        return;
    fprintf(stderr, "equal: %s: %s\n", pl_result_name(result), pl_error_message());
    exit(2);
}

int world_threads;
int world_pace = 1;

pl_world *make_world(pl_backend backend, pl_settings settings)
{
    pl_world_def def = pl_default_world_def();
    pl_world *w;
    def.settings = settings;
    def.threads = world_threads;
    def.backend = backend;
    must(pl_world_create(&def, &w));
    return w;
}

static pl_id hang_cloth(pl_world *w, int size, pl_bending bending, float compliance, float damping)
{
    pl_cloth_def c = pl_default_cloth_def();
    const int32_t corners[2] = {0, size - 1};
    pl_id id;
    c.columns = c.rows = size;
    c.u.x = c.v.z = 0.01f * (float)(size - 1);
    c.mass = 1e-3f * (float)(size * size);
    c.pinned = corners;
    c.pinned_count = 2;
    c.bending = bending;
    c.tethers = true;
    c.lift = 0.5f;
    c.stretch.compliance = c.shear.compliance = c.bend.compliance = compliance;
    c.stretch.damping = damping;
    c.bend.stiffness = 0.5f;
    must(pl_add_cloth(w, &c, &id));
    return id;
}

void cloth(pl_world *w) { hang_cloth(w, 70, PL_BENDING_LINKS, 0.0f, 0.0f); }
void soft_cloth(pl_world *w) { hang_cloth(w, 60, PL_BENDING_DIHEDRAL, 1e-6f, 10.0f); }
void isometric_cloth(pl_world *w) { hang_cloth(w, 60, PL_BENDING_ISOMETRIC, 1e-5f, 0.0f); }
void tiled_cloth(pl_world *w) { hang_cloth(w, 300, PL_BENDING_LINKS, 1e-7f, 0.0f); }

static pl_id ties[3];

// Tiles that hold nothing but links, some of which can be taken out.
void tiled_links(pl_world *w)
{
    pl_cloth_def c = pl_default_cloth_def();
    c.columns = c.rows = 260;
    c.u.x = c.v.z = 2.6f;
    must(pl_add_cloth(w, &c, NULL));
    for (int i = 0; i < 3; i++)
    {
        int32_t ends[40];
        float length[20];
        pl_constraints_def d = pl_default_constraints_def();
        for (int k = 0; k < 20; k++)
            ends[2 * k] = 3000 * k + 7 * i, ends[2 * k + 1] = ends[2 * k] + 3, length[k] = 0.02f;
        d.kind = PL_KIND_DISTANCE, d.count = 20, d.index = ends, d.param = length;
        must(pl_add_constraints(w, &d, &ties[i]));
    }
}

// The first makes room; the others go where they lie.
void edit_ties(pl_world *w, int frame)
{
    if (frame > 0 && frame <= 3)
        must(pl_remove(w, ties[frame - 1]));
}

// Tiles, no wind: velocities of free particles pass from substep to substep. One corner is held and moved.
void still_tiles(pl_world *w)
{
    pl_cloth_def c = pl_default_cloth_def();
    const int32_t corners[2] = {0, 259};
    c.columns = c.rows = 260;
    c.u.x = c.v.z = 2.6f;
    c.drag = c.lift = 0.0f;
    c.pinned = corners;
    c.pinned_count = 2;
    must(pl_add_cloth(w, &c, NULL));
}

// A force comes and goes, and a corner is moved.
void edit_still(pl_world *w, int frame)
{
    const float pull[3] = {0.0f, 0.02f, 0.01f}, none[3] = {0}, move[3] = {0.3f, 0.5f, 0.0f};
    if (frame == 1)
        must(pl_set(w, PL_VELOCITY, 0, 1, move));
    if (frame == 2)
        must(pl_set(w, PL_FORCE, 5000, 1, pull));
    if (frame == 4)
        must(pl_set(w, PL_FORCE, 5000, 1, none));
}

// Small ones, in the wind: two that nothing joins but a sail from one to the other, and a rope.
void flags(pl_world *w)
{
    hang_cloth(w, 40, PL_BENDING_LINKS, 1e-7f, 0.0f);
    pl_cloth_def c = pl_default_cloth_def();
    const int32_t edge[3] = {0, 30, 60};
    c.columns = 30, c.rows = 50;
    c.origin.x = 0.6f;
    c.u.x = 0.3f, c.v.y = -0.5f;
    c.mass = 0.2f;
    c.pinned = edge;
    c.pinned_count = 3;
    must(pl_add_cloth(w, &c, NULL));
    pl_rope_def r = pl_default_rope_def();
    r.segments = 25;
    r.from = (pl_vec3){0.0f, 0.5f, 0.0f};
    r.to = (pl_vec3){0.5f, 0.5f, 0.0f};
    r.pin_first = true;
    must(pl_add_rope(w, &r, NULL));
    pl_faces_def sail = pl_default_faces_def();
    const int32_t corners[6] = {1599, 1700, 3110, 800, 3099, 20};
    sail.count = 2, sail.index = corners, sail.lift = 0.3f;
    must(pl_add_faces(w, &sail, NULL));
}

// Cuts, forces, and a pole that moves.
void edit_flags(pl_world *w, int frame)
{
    const float pull[6] = {0.0f, 0.01f, 0.02f, 0.03f, 0.0f, -0.01f}, move[3] = {0.1f, 0.0f, 0.4f};
    const pl_blade blade = {{0.205f, -5.0f, -1.0f}, {0.0f, 10.0f, 0.0f}, {0.0f, 0.0f, 0.1f * (float)frame}};
    if (frame == 4)
        must(pl_set(w, PL_FORCE, 700, 2, pull));
    if (frame == 6)
        must(pl_set(w, PL_VELOCITY, 0, 1, move));
    if (frame >= 8 && frame < 14)
        must(pl_cut(w, (pl_id){0, 0}, &blade, NULL));
}

void bar(pl_world *w)
{
    pl_bar_def b = pl_default_bar_def();
    b.cells[0] = 30, b.cells[1] = b.cells[2] = 10;
    b.size = (pl_vec3){3.0f, 1.0f, 1.0f};
    b.pin_start = true;
    b.edges.compliance = 1e-6f;
    must(pl_add_bar(w, &b, NULL));
}

// A bar of every model of elements, viscous, a cloth of every fabric, and areas.
void elements(pl_world *w)
{
    for (int model = PL_SOLID_STVK; model <= PL_SOLID_STRAIN; model++)
    {
        pl_bar_def b = pl_default_bar_def();
        b.cells[0] = 12, b.cells[1] = b.cells[2] = 4;
        b.origin = (pl_vec3){0.0f, 0.0f, (float)model};
        b.model = (pl_solid_model)model;
        b.elastic = (pl_elastic){.young = 1e5f, .poisson = 0.4f, .viscosity = model % 2 ? 50.0f : 0.0f};
        b.pin_start = true;
        must(pl_add_bar(w, &b, NULL));
    }
    const int32_t held[2] = {0, 29};
    for (int model = PL_CLOTH_STVK; model <= PL_CLOTH_STRAIN; model++)
    {
        pl_cloth_def c = pl_default_cloth_def();
        pl_id id;
        int first, count;
        c.columns = c.rows = 30;
        c.origin = (pl_vec3){0.0f, (float)model, 0.0f};
        c.model = (pl_cloth_model)model;
        c.pinned = held;
        c.pinned_count = 2;
        must(pl_add_cloth(w, &c, &id));
        must(pl_object_range(w, id, &first, &count));
        int32_t corners[3 * 28];
        for (int i = 0; i < 28; i++)
            corners[3 * i] = first + 30 + i, corners[3 * i + 1] = first + 60 + i, corners[3 * i + 2] = first + 31 + i;
        pl_constraints_def d = pl_default_constraints_def();
        d.kind = PL_KIND_AREA;
        d.count = 28;
        d.index = corners;
        d.soft.compliance = 1e-4f;
        must(pl_add_constraints(w, &d, NULL));
    }
}

// Ropes that only pull, a charge in a field, and a hub with more links than there are colours.
void oddments(pl_world *w)
{
    pl_rope_def r = pl_default_rope_def();
    r.segments = 100;
    r.inextensible_only = r.bending = r.pin_first = true;
    r.bend.compliance = 1e-4f;
    must(pl_add_rope(w, &r, NULL));
    enum
    {
        SPOKES = 200
    };
    float x[3 * (SPOKES + 1)] = {0};
    int32_t index[2 * SPOKES];
    for (int i = 0; i < SPOKES; i++)
    {
        x[3 * i + 3] = 0.1f + 0.01f * (float)i, x[3 * i + 4] = (float)(i % 7) * 0.1f,
                  x[3 * i + 5] = (float)(i % 11) * 0.1f;
        index[2 * i] = 0, index[2 * i + 1] = i + 1;
    }
    pl_particles_def p = pl_default_particles_def();
    p.count = SPOKES + 1;
    p.position = x;
    pl_id hub;
    int first, count;
    must(pl_add_particles(w, &p, &hub));
    must(pl_object_range(w, hub, &first, &count));
    for (int i = 0; i < 2 * SPOKES; i++)
        index[i] += first;
    pl_constraints_def d = pl_default_constraints_def();
    d.kind = PL_KIND_DISTANCE;
    d.count = SPOKES;
    d.index = index;
    must(pl_add_constraints(w, &d, NULL));
    float charge = 1e-3f;
    must(pl_set(w, PL_CHARGE, first, 1, &charge));
    must(pl_add_field(w, &(pl_field){.kind = PL_FIELD_ELECTRIC, .vector = {100.0f, 0.0f, 0.0f}}, NULL));
    must(pl_add_field(
        w, &(pl_field){.kind = PL_FIELD_POINT, .origin = {0.0f, -5.0f, 0.0f}, .strength = 3.0f, .radius = 0.1f}, NULL));
    must(pl_add_field(w, &(pl_field){.kind = PL_FIELD_DRAG, .strength = 0.01f}, NULL));
}

// ---- skins ---------------------------------------------------------------------------------------------------------

static pl_id add_sheet(pl_world *w, int size, pl_vec3 origin, pl_vec3 u, pl_vec3 v)
{
    pl_cloth_def c = pl_default_cloth_def();
    pl_id id;
    c.columns = c.rows = size;
    c.origin = origin, c.u = u, c.v = v;
    c.mass = 0.2f;
    c.thickness = 0.012f;
    must(pl_add_cloth(w, &c, &id));
    return id;
}

static void add_floor(pl_world *w)
{
    pl_shape_def d = pl_default_shape_def();
    d.kind = PL_SHAPE_PLANE;
    d.position = (pl_vec3){0.0f, -0.1f, 0.0f};
    must(pl_add_shape(w, &d, NULL));
}

static void add_grains(pl_world *w, int count, const float *x, const float *radius)
{
    pl_particles_def p = pl_default_particles_def();
    pl_id id;
    int first, all;
    p.count = count;
    p.position = x;
    must(pl_add_particles(w, &p, &id));
    must(pl_object_range(w, id, &first, &all));
    must(pl_set(w, PL_RADIUS, first, all, radius));
}

// Three sheets that fall onto each other and the floor, and a few grains onto them.
void layers(pl_world *w)
{
    add_floor(w);
    for (int i = 0; i < 3; i++)
        add_sheet(w, 14, (pl_vec3){-0.3f + 0.02f * (float)i, 0.05f * (float)i, -0.3f}, (pl_vec3){0.6f, 0.02f, 0.0f},
                  (pl_vec3){0.01f, 0.0f, 0.6f});
    enum
    {
        GRAINS = 20
    };
    float x[3 * GRAINS], radius[GRAINS];
    for (int i = 0; i < GRAINS; i++)
    {
        x[3 * i] = 0.05f * (float)(i % 5) - 0.1f, x[3 * i + 1] = 0.2f + 0.06f * (float)(i / 10);
        x[3 * i + 2] = 0.06f * (float)(i % 3);
        radius[i] = 0.02f;
    }
    add_grains(w, GRAINS, x, radius);
}

// ---- bodies --------------------------------------------------------------------------------------------------------

static void add_loose(pl_world *w, int count, pl_vec3 from)
{
    float x[3 * 64], radius[64];
    for (int i = 0; i < count; i++)
    {
        x[3 * i] = from.x + 0.06f * (float)(i % 5), x[3 * i + 1] = from.y + 0.06f * (float)(i / 20);
        x[3 * i + 2] = from.z + 0.06f * (float)(i / 5 % 4);
        radius[i] = 0.025f;
    }
    add_grains(w, count, x, radius);
}

// Rigid bodies of one chunk, a soft one, loose grains and a sheet of links, all on top of each other, and shapes below: everything that
// may lie between a body's particles, and beside them.
void company(pl_world *w)
{
    pl_shape_def floor = pl_default_shape_def(), ball = floor;
    floor.kind = PL_SHAPE_PLANE;
    must(pl_add_shape(w, &floor, NULL));
    ball.kind = PL_SHAPE_SPHERE, ball.radius = 0.1f, ball.position = (pl_vec3){0.1f, 0.02f, 0.05f};
    must(pl_add_shape(w, &ball, NULL));
    pl_mesh_def form = pl_default_mesh_def();
    pl_mesh mesh;
    form.shape = "box";
    form.size = (pl_vec3){0.3f, 0.2f, 0.25f};
    must(pl_mesh_make(&form, &mesh));
    pl_body_def body = pl_default_body_def();
    body.mesh = &mesh;
    body.spacing = 0.05f;
    body.mass = 2.0f;
    const pl_vec3 at[3] = {{0.0f, 0.1f, 0.0f}, {0.302f, 0.1f, 0.02f}, {0.15f, 0.3f, 0.0f}};
    pl_id boxes[3];
    must(pl_add_body_copies(w, &body, 3, at, boxes));
    body.kind = PL_BODY_JELLY, body.position = (pl_vec3){-0.35f, 0.12f, 0.0f};
    must(pl_add_body(w, &body, NULL));
    pl_mesh_free(&mesh);
    add_loose(w, 60, (pl_vec3){-0.3f, 0.27f, -0.1f});
    pl_cloth_def c = pl_default_cloth_def();
    pl_id sheet;
    int first, count;
    c.columns = c.rows = 12;
    c.origin = (pl_vec3){-0.4f, 0.5f, -0.3f}, c.u = (pl_vec3){0.8f, 0.05f, 0.0f}, c.v = (pl_vec3){0.0f, 0.0f, 0.6f};
    c.mass = 0.2f;
    must(pl_add_cloth(w, &c, &sheet));
    must(pl_object_range(w, sheet, &first, &count));
    float radius[144];
    for (int i = 0; i < 144; i++)
        radius[i] = 0.02f;
    must(pl_set(w, PL_RADIUS, first, count, radius));
}

// The same on a hull, whose geometry takes the registers that one kernel for all would need.
void company_of_hulls(pl_world *w)
{
    float corner[3 * 8];
    for (int i = 0; i < 8; i++)
        corner[3 * i] = i & 1 ? 0.15f : -0.15f, corner[3 * i + 1] = i & 2 ? 0.05f : -0.05f,
                   corner[3 * i + 2] = i & 4 ? 0.15f : -0.15f;
    pl_shape_def hull = pl_default_shape_def();
    company(w);
    hull.kind = PL_SHAPE_HULL, hull.vertices = corner, hull.vertex_count = 8;
    hull.position = (pl_vec3){0.4f, 0.0f, 0.0f};
    must(pl_add_shape(w, &hull, NULL));
}

// Points without a radius over a slope that moves: all that a substep does is what each does for itself.
void rain(pl_world *w)
{
    pl_shape_def slope = pl_default_shape_def();
    slope.kind = PL_SHAPE_PLANE, slope.velocity = (pl_vec3){0.3f, 0.0f, 0.1f};
    slope.rotation = (pl_quat){0.0f, 0.0f, 0.1305f, 0.9914f};
    must(pl_add_shape(w, &slope, NULL));
    enum
    {
        DROPS = 3000
    };
    static float x[3 * DROPS], v[3 * DROPS];
    for (int i = 0; i < DROPS; i++)
    {
        x[3 * i] = 0.02f * (float)(i % 50), x[3 * i + 2] = 0.02f * (float)(i / 50);
        x[3 * i + 1] = 0.3f + 0.001f * (float)(i * 37 % 400);
        v[3 * i] = v[3 * i + 2] = 0.0f, v[3 * i + 1] = -0.1f * (float)(i * 13 % 17);
    }
    pl_particles_def p = pl_default_particles_def();
    p.count = DROPS;
    p.position = x;
    p.velocity = v;
    must(pl_add_particles(w, &p, NULL));
}

// A sheet that hangs through another: what is below comes up again.
void dipped(pl_world *w)
{
    add_sheet(w, 16, (pl_vec3){-0.3f, 0.0f, -0.3f}, (pl_vec3){0.6f, 0.0f, 0.0f}, (pl_vec3){0.0f, 0.0f, 0.6f});
    add_sheet(w, 12, (pl_vec3){-0.2f, -0.08f, 0.013f}, (pl_vec3){0.4f, 0.0f, 0.0f}, (pl_vec3){0.0f, 0.4f, 0.0f});
    add_floor(w);
}

// Two sheets that have slid into each other from their edges: neither is cut in two.
void slit(pl_world *w)
{
    add_sheet(w, 12, (pl_vec3){-0.4f, 0.0f, -0.2f}, (pl_vec3){0.5f, 0.0f, 0.0f}, (pl_vec3){0.0f, 0.0f, 0.4f});
    add_sheet(w, 12, (pl_vec3){0.0f, -0.21f, 0.013f}, (pl_vec3){0.4f, 0.02f, 0.0f}, (pl_vec3){0.0f, 0.4f, 0.01f});
}

// ---- edits ---------------------------------------------------------------------------------------------------------

// What a user does between steps.
void edit(pl_world *w, int frame)
{
    static pl_id drag;
    float x[3];
    if (frame == 10)
        must(pl_drag_begin(w, 5, 1e-4f, &drag));
    if (frame >= 10 && frame < 20)
        must(pl_drag_move(w, drag, (pl_vec3){0.1f * (float)(frame - 10), 0.5f, 0.0f}));
    if (frame == 20)
        must(pl_drag_end(w, drag));
    if (frame == 25)
    {
        must(pl_get(w, PL_VELOCITY, 7, 1, x));
        x[1] += 1.0f;
        must(pl_set(w, PL_VELOCITY, 7, 1, x));
        oddments(w);
    }
}

// Sheets come, go, are thrown and grow thicker.
void edit_skins(pl_world *w, int frame)
{
    static pl_id late;
    frame *= world_pace;
    if (frame == 8)
        late =
            add_sheet(w, 10, (pl_vec3){-0.2f, 0.3f, -0.2f}, (pl_vec3){0.4f, 0.0f, 0.0f}, (pl_vec3){0.0f, 0.0f, 0.4f});
    if (frame == 14)
    {
        float v[3] = {0.0f, 4.0f, 0.0f}, thick = 0.016f;
        for (int i = 0; i < 20; i++)
        {
            must(pl_set(w, PL_VELOCITY, 3 * i, 1, v));
            must(pl_set(w, PL_THICKNESS, i, 1, &thick));
        }
        for (int i = 3 * 14 * 14; i < 3 * 14 * 14 + 6; i++) // grains, which have no face: they stay what they are
            must(pl_set(w, PL_THICKNESS, i, 1, &thick));
    }
    if (frame == 20)
        must(pl_remove(w, late));
}

// ---- wear ----------------------------------------------------------------------------------------------------------

// What flows and what breaks: metal, a creased sheet, cloth of links and of triangles that is drawn apart, and a rope that snaps.
void worn(pl_world *w)
{
    for (int model = PL_SOLID_LINKS; model <= PL_SOLID_STRAIN; model++)
    {
        pl_bar_def b = pl_default_bar_def();
        b.cells[0] = 8, b.cells[1] = b.cells[2] = 2;
        b.origin = (pl_vec3){0.0f, 0.0f, (float)model};
        b.model = (pl_solid_model)model;
        b.edges.compliance = b.volume.compliance = 1e-5f;
        b.pin_start = true;
        b.plastic.yield = 0.01f;
        b.plastic.hardening = 1.0f;
        must(pl_add_bar(w, &b, NULL));
    }
    const int32_t held[2] = {0, 19};
    for (int model = PL_CLOTH_LINKS; model <= PL_CLOTH_STRAIN; model++)
    {
        pl_cloth_def c = pl_default_cloth_def();
        c.model = (pl_cloth_model)model;
        c.origin = (pl_vec3){0.0f, 1.0f + (float)model, 0.0f};
        c.stretch.compliance = c.shear.compliance = 1e-4f;
        c.fabric.young_warp = c.fabric.young_weft = 1e5f, c.fabric.shear = 4e4f;
        c.bending = PL_BENDING_DIHEDRAL;
        c.bend.compliance = 1e-3f;
        c.plastic.yield = 0.05f;
        c.strength = model == PL_CLOTH_LINKS ? 0.8f : 1e4f;
        c.pinned = held, c.pinned_count = 2;
        must(pl_add_cloth(w, &c, NULL));
    }
    pl_rope_def r = pl_default_rope_def();
    r.pin_first = true;
    r.strength = 4.0f;
    must(pl_add_rope(w, &r, NULL));
}

void edit_blade(pl_world *w, int frame)
{
    const pl_blade blade = {{0.52f, -5.0f, -1.0f}, {0.0f, 10.0f, 0.0f}, {0.0f, 0.0f, 0.1f * (float)frame}};
    if (frame >= 5 && frame < 15)
        must(pl_cut(w, (pl_id){0, 0}, &blade, NULL));
}

// Ellipsoids that fall upon each other and upon a plane, turning, in the wind; a free chain that turns as one cluster.
void ellipsoids(pl_world *w)
{
    enum
    {
        COUNT = 90
    };
    float x[3 * COUNT], radii[3 * COUNT], spin[3 * COUNT], radius[COUNT];
    int32_t list[COUNT];
    for (int i = 0; i < COUNT; i++)
    {
        x[3 * i] = 0.15f * (float)(i % 3), x[3 * i + 1] = 0.3f + 0.2f * (float)(i / 9);
        x[3 * i + 2] = 0.15f * (float)(i / 3 % 3) + 0.01f * (float)(i % 5);
        for (int c = 0; c < 3; c++)
        {
            radii[3 * i + c] = 0.04f + 0.01f * (float)((i + 2 * c) % 5);
            spin[3 * i + c] = (float)((i * (c + 2)) % 7) - 3.0f;
        }
        radius[i] = 0.08f;
        list[i] = i;
    }
    pl_particles_def p = pl_default_particles_def();
    pl_orient_def o = pl_default_orient_def();
    pl_shape_def ground = pl_default_shape_def();
    p.count = o.count = COUNT;
    p.position = x;
    p.mass_each = 0.2f;
    o.particles = list;
    o.radii = radii;
    o.spin = spin;
    o.drag = 0.5f;
    pl_id id;
    must(pl_add_particles(w, &p, NULL));
    must(pl_set(w, PL_RADIUS, 0, COUNT, radius));
    must(pl_orient(w, &o, &id));
    must(pl_add_shape(w, &ground, &id));
    int32_t start[2] = {0, 6}; // the last six: one rigid body
    pl_clusters_def c = pl_default_clusters_def();
    c.count = 1;
    c.start = start;
    c.particles = list + COUNT - 6;
    must(pl_add_clusters(w, &c, &id));
}

// They bounce, overlap is taken away, and somebody watches; later neither.
void edit_ellipsoids(pl_world *w, int frame)
{
    pl_material m = pl_default_material();
    pl_settings s = pl_world_settings(w);
    pl_watch_def all = pl_default_watch_def();
    all.stay = true;
    if (frame == 0)
        must(pl_watch_contacts(w, &all));
    if (frame != 0 && frame != 30)
        return;
    m.restitution = frame ? 0.0f : 0.6f;
    s.stabilise = frame ? 0 : 2;
    must(pl_set_material(w, 0, &m));
    must(pl_world_set_settings(w, &s));
}

// Two blocks that melt on a hot floor, which then grows cold.
void melting(pl_world *w)
{
    pl_shape_def floor = pl_default_shape_def();
    floor.kind = PL_SHAPE_PLANE;
    must(pl_add_shape(w, &floor, NULL));
    must(pl_set_shape_heat(w, pl_shape_at(w, 0), true, 300.0f));
    pl_mesh_def form = pl_default_mesh_def();
    pl_mesh mesh;
    form.shape = "box";
    form.size = (pl_vec3){0.4f, 0.4f, 0.4f};
    must(pl_mesh_make(&form, &mesh));
    pl_body_def body = pl_default_body_def();
    body.mesh = &mesh;
    body.spacing = 0.08f;
    body.mass = 100.0f;
    const pl_vec3 at[2] = {{0.0f, 0.2f, 0.0f}, {0.45f, 0.21f, 0.1f}};
    pl_id id[2];
    must(pl_add_body_copies(w, &body, 2, at, id));
    pl_mesh_free(&mesh);
    pl_heat_def heat = pl_default_heat_def();
    heat.conductivity = 100.0f, heat.capacity = 2.0f, heat.exchange = 100.0f;
    heat.melts = true, heat.melting = 60.0f, heat.freezing = 55.0f, heat.latent = 50.0f;
    for (int i = 0; i < 2; i++)
        must(pl_set_heat(w, id[i], &heat));
}

void edit_floor(pl_world *w, int frame)
{
    if (frame == 20)
        must(pl_set_shape_heat(w, pl_shape_at(w, 0), true, -100.0f));
}
