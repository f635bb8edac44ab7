#!/usr/bin/env bash
# no_fma.sh LIBRARY: no instruction in the library multiplies and adds with one rounding. SSE2 and WASM cannot, so a
# single one of them, on any lane width, would make the bits differ between machines.
set -euo pipefail
if ! command -v objdump >/dev/null; then
    echo "skipped: objdump is not installed"
    exit 77
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
objdump -d --no-show-raw-insn "$1" >"$folder/code" 2>/dev/null
grep -Eq '\b(sqrtss|vsqrtss|fsqrt)\b' "$folder/code" || { echo "$1 has no square root: is this the engine?"; exit 1; }
if grep -Em5 '\b(v?fn?m(add|sub|addsub|subadd)[0-9]*[ps][sd]|fn?m(add|sub)|fml[as])\b' "$folder/code"; then
    echo "$1 holds fused multiply-adds (above); every source needs -ffp-contract=off"
    exit 1
fi
