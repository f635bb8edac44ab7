#!/usr/bin/env bash
# links.sh SOURCE: every relative link and picture in the documents leads to a file that is there.
set -euo pipefail
cd "$1"
bad=0
shopt -s nullglob globstar
for page in *.md docs/**/*.md; do
    while read -r link; do
        target=${link%%#*}
        case $target in '' | *://* | mailto:*) continue ;; esac
        if ! [ -e "$(dirname "$page")/$target" ]; then
            echo "$page: $link leads nowhere"
            bad=1
        fi
    done < <(awk '/^```/ { code = !code } !code' "$page" | grep -oE '\]\([^) ]+\)|src="[^"]+"' | sed -E 's/^\]\(//; s/\)$//; s/^src="//; s/"$//')
done
exit $bad
