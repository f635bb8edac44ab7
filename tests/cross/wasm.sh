#!/usr/bin/env bash
# wasm.sh SOURCE BUILD: builds WebAssembly with emscripten (one thread) and runs the golden scenes under node, scalar
# and with SIMD.
set -euo pipefail
source=$1 build=$2
. "$source/tests/cross/golden.sh"
need emcc emcmake node ninja

mkdir -p "$build"
export NODE_PATH=${NODE_PATH:-/usr/share/nodejs}
optimisation=-O1 # quicker to compile than a release's -O3
[ -z "$long" ] || optimisation=-O3
EMCMAKE=emcmake build "$build" "$source" -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS_RELEASE=$optimisation
SLOW=1 golden "$source/tests/scenes/golden.txt" 5 "1 4" node --no-experimental-fetch "$build/pliant.js"
warnings "$build"
