# harden.cmake: what makes a mistake in memory end the program instead of serving an attacker, where the compiler and the linker have it.
# None of it changes a bit of any scene. The lanes, which only see data that was checked, go without the guards on their stack.

option(PLIANT_HARDEN "Stack guards, checked libc calls, read-only relocations, control-flow protection" ON)
set(harden_lanes "") # what the lanes are compiled with
set(pliant_hardened OFF)

if(PLIANT_HARDEN AND NOT EMSCRIPTEN AND NOT PLIANT_SANITIZE AND NOT PLIANT_FUZZ)
    include(CheckCCompilerFlag)
    include(CheckLinkerFlag)
    include(CheckPIESupported)
    set(pliant_hardened ON)

    set(candidates -fstack-protector-strong -fstack-clash-protection)
    if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
        list(APPEND candidates -fcf-protection=full)
    elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64|ARM64)$")
        list(APPEND candidates -mbranch-protection=standard)
    endif()
    foreach(flag IN LISTS candidates)
        string(MAKE_C_IDENTIFIER "have${flag}" have)
        check_c_compiler_flag(${flag} ${have})
        if(${have})
            target_compile_options(pliant_flags INTERFACE $<$<COMPILE_LANGUAGE:C,CXX>:${flag}>)
        endif()
    endforeach()
    if(have_fstack_protector_strong)
        list(APPEND harden_lanes -fno-stack-protector)
    endif()
    if(have_fstack_clash_protection)
        list(APPEND harden_lanes -fno-stack-clash-protection)
    endif()

    # It works on optimised code only, and some distributions define it already.
    set(optimised $<AND:$<COMPILE_LANGUAGE:C,CXX>,$<CONFIG:Release,RelWithDebInfo,MinSizeRel>>)
    target_compile_options(pliant_flags INTERFACE $<${optimised}:-U_FORTIFY_SOURCE> $<${optimised}:-D_FORTIFY_SOURCE=2>)

    foreach(flag -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack)
        string(MAKE_C_IDENTIFIER "have${flag}" have)
        check_linker_flag(C ${flag} ${have})
        if(${have})
            target_link_options(pliant_flags INTERFACE ${flag})
        endif()
    endforeach()
    check_pie_supported(LANGUAGES C)
    set(CMAKE_POSITION_INDEPENDENT_CODE ON) # programs too are loaded at a random address
endif()
