// pliant_engine.c: Pliant through its public API: rigid links (XPBD, compliance 0) and, for the bar, volumes or elements.
#include "pliant_bodies.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct pliant_state
{
    pl_world *world;
    float dt;
    int particles;
} pliant_state;

static pl_result add_wall(pl_world *world, float x, float z, float half)
{
    // A plane at x or z = -half or half, facing inward; both 0: the floor.
    const float c = 0.70710678f;
    pl_shape_def wall = pl_default_shape_def();
    wall.kind = PL_SHAPE_PLANE;
    wall.position = (pl_vec3){x * half, 0.0f, z * half};
    wall.rotation = x == 0.0f && z == 0.0f ? wall.rotation : (pl_quat){-c * z, 0.0f, c * x, c};
    return pl_add_shape(world, &wall, NULL);
}

static pl_result fill_grains(pl_world *world, const scene *s)
{
    static const float walls[5][2] = {{0, 0}, {-1, 0}, {1, 0}, {0, -1}, {0, 1}};
    const pl_material sand = {.static_friction = 0.6f, .kinetic_friction = 0.4f, .rolling = 1.0f};
    pl_particles_def grains = pl_default_particles_def();
    pl_id id;
    grains.count = s->particles;
    grains.position = s->position;
    grains.velocity = s->velocity;
    grains.mass = s->mass;
    float *radius = malloc((size_t)s->particles * sizeof *radius);
    for (int i = 0; radius && i < s->particles; ++i)
    {
        radius[i] = s->radius;
    }
    pl_result result = radius ? pl_set_material(world, 0, &sand) : PL_ERROR_MEMORY;
    if (result == PL_OK)
    {
        result = pl_add_particles(world, &grains, &id);
    }
    if (result == PL_OK)
    {
        result = pl_set(world, PL_ATTRIBUTE_RADIUS, 0, s->particles, radius);
    }
    free(radius);
    for (int k = 0; k < 5 && result == PL_OK; ++k)
    {
        result = add_wall(world, walls[k][0], walls[k][1], s->half);
    }
    return result;
}

static pl_result fill_tank(pl_world *world, const scene *s)
{
    pl_fluid_def water = pl_default_fluid_def();
    const float x = s->spacing * (float)s->tank[0], z = s->spacing * (float)s->tank[2];
    water.spacing = s->spacing;
    water.size = (pl_vec3){x, s->spacing * (float)s->tank[1], z};
    water.origin = (pl_vec3){-0.5f * x, 0.0f, -0.5f * z};
    pl_result result = pl_add_fluid(world, &water, NULL);
    for (int k = 0; k < 5 && result == PL_OK; ++k)
    {
        float side = k == 1 || k == 3 ? -1.0f : 1.0f;
        result = add_wall(world, k == 1 || k == 2 ? side : 0.0f, k > 2 ? side : 0.0f, 0.5f * (k > 2 ? z : x));
    }
    return result;
}

// Rigid bodies, one after the other, that meet nothing.
static pl_result add_bodies(pl_world *world, const scene *s)
{
    int bodies = s->particles / s->body_size;
    int32_t *start = malloc(((size_t)bodies + 1) * sizeof *start),
            *member = malloc((size_t)s->particles * sizeof *member);
    pl_clusters_def def = pl_default_clusters_def();
    pl_id id;
    for (int i = 0; start && i <= bodies; ++i)
    {
        start[i] = i * s->body_size;
    }
    for (int i = 0; member && i < s->particles; ++i)
    {
        member[i] = i;
    }
    def.count = bodies;
    def.start = start;
    def.particles = member;
    pl_result result = start && member ? pl_add_clusters(world, &def, &id) : PL_ERROR_MEMORY;
    free(start);
    free(member);
    return result;
}

static pl_result fill(pl_world *world, const scene *s)
{
    if (s->bodies != NULL)
    {
        return fill_bodies(world, s);
    }
    if (s->radius > 0.0f)
    {
        return fill_grains(world, s);
    }
    if (s->spacing > 0.0f)
    {
        return fill_tank(world, s);
    }
    pl_id id;
    pl_particles_def particles = pl_default_particles_def();
    particles.count = s->particles;
    particles.position = s->position;
    particles.mass = s->mass;
    particles.velocity = s->velocity;
    pl_result result = pl_add_particles(world, &particles, &id);
    if (result == PL_OK && s->body_size > 0)
    {
        return add_bodies(world, s);
    }

    pl_constraints_def links = pl_default_constraints_def();
    if (result == PL_OK && s->young > 0.0f)
    {
        pl_constraints_def elements = links;
        elements.kind = PL_KIND_NEO_HOOKEAN;
        elements.count = s->tets;
        elements.index = s->tet;
        elements.soft = (pl_softness){.compliance = 1.0f / s->young, .stiffness = 1.0f};
        return pl_add_constraints(world, &elements, &id);
    }
    links.kind = PL_KIND_DISTANCE;
    links.count = s->links;
    links.index = s->link;
    links.soft = (pl_softness){.compliance = 0.0f, .stiffness = 1.0f};
    if (result == PL_OK)
    {
        result = pl_add_constraints(world, &links, &id);
    }
    if (result == PL_OK && s->tets > 0)
    {
        pl_constraints_def volumes = links;
        volumes.kind = PL_KIND_TET_VOLUME;
        volumes.count = s->tets;
        volumes.index = s->tet;
        result = pl_add_constraints(world, &volumes, &id);
    }
    return result;
}

