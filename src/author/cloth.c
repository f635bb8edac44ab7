// cloth.c: builds cloth from a grid or a triangle mesh.
//
// A grid is linked along its edges (stretch), across both diagonals of each cell (shear) and, for bending, over one
// particle to the next or by the angle at each edge. A mesh is linked along its edges and bends across them. Cloth made
// of a fabric has triangles that stretch and shear, in place of those links.
#include "author/elements.h"
#include "author/mesh_edges.h"

#include <math.h>
#include <string.h>

#define MOST_THICKNESS 3.0 // in distances between neighbours

pl_cloth_def pl_default_cloth_def(void)
{
    const pl_softness firm = {.stiffness = 1.0f};
    return (pl_cloth_def){
        .columns = 20,
        .rows = 20,
        .u = {1.0f, 0.0f, 0.0f},
        .v = {0.0f, 0.0f, 1.0f},
        .mass = 0.2f,
        .fabric = {.young_warp = 1e6f, .young_weft = 1e6f, .shear = 4e5f, .poisson = 0.2f, .thickness = 5e-4f},
        .stretch = firm,
        .shear = firm,
        .bend = firm,
        .bending = PL_BENDING_LINKS,
        .plastic = pl_default_plastic(),
        .drag = 1.0f,
        .tether_slack = 0.02f,
    };
}

// The cloth as plain arrays, from a grid or a mesh.
typedef struct sheet
{
    const pl_cloth_def *def;
    memory *m;
    bool grid;
    int32_t vertices;
    float *x, *mass;
    int64_t x_capacity, mass_capacity;
    int32_t *triangles;
    int64_t triangle_count, triangle_capacity;
    mesh_edges edges;
    int32_t *nearest;
    float *distance;
    int64_t nearest_capacity, distance_capacity;
} sheet;

// Returns the distance between the cloth's particles: for a mesh, the mean over its edges.
static double spacing_of(const pl_cloth_def *d)
{
    if (!d->vertices)
    {
        double u = sqrt((double)d->u.x * d->u.x + (double)d->u.y * d->u.y + (double)d->u.z * d->u.z) / (d->columns - 1);
        double v = sqrt((double)d->v.x * d->v.x + (double)d->v.y * d->v.y + (double)d->v.z * d->v.z) / (d->rows - 1);
        return u < v ? u : v;
    }
    double sum = 0.0;
    int64_t edges = 0;
    for (int64_t i = 0; i < 3 * (int64_t)d->triangle_count; i++)
    {
        int32_t a = d->triangles[i], b = d->triangles[i - i % 3 + (i + 1) % 3];
        if (a < 0 || b < 0 || a >= d->vertex_count || b >= d->vertex_count)
            continue; // reported later
        double square = 0.0;
        for (int c = 0; c < 3; c++)
        {
            double way = (double)d->vertices[3 * (int64_t)a + c] - (double)d->vertices[3 * (int64_t)b + c];
            square += way * way;
        }
        sum += sqrt(square);
        edges++;
    }
    return edges ? sum / (double)edges : 0.0;
}

// Limits the thickness: beyond a few times the spacing, every triangle is near hundreds of others of its own cloth.
static pl_result check_thickness(const pl_cloth_def *d)
{
    double spacing = d->thickness > 0.0f ? spacing_of(d) : 0.0;
    if (spacing > 0.0 && (double)d->thickness > MOST_THICKNESS * spacing)
        return fail(PL_ERROR_ARGUMENT,
                    "cloth: thickness is %g m, but its particles are %g m apart; it must be at most %g times that; a "
                    "third to a half of it works well",
                    (double)d->thickness, spacing, MOST_THICKNESS);
    return PL_OK;
}

// Checks that a grid spans an area, however small. Links would accept a degenerate one and hold it as a thread that
// nothing unfolds.
static pl_result check_sides(const pl_cloth_def *d)
{
    double u[3] = {d->u.x, d->u.y, d->u.z}, v[3] = {d->v.x, d->v.y, d->v.z}, area = 0.0, most = 0.0;
    for (int c = 0; c < 3; c++)
    {
        double part = u[(c + 1) % 3] * v[(c + 2) % 3] - u[(c + 2) % 3] * v[(c + 1) % 3];
        area += part * part;
    }
    most = (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]) * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    if (area <= 1e-20 * most)
        return fail(PL_ERROR_ARGUMENT,
                    "cloth: u is (%g, %g, %g) and v is (%g, %g, %g), which span no area; give two directions", u[0],
                    u[1], u[2], v[0], v[1], v[2]);
    return PL_OK;
}

