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
        must(pl_set(w, PL_ATTRIBUTE_VELOCITY, 0, 1, move));
    if (frame == 2)
        must(pl_set(w, PL_ATTRIBUTE_FORCE, 5000, 1, pull));
    if (frame == 4)
        must(pl_set(w, PL_ATTRIBUTE_FORCE, 5000, 1, none));
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
        must(pl_set(w, PL_ATTRIBUTE_FORCE, 700, 2, pull));
    if (frame == 6)
        must(pl_set(w, PL_ATTRIBUTE_VELOCITY, 0, 1, move));
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
        b.elastic.average_volume = model == PL_SOLID_COROTATED || model == PL_SOLID_NEO_HOOKEAN;
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
    r.pull_only = r.bending = r.pin_first = true;
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
    must(pl_set(w, PL_ATTRIBUTE_CHARGE, first, 1, &charge));
    must(pl_add_field(w, &(pl_field){.kind = PL_FIELD_ELECTRIC, .vector = {100.0f, 0.0f, 0.0f}}, NULL));
    must(pl_add_field(
        w, &(pl_field){.kind = PL_FIELD_POINT, .origin = {0.0f, -5.0f, 0.0f}, .strength = 3.0f, .radius = 0.1f}, NULL));
    must(pl_add_field(w, &(pl_field){.kind = PL_FIELD_DRAG, .strength = 0.01f}, NULL));
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
        must(pl_get(w, PL_ATTRIBUTE_VELOCITY, 7, 1, x));
        x[1] += 1.0f;
        must(pl_set(w, PL_ATTRIBUTE_VELOCITY, 7, 1, x));
        oddments(w);
    }
}
