// gl.cu: copies attributes into OpenGL buffers. A buffer is registered once. For each copy it is mapped for the
// device's stream, a kernel writes the particles in the order of their numbers, and it is unmapped. OpenGL then waits
// for the copy by itself.
#include "backend/cuda/device_internal.h"

#include <stdarg.h>

// As in cuda_gl_interop.h, which would need OpenGL's headers for the name of an unsigned int.
extern "C" cudaError_t cudaGraphicsGLRegisterBuffer(cudaGraphicsResource **resource, unsigned int buffer,
                                                    unsigned int flags);

static __global__ void put_in_order(const float *__restrict__ from, const int32_t *__restrict__ slot_of, device_gl what,
                                    float *__restrict__ to)
{
    EACH(int32_t, i, what.particles)
    for (int c = 0; c < what.floats; c++)
    {
        float a = slot_of[i] < 0 ? 0.0f : from[4 * (size_t)slot_of[i] + what.offset + c];
        to[(size_t)i * what.floats + c] = what.inverse && a > 0.0f ? 1.0f / a : a;
    }
}

static bool refuse(device_error *why, pl_result result, const char *text, ...)
{
    va_list values;
    va_start(values, text);
    vsnprintf(why->text, sizeof why->text, text, values);
    va_end(values);
    why->refused = result;
    return false;
}

// There may be no current context, or one on another GPU; the buffer may not exist. None of that is a failure of the
// device.
static bool gl_good(cudaError_t error, unsigned buffer, const char *what, device_error *why)
{
    if (error == cudaSuccess)
        return true;
    cudaGetLastError();
    return refuse(why, PL_ERROR_UNSUPPORTED,
                  "CUDA: %s OpenGL buffer %u: %s; the current context must have it, and be on the world's GPU (pl_get "
                  "with glBufferSubData works everywhere)",
                  what, buffer, cudaGetErrorString(error));
}

static shared_buffer *find_buffer(device *d, unsigned buffer)
{
    for (shared_buffer *b = d->gl; b < d->gl + PL_MAX_GL_BUFFERS; b++)
        if (b->resource && b->buffer == buffer)
            return b;
    return NULL;
}

static shared_buffer *register_buffer(device *d, unsigned buffer, device_error *why)
{
    const unsigned overwrite = 2; // cudaGraphicsRegisterFlagsWriteDiscard
    for (shared_buffer *b = d->gl; b < d->gl + PL_MAX_GL_BUFFERS; b++)
        if (!b->resource)
        {
            b->buffer = buffer;
            if (gl_good(cudaGraphicsGLRegisterBuffer(&b->resource, buffer, overwrite), buffer, "sharing", why))
                return b;
            b->resource = NULL;
            return NULL;
        }
    refuse(why, PL_ERROR_ARGUMENT, "OpenGL buffer %u: the world has %d already; release one with pl_world_release_gl",
           buffer, PL_MAX_GL_BUFFERS);
    return NULL;
}

static bool send_numbers(device *d, const device_gl *what, device_error *why)
{
    size_t bytes = sizeof(int32_t) * (size_t)what->particles;
    if (d->numbers_sent == what->particles && d->numbers_moves == what->moves)
        return true;
    d->numbers_sent = -1;
    if (!grow((void **)&d->numbers.at, &d->numbers.bytes, bytes, why))
        return false;
    TRY(cudaMemcpyAsync(d->numbers.at, what->slot_of, bytes, cudaMemcpyHostToDevice, d->stream), "sending numbers");
    TRY(cudaStreamSynchronize(d->stream), "sending numbers");
    d->numbers_sent = what->particles;
    d->numbers_moves = what->moves;
    return true;
}

static bool fill_buffer(device *d, const device_gl *what, shared_buffer *b, device_error *why)
{
    float *to = NULL;
    size_t room = 0, need = sizeof(float) * (size_t)what->particles * (size_t)what->floats;
    TRY(cudaGraphicsResourceGetMappedPointer((void **)&to, &room, b->resource), "finding an OpenGL buffer");
    if (room < need)
        return refuse(why, PL_ERROR_ARGUMENT, "OpenGL buffer %u has %zu bytes; %zu are needed", b->buffer, room, need);
    const int32_t *slot_of = (const int32_t *)d->numbers.at;
    return start(why, d->stream, false, spread(d, what->particles), WIDE, 0, put_in_order,
                 (const float *)d->slot[what->array], slot_of, *what, to);
}

bool device_to_gl(device *d, const device_gl *what, device_error *why)
{
    if (what->particles == 0)
        return true;
    shared_buffer *b = find_buffer(d, what->buffer);
    b = b ? b : register_buffer(d, what->buffer, why);
    if (!b || !send_numbers(d, what, why) ||
        !gl_good(cudaGraphicsMapResources(1, &b->resource, d->stream), b->buffer, "borrowing", why))
        return false;
    bool good = fill_buffer(d, what, b, why);
    return gl_good(cudaGraphicsUnmapResources(1, &b->resource, d->stream), b->buffer, "giving back", why) && good;
}

bool device_forget_gl(device *d, unsigned buffer, device_error *why)
{
    shared_buffer *b = find_buffer(d, buffer);
    if (!b)
        return true;
    cudaGraphicsResource *resource = b->resource;
    b->resource = NULL;
    return gl_good(cudaGraphicsUnregisterResource(resource), buffer, "forgetting", why);
}

// The context may already be destroyed, and its buffers with it: errors are ignored.
void gl_free(device *d)
{
    for (shared_buffer *b = d->gl; b < d->gl + PL_MAX_GL_BUFFERS; b++)
        if (b->resource)
            cudaGraphicsUnregisterResource(b->resource);
    cudaGetLastError();
    cudaFree(d->numbers.at);
}
