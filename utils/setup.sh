# shellcheck shell=bash
# Common part of quickstart.sh and check.sh; sourced, not run.
#
# Gives: repo (the project's root), build (its build folder), step, and the
# functions below. Works on Debian 12; packages come from Debian alone.

repo=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$repo/build

# What building and testing need. LLVM's CMake files ask for libz, libzstd and
# libxml2; clang brings the headers of the C++ library.
# shellcheck disable=SC2034 # Used by the scripts that source this.
build_packages=(
  ccache clang-22 cmake libgmock-dev libgtest-dev libmlir-22-dev libzstd-dev
  lld-22 llvm-22-dev llvm-22-tools mlir-22-tools ninja-build python3
  python3-numpy zlib1g-dev
)

# step TEXT: says what happens now.
step() { echo "== $*"; }

# install_packages NAMES...: installs those that are missing, if any.
install_packages() {
  if ! command -v apt-get > /dev/null; then
    step "not a Debian system: using the compiler and libraries found here"
    return
  fi
  local name missing=()
  for name in "$@"; do
    [[ $(dpkg-query -W -f '${db:Status-Status}' "$name" 2> /dev/null) == \
      installed ]] || missing+=("$name")
  done
  [[ ${#missing[@]} -gt 0 ]] || return 0
  step "installing ${missing[*]}"
  local as_root=(env DEBIAN_FRONTEND=noninteractive)
  [[ $(id -u) -eq 0 ]] || as_root=(sudo "${as_root[@]}")
  "${as_root[@]}" apt-get update -q ||
    step "apt-get update failed; trying with the package lists at hand"
  "${as_root[@]}" apt-get install -q -y --no-install-recommends "${missing[@]}"
}

# configure: runs CMake with the default preset; quick when nothing changed.
configure() {
  step "configuring $build"
  mkdir -p "$build"
  if ! (cd "$repo" && cmake --preset default) > "$build/configure.log" 2>&1; then
    cat "$build/configure.log"
    return 1
  fi
}
