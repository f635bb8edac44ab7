// worlds_touching.c: worlds in which things touch: skins, bodies, rain (worlds.h).
#include "worlds.h"

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
    must(pl_set(w, PL_ATTRIBUTE_RADIUS, first, all, radius));
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
    must(pl_set(w, PL_ATTRIBUTE_RADIUS, first, count, radius));
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
            must(pl_set(w, PL_ATTRIBUTE_VELOCITY, 3 * i, 1, v));
            must(pl_set(w, PL_ATTRIBUTE_THICKNESS, i, 1, &thick));
        }
        for (int i = 3 * 14 * 14; i < 3 * 14 * 14 + 6; i++) // grains, which have no face: they stay what they are
            must(pl_set(w, PL_ATTRIBUTE_THICKNESS, i, 1, &thick));
    }
    if (frame == 20)
        must(pl_remove(w, late));
}
