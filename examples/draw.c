// draw.c: an OpenGL loop that draws a cloth out of the engine's memory. pl_world_map gives the address of the positions;
// the slots of the particles go into the index buffer, so nothing is copied or reordered on the way to glBufferSubData.
// With a world on CUDA, pl_world_copy_to_gl fills the buffer on the GPU.
//   draw [frames]     ends after that many frames; without: when the window is closed
#include "check.h"

#include <epoxy/gl.h>

#include <GLFW/glfw3.h>

enum
{
    SIDE = 40,
    FACES = 2 * (SIDE - 1) * (SIDE - 1),
};

static const char vertex_text[] = "#version 330 core\n"
                                  "layout(location = 0) in vec3 position;\n"
                                  "out vec3 place;\n"
                                  "void main() { place = position; gl_Position = vec4(position.x, position.y - 0.4, "
                                  "0.3 * position.z, 1.0); }\n";
static const char fragment_text[] = "#version 330 core\n"
                                    "in vec3 place;\n"
                                    "out vec4 colour;\n"
                                    "void main()\n"
                                    "{\n"
                                    "    vec3 n = normalize(cross(dFdx(place), dFdy(place)));\n"
                                    "    colour = vec4(vec3(0.8, 0.3, 0.2) * (0.3 + 0.7 * abs(n.z)), 1.0);\n"
                                    "}\n";

static GLuint compile(GLenum kind, const char *text)
{
    GLuint shader = glCreateShader(kind);
    glShaderSource(shader, 1, &text, NULL);
    glCompileShader(shader);
    return shader;
}

static GLuint make_program(void)
{
    GLuint program = glCreateProgram();
    glAttachShader(program, compile(GL_VERTEX_SHADER, vertex_text));
    glAttachShader(program, compile(GL_FRAGMENT_SHADER, fragment_text));
    glLinkProgram(program);
    GLint good = 0;
    glGetProgramiv(program, GL_LINK_STATUS, &good);
    return good ? program : 0;
}

static pl_world *make_world(void)
{
    pl_world_def def = pl_default_world_def();
    pl_world *world;
    CHECK(pl_world_create(&def, &world));
    pl_settings settings = pl_world_settings(world);
    settings.wind.velocity = (pl_vec3){0, 0, 3};
    CHECK(pl_world_set_settings(world, &settings));
    pl_cloth_def cloth = pl_default_cloth_def();
    cloth.columns = cloth.rows = SIDE;
    cloth.origin = (pl_vec3){-0.5f, 1, 0};
    cloth.v = (pl_vec3){0, -1, 0};
    cloth.pinned = (int32_t[]){0, SIDE - 1};
    cloth.pinned_count = 2;
    CHECK(pl_add_cloth(world, &cloth, NULL));
    return world;
}

// The slots of particles may change in a step: faces are given in slots each time, so that the vertices are drawn from
// the engine's array as it lies there.
static void upload(pl_world *world, const int32_t *faces, uint32_t *index)
{
    pl_map map;
    CHECK(pl_world_map(world, PL_ATTRIBUTE_POSITION, &map));
    for (int i = 0; i < 3 * FACES; i++)
        index[i] = (uint32_t)map.slot_of[faces[i]];
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)map.slots * 16, map.data, GL_STREAM_DRAW); // x, y, z, and a fourth float
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, 3 * FACES * (GLsizeiptr)sizeof *index, index, GL_STREAM_DRAW);
}

int main(int count, char **arguments)
{
    int frames = count > 1 ? atoi(arguments[1]) : -1;
    if (!glfwInit())
        return fputs("no window system\n", stderr), 77;
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    GLFWwindow *window = glfwCreateWindow(640, 640, "Pliant: draw.c", NULL, NULL);
    if (!window)
        return fputs("no OpenGL 3.3\n", stderr), 77;
    glfwMakeContextCurrent(window);
    glfwSwapInterval(1);

    static int32_t faces[3 * FACES];
    static uint32_t index[3 * FACES];
    pl_world *world = make_world();
    CHECK(pl_get_faces(world, 0, FACES, faces));

    GLuint array, buffers[2], program = make_program();
    glGenVertexArrays(1, &array);
    glBindVertexArray(array);
    glGenBuffers(2, buffers);
    glBindBuffer(GL_ARRAY_BUFFER, buffers[0]);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffers[1]);
    glEnableVertexAttribArray(0);
    glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, 16, NULL);
    glEnable(GL_DEPTH_TEST);
    glUseProgram(program);

    unsigned char pixel[4] = {0};
    for (int frame = 0; frame != frames && !glfwWindowShouldClose(window); frame++)
    {
        CHECK(pl_world_step(world, 1.0f / 60.0f));
        upload(world, faces, index);
        glClearColor(0.9f, 0.9f, 0.92f, 1.0f);
        glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
        glDrawElements(GL_TRIANGLES, 3 * FACES, GL_UNSIGNED_INT, NULL);
        glReadPixels(320, 340, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
        glfwSwapBuffers(window);
        glfwPollEvents();
    }
    printf("the pixel in the middle is %d %d %d: %s\n", pixel[0], pixel[1], pixel[2],
           pixel[0] > 2 * pixel[2] ? "cloth" : "no cloth");
    pl_world_destroy(world);
    glfwTerminate();
    return program && (frames < 0 || pixel[0] > 2 * pixel[2]) ? 0 : 1;
}
