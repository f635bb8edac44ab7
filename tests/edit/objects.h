// objects.h: one object of each sort, made small, for worlds that run already.
#pragma once
#include "support/support.h"

enum
{
    OBJECT_ROPE,
    OBJECT_ROPE_BREAKS,
    OBJECT_CLOTH,
    OBJECT_CLOTH_SKIN,
    OBJECT_BAR,
    OBJECT_BAR_METAL,
    OBJECT_WATER,
    OBJECT_PLAIN, // those before are made of particles, rows and faces alone
    OBJECT_SOFT = OBJECT_PLAIN,
    OBJECT_RIGID,
    OBJECT_JELLY,
    OBJECT_PLASTIC,
    OBJECT_LATTICE,
    OBJECT_BALLOON,
    OBJECT_CHAIN,
    OBJECT_BOX,
    OBJECT_EMITTER,
    OBJECT_HAIR,
    OBJECT_SORTS,
};

static inline pl_result make_rope(pl_world *w, int sort, pl_vec3 at, pl_id *id)
{
    pl_rope_def d = pl_default_rope_def();
    d.segments = 12;
    d.from = at;
    d.to = (pl_vec3){at.x + 0.6f, at.y, at.z};
    d.pin_first = true;
    d.bending = true;
    d.bend.compliance = 1e-4f;
    d.strength = sort == OBJECT_ROPE_BREAKS ? 3.0f : 0.0f;
    return pl_add_rope(w, &d, id);
}

static inline pl_result make_cloth(pl_world *w, int sort, pl_vec3 at, pl_id *id)
{
    pl_cloth_def d = pl_default_cloth_def();
    const int32_t corner = 0;
    d.columns = 5, d.rows = 4;
    d.origin = at;
    d.u.x = 0.4f, d.v.z = 0.3f;
    d.bending = PL_BENDING_DIHEDRAL;
    d.bend.compliance = 1e-2f;
    d.pinned = &corner, d.pinned_count = 1;
    d.tethers = true;
    d.thickness = sort == OBJECT_CLOTH_SKIN ? 0.02f : 0.0f;
    return pl_add_cloth(w, &d, id);
}

static inline pl_result make_bar(pl_world *w, int sort, pl_vec3 at, pl_id *id)
{
    pl_bar_def d = pl_default_bar_def();
    d.cells[0] = 3, d.cells[1] = d.cells[2] = 1;
    d.origin = at;
    d.size = (pl_vec3){0.6f, 0.2f, 0.2f};
    if (sort == OBJECT_BAR_METAL)
        d.plastic.yield = 0.02f;
    return pl_add_bar(w, &d, id);
}

static inline pl_result make_body(pl_world *w, int sort, pl_vec3 at, pl_id *id)
{
    static const pl_body_kind kinds[] = {
        [OBJECT_SOFT] = PL_BODY_SOFT,       [OBJECT_RIGID] = PL_BODY_RIGID,     [OBJECT_JELLY] = PL_BODY_JELLY,
        [OBJECT_PLASTIC] = PL_BODY_PLASTIC, [OBJECT_LATTICE] = PL_BODY_LATTICE, [OBJECT_BALLOON] = PL_BODY_BALLOON};
    pl_mesh_def form = pl_default_mesh_def();
    pl_mesh mesh = {0};
    pl_body_def d = pl_default_body_def();
    form.shape = "sphere";
    form.radius = 0.2f;
    form.edge = 0.15f;
    good(pl_mesh_make(&form, &mesh));
    d.mesh = &mesh;
    d.kind = kinds[sort];
    d.position = at;
    d.spacing = 0.1f;
    d.visual = true;
    d.match.stiffness = sort == OBJECT_RIGID ? 1.0f : 0.3f;
    if (sort == OBJECT_PLASTIC)
        d.match.yield = 0.05f, d.match.creep = 10.0f;
    pl_result result = pl_add_body(w, &d, id);
    pl_mesh_free(&mesh);
    return result;
}

static inline pl_result make_chain(pl_world *w, pl_vec3 at, pl_id *id)
{
    pl_oriented_form_def d = pl_default_oriented_form_def();
    pl_cluster_material match = pl_default_cluster_material();
    d.form = PL_ORIENTED_CHAIN;
    d.size[0] = 5;
    d.origin = at;
    return pl_add_oriented_form(w, &d, &match, 0.5f, id);
}

static inline pl_result make_box(pl_world *w, pl_vec3 at, pl_id *id)
{
    pl_rigid_shape shape = pl_default_rigid_shape();
    pl_rigid_def d = pl_default_rigid_def();
    shape.half = (pl_vec3){0.1f, 0.2f, 0.15f};
    d.shapes = &shape, d.shape_count = 1;
    d.position = at;
    d.spin = (pl_vec3){1.0f, 0.5f, 0.2f};
    d.linear_damping = 0.1f;
    return pl_add_rigid(w, &d, id);
}

static inline pl_result make_water(pl_world *w, pl_vec3 at, pl_id *id)
{
    pl_fluid_def d = pl_default_fluid_def();
    d.spacing = 0.05f;
    d.origin = at;
    d.size = (pl_vec3){0.2f, 0.15f, 0.1f};
    return pl_add_fluid(w, &d, id);
}

static inline pl_result make_emitter(pl_world *w, pl_vec3 at, pl_id *id)
{
    pl_emitter_def d = pl_default_emitter_def();
    d.fluid.spacing = 0.05f;
    d.position = at;
    d.size[0] = 0.08f;
    d.capacity = 120;
    return pl_add_emitter(w, &d, id);
}

static inline pl_result make_hair(pl_world *w, pl_vec3 at, pl_id *id)
{
    pl_hair_def d = pl_default_hair_def();
    d.count = 5, d.points = 6;
    d.position = at;
    d.radius = 0.005f;
    return pl_add_hair(w, &d, id);
}

static inline pl_result make_object(pl_world *w, int sort, pl_vec3 at, pl_id *id)
{
    if (sort < OBJECT_CLOTH)
        return make_rope(w, sort, at, id);
    if (sort < OBJECT_BAR)
        return make_cloth(w, sort, at, id);
    if (sort == OBJECT_WATER)
        return make_water(w, at, id);
    if (sort == OBJECT_EMITTER)
        return make_emitter(w, at, id);
    if (sort == OBJECT_HAIR)
        return make_hair(w, at, id);
    if (sort < OBJECT_PLAIN)
        return make_bar(w, sort, at, id);
    if (sort == OBJECT_BOX)
        return make_box(w, at, id);
    return sort == OBJECT_CHAIN ? make_chain(w, at, id) : make_body(w, sort, at, id);
}
