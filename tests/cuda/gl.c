// gl.c: what a world writes into OpenGL's buffers is what pl_get says, bit for bit, while particles change their slots, come and go.
//   gl             on a GPU, in a context of EGL's on it; exit 77 where there is none. Then what a copy costs beside the way through the host
//   gl emulated    on the emulated device, where a buffer is a piece of memory
#define _POSIX_C_SOURCE 200809L
#include "worlds.h"
#include "cuda/no_device.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#if defined(PLIANT_HAVE_VIEWER)
#include "message.h"
#include "offscreen.h"

#include <epoxy/gl.h>
#endif

enum
{
    NO_DEVICE = 77,
    FRAMES = 70, // grains change their slots every 64
};

static int failures;

static void expect(bool held, const char *what)
{
    failures += !held;
    if (!held)
        printf("FAILED: %s (%s)\n", what, pl_error_message());
}

// ---- buffers -------------------------------------------------------------------------------------------------------

typedef struct buffers
{
    unsigned (*make)(size_t bytes); // 0: there is no more
    void (*read)(unsigned buffer, void *to, size_t bytes);
    void (*drop)(unsigned buffer);
} buffers;

static void (*tell_buffer)(unsigned buffer, void *at, size_t bytes);
static void *memory_of[64]; // 0: there is none

static unsigned make_memory(size_t bytes)
{
    static unsigned last;
    memory_of[++last] = malloc(bytes);
    tell_buffer(last, memory_of[last], bytes);
    return last;
}

static void read_memory(unsigned buffer, void *to, size_t bytes) { memcpy(to, memory_of[buffer], bytes); }

static void drop_memory(unsigned buffer)
{
    tell_buffer(buffer, NULL, 0);
    free(memory_of[buffer]);
}

static bool open_emulated(buffers *b)
{
    const char *path = getenv("PLIANT_CUDA_MODULE");
    void *module = path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
    void *found = module ? dlsym(module, "emulated_gl_buffer") : NULL;
    memcpy(&tell_buffer, &found, sizeof found);
    *b = (buffers){make_memory, read_memory, drop_memory};
    return found;
}

#if defined(PLIANT_HAVE_VIEWER)

static unsigned make_buffer(size_t bytes)
{
    GLuint buffer = 0;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)bytes, NULL, GL_STREAM_DRAW);
    return buffer;
}

static void read_buffer(unsigned buffer, void *to, size_t bytes)
{
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glGetBufferSubData(GL_ARRAY_BUFFER, 0, (GLsizeiptr)bytes, to);
}

static void drop_buffer(unsigned buffer) { glDeleteBuffers(1, &buffer); }

static bool open_egl(buffers *b)
{
    static struct offscreen screen;
    *b = (buffers){make_buffer, read_buffer, drop_buffer};
    if (!offscreen_open_on_gpu(&screen))
    {
        printf("no context: %s\n", viewer_message());
        return false;
    }
    printf("OpenGL: %s\n", (const char *)glGetString(GL_RENDERER));
    return true;
}

#endif

// ---- equal to pl_get -----------------------------------------------------------------------------------------------

static bool lives(pl_world *w, int number)
{
    float x[3];
    return pl_get(w, PL_ATTRIBUTE_POSITION, number, 1, x) == PL_OK;
}

// Every attribute, in one buffer after the other.
static void compare(pl_world *w, const buffers *b, unsigned buffer, const char *when)
{
    static const struct
    {
        pl_attribute what;
        int floats;
    } all[] = {{PL_ATTRIBUTE_POSITION, 3},
               {PL_ATTRIBUTE_VELOCITY, 3},
               {PL_ATTRIBUTE_MASS, 1},
               {PL_ATTRIBUTE_FORCE, 3},
               {PL_ATTRIBUTE_RADIUS, 1}};
    int end = pl_particle_end(w);
    float *there = malloc(12 * (size_t)end), here[3];
    for (size_t a = 0; a < sizeof all / sizeof *all; a++)
    {
        int wrong = 0;
        must(pl_world_copy_to_gl(w, all[a].what, buffer));
        b->read(buffer, there, sizeof(float) * (size_t)all[a].floats * (size_t)end);
        for (int i = 0; i < end; i++)
        {
            memset(here, 0, sizeof here);
            if (lives(w, i))
                must(pl_get(w, all[a].what, i, 1, here));
            wrong +=
                memcmp(here, there + (size_t)i * (size_t)all[a].floats, sizeof(float) * (size_t)all[a].floats) != 0;
        }
        printf("%-24s attribute %d: %d of %d differ\n", when, (int)all[a].what, wrong, end);
        failures += wrong != 0;
    }
    free(there);
}

