#!/usr/bin/env bash
# links.sh SOURCE: every relative link and picture in the documents leads to a file that exists, and so does every source file that a
# page for today's tree names, by its path or by the end of it. NAME in a path stands for a name that the reader chooses.
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
for page in README.md CONTRIBUTING.md docs/**/*.md; do
    while read -r file; do
        case $file in *NAME* | hang.c) continue ;; esac # hang.c: the reader's own program
        if [ -z "$(find ./apps ./bench ./cmake ./include ./reference ./src ./tests -path "*/${file%/}" -print -quit)" ]; then
            echo "$page: $file does not exist"
            bad=1
        fi
    done < <(awk '/^```/ { code = !code } !code' "$page" | sed -E 's/\]\([^)]*\)//g' |
        grep -oE '(src|tests|include|apps|cmake)/[A-Za-z0-9_./*-]*[A-Za-z0-9_/]|[A-Za-z0-9_/*]+\.(h|c|cu|cpp|def|sh)\b' | sort -u)
done
exit $bad
