#!/usr/bin/env bash
# verify.sh PROGRAM: `pliant verify` compares with every short golden hash, and says what it did about the GPU.
set -euo pipefail
program=$1
. "$(dirname "${BASH_SOURCE[0]}")/check.sh"
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)

expect 0 "all is well" verify
rows=0
while read -r scene frames hash; do
    [ "$frames" -le 20 ] || continue
    rows=$((rows + 1))
    grep -qE "^$scene, $frames frames, lanes x threads +$hash in ([0-9]+) of \1 +ok$" "$work/stdout" ||
        bad "no line of $scene, $frames frames, with $hash"
done < <(grep '^[a-z]' "$source/tests/scenes/golden.txt")
[ $rows -ge 20 ] || bad "only $rows golden rows"
grep -qE '^cuda +not tried: no GPU \(' "$work/stdout" || grep -qE '^flag, 20 frames, cuda .* 1 of 1 +ok$' "$work/stdout" ||
    bad "nothing about the GPU: $(grep cuda "$work/stdout")"
grep -qE '^linear momentum .* at most 1e-03 +ok$' "$work/stdout" || bad "momentum without its limit"
finish
