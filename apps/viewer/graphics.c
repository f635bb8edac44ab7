// graphics.c: see graphics.h.
#include "graphics.h"

#include "message.h"

// ---- programs ------------------------------------------------------------------------------------------------------

static bool add_stage(GLuint program, GLenum stage, const char *const *parts, const char *name)
{
    int count = 0;
    char log[512] = "";
    GLint good = 0;
    while (count < 4 && parts[count])
    {
        count++;
    }
    if (count == 0)
    {
        return true;
    }
    GLuint shader = glCreateShader(stage);
    glShaderSource(shader, count, parts, NULL);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &good);
    glGetShaderInfoLog(shader, sizeof log, NULL, log);
    glAttachShader(program, shader);
    glDeleteShader(shader); // lives on as long as the program
    return good ? true : trouble("the graphics driver cannot compile the shader \"%s\": %s", name, log);
}

bool program_make(const struct program_text *text, GLuint *program)
{
    GLint linked = 0;
    char log[512] = "";
    *program = glCreateProgram();
    bool good = add_stage(*program, GL_VERTEX_SHADER, text->vertex, text->name) &&
                add_stage(*program, GL_GEOMETRY_SHADER, text->geometry, text->name) &&
                add_stage(*program, GL_FRAGMENT_SHADER, text->fragment, text->name);
    if (good)
    {
        glLinkProgram(*program);
        glGetProgramiv(*program, GL_LINK_STATUS, &linked);
        glGetProgramInfoLog(*program, sizeof log, NULL, log);
        good = linked || trouble("the graphics driver cannot link the shader \"%s\": %s", text->name, log);
    }
    if (good)
    {
        GLuint block = glGetUniformBlockIndex(*program, "scene");
        if (block != GL_INVALID_INDEX)
        {
            glUniformBlockBinding(*program, block, 0);
        }
        // One unit for each texture, the same in all programs.
        static const char *const textures[] = {"shadow_map", "depths", "picture", "contact", "thickness", "blockers"};
        glUseProgram(*program);
        for (int i = 0; i < 6; i++)
        {
            glUniform1i(glGetUniformLocation(*program, textures[i]), i);
        }
    }
    return good;
}

// ---- buffers -------------------------------------------------------------------------------------------------------

void stream_fill(struct stream *s, GLenum target, const void *data, size_t size)
{
    if (!s->buffer)
    {
        glGenBuffers(1, &s->buffer);
    }
    glBindBuffer(target, s->buffer);
    // A fresh store each time: the driver need not wait for the picture before.
    glBufferData(target, (GLsizeiptr)size, data, GL_STREAM_DRAW);
    s->size = size;
}

void attribute(GLuint number, int count, GLenum type, size_t stride, size_t offset)
{
    glEnableVertexAttribArray(number);
    glVertexAttribPointer(number, count, type, type == GL_UNSIGNED_BYTE, (GLsizei)stride, (const void *)offset);
}

// ---- targets -------------------------------------------------------------------------------------------------------

static GLuint make_texture(int width, int height, GLint format, GLenum parts, GLenum type, bool smooth)
{
    GLuint texture;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, format, width, height, 0, parts, type, NULL);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, smooth ? GL_LINEAR : GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, smooth ? GL_LINEAR : GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    return texture;
}

static void make_renderbuffer(GLuint *buffer, GLenum format, const struct target *t, GLenum attachment)
{
    glGenRenderbuffers(1, buffer);
    glBindRenderbuffer(GL_RENDERBUFFER, *buffer);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, t->samples, format, t->width, t->height);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, attachment, GL_RENDERBUFFER, *buffer);
}

static void attach_textures(struct target *t, int parts)
{
    if (parts & TARGET_COLOUR)
    {
        t->colour = make_texture(t->width, t->height, GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, false);
    }
    if (parts & TARGET_FLOATS)
    {
        t->colour = make_texture(t->width, t->height, GL_RG32F, GL_RG, GL_FLOAT, false);
    }
    if (t->colour)
    {
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, t->colour, 0);
    }
    if (parts & (TARGET_DEPTH | TARGET_SHADOW))
    {
        t->depth = make_texture(t->width, t->height, GL_DEPTH_COMPONENT32F, GL_DEPTH_COMPONENT, GL_FLOAT,
                                parts & TARGET_SHADOW);
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, t->depth, 0);
    }
    if (parts & TARGET_SHADOW)
    {
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
        glDrawBuffer(GL_NONE);
        glReadBuffer(GL_NONE);
    }
}

bool target_make(struct target *t, int width, int height, int samples, int parts)
{
    *t = (struct target){.width = width, .height = height, .samples = samples};
    glGenFramebuffers(1, &t->framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, t->framebuffer);
    if (samples > 1)
    {
        make_renderbuffer(&t->colour, GL_RGBA8, t, GL_COLOR_ATTACHMENT0);
        make_renderbuffer(&t->depth, GL_DEPTH_COMPONENT32F, t, GL_DEPTH_ATTACHMENT);
    }
    else
    {
        attach_textures(t, parts);
    }
    GLenum status = glCheckFramebufferStatus(GL_FRAMEBUFFER);
    if (status != GL_FRAMEBUFFER_COMPLETE || glGetError() == GL_OUT_OF_MEMORY)
    {
        target_free(t);
        return trouble("the graphics driver cannot draw %d x %d pixels with %d samples (0x%x); use fewer", width,
                       height, samples, status);
    }
    return true;
}

void target_free(struct target *t)
{
    glDeleteFramebuffers(1, &t->framebuffer);
    if (t->samples > 1)
    {
        glDeleteRenderbuffers(1, &t->colour);
        glDeleteRenderbuffers(1, &t->depth);
    }
    else
    {
        glDeleteTextures(1, &t->colour);
        glDeleteTextures(1, &t->depth);
    }
    *t = (struct target){0};
}