static void destroy(void *opaque)
{
    pliant_state *state = opaque;
    pl_world_destroy(state->world);
    free(state);
}

static bool load(const scene *s, const pl_world_def *def, pl_world **world)
{
    pl_scene *told;
    size_t length;
    const char *text = pl_builtin_scene(s->told, &length);
    if (pl_scene_parse(text, length, s->told, s->sets, s->set_count, &told) != PL_OK)
    {
        return false;
    }
    pl_result result = pl_scene_world(told, def, world);
    pl_scene_free(told);
    return result == PL_OK;
}

static void *create_on(const scene *s, int threads, int lanes, pl_backend backend)
{
    pliant_state *state = calloc(1, sizeof *state);
    pl_world_def def = pl_default_world_def();
    def.backend = backend;
    def.threads = threads;
    def.lanes = lanes;
    def.settings.gravity = (pl_vec3){0.0f, -9.81f, 0.0f};
    def.settings.substeps = s->substeps;
    def.settings.iterations = s->iterations;
    def.settings.damping = 0.0f;
    if (state == NULL)
    {
        return NULL;
    }
    state->dt = s->dt;
    state->particles = s->particles;
    if (s->told != NULL ? !load(s, &def, &state->world)
                        : pl_world_create(&def, &state->world) != PL_OK || fill(state->world, s) != PL_OK)
    {
        fprintf(stderr, "error: %s\n", pl_error_message());
        destroy(state);
        return NULL;
    }
    return state;
}

static void *create(const scene *s, int threads, int lanes) { return create_on(s, threads, lanes, PL_BACKEND_CPU); }

static void *create_cuda(const scene *s, int threads, int lanes)
{
    (void)threads;
    (void)lanes;
    return create_on(s, 0, 0, PL_BACKEND_CUDA);
}

static bool step(void *opaque)
{
    pliant_state *state = opaque;
    if (pl_world_step(state->world, state->dt) != PL_OK)
    {
        fprintf(stderr, "error: %s\n", pl_error_message());
        return false;
    }
    return true;
}

static void positions(void *opaque, float *out)
{
    pliant_state *state = opaque;
    pl_get(state->world, PL_ATTRIBUTE_POSITION, 0, state->particles, out);
}

static void poses(void *opaque, float *out)
{
    pliant_state *state = opaque;
    read_poses(state->world, state->particles, out);
}

static double compression(void *opaque) { return pl_world_fluid(((pliant_state *)opaque)->world).compression_mean; }

static double device_ms(const void *opaque)
{
    const pliant_state *state = opaque;
    return pl_world_timing(state->world).total;
}

bool pliant_cuda_engine(engine *out, const char **why)
{
    static char name[256];
    pl_world_def def = pl_default_world_def();
    pl_world *world;
    def.backend = PL_BACKEND_CUDA;
    if (pl_world_create(&def, &world) != PL_OK)
    {
        *why = pl_error_message();
        return false;
    }
    snprintf(name, sizeof name, "%s", pl_world_device(world));
    *out = (engine){.name = "pliant",
                    .version = pl_version(),
                    .create = create_cuda,
                    .step = step,
                    .positions = positions,
                    .poses = poses,
                    .compression = compression,
                    .destroy = destroy,
                    .volumes = true,
                    .backend = "cuda",
                    .device = name,
                    .ms = device_ms,
                    .copy_rate = pl_world_copy_rate(world)};
    pl_world_destroy(world);
    return true;
}

// The API does not tell which width the engine takes by itself: eight where there are eight, else the widest.
static int usual_lanes(void)
{
    const int *widths = pl_lane_widths();
    for (int i = 0; widths[i] != 0; ++i)
    {
        if (widths[i] == 8)
        {
            return 8;
        }
    }
    return widths[0];
}

engine pliant_engine(int threads, int lanes)
{
    return (engine){.name = "pliant",
                    .version = pl_version(),
                    .threads = threads,
                    .lanes = lanes ? lanes : usual_lanes(),
                    .create = create,
                    .step = step,
                    .positions = positions,
                    .poses = poses,
                    .compression = compression,
                    .destroy = destroy,
                    .volumes = true};
}
