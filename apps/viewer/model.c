// model.c: see model.h.
#include "model.h"

#include "creases.h"
#include "message.h"

#include <stdlib.h>
#include <string.h>

// ---- objects and particles -----------------------------------------------------------------------------------------

// An object that is nothing but clusters has no surface and no lines: its particles are what there is to see.
bool object_has_lines(const pl_world *world, pl_id object)
{
    pl_id blocks[16];
    int count = pl_object_blocks(world, object, blocks, 16), clusters;
    for (int i = 0; i < count && i < 16; i++)
    {
        if (pl_cluster_count(world, blocks[i], &clusters) != PL_OK && !pl_is_lattice(world, blocks[i]))
        {
            return true;
        }
    }
    return count > 16;
}

static bool take_objects(struct model *m, const pl_world *world, bool *authored)
{
    int count = pl_world_objects(world, NULL, 0);
    pl_id *ids = malloc((size_t)(count + 1) * sizeof *ids);
    m->objects = count;
    m->cloth = calloc((size_t)count + 1, 1);
    if (!ids || !m->cloth)
    {
        free(ids);
        return no_memory();
    }
    pl_world_objects(world, ids, count);
    for (int i = 0; i < count; i++)
    {
        int first = 0, particles = 0;
        bool made = object_has_lines(world, ids[i]);
        if (pl_object_range(world, ids[i], &first, &particles) != PL_OK)
        {
            free(ids);
            return library_trouble();
        }
        for (int p = first; p < first + particles; p++)
        {
            m->object_of[p] = i;
            authored[p] = made;
        }
    }
    free(ids);
    int32_t root;
    for (int p = 0; p < m->particles; p++) // what has torn off looks like what it came off
    {
        if (m->object_of[p] < 0 && pl_get_split_origins(world, p, 1, &root) == PL_OK)
        {
            m->object_of[p] = m->object_of[root];
            authored[p] = authored[root];
        }
    }
    return true;
}

// A particle that collides has a size. Of others the size tells the mass, as if all had one density; the largest is a good
// size to look at.
static void choose_radii(struct model *m, const float *mass, const float *radius, const bool *authored)
{
    float largest = 0.0f, scale = bounds_radius(&m->start);
    int loose = 0;
    for (int p = 0; p < m->particles; p++)
    {
        largest = fmaxf(largest, authored[p] ? 0.0f : mass[p]);
        loose += !authored[p];
    }
    // Few are drawn large; many fill the room that they have.
    float most = m->faces > 0 ? 0.04f : 0.11f;
    float big = scale * clampf(0.9f / cbrtf((float)(loose > 0 ? loose : 1)), 0.001f, most);
    for (int p = 0; p < m->particles; p++)
    {
        m->held[p] = mass[p] == 0.0f && m->in_body[p] != BODY_SHAPES;
        m->radius[p] = authored[p]                    ? 0.02f * scale
                       : m->in_body[p] == BODY_ANCHOR ? 0.025f * scale
                       : radius[p] > 0.0f             ? radius[p]
                       : m->held[p]                   ? 0.4f * big
                                                      : big * fmaxf(cbrtf(mass[p] / largest), 0.3f);
    }
}

// ---- the mesh ------------------------------------------------------------------------------------------------------

// Faces that meet at less than 60 degrees share a vertex, and so a smooth normal; a box keeps its edges.
#define SMOOTH_COSINE 0.5f

static bool take_mesh(struct model *m, const pl_world *world, const float *x, int triangles, bool *authored)
{
    m->faces = pl_face_count(world);
    size_t corners = 3 * ((size_t)m->faces + (size_t)triangles);
    m->face = malloc((corners + 1) * sizeof *m->face);
    m->corner = malloc((corners + 1) * sizeof *m->corner);
    struct creases creases = {0};
    bool good = m->face && m->corner ? true : no_memory();
    good = good && creases_open(&creases, m->points, corners);
    good = good && (pl_get_faces(world, 0, m->faces, m->face) == PL_OK || library_trouble());
    good = good && visuals_join(m, world, x, authored);
    for (int f = 0; good && f < m->faces; f++)
    {
        const int32_t *c = m->face + 3 * (size_t)f;
        vec3 a = v3_at(x + 3 * (size_t)c[0]), b = v3_at(x + 3 * (size_t)c[1]), d = v3_at(x + 3 * (size_t)c[2]);
        vec3 n = unit(cross(sub(b, a), sub(d, a)));
        for (int k = 0; k < 3; k++)
        {
            m->corner[3 * (size_t)f + (size_t)k] = (uint32_t)crease_vertex(&creases, c[k], n, 1.0f, SMOOTH_COSINE);
        }
    }
    m->vertices = creases.vertices;
    m->vertex = creases.point;
    creases.point = NULL;
    creases_free(&creases);
    return good;
}

// ---- spheres -------------------------------------------------------------------------------------------------------

