// backend.c: the CUDA backend as the world sees it: the module libpliant_cuda.so, opened when it is asked for.
#include "world/backend.h"
#include "world/world.h"

#if defined(PL_CUDA)
#include "cuda/device.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const device_api *api_of(const pl_world *w) { return w->device_api; }

static pl_result report(const device_error *why)
{
    return fail(why->memory ? PL_ERROR_MEMORY : PL_ERROR_DEVICE,
                "%s; the state on the device is lost: load a snapshot, and go on with PL_BACKEND_CPU", why->text);
}

static pl_result structure(pl_world *w)
{
    device_error why = {0};
    device_shape shape = {w->packing, (size_t)w->packing_used};
    if (!api_of(w)->structure(w->device, &w->state, shape, &why))
        return report(&why);
    w->touched = 0;
    return PL_OK;
}

static pl_result rows_again(pl_world *w, int kind)
{
    device_error why = {0};
    return w->rows[kind].count == 0 || api_of(w)->rows(w->device, &w->state, kind, &why) ? PL_OK : report(&why);
}

static pl_result plan_again(pl_world *w)
{
    device_error why = {0};
    return api_of(w)->plan(w->device, &w->plan, &why) ? PL_OK : report(&why);
}

static pl_result frame(pl_world *w)
{
    if (has_contacts(w))
        return fail(PL_ERROR_UNSUPPORTED, "contacts do not run on CUDA yet; PL_BACKEND_CPU has them");
    device_error why = {0};
    float milliseconds = 0.0f;
    for (int array = 0; array < SLOT_ARRAYS; array++)
        if (w->touched & ARRAY_BIT(array) && !api_of(w)->write(w->device, &w->state, array, &why))
            return report(&why);
    w->touched = 0;
    if (!api_of(w)->frame(w->device, &w->state, &w->flow, &milliseconds, &why))
        return report(&why);
    w->away = ALL_ARRAYS;
    w->timing = (pl_timing){.stage = {[PL_STAGE_ELEMENTS] = (double)milliseconds}};
    return PL_OK;
}

static pl_result read_back(pl_world *w, int array)
{
    device_error why = {0};
    if (array == ARRAY_MULTIPLIERS)
        return api_of(w)->read_multipliers(w->device, &w->state, &why) ? PL_OK : report(&why);
    return array >= SLOT_ARRAYS || api_of(w)->read(w->device, &w->state, array, &why) ? PL_OK : report(&why);
}

// The module stays loaded: the CUDA runtime does not like to be unloaded.
static void close_device(pl_world *w)
{
    api_of(w)->close(w->device);
    w->device = NULL;
}

static const char *name(const pl_world *w) { return api_of(w)->name(w->device); }

static const backend cuda_backend = {PL_BACKEND_CUDA, name,  structure, rows_again,
                                     plan_again,      frame, read_back, close_device};

// PLIANT_CUDA_MODULE names it; else it lies beside the program, as built, in the lib folder beside the program's, as
// installed, or where the system looks for libraries.
static void *open_module(void)
{
    const char *named = getenv("PLIANT_CUDA_MODULE");
    if (named)
        return dlopen(named, RTLD_NOW | RTLD_LOCAL);
    char path[4096];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 32);
    path[length > 0 ? length : 0] = 0;
    static const char *const folders[] = {"", "../lib/", "../lib64/"};
    char *slash = strrchr(path, '/');
    void *module = NULL;
    for (size_t i = 0; slash && !module && i < sizeof folders / sizeof *folders; i++)
    {
        snprintf(slash + 1, 32, "%slibpliant_cuda.so", folders[i]);
        module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    }
    return module ? module : dlopen("libpliant_cuda.so", RTLD_NOW | RTLD_LOCAL);
}

pl_result cuda_open(pl_world *w)
{
    device_error why = {0};
    void *module = open_module();
    if (!module)
        return fail(PL_ERROR_UNSUPPORTED, "the CUDA backend could not be loaded: %s; PL_BACKEND_CPU works everywhere",
                    dlerror());
    const device_api *api = dlsym(module, "pliant_device_api");
    if (!api || api->state_bytes != sizeof(state))
        return fail(PL_ERROR_UNSUPPORTED,
                    "libpliant_cuda.so is of another build than this library; PL_BACKEND_CPU works everywhere");
    w->device = api->open(&why);
    if (!w->device)
        return fail(PL_ERROR_UNSUPPORTED, "%s; PL_BACKEND_CPU works everywhere", why.text);
    w->device_api = api;
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
