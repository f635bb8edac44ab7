#!/usr/bin/env bash
# consumer.sh CMAKE GENERATOR BUILD PROJECT EXAMPLES COMPILER HIDDEN FLAGS: installs BUILD into a staged prefix, then configures, builds and runs
# PROJECT, which knows nothing but find_package(pliant). HIDDEN is ON: the installed archive must export nothing but pl_*.
set -euo pipefail
cmake=$1 generator=$2 build=$3 project=$4 examples=$5 compiler=$6 hidden=$7 flags=${8:-}

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

# The shared library: its soname names the binary interface, every public symbol carries that version, and no other is there.
shared=$(find "$stage/moved" -name 'libpliant.so*' -type f)
if [ -n "$shared" ]; then
    [ -x "$stage/build/consumer_shared" ] || [ ! -e "$(find "$stage/moved" -name libpliant.a)" ] ||
        { echo "there is a shared library, but no pliant::shared"; exit 1; }
    if [ -x "$stage/build/consumer_shared" ]; then "$stage/build/consumer_shared"; fi
    if command -v readelf >/dev/null; then
        abi=$(sed -nE 's/^#define PL_VERSION_(MAJOR|MINOR) ([0-9]+)$/\2/p' "$stage/moved/include/pliant/pliant.h" | paste -sd.)
        case $abi in 0.*) ;; *) abi=${abi%%.*} ;; esac
        dynamic=$(LC_ALL=C readelf -dW "$shared")
        grep -q "soname: \[libpliant.so.$abi\]" <<<"$dynamic" || { echo "the soname is not libpliant.so.$abi"; exit 1; }
        symbols=$(readelf --dyn-syms -W "$shared" | awk '$5 == "GLOBAL" && $7 != "UND" && $7 != "ABS" { print $8 }')
        if grep -v "^pl_.*@@PLIANT_$abi\$" <<<"$symbols"; then
            echo "$shared exports these names (above); all must be pl_*@@PLIANT_$abi"
            exit 1
        fi
        echo "libpliant.so.$abi exports $(wc -l <<<"$symbols") names, all of them pl_*@@PLIANT_$abi"
    fi
fi

# The examples, built against the same package, show what they say.
"$cmake" -S "$examples" -B "$stage/examples" -G "$generator" -DCMAKE_PREFIX_PATH="$stage/moved" -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_C_COMPILER="$compiler" -DCMAKE_C_FLAGS="$flags -Wall -Wextra -Werror" >"$build/stage-examples.log"
"$cmake" --build "$stage/examples" >>"$build/stage-examples.log" || { cat "$build/stage-examples.log"; exit 1; }
for name in cape boxes rollback hooks; do
    "$stage/examples/$name" || { echo "the example $name failed"; exit 1; }
done
if [ -x "$stage/examples/draw" ] && command -v xvfb-run >/dev/null; then
    status=0
    xvfb-run -a "$stage/examples/draw" 5 || status=$?
    [ $status = 0 ] || [ $status = 77 ] || { echo "the example draw failed"; exit 1; }
fi

# An archive exports the public functions alone: any other name could clash with one of the user's.
archive=$(find "$stage/moved" -name libpliant.a)
if [ "$hidden" = ON ] && [ -n "$archive" ] && command -v nm >/dev/null; then
    exported=$(nm -g --defined-only "$archive" | awk 'NF == 3 { print $3 }')
    public=$(grep -c '^pl_' <<<"$exported" || true)
    [ "$public" -gt 100 ] || { echo "$archive exports $public functions pl_*; there are more"; exit 1; }
    if grep -v '^pl_' <<<"$exported"; then
        echo "$archive exports these names (above), which do not begin with pl_"
        exit 1
    fi
    echo "libpliant.a exports $public names, all of them pl_*"
fi

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
