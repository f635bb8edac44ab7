// backend.c: the CUDA backend as the world sees it. Loads the module libpliant_cuda.so when a world asks for CUDA, and
// calls it.
#include "backend/cuda/backend.h"
#include "model/backend.h"
#include "model/world.h"
#include "neighbours/contact/events.h"
#include "step/prepare.h"

#if defined(PL_CUDA)
#include "build_id.h"
#include "backend/cuda/host_side.h"
#include "model/columns.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// ---- structure -----------------------------------------------------------------------------------------------------

static pl_result structure(pl_world *w)
{
    cuda_side *c = w->cuda;
    device_error why = {0};
    device_shape shape = {w->packing, (size_t)w->packing_used};
    pl_result result = cuda_not_lost(w);
    if (result != PL_OK)
        return result;
    c->host_frame = w->frame;
    c->host_time = w->time;
    c->has_copy = false; // none of this structure yet
    c->noted = c->host_copy_number = 0;
    if (!c->api->structure(c->device, &w->state, shape, &why))
        return cuda_report(w, &why);
    // Tables with an entry for each slot change their size.
    if (c->slots != w->state.slots || c->particles != w->state.particles)
        c->collider_version = c->shape_version = c->surface_version = -1;
    c->slots = w->state.slots;
    c->particles = w->state.particles;
    w->host_changed = 0;
    w->patch_count = 0;
    w->patch_lost = false;
    return PL_OK;
}

enum
{
    // Bytes. Packed patches from this size on are copied directly.
    LONG_PATCH = 4096,
};

static bool goes_as_it_lies(const patch *p) { return p->array < 0 && p->bytes >= LONG_PATCH; }

// Short patches, and those of slot arrays, are written by one kernel from one list.
static pl_result send_patches(pl_world *w)
{
    cuda_side *c = w->cuda;
    device_error why = {0};
    int64_t words = 0;
    pl_result result = cuda_not_lost(w);
    for (int64_t i = 0; i < w->patch_count; i++)
        words += goes_as_it_lies(&w->patches[i]) ? 0 : (w->patches[i].bytes + 3) / 4;
    if (result == PL_OK)
        result = array_reserve(&w->memory, &c->words, &c->word_capacity, words, sizeof *c->words);
    words = 0;
    for (int64_t i = 0; result == PL_OK && i < w->patch_count; i++)
    {
        const patch *p = &w->patches[i];
        const char *from = (p->array < 0 ? w->packing : (const char *)w->state.slot[p->array]) + p->at;
        if (goes_as_it_lies(p))
        {
            if (!c->api->send(c->device, from, (size_t)p->bytes, &why))
                return cuda_report(w, &why);
            continue;
        }
        for (int32_t at = 0; at < p->bytes; at += 4)
        {
            device_patch *to = &c->words[words++];
            *to = (device_patch){(uint64_t)(p->at + at), 0, (int16_t)p->array, (int16_t)(p->bytes < 4 ? 1 : 4)};
            memcpy(&to->value, from + at, p->bytes < 4 ? 1 : 4);
        }
    }
    if (result != PL_OK)
        return result;
    c->fresh = 0; // the newest copy does not contain these patches
    if (words && !c->api->patch(c->device, c->words, words, &why))
        return cuda_report(w, &why);
    w->patch_count = 0;
    return PL_OK;
}

static pl_result rows_again(pl_world *w, int kind)
{
    const cuda_side *c = w->cuda;
    device_error why = {0};
    return w->rows[kind].count == 0 || c->api->rows(c->device, &w->state, kind, &why) ? PL_OK : cuda_report(w, &why);
}

static pl_result plan_again(pl_world *w)
{
    const cuda_side *c = w->cuda;
    device_error why = {0};
    return c->api->plan(c->device, &w->plan, &why) ? PL_OK : cuda_report(w, &why);
}

static pl_result send_changed(pl_world *w)
{
    const cuda_side *c = w->cuda;
    device_error why = {0};
    pl_result result = w->patch_count ? send_patches(w) : PL_OK;
    if (result != PL_OK)
        return result;
    for (int array = 0; array < SLOT_ARRAYS; array++)
        if (w->host_changed & ARRAY_BIT(array) && !c->api->write(c->device, &w->state, array, &why))
            return cuda_report(w, &why);
    w->host_changed = 0;
    return PL_OK;
}