static void add_block(pl_world *w, int side, float spacing, float radius)
{
    float *x = malloc(12 * (size_t)side * (size_t)side * (size_t)side);
    for (int i = 0; i < side * side * side; i++)
        for (int c = 0, k = i; c < 3; c++, k /= side)
            x[3 * (size_t)i + (size_t)c] = spacing * (float)(k % side) + (c == 1 ? 0.1f : 0.0f);
    pl_particles_def p = pl_default_particles_def();
    p.count = side * side * side;
    p.position = x;
    int first = pl_particle_end(w);
    must(pl_add_particles(w, &p, NULL));
    for (int i = 0; i < p.count && radius > 0.0f; i++)
        must(pl_set(w, PL_ATTRIBUTE_RADIUS, first + i, 1, &radius));
    free(x);
}

// Two blocks that fall through each other's places and come to lie in other slots.
static void grains(pl_world *w)
{
    pl_shape_def floor = pl_default_shape_def();
    must(pl_add_shape(w, &floor, NULL));
    add_block(w, 3, 0.11f, 0.05f);
    add_block(w, 5, 0.07f, 0.03f);
}

static void equal_to_get(const buffers *b)
{
    pl_world *w = make_world(PL_BACKEND_CUDA, pl_default_world_def().settings);
    grains(w);
    unsigned buffer = b->make(16 * (size_t)(pl_particle_end(w) + 100));
    compare(w, b, buffer, "before a step");
    for (int f = 0; f < FRAMES; f++)
        must(pl_world_step(w, 1.0f / 60.0f));
    compare(w, b, buffer, "slots have changed");
    pl_id object[64];
    int objects = pl_world_objects(w, object, 64);
    must(pl_remove(w, object[0]));
    compare(w, b, buffer, "an object has gone");
    const float x[3] = {0.0f, 5.0f, 0.0f};
    pl_particles_def p = pl_default_particles_def();
    p.count = 1;
    p.position = x;
    must(pl_add_particles(w, &p, NULL));
    must(pl_world_step(w, 1.0f / 60.0f));
    compare(w, b, buffer, objects > 0 ? "another has come" : "the first has come");
    must(pl_world_release_gl(w, buffer));
    must(pl_world_release_gl(w, buffer)); // once more does no harm
    pl_world_destroy(w);
    b->drop(buffer);
}

