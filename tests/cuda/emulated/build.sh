#!/usr/bin/env bash
# build.sh CXX SOURCE OUT [FLAG...]: the CUDA backend for a CPU (cuda_runtime.h here tells how), as a module that a world opens with
# PLIANT_CUDA_MODULE=OUT.
set -euo pipefail
cxx=$1 source=$2 out=$3
shift 3
here=$source/tests/cuda/emulated
mkdir -p "$out.d"
cmake -DSOURCE="$source" -DOUTPUT="$out.d/build_id.h" -P "$source/cmake/build_id.cmake"
flags=(-std=c++17 -O2 -g -fPIC -ffp-contract=off -fno-math-errno -fno-strict-aliasing -fpermissive -w -D__CUDACC__ -I "$here" -include cuda_runtime.h -I "$source/include"
    -I "$source/src" -I "$out.d" "$@")
objects=()
jobs=()
for file in "$source"/src/cuda/*.cu; do
    stem=$(basename "$file" .cu)
    # Memory that a launch asks for is one array; hints to a GPU's cache are not for us.
    sed -E 's/extern __shared__/extern/; s/asm volatile\("prefetch[^;]*;[^;]*;/(void)p;/' "$file" >"$out.d/$stem.cpp"
    $cxx "${flags[@]}" -c "$out.d/$stem.cpp" -o "$out.d/$stem.o" &
    jobs+=($!)
    objects+=("$out.d/$stem.o")
    [ ${#jobs[@]} -lt 2 ] || { wait "${jobs[0]}"; jobs=("${jobs[@]:1}"); }
done
$cxx "${flags[@]}" -c "$here/emulated.cpp" -o "$out.d/emulated.o"
for job in "${jobs[@]}"; do wait "$job"; done
$cxx "$@" -shared "${objects[@]}" "$out.d/emulated.o" -o "$out"