static bool choose_spheres(struct model *m, const bool *authored, const bool *meshed)
{
    bool *covered = calloc((size_t)m->particles + 1, 1), *buried = calloc((size_t)m->particles + 1, 1);
    m->sphere = malloc(((size_t)m->particles + 1) * sizeof *m->sphere);
    if (!covered || !buried || !m->sphere)
    {
        free(covered);
        free(buried);
        return no_memory();
    }
    for (int c = 0; c < m->chains; c++)
    {
        bool covers = m->chain[c].style == CHAIN_POLE || m->chain[c].style == CHAIN_HAIR;
        for (int i = 0; covers && i < m->chain[c].count; i++)
        {
            covered[m->chain_particle[m->chain[c].first + i]] = true;
        }
    }
    // The held end of a bar is a whole face of it: what is held together with all its neighbours needs no mark.
    for (int f = 0; f < m->faces; f++)
    {
        const int32_t *c = m->face + 3 * (size_t)f;
        if (m->held[c[0]] && m->held[c[1]] && m->held[c[2]])
        {
            buried[c[0]] = buried[c[1]] = buried[c[2]] = true;
        }
    }
    for (int p = 0; p < m->particles; p++)
    {
        bool mark = m->held[p] && !covered[p] && !buried[p];
        bool inside = authored[p] && !meshed[p] && m->faces > 0; // of a bar: no face, and not to be seen
        if (m->object_of[p] >= 0 && (!authored[p] || (mark && !inside)))
        {
            m->sphere[m->spheres++] = (uint32_t)p;
        }
    }
    free(covered);
    free(buried);
    return true;
}

static bool take_ellipsoids(struct model *m, const pl_world *world, bool *authored)
{
    int count = pl_oriented_count(world);
    pl_orientation *all = count ? malloc((size_t)m->particles * sizeof *all) : NULL;
    m->ellipsoid = malloc(((size_t)count + 1) * sizeof *m->ellipsoid);
    m->radii = malloc(((size_t)count + 1) * sizeof *m->radii);
    bool good = m->ellipsoid && m->radii && (all || !count) ? true : no_memory();
    for (int p = 0, end; good && count && p < m->particles; p = end + 1) // stretch by stretch of what is there
    {
        for (end = p; end < m->particles && m->object_of[end] >= 0; end++)
        {
        }
        good = pl_get_orientation(world, p, end - p, all + p) == PL_OK || library_trouble();
    }
    for (int p = 0; good && count && p < m->particles; p++)
    {
        if (m->object_of[p] < 0 || !all[p].oriented || m->in_body[p] != BODY_NONE)
        {
            continue;
        }
        authored[p] = true; // no sphere as well
        m->held[p] = false;
        m->ellipsoid[m->ellipsoids] = (uint32_t)p;
        m->radii[m->ellipsoids++] = v3(all[p].radii.x, all[p].radii.y, all[p].radii.z);
    }
    free(all);
    return good;
}

static bool take_bodies(struct model *m, const pl_world *world, bool *authored)
{
    struct body_poses poses = {0};
    bool good = bodies_take(&m->bodies, world) && body_poses_take(&poses, world);
    if (good)
    {
        bodies_settle(&m->bodies, &poses, &m->start, m->points > 0);
    }
    for (int i = 0; good && i < m->bodies.count; i++)
    {
        const struct body *b = &m->bodies.body[i];
        m->in_body[b->particle] = b->shapes > 0 ? BODY_SHAPES : b->type == PL_RIGID_STATIC ? BODY_ANCHOR : BODY_NONE;
        authored[b->particle] = b->shapes > 0;
    }
    body_poses_free(&poses);
    return good;
}

// Under what hangs there is room to fall; what stands above the ground keeps the ground at zero; a level plane is the ground.
static bool take_shapes(struct model *m, const pl_world *world)
{
    pl_shape_def *shape = NULL;
    int count = 0;
    bool good = shapes_take(world, &shape, &count) && shapes_take_triangles(world, &m->triangles, &m->shapes);
    bool ground = false;
    if (good)
    {
        bounds_add_shapes(&m->start, m->particles > 0, shape, count);
    }
    m->floor = m->bodies.has_floor ? m->bodies.floor : fminf(0.0f, m->start.min.y - 0.9f * bounds_radius(&m->start));
    for (int i = 0; good && i < count; i++)
    {
        if (shape_is_ground(&shape[i]))
        {
            m->floor = ground ? fmaxf(m->floor, shape[i].position.y) : shape[i].position.y;
            ground = true;
        }
    }
    if (ground || m->bodies.has_floor) // what is above it comes down to it
    {
        m->start.min.y = fminf(m->start.min.y, m->floor);
    }
    free(shape);
    return good;
}

