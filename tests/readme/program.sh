#!/usr/bin/env bash
# program.sh SOURCE LIBRARY COMPILER PAGE [FLAGS]: takes the first ```c block with `int main` out of a page, README.md or
# another one, compiles that very text against the library, and runs it. Every line that it prints stands in the page.
set -euo pipefail
source=$1 library=$2 compiler=$3 page=$4 flags=${5:-}

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
awk '/^```c$/ { inside = 1; text = ""; next }
     /^```/   { if (inside && text ~ /int main/) { printf "%s", text; exit } inside = 0 }
     inside   { text = text $0 "\n" }' "$source/$page" >"$folder/program.c"
test -s "$folder/program.c" || { echo "$page has no C program"; exit 1; }

# shellcheck disable=SC2086 # flags are several words
"$compiler" -std=c17 -Wall -Wextra -Werror $flags "$folder/program.c" -I "$source/include" "$library" \
    -Wl,-rpath,"$(dirname "$library")" -lm -pthread -o "$folder/program"
"$folder/program" | tee "$folder/output"
if [ "$page" != README.md ]; then
    while read -r line; do
        grep -qF -- "$line" "$source/$page" || { echo "$page does not have the line: $line"; exit 1; }
    done <"$folder/output"
    exit 0
fi
# It says what it found, and says the same thing twice: the thesis in one line.
grep -Eq '[0-9a-f]{16}' "$folder/output" || { echo "the program printed no hash"; exit 1; }
"$folder/program" | cmp - "$folder/output"
# And it is the hash that the README promises.
grep -qF "$(grep -oE 'hash: [0-9a-f]{16}' "$folder/output")" "$source/README.md" || { echo "README.md promises another hash"; exit 1; }
