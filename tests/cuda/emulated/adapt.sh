#!/usr/bin/env bash
# adapt.sh SOURCE OUT: a .cu as C++ for the emulated device (cuda_runtime.h here tells how). Memory that a launch asks for is one array; hints to
# a GPU's cache are not for us.
set -euo pipefail
sed -E 's/extern __shared__/extern/; s/asm volatile\("prefetch[^;]*;[^;]*;/(void)p;/' "$1" >"$2.part"
mv "$2.part" "$2"
