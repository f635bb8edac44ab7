#!/usr/bin/env bash
# lengths.sh SOURCE: no file of the library and the programs has more than 400 lines, and no function more than 60, its
# head included. A function's body lies between a `{` and a `}` in the first column, as clang-format writes it, and its
# head before that, without an empty line, a comment or a directive in between.
set -euo pipefail
cd "$1"
find src apps include \( -name '*.c' -o -name '*.h' -o -name '*.cu' -o -name '*.cpp' \) -print0 | sort -z |
    xargs -0 awk '
        FNR == 1 { start = 0; head = 1; last = "" }
        FNR == 401 { print FILENAME ": more than 400 lines"; wrong = 1 }
        /^{/ && last ~ /\)( const| override)?$/ { start = head; functions++ }
        /^}/ && start { if (FNR - start + 1 > 60) { print FILENAME ":" start ": a function of " FNR - start + 1 " lines"; wrong = 1 } }
        /^}/ { start = 0 }
        /^$|^\/\/|^#|^}/ { head = FNR + 1 }
        { last = $0 }
        END { if (!functions) print "no function was found"; exit wrong || !functions }' ||
    { echo "split these: at most 400 lines in a file, 60 in a function"; exit 1; }
