// panels_more.cpp: what is beside the main panel: the pictures of all scenes, the keys, what is under the mouse.
#include "panels.h"

#include <cstdint>
#include <cstdio>
#include <cstring>

#include <imgui.h>

// As many beside each other as fit; a click opens the scene.
void panel_picker(struct panels *p)
{
    ImGuiIO &io = ImGui::GetIO();
    float em = ImGui::GetFontSize(), left = p->shown ? 23.5f * em : 10.0f;
    ImVec2 size(10.0f * em, 10.0f * em * 9.0f / 16.0f);
    ImGui::SetNextWindowPos(ImVec2(left, 10), ImGuiCond_Always);
    ImGui::SetNextWindowSize(ImVec2(io.DisplaySize.x - left - 10, io.DisplaySize.y - 20 - 3.0f * em), ImGuiCond_Always);
    if (!ImGui::Begin("scenes", &p->picker, ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoCollapse))
    {
        ImGui::End();
        return;
    }
    float room = ImGui::GetContentRegionAvail().x;
    int across = (int)(room / (size.x + ImGui::GetStyle().ItemSpacing.x));
    for (int i = 0; pl_builtin_scene_name(i); i++)
    {
        const char *name = pl_builtin_scene_name(i);
        unsigned texture = i < p->thumbnail_count ? p->thumbnails[i].texture : 0;
        if (across > 1 && i % across)
            ImGui::SameLine();
        ImGui::BeginGroup();
        ImGui::PushID(i);
        bool pressed = texture ? ImGui::ImageButton((ImTextureID)(intptr_t)texture, size, ImVec2(0, 0), ImVec2(1, 1), 0)
                               : ImGui::Button("...", size);
        ImGui::PopID();
        char mark[80];
        std::snprintf(mark, sizeof mark, "picture %s", name);
        panels_mark(p, mark);
        ImGui::TextUnformatted(name);
        ImGui::EndGroup();
        if (pressed)
        {
            std::snprintf(panels_ask(p, WISH_LOAD)->text, SESSION_TEXT, "%s", name);
            p->picker = false;
        }
    }
    ImGui::End();
}

void panel_help(struct panels *p)
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
                                           {"4 to 9", "Colour by density, heat, residual, batch, tile, pressure"},
                                           {"C V W", "Show constraints, velocities, wind"},
                                           {"X G B J", "Show contacts, grid cells, mesh boxes, joints"},
                                           {"L", "Draw particles instead of surfaces"},
                                           {"O", "Choose a scene by its picture"},
                                           {"D", "Two settings side by side; right: as it is now"},
                                           {"P M", "Save a picture; start or stop a film"},
                                           {"S T", "Save the scene with its changes; save the state"},
                                           {"+ -", "Larger or smaller letters"},
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
        ImGui::SameLine(8.0f * ImGui::GetFontSize());
        ImGui::TextUnformatted(line[1]);
    }
    ImGui::TextUnformatted(
        "Drop a scene or an OBJ mesh on the window to open it. It is reloaded when the file changes.");
    ImGui::End();
}

// The most important keys, always in sight.
void panel_hint(struct panels *p)
{
    ImGuiIO &io = ImGui::GetIO();
    const char *text = p->state.playing
                           ? "space pause   drag: pull or turn   wheel zoom   R restart   O scenes   ? all keys"
                           : "space play   . step   drag: pull or turn   wheel zoom   O scenes   ? all keys";
    ImGui::SetNextWindowPos(ImVec2(io.DisplaySize.x - 10, io.DisplaySize.y - 10), ImGuiCond_Always, ImVec2(1, 1));
    ImGui::SetNextWindowBgAlpha(0.45f);
    ImGui::Begin("hint", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_AlwaysAutoResize |
                     ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoFocusOnAppearing);
    ImGui::TextUnformatted(text);
    ImGui::End();
}

void panel_under(struct panels *p)
{
    if (!p->under[0] || ImGui::GetIO().WantCaptureMouse)
        return;
    ImGui::BeginTooltip();
    ImGui::TextUnformatted(p->under);
    ImGui::EndTooltip();
}
