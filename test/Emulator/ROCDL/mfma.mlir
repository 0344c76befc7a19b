// The operands of the matrix instructions, as the lowering passes them: which
// byte of which lane is a scale, and when there is none.

// RUN: lpgemm-emulate-test %s | FileCheck %s --implicit-check-not=report
// RUN: lpgemm-emulate-test %s --emulator-entry=zero_scales \
// RUN:   | FileCheck %s --check-prefix=ZERO --implicit-check-not=report
// RUN: lpgemm-emulate-test %s --emulator-entry=bad_format \
// RUN:   | FileCheck %s --check-prefix=FORMAT --implicit-check-not=report

!d = memref<16x16xf32>
module attributes {gpu.container_module} {
  gpu.module @kernels {
    // A and B are ones. Byte s of lane l's scales is 120 + (l / 3 + s) % 8 for
    // A, and 124 + (l / 5 + s) % 4 for B.
    gpu.func @scales(%out: !d) kernel {
      %ones = arith.constant dense<0x38383838> : vector<8xi32>
      %zero = arith.constant dense<0.0> : vector<4xf32>
      %c3 = arith.constant 3 : i32
      %c4 = arith.constant 4 : i32
      %c5 = arith.constant 5 : i32
      %c7 = arith.constant 7 : i32
      %c8 = arith.constant 8 : i32
      %c16 = arith.constant 16 : i32
      %c24 = arith.constant 24 : i32
      %i0 = arith.constant 0 : i32
      %i1 = arith.constant 1 : i32
      %i2 = arith.constant 2 : i32
      %tid = gpu.thread_id x
      %l = arith.index_cast %tid : index to i32
      %baseA = arith.divui %l, %c3 : i32
      %baseB = arith.divui %l, %c5 : i32
      %c120 = arith.constant 120 : i32
      %c124 = arith.constant 124 : i32
      // opsel 1 for A: the other bytes are codes that would show.
      %a1 = arith.addi %baseA, %i1 : i32
      %a2 = arith.andi %a1, %c7 : i32
      %a3 = arith.addi %a2, %c120 : i32
      %a4 = arith.shli %a3, %c8 : i32
      %junkA = arith.constant 0xffff00ff : i32
      %sa = arith.ori %a4, %junkA : i32
      // opsel 2 for B.
      %b1 = arith.addi %baseB, %i2 : i32
      %b2 = arith.andi %b1, %c3 : i32
      %b3 = arith.addi %b2, %c124 : i32
      %b4 = arith.shli %b3, %c16 : i32
      %junkB = arith.constant 0xff00ffff : i32
      %sb = arith.ori %b4, %junkB : i32
      %d = rocdl.mfma.scale.f32.16x16x128.f8f6f4
          %ones, %ones, %zero, %i0, %i0, %i1, %sa, %i2, %sb
          : (vector<8xi32>, vector<8xi32>, vector<4xf32>, i32, i32, i32, i32,
             i32, i32) -> vector<4xf32>
      func.call @store(%d, %out) : (vector<4xf32>, !d) -> ()
      gpu.return
    }

    // Both scales the constant 0: the back end takes the unscaled instruction.
    gpu.func @zero_scales(%out: !d) kernel {
      %ones = arith.constant dense<0x38383838> : vector<8xi32>
      %zero = arith.constant dense<0.0> : vector<4xf32>
      %i0 = arith.constant 0 : i32
      %d = rocdl.mfma.scale.f32.16x16x128.f8f6f4
          %ones, %ones, %zero, %i0, %i0, %i0, %i0, %i0, %i0
          : (vector<8xi32>, vector<8xi32>, vector<4xf32>, i32, i32, i32, i32,
             i32, i32) -> vector<4xf32>
      func.call @store(%d, %out) : (vector<4xf32>, !d) -> ()
      gpu.return
    }

    // D[4 * (l / 16) + i][l % 16]
    func.func private @store(%d: vector<4xf32>, %out: !d) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %c16 = arith.constant 16 : index
      %l = gpu.thread_id x
      %group = arith.divui %l, %c16 : index
      %first = arith.muli %group, %c4 : index
      %col = arith.remui %l, %c16 : index
      scf.for %i = %c0 to %c4 step %c1 {
        %x = vector.extract %d[%i] : f32 from vector<4xf32>
        %row = arith.addi %first, %i : index
        memref.store %x, %out[%row, %col] : !d
      }
      return
    }

