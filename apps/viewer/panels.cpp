// panels.cpp: see panels.h. The only C++ in Pliant, and only because Dear ImGui is C++.
#include "panels.h"

#include <cstdio>
#include <cstring>

#include <imgui.h>
#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>

namespace {
struct wish *ask(struct panels *p, enum wish_kind kind)
{
    static struct wish lost; // more than eight things in one picture: nobody clicks that fast
    struct wish *w = p->wish_count < 8 ? &p->wishes[p->wish_count++] : &lost;
    *w = wish();
    w->kind = kind;
    return w;
}

void scenes(struct panels *p)
{
    if (!ImGui::BeginCombo("scene", p->state.name))
        return;
    for (int i = 0; pl_builtin_scene_name(i); i++)
    {
        const char *name = pl_builtin_scene_name(i);
        if (ImGui::Selectable(name, std::strcmp(name, p->state.name) == 0))
            std::snprintf(ask(p, WISH_LOAD)->text, SESSION_TEXT, "%s", name);
    }
    ImGui::EndCombo();
}

void transport(struct panels *p)
{
    if (ImGui::Button(p->state.playing ? "pause" : "play"))
        ask(p, WISH_PLAY)->on = !p->state.playing;
    ImGui::SameLine();
    if (ImGui::Button("step"))
        ask(p, WISH_STEP);
    ImGui::SameLine();
    if (ImGui::Button("reset"))
        ask(p, WISH_RESET);
    ImGui::SameLine();
    p->fit |= ImGui::Button("fit");
    float speed = p->state.speed;
    if (ImGui::SliderFloat("speed", &speed, 0.02f, 2.0f, "%.2f x", ImGuiSliderFlags_Logarithmic))
        ask(p, WISH_SPEED)->value = speed;
    float time = (float)p->state.time;
    if (ImGui::SliderFloat("time", &time, (float)p->state.oldest, (float)p->state.time, "%.2f s"))
        ask(p, WISH_BACK)->value = time;
}

void parameters(struct panels *p)
{
    pl_settings s = p->state.settings;
    int solver = s.solver, integrator = s.integrator;
    bool edited = ImGui::SliderInt("substeps", &s.substeps, 1, 60);
    edited |= ImGui::SliderInt("iterations", &s.iterations, 1, 100);
    edited |= ImGui::Combo("solver", &solver, "xpbd\0pbd\0");
    edited |= ImGui::Combo("integrator", &integrator, "bdf1\0bdf2\0");
    edited |= ImGui::SliderFloat3("gravity", &s.gravity.x, -20.0f, 20.0f, "%.1f");
    edited |= ImGui::SliderFloat("damping", &s.damping, 0.0f, 5.0f);
    edited |= ImGui::SliderFloat3("wind", &s.wind.velocity.x, -15.0f, 15.0f, "%.1f");
    edited |= ImGui::SliderFloat("gust", &s.wind.gust, 0.0f, 2.0f);
    s.solver = (pl_solver)solver;
    s.integrator = (pl_integrator)integrator;
    if (edited)
        ask(p, WISH_SETTINGS)->settings = s;
    float compliance = p->state.compliance;
    if (ImGui::SliderFloat("compliance", &compliance, 0.0f, 1.0f, "%.2e m/N", ImGuiSliderFlags_Logarithmic))
        ask(p, WISH_COMPLIANCE)->value = compliance;
    if (ImGui::Button("as the scene has them"))
        ask(p, WISH_SETTINGS)->settings = p->state.original;
}

void appearance(struct panels *p)
{
    int by = p->look.colour_by;
    if (ImGui::Combo("colour", &by, "material\0speed\0strain\0"))
        p->look.colour_by = (enum colour_by)by;
    if (by == COLOUR_SPEED)
        ImGui::Text("0 (blue) to %.2f m/s (yellow)", (double)p->surface->high);
    if (by == COLOUR_STRAIN)
        ImGui::Text("%.2f %% (blue) to %.2f %% (red)", 100.0 * (double)p->surface->low,
                    100.0 * (double)p->surface->high);
    ImGui::Checkbox("shadows", &p->look.shadows);
    ImGui::SameLine();
    ImGui::Checkbox("contact", &p->look.contact);
    ImGui::SameLine();
    ImGui::Checkbox("floor", &p->look.floor);
    ImGui::Checkbox("constraints", &p->look.constraints);
    ImGui::SameLine();
    ImGui::Checkbox("velocities", &p->look.velocities);
    ImGui::SameLine();
    ImGui::Checkbox("wind", &p->look.wind);
    p->screenshot |= ImGui::Button("picture");
    ImGui::SameLine();
    p->film |= ImGui::Button(p->filming ? "end the film" : "film");
}

void plot(const char *name, const float *values, const char *format)
{
    char text[64];
    std::snprintf(text, sizeof text, format, (double)values[PLOT_LENGTH - 1]);
    ImGui::PlotLines(name, values, PLOT_LENGTH, 0, text, 0.0f, 3.402823466e38f, ImVec2(0, 44));
}

void numbers(struct panels *p)
{
    plot("energy", p->plots.energy, "%.4g J");
    plot("residual", p->plots.residual, "%.3g %%");
    plot("step", p->plots.ms, "%.2f ms");
    for (int i = 0; i < PL_STAGE_GROUP_COUNT; i++)
    {
        float part = p->state.timing.total > 0 ? (float)(p->state.timing.stage[i] / p->state.timing.total) : 0.0f;
        char text[64];
        std::snprintf(text, sizeof text, "%s %.2f ms", pl_stage_name((pl_stage_group)i), p->state.timing.stage[i]);
        ImGui::ProgressBar(part, ImVec2(-1, 0), text);
    }
}

void help(struct panels *p)
{
    static const char *const lines[][2] = {{"left drag", "take hold of a particle, or turn the view"},
                                           {"right drag", "move the view"},
                                           {"wheel", "nearer, farther"},
                                           {"space", "pause, go on"},
                                           {".", "one step"},
                                           {"R", "reset"},
                                           {"F", "see everything"},
                                           {"[ ]", "slower, faster"},
                                           {"left, right", "a tenth of a second back, forth"},
                                           {"1 2 3", "colour by material, speed, strain"},
                                           {"C V W", "constraints, velocities, wind"},
                                           {"P", "a picture into this folder"},
                                           {"M", "begin, end a film"},
                                           {"H", "panels on, off"},
                                           {"?", "this help"},
                                           {"Q", "leave"}};
    ImGuiIO &io = ImGui::GetIO();
    ImGui::SetNextWindowPos(ImVec2(io.DisplaySize.x * 0.5f, io.DisplaySize.y * 0.5f), ImGuiCond_Always,
                            ImVec2(0.5f, 0.5f));
    ImGui::Begin("keys", &p->help, ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoCollapse);
    for (const auto &line : lines)
    {
        ImGui::TextUnformatted(line[0]);
        ImGui::SameLine(110);
        ImGui::TextUnformatted(line[1]);
    }
    ImGui::TextUnformatted("Drop a scene file on the window to open it; it is read anew when it changes.");
    ImGui::End();
}

void line_below(struct panels *p)
{
    const char *text = p->state.trouble[0] ? p->state.trouble : p->note;
    if (!text[0])
        return;
    ImGuiIO &io = ImGui::GetIO();
    ImGui::SetNextWindowPos(ImVec2(10, io.DisplaySize.y - 10), ImGuiCond_Always, ImVec2(0, 1));
    ImGui::SetNextWindowSizeConstraints(ImVec2(0, 0), ImVec2(io.DisplaySize.x - 20, 200));
    ImGui::Begin("note", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_AlwaysAutoResize);
    if (p->state.trouble[0])
        ImGui::TextColored(ImVec4(1.0f, 0.5f, 0.4f, 1.0f), "%s", text);
    else
        ImGui::TextUnformatted(text);
    ImGui::End();
}
} // namespace

