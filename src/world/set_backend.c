// set_backend.c: changes the backend of a world.
#include "backend/cuda/backend.h"
#include "groups/group.h"
#include "world/cpu_backend.h"

pl_result pl_world_set_backend(pl_world *w, pl_backend which)
{
    NEED(w);
    if ((unsigned)which > PL_BACKEND_CUDA)
        return fail(PL_ERROR_ARGUMENT, "backend is %d; it must be PL_BACKEND_CPU or PL_BACKEND_CUDA", (int)which);
    if (which == w->backend->which)
        return PL_OK;
    pl_result result = check_solver_backend(&w->settings, which);
    if (result == PL_OK)
        result = keep_all(w);
    const backend *before = w->backend;
    if (result == PL_OK && which == PL_BACKEND_CUDA)
        result = cuda_open(w);
    if (result != PL_OK)
        return result;
    before->close(w);
    if (which == PL_BACKEND_CPU)
        w->backend = &cpu_backend;
    forget_packing(w);
    return PL_OK;
}
