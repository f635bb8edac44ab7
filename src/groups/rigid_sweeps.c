// rigid_sweeps.c: chooses how often a substep solves the contacts of rigid bodies.
//
// A contact yields by c/b W h^2 for each newton (kernels/rigid_contact.h), so a tall wall is an elastic column that its
// own weight makes buckle. Of boxes of width a, with n sweeps and c = c0/n, a column of L boxes stands up to
//   L^3 = 7.8/8 b/c0 n a/(g h^2),
// which is 31 for a = 1 m, 8 substeps and n = 1; measured: 30 stand, 50 fall, and 50 stand with n = 8. The height of a
// stack is the length of the shortest way from a body to the ground, over all pairs that may touch.
#include "groups/rigid_contacts.h"

#include <string.h>

#define SWEEP_HEIGHT 30.0f

enum
{
    MOST_SWEEPS = 8
};

// Bodies that may touch, as a graph: those next to body i are next[begin[i]] to next[begin[i + 1] - 1].
typedef struct body_graph
{
    int32_t *begin, *next, *level, *queue;
    int32_t waiting;
} body_graph;

static int32_t moving_slot(const pl_world *w, int32_t collider)
{
    const rigid_collider *k = &w->state.rigid_contacts.collider[collider];
    int32_t slot = (int32_t)(k->member / 4);
    return k->shape < 0 && present_inverse_mass(w, slot) > 0.0f ? slot : -1;
}

static void link_bodies(const pl_world *w, body_graph *g)
{
    const rigid_contacts *c = &w->rigid_contacts;
    for (int64_t i = 0; i < c->pairs; i++)
    {
        int32_t a = moving_slot(w, c->pair[i].a), b = moving_slot(w, c->pair[i].b);
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
        int32_t a = moving_slot(w, c->pair[i].a), b = moving_slot(w, c->pair[i].b);
        if (a >= 0 && b >= 0)
            g->next[g->begin[a + 1]++] = b, g->next[g->begin[b + 1]++] = a;
    }
}

// The largest level: 1 for what stands on the ground.
static int32_t height_of(body_graph *g)
{
    int32_t highest = 0;
    for (int32_t i = 0; i < g->waiting; i++)
    {
        int32_t body = g->queue[i];
        highest = g->level[body];
        for (int32_t k = g->begin[body]; k < g->begin[body + 1]; k++)
            if (g->level[g->next[k]] == 0)
                g->level[g->next[k]] = highest + 1, g->queue[g->waiting++] = g->next[k];
    }
    return highest;
}

pl_result rigid_contacts_measure(pl_world *w)
{
    rigid_contacts *c = &w->rigid_contacts;
    const int64_t slots = w->state.slots, words = 3 * slots + 2 + 2 * c->pairs;
    pl_result result = array_reserve(&w->memory, &c->graph, &c->graph_capacity, words, sizeof *c->graph);
    if (result != PL_OK)
        return result;
    memset(c->graph, 0, (size_t)words * sizeof *c->graph);
    body_graph g = {c->graph, c->graph + 3 * slots + 2, c->graph + slots + 2, c->graph + 2 * slots + 2, 0};
    link_bodies(w, &g);
    c->height = height_of(&g);
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