// Particles of a fluid are drawn as large as their share of it: they keep half of that radius away from what is solid.
// Fluids of other densities have other colours.
static void fill_fluids(struct model *m, const pl_world *world, const float *mass, float *radius)
{
    float known[8];
    int kinds = 0;
    pl_phase phase;
    for (int p = 0; p < m->particles; p++)
    {
        if (pl_get_phase(world, p, &phase) == PL_OK && phase.fluid)
        {
            int kind = 0;
            while (kind < kinds && known[kind] != mass[p])
            {
                kind++;
            }
            if (kind == kinds && kinds < 8)
            {
                known[kinds++] = mass[p];
            }
            m->fluid[p] = (uint8_t)(1 + (kind < 8 ? kind : 7));
            radius[p] *= 2.0f;
            m->fluid_radius = radius[p];
        }
    }
}

static bool take_parts(struct model *m, const pl_world *world, bool *authored, bool *meshed, float *x, float *mass,
                       int triangles)
{
    if (pl_get(world, PL_ATTRIBUTE_POSITION, 0, m->particles, x) != PL_OK ||
        pl_get(world, PL_ATTRIBUTE_MASS, 0, m->particles, mass) != PL_OK)
    {
        return library_trouble();
    }
    for (int p = 0; p < m->particles; p++)
    {
        uint8_t active = 1;
        if (mass[p] == 0.0f && pl_get_active(world, p, 1, &active) == PL_OK && !active)
        {
            mass[p] = 1.0f; // in the reserve of an emitter: it is not held
        }
    }
    if (!visuals_take(world, x + 3 * (size_t)m->particles))
    {
        return false;
    }
    m->start = bounds_of(x, m->points);
    for (int p = 0; p < m->points; p++)
    {
        m->object_of[p] = -1;
    }
    if (!take_objects(m, world, authored) || !take_bodies(m, world, authored) ||
        !take_mesh(m, world, x, triangles, authored))
    {
        return false;
    }
    float *radius = malloc(((size_t)m->particles + 1) * sizeof *radius);
    if (!radius || pl_get(world, PL_ATTRIBUTE_RADIUS, 0, m->particles, radius) != PL_OK)
    {
        bool memory = radius != NULL;
        free(radius);
        return memory ? library_trouble() : no_memory();
    }
    fill_fluids(m, world, mass, radius);
    choose_radii(m, mass, radius, authored);
    free(radius);
    for (int i = 0; i < 3 * m->faces; i++)
    {
        meshed[m->face[i]] = true;
    }
    return take_ellipsoids(m, world, authored) && links_take(m, world, meshed, x) && borders_take(m, x) &&
           strands_take(m, world) && choose_spheres(m, authored, meshed);
}

bool model_take(struct model *m, const pl_world *world)
{
    pl_tear_counts torn = pl_world_tears(world);
    int vertices, triangles;
    *m = (struct model){.torn = torn.splits + torn.broken, .particles = pl_particle_end(world)};
    if (!visuals_count(world, &vertices, &triangles))
    {
        return false;
    }
    m->points = m->particles + vertices;
    size_t size = (size_t)m->points + 1;
    m->like = malloc(((size_t)vertices + 1) * sizeof *m->like);
    m->object_of = malloc(size * sizeof *m->object_of);
    m->held = calloc(size, 1);
    m->in_body = calloc(size, 1);
    m->fluid = calloc(size, 1);
    m->radius = malloc(size * sizeof *m->radius);
    bool *authored = calloc(size, 1), *meshed = calloc(size, 1);
    float *x = malloc(3 * size * sizeof *x), *mass = malloc(size * sizeof *mass);
    bool good =
        m->like && m->object_of && m->held && m->in_body && m->fluid && m->radius && authored && meshed && x && mass
            ? true
            : no_memory();
    good = good && take_parts(m, world, authored, meshed, x, mass, triangles) && take_shapes(m, world) &&
           roots_take(m, world);
    free(authored);
    free(meshed);
    m->rest = x;
    free(mass);
    if (!good)
    {
        model_free(m);
    }
    return good;
}

void model_free(struct model *m)
{
    shapes_free_triangles(m->triangles, m->shapes);
    bodies_free(&m->bodies);
    void *parts[] = {m->rest,           m->root,   m->like,      m->object_of, m->cloth,     m->held,  m->radius,
                     m->face,           m->vertex, m->corner,    m->sphere,    m->ellipsoid, m->radii, m->chain,
                     m->chain_particle, m->link,   m->link_rest, m->link_kind, m->in_body,   m->fluid};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    {
        free(parts[i]);
    }
    *m = (struct model){0};
}

void model_set_scene(struct model *m, const pl_scene_info *scene)
{
    unsigned sum = 0;
    for (const char *c = scene->name; *c; c++)
    {
        sum = sum * 5 + (unsigned char)*c;
    }
    m->palette = sum;
    m->froth_most = scene->has_diffuse ? scene->diffuse.capacity : 0;
    m->floor = scene->camera.has_floor ? scene->camera.floor : m->floor;
}

struct camera model_camera(const struct model *m, const pl_camera *camera, float aspect)
{
    if (camera->given)
    {
        return (struct camera){.eye = camera->eye, .target = camera->target, .fov = camera->fov};
    }
    return camera_fit(&m->start, aspect);
}
