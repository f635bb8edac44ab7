// panels.cpp: see panels.h. The only C++ in Pliant, and only because Dear ImGui is C++.
#include "panels.h"

#include <cmath>
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

void panels_mark(struct panels *p, const char *name)
{
    if (p->mark_count == MARKS)
        return;
    struct panel_mark *m = &p->marks[p->mark_count++];
    ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    std::snprintf(m->name, sizeof m->name, "%s", name);
    m->x = (int)(0.5f * (low.x + high.x));
    m->y = (int)(0.5f * (low.y + high.y));
}

namespace {
bool button(struct panels *p, const char *name)
{
    bool pressed = ImGui::Button(name);
    panels_mark(p, name);
    return pressed;
}

void scenes(struct panels *p)
{
    bool open = ImGui::BeginCombo("scene", p->state.name);
    if (!open)
        panels_mark(p, "scene");
    for (int i = 0; open && pl_builtin_scene_name(i); i++)
    {
        const char *name = pl_builtin_scene_name(i);
        if (ImGui::Selectable(name, std::strcmp(name, p->state.name) == 0))
            std::snprintf(panels_ask(p, WISH_LOAD)->text, SESSION_TEXT, "%s", name);
        panels_mark(p, name);
    }
    if (open)
        ImGui::EndCombo();
    if (button(p, p->picker ? "hide pictures" : "pictures of scenes"))
        p->picker = !p->picker;
    ImGui::SameLine();
    if (button(p, "help"))
        p->help = !p->help;
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
    char text[160];
    legend_text(p->surface, text, sizeof text);
    if (text[0])
        ImGui::TextWrapped("%s", text);
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
    ImGui::Checkbox("joints", &p->look.joints);
    ImGui::SameLine();
    ImGui::Checkbox("particles", &p->look.particles);
    if (ImGui::Button(p->beside ? "one view" : "side by side"))
        p->set_beside = true;
    panels_mark(p, "side by side");
    ImGui::SameLine();
    ImGui::TextDisabled("right: as it is now");
    ImGui::TextUnformatted("save");
    ImGui::SameLine();
    p->screenshot |= button(p, "picture");
    ImGui::SameLine();
    p->film |= button(p, p->filming ? "stop the film" : "film");
    ImGui::SameLine();
    p->save_scene |= button(p, "scene file");
    ImGui::SameLine();
    p->save_state |= button(p, "state file");
}

void plot(const char *name, const float *values, const char *format)
{
    char text[64];
    std::snprintf(text, sizeof text, format, (double)values[PLOT_LENGTH - 1]);
    ImGui::PlotLines(name, values, PLOT_LENGTH, 0, text, 0.0f, 3.402823466e38f, ImVec2(0, 3.2f * ImGui::GetFontSize()));
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

// A font of the system with plain, even letters.
static const char *find_font(void)
{
    static const char *const fonts[] = {
        "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
        "/usr/share/fonts/dejavu-sans-fonts/DejaVuSans.ttf",
        "/usr/share/fonts/dejavu/DejaVuSans.ttf",
        "/usr/share/fonts/TTF/DejaVuSans.ttf",
        "/usr/share/fonts/truetype/noto/NotoSans-Regular.ttf",
        "/usr/share/fonts/google-noto/NotoSans-Regular.ttf",
        "/usr/share/fonts/noto/NotoSans-Regular.ttf",
        "/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf",
        "/usr/share/fonts/liberation-sans/LiberationSans-Regular.ttf",
    };
    for (const char *font : fonts)
    {
        if (FILE *f = std::fopen(font, "rb"))
        {
            std::fclose(f);
            return font;
        }
    }
    return nullptr;
}

const char *panels_rescale(float scale)
{
    const char *font = find_font();
    ImGuiIO &io = ImGui::GetIO();
    ImGuiStyle style;
    ImGui::StyleColorsDark(&style);
    style.WindowRounding = 6.0f;
    style.FrameRounding = 3.0f;
    style.Colors[ImGuiCol_WindowBg].w = 0.86f;
    style.ScaleAllSizes(scale);
    ImGui::GetStyle() = style;
    io.Fonts->Clear();
    if (!font || !io.Fonts->AddFontFromFileTTF(font, std::floor(15.0f * scale + 0.5f)))
    {
        ImFontConfig plain;
        plain.SizePixels = 13.0f * std::fmax(1.0f, std::floor(scale + 0.5f)); // its letters are of whole pixels
        io.Fonts->AddFontDefault(&plain);
        font = nullptr;
    }
    ImGui_ImplOpenGL3_DestroyDeviceObjects(); // among them the font: they are made again for the next picture
    return font;
}

bool panels_open(void *window, float scale)
{
    ImGui::CreateContext();
    ImGui::GetIO().IniFilename = nullptr; // no file appears beside what a person works on
    bool good = ImGui_ImplGlfw_InitForOpenGL(static_cast<GLFWwindow *>(window), true) &&
                ImGui_ImplOpenGL3_Init("#version 330 core");
    if (good)
        panels_rescale(scale);
    return good;
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
    p->fit = p->screenshot = p->film = p->save_scene = p->save_state = p->set_beside = false;
    p->mark_count = 0;
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplGlfw_NewFrame();
    ImGui::NewFrame();
    if (p->shown)
    {
        ImGui::SetNextWindowPos(ImVec2(10, 10), ImGuiCond_Always);
        float wide = 22.0f * ImGui::GetFontSize();
        ImGui::SetNextWindowSizeConstraints(ImVec2(wide, 0), ImVec2(wide, ImGui::GetIO().DisplaySize.y - 20));
        ImGui::Begin("Pliant", nullptr, ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoMove);
        ImGui::PushItemWidth(12.0f * ImGui::GetFontSize());
        scenes(p);
        transport(p);
        if (ImGui::CollapsingHeader("parameters", ImGuiTreeNodeFlags_DefaultOpen))
            panel_fields(p);
        if (ImGui::CollapsingHeader("look", ImGuiTreeNodeFlags_DefaultOpen))
            appearance(p);
        if (ImGui::CollapsingHeader("numbers", ImGuiTreeNodeFlags_DefaultOpen))
            numbers(p);
        warnings(p);
        ImGui::PopItemWidth();
        ImGui::End();
    }
    if (p->picker)
        panel_picker(p);
    if (p->help)
        panel_help(p);
    line_below(p);
    if (p->shown)
        panel_hint(p);
    panel_under(p);
    ImGui::Render();
}

void panels_draw(void) { ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData()); }

bool panels_want_mouse(void) { return ImGui::GetIO().WantCaptureMouse; }

bool panels_want_keys(void) { return ImGui::GetIO().WantTextInput; }