    gpu.func @bad_format(%out: !d) kernel {
      %short = arith.constant dense<0> : vector<4xi32>
      %zero = arith.constant dense<0.0> : vector<4xf32>
      %i0 = arith.constant 0 : i32
      %i4 = arith.constant 4 : i32
      // FORMAT: report (1): 'rocdl.mfma.scale.f32.16x16x128.f8f6f4' at {{.*}}:[[#@LINE+1]]:{{.*}} blgp: expected an operand of at least 32 bytes, got 16
      %d = rocdl.mfma.scale.f32.16x16x128.f8f6f4
          %short, %short, %zero, %i4, %i0, %i0, %i0, %i0, %i0
          : (vector<4xi32>, vector<4xi32>, vector<4xf32>, i32, i32, i32, i32,
             i32, i32) -> vector<4xf32>
      func.call @store(%d, %out) : (vector<4xf32>, !d) -> ()
      gpu.return
    }
  }

  // 2^(e - 127) as f32, for a code e of 1 to 254.
  func.func private @power(%e: i32) -> f32 {
    %c23 = arith.constant 23 : i32
    %bits = arith.shli %e, %c23 : i32
    %x = arith.bitcast %bits : i32 to f32
    return %x : f32
  }

  // CHECK: result 0
  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c5 = arith.constant 5 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %c120 = arith.constant 120 : index
    %c124 = arith.constant 124 : index
    %c2 = arith.constant 2 : index
    %zero = arith.constant 0 : i32
    %fzero = arith.constant 0.0 : f32
    %f32 = arith.constant 32.0 : f32
    %out = memref.alloc() : !d
    gpu.launch_func @kernels::@scales blocks in (%c1, %c1, %c1)
        threads in (%c64, %c1, %c1) args(%out : !d)
    %bad = scf.for %row = %c0 to %c16 step %c1 iter_args(%n = %zero) -> i32 {
      %m = scf.for %col = %c0 to %c16 step %c1 iter_args(%p = %n) -> i32 {
        %sum = scf.for %block = %c0 to %c4 step %c1
            iter_args(%s = %fzero) -> f32 {
          %lane = arith.muli %block, %c16 : index
          %laneA = arith.addi %lane, %row : index
          %laneB = arith.addi %lane, %col : index
          %a0 = arith.divui %laneA, %c3 : index
          %a1 = arith.addi %a0, %c1 : index
          %a2 = arith.remui %a1, %c8 : index
          %a3 = arith.addi %a2, %c120 : index
          %a4 = arith.index_cast %a3 : index to i32
          %b0 = arith.divui %laneB, %c5 : index
          %b1 = arith.addi %b0, %c2 : index
          %b2 = arith.remui %b1, %c4 : index
          %b3 = arith.addi %b2, %c124 : index
          %b4 = arith.index_cast %b3 : index to i32
          %sa = func.call @power(%a4) : (i32) -> f32
          %sb = func.call @power(%b4) : (i32) -> f32
          %scale = arith.mulf %sa, %sb : f32
          %term = arith.mulf %scale, %f32 : f32
          %next = arith.addf %s, %term : f32
          scf.yield %next : f32
        }
        %got = memref.load %out[%row, %col] : !d
        %ne = arith.cmpf une, %got, %sum : f32
        %one = arith.extui %ne : i1 to i32
        %q = arith.addi %p, %one : i32
        scf.yield %q : i32
      }
      scf.yield %m : i32
    }
    memref.dealloc %out : !d
    return %bad : i32
  }

  // ZERO: result 128
  func.func @zero_scales() -> i32 {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %out = memref.alloc() : !d
    gpu.launch_func @kernels::@zero_scales blocks in (%c1, %c1, %c1)
        threads in (%c64, %c1, %c1) args(%out : !d)
    %x = memref.load %out[%c1, %c1] : !d
    %i = arith.fptosi %x : f32 to i32
    return %i : i32
  }

  func.func @bad_format() -> i32 {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant 0 : i32
    %out = memref.alloc() : !d
    gpu.launch_func @kernels::@bad_format blocks in (%c1, %c1, %c1)
        threads in (%c64, %c1, %c1) args(%out : !d)
    return %zero : i32
  }
}
