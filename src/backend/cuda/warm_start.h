// warm_start.h: the warm start of pairs, gathered: each particle's thread adds up the pushes of its pairs with the
// multipliers of the last substep (per_particle.h, rigid_fused.cu).
#pragma once
#include "backend/cuda/list_validity.h"
#include "stages/contact_stages.h"

// The indices that a thread can read before the previous kernel ends: no kernel writes them between two lists
// (contact_pair.h). AtOnce: the number of pairs whose rows are loaded together.
template <int AtOnce> struct per_particle_prefetch
{
    int32_t slot, sorted_index, first, last, from, upto;
    int32_t entry[AtOnce];
    uint32_t a[AtOnce], b[AtOnce];

    __device__ __forceinline__ void near(const list_arrays *l)
    {
        if (slot < l->live)
            first = l->near_first[slot], last = l->near_first[slot + 1];
    }

    __device__ __forceinline__ void pairs(const list_arrays *l)
    {
        const int32_t *start = l->start + l->items + 1;
        int32_t all = l->search->pairs;
        from = start[sorted_index] - all, upto = start[sorted_index + 1] - all;
        name(l);
    }

    __device__ __forceinline__ void name(const list_arrays *l)
    {
        UNROLL
        for (int i = 0; i < AtOnce; i++)
            entry[i] = from < upto ? l->entry[from + i < upto ? from + i : from] : 0;
        UNROLL
        for (int i = 0; i < AtOnce; i++)
            if (AtOnce > 1 && from < upto)
                a[i] = l->pairs.index[0][entry[i] >> 1], b[i] = l->pairs.index[1][entry[i] >> 1];
    }
};

// The two particles of a pair are handled by two threads, which must use the same multipliers whichever comes first.
// The thread that changes them stores the normal one with a negative sign as a mark; load_lambda ignores the sign.
static __device__ __forceinline__ void mark_lambda(const state *s, size_t k, contact_lambda before, contact_lambda h)
{
    contact_lambda marked = {h.normal > 0.0f ? -h.normal : 0.0f, h.tangent};
    if (h.normal != before.normal || h.tangent.x != before.tangent.x || h.tangent.y != before.tangent.y ||
        h.tangent.z != before.tangent.z)
        store_lambda(s->pairs.lambda, k, marked);
}

// Removes the mark. Returns false if the other particle's thread has already changed the multipliers.
static __device__ __forceinline__ bool unmarked(contact_lambda *h)
{
    bool yes = !(h->normal < 0.0f);
    h->normal = magnitude(h->normal);
    return yes;
}

static __device__ __forceinline__ vec warm_push(const state *s, size_t k, const uint32_t *a, const uint32_t *b,
                                                contact_lambda *h)
{
    bool recall = unmarked(h);
    contact_lambda before = *h;
    vec push = pair_push(s, &s->pairs, k, a, b, recall, h);
    mark_lambda(s, k, before, *h);
    return push;
}

// Adds the pushes of the particle's pairs, one after the other, in the order in which pairs are solved (warm_pairs).
template <int AtOnce>
static __device__ __forceinline__ void warm_start_particle(const state *s, const list_arrays *l,
                                                           per_particle_prefetch<AtOnce> &me)
{
    float *d = s->slot[SLOT_D] + 4 * (size_t)me.slot;
    point a = load_points(d);
    for (; me.from < me.upto; me.from += AtOnce, me.name(l))
    {
        contact_lambda h[AtOnce];
        vec push[AtOnce];
        bool presses = false;
        UNROLL
        for (int i = 0; i < AtOnce; i++)
            h[i] = load_signed_lambda(s->pairs.lambda, (size_t)(me.entry[i] >> 1));
        UNROLL
        for (int i = 0; i < AtOnce; i++)
        {
            h[i].normal = me.from + i < me.upto ? h[i].normal : 0.0f;
            presses |= h[i].normal != 0.0f;
        }
        if (!presses)
            continue;
        if (AtOnce == 1) // a large scene is bound by memory bandwidth: reads the indices only if the pair presses
            me.a[0] = l->pairs.index[0][me.entry[0] >> 1], me.b[0] = l->pairs.index[1][me.entry[0] >> 1];
        UNROLL
        for (int i = 0; i < AtOnce; i++)
            push[i] = warm_push(s, (size_t)(me.entry[i] >> 1), me.a + i, me.b + i, &h[i]);
        UNROLL
        for (int i = 0; i < AtOnce; i++)
            if (h[i].normal != 0.0f && me.entry[i] & 1)
                pulled(&a, push[i]);
            else if (h[i].normal != 0.0f)
                pushed(&a, push[i]);
    }
    store_points(d, a);
}

#if defined(CONTACTS_TURN)
// The same for scenes with oriented particles; one pair after the other.
static __device__ __forceinline__ void warm_start_oriented(const state *s, const list_arrays *l,
                                                           per_particle_prefetch<1> &me)
{
    float *d = s->slot[SLOT_D] + 4 * (size_t)me.slot;
    point here = load_points(d);
    for (; me.from < me.upto; me.from++)
    {
        size_t k = (size_t)(l->entry[me.from] >> 1);
        bool second = l->entry[me.from] & 1;
        uint32_t ia = l->pairs.index[0][k], ib = l->pairs.index[1][k];
        contact_lambda h = load_signed_lambda(s->pairs.lambda, k);
        vec push, rotation_a = {}, rotation_b = {};
        if (h.normal == 0.0f)
            continue;
        bool oriented = pairs_oriented(s, &s->pairs, k), recall = oriented && unmarked(&h);
        contact_lambda before = h;
        oriented_particle ta = oriented_at(s, &ia), tb = oriented_at(s, &ib);
        if (oriented)
            push = oriented_push(s, &s->pairs, k, &ta, &tb, s->slot[SLOT_D][ia + 3], s->slot[SLOT_D][ib + 3], recall,
                                 &h, &rotation_a, &rotation_b);
        else
            push = warm_push(s, k, &ia, &ib, &h);
        if (oriented)
            mark_lambda(s, k, before, h);
        if (h.normal == 0.0f)
            continue;
        if (second)
            pulled(&here, push);
        else
            pushed(&here, push);
        rotate_by(s, second ? &tb : &ta, 1, second ? rotation_b : rotation_a);
    }
    store_points(d, here);
}
#endif
