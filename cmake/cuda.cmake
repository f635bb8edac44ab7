# cuda.cmake: the CUDA backend, where nvcc is installed: the module libpliant_cuda.so out of src/backend/cuda/*.cu, with the CUDA
# runtime inside. The library opens it when a world asks for CUDA, and needs nothing of it otherwise.
#
# Equal bits rest on the flags: no fused multiply-add, no flushing to zero, exact division and root.

set(PLIANT_CUDA AUTO CACHE STRING "The CUDA backend: AUTO (where nvcc is found), ON or OFF")
set(PLIANT_CUDA_ARCHITECTURES "75;90" CACHE STRING "Compute capabilities to compile for; the last one also as PTX")
option(PLIANT_CUDA_QUICK "For tests on machines without a GPU: only PTX of the last of them, as text, and warnings are errors" OFF)

set(pliant_have_cuda OFF)
if(NOT PLIANT_CUDA STREQUAL "OFF" AND NOT CMAKE_CROSSCOMPILING AND NOT PLIANT_SANITIZE AND NOT PLIANT_FUZZ)
    find_package(CUDAToolkit QUIET)
    if(CUDAToolkit_FOUND AND CUDAToolkit_NVCC_EXECUTABLE )
        set(pliant_have_cuda ON)
    elseif(PLIANT_CUDA STREQUAL "ON")
        message(FATAL_ERROR "PLIANT_CUDA is ON, but nvcc was not found; put nvcc on the PATH")
    else()
        message(STATUS "No CUDA backend: nvcc was not found")
    endif()
endif()

# What tells the library whether a module was built with it.
set(build_id_h ${PROJECT_BINARY_DIR}/generated/build_id.h)
file(GLOB_RECURSE build_id_headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/*.h ${PROJECT_SOURCE_DIR}/src/*.def
    ${PROJECT_SOURCE_DIR}/include/*.h)
add_custom_command(
    OUTPUT ${build_id_h}
    COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR} -DOUTPUT=${build_id_h} -P ${PROJECT_SOURCE_DIR}/cmake/build_id.cmake
    DEPENDS ${build_id_headers} ${PROJECT_SOURCE_DIR}/cmake/build_id.cmake
    COMMENT "Hashing the headers" VERBATIM)
add_custom_target(pliant_build_id DEPENDS ${build_id_h})

if(pliant_have_cuda)
    set(cuda_codes "")
    foreach(arch IN LISTS PLIANT_CUDA_ARCHITECTURES)
        if(NOT PLIANT_CUDA_QUICK)
            list(APPEND cuda_codes -gencode arch=compute_${arch},code=sm_${arch})
        endif()
        set(newest ${arch})
    endforeach()
    set(cuda_flags "")
    if(PLIANT_CUDA_QUICK) # a third of the time; the test cuda.headers reads the PTX
        set(cuda_flags -no-compress -Werror all-warnings)
    endif()
    list(APPEND cuda_codes -gencode arch=compute_${newest},code=compute_${newest})
    set(launcher "")
    if(PLIANT_CCACHE AND CCACHE_PROGRAM)
        set(launcher ${CCACHE_PROGRAM})
    endif()
    set(cuda_module ${PROJECT_BINARY_DIR}/libpliant_cuda.so)
    file(GLOB cuda_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/backend/cuda/*.cu)
    set(cuda_objects "")
    foreach(source IN LISTS cuda_sources)
        get_filename_component(stem ${source} NAME_WE)
        set(object ${PROJECT_BINARY_DIR}/cuda/${stem}.o)
        set(also "")
        if(stem STREQUAL "device") # it alone includes build_id.h
            set(also ${build_id_h})
        endif()
        add_custom_command(
            OUTPUT ${object}
            COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/cuda
            COMMAND ${launcher} ${CUDAToolkit_NVCC_EXECUTABLE} -O3 -std=c++17 ${cuda_codes} ${cuda_flags} -fmad=false -ftz=false -prec-div=true -prec-sqrt=true
                    -Xcompiler=-fPIC,-fvisibility=hidden,-ffp-contract=off,-fno-exceptions,-fno-rtti,-fno-threadsafe-statics
                    -I${PROJECT_SOURCE_DIR}/src -I${PROJECT_SOURCE_DIR}/include -I${PROJECT_BINARY_DIR}/generated -MD -MF ${object}.d -MT ${object}
                    -c ${source} -o ${object}
            DEPENDS ${source} ${also}
            DEPFILE ${object}.d
            COMMENT "Compiling the CUDA backend: ${stem}" VERBATIM)
        list(APPEND cuda_objects ${object})
    endforeach()
    add_custom_command(
        OUTPUT ${cuda_module}
        COMMAND ${CUDAToolkit_NVCC_EXECUTABLE} ${cuda_codes} -shared -cudart static ${cuda_objects} -o ${cuda_module}
        DEPENDS ${cuda_objects}
        COMMENT "Linking the CUDA backend" VERBATIM)
    add_custom_target(pliant_cuda ALL DEPENDS ${cuda_module})
    install(FILES ${cuda_module} DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
