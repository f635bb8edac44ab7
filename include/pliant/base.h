// base.h: results, basic types and hooks, which the rest of the API uses.
#ifndef PLIANT_BASE_H
#define PLIANT_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Marks a function that the library exports.
#if defined(_WIN32)
#define PL_API
#else
#define PL_API __attribute__((visibility("default")))
#endif

// ---- results -------------------------------------------------------------------------------------------------------

/// The result of a call that can fail. Unless a function says otherwise, a call that fails leaves the world unchanged.
typedef enum pl_result
{
    /// The call succeeded.
    PL_OK = 0,
    /// A value, an index or an id is wrong. The message names it and gives the allowed range.
    PL_ERROR_ARGUMENT,
    /// The allocator returned NULL, or a limit on the number of items of one world was reached.
    PL_ERROR_MEMORY,
    /// A file could not be read or written.
    PL_ERROR_FILE,
    /// The contents of a file, a text or a snapshot are wrong. For a file the message starts with file:line:column.
    PL_ERROR_FORMAT,
    /// A step produced numbers that are not finite or too large. See pl_world_step for the state of the world.
    PL_ERROR_DIVERGED,
    /// This machine or this build cannot do it.
    PL_ERROR_UNSUPPORTED,
    /// A GPU failed. The world is at the newest frame that had been copied to the host, see docs/cuda.md.
    PL_ERROR_DEVICE,
} pl_result;

/// Returns the message of the last failed call of this thread: what was wrong and which values are allowed. It is never
/// NULL, has at most 1,023 characters, and stays valid until the next failed call of the same thread.
PL_API const char *pl_error_message(void);

/// Returns the name of a result in lower case: "ok", "argument", "memory", "file", "format", "diverged", "unsupported",
/// "device"; "unknown" for any other value.
PL_API const char *pl_result_name(pl_result result);

/// Returns the version of the library, such as "0.1.0".
PL_API const char *pl_version(void);

// ---- basic types ---------------------------------------------------------------------------------------------------

/// A vector of three numbers. Its unit depends on its use.
typedef struct pl_vec3
{
    /// The components.
    float x, y, z;
} pl_vec3;

/// A rotation as a unit quaternion, x i + y j + z k + w. {0, 0, 0, 1} is no rotation. Calls that take a rotation fail
/// with PL_ERROR_ARGUMENT if its length is not 1.
typedef struct pl_quat
{
    /// The components.
    float x, y, z, w;
} pl_quat;

/// Names an object, a block of constraints, faces or groups, a shape, a field or a visual mesh. An id is valid until
/// its item is removed, and its values are never used again for another item. {0, 0} names nothing.
typedef struct pl_id
{
    /// The place in the table of ids. 0 names nothing.
    uint32_t index;
    /// Counts how often that place has been reused.
    uint32_t generation;
} pl_id;

/// A world: particles, constraints, shapes and settings. See world.h.
typedef struct pl_world pl_world;

// ---- hooks ---------------------------------------------------------------------------------------------------------

/// Provides memory to a world. The default uses realloc and free.
typedef struct pl_allocator
{
    /// Changes a block from old_size to new_size bytes, keeps its contents and returns it, possibly at another address.
    /// With block == NULL it allocates; with new_size == 0 it frees and returns NULL. It returns NULL if there is no
    /// memory: the call of the API then fails with PL_ERROR_MEMORY. A NULL function selects the default.
    void *(*resize)(void *user, void *block, size_t old_size, size_t new_size);
    /// Passed to every call of resize.
    void *user;
} pl_allocator;

/// The severity of a log message.
typedef enum pl_log_level
{
    /// Tells what was done.
    PL_LOG_INFO,
    /// Tells that the result may not be what the caller expects.
    PL_LOG_WARNING,
} pl_log_level;

/// Receives log messages.
typedef struct pl_log
{
    /// Writes one message without a line break at its end. NULL, the default, writes nothing.
    void (*write)(void *user, pl_log_level level, const char *text);
    /// Passed to every call of write.
    void *user;
} pl_log;

/// Runs the work of a step on your own scheduler in place of the built-in pool; small stages run where the step is.
typedef struct pl_tasks
{
    /// Calls task(arg, i) once for every i in [0, count), in any order and on any threads, and returns when all calls
    /// have returned. NULL, the default, selects the built-in pool.
    void (*run)(void *user, int count, void (*task)(void *arg, int i), void *arg);
    /// Passed to every call of run.
    void *user;
} pl_tasks;

#ifdef __cplusplus
}
#endif
#endif
