# golden.cmake: the short rows of tests/scenes/golden.txt as a C table, so that `pliant verify` can compare with them.
set(golden_txt ${PROJECT_SOURCE_DIR}/tests/scenes/golden.txt)
set(golden_rows "")
if(EXISTS ${golden_txt})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${golden_txt})
    file(STRINGS ${golden_txt} golden_lines REGEX "^[a-z]")
    foreach(line IN LISTS golden_lines)
        if(line MATCHES "^([a-z0-9_]+) +([0-9]+) +([0-9a-f]+)$" AND CMAKE_MATCH_2 LESS_EQUAL 20)
            string(APPEND golden_rows "    {\"${CMAKE_MATCH_1}\", ${CMAKE_MATCH_2}, UINT64_C(0x${CMAKE_MATCH_3})},\n")
        endif()
    endforeach()
endif()
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/golden_rows.h @ONLY CONTENT
    "// Made from tests/scenes/golden.txt; do not edit.
static const struct golden_row
{
    const char *scene; // NULL ends the table
    int frames;
    uint64_t hash;
} golden_rows[] = {
${golden_rows}    {NULL, 0, 0},
};
")