static pl_result check_cloth(const pl_cloth_def *d)
{
    if (!d->vertices && (d->columns < 2 || d->rows < 2 || (int64_t)d->columns * d->rows > INT32_MAX / 32))
        return fail(PL_ERROR_ARGUMENT,
                    "cloth: the grid is %d x %d; it must be at least 2 x 2 and hold at most %d particles", d->columns,
                    d->rows, INT32_MAX / 32);
    if (d->vertices && !d->triangles)
        return fail(PL_ERROR_ARGUMENT, "cloth: the mesh has vertices, and its triangles are NULL; give both");
    if (d->vertices && (d->vertex_count < 3 || d->triangle_count < 1 || d->vertex_count > INT32_MAX / 32 ||
                        d->triangle_count > INT32_MAX / 32))
        return fail(
            PL_ERROR_ARGUMENT,
            "cloth: the mesh has %d vertices and %d triangles; it must have at least one triangle, and at most %d",
            d->vertex_count, d->triangle_count, INT32_MAX / 32);
    if (!(d->mass > 0.0f && CHECK_FINITE(d->mass)))
        return fail(PL_ERROR_ARGUMENT, "cloth: mass is %g kg; it must be above 0", (double)d->mass);
    if (!(d->tether_slack >= 0.0f && d->tether_slack < 1e6f))
        return fail(PL_ERROR_ARGUMENT, "cloth: tether_slack is %g; it must be 0 or above", (double)d->tether_slack);
    if (!(d->thickness >= 0.0f && d->thickness < 1e6f))
        return fail(PL_ERROR_ARGUMENT,
                    "cloth: thickness is %g m; it must be above 0 and below 1e6, or 0 for no colliding surface",
                    (double)d->thickness);
    if ((unsigned)d->bending > PL_BENDING_ISOMETRIC)
        return fail(PL_ERROR_ARGUMENT, "cloth: bending is %d; it must be one of pl_bending", (int)d->bending);
    if (!(d->plastic.yield == 0.0f) && d->bending != PL_BENDING_DIHEDRAL)
        return fail(PL_ERROR_ARGUMENT, "cloth: plastic.yield is %g, which needs dihedral bending",
                    (double)d->plastic.yield);
    if (d->pinned_count < 0 || (d->pinned_count && !d->pinned))
        return fail(PL_ERROR_ARGUMENT, "cloth: pinned_count is %d; pinned must hold as many numbers", d->pinned_count);
    pl_result result = d->vertices ? PL_OK : check_sides(d);
    if (result == PL_OK)
        result = check_thickness(d);
    if (result == PL_OK)
        result = check_fabric("cloth", d->model, &d->fabric);
    if (result != PL_OK)
        return result;
    int count = d->vertices ? d->vertex_count : d->columns * d->rows;
    for (int i = 0; i < d->pinned_count; i++)
        if (d->pinned[i] < 0 || d->pinned[i] >= count)
            return fail(PL_ERROR_ARGUMENT, "cloth: pinned particle %d does not exist; numbers go from 0 to %d",
                        d->pinned[i], count - 1);
    for (int64_t i = 0; d->vertices && i < 3 * (int64_t)d->triangle_count; i++)
        if (d->triangles[i] < 0 || d->triangles[i] >= count)
            return fail(PL_ERROR_ARGUMENT, "cloth: triangle %lld names vertex %d; numbers go from 0 to %d",
                        (long long)i / 3, d->triangles[i], count - 1);
    return PL_OK;
}

static pl_result reserve(sheet *s)
{
    pl_result r = array_reserve(s->m, &s->x, &s->x_capacity, 3 * (int64_t)s->vertices, sizeof *s->x);
    if (r == PL_OK)
        r = array_reserve(s->m, &s->mass, &s->mass_capacity, s->vertices, sizeof *s->mass);
    if (r == PL_OK)
        r = array_reserve(s->m, &s->triangles, &s->triangle_capacity, 3 * s->triangle_count, sizeof *s->triangles);
    return r;
}

// Each particle gets a quarter of the mass of each cell that it is a corner of: a particle inside the mass of a cell,
// one on an edge half, a corner a quarter. A third of each triangle would alternate from particle to particle, as the
// diagonals do.
static float grid_share(const pl_cloth_def *d, int column, int row)
{
    bool at_side = column == 0 || column + 1 == d->columns, at_end = row == 0 || row + 1 == d->rows;
    return (at_side ? 0.5f : 1.0f) * (at_end ? 0.5f : 1.0f);
}

