// backend.c: the CUDA backend as the world sees it.
#include "world/backend.h"
#include "world/world.h"

#if defined(PL_CUDA)
#include "cuda/device.h"

static pl_result report(const device_error *why)
{
    return fail(why->memory ? PL_ERROR_MEMORY : PL_ERROR_DEVICE,
                "%s; the world holds the last frame that was read back, and can go on with "
                "PL_BACKEND_CPU",
                why->text);
}

static pl_result structure(pl_world *w)
{
    device_error why = {0};
    device_shape shape = {w->packing, (size_t)w->packing_used};
    if (!device_structure(w->device, &w->state, shape, &why))
        return report(&why);
    w->touched = 0;
    return PL_OK;
}

static pl_result rows_again(pl_world *w, int kind)
{
    device_error why = {0};
    return w->rows[kind].count == 0 || device_rows(w->device, &w->state, kind, &why) ? PL_OK : report(&why);
}

static pl_result plan_again(pl_world *w)
{
    device_error why = {0};
    return device_plan(w->device, &w->plan, &why) ? PL_OK : report(&why);
}

static pl_result frame(pl_world *w)
{
    if (has_contacts(w))
        return fail(PL_ERROR_UNSUPPORTED, "contacts do not run on CUDA yet; PL_BACKEND_CPU has them");
    device_error why = {0};
    float milliseconds = 0.0f;
    for (int array = 0; array < SLOT_ARRAYS; array++)
        if (w->touched & ARRAY_BIT(array) && !device_write(w->device, &w->state, array, &why))
            return report(&why);
    w->touched = 0;
    if (!device_frame(w->device, &w->state, &w->flow, &milliseconds, &why))
        return report(&why);
    w->away = ALL_ARRAYS;
    w->timing = (pl_timing){.stage = {[PL_STAGE_ELEMENTS] = (double)milliseconds}};
    return PL_OK;
}

static pl_result read_back(pl_world *w, int array)
{
    device_error why = {0};
    bool done = array == ARRAY_MULTIPLIERS ? device_read_multipliers(w->device, &w->state, &why)
                                           : array >= SLOT_ARRAYS || device_read(w->device, &w->state, array, &why);
    return done ? PL_OK : report(&why);
}

static void close_device(pl_world *w)
{
    device_close(w->device);
    w->device = NULL;
}

static const char *name(const pl_world *w) { return device_name(w->device); }

static const backend cuda_backend = {PL_BACKEND_CUDA, name,  structure, rows_again,
                                     plan_again,      frame, read_back, close_device};

pl_result cuda_open(pl_world *w)
{
    device_error why = {0};
    w->device = device_open(&why);
    if (!w->device)
        return fail(PL_ERROR_UNSUPPORTED, "%s; PL_BACKEND_CPU works everywhere", why.text);
    w->backend = &cuda_backend;
    return PL_OK;
}

#else

pl_result cuda_open(pl_world *w)
{
    (void)w;
    return fail(
        PL_ERROR_UNSUPPORTED,
        "this build has no CUDA backend (nvcc was not found when it was built); PL_BACKEND_CPU works everywhere");
}

#endif
