# flags.cmake: what every one of our own targets is compiled with, as the interface target pliant_flags.
#
# Equal bits rest on two of these flags: -ffp-contract=off (no fma behind our back) and the absence of -ffast-math.
# -fno-math-errno only lets sqrt be one instruction.

add_library(pliant_flags INTERFACE)
target_compile_features(pliant_flags INTERFACE c_std_17)
target_compile_options(pliant_flags INTERFACE
    -ffp-contract=off -fno-math-errno -fvisibility=hidden
    -Wall -Wextra -Wpedantic -Wconversion
    $<$<C_COMPILER_ID:GNU>:-Wno-psabi> # wide vectors never cross a function that is not inlined
    $<$<BOOL:${PLIANT_WERROR}>:-Werror>)

string(TOUPPER "${CMAKE_C_FLAGS} ${CMAKE_C_FLAGS_${CMAKE_BUILD_TYPE}}" all_flags)
if(all_flags MATCHES "FFAST-MATH|OFAST|FUNSAFE-MATH|FASSOCIATIVE-MATH|FRECIPROCAL-MATH")
    message(FATAL_ERROR "-ffast-math and its kin change the bits of every scene; remove them from CMAKE_C_FLAGS")
endif()

set(CMAKE_C_EXTENSIONS ON) # GCC vector types and POSIX

# Sanitizers reach everything that is linked, our dependents' executables too.
set(sanitize_flags "")
if(PLIANT_SANITIZE)
    list(APPEND sanitize_flags -fsanitize=${PLIANT_SANITIZE} -fno-omit-frame-pointer)
    if(PLIANT_SANITIZE MATCHES "undefined")
        list(APPEND sanitize_flags -fno-sanitize-recover=undefined)
    endif()
endif()
if(PLIANT_FUZZ)
    if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
        message(FATAL_ERROR "PLIANT_FUZZ needs clang; try -DCMAKE_C_COMPILER=clang")
    endif()
    list(APPEND sanitize_flags -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined)
endif()
target_compile_options(pliant_flags INTERFACE ${sanitize_flags})
target_link_options(pliant_flags INTERFACE ${sanitize_flags})

# Where ccache is installed, what was compiled before is not compiled again. Before all targets, so that it reaches them.
option(PLIANT_CCACHE "Compile through ccache, where it is installed" ON)
if(PLIANT_CCACHE AND NOT EMSCRIPTEN)
    find_program(CCACHE_PROGRAM ccache)
    foreach(language C CXX)
        if(CCACHE_PROGRAM AND NOT CMAKE_${language}_COMPILER_LAUNCHER)
            set(CMAKE_${language}_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
        endif()
    endforeach()
endif()
