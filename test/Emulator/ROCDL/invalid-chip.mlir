// RUN: not lpgemm-opt %s --convert-gpu-to-emulator=chip=gfx906 2>&1 \
// RUN:   | FileCheck %s

// CHECK: invalid-chip.mlir:[[#@LINE+1]]:1: error: emulator knows no chip 'gfx906', expected one of gfx942, gfx950
module {
}
