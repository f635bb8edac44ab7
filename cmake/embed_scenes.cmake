# embed_scenes.cmake: writes OUTPUT, a C file that holds every scene named in LIST (one path a line) as bytes.
# Bytes rather than string literals: no limit on length, nothing to escape.

file(STRINGS ${LIST} files)
set(arrays "")
set(rows "")
set(count 0)
foreach(file IN LISTS files)
    get_filename_component(name ${file} NAME_WE)
    file(READ ${file} hex HEX)
    string(LENGTH "${hex}" length)
    math(EXPR length "${length} / 2")
    string(REGEX REPLACE "(................................)" "\\1\n    " hex "${hex}") # 16 bytes a line
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," hex "${hex}")
    string(APPEND arrays "static const unsigned char scene_${count}[] = {\n    ${hex}0x00};\n\n")
    string(APPEND rows "    {\"${name}\", (const char *)scene_${count}, ${length}},\n")
    math(EXPR count "${count} + 1")
endforeach()

file(WRITE ${OUTPUT}.part "// Made from scenes/*.json; do not edit.
#include <stddef.h>

${arrays}struct builtin_scene
{
    const char *name;
    const char *text; // zero-terminated; the zero is not counted
    size_t length;
};

extern const struct builtin_scene builtin_scenes[];
extern const int builtin_scene_count;

const struct builtin_scene builtin_scenes[] = {
${rows}    {NULL, NULL, 0},
};
const int builtin_scene_count = ${count};
")
file(RENAME ${OUTPUT}.part ${OUTPUT})
