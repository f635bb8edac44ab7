#!/usr/bin/env bash
# regolden.sh [PROGRAM]: writes tests/scenes/golden.txt and scenes/schema.json anew. Run it when a change of the scenes,
# of the tables of fields, or of the physics was meant; then look at the difference before it is committed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
program=${1:-build/pliant}
golden=tests/scenes/golden.txt
trap 'rm -f "$golden.part"' EXIT
[ -x "$program" ] || { echo "no program $program; build it first, or name it" >&2; exit 2; }

row()
{
    local hash
    hash=$("$program" run "scenes/$1.json" --frames "$2" --threads 1 --quiet --stats - | sed -nE 's/.*"hash": *"([0-9a-f]{16})".*/\1/p')
    [ -n "$hash" ] || { echo "$1 failed" >&2; exit 1; }
    printf '%-16s %4d  %s\n' "$1" "$2" "$hash"
}

{
    echo "# scene, frames, hash of the state: the same on every machine. Written by tests/scenes/regolden.sh."
    for path in scenes/*.json; do
        name=$(basename "$path" .json)
        case $name in
            schema) continue ;;
            curtain) frames="2 20" ;; # a large one
            *) frames="5 20" ;;
        esac
        frames+=" $(sed -nE 's/.*"frames": *([0-9]+).*/\1/p' "$path")" # its whole length, for tests/scenes/test_expect.c
        for n in $frames; do
            row "$name" "$n"
        done
    done
} >"$golden.part"
"$program" schema >scenes/schema.json.part
mv "$golden.part" "$golden"
mv scenes/schema.json.part scenes/schema.json
git --no-pager diff --stat -- "$golden" scenes/schema.json 2>/dev/null || true
