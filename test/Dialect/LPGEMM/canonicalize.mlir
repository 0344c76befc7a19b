// RUN: lpgemm-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func @dim(
// CHECK-SAME: %{{.*}}: !llvm.ptr, %[[M:.*]]: index, %[[K:.*]]: index
// CHECK-NEXT: return %[[M]], %[[K]]
func.func @dim(%p: !llvm.ptr, %m: index, %k: index, %pitch: i64)
    -> (index, index) {
  %g = lpgemm.bind %p[%m, %k] pitch %pitch
      : !llvm.ptr to !lpgemm.global<?x?xf32>
  %0 = lpgemm.dim %g, 0 : !lpgemm.global<?x?xf32>
  %1 = lpgemm.dim %g, 1 : !lpgemm.global<?x?xf32>
  return %0, %1 : index, index
}
