// export.c: holds the table of export formats and the code that they share.
#include "export_formats.h"

#include "core/error.h"
#include "series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char video[] = "pictures and video come with the viewer";
static const char later[] = "it is not in this version";
static const struct export_format mp4_format = {.ending = "mp4", .later = video},
                                  gif_format = {.ending = "gif", .later = video},
                                  webp_format = {.ending = "webp", .later = video},
                                  png_format = {.ending = "png", .later = video},
                                  usda_format = {.ending = "usda", .later = later},
                                  glb_format = {.ending = "glb", .later = later};

static const struct export_format *const formats[] = {&ply_format, &obj_format,  &pc2_format, &vtp_format,
                                                      &pvd_format, &mp4_format,  &gif_format, &webp_format,
                                                      &png_format, &usda_format, &glb_format};

static const struct export_format *format_of(const char *path)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
    {
        if (path_ends(path, formats[i]->ending))
        {
            return formats[i];
        }
    }
    return NULL;
}

pl_result export_check(const char *path)
{
    const struct export_format *format = format_of(path);
    if (!format)
    {
        return fail(PL_ERROR_ARGUMENT,
                    "no format for \"%s\"; use a name ending in .png, .mp4, .gif or .webp (pictures), .ply, .obj, "
                    ".pc2, .vtp or .pvd",
                    path);
    }
    if (format->later)
    {
        return fail(PL_ERROR_UNSUPPORTED, "cannot write \"%s\": %s; .ply, .obj, .pc2, .vtp and .pvd are ready", path,
                    format->later);
    }
    if (!series_good(path))
    {
        return fail(PL_ERROR_ARGUMENT, "bad number in \"%s\"; use one %%d or %%04d", path);
    }
    if (series_numbered(path) && !format->last_only)
    {
        return fail(PL_ERROR_ARGUMENT, "a .%s file holds every frame; write \"%s\" without %%d", format->ending, path);
    }
    return PL_OK;
}

pl_result export_frame_path(struct exporter *e, const char *ending)
{
    size_t size = strlen(e->path) + 64;
    free(e->frame_path);
    e->frame_path = malloc(size);
    if (!e->frame_path)
    {
        return fail(PL_ERROR_MEMORY, "no memory to write %s; try again", e->path);
    }
    if (e->numbered)
    {
        series_name(e->path, e->frame, e->frame_path, size);
    }
    else
    {
        int stem = (int)(strrchr(e->path, '.') - e->path);
        snprintf(e->frame_path, size, "%.*s_%04lld.%s", stem, e->path, (long long)e->frame, ending);
    }
    return PL_OK;
}

static void export_free(struct exporter *e)
{
    out_abort(&e->out);
    free(e->path);
    free(e->frame_path);
    free(e->position);
    free(e->previous);
    free(e->velocity);
    free(e->temperature);
    free(e->radius);
    free(e->carries);
    free(e->face);
    rigid_surfaces_free(&e->rigids);
    pl_free_fluid_surface(&e->surface);
    strand_lines_free(&e->lines);
    free(e);
}

struct visuals
{
    float *vertex;    // destination of the positions; NULL: not wanted
    int32_t *face;    // destination of the triangles, whose corners are numbered from `first` on
    uint8_t *carries; // destination of the flags of particles that carry a visual
    int first;
    int vertices, triangles; // the numbers found
};

static pl_result take_visuals(const pl_world *world, struct visuals *v)
{
    int count = pl_world_visuals(world, NULL, 0);
    pl_id *ids = malloc(((size_t)count + 1) * sizeof *ids);
    pl_result result = ids ? PL_OK : fail(PL_ERROR_MEMORY, "no memory for %d visuals; try again", count);
    if (ids)
    {
        pl_world_visuals(world, ids, count);
    }
    v->vertices = v->triangles = 0;
    for (int i = 0; i < count && result == PL_OK; i++)
    {
        pl_visual_info info;
        int32_t *to = v->face ? v->face + 3 * (size_t)v->triangles : NULL;
        result = pl_describe_visual(world, ids[i], &info);
        result = result == PL_OK
                     ? pl_get_visual(world, ids[i], v->vertex ? v->vertex + 3 * (size_t)v->vertices : NULL, to)
                     : result;
        for (int k = 0; to && result == PL_OK && k < 3 * info.triangles; k++)
        {
            to[k] += v->first + v->vertices;
        }
        if (result == PL_OK && v->carries)
        {
            memset(v->carries + info.first, 1, (size_t)info.count);
        }
        v->vertices += result == PL_OK ? info.vertices : 0;
        v->triangles += result == PL_OK ? info.triangles : 0;
    }
    free(ids);
    return result;
}

