#!/usr/bin/env bash
# Builds the tools and takes one matrix product from data to a checked kernel:
# quantize two matrices to FP8 with MX scales, compile the product for gfx950,
# run the compiled kernel in the emulator and compare with the reference.
#
# usage: utils/quickstart.sh
#
# The files it makes are in build/quickstart.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

install_packages "${build_packages[@]}" < /dev/null
configure
step "building the tools"
ninja -C "$build" lpgemm-quantize lpgemm-compile lpgemm-run

export PATH=$build/bin:$PATH
example=$repo/test/Integration/Inputs/matmul.mlir
data=$repo/test/Integration/Inputs/minilm
mkdir -p "$build/quickstart"
cd "$build/quickstart"
# run COMMAND...: shows the command, then runs it.
run() { echo "\$ $*" && "$@"; }

step "running the example in $PWD"
run lpgemm-quantize "$data/activations.npy" --format=f8E4M3FN --scale=mx \
  -o a.npy --scales=sa.npy
run lpgemm-quantize "$data/weights.npy" --format=f8E4M3FN --scale=mx \
  -o b.npy --scales=sb.npy
run lpgemm-compile "$example" --chip=gfx950 --emit=binary \
  -o matmul.hsaco
run lpgemm-run "$example" --chip=gfx950 --device=emulate \
  --arg=a.npy --arg=b.npy --arg=sa.npy --arg=sb.npy --compare=reference \
  --lhs-unquantized="$data/activations.npy" \
  --rhs-unquantized="$data/weights.npy"
