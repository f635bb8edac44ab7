#!/usr/bin/env bash
# consumer.sh CMAKE GENERATOR BUILD PROJECT COMPILER FLAGS: installs BUILD into a staged prefix, then configures, builds and runs
# PROJECT, which knows nothing but find_package(pliant).
set -euo pipefail
cmake=$1 generator=$2 build=$3 project=$4 compiler=$5 flags=${6:-}

stage=$build/stage
rm -rf "$stage"
"$cmake" --install "$build" --prefix "$stage/prefix" >"$build/stage-install.log" ||
    { cat "$build/stage-install.log"; exit 1; }
# A prefix is there to be moved: what was installed must not remember where it first lay.
mv "$stage/prefix" "$stage/moved"
"$cmake" -S "$project" -B "$stage/build" -G "$generator" -DCMAKE_PREFIX_PATH="$stage/moved" -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_C_COMPILER="$compiler" -DCMAKE_C_FLAGS="$flags"
"$cmake" --build "$stage/build"
"$stage/build/consumer"

# The program and the scenes were installed too.
test -f "$stage/moved/include/pliant/pliant.h"
# Each header can be included by itself.
for header in "$stage"/moved/include/pliant/*.h; do
    "$compiler" -std=c17 -fsyntax-only -I "$stage/moved/include" -x c "$header"
done
if [ -x "$build/pliant" ]; then
    "$stage/moved/bin/pliant" list >/dev/null
    test -f "$stage/moved/share/pliant/scenes/flag.json"
fi
