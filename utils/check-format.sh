#!/usr/bin/env bash
# Fails, with the places, if clang-format would change a C++ file.
#
# usage: utils/check-format.sh [--fix]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

mode=(--dry-run -Werror)
[[ ${1-} != --fix ]] || mode=(-i)
find include lib tools test -regex '.*\.\(h\|cpp\|c\)' -print0 |
  xargs -0 clang-format-22 "${mode[@]}"