// Runs from w->flow.from to w->flow.to. Where surfaces cross, the device stops, the host untangles them, and the device
// continues.
static pl_result run_through(pl_world *w, bool *ran, device_error *why)
{
    cuda_side *c = w->cuda;
    int32_t to = w->flow.to;
    pl_result result = PL_OK;
    do
    {
        device_times times = {0};
        *why = (device_error){0};
        *ran = c->api->frame(c->device, &w->state, &w->flow, &c->lists, &c->surfaces, &times, why);
        if (!*ran && why->idle && w->flow.from == 0)
            return PL_OK; // nothing has changed
        c->fresh = 0;
        c->running = true;
        w->device_newer = ALL_ARRAYS;
        for (int i = 0; i < PL_STAGE_GROUP_COUNT; i++)
            w->timing.stage[i] += (double)times.group[i];
        if (!why->tangled)
            return PL_OK;
        w->surfaces.listed = false; // until a new list is made
        result = cuda_surface_untangle(w);
        w->flow.from = w->flow.to;
        w->flow.to = to;
    }
    while (result == PL_OK);
    return result;
}

// Runs the substeps from w->flow.from to w->flow.to.
static pl_result run_substeps(pl_world *w)
{
    bool ran;
    device_error why;
    pl_result torn = run_through(w, &ran, &why);
    if (torn == PL_ERROR_DEVICE || torn == PL_ERROR_MEMORY)
        return torn; // the host has a restored state, or the caller undoes the frame
    if (torn != PL_OK)
    {
        w->contacts.listed = w->surfaces.listed = false;
        cuda_start_poses(w);
        if (pull(w, ALL_ARRAYS) == PL_OK)
            step_back(w);
        return torn;
    }
    if (!ran && !why.far)
        return cuda_report(w, &why);
    if (ran)
    {
        cuda_contacts_end(w);
        cuda_surface_end(w);
        return PL_OK;
    }
    w->contacts.listed = w->surfaces.listed = false;
    cuda_start_poses(w);
    pl_result result = pull(w, ALL_ARRAYS);
    if (result != PL_OK)
        return result;
    step_back(w);
    return w->cuda->lists.search.trouble ? cuda_far_away(w) : cuda_surface_far(w);
}

// Contact events need the contacts after every substep: the device stops after each, and the host reads the lists.
static pl_result run_watched(pl_world *w)
{
    pl_result result = PL_OK;
    for (int s = 0; s < w->settings.substeps && result == PL_OK; s++)
    {
        int32_t builds = w->cuda->lists.builds;
        w->flow.from = s;
        w->flow.to = s + 1 < w->settings.substeps ? s + 1 : INT32_MAX;
        result = run_substeps(w);
        bool renewed = w->cuda->lists.builds != builds || (has_surface(w) && w->cuda->surfaces.made == s + 1);
        if (result == PL_OK && renewed)
            result = events_flush(w); // the host still has the old lists
        if (result == PL_OK)
            result = pull(w, ARRAY_BIT(ARRAY_CONTACTS) | ARRAY_BIT(SLOT_COLLISION));
        if (result == PL_OK)
            result = events_note(w);
    }
    return result;
}

// Undoes a frame for which there was no memory, while the device still answers: from the host's copy of the frame's
// start, or else from the positions and velocities of the start that the device keeps.
static pl_result undo_frame(pl_world *w)
{
    char text[512];
    snprintf(text, sizeof text, "%s", pl_error_message());
    if (cuda_frame_undone(w))
        return fail(PL_ERROR_MEMORY, "%s", text);
    w->contacts.listed = w->surfaces.listed = false;
    pl_result result = pull(w, ALL_ARRAYS);
    if (result != PL_OK)
        return result;
    step_back(w);
    return fail(PL_ERROR_MEMORY, "%s; the world is back at the frame's start", text);
}

static pl_result frame(pl_world *w)
{
    memset(&w->timing, 0, sizeof w->timing);
    w->cuda->running = false;
    pl_result result = cuda_not_lost(w);
    if (result == PL_OK)
        result = send_changed(w);
    if (result == PL_OK)
        result = cuda_contacts_begin(w);
    if (result == PL_OK)
        result = cuda_surface_begin(w);
    if (result == PL_OK)
        result = cuda_keep_first(w);
    if (result != PL_OK)
        return result;
    result = events_need_substeps(w) ? run_watched(w) : run_substeps(w);
    if (result == PL_ERROR_MEMORY && w->cuda->running && w->device_newer)
        return undo_frame(w);
    return result == PL_OK && !w->flow.bad ? cuda_keep_copy(w) : result;
}

