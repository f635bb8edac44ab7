// base.h: results, basic types and hooks, which the rest of the API is made of.
#ifndef PLIANT_BASE_H
#define PLIANT_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(_WIN32)
#define PL_API
#else
#define PL_API __attribute__((visibility("default")))
#endif

// ---- results -------------------------------------------------------------------------------------------------------

typedef enum pl_result
{
    PL_OK = 0,
    PL_ERROR_ARGUMENT,    // a value, an index or an id is wrong
    PL_ERROR_MEMORY,      // the allocator gave nothing
    PL_ERROR_FILE,        // a file could not be read or written
    PL_ERROR_FORMAT,      // a file's contents are wrong
    PL_ERROR_DIVERGED,    // a step blew up: see pl_world_step for where the world is
    PL_ERROR_UNSUPPORTED, // this machine or this build cannot do it
    PL_ERROR_DEVICE,      // a GPU failed; the world is at the newest frame that came home, see docs/cuda.md
} pl_result;

// What went wrong in the last failed call of this thread. Never NULL.
PL_API const char *pl_error_message(void);
// A result's name, such as "argument".
PL_API const char *pl_result_name(pl_result result);
// "0.1.0"
PL_API const char *pl_version(void);

// ---- basic types ---------------------------------------------------------------------------------------------------

typedef struct pl_vec3
{
    float x, y, z;
} pl_vec3;

typedef struct pl_quat
{
    float x, y, z, w;
} pl_quat;

// Names an object, a block of constraints or a field for as long as it lives; {0, 0} names nothing.
typedef struct pl_id
{
    uint32_t index, generation;
} pl_id;

typedef struct pl_world pl_world;

// ---- hooks ---------------------------------------------------------------------------------------------------------

// Memory comes from here; NULL functions mean malloc and free. resize(NULL) allocates, resize to 0 frees.
typedef struct pl_allocator
{
    void *(*resize)(void *user, void *block, size_t old_size, size_t new_size);
    void *user;
} pl_allocator;

typedef enum pl_log_level
{
    PL_LOG_INFO,
    PL_LOG_WARNING,
} pl_log_level;

typedef struct pl_log
{
    void (*write)(void *user, pl_log_level level, const char *text);
    void *user;
} pl_log;

// Bring your own scheduler: run(user, count, task, arg) must call task(arg, i) once for every i in [0, count), in any
// order, on any threads, and return when all are done. NULL means the built-in pool.
typedef struct pl_tasks
{
    void (*run)(void *user, int count, void (*task)(void *arg, int i), void *arg);
    void *user;
} pl_tasks;

#ifdef __cplusplus
}
#endif
#endif
