// scene_form.c: the meshes made by rule that shapes, cloth and animated meshes of a scene may have.
#include "scene.h"

#include "author/forms.h"
#include "core/error.h"
#include "field_macros.h"

// The order is that of enum form_kind.
static const char *const form_words[] = {"sheet", "ball", "torus", "bowl", "lathe", NULL};

#define THIS struct scene_form
static const struct field form_fields[] = {
    ENTRY("kind", FIELD_CHOICE, kind, .choices = form_words, .required = true,
          .about = "sheet: flat and open; ball; torus about y; bowl: the lower half of a ball; lathe: a profile turned "
                   "around y"),
    VECTOR("size", size, "m; sheet: x and z; ball: x, y, z; torus: width x, tube thickness y; bowl: width x"),
    NUMBER("thickness", thickness, 0, BIG, "m; thickness of the wall of a bowl; 0: an open shell"),
    VECTORS("profile", profile,
            "m; lathe: points [half width, height, half depth] of a smooth curve; depth 0: as wide; closed where the "
            "width is 0"),
    COUNTS("cells", cells, 2, 3, 8192, "number of cells: sheet: along x and z; others: around y and along the profile"),
    {0},
};
#undef THIS
static void form_defaults(void *values)
{
    struct scene_form *f = values;
    f->size = (pl_vec3){1.0f, 1.0f, 1.0f};
    f->cells[0] = 32;
    f->cells[1] = 16;
}
static const struct field_use form_uses[] = {
    {"thickness", "kind", "bowl"},
    {"profile", "kind", "lathe"},
    {"size", "kind", "sheet ball torus bowl"},
    {0},
};
const struct record form_record = {.name = "form",
                                   .uses = form_uses,
                                   .about = "A mesh made by rule.",
                                   .fields = form_fields,
                                   .size = sizeof(struct scene_form),
                                   .defaults = form_defaults};

static form form_of(const struct scene_form *from)
{
    return (form){.kind = from->kind,
                  .size = {from->size.x, from->size.y, from->size.z},
                  .thickness = from->thickness,
                  .cells = {from->cells[0], from->cells[1]},
                  .profile = from->profile.values,
                  .profile_count = from->profile.count};
}

static pl_result check_profile(const struct scene_form *from)
{
    const struct numbers *p = &from->profile;
    if (p->count < 2)
        return json_fail(from->head.node, "a lathe with %d points of its \"profile\"; at least 2 are needed", p->count);
    for (int i = 0; i < p->count; i++)
    {
        const float *x = p->values + 3 * i;
        bool end = i == 0 || i == p->count - 1;
        if (!(x[0] >= 0.0f && x[2] >= 0.0f) || (x[0] == 0.0f && !end))
            return json_fail(json_member(from->head.node, "profile"),
                             "point %d of the profile has the half width %g; it must be above 0, or 0 at an end", i,
                             (double)x[0]);
    }
    return PL_OK;
}

pl_result scene_fill_form(pl_scene *scene, const struct scene_form *from, uint64_t limit, struct numbers *vertices,
                          struct triples *triangles)
{
    form f = form_of(from);
    int64_t vertex_count, triangle_count;
    pl_result result = f.kind == FORM_LATHE ? check_profile(from) : PL_OK;
    if (result != PL_OK)
        return result;
    if (f.kind == FORM_BOWL && f.thickness >= 0.5f * f.size[0])
        return json_fail(from->head.node, "a bowl %g m thick has a radius of %g m; a thickness below that is needed",
                         (double)f.thickness, 0.5 * (double)f.size[0]);
    form_count(&f, &vertex_count, &triangle_count);
    if ((uint64_t)triangle_count * 24 > limit)
        return json_fail_code(from->head.node, PL_ERROR_MEMORY, "a form of %lld triangles; use fewer \"cells\"",
                              (long long)triangle_count);
    *vertices =
        (struct numbers){store_take(&scene->store, (size_t)vertex_count * 3 * sizeof(float)), (int)vertex_count};
    *triangles =
        (struct triples){store_take(&scene->store, (size_t)triangle_count * 3 * sizeof(int32_t)), (int)triangle_count};
    if (!vertices->values || !triangles->values)
        return fail(PL_ERROR_MEMORY, "no memory for the scene; use a smaller one");
    form_fill(&f, vertices->values, triangles->values);
    return PL_OK;
}

bool scene_form_grid(const struct scene_form *from, int *columns, int *rows)
{
    form f = form_of(from);
    return form_grid(&f, columns, rows);
}