static pl_result make_room(struct exporter *e, int particles, int faces)
{
    float *x = realloc(e->position, ((size_t)particles * 3 + 1) * sizeof *x);
    e->position = x ? x : e->position;
    float *v = realloc(e->velocity, ((size_t)particles * 3 + 1) * sizeof *v);
    e->velocity = v ? v : e->velocity;
    float *t = realloc(e->temperature, ((size_t)particles + 1) * sizeof *t);
    e->temperature = t ? t : e->temperature;
    float *r = realloc(e->radius, ((size_t)particles + 1) * sizeof *r);
    e->radius = r ? r : e->radius;
    uint8_t *c = realloc(e->carries, (size_t)particles + 1);
    e->carries = c ? c : e->carries;
    int32_t *f = realloc(e->face, ((size_t)faces * 3 + 1) * sizeof *f);
    e->face = f ? f : e->face;
    return x && v && t && r && c && f ? PL_OK : fail(PL_ERROR_MEMORY, "no memory to write %s; try again", e->path);
}

// Takes the mesh of the present frame. When something tears, the number of particles and the faces change from frame to
// frame.
// surface: with that of fluids, which takes about as long as a step.
static pl_result take_mesh(struct exporter *e, const pl_world *world, bool first, bool surface)
{
    struct visuals v = {0};
    pl_result result = take_visuals(world, &v);
    result = result == PL_OK ? rigid_surfaces_update(&e->rigids, world) : result;
    result = result == PL_OK ? strand_lines_take(&e->lines, world) : result;
    pl_free_fluid_surface(&e->surface);
    // A mesh that changes with every frame does not go into a file with one mesh for all.
    result = result == PL_OK && surface && !e->format->one_mesh ? fluid_surface_make(&e->surface, world) : result;
    int own = pl_particle_end(world), own_faces = pl_face_count(world);
    int rigid = own + v.vertices, rigid_faces = own_faces + v.triangles;
    int fluid = rigid + e->rigids.vertices, fluid_faces = rigid_faces + e->rigids.triangles;
    int particles = fluid + e->surface.vertex_count, faces = fluid_faces + e->surface.triangle_count;
    if (result == PL_OK && !first && particles != e->particles && e->format->one_mesh)
    {
        return fail(PL_ERROR_ARGUMENT,
                    "cannot write %s: particles were added or removed, or something tore, and .%s has one mesh for all "
                    "frames; use numbered .ply files or .pvd",
                    e->path, e->format->ending);
    }
    if (result == PL_OK && (first || particles > e->particles || faces > e->faces))
    {
        result = make_room(e, particles, faces);
    }
    if (result != PL_OK)
    {
        return result;
    }
    e->own = own;
    e->own_faces = own_faces;
    e->rigid = rigid;
    e->rigid_faces = rigid_faces;
    e->fluid = fluid;
    e->fluid_faces = fluid_faces;
    e->particles = particles;
    e->faces = faces;
    memset(e->carries, 0, (size_t)particles);
    v = (struct visuals){.face = e->face + 3 * (size_t)own_faces, .carries = e->carries, .first = own};
    for (int i = 0; i < 3 * e->rigids.triangles; i++)
    {
        e->face[3 * (size_t)rigid_faces + (size_t)i] = rigid + e->rigids.corner[i];
    }
    fluid_surface_faces(e);
    result = pl_get_faces(world, 0, own_faces, e->face);
    return result == PL_OK ? take_visuals(world, &v) : result;
}

static bool has_radii(const pl_world *world, float *radius, int count)
{
    bool known = pl_get(world, PL_ATTRIBUTE_RADIUS, 0, count, radius) == PL_OK, wide = false;
    for (int i = 0; known && i < count && !wide; i++)
    {
        wide = radius[i] > 0.0f;
    }
    return wide;
}

