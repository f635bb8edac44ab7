// panels.cpp: see panels.h. The only C++ in Pliant, and only because Dear ImGui is C++.
#include "panels.h"

#include <cstdio>
#include <cstring>

#include <imgui.h>
#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>

struct wish *panels_ask(struct panels *p, enum wish_kind kind)
{
    static struct wish lost; // more than eight things in one picture: nobody clicks that fast
    struct wish *w = p->wish_count < 8 ? &p->wishes[p->wish_count++] : &lost;
    *w = wish();
    w->kind = kind;
    return w;
}

namespace {
void scenes(struct panels *p)
{
    if (!ImGui::BeginCombo("scene", p->state.name))
        return;
    for (int i = 0; pl_builtin_scene_name(i); i++)
    {
        const char *name = pl_builtin_scene_name(i);
        if (ImGui::Selectable(name, std::strcmp(name, p->state.name) == 0))
            std::snprintf(panels_ask(p, WISH_LOAD)->text, SESSION_TEXT, "%s", name);
    }
    ImGui::EndCombo();
}

void transport(struct panels *p)
{
    if (ImGui::Button(p->state.playing ? "pause" : "play"))
        panels_ask(p, WISH_PLAY)->on = !p->state.playing;
    ImGui::SameLine();
    if (ImGui::Button("step"))
        panels_ask(p, WISH_STEP);
    ImGui::SameLine();
    if (ImGui::Button("reset"))
        panels_ask(p, WISH_RESET);
    ImGui::SameLine();
    p->fit |= ImGui::Button("fit");
    float speed = p->state.speed;
    if (ImGui::SliderFloat("speed", &speed, 0.02f, 2.0f, "%.2f x", ImGuiSliderFlags_Logarithmic))
        panels_ask(p, WISH_SPEED)->value = speed;
    float time = (float)p->state.time;
    if (ImGui::SliderFloat("time", &time, (float)p->state.oldest, (float)p->state.time, "%.2f s"))
        panels_ask(p, WISH_BACK)->value = time;
}

void legend(const struct panels *p)
{
    double low = (double)p->surface->low, high = (double)p->surface->high;
    switch (p->look.colour_by)
    {
    case COLOUR_SPEED:
        ImGui::Text("0 (blue) to %.2f m/s (yellow)", high);
        break;
    case COLOUR_STRAIN:
        ImGui::Text("%.2f %% (blue) to %.2f %% (red)", 100.0 * low, 100.0 * high);
        break;
    case COLOUR_DENSITY: // without fluids, what tells how dense it is are the contacts
        if (p->surface->of_fluid)
            ImGui::Text("%.0f (blue) to %.0f (yellow) kg/m^3", low, high);
        else
            ImGui::Text("0 (blue) to %.0f (yellow) contacts", high);
        break;
    case COLOUR_PRESSURE:
        ImGui::Text("0 (blue) to %.4g Pa (yellow)", high);
        break;
    case COLOUR_HEAT:
        ImGui::Text("%.1f (blue) to %.1f (yellow) degrees", low, high);
        break;
    case COLOUR_RESIDUAL:
        ImGui::Text("0 (blue) to %.3g %% (yellow) violation", 100.0 * high);
        break;
    case COLOUR_BATCH:
        ImGui::TextUnformatted("constraints (C) of one colour are solved in parallel");
        break;
    case COLOUR_TILE:
        ImGui::TextUnformatted(high > 0.0 ? "a colour for each tile; grey: seams" : "small scenes have no tiles");
        break;
    default:
        break;
    }
}

void appearance(struct panels *p)
{
    int by = p->look.colour_by;
    if (ImGui::BeginCombo("colour", colour_by_name(p->look.colour_by)))
    {
        for (int i = 0; i < COLOUR_BY_COUNT; i++)
            if (ImGui::Selectable(colour_by_name((enum colour_by)i), i == by))
                p->look.colour_by = (enum colour_by)i;
        ImGui::EndCombo();
    }
    legend(p);
    ImGui::Checkbox("shadows", &p->look.shadows);
    ImGui::SameLine();
    ImGui::Checkbox("occlusion", &p->look.contact);
    ImGui::SameLine();
    ImGui::Checkbox("floor", &p->look.floor);
    ImGui::Checkbox("constraints", &p->look.constraints);
    ImGui::SameLine();
    ImGui::Checkbox("velocities", &p->look.velocities);
    ImGui::SameLine();
    ImGui::Checkbox("wind##lines", &p->look.wind);
    ImGui::Checkbox("contacts", &p->look.contacts);
    ImGui::SameLine();
    ImGui::Checkbox("grid cells", &p->look.cells);
    ImGui::SameLine();
    ImGui::Checkbox("boxes", &p->look.boxes);
    ImGui::SameLine();
    ImGui::Checkbox("joints", &p->look.joints);
    ImGui::Checkbox("fluid particles", &p->look.particles);
    p->screenshot |= ImGui::Button("picture");
    ImGui::SameLine();
    p->film |= ImGui::Button(p->filming ? "stop the film" : "film");
}

void plot(const char *name, const float *values, const char *format)
{
    char text[64];
    std::snprintf(text, sizeof text, format, (double)values[PLOT_LENGTH - 1]);
    ImGui::PlotLines(name, values, PLOT_LENGTH, 0, text, 0.0f, 3.402823466e38f, ImVec2(0, 44));
}

void convergence(const struct panels *p)
{
    const pl_convergence *c = &p->state.convergence;
    if (!c->measured || c->count + c->rigid_count == 0)
        return;
    if (c->count)
        ImGui::Text("forces off by %s%.2g %%", c->settled ? "" : "more than ", 100.0 * c->force_error);
    if (c->rigid_count)
        ImGui::Text("rigid distances stretched by %.2g %%", 100.0 * c->rigid_strain);
}

void warnings(const struct panels *p)
{
    if (!p->state.advice[0])
        return;
    if (!ImGui::CollapsingHeader("warnings", ImGuiTreeNodeFlags_DefaultOpen))
        return;
    ImGui::PushStyleColor(ImGuiCol_Text, ImVec4(1.0f, 0.80f, 0.35f, 1.0f));
    ImGui::TextWrapped("%s", p->state.advice);
    ImGui::PopStyleColor();
}

void numbers(struct panels *p)
{
    plot("energy", p->plots.energy, "%.4g J");
    plot("residual", p->plots.residual, "%.3g %%");
    convergence(p);
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
    static const char *const lines[][2] = {{"left drag", "Drag a particle or a body, or rotate the view"},
                                           {"right drag", "Pan"},
                                           {"wheel", "Zoom"},
                                           {"space", "Pause or continue"},
                                           {".", "Single step"},
                                           {"R", "Restart"},
                                           {"F", "Fit the view to the scene"},
                                           {"[ ]", "Slower or faster"},
                                           {"left, right", "Back or forward by 0.1 s"},
                                           {"1 2 3", "Colour by material, speed, strain"},
                                           {"4 to 8", "Colour by density, heat, residual, batch, tile"},
                                           {"C V W", "Show constraints, velocities, wind"},
                                           {"X G B J", "Show contacts, grid cells, mesh boxes, joints"},
                                           {"L", "Draw fluids as particles or as a surface"},
                                           {"P", "Save a picture to this folder"},
                                           {"M", "Start or stop a film"},
                                           {"H", "Show or hide the panels"},
                                           {"?", "Show or hide this help"},
                                           {"Q", "Quit"}};
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
    ImGui::TextUnformatted(
        "Drop a scene or an OBJ mesh on the window to open it. It is reloaded when the file changes.");
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
        ImGui::SetNextWindowSizeConstraints(ImVec2(330, 0), ImVec2(330, ImGui::GetIO().DisplaySize.y - 20));
        ImGui::Begin("Pliant", nullptr, ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoMove);
        ImGui::PushItemWidth(190);
        scenes(p);
        transport(p);
        if (ImGui::CollapsingHeader("parameters", ImGuiTreeNodeFlags_DefaultOpen))
            panel_fields(p);
        if (ImGui::CollapsingHeader("look", ImGuiTreeNodeFlags_DefaultOpen))
            appearance(p);
        if (ImGui::CollapsingHeader("numbers", ImGuiTreeNodeFlags_DefaultOpen))
            numbers(p);
        warnings(p);
        ImGui::TextUnformatted("? shows the keys");
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
