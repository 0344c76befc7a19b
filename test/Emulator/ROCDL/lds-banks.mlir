// The cycles that LDS accesses take: a wave's lanes on one bank, on different
// ones, and a part of a wave.

// RUN: lpgemm-emulate-test %s --emulator-chip=gfx950 --emulator-statistics \
// RUN:   | FileCheck %s --check-prefixes=CHECK,GFX950 --implicit-check-not=report
// RUN: lpgemm-emulate-test %s --emulator-chip=gfx942 --emulator-statistics \
// RUN:   | FileCheck %s --check-prefixes=CHECK,GFX942 --implicit-check-not=report
// RUN: lpgemm-emulate-test %s | FileCheck %s --check-prefix=NONE \
// RUN:   --implicit-check-not=cycles

// NONE: result 0

#lds = #gpu.address_space<workgroup>
!tile = memref<4096xi32, #lds>
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k() workgroup(%tile: !tile, %padded: !tile) kernel {
      %c32 = arith.constant 32 : index
      %c64 = arith.constant 64 : index
      %c65 = arith.constant 65 : index
      %tid = gpu.thread_id x
      %lane = arith.remui %tid, %c64 : index
      %wave = arith.divui %tid, %c64 : index
      %v = arith.index_cast %tid : index to i32
      %row = arith.muli %lane, %c64 : index
      %place = arith.addi %row, %wave : index
      // Both waves write rows of 64 words. gfx950 writes to 32 banks.
      // CHECK-DAG: 'llvm.store' at {{.*}}:[[#@LINE+1]]:7: 2 accesses, 128 cycles, ideal 4
      memref.store %v, %tile[%place] : !tile
      rocdl.s.waitcnt 49279
      // GFX950-DAG: 'llvm.load' at {{.*}}:[[#@LINE+2]]:12: 2 accesses, 128 cycles, ideal 2
      // GFX942-DAG: 'llvm.load' at {{.*}}:[[#@LINE+1]]:12: 2 accesses, 128 cycles, ideal 4
      %x = memref.load %tile[%place] : !tile
      // One wave, of rows of 65 words.
      %isFirst = arith.cmpi ult, %tid, %c64 : index
      scf.if %isFirst {
        %skewed = arith.muli %lane, %c65 : index
        // CHECK-DAG: 'llvm.store' at {{.*}}:[[#@LINE+1]]:9: 1 accesses, 2 cycles, ideal 2
        memref.store %x, %padded[%skewed] : !tile
      }
      // Half of each wave.
      %isLow = arith.cmpi ult, %lane, %c32 : index
      scf.if %isLow {
        // CHECK-DAG: 'llvm.store' at {{.*}}:[[#@LINE+1]]:9: 2 accesses, 64 cycles, ideal 2
        memref.store %x, %tile[%place] : !tile
      }
      gpu.return
    }
  }

  func.func @main() -> i32 {
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    %i0 = arith.constant 0 : i32
    gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1)
        threads in (%c128, %c1, %c1)
    return %i0 : i32
  }
}
