// surface_forces.c: measures the forces that collision surfaces exert on particles, for events.c.
//
// A surface pair has four corners and pushes corner i by c_i (lambda n + lambda_t) (kernels/surface_contact.h). All
// pushes of one object on one particle are reported as one contact, whether one triangle or ten edges cause them: the
// elements change as objects slide, but the contact does not. The contact of a free particle is reported for that
// particle; the corners of the triangle under it do not report it again.
#include "collide/collision_filter.h"
#include "kernels/surface_contact.h"
#include "model/world.h"
#include "neighbours/surface/surfaces.h"

static bool is_pressed(const surface_pair *p) { return p->mode <= SURFACE_EDGES && !p->off; }

static int32_t first_side(const surface_pair *p) { return p->mode == SURFACE_VERTEX ? 1 : 2; }

static uint64_t object_of_slot(const pl_world *w, int32_t slot)
{
    return bits_of(w->state.slot[SLOT_REST][4 * (size_t)slot + 3]);
}

// The number of corners of a pair that report a contact.
static int32_t corners_reported(const pl_world *w, const surface_pair *p)
{
    if (!is_pressed(p))
        return 0;
    return p->mode == SURFACE_VERTEX && !is_surface(w->state.slot[SLOT_COLLISION], p->a) ? 1 : 4;
}

// ---- contacts by particle and object -------------------------------------------------------------------------------

static void fill_marks(const pl_world *w, surface_marks *m)
{
    const surfaces *k = &w->surfaces;
    int64_t at = 0;
    for (int64_t i = 0; i < k->pairs.count; i++)
    {
        const surface_pair *p = &k->pairs.items[i];
        int32_t corner[4], reported = corners_reported(w, p), side = first_side(p);
        if (reported)
            surface_corners(k, p, corner);
        for (int32_t c = 0; c < reported; c++, at++)
        {
            uint64_t whose = object_of_slot(w, corner[c < side ? side : 0]);
            m->sorted.key[at] = (uint64_t)corner[c] << m->bits | whose;
            m->sorted.value[at] = (int32_t)(4 * i + c);
        }
    }
}

// The sort is stable: the corners of a contact stay in the order of the pairs, with any number of threads.
static pl_result open_marks(pl_world *w)
{
    const surfaces *k = &w->surfaces;
    surface_marks *m = &w->events.marks;
    parallel threads = cpu_parallel(&w->cpu);
    int64_t corners = 0;
    m->count = 0;
    for (int64_t i = 0; has_surface(w) && k->listed && i < k->pairs.count; i++)
        corners += corners_reported(w, &k->pairs.items[i]);
    pl_result r = sortable_reserve(&w->memory, &m->sorted, m->sorted_capacity, corners);
    if (r == PL_OK)
        r = array_reserve(&w->memory, &m->start, &m->start_capacity, corners + 1, sizeof *m->start);
    if (r != PL_OK || !corners)
        return r;
    m->bits = cell_bits(w->entry_count);
    fill_marks(w, m);
    radix_sort(&m->sorted, corners, m->bits + cell_bits(w->state.slots), &threads);
    for (int64_t i = 0; i < corners; i++)
        if (i == 0 || m->sorted.key[i] != m->sorted.key[i - 1])
            m->start[m->count++] = (int32_t)i;
    m->start[m->count] = (int32_t)corners;
    return PL_OK;
}

static int64_t mark_count(const pl_world *w) { return w->events.marks.count; }

static contact_name name_mark(const pl_world *w, int64_t i)
{
    const surface_marks *m = &w->events.marks;
    uint64_t key = m->sorted.key[m->start[i]];
    return (contact_name){PL_CONTACT_SURFACE, w->number_of[key >> m->bits],
                          (int32_t)(key & (((uint64_t)1 << m->bits) - 1))};
}

// ---- forces --------------------------------------------------------------------------------------------------------

static float size_of(float a) { return a < 0.0f ? -a : a; }

// The point half-way between the closest points of the two elements.
static void find_point(const pl_world *w, const int32_t *corner, size_t row, float *point)
{
    for (size_t c = 0; c < 3; c++)
    {
        float sum = 0.0f;
        for (int i = 0; i < 4; i++)
            sum += size_of(w->state.surfaces.weight[i][row]) * w->state.slot[SLOT_X][4 * (size_t)corner[i] + c];
        point[c] = 0.5f * sum;
    }
}

// The corner of the other side with the largest weight, which is the nearest.
static int32_t find_other(const pl_world *w, int32_t side, const int32_t *corner, size_t row, int32_t own)
{
    float *const *weight = w->state.surfaces.weight;
    int32_t from = own < side ? side : 0, to = own < side ? 4 : side, best = from;
    for (int32_t i = from + 1; i < to; i++)
        if (size_of(weight[i][row]) > size_of(weight[best][row]))
            best = i;
    return corner[best];
}

static reading read_mark(const pl_world *w, int64_t i)
{
    const surfaces *k = &w->surfaces;
    const surface_marks *m = &w->events.marks;
    const packed_surface *s = &w->state.surfaces;
    reading r = {.other = -1};
    float whole[3] = {0}, most = 0.0f;
    for (int32_t e = m->start[i]; e < m->start[i + 1]; e++)
    {
        const surface_pair *p = &k->pairs.items[m->sorted.value[e] >> 2];
        int32_t own = m->sorted.value[e] & 3, corner[4];
        size_t row = (size_t)k->row[m->sorted.value[e] >> 2];
        float c = s->weight[own][row], lambda = s->lambda[0][row], part = size_of(c) * lambda;
        if (!(part > 0.0f))
            continue;
        r.lambda += part; // the magnitudes are added, as a fold may press from both sides
        for (int d = 0; d < 3; d++)
        {
            float normal = lambda * s->normal[d][row];
            whole[d] += c * normal;
            r.push[d] += c * (normal + s->lambda[1 + d][row]);
        }
        if (!(part > most))
            continue;
        most = part;
        surface_corners(k, p, corner);
        find_point(w, corner, row, r.point);
        r.other = find_other(w, first_side(p), corner, row, own);
        for (int d = 0; d < 3; d++)
            r.normal[d] = c < 0.0f ? -s->normal[d][row] : s->normal[d][row];
    }
    float size = __builtin_sqrtf(whole[0] * whole[0] + whole[1] * whole[1] + whole[2] * whole[2]);
    for (int d = 0; d < 3 && size > 0.0f; d++)
        r.normal[d] = whole[d] / size;
    size_t slot = (size_t)(m->sorted.key[m->start[i]] >> m->bits);
    const float *x = w->state.slot[SLOT_X] + 4 * slot, *collision = w->state.slot[SLOT_COLLISION];
    for (int d = 0; d < 3 && !is_surface(collision, (int32_t)slot); d++) // free particle: point on its sphere
        r.point[d] = x[d] - collision[4 * slot] * r.normal[d];
    return r;
}

const press_source surface_presses = {open_marks, mark_count, read_mark, name_mark};
