#!/usr/bin/env bash
# hardened.sh FILE...: each program or shared library must be loaded at a random address, resolve its symbols before it starts,
# make them read-only, have a stack without code, and guard its stack (cmake/harden.cmake).
set -euo pipefail
command -v readelf >/dev/null || { echo "skipped: readelf is not installed"; exit 77; }
bad=0
lacks() { echo "$1 $2"; bad=1; }
for file in "$@"; do
    [ -e "$file" ] || { echo "skipped: $file was not built"; exit 77; }
    kind=$(LC_ALL=C readelf -hW "$file" | awk '/Type:/ { print $2 }')
    [ "$kind" = DYN ] || lacks "$file" "is loaded at a fixed address"
    dynamic=$(LC_ALL=C readelf -dW "$file")
    grep -qE 'BIND_NOW|FLAGS_1.*NOW' <<<"$dynamic" || lacks "$file" "resolves its symbols lazily"
    segments=$(LC_ALL=C readelf -lW "$file")
    grep -q GNU_RELRO <<<"$segments" || lacks "$file" "has no read-only relocations"
    awk '/GNU_STACK/ { exit $7 == "RWE" }' <<<"$segments" || lacks "$file" "has code on its stack"
    awk '/LOAD/ && /RWE/ { found = 1 } END { exit found }' <<<"$segments" || lacks "$file" "has a segment that is writable and executable"
    symbols=$(LC_ALL=C readelf --dyn-syms -W "$file")
    grep -q '__stack_chk_fail' <<<"$symbols" || lacks "$file" "does not guard its stack"
    grep -q '_chk@' <<<"$symbols" || lacks "$file" "calls libc without the checks of _FORTIFY_SOURCE"
done
[ $bad = 0 ] && echo "hardened: $*"
