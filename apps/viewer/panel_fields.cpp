// panel_fields.cpp: every field of the scene as something to turn, made out of the scene's own tables. What is changed here acts at
// once; where it changes what there is (a size, a mesh), the scene starts anew.
#include "panels.h"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <imgui.h>

namespace {
// Three digits are as many as a hand can set.
double rounded(double value)
{
    char text[32];
    double out = value;
    std::snprintf(text, sizeof text, "%.3g", value);
    std::sscanf(text, "%lf", &out);
    return out;
}

void ask_for(struct panels *p, const pl_scene_field &f, const double *value)
{
    change_text(&f, value, panels_ask(p, WISH_SET)->text, SESSION_TEXT);
}

bool turn_ints(const char *label, const pl_scene_field &f, const pl_scene_field &original, double *value)
{
    int numbers[3] = {(int)f.value[0], (int)f.value[1], (int)f.value[2]};
    int high = (int)std::fmin(f.max, std::fmax(4.0 * original.value[0], 60.0));
    bool edited = f.count == 1   ? ImGui::SliderInt(label, numbers, (int)f.min, high)
                  : f.count == 2 ? ImGui::DragInt2(label, numbers, 0.3f, (int)f.min, (int)f.max)
                                 : ImGui::DragInt3(label, numbers, 0.3f, (int)f.min, (int)f.max);
    for (int i = 0; i < f.count; i++)
        value[i] = std::fmin(std::fmax(numbers[i], f.min), f.max);
    return edited;
}

// A number without a natural end goes on a logarithmic scale, up to ten times of what the file has.
bool turn_numbers(const char *label, const pl_scene_field &f, const pl_scene_field &original, double *value)
{
    float numbers[3] = {(float)f.value[0], (float)f.value[1], (float)f.value[2]};
    bool edited;
    if (f.count == 3)
    {
        double size = std::fabs(original.value[0]) + std::fabs(original.value[1]) + std::fabs(original.value[2]);
        edited = ImGui::DragFloat3(label, numbers, (float)(0.005 * size + 0.005), 0.0f, 0.0f, "%.3g");
    }
    else if (f.max - f.min <= 100.0)
        edited = ImGui::SliderFloat(label, numbers, (float)f.min, (float)f.max, "%.3g");
    else if (f.min >= 0.0)
        edited = ImGui::SliderFloat(label, numbers, (float)f.min, (float)std::fmax(1.0, 10.0 * original.value[0]),
                                    "%.6g", ImGuiSliderFlags_Logarithmic);
    else
        edited =
            ImGui::DragFloat(label, numbers, (float)(0.01 * std::fabs(original.value[0]) + 0.01), 0.0f, 0.0f, "%.3g");
    for (int i = 0; i < f.count; i++)
        value[i] = std::fmin(std::fmax(rounded((double)numbers[i]), f.min), f.max);
    return edited;
}

bool turn_choice(const char *label, const pl_scene_field &f, double *value)
{
    bool edited = false;
    if (!ImGui::BeginCombo(label, f.choices[(int)f.value[0]]))
        return false;
    for (int i = 0; f.choices[i]; i++)
    {
        if (ImGui::Selectable(f.choices[i], i == (int)f.value[0]))
        {
            value[0] = i;
            edited = true;
        }
    }
    ImGui::EndCombo();
    return edited;
}

void field(struct panels *p, int number, const char *name)
{
    const pl_scene_field &f = p->parameters.now[number], &original = p->parameters.original[number];
    bool changed = std::memcmp(f.value, original.value, sizeof f.value) != 0, edited = false;
    double value[3] = {f.value[0], f.value[1], f.value[2]};
    char label[160];
    std::snprintf(label, sizeof label, "%s###%s", name, f.path);
    if (changed) // what is not as the file has it stands out
        ImGui::PushStyleColor(ImGuiCol_Text, ImVec4(1.0f, 0.80f, 0.35f, 1.0f));
    if (f.type == PL_VALUE_BOOL)
    {
        bool on = f.value[0] != 0.0;
        edited = ImGui::Checkbox(label, &on);
        value[0] = on;
    }
    else if (f.type == PL_VALUE_CHOICE)
        edited = turn_choice(label, f, value);
    else if (f.type == PL_VALUE_INT)
        edited = turn_ints(label, f, original, value);
    else
        edited = turn_numbers(label, f, original, value);
    if (changed)
        ImGui::PopStyleColor();
    panels_mark(p, f.path);
    if (ImGui::IsItemHovered() && !ImGui::IsItemActive())
        ImGui::SetTooltip("%s\n%s", f.path, f.about ? f.about : "");
    if (edited && std::memcmp(value, f.value, sizeof value) != 0)
        ask_for(p, f, value);
}

// How many fields from this one on belong to the same object: "cloth[0]" of "cloth[0].stretch.damping".
int same_object(const struct panels *p, int from, char *object, size_t size)
{
    size_t length = std::strcspn(p->parameters.now[from].path, ".");
    int count = 1;
    std::snprintf(object, size, "%.*s", (int)length, p->parameters.now[from].path);
    while (from + count < p->parameters.count &&
           std::strncmp(p->parameters.now[from + count].path, object, length) == 0 &&
           p->parameters.now[from + count].path[length] == '.')
        count++;
    return count;
}

// What says nothing about how things move, or has no effect in this scene.
bool left_out(const pl_scene_field &f)
{
    const char *path = f.path;
    return f.only_for || std::strncmp(path, "camera", 6) == 0 || std::strncmp(path, "script", 6) == 0 ||
           std::strcmp(path, "frames") == 0;
}
bool shown(const struct panels *p, int number)
{
    const pl_scene_field &now = p->parameters.now[number];
    return !left_out(now) && (now.given || p->all_fields ||
                              std::memcmp(now.value, p->parameters.original[number].value, sizeof(double[3])) != 0);
}

bool any_shown(const struct panels *p, int from, int count)
{
    for (int i = from; i < from + count; i++)
        if (shown(p, i))
            return true;
    return false;
}

// An object goes by its name, and what it is stands behind: "flag (cloth)".
void object_fields(struct panels *p, int from, int count, const char *object)
{
    const char *name = p->parameters.now[from].object;
    char label[200];
    std::snprintf(label, sizeof label, "%s###%s", object, object);
    if (name)
        std::snprintf(label, sizeof label, "%.80s (%.*s)###%s", name, (int)std::strcspn(object, "["), object, object);
    bool open = ImGui::TreeNode(label);
    panels_mark(p, name ? name : object);
    if (!open)
        return;
    for (int k = from; k < from + count; k++)
        if (shown(p, k))
            field(p, k, p->parameters.now[k].path + std::strlen(object) + 1);
    ImGui::TreePop();
}
} // namespace

void panel_fields(struct panels *p)
{
    for (int i = 0, n = 1; i < p->parameters.count; i += n)
    {
        const char *path = p->parameters.now[i].path, *dot = std::strchr(path, '.');
        char object[96];
        n = dot ? same_object(p, i, object, sizeof object) : 1;
        if (!dot && !left_out(p->parameters.now[i]))
            field(p, i, path);
        else if (dot && any_shown(p, i, n))
            object_fields(p, i, n, object);
    }
    if (ImGui::Button("Reset to scene values"))
        panels_ask(p, WISH_UNSET);
    panels_mark(p, "reset values");
    ImGui::SameLine();
    ImGui::Checkbox("all fields", &p->all_fields);
}
