// Kernels at different levels, in one gpu.module.
gpu.module @m {
  // Doubles each element.
  gpu.func @double(%x: memref<4x8xf32>) kernel {
    %tid = gpu.thread_id x
    %c8 = arith.constant 8 : index
    %row = arith.divui %tid, %c8 : index
    %col = arith.remui %tid, %c8 : index
    %0 = memref.load %x[%row, %col] : memref<4x8xf32>
    %1 = arith.addf %0, %0 : f32
    memref.store %1, %x[%row, %col] : memref<4x8xf32>
    gpu.return
  }

  // All scalars that there are, as one number.
  llvm.func @scalars(%x: !llvm.ptr, %a: i8, %b: i16, %c: i64, %d: f16, %e: bf16, %f: f64, %g: i1) attributes {gpu.kernel} {
    %a1 = llvm.sext %a : i8 to i64
    %b1 = llvm.sext %b : i16 to i64
    %d1 = llvm.fptosi %d : f16 to i64
    %e1 = llvm.fptosi %e : bf16 to i64
    %f1 = llvm.fptosi %f : f64 to i64
    %g1 = llvm.zext %g : i1 to i64
    %0 = llvm.add %a1, %b1 : i64
    %1 = llvm.add %0, %c : i64
    %2 = llvm.add %1, %d1 : i64
    %3 = llvm.add %2, %e1 : i64
    %4 = llvm.add %3, %f1 : i64
    %5 = llvm.add %4, %g1 : i64
    llvm.store %5, %x : i64, !llvm.ptr
    llvm.return
  }

  llvm.func @vector(%x: vector<4xf32>) attributes {gpu.kernel} {
    llvm.return
  }
  llvm.func @shared(%x: !llvm.ptr<3>) attributes {gpu.kernel} {
    llvm.return
  }
  llvm.func @none(%x: !llvm.ptr) attributes {gpu.kernel} {
    llvm.return
  }
  llvm.func @helper(%x: !llvm.ptr) {
    llvm.return
  }
}

// Host code is not run, nor needed.
func.func private @printf()
func.func @main() {
  func.call @printf() : () -> ()
  return
}