void export_hint(const char *path, struct export_timing timing, char *text, size_t size)
{
    const struct export_format *format = format_of(path);
    text[0] = 0;
    if (format && format->hint)
    {
        format->hint(timing, text, size);
    }
}

pl_result export_open(const char *path, const pl_world *world, int64_t last_frame, struct export_timing timing,
                      struct exporter **exporter)
{
    pl_result result = export_check(path);
    if (result != PL_OK)
    {
        return result;
    }
    struct exporter *e = calloc(1, sizeof *e);
    if (!e)
    {
        return fail(PL_ERROR_MEMORY, "no memory to write %s; try again", path);
    }
    e->format = format_of(path);
    e->path = strdup(path);
    e->numbered = series_numbered(path);
    e->first_frame = pl_world_frame(world);
    e->last_frame = last_frame;
    e->timing = timing;
    e->began = pl_world_time(world);
    result =
        e->path ? take_mesh(e, world, true, false) : fail(PL_ERROR_MEMORY, "no memory to write %s; try again", path);
    e->warm = pl_world_heat(world).warm > 0;
    e->wide = result == PL_OK && has_radii(world, e->radius, e->own);
    result = result == PL_OK ? series_check(e->path, e->first_frame) : result;
    result = result == PL_OK && e->format->begin ? e->format->begin(e) : result;
    if (result != PL_OK)
    {
        export_free(e);
        return result;
    }
    *exporter = e;
    return PL_OK;
}

static pl_result take_frame(struct exporter *e, const pl_world *world, bool surface)
{
    pl_result result = take_mesh(e, world, false, surface);
    if (result != PL_OK)
    {
        return result;
    }
    e->frame = pl_world_frame(world); // set only when the frame is taken; otherwise it stays at the frame before
    e->time = pl_world_time(world);
    result = pl_get(world, PL_ATTRIBUTE_POSITION, 0, e->own, e->position);
    result = result == PL_OK ? pl_get(world, PL_ATTRIBUTE_VELOCITY, 0, e->own, e->velocity) : result;
    result = result == PL_OK && e->wide ? pl_get(world, PL_ATTRIBUTE_RADIUS, 0, e->own, e->radius) : result;
    for (int i = 0; result == PL_OK && i < e->own; i++)
    {
        uint8_t active = 1;
        result = pl_get_active(world, i, 1, &active);
        e->radius[i] = active ? e->radius[i] : 0.0f; // in the reserve of an emitter
    }
    size_t riding = (size_t)(e->particles - e->own);
    memset(e->velocity + 3 * (size_t)e->own, 0, 3 * riding * sizeof *e->velocity);
    memset(e->radius + e->own, 0, riding * sizeof *e->radius);
    result = result == PL_OK && e->warm ? pl_get_temperature(world, 0, e->own, e->temperature) : result;
    for (int i = e->own; i < e->particles; i++)
    {
        e->temperature[i] = NAN;
    }
    struct visuals v = {.vertex = e->position + 3 * (size_t)e->own};
    result = result == PL_OK ? take_visuals(world, &v) : result;
    size_t rigid = 3 * (size_t)e->rigid;
    result =
        result == PL_OK ? rigid_surfaces_place(&e->rigids, world, e->position + rigid, e->velocity + rigid) : result;
    fluid_surface_points(e);
    return result;
}

pl_result export_frame(struct exporter *e, const pl_world *world)
{
    bool wanted = !e->format->last_only || e->numbered;
    // The last frame is kept even when it is not written yet: a run may be stopped early.
    pl_result result = take_frame(e, world, wanted);
    e->world = world;
    result = result == PL_OK && wanted ? e->format->frame(e) : result;
    e->frames_written += result == PL_OK && wanted;
    return result;
}

pl_result export_close(struct exporter *e)
{
    pl_result result = PL_OK;
    if (e->format->last_only && !e->numbered)
    {
        bool same = e->world && pl_world_frame(e->world) == e->frame; // not after a step that failed
        result = same && pl_world_fluid(e->world).particles > 0 ? take_frame(e, e->world, true) : PL_OK;
        result = result == PL_OK ? e->format->frame(e) : result;
    }
    else if (e->format->end)
    {
        result = e->format->end(e);
    }
    export_free(e);
    return result;
}

void export_abort(struct exporter *e)
{
    if (e)
    {
        export_free(e);
    }
}
