// presets.h: comparisons that reproduce what the papers show.
#ifndef PLIANT_CLI_PRESETS_H
#define PLIANT_CLI_PRESETS_H

enum
{
    PRESET_VARIES = 4,
};

struct preset
{
    const char *name, *about;
    const char *scene, *reference;
    const char *set; // NULL: none
    int frames;      // 0: as the scene has
    const char *vary[PRESET_VARIES];
    const char *probe; // NULL: none
};

// Returns the preset of this name, or NULL.
const struct preset *preset_find(const char *name);
// Returns the name of a preset, counted from 0, or NULL.
const char *preset_name(int number);
void presets_print(void);

#endif
