// scene_table_parts.c: lists the fields of parts that several objects have: softness, materials of solids and cloth,
// and the wind.
#include "scene.h"

#include "field_macros.h"

#define THIS pl_softness
static const struct field softness_fields[] = {
    NUMBER("compliance", compliance, 0, BIG, "the inverse of stiffness, m/N for lengths; 0 is rigid (XPBD)"),
    NUMBER("damping", damping, 0, BIG, "N s/m for lengths; has an effect only with a compliance above 0 (XPBD)"),
    NUMBER("stiffness", stiffness, 0, 1, "k from 0 to 1 (classic PBD)"),
    {0},
};
#undef THIS
// There are no defaults here: inside an object, the object's own defaults hold for the fields that the text leaves out.
const struct record softness_record = {.name = "softness",
                                       .about = "How firmly constraints hold.",
                                       .fields = softness_fields,
                                       .size = sizeof(pl_softness),
                                       .plain = true};

#define THIS pl_elastic
static const struct field elastic_fields[] = {
    NUMBER("young", young, TINY, BIG, "Young's modulus, Pa"),
    NUMBER("poisson", poisson, 0, 0.499,
           "Poisson's ratio: how much it narrows when it is stretched; 0.5 would keep its volume"),
    NUMBER("viscosity", viscosity, 0, BIG, "Pa s; viscosity"),
    BOOL("average_volume", average_volume,
         "resist a change of volume in patches of about five tetrahedra, not in each: for poisson above 0.4"),
    {0},
};
#undef THIS
const struct record elastic_record = {.name = "elastic",
                                      .about = "The material of a solid.",
                                      .fields = elastic_fields,
                                      .size = sizeof(pl_elastic),
                                      .plain = true};

#define THIS pl_plastic
static const struct field plastic_fields[] = {
    NUMBER("yield", yield, 0, BIG, "strain, or rad of bending, beyond which it flows; 0: never"),
    NUMBER("creep", creep, 0, BIG, "1/s; rate at which strain beyond the yield flows; default: at once"),
    NUMBER("limit", limit, 0, BIG, "largest total flow; 0: no limit"),
    NUMBER("hardening", hardening, 0, BIG, "hardening: the yield grows to yield (1 + hardening x total flow)"),
    {0},
};
#undef THIS
const struct record plastic_record = {.name = "plastic",
                                      .about = "Plastic flow: strain that becomes part of the rest shape.",
                                      .fields = plastic_fields,
                                      .size = sizeof(pl_plastic),
                                      .plain = true};

#define THIS pl_fabric
static const struct field fabric_fields[] = {
    NUMBER("young_warp", young_warp, TINY, BIG, "Young's modulus along u, Pa"),
    NUMBER("young_weft", young_weft, TINY, BIG, "Young's modulus across it, Pa"),
    NUMBER("shear", shear, TINY, BIG, "shear modulus, Pa"),
    NUMBER("poisson", poisson, 0, 1, "Poisson's ratio: how much the weft narrows when the warp is stretched"),
    NUMBER("thickness", thickness, TINY, BIG, "m"),
    NUMBER("viscosity", viscosity, 0, BIG, "Pa s; viscosity"),
    {0},
};
#undef THIS
const struct record fabric_record = {.name = "fabric",
                                     .about = "The material of woven cloth.",
                                     .fields = fabric_fields,
                                     .size = sizeof(pl_fabric),
                                     .plain = true};

#define THIS pl_wind
static const struct field wind_fields[] = {
    VECTOR("velocity", velocity, "m/s"),
    NUMBER("gust", gust, 0, 10, "0: steady; 0.5: the speed varies by about half"),
    NUMBER("gust_size", gust_size, 1e-3, 1e6, "the size of an eddy, m"),
    NUMBER("density", density, 0, 1e4, "of the air, kg/m^3"),
    {0},
};
#undef THIS
const struct record wind_record = {.name = "wind",
                                   .about = "Wind, which acts on cloth and oriented particles.",
                                   .fields = wind_fields,
                                   .size = sizeof(pl_wind),
                                   .plain = true};
