# check.sh: what the tests of the program share; sourced, not run. $program is the program, $work an empty folder.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

bad()
{
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# expect CODE "WORDS" ARGUMENTS...: runs the program; its exit code and, in its messages, the words must be right.
expect()
{
    local code=$1 words=$2 got=0
    shift 2
    "$program" "$@" >"$work/stdout" 2>"$work/stderr" </dev/null || got=$?
    [ "$got" = "$code" ] || bad "pliant $*: exit code $got instead of $code: $(head -c 300 "$work/stderr")"
    [ -z "$words" ] || grep -qF -- "$words" "$work/stderr" "$work/stdout" ||
        bad "pliant $*: no \"$words\" in: $(head -c 300 "$work/stderr")"
}

hash_in() { sed -nE 's/.*"hash": *"([0-9a-f]{16})".*/\1/p' "$1"; }

finish()
{
    [ "$failures" = 0 ] || { echo "$failures failed"; exit 1; }
    echo "all is well"
}
