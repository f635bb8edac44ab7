// graphics.h: the few OpenGL objects that the renderer is made of.
#ifndef PLIANT_VIEWER_GRAPHICS_H
#define PLIANT_VIEWER_GRAPHICS_H

#include <epoxy/gl.h>
#include <stdbool.h>
#include <stddef.h>

// The parts of a stage follow one another; NULL ends them, and a stage may be missing.
struct program_text
{
    const char *name;
    const char *vertex[4], *geometry[4], *fragment[4];
};

bool program_make(const struct program_text *text, GLuint *program);

// A buffer that is filled anew every frame.
struct stream
{
    GLuint buffer;
    size_t size;
};

void stream_fill(struct stream *s, GLenum target, const void *data, size_t size);
// What the vertex shader's input `number` reads of the buffer that is bound; bytes become 0 to 1.
void attribute(GLuint number, int count, GLenum type, size_t stride, size_t offset);

// A picture that can be drawn into: 8-bit colour or none, with depth or without.
struct target
{
    GLuint framebuffer, colour, depth;
    int width, height, samples; // samples > 1: not to be read from, only to be resolved
};

enum target_parts
{
    TARGET_COLOUR = 1,
    TARGET_DEPTH = 2,
    TARGET_SHADOW = 4, // depth that shaders compare against
    TARGET_FLOATS = 8, // colour is two floats
};

bool target_make(struct target *t, int width, int height, int samples, int parts);
void target_free(struct target *t);

#endif
