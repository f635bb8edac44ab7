// rigid_sweeps.c: chooses how often a substep solves the contacts of rigid bodies.
//
// A contact yields by c/b W h^2 for each newton (kernels/rigid_contact.h), so a tall wall is an elastic column that its
// own weight makes buckle. Of boxes of width a, with n sweeps and c = c0/n, a column of L boxes stands up to
//   L^3 = 7.8/8 b/c0 n a/(g h^2),
// which is 31 for a = 1 m, 8 substeps and n = 1; measured: 30 stand, 50 fall, and 50 stand with n = 8. The height of a
// stack is the length of the shortest way from a body to the ground, over all pairs that may touch.
//
// A body of r times the mass of the lightest one below it, on k bodies, is a load at the top of a column. By Euler's
// formula it counts as much as 3 (r - 1) k^2 more of L^3, times g h^2/a relative to the values above. So 300 kg stand
// on seven boxes of 1 kg, of 10 cm at 20 substeps too.
#include "groups/rigid_contacts.h"

#include <math.h>
#include <string.h>

#define SWEEP_HEIGHT 30.0f
#define LOAD_COUNTS 5.0f // 3 would do for a column that stands straight

enum
{
    MOST_SWEEPS = 8
};

// The lightest body of a column and its smallest half width; the load that the column carries, as a part of L^3.
typedef struct column
{
    float mass, width, load;
} column;

// Bodies that may touch, as a graph: those next to body i are next[begin[i]] to next[begin[i + 1] - 1].
typedef struct body_graph
{
    int32_t *begin, *next, *level, *queue;
    int32_t waiting;
    column *column; // below each body, itself included
} body_graph;

static int32_t moving_slot(const pl_world *w, int32_t collider)
{
    const rigid_collider *k = &w->state.rigid_contacts.collider[collider];
    int32_t slot = (int32_t)(k->member / 4);
    return k->shape < 0 && present_inverse_mass(w, slot) > 0.0f ? slot : -1;
}

static void note_width(column *of, float width)
{
    of->width = of->width == 0.0f || width < of->width ? width : of->width;
}

static void link_bodies(const pl_world *w, body_graph *g)
{
    const rigid_contacts *c = &w->rigid_contacts;
    for (int64_t i = 0; i < c->pairs; i++)
    {
        if (rigid_is_apart(c, &c->pair[i]))
            continue;
        int32_t a = moving_slot(w, c->pair[i].a), b = moving_slot(w, c->pair[i].b);
        if (a >= 0)
            note_width(&g->column[a], c->collider[c->pair[i].a].width);
        if (b >= 0)
            note_width(&g->column[b], c->collider[c->pair[i].b].width);
        if (a >= 0 && b >= 0)
            g->begin[a + 2]++, g->begin[b + 2]++;
        int32_t low = a < 0 ? b : a; // it stands on the ground
        if ((a < 0) != (b < 0) && g->level[low] == 0)
            g->level[low] = 1, g->queue[g->waiting++] = low;
    }
    for (int32_t s = 1; s <= w->state.slots; s++)
        g->begin[s + 1] += g->begin[s];
    for (int64_t i = 0; i < c->pairs; i++)
    {
        if (rigid_is_apart(c, &c->pair[i]))
            continue;
        int32_t a = moving_slot(w, c->pair[i].a), b = moving_slot(w, c->pair[i].b);
        if (a >= 0 && b >= 0)
            g->next[g->begin[a + 1]++] = b, g->next[g->begin[b + 1]++] = a;
    }
}

// Puts a body on a column of so many bodies.
static void load_column(const pl_world *w, const column *below, int32_t bodies, int32_t slot, column *of)
{
    const float mass = 1.0f / present_inverse_mass(w, slot), more = mass / below->mass - 1.0f;
    of->load = below->load;
    if (more > 0.0f && below->width > 0.0f)
        of->load += LOAD_COUNTS * more * (float)bodies * (float)bodies / (2.0f * below->width);
    of->mass = mass < below->mass ? mass : below->mass;
    of->width = below->width < of->width ? below->width : of->width;
}

// The largest level, 1 for what stands on the ground, and the largest load.
static int32_t height_of(const pl_world *w, body_graph *g, float *load)
{
    int32_t highest = 0;
    for (int32_t i = 0; i < g->waiting; i++)
    {
        int32_t body = g->queue[i];
        highest = g->level[body];
        if (highest == 1)
            g->column[body].mass = 1.0f / present_inverse_mass(w, body);
        *load = g->column[body].load > *load ? g->column[body].load : *load;
        for (int32_t k = g->begin[body]; k < g->begin[body + 1]; k++)
            if (g->level[g->next[k]] == 0)
            {
                g->level[g->next[k]] = highest + 1, g->queue[g->waiting++] = g->next[k];
                load_column(w, &g->column[body], highest, g->next[k], &g->column[g->next[k]]);
            }
    }
    return highest;
}

// The height of an unloaded stack of boxes of 1 m, at 8 substeps of 1/60 s, that is as hard to hold.
static int32_t equal_height(const pl_world *w, int32_t height, float load)
{
    const float *g = &w->settings.gravity.x, pull = sqrtf(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
    const float step = 8.0f / (float)w->settings.substeps, most = 1000.0f;
    float cube = load * (pull / 9.81f) * step * step;
    int32_t equal = height;
    for (cube += (float)height * (float)height * (float)height; (float)equal < most; equal++)
        if (!((float)equal * (float)equal * (float)equal < cube))
            break;
    return equal;
}

pl_result rigid_contacts_measure(pl_world *w)
{
    rigid_contacts *c = &w->rigid_contacts;
    const int64_t slots = w->state.slots, columns = slots * (int64_t)(sizeof(column) / sizeof *c->graph);
    const int64_t tight = 6 * c->colliders, words = tight + columns + 3 * slots + 2 + 2 * c->pairs;
    pl_result result = array_reserve(&w->memory, &c->graph, &c->graph_capacity, words, sizeof *c->graph);
    if (result != PL_OK)
        return result;
    memset(c->graph + tight, 0, (size_t)(words - tight) * sizeof *c->graph);
    int32_t *from = c->graph + tight + columns;
    body_graph g = {
        from, from + 3 * slots + 2, from + slots + 2, from + 2 * slots + 2, 0, (column *)(void *)(c->graph + tight)};
    float load = 0.0f;
    link_bodies(w, &g);
    c->height = height_of(w, &g, &load);
    if (load > 0.0f)
        c->height = equal_height(w, c->height, load);
    return PL_OK;
}

int rigid_sweeps(const pl_world *w)
{
    if (w->settings.contact_sweeps)
        return w->settings.contact_sweeps;
    float part = (float)w->rigid_contacts.height / SWEEP_HEIGHT, need = part * part * part;
    int all = need > (float)MOST_SWEEPS ? MOST_SWEEPS : (int)need + ((float)(int)need < need);
    int each = (all + w->settings.iterations - 1) / w->settings.iterations;
    return each < 1 ? 1 : each;
}
