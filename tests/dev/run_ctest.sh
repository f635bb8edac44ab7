#!/usr/bin/env bash
# run_ctest.sh SOURCE: how ./dev ends a run of ctest, shown with a ctest that only prints: the exit status is ctest's own, and the last line its
# closing line, in the words of ctest 3 and of ctest 4.
set -euo pipefail
source=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/bin" "$work/build/Testing/Temporary"
printf '#!/bin/sh\ncat "$FAKE_TEXT"\nexit "$FAKE_STATUS"\n' >"$work/bin/ctest"
chmod +x "$work/bin/ctest"
printf '1/2 Test: cross.wasm\nskipped: emcc is not installed\n' >"$work/build/Testing/Temporary/LastTest.log"
export PATH=$work/bin:$PATH FAKE_TEXT=$work/text FAKE_STATUS
failures=0

# ends STATUS "LAST LINE" "TEXT": what ctest prints and how it exits; ./dev must end with the line and the same status.
ends()
{
    local status=$1 line=$2 got=0 last
    printf "$3" >"$FAKE_TEXT"
    FAKE_STATUS=$status
    (. "$source/dev" && run_ctest "$work/build" --parallel 2) >"$work/out" 2>&1 || got=$?
    last=$(tail -1 "$work/out")
    [ "$got" = "$status" ] && [ "$last" = "$line" ] && grep -q 'cross.wasm: emcc is not installed' "$work/out" ||
        { echo "wrong: status $got instead of $status, \"$last\" instead of \"$line\":"; cat "$work/out"; failures=1; }
}

run='1/2 Test #1: a ....   Passed    0.01 sec\n'
skipped='\nThe following tests did not run:\n\t  2 - cross.wasm (Skipped)\n\n'
total='\nTotal Test time (real) =   0.02 sec\n'
errors='\nThe following tests FAILED:\n\t  1 - a (Failed)\nErrors while running CTest\n'
ends 0 "100% tests passed, 0 tests failed out of 2" "$run\n100%% tests passed, 0 tests failed out of 2\n$total$skipped"
ends 0 "100% tests passed, 0 tests failed out of 2" "$run\n100%% tests passed out of 2\n$total$skipped"
ends 8 "50% tests passed, 1 tests failed out of 2" "$run\n50%% tests passed, 1 tests failed out of 2\n$total$errors"
ends 8 "50% tests passed, 1 tests failed out of 2" "$run\n50%% tests passed, 1 tests failed out of 2\n$total$skipped$errors"
grep -q 'did not run' "$work/out" && { echo "wrong: what was skipped is told twice"; failures=1; }
grep -q '1 - a (Failed)' "$work/out" || { echo "wrong: what failed is not told"; failures=1; }
ends 8 "No tests were found!!!" "No tests were found!!!\n" # no closing line: what there was
ends 1 "100% tests passed, 0 tests failed out of 2" "$run\n100%% tests passed out of 2\n" # the status counts, not the words
exit $failures