static pl_result read_back(pl_world *w, int array)
{
    cuda_side *c = w->cuda;
    device_error why = {0};
    int64_t number;
    // The host's arrays are about to be overwritten: the copy that equals them must have arrived before.
    if (c->host_copy_number)
        c->api->kept(c->device, c->host_copy_number, &number);
    c->host_copy_number = 0;
    bool on_its_way = c->fresh && (array == SLOT_X || array == SLOT_V);
    const float *copy = on_its_way ? c->api->kept(c->device, c->fresh, &number) : NULL;
    if (copy)
    {
        size_t slots = (size_t)w->state.slots;
        memcpy(w->state.slot[array], copy + (array == SLOT_V ? 4 * slots : 0), 16 * slots);
        return PL_OK;
    }
    if (array == ARRAY_CONTACTS)
    {
        pl_result result = cuda_contacts_read(w);
        return result == PL_OK ? cuda_surface_read(w) : result;
    }
    if (array == ARRAY_CLUSTERS || array == ARRAY_DAMAGE || array == ARRAY_MULTIPLIERS)
    {
        int life = array == ARRAY_CLUSTERS ? LIFE_POSE : array == ARRAY_DAMAGE ? LIFE_DAMAGE : LIFE_MULTIPLIER;
        return c->api->read_packed(c->device, &w->state, life, &why) ? PL_OK : cuda_report(w, &why);
    }
    return array >= SLOT_ARRAYS || c->api->read(c->device, &w->state, array, &why) ? PL_OK : cuda_report(w, &why);
}

// The module stays loaded, because unloading the CUDA runtime is not reliable.
static void close_device(pl_world *w)
{
    w->cuda->api->close(w->cuda->device);
    cuda_records_free(w);
    array_free(&w->memory, &w->cuda->words, &w->cuda->word_capacity, sizeof *w->cuda->words);
    w->patch_count = 0;
    memory_free(&w->memory, w->cuda, sizeof *w->cuda);
    w->cuda = NULL;
}

static const float *address(const pl_world *w, int array) { return w->cuda->api->address(w->cuda->device, array); }

static pl_result gl_report(pl_world *w, const device_error *why)
{
    return why->refused ? fail((pl_result)why->refused, "%s", why->text) : cuda_report(w, why);
}

static pl_result to_gl(pl_world *w, int array, const pl_map *map, bool inverse, unsigned buffer)
{
    const cuda_side *c = w->cuda;
    device_error why = {0};
    device_gl what = {map->slot_of, w->numbers.end, w->numbers.moves, array, map->offset, map->floats, inverse, buffer};
    pl_result result = cuda_not_lost(w);
    return result != PL_OK || c->api->to_gl(c->device, &what, &why) ? result : gl_report(w, &why);
}

static pl_result forget_gl(pl_world *w, unsigned buffer)
{
    device_error why = {0};
    return w->cuda->lost || w->cuda->api->forget_gl(w->cuda->device, buffer, &why) ? PL_OK : gl_report(w, &why);
}

static const char *name(const pl_world *w) { return w->cuda->api->name(w->cuda->device); }

static double copy_rate(const pl_world *w) { return w->cuda->lost ? 0.0 : w->cuda->api->copy_rate(w->cuda->device); }

static const backend cuda_backend = {.which = PL_BACKEND_CUDA,
                                     .device = name,
                                     .structure = structure,
                                     .rows = rows_again,
                                     .plan = plan_again,
                                     .begin = cuda_record_host,
                                     .undo = cuda_frame_undone,
                                     .start_poses = cuda_start_poses,
                                     .frame = frame,
                                     .read = read_back,
                                     .close = close_device,
                                     .send = send_changed,
                                     .address = address,
                                     .copy_rate = copy_rate,
                                     .to_gl = to_gl,
                                     .forget_gl = forget_gl,
                                     .patch = send_patches,
                                     .conduct = cuda_conduct};

cuda_debug cuda_debug_switches;

// Finds the module: PLIANT_CUDA_MODULE names it; else it is in the program's folder (a build), in the lib folder beside
// it (an installation), or on the system's library path.
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
    if (!api || api->build_id != BUILD_ID)
        return fail(
            PL_ERROR_UNSUPPORTED,
            "libpliant_cuda.so is from another build (%016llx) than this library (%016llx); install both from one "
            "build; PL_BACKEND_CPU works everywhere",
            api ? (unsigned long long)api->build_id : 0ull, (unsigned long long)BUILD_ID);
    api->debug(&cuda_debug_switches);
    device *d = api->open(&why);
    if (!d)
        return fail(PL_ERROR_UNSUPPORTED, "%s; PL_BACKEND_CPU works everywhere", why.text);
    void *side = NULL;
    pl_result result = memory_resize(&w->memory, &side, 0, sizeof *w->cuda);
    if (result != PL_OK)
    {
        api->close(d);
        return result;
    }
    w->cuda = side;
    *w->cuda = (cuda_side){.api = api, .device = d};
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