static void fill_grid(sheet *s)
{
    const pl_cloth_def *d = s->def;
    int32_t *t = s->triangles;
    double cell = (double)d->mass / ((double)(d->columns - 1) * (double)(d->rows - 1));
    for (int r = 0; r < d->rows; r++)
        for (int c = 0; c < d->columns; c++)
        {
            float a = (float)c / (float)(d->columns - 1), b = (float)r / (float)(d->rows - 1);
            int32_t at = r * d->columns + c;
            s->x[3 * at] = d->origin.x + a * d->u.x + b * d->v.x;
            s->x[3 * at + 1] = d->origin.y + a * d->u.y + b * d->v.y;
            s->x[3 * at + 2] = d->origin.z + a * d->u.z + b * d->v.z;
            s->mass[at] = (float)cell * grid_share(d, c, r);
            if (r + 1 == d->rows || c + 1 == d->columns)
                continue;
            int32_t right = at + 1, below = at + d->columns, both = below + 1;
            // Diagonals alternate, so that the cloth has no preferred direction.
            const int32_t even[6] = {at, below, right, right, below, both}, odd[6] = {at, below, both, at, both, right};
            memcpy(t, (r + c) % 2 ? odd : even, sizeof even);
            t += 6;
        }
}

static float triangle_area(const float *x, const int32_t *t)
{
    float e[2][3];
    for (int c = 0; c < 3; c++)
    {
        e[0][c] = x[3 * t[1] + c] - x[3 * t[0] + c];
        e[1][c] = x[3 * t[2] + c] - x[3 * t[0] + c];
    }
    float n[3] = {e[0][1] * e[1][2] - e[0][2] * e[1][1], e[0][2] * e[1][0] - e[0][0] * e[1][2],
                  e[0][0] * e[1][1] - e[0][1] * e[1][0]};
    return 0.5f * sqrtf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
}

// Each vertex gets a third of the mass of its triangles.
static pl_result fill_mesh(sheet *s)
{
    const pl_cloth_def *d = s->def;
    double total = 0.0;
    memcpy(s->x, d->vertices, 3 * (size_t)s->vertices * sizeof *s->x);
    memcpy(s->triangles, d->triangles, 3 * (size_t)s->triangle_count * sizeof *s->triangles);
    memset(s->mass, 0, (size_t)s->vertices * sizeof *s->mass);
    for (int64_t i = 0; i < s->triangle_count; i++)
    {
        const int32_t *t = s->triangles + 3 * i;
        float area = triangle_area(s->x, t);
        if (!(area > 0.0f && CHECK_FINITE(area)))
            return fail(PL_ERROR_ARGUMENT,
                        "cloth: triangle %lld (vertices %d, %d, %d) has no area; leave it out or repair the mesh",
                        (long long)i, t[0], t[1], t[2]);
        total += (double)area;
        for (int c = 0; c < 3; c++)
            s->mass[t[c]] += area / 3.0f;
    }
    for (int32_t v = 0; v < s->vertices; v++)
    {
        if (s->mass[v] == 0.0f)
            return fail(PL_ERROR_ARGUMENT, "cloth: vertex %d belongs to no triangle; leave it out or repair the mesh",
                        v);
        s->mass[v] = (float)((double)s->mass[v] / total * (double)d->mass);
    }
    return PL_OK;
}

// Links each particle to the one (dc, dr) away.
static void link_grid(build *b, const pl_cloth_def *d, int dc, int dr)
{
    for (int r = 0; r < d->rows; r++)
        for (int c = 0; c < d->columns; c++)
            if (c + dc >= 0 && c + dc < d->columns && r + dr < d->rows)
                build_index(b, 2, (int32_t[]){r * d->columns + c, (r + dr) * d->columns + c + dc});
}

static void build_grid_links(build *b, const pl_cloth_def *d)
{
    if (d->model == PL_CLOTH_LINKS)
    {
        link_grid(b, d, 1, 0);
        link_grid(b, d, 0, 1);
        build_rows(b, PL_KIND_DISTANCE, d->stretch);
        build_strength(b, d->strength);
        link_grid(b, d, 1, 1);
        link_grid(b, d, -1, 1);
        build_rows(b, PL_KIND_DISTANCE, d->shear);
        build_strength(b, d->strength);
    }
    if (d->bending != PL_BENDING_LINKS)
        return;
    link_grid(b, d, 2, 0);
    link_grid(b, d, 0, 2);
    build_rows(b, PL_KIND_DISTANCE, d->bend);
}

static void build_hinges(build *b, const sheet *s)
{
    const pl_cloth_def *d = s->def;
    bool links = d->bending == PL_BENDING_LINKS;
    if (d->bending == PL_BENDING_NONE || (links && s->grid))
        return;
    for (int64_t i = 0; i < s->edges.count; i++)
    {
        const hinge *h = &s->edges.edges[i];
        if (h->d < 0)
            continue;
        if (links)
            build_index(b, 2, (int32_t[]){h->c, h->d});
        else
            build_index(b, 4, (int32_t[]){h->a, h->b, h->c, h->d});
    }
    build_rows(b,
               links                               ? PL_KIND_DISTANCE
               : d->bending == PL_BENDING_DIHEDRAL ? PL_KIND_DIHEDRAL
                                                   : PL_KIND_ISOMETRIC,
               d->bend);
    build_plastic(b, &d->plastic);
}

