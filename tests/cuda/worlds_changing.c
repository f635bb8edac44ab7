// worlds_changing.c: worlds that flow, break, turn and melt (worlds.h).
#include "worlds.h"

#include "support/joint_star.h"

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

// Ball joints with colours and, around a hub, without; so many of them that they lie in tiles.
void joints(pl_world *w)
{
    pl_id id;
    must(add_joint_star(w, 24, 30, &id));
}

void long_joints(pl_world *w)
{
    pl_id id;
    must(add_joint_star(w, 24, 66000, &id));
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
    must(pl_set(w, PL_ATTRIBUTE_RADIUS, 0, COUNT, radius));
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

static void warm_up(pl_world *w, pl_id object, const float *radius, float conductivity)
{
    pl_heat_def heat = pl_default_heat_def();
    int first, count;
    must(pl_object_range(w, object, &first, &count));
    must(pl_set(w, PL_ATTRIBUTE_RADIUS, first, count, radius));
    heat.temperature = 80.0f, heat.conductivity = conductivity, heat.capacity = 5.0f, heat.exchange = 50.0f;
    must(pl_set_heat(w, object, &heat));
}

// What melts beside a lump, held, so dense that each of it has two dozen neighbours, loose grains of other sizes and another rule, a rope that snaps at
// once, and hot shapes of three kinds.
void warming(pl_world *w)
{
    enum
    {
        COUNT = 400
    };
    melting(w);
    pl_shape_def hot[2] = {pl_default_shape_def(), pl_default_shape_def()};
    pl_mesh_def form = pl_default_mesh_def();
    pl_mesh mesh;
    must(pl_mesh_make(&form, &mesh));
    hot[0].kind = PL_SHAPE_SPHERE, hot[0].radius = 0.2f, hot[0].position = (pl_vec3){-0.5f, 0.1f, 0.0f};
    hot[1].kind = PL_SHAPE_MESH, hot[1].vertices = mesh.vertices, hot[1].vertex_count = mesh.vertex_count;
    hot[1].triangles = mesh.triangles, hot[1].triangle_count = mesh.triangle_count,
    hot[1].position = (pl_vec3){-0.8f, 0.2f, 0.9f};
    for (int i = 0; i < 2; i++)
    {
        must(pl_add_shape(w, &hot[i], NULL));
        must(pl_set_shape_heat(w, pl_shape_at(w, i + 1), true, 150.0f * (float)(i + 1)));
    }
    pl_mesh_free(&mesh);
    float x[3 * COUNT], radius[COUNT], mass[COUNT];
    for (int i = 0; i < COUNT; i++)
    {
        bool dense = i >= COUNT / 2;
        float step = dense ? 0.02f : 0.085f;
        x[3 * i] = (dense ? 0.8f : -1.0f) + step * (float)(i % 6);
        x[3 * i + 1] = 0.06f + step * (float)(i / 36 % 6) + (float)(i % 11) * 1e-3f;
        x[3 * i + 2] = 0.6f + step * (float)(i / 6 % 6) + (float)(i % 7) * 1e-3f;
        radius[i] = 0.03f + 0.001f * (float)(i % 9);
        mass[i] = dense ? 0.0f : 0.1f;
    }
    pl_particles_def p = pl_default_particles_def();
    pl_rope_def r = pl_default_rope_def();
    p.count = COUNT, p.position = x, p.mass = mass;
    r.pin_first = true;
    r.strength = 0.01f;
    pl_id id;
    must(pl_add_particles(w, &p, &id));
    warm_up(w, id, radius, 20.0f);
    must(pl_add_rope(w, &r, &id));
    warm_up(w, id, radius, 5.0f);
}

void edit_floor(pl_world *w, int frame)
{
    if (frame == 20)
        must(pl_set_shape_heat(w, pl_shape_at(w, 0), true, -100.0f));
}
