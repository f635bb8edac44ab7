#!/usr/bin/env bash
# headers.sh NVCC SOURCE BUILT OBJECT: the CUDA backend, which holds every kernel header, is compiled with the flags that equal bits need: no fused,
# approximate or flushing operation is in its PTX, and no kernel keeps a copy of the state in local memory. A build with PLIANT_CUDA_QUICK has compiled it so, warnings being errors, and left the
# PTX as text in its objects, in the folder BUILT; other builds have not, and it is compiled here.
set -euo pipefail
nvcc=$1 source=$2 built=$3 object=$4
command -v "$nvcc" >/dev/null || { echo "skipped: nvcc is not installed"; exit 77; }

flags=(-std=c++17 -arch=sm_90 -fmad=false -ftz=false -prec-div=true -prec-sqrt=true -I "$source/include" -I "$source/src" -I "$built/../generated")
kernels=0 compiled=0
for file in "$source"/src/backend/cuda/*.cu; do
    stem=$(basename "$file" .cu)
    # IEEE division and square root call on fma inside themselves, with rounding that hides it; so PTX is what can tell. CUB's own
    # kernels handle integers alone.
    ptx=$built/$stem.o
    if [ "$ptx" -ot "$file" ] || ! grep -aq '^\.address_size 64' "$ptx"; then
        ptx=$object.$stem.ptx
        "$nvcc" "${flags[@]}" -Werror all-warnings -ptx "$file" -o "$ptx"
        compiled=$((compiled + 1))
    fi
    if grep -aEm5 '^\s*(fma|mad)\.[a-z.]*f(32|64)|\.(approx|ftz)\b' "$ptx"; then
        echo "$stem.cu: a fused, approximate or flushing operation (above)"
        exit 1
    fi
    # A copy of the state in local memory (15 KB a thread) made the frame of a small cloth 75 times slower.
    most=$(grep -aoE '__local_depot[0-9]+\[[0-9]+\]' "$ptx" | sed -E 's/.*\[([0-9]+)\]/\1/' | sort -n | tail -1 || true)
    if [ "${most:-0}" -gt 8192 ]; then
        echo "$stem.cu: a kernel keeps $most bytes in local memory; 8192 are the most"
        exit 1
    fi
    kernels=$((kernels + $(grep -ac '^\.visible \.entry\|^\.entry\|^\.weak \.entry' "$ptx" || true)))
done
echo "$kernels kernels; $compiled files compiled here"
[ "$kernels" -ge 8 ]