static void refuses(const buffers *b)
{
    pl_world *w = make_world(PL_BACKEND_CUDA, pl_default_world_def().settings),
             *cpu = make_world(PL_BACKEND_CPU, pl_default_world_def().settings);
    grains(w);
    grains(cpu);
    must(pl_world_step(w, 1.0f / 60.0f));
    unsigned buffer[PL_MAX_GL_BUFFERS + 1], small = b->make(8);
    for (int i = 0; i <= PL_MAX_GL_BUFFERS; i++)
        buffer[i] = b->make(16 * (size_t)pl_particle_end(w));
    expect(pl_world_copy_to_gl(cpu, PL_ATTRIBUTE_POSITION, buffer[0]) == PL_ERROR_UNSUPPORTED, "a world on the CPU");
    expect(pl_world_copy_to_gl(NULL, PL_ATTRIBUTE_POSITION, buffer[0]) == PL_ERROR_ARGUMENT, "no world");
    expect(pl_world_copy_to_gl(w, (pl_attribute)99, buffer[0]) == PL_ERROR_ARGUMENT, "no such attribute");
    expect(pl_world_copy_to_gl(w, PL_ATTRIBUTE_POSITION, 4242) == PL_ERROR_UNSUPPORTED, "no such buffer");
    expect(pl_world_copy_to_gl(w, PL_ATTRIBUTE_POSITION, small) == PL_ERROR_ARGUMENT, "a buffer of 8 bytes");
    must(pl_world_release_gl(w, small));
    for (int i = 0; i < PL_MAX_GL_BUFFERS; i++)
        must(pl_world_copy_to_gl(w, PL_ATTRIBUTE_POSITION, buffer[i]));
    expect(pl_world_copy_to_gl(w, PL_ATTRIBUTE_POSITION, buffer[PL_MAX_GL_BUFFERS]) == PL_ERROR_ARGUMENT,
           "one buffer too many");
    must(pl_world_release_gl(w, buffer[3]));
    must(pl_world_copy_to_gl(w, PL_ATTRIBUTE_POSITION, buffer[PL_MAX_GL_BUFFERS]));
    must(pl_world_step(w, 1.0f / 60.0f)); // nothing is wrong with it
    pl_world_destroy(w);
    pl_world_destroy(cpu);
    for (int i = 0; i <= PL_MAX_GL_BUFFERS; i++)
        b->drop(buffer[i]);
}

// ---- what it costs -------------------------------------------------------------------------------------------------

#if defined(PLIANT_HAVE_VIEWER)

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static void costs(int side)
{
    enum
    {
        TIMES = 20
    };
    pl_world *w = make_world(PL_BACKEND_CUDA, pl_default_world_def().settings);
    add_block(w, side, 0.1f, 0.0f);
    int count = pl_particle_count(w);
    size_t bytes = 12 * (size_t)count;
    unsigned buffer = make_buffer(bytes);
    float *x = malloc(bytes), last[3];
    double shared = 0.0, through = 0.0;
    for (int f = 0; f < TIMES + 2; f++) // the first two warm up
    {
        must(pl_world_step(w, 1.0f / 60.0f));
        glFinish();
        double a = now();
        must(pl_world_copy_to_gl(w, PL_ATTRIBUTE_POSITION, buffer));
        glFinish();
        read_buffer(buffer, last, sizeof last); // it has arrived
        double c = now();
        must(pl_get(w, PL_ATTRIBUTE_POSITION, 0, count, x));
        glBindBuffer(GL_ARRAY_BUFFER, buffer);
        glBufferSubData(GL_ARRAY_BUFFER, 0, (GLsizeiptr)bytes, x);
        glFinish();
        read_buffer(buffer, last, sizeof last);
        shared += f < 2 ? 0.0 : c - a;
        through += f < 2 ? 0.0 : now() - c;
    }
    printf("%8d positions: %.3f ms shared, %.3f ms by pl_get and glBufferSubData\n", count, shared / TIMES,
           through / TIMES);
    free(x);
    must(pl_world_release_gl(w, buffer));
    pl_world_destroy(w);
    drop_buffer(buffer);
}

#endif

static bool has_device(void)
{
    pl_world_def def = pl_default_world_def();
    pl_world *w = NULL;
    def.backend = PL_BACKEND_CUDA;
    bool made = pl_world_create(&def, &w) == PL_OK;
    pl_world_destroy(w);
    return made;
}

int main(int argc, char **argv)
{
    buffers b;
    bool emulated = argc > 1 && strcmp(argv[1], "emulated") == 0, open = false;
    if (!has_device())
        return no_device(pl_error_message());
#if defined(PLIANT_HAVE_VIEWER)
    open = emulated ? open_emulated(&b) : open_egl(&b);
#else
    open = emulated && open_emulated(&b);
#endif
    if (!open)
        return emulated ? 1 : NO_DEVICE;
    equal_to_get(&b);
    refuses(&b);
#if defined(PLIANT_HAVE_VIEWER)
    if (!emulated)
        costs(100);
    if (!emulated)
        costs(20);
#endif
    printf(failures ? "%d FAILED\n" : "all is well\n", failures);
    return failures != 0;
}
