// links.h: which kinds are links, and the arguments of the kernels for plain links (links.cu). A link in a tile takes
// eight bytes.
#pragma once
#include "backend/cuda/device_internal.h"

// A link has two points and one parameter.
#define IS_LINK(arity, params) ((arity) == 2 && (params) == 1)

static inline bool is_link(int kind)
{
    static const bool links[] = {
#define ENTRY(name, NAME, arity, writes, params, ...) IS_LINK(arity, params),
        PL_KINDS(ENTRY)
#undef ENTRY
    };
    return links[kind];
}

// Offsets of its points in the tile, in floats, and its parameter. Equal offsets mean padding.
struct alignas(8) near_link
{
    uint16_t one, other;
    float param;
};

// A view of one row as a plain link: only its compliance is read, multipliers begin at 0, and they are not used later.
static __device__ __forceinline__ rows_view plain_view(rows_view v, const uint32_t *index, const float *param,
                                                       const float *compliance)
{
    v.rows.index[0] = const_cast<uint32_t *>(index), v.rows.index[1] = const_cast<uint32_t *>(index + 1);
    v.rows.param[0] = const_cast<float *>(param), v.rows.param_step[0] = 0;
    v.rows.compliance = const_cast<float *>(compliance), v.rows.compliance_step = 0;
    v.rows.damped = false;
    v.pbd = v.second = 0;
    return v;
}

static __device__ __forceinline__ stage plain_stage(void)
{
    stage g = {};
    g.first = 1;
    return g;
}

// One colour of plain links, as small kernel arguments.
struct link_stage
{
    const float *x;
    float *d;
    const uint32_t *index[2];
    const float *param, *compliance;
    float inverse_h;
    int32_t begin, end;
    uint8_t param_step, compliance_step, gated;
    uint8_t follows; // as in launch_args
    int32_t substep_number;
    const flow *now;
    unsigned long long *stamp;

    __device__ __forceinline__ float param_of(int32_t k) const { return __ldg(param + (param_step ? k : 0)); }
    __device__ __forceinline__ float compliance_of(int32_t k) const
    {
        return __ldg(compliance + (compliance_step ? k : 0));
    }

    __device__ __forceinline__ rows_view view(const substep *no_matter) const
    {
        rows_view v = {};
        v.substeps = no_matter;
        v.inverse_h = inverse_h;
        return v;
    }

    __device__ __forceinline__ launch_args as_launch_args(void) const
    {
        launch_args g = {};
        g.gated = gated, g.substep = substep_number, g.stamp = stamp;
        return g;
    }
};

static inline link_stage link_stage_of(const device *d, const launch_args *g)
{
    const packed_rows *r = &d->captured.rows[g->kind];
    link_stage q = {d->captured.slot[SLOT_X],
                    d->captured.slot[SLOT_D],
                    {r->index[0], r->index[1]},
                    r->param[0],
                    r->compliance,
                    1.0f / d->captured.h,
                    g->begin,
                    g->end,
                    r->param_step[0],
                    r->compliance_step,
                    g->gated,
                    g->follows,
                    g->substep,
                    d->captured.now,
                    g->stamp};
    return q;
}

bool plain_links(const device *d, const stage *g, int kind);
bool launch_links(device *d, const launch_args *g, bool early, device_error *why);
bool launch_link_tiles(device *d, const launch_args *g, bool early, device_error *why);