static float straight(const float *x, int32_t a, int32_t b)
{
    float dx = x[3 * a] - x[3 * b], dy = x[3 * a + 1] - x[3 * b + 1], dz = x[3 * a + 2] - x[3 * b + 2];
    return sqrtf(dx * dx + dy * dy + dz * dz);
}

// Adds long-range attachments. A flat grid has straight geodesics; on a mesh the path along its edges is used, which is
// never too short, so that a tether never pulls at a cloth that is not stretched.
static pl_result build_tethers(build *b, sheet *s)
{
    const pl_cloth_def *d = s->def;
    pl_result r = array_reserve(s->m, &s->nearest, &s->nearest_capacity, s->vertices, sizeof *s->nearest);
    if (r == PL_OK)
        r = array_reserve(s->m, &s->distance, &s->distance_capacity, s->vertices, sizeof *s->distance);
    if (r == PL_OK)
        r = mesh_nearest(s->m, s->x, s->vertices, &s->edges, d->pinned, d->pinned_count, s->nearest, s->distance);
    for (int32_t v = 0; r == PL_OK && v < s->vertices; v++)
    {
        if (s->nearest[v] < 0 || s->nearest[v] == v)
            continue;
        float reach = s->grid ? straight(s->x, v, s->nearest[v]) : s->distance[v];
        build_index(b, 2, (int32_t[]){v, s->nearest[v]});
        build_param(b, reach * (1.0f + d->tether_slack));
    }
    build_rows(b, PL_KIND_TETHER, (pl_softness){.stiffness = 1.0f});
    return r;
}

static void build_cloth(build *b, sheet *s)
{
    const pl_cloth_def *d = s->def;
    for (int i = 0; i < d->pinned_count; i++)
        s->mass[d->pinned[i]] = 0.0f;
    pl_particles_def particles = {.count = s->vertices, .position = s->x, .mass = s->mass};
    build_particles(b, &particles);
    if (d->thickness > 0.0f)
        build_thickness(b, s->vertices, d->thickness);
    if (s->grid)
        build_grid_links(b, d);
    else if (d->model == PL_CLOTH_LINKS)
    {
        for (int64_t i = 0; i < s->edges.count; i++)
            build_index(b, 2, (int32_t[]){s->edges.edges[i].a, s->edges.edges[i].b});
        build_rows(b, PL_KIND_DISTANCE, d->stretch);
        build_strength(b, d->strength);
    }
    build_fabric(b, d->model, &d->fabric, d->u, s->x, s->triangles, s->triangle_count);
    if (d->model != PL_CLOTH_LINKS)
        build_strength(b, d->strength);
    build_hinges(b, s);
    if (d->tethers && d->pinned_count && b->result == PL_OK)
    {
        pl_result r = build_tethers(b, s);
        b->result = b->result == PL_OK ? r : b->result;
    }
    for (int64_t i = 0; i < s->triangle_count; i++)
        build_index(b, 3, s->triangles + 3 * i);
    build_faces(b, d->drag, d->lift);
}

pl_result pl_add_cloth(pl_world *w, const pl_cloth_def *def, pl_id *object)
{
    NEED(w);
    NEED(def);
    PLAIN_ROUNDING;
    pl_result result = check_cloth(def);
    if (result != PL_OK)
        return result;
    sheet s = {.def = def, .m = &w->memory, .grid = !def->vertices};
    s.vertices = s.grid ? def->columns * def->rows : def->vertex_count;
    s.triangle_count = s.grid ? 2 * (int64_t)(def->columns - 1) * (def->rows - 1) : def->triangle_count;
    build b = {.w = w};
    result = reserve(&s);
    if (result == PL_OK && s.grid)
        fill_grid(&s);
    else if (result == PL_OK)
        result = fill_mesh(&s);
    if (result == PL_OK)
        result = mesh_edges_of_triangles(s.m, s.triangles, s.triangle_count, &s.edges);
    if (result == PL_OK)
    {
        build_cloth(&b, &s);
        result = build_end(&b, object);
    }
    array_free(s.m, &s.x, &s.x_capacity, sizeof *s.x);
    array_free(s.m, &s.mass, &s.mass_capacity, sizeof *s.mass);
    array_free(s.m, &s.triangles, &s.triangle_capacity, sizeof *s.triangles);
    array_free(s.m, &s.nearest, &s.nearest_capacity, sizeof *s.nearest);
    array_free(s.m, &s.distance, &s.distance_capacity, sizeof *s.distance);
    mesh_edges_free(s.m, &s.edges);
    return result;
}
