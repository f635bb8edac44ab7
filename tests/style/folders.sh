#!/usr/bin/env bash
# folders.sh SOURCE OBJECTS: the folders of src/ depend downwards only. docs/architecture.md lists them, lowest first. No
# file includes one from a folder above its own, and no object under OBJECTS calls a function that a folder above defines.
set -euo pipefail
cd "$1"
objects=$2
if ! command -v nm >/dev/null; then
    echo "skipped: nm is not installed"
    exit 77
fi
folders=$(sed -n '/^## The folders/,/^## Two/s/^| `\([a-z_/]*\)\/` |.*/\1/p' docs/architecture.md | grep -v '^include/')
[ -n "$folders" ] || { echo "docs/architecture.md has no table of folders"; exit 1; }

# Reads "includes FILE LINE NAME", "exists FILE", "uses FILE SYMBOL" and "defines FILE SYMBOL"; FILE is a path below src/.
{
    find src -type f | sed 's/^src\//exists /'
    grep -rnH '^ *# *include *"' src | sed 's/^src\/\([^:]*\):\([0-9]*\):[^"]*"\([^"]*\)".*/includes \1 \2 \3/'
    find "$objects" -name '*.o' | while read -r object; do
        file=${object#"$objects"/}
        file=${file%.o}
        [ -f "src/$file" ] && nm "$object" | awk -v file="$file" \
            'NF == 2 && $1 == "U" { print "uses", file, $2 } NF == 3 && $2 ~ /[TDRBC]/ { print "defines", file, $3 }'
    done
} | awk -v folders="$folders" '
function rank_of(file,   folder) {
    folder = file
    while (sub(/\/[^\/]*$/, "", folder))
        if (folder in rank)
            return rank[folder]
    print "src/" file ": its folder is not in the table of docs/architecture.md"
    bad = 1
    return rank[file] = 0
}
BEGIN { n = split(folders, list, /[ \n]+/); for (i = 1; i <= n; i++) rank[list[i]] = i }
$1 == "exists" { exists[$2] = 1; rank_of($2) }
$1 == "includes" { include[++count] = $0 }
$1 == "defines" { definer[$3] = $2; objects++ }
$1 == "uses" { use[++uses] = $0 }
END {
    for (i = 1; i <= count; i++) {
        split(include[i], f, " ")
        own = f[2]; sub(/[^\/]*$/, f[4], own)
        target = own in exists ? own : f[4]
        if (target in exists && rank_of(target) > rank_of(f[2])) {
            print "src/" f[2] ":" f[3] ": includes " target ", which is in a folder above"
            bad = 1
        }
    }
    for (i = 1; i <= uses; i++) {
        split(use[i], f, " ")
        if (f[3] in definer && rank_of(definer[f[3]]) > rank_of(f[2])) {
            print "src/" f[2] ": uses " f[3] " of src/" definer[f[3]] ", which is in a folder above"
            bad = 1
        }
    }
    if (!objects) { print "no objects were found"; bad = 1 }
    exit bad
}'
