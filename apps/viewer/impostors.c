// impostors.c: spheres that are drawn as one point each. A few are met by the ray in the fragment shader, with their true depth;
// very many are specks: flat, with the depth of their middles, and only those that can be seen (specks.h).
#include "graphics.h"
#include "message.h"
#include "painter.h"
#include "shaders.h"
#include "specks.h"

#include <stdlib.h>

enum program
{
    PROGRAM_BALL,
    PROGRAM_BALL_SHADE,
    PROGRAM_SPECK,
    PROGRAM_SPECK_SHADE,
    PROGRAM_COUNT
};

static const struct program_text texts[PROGRAM_COUNT] = {
    [PROGRAM_BALL] = {"ball",
                      {glsl_head, glsl_ball_vertex},
                      {glsl_head, glsl_ball_geometry},
                      {glsl_head, glsl_light, glsl_lit, glsl_ball_fragment}},
    [PROGRAM_BALL_SHADE] = {"ball shade",
                            {glsl_head, glsl_ball_vertex},
                            {glsl_head, glsl_ball_geometry},
                            {glsl_head, glsl_ball_shade_fragment}},
    [PROGRAM_SPECK] = {"speck",
                       {glsl_head, glsl_light, glsl_speck_vertex},
                       {NULL},
                       {glsl_head, glsl_light, glsl_speck_fragment}},
    [PROGRAM_SPECK_SHADE] = {"speck shade",
                             {glsl_head, glsl_speck_shade_vertex},
                             {NULL},
                             {glsl_head, glsl_shade_fragment}},
};

struct impostors
{
    GLuint programs[PROGRAM_COUNT], array;
    GLint pixels[PROGRAM_COUNT], right, up; // uniforms of specks
    struct stream balls, orders;
    struct specks specks;
    const struct ball *ball;
    int count;
};

static void close_impostors(void *self)
{
    struct impostors *p = self;
    if (!p)
    {
        return;
    }
    for (int i = 0; i < PROGRAM_COUNT; i++)
    {
        glDeleteProgram(p->programs[i]);
    }
    const GLuint buffers[] = {p->balls.buffer, p->orders.buffer};
    glDeleteBuffers(2, buffers);
    glDeleteVertexArrays(1, &p->array);
    specks_free(&p->specks);
    free(p);
}

static bool open_impostors(void **self)
{
    struct impostors *p = calloc(1, sizeof *p);
    bool good = p ? true : trouble("no memory to draw spheres; free some memory");
    for (int i = 0; i < PROGRAM_COUNT && good; i++)
    {
        good = program_make(&texts[i], &p->programs[i]);
        p->pixels[i] = good ? glGetUniformLocation(p->programs[i], "pixels") : -1;
    }
    if (!good)
    {
        close_impostors(p);
        return false;
    }
    p->right = glGetUniformLocation(p->programs[PROGRAM_SPECK], "picture_right");
    p->up = glGetUniformLocation(p->programs[PROGRAM_SPECK], "picture_up");
    glGenVertexArrays(1, &p->array);
    glBindVertexArray(p->array);
    stream_fill(&p->balls, GL_ARRAY_BUFFER, NULL, 4);
    attribute(0, 4, GL_FLOAT, sizeof(struct ball), 0); // centre and radius
    attribute(1, 4, GL_UNSIGNED_BYTE, sizeof(struct ball), offsetof(struct ball, colour));
    *self = p;
    return true;
}

static void upload(void *self, const struct ball *ball, int count)
{
    struct impostors *p = self;
    p->ball = ball;
    p->count = count;
    stream_fill(&p->balls, GL_ARRAY_BUFFER, ball, (size_t)count * sizeof *ball);
}

static void draw_balls(struct impostors *p, const struct pass *pass)
{
    bool soft = !pass->shadow && pass->samples > 1;
    glUseProgram(p->programs[pass->shadow ? PROGRAM_BALL_SHADE : PROGRAM_BALL]);
    (soft ? glEnable : glDisable)(GL_SAMPLE_ALPHA_TO_COVERAGE); // soft silhouettes
    glDrawArrays(GL_POINTS, 0, p->count);
    glDisable(GL_SAMPLE_ALPHA_TO_COVERAGE);
}

static void draw_specks(struct impostors *p, const struct pass *pass)
{
    enum program program = pass->shadow ? PROGRAM_SPECK_SHADE : PROGRAM_SPECK;
    int kept = specks_choose(&p->specks, p->ball, p->count, pass);
    glUseProgram(p->programs[program]);
    glUniform1f(p->pixels[program], pass->pixels);
    if (!pass->shadow)
    {
        glUniform3f(p->right, pass->view.m[0], pass->view.m[4], pass->view.m[8]);
        glUniform3f(p->up, pass->view.m[1], pass->view.m[5], pass->view.m[9]);
    }
    glEnable(GL_PROGRAM_POINT_SIZE);
    if (kept < 0)
    {
        glDrawArrays(GL_POINTS, 0, p->count);
    }
    else if (kept > 0)
    {
        stream_fill(&p->orders, GL_ELEMENT_ARRAY_BUFFER, p->specks.order, (size_t)kept * sizeof(uint32_t));
        glDrawElements(GL_POINTS, kept, GL_UNSIGNED_INT, NULL);
    }
    glDisable(GL_PROGRAM_POINT_SIZE);
}

static void draw(void *self, const struct pass *pass)
{
    struct impostors *p = self;
    if (p->count > 0)
    {
        glBindVertexArray(p->array);
        (p->count >= MANY_BALLS ? draw_specks : draw_balls)(p, pass);
    }
}

const struct painter impostors = {"impostors", open_impostors, upload, draw, close_impostors};
