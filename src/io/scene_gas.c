// scene_gas.c: the fields of a gas.
#include "scene_gas.h"

#include "field_macros.h"

#define THIS struct scene_gas
static const struct field gas_fields[] = {
    NUMBER("temperature", def.temperature, -1e4, 1e4, "K above the air: of the particles at first"),
    NUMBER("expansion", def.expansion, 0, 1, "1/K; it rises by expansion x temperature x gravity"),
    NUMBER("drag", def.drag, 0, 1e6, "1/s; drag against the air, which moves with the wind"),
    NUMBER("cooling", def.cooling, 0, 1e6, "1/s; rate at which the temperature falls to that of the air"),
    NUMBER("diffusivity", def.diffusivity, 0, 1e6, "m^2/s; how heat spreads between its particles"),
    NUMBER("weight", def.weight, 0, 1, "share of its weight that the air does not carry: 0 a gas, 1 a warm liquid"),
    {0},
};
#undef THIS
static void gas_defaults(void *values) { ((struct scene_gas *)values)->def = pl_default_gas_def(); }
const struct record gas_record = {.name = "gas",
                                  .about = "A gas: a fluid that the air carries, and that rises where it is warm.",
                                  .fields = gas_fields,
                                  .size = sizeof(struct scene_gas),
                                  .defaults = gas_defaults};
