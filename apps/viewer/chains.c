// chains.c: finds the rows in a set of links, so that a rope becomes one smooth tube. Where more than two links meet there
// is no row, and each link is a rod of its own.
#include "message.h"
#include "model.h"

#include <stdlib.h>
#include <string.h>

struct walk
{
    struct model *m;
    int32_t *next; // two neighbours for each particle, or -1
    int32_t *row;  // the row a particle is in, or -1
    const float *position;
    float scale;
    enum chain_style style;
};

static bool reserve_row(struct model *m, int particles)
{
    struct chain *chain = realloc(m->chain, (size_t)(m->chains + 1) * sizeof *chain);
    m->chain = chain ? chain : m->chain;
    int32_t *list = realloc(m->chain_particle, (size_t)(m->chain_particles + particles) * sizeof *list);
    m->chain_particle = list ? list : m->chain_particle;
    return chain && list ? true : trouble("no memory for the ropes; use a smaller scene");
}

bool chain_add(struct model *m, const int32_t *particles, int count, enum chain_style style, float radius)
{
    if (!reserve_row(m, count))
    {
        return false;
    }
    memcpy(m->chain_particle + m->chain_particles, particles, (size_t)count * sizeof *particles);
    m->chain[m->chains++] =
        (struct chain){.first = m->chain_particles, .count = count, .style = style, .radius = radius};
    m->chain_particles += count;
    return true;
}

static float row_radius(const struct walk *w, const int32_t *list, int count)
{
    float sum = 0.0f;
    for (int i = 1; i < count; i++)
    {
        sum += length(sub(v3_at(w->position + 3 * list[i]), v3_at(w->position + 3 * list[i - 1])));
    }
    float link = sum / (float)(count > 1 ? count - 1 : 1);
    float thick = w->style == CHAIN_ROD ? 0.022f * w->scale : 0.016f * w->scale;
    // Much thinner than its links are long, it would look like wire; thicker, it would fold into itself.
    if (w->style == CHAIN_HEM)
    {
        return fminf(0.0032f * w->scale, 0.3f * link);
    }
    return w->style == CHAIN_POLE ? 0.018f * w->scale : fmaxf(fminf(thick, 0.6f * link), 0.006f * w->scale);
}

static bool add_row(struct walk *w, int32_t start)
{
    struct model *m = w->m;
    int first = m->chain_particles, count = 0;
    int32_t before = -1, at = start;
    bool closed = false;
    while (at >= 0)
    {
        if (!reserve_row(m, count + 1))
        {
            return false;
        }
        m->chain_particle[first + count++] = at;
        w->row[at] = m->chains;
        int32_t *n = w->next + 2 * (size_t)at, to = n[0] >= 0 && n[0] != before ? n[0] : n[1] != before ? n[1] : -1;
        before = at;
        at = to;
        if (at == start)
        {
            closed = true;
            break;
        }
    }
    m->chain[m->chains++] = (struct chain){.first = first,
                                           .count = count,
                                           .closed = closed && count > 2,
                                           .style = w->style == CHAIN_ROPE && count == 2 ? CHAIN_ROD : w->style,
                                           .radius = row_radius(w, m->chain_particle + first, count)};
    m->chain_particles += count;
    return true;
}

// False where more than two links meet.
static bool join(struct walk *w, const int32_t *pairs, int count)
{
    for (int i = 0; i < 2 * count; i++)
    {
        int32_t *n = w->next + 2 * (size_t)pairs[i];
        int32_t other = pairs[i ^ 1];
        if (n[0] == other || n[1] == other)
        {
            continue;
        }
        if (n[1] >= 0)
        {
            return false;
        }
        n[n[0] >= 0] = other;
    }
    return true;
}

static bool add_rows(struct walk *w, const int32_t *pairs, int count)
{
    for (int ends = 1; ends >= 0; ends--) // rows with ends first; what is left then are rings
    {
        for (int i = 0; i < 2 * count; i++)
        {
            const int32_t *n = w->next + 2 * (size_t)pairs[i];
            bool is_end = n[1] < 0;
            if (w->row[pairs[i]] < 0 && is_end == (ends == 1) && !add_row(w, pairs[i]))
            {
                return false;
            }
        }
    }
    return true;
}

static bool add_rods(struct walk *w, const int32_t *pairs, int count)
{
    w->style = w->style == CHAIN_ROPE ? CHAIN_ROD : w->style;
    for (int i = 0; i < count; i++)
    {
        for (int k = 0; k < 2; k++)
        {
            w->next[2 * (size_t)pairs[2 * i + k]] = pairs[2 * i + 1 - k];
            w->next[2 * (size_t)pairs[2 * i + k] + 1] = -1;
        }
        if (!add_row(w, pairs[2 * i]))
        {
            return false;
        }
    }
    return true;
}

static void mark_known(struct walk *w)
{
    const struct model *m = w->m;
    for (int c = 0; c < m->chains; c++)
    {
        for (int i = 0; i < m->chain[c].count; i++)
        {
            w->row[m->chain_particle[m->chain[c].first + i]] = c;
        }
    }
}

bool chains_add(struct model *m, const int32_t *pairs, int count, enum chain_style style, const float *position)
{
    size_t size = (size_t)m->particles + 1;
    struct walk w = {.m = m, .position = position, .scale = bounds_radius(&m->start), .style = style};
    w.next = malloc(2 * size * sizeof *w.next);
    w.row = malloc(size * sizeof *w.row);
    int32_t *fresh = malloc((size_t)(2 * count + 1) * sizeof *fresh);
    bool good = w.next && w.row && fresh;
    int kept = 0;
    if (good)
    {
        memset(w.next, 0xff, 2 * size * sizeof *w.next);
        memset(w.row, 0xff, size * sizeof *w.row);
        mark_known(&w);
        for (int i = 0; i < count; i++) // skip-one links of a rope lie within a row that is there
        {
            int32_t a = w.row[pairs[2 * i]], b = w.row[pairs[2 * i + 1]];
            if (a < 0 || a != b)
            {
                memcpy(fresh + 2 * (size_t)kept++, pairs + 2 * (size_t)i, 2 * sizeof *fresh);
            }
        }
        memset(w.row, 0xff, size * sizeof *w.row);
        good = join(&w, fresh, kept) ? add_rows(&w, fresh, kept) : add_rods(&w, fresh, kept);
    }
    else
    {
        trouble("no memory for the ropes; use a smaller scene");
    }
    free(w.next);
    free(w.row);
    free(fresh);
    return good;
}
