#!/usr/bin/env bash
# compilers.sh SOURCE BUILD COMPILER OPTIMISATION: builds with another compiler and optimisation, and runs the golden
# scenes on one lane and on eight (four, where there is no AVX2), or, when long, on every lane width that this processor has.
set -euo pipefail
source=$1 build=$2 compiler=$3 optimisation=$4
. "$source/tests/cross/golden.sh"
need "$compiler" ninja

lanes="1"
case $(uname -m) in
    x86_64)
        lanes="1 4"
        grep -qw avx2 /proc/cpuinfo && lanes="$lanes 8"
        grep -qw avx512f /proc/cpuinfo && grep -qw avx512vl /proc/cpuinfo && grep -qw avx512dq /proc/cpuinfo &&
            grep -qw avx512bw /proc/cpuinfo && lanes="$lanes 16"
        ;;
    aarch64) lanes="1 4" ;;
esac

most=20
slow=
only=()
[ "$optimisation" = -O0 ] && most=5 slow=1
if [ -z "$long" ]; then
    most=5 slow=1
    case $lanes in *8*) lanes="1 8" ;; esac
    only=(-DPLIANT_LANES="${lanes// /;}")
fi
build "$build" "$source" -DCMAKE_BUILD_TYPE=None -DCMAKE_C_COMPILER="$compiler" -DCMAKE_C_FLAGS="$optimisation" "${only[@]}"
SLOW=$slow golden "$source/tests/scenes/golden.txt" "$most" "$lanes" "$build/pliant"
warnings "$build"
