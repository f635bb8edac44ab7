#!/usr/bin/env bash
# verify.sh PROGRAM: `pliant verify` compares with the golden hashes, and says what it did about the GPU. Two scenes are
# enough to see that: test_golden.c runs every scene on every width and thread count.
set -euo pipefail
program=$1
. "$(dirname "${BASH_SOURCE[0]}")/check.sh"
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)

chosen="rope jelly"
expect 0 "all is well" verify $chosen
rows=0
while read -r scene frames hash; do
    case " $chosen " in *" $scene "*) ;; *) continue ;; esac
    [ "$frames" -le 20 ] || continue
    rows=$((rows + 1))
    grep -qE "^$scene, $frames frames, lanes x threads +$hash in ([0-9]+) of \1 +ok$" "$work/stdout" ||
        bad "no line of $scene, $frames frames, with $hash"
done < <(grep '^[a-z]' "$source/tests/scenes/golden.txt")
[ $rows -ge 4 ] || bad "only $rows golden rows"
[ "$(grep -c 'lanes x threads' "$work/stdout")" -eq $rows ] || bad "other scenes than the chosen ones were run"
grep -qE '^cuda +skipped: no GPU \(' "$work/stdout" || grep -qE '^rope, 20 frames, cuda .* 1 of 1 +ok$' "$work/stdout" ||
    bad "nothing about the GPU: $(grep cuda "$work/stdout")"
grep -qE '^linear momentum .* at most 1e-03 +ok$' "$work/stdout" || bad "momentum without its limit"
expect 2 "no built-in scene \"rop\"" verify rop
finish
