#!/usr/bin/env bash
# fields.sh SOURCE: every field of scenes/schema.json is named, as code, in docs/scenes.md; those of a record that has a row in a table there, in
# one of its rows. What all objects have (name, material, velocity, ...) may stand anywhere.
set -euo pipefail
cd "$1"
page=docs/scenes.md schema=scenes/schema.json
bad=0
code_words() { grep -oE "\`[^\`]+\`" | grep -oE '[A-Za-z_$]+' | sort -u; }
anywhere=$({ code_words <"$page"; awk '/^```/ { code = !code; next } code' "$page" | grep -oE '[A-Za-z_$]+'; } | sort -u)

# Lines of "record field"; the scene itself is the record "-".
fields=$(awk '/^  "definitions"/ { inside = 1 }
    match($0, /^ +"[A-Za-z_$]+": \{"description"/) { split($0, part, "\""); print record == "" ? "-" : record, part[2]; next }
    inside && match($0, /^    "[a-z_]+": \{$/) { split($0, part, "\""); record = part[2] }' "$schema")
[ "$(wc -l <<<"$fields")" -gt 200 ] || { echo "$schema: its fields are not found; has its form changed?"; exit 1; }

last=
while read -r record field; do
    if [ "$record" != "$last" ]; then
        rows=$(grep -E "^\| \`${record}[\` ]" "$page" | code_words || true)
        last=$record
    fi
    common=$(grep -cxE 'name|material|velocity|mask|group' <<<"$field" || true)
    place=$anywhere
    if [ -n "$rows" ] && [ "$common" -eq 0 ] && ! grep -qxE 'shape|heat' <<<"$record"; then # theirs stand elsewhere
        place=$rows
    fi
    if ! grep -qxF -- "$field" <<<"$place"; then
        echo "$page: the field \"$field\" of $record is not named"
        bad=1
    fi
done <<<"$fields"
exit $bad
