// worlds_edited.c: what happens to worlds between frames, often (worlds.h).
#include "worlds.h"

#include <stdlib.h>

// ---- edits, often --------------------------------------------------------------------------------------------------

static uint32_t dice;

static int roll(int sides)
{
    dice = dice * 1664525u + 1013904223u;
    return (int)((dice >> 8) % (uint32_t)sides);
}

static int32_t any_particle(const pl_world *w)
{
    float x[3];
    int32_t n;
    do
        n = roll(pl_particle_end(w));
    while (pl_get(w, PL_ATTRIBUTE_POSITION, n, 1, x) != PL_OK);
    return n;
}

// Particles and links come and go, and blades cut, a few times before each frame.
void edit_often(pl_world *w, int frame)
{
    static pl_id made[64];
    static int count;
    if (frame == 0)
        count = 0, dice = 5;
    for (int e = frame > 0 ? roll(5) : 0; e > 0; e--)
    {
        int what = roll(6);
        float x[3] = {0.01f * (float)roll(100), 0.1f, 0.01f * (float)roll(100)}, radius = 0.02f;
        if (what == 5)
        {
            pl_blade b = {{x[0], -2.0f, x[2]}, {0.2f, 0.0f, 0.01f}, {0.0f, 4.0f, 0.0f}};
            must(pl_cut(w, (pl_id){0, 0}, &b, NULL));
        }
        else if (what >= 3 && count)
        {
            int which = roll(count);
            pl_remove(w, made[which]); // links may have gone with a particle
            made[which] = made[--count];
        }
        else if (what == 2 && count < 64)
        {
            pl_particles_def p = pl_default_particles_def();
            int first, one;
            p.count = 1, p.position = x, p.mass_each = 0.01f;
            must(pl_add_particles(w, &p, &made[count]));
            must(pl_object_range(w, made[count++], &first, &one));
            if (roll(2))
                must(pl_set(w, PL_ATTRIBUTE_RADIUS, first, 1, &radius));
        }
        else if (count < 64)
        {
            int32_t ends[2] = {any_particle(w), any_particle(w)};
            float length = 0.1f;
            pl_constraints_def d = pl_default_constraints_def();
            d.kind = roll(2) ? PL_KIND_DISTANCE : PL_KIND_TETHER;
            d.count = 1, d.index = ends, d.param = &length;
            d.soft.compliance = 1e-3f;
            if (ends[0] != ends[1])
                must(pl_add_constraints(w, &d, &made[count++]));
        }
    }
}

// ---- objects that come and go --------------------------------------------------------------------------------------

static pl_result add_part_body(pl_world *w, pl_body_kind kind, pl_vec3 at, pl_id *id)
{
    pl_mesh_def form = pl_default_mesh_def();
    pl_mesh mesh;
    pl_body_def d = pl_default_body_def();
    form.shape = "sphere";
    form.radius = 0.2f, form.edge = 0.15f;
    must(pl_mesh_make(&form, &mesh));
    d.mesh = &mesh;
    d.kind = kind;
    d.position = at;
    d.spacing = 0.1f;
    d.match.stiffness = kind == PL_BODY_RIGID ? 1.0f : 0.3f;
    pl_result result = pl_add_body(w, &d, id);
    pl_mesh_free(&mesh);
    return result;
}

pl_result add_part(pl_world *w, int which, pl_vec3 at, pl_id *id)
{
    static const pl_body_kind bodies[] = {PL_BODY_SOFT, PL_BODY_RIGID, PL_BODY_BALLOON, PL_BODY_LATTICE};
    pl_rope_def rope = pl_default_rope_def();
    pl_cloth_def cloth = pl_default_cloth_def();
    pl_bar_def bar = pl_default_bar_def();
    rope.segments = 12;
    rope.from = at, rope.to = (pl_vec3){at.x + 0.6f, at.y, at.z};
    rope.pin_first = rope.bending = true;
    rope.strength = which % 2 ? 3.0f : 0.0f;
    cloth.columns = 5, cloth.rows = 4;
    cloth.origin = at;
    cloth.u.x = 0.4f, cloth.v.z = 0.3f;
    cloth.bending = PL_BENDING_DIHEDRAL, cloth.bend.compliance = 1e-2f;
    cloth.thickness = which % 2 ? 0.02f : 0.0f;
    bar.cells[0] = 3, bar.cells[1] = bar.cells[2] = 1;
    bar.origin = at;
    bar.plastic.yield = which % 2 ? 0.02f : 0.0f;
    switch (which / 2 % 5)
    {
    case 0:
        return pl_add_rope(w, &rope, id);
    case 1:
        return pl_add_cloth(w, &cloth, id);
    case 2:
        return pl_add_bar(w, &bar, id);
    default:
        return add_part_body(w, bodies[which % 4], at, id);
    }
}

void edit_objects(pl_world *w, int frame)
{
    static pl_id made[4];
    static int count;
    if (frame == 0)
        count = 0, dice = 9;
    for (int e = frame > 0 ? 1 + roll(2) : 0; e > 0; e--)
    {
        pl_vec3 at = {0.1f * (float)roll(20), 0.3f + 0.1f * (float)roll(5), 0.1f * (float)roll(20)};
        if (count == 4)
        {
            int which = roll(4);
            must(pl_remove(w, made[which]));
            made[which] = made[--count];
        }
        must(add_part(w, frame < 4 ? roll(6) : roll(10), at, &made[count++]));
        pl_cloth_def bad = pl_default_cloth_def();
        bad.drag = -1.0f; // told of when all else is there
        if (roll(3) == 0 && pl_add_cloth(w, &bad, NULL) == PL_OK)
            exit(1);
    }
}
