#!/usr/bin/env bash
# arm64.sh SOURCE BUILD: builds for ARM64 and runs the golden scenes under qemu-user, scalar and with NEON.
set -euo pipefail
source=$1 build=$2
. "$source/tests/cross/golden.sh"
need aarch64-linux-gnu-gcc qemu-aarch64 ninja

optimisation=-O1 # quicker to compile than a release's -O3
[ -z "$long" ] || optimisation=-O3
build "$build" "$source" -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS_RELEASE=$optimisation \
    -DCMAKE_TOOLCHAIN_FILE="$source/cmake/aarch64-linux-gnu.cmake"
SLOW=1 golden "$source/tests/scenes/golden.txt" 5 "1 4" qemu-aarch64 -L /usr/aarch64-linux-gnu "$build/pliant"
warnings "$build"