bool panels_open(void *window)
{
    ImGui::CreateContext();
    ImGui::GetIO().IniFilename = nullptr; // no file appears beside what a person works on
    ImGui::StyleColorsDark();
    ImGuiStyle &style = ImGui::GetStyle();
    style.WindowRounding = 6.0f;
    style.FrameRounding = 3.0f;
    style.Colors[ImGuiCol_WindowBg].w = 0.82f;
    return ImGui_ImplGlfw_InitForOpenGL(static_cast<GLFWwindow *>(window), true) &&
           ImGui_ImplOpenGL3_Init("#version 330 core");
}

void panels_close(void)
{
    ImGui_ImplOpenGL3_Shutdown();
    ImGui_ImplGlfw_Shutdown();
    ImGui::DestroyContext();
}

void panels_frame(struct panels *p)
{
    p->wish_count = 0;
    p->fit = p->screenshot = p->film = false;
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplGlfw_NewFrame();
    ImGui::NewFrame();
    if (p->shown)
    {
        ImGui::SetNextWindowPos(ImVec2(10, 10), ImGuiCond_Always);
        ImGui::SetNextWindowSizeConstraints(ImVec2(300, 0), ImVec2(300, ImGui::GetIO().DisplaySize.y - 20));
        ImGui::Begin("Pliant", nullptr, ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoMove);
        ImGui::PushItemWidth(190);
        scenes(p);
        transport(p);
        if (ImGui::CollapsingHeader("parameters", ImGuiTreeNodeFlags_DefaultOpen))
            parameters(p);
        if (ImGui::CollapsingHeader("look", ImGuiTreeNodeFlags_DefaultOpen))
            appearance(p);
        if (ImGui::CollapsingHeader("numbers", ImGuiTreeNodeFlags_DefaultOpen))
            numbers(p);
        ImGui::TextUnformatted("? for the keys");
        ImGui::PopItemWidth();
        ImGui::End();
    }
    if (p->help)
        help(p);
    line_below(p);
    ImGui::Render();
}

void panels_draw(void) { ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData()); }

bool panels_want_mouse(void) { return ImGui::GetIO().WantCaptureMouse; }

bool panels_want_keys(void) { return ImGui::GetIO().WantTextInput; }
