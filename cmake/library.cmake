# library.cmake: the library itself. src/backend/cpu/lanes*.c are compiled once for every lane width that the architecture has; the
# dispatcher learns from PL_LANES_n which of them exist.

if(NOT EMSCRIPTEN) # in WebAssembly, the single-thread build: libc's pthread_create fails, and the pool does without
    find_package(Threads REQUIRED)
endif()

# jsmn.h is copied into the build tree: the folder it lies in, /usr/include, must not reach a cross compiler.
find_path(JSMN_INCLUDE_DIR jsmn.h PATHS /usr/include /usr/local/include NO_CMAKE_FIND_ROOT_PATH)
if(NOT JSMN_INCLUDE_DIR)
    message(FATAL_ERROR "jsmn.h was not found; install libjsmn-dev, or set JSMN_INCLUDE_DIR to its folder")
endif()
configure_file(${JSMN_INCLUDE_DIR}/jsmn.h ${PROJECT_BINARY_DIR}/generated/jsmn.h COPYONLY)

# ---- the scenes, compiled in ----
file(GLOB scene_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/scenes/*.json)
list(FILTER scene_files EXCLUDE REGEX "/schema\\.json$")
list(SORT scene_files)
set(scenes_c ${PROJECT_BINARY_DIR}/generated/builtin_scenes.c)
set(scenes_list ${PROJECT_BINARY_DIR}/generated/builtin_scenes.txt)
list(JOIN scene_files "\n" scene_lines)
file(CONFIGURE OUTPUT ${scenes_list} CONTENT "${scene_lines}\n" @ONLY) # rewritten only when the list changes
add_custom_command(
    OUTPUT ${scenes_c}
    COMMAND ${CMAKE_COMMAND} -DLIST=${scenes_list} -DOUTPUT=${scenes_c} -P ${PROJECT_SOURCE_DIR}/cmake/embed_scenes.cmake
    DEPENDS ${scene_files} ${scenes_list} ${PROJECT_SOURCE_DIR}/cmake/embed_scenes.cmake
    COMMENT "Compiling the scenes in" VERBATIM)

# An archive, too, may end up inside somebody's shared library; WebAssembly has no use for it.
set(position_independent ON)
if(EMSCRIPTEN)
    set(position_independent OFF)
endif()

# ---- the lane widths ----
set(lane_widths 1)
if(EMSCRIPTEN)
    list(APPEND lane_widths 4)
    set(lane_flags_4 -msimd128)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
    list(APPEND lane_widths 4 8 8_vl 16) # 4 is SSE2, which every x86-64 has
    set(lane_flags_8 -mavx2)
    set(lane_flags_16 -mavx512f -mavx512vl -mavx512dq -mavx512bw)
    set(lane_flags_8_vl ${lane_flags_16} -mprefer-vector-width=256) # eight lanes, but 32 registers for them
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64|ARM64)$")
    list(APPEND lane_widths 4) # NEON, which every ARM64 has
endif()

if(PLIANT_FUZZ) # what parses is fuzzed, not the lanes
    set(lane_widths 1)
elseif(PLIANT_LANES) # a smaller library, or a quicker build: the bits do not depend on the widths
    foreach(width IN LISTS PLIANT_LANES)
        if(NOT width IN_LIST lane_widths)
            list(JOIN lane_widths ", " known)
            message(FATAL_ERROR "PLIANT_LANES: there is no width ${width} here; the widths are ${known}")
        endif()
    endforeach()
    set(lane_widths ${PLIANT_LANES})
    if(NOT 1 IN_LIST lane_widths) # what every processor runs
        list(PREPEND lane_widths 1)
    endif()
endif()

set(lane_definitions "")
set(lane_objects "")
file(GLOB lane_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/backend/cpu/lanes*.c)
if(lane_sources)
    foreach(width IN LISTS lane_widths)
        add_library(pliant_lanes_${width} OBJECT ${lane_sources})
        string(REGEX REPLACE "_.*" "" lanes ${width})
        target_compile_definitions(pliant_lanes_${width} PRIVATE LANES=${lanes} LANE_WIDTH=${width} LANE_TABLE=lane_table_${width})
        target_compile_options(pliant_lanes_${width} PRIVATE ${lane_flags_${width}} ${harden_lanes})
        target_include_directories(pliant_lanes_${width} PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
        target_link_libraries(pliant_lanes_${width} PRIVATE pliant_flags)
        if(PLIANT_SANITIZE MATCHES "undefined") # these four, on thousands of inlined loads, make gcc compile for minutes
            target_compile_options(pliant_lanes_${width} PRIVATE -fno-sanitize=null,alignment,object-size,pointer-overflow)
        endif()
        set_target_properties(pliant_lanes_${width} PROPERTIES POSITION_INDEPENDENT_CODE ${position_independent})
        list(APPEND lane_definitions PL_LANES_${width}=1)
        list(APPEND lane_objects $<TARGET_OBJECTS:pliant_lanes_${width}>)
    endforeach()
endif()

include(cmake/cuda.cmake)

# ---- the library ----
file(GLOB_RECURSE library_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/*.c)
list(FILTER library_sources EXCLUDE REGEX "/src/backend/cpu/lanes[^/]*\\.c$")

# What a library needs besides its objects: the public headers, and the libraries of the system.
function(pliant_library_interface name)
    target_include_directories(${name}
        PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    target_link_libraries(${name} PRIVATE $<BUILD_INTERFACE:pliant_flags>)
    if(pliant_have_cuda)
        target_link_libraries(${name} PUBLIC ${CMAKE_DL_LIBS})
    endif()
    if(NOT EMSCRIPTEN)
        target_link_libraries(${name} PUBLIC Threads::Threads $<$<BOOL:${UNIX}>:m>)
    endif()
    set_target_properties(${name} PROPERTIES
        LINKER_LANGUAGE C POSITION_INDEPENDENT_CODE ${position_independent}
        ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR} LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
endfunction()

# Compiled once, for every form of the library.
add_library(pliant_objects OBJECT ${library_sources} ${scenes_c})
if(pliant_have_cuda)
    target_compile_definitions(pliant_objects PRIVATE PL_CUDA=1)
    add_dependencies(pliant_objects pliant_build_id)
endif()
target_include_directories(pliant_objects PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
target_include_directories(pliant_objects SYSTEM PRIVATE ${PROJECT_BINARY_DIR}/generated) # its warnings are not ours
target_compile_definitions(pliant_objects PRIVATE ${lane_definitions})
target_link_libraries(pliant_objects PRIVATE pliant_flags)
if(NOT EMSCRIPTEN)
    target_link_libraries(pliant_objects PRIVATE Threads::Threads)
endif()
set_target_properties(pliant_objects PROPERTIES POSITION_INDEPENDENT_CODE ${position_independent})
set(all_objects $<TARGET_OBJECTS:pliant_objects> ${lane_objects})

# A shared library says which binary interface it has. Before 1.0 each minor version may change it, so each has a soname of
# its own, libpliant.so.0.3; every symbol carries the same version, so that two libraries in one program are kept apart.
if(PROJECT_VERSION_MAJOR EQUAL 0)
    set(pliant_abi ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
else()
    set(pliant_abi ${PROJECT_VERSION_MAJOR})
endif()
function(pliant_shared_interface name)
    set_target_properties(${name} PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${pliant_abi})
    if(UNIX AND NOT APPLE)
        set(versions ${PROJECT_BINARY_DIR}/generated/libpliant.map)
        file(CONFIGURE OUTPUT ${versions} CONTENT "PLIANT_@pliant_abi@ { global: pl_*; local: *; };\n" @ONLY)
        target_link_options(${name} PRIVATE -Wl,--version-script=${versions})
        set_target_properties(${name} PROPERTIES LINK_DEPENDS ${versions})
    endif()
endfunction()

# The program, the viewer and the unit tests use functions that the library hides from its users: they get an archive of
# all objects.
add_library(pliant_internal STATIC ${all_objects})
pliant_library_interface(pliant_internal)

# A user's archive is one object whose hidden symbols are local. So a function of the library, such as surface_free, cannot
# clash with one of the user's, as it could in an archive of many objects, where hidden symbols are global until the
# program is linked. Link-time optimisation leaves no objects to do this to; WebAssembly and Windows have no such tool.
set(pliant_symbols_hidden OFF)
string(FIND "${CMAKE_C_FLAGS} ${CMAKE_C_FLAGS_${CMAKE_BUILD_TYPE}}" "-flto" lto)
if(BUILD_SHARED_LIBS)
    add_library(pliant SHARED ${all_objects})
    pliant_shared_interface(pliant)
elseif(UNIX AND NOT EMSCRIPTEN AND NOT CMAKE_INTERPROCEDURAL_OPTIMIZATION AND lto EQUAL -1 AND (APPLE OR CMAKE_OBJCOPY))
    set(one_object ${PROJECT_BINARY_DIR}/pliant_one_object.o)
    set(target_flag "")
    if(CMAKE_C_COMPILER_TARGET)
        set(target_flag ${CMAKE_C_COMPILER_OPTIONS_TARGET}${CMAKE_C_COMPILER_TARGET})
    endif()
    set(localize COMMAND ${CMAKE_OBJCOPY} --localize-hidden ${one_object})
    if(APPLE) # its ld -r does so by itself
        set(localize "")
    endif()
    add_custom_command(OUTPUT ${one_object}
        COMMAND ${CMAKE_C_COMPILER} ${target_flag} -r -nostdlib -o ${one_object} ${all_objects}
        ${localize}
        DEPENDS ${all_objects} COMMAND_EXPAND_LISTS COMMENT "Hiding the internal symbols of libpliant.a" VERBATIM)
    add_library(pliant STATIC ${one_object})
    set_source_files_properties(${one_object} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
    set(pliant_symbols_hidden ON)
else()
    add_library(pliant STATIC ${all_objects})
endif()
pliant_library_interface(pliant)
add_library(pliant::pliant ALIAS pliant)

# The shared library beside the archive.
if(PLIANT_SHARED AND NOT BUILD_SHARED_LIBS AND NOT EMSCRIPTEN)
    add_library(pliant_shared SHARED ${all_objects})
    pliant_shared_interface(pliant_shared)
    pliant_library_interface(pliant_shared)
    set_target_properties(pliant_shared PROPERTIES OUTPUT_NAME pliant EXPORT_NAME shared)
    add_library(pliant::shared ALIAS pliant_shared)
endif()
