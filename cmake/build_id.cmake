# build_id.cmake: cmake -DSOURCE=dir -DOUTPUT=build_id.h -P build_id.cmake
# Writes the hash of every header that the library and the CUDA module share. A module with another hash is refused.
file(GLOB_RECURSE headers RELATIVE ${SOURCE} ${SOURCE}/src/*/*.h ${SOURCE}/src/*/*.def ${SOURCE}/src/*/*/*.h ${SOURCE}/src/*/*/*.def
    ${SOURCE}/include/pliant/*.h)
list(SORT headers)
set(all "")
foreach(header IN LISTS headers)
    file(SHA256 ${SOURCE}/${header} hash)
    string(APPEND all "${header} ${hash}\n")
endforeach()
string(SHA256 hash "${all}")
string(SUBSTRING ${hash} 0 16 id)
file(WRITE ${OUTPUT} "// Written by cmake/build_id.cmake.\n#define BUILD_ID 0x${id}u\n")
