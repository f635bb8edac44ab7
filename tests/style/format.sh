#!/usr/bin/env bash
# format.sh SOURCE: clang-format would change nothing. Its versions differ in taste, so only one of them is asked.
set -euo pipefail
cd "$1"
wanted=14
format=$(command -v clang-format-$wanted || command -v clang-format || true)
if [ -z "$format" ] || ! "$format" --version | grep -q "version $wanted\."; then
    echo "skipped: clang-format $wanted is not installed"
    exit 77
fi
find include src apps tests bench reference \( -name '*.c' -o -name '*.h' -o -name '*.cu' \) -print0 |
    xargs -0 "$format" --dry-run --Werror
