#!/usr/bin/env bash
# Builds everything and runs every test: lit, C++ unit tests, consumer projects
# and the style checks; and the unit tests of the emulator's runtime once more,
# with sanitizers. The last line counts the tests; the status is 0 only if there
# were some and none failed.
#
# usage: utils/check.sh [--clang-tidy]
#
# --clang-tidy also lints every source file, which takes minutes.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

packages=("${build_packages[@]}" clang-format-22 libclang-rt-22-dev)
tidy=
case ${1-} in
  "") ;;
  --clang-tidy) tidy=1 packages+=(clang-tidy-22) ;;
  *) echo "usage: $0 [--clang-tidy]" >&2; exit 2 ;;
esac

install_packages "${packages[@]}" < /dev/null
configure
step "building everything"
ninja -C "$build" all lpgemm-tests

if [[ -n $tidy ]]; then
  step "linting"
  run-clang-tidy-22 -quiet -p "$build" -warnings-as-errors='*' \
    "$repo/(lib|tools)/.*\.cpp"
fi

step "testing the emulator's runtime with sanitizers"
(cd "$repo" && cmake --preset sanitize > "$build/configure-sanitize.log") ||
  { cat "$build/configure-sanitize.log"; exit 1; }
ninja -C "$repo/build-sanitize" LPGEMMEmulatorTests
# Lanes end without a return from all their functions.
ASAN_OPTIONS=detect_leaks=0 \
  "$repo/build-sanitize/test/Unit/Emulator/LPGEMMEmulatorTests" --gtest_brief=1

step "testing"
reports=("$build/test/report.json" "$build/test/report.xml")
rm -f "${reports[@]}"
unset LIT_FILTER LIT_FILTER_OUT LIT_OPTS # Every test, whatever was set.
status=0
/usr/lib/llvm-22/bin/lit -sv --show-unsupported -o "${reports[0]}" \
  --xunit-xml-output "${reports[1]}" "$build/test" || status=$?
# Without reports this fails, and prints no counts.
python3 "$repo/utils/count-tests.py" "${reports[@]}" || exit
exit $status
