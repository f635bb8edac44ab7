#!/usr/bin/env bash
# headers.sh NVCC SOURCE OBJECT: compiles the CUDA backend, which holds every kernel header, with the flags that equal
# bits need. An fma in what comes out fails the test.
set -euo pipefail
nvcc=$1 source=$2 object=$3
command -v "$nvcc" >/dev/null || { echo "skipped: nvcc is not installed"; exit 77; }

flags=(-std=c++17 -arch=sm_90 -fmad=false -ftz=false -prec-div=true -prec-sqrt=true -I "$source/include" -I "$source/src")
kernels=0
for file in "$source"/src/cuda/*.cu; do
    name=$object.$(basename "$file" .cu)
    # IEEE division and square root call on fma inside themselves, with rounding that hides it; so PTX is what can tell. CUB's own
    # kernels handle integers alone.
    "$nvcc" "${flags[@]}" -Werror all-warnings -ptx "$file" -o "$name.ptx"
    if grep -Em5 '^\s*(fma|mad)\.[a-z.]*f(32|64)|approx|ftz' "$name.ptx"; then
        echo "$(basename "$file"): a fused, approximate or flushing operation (above)"
        exit 1
    fi
    kernels=$((kernels + $(grep -c '^\.visible \.entry\|^\.entry\|^\.weak \.entry' "$name.ptx" || true)))
done
echo "$kernels kernels"
[ "$kernels" -ge 8 ]
