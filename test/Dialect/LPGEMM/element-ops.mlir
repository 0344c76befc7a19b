// RUN: lpgemm-opt %s | lpgemm-opt | FileCheck %s
// RUN: lpgemm-opt %s --mlir-print-op-generic | lpgemm-opt | FileCheck %s

// CHECK-LABEL: func @amax(
// CHECK-SAME: %[[T:.*]]: !lpgemm.frag<32x32xf32>, %[[A:.*]]: !lpgemm.global<f32>, %[[D:.*]]: !lpgemm.global<?x?xf8E5M2>, %[[I:.*]]: index)
func.func @amax(%t: !lpgemm.frag<32x32xf32>, %a: !lpgemm.global<f32>,
                %d: !lpgemm.global<?x?xf8E5M2>, %i: index) {
  // CHECK: lpgemm.amax %[[T]], %[[A]] within %[[D]][%[[I]], %[[I]]] at[%[[I]], %[[I]]] : <32x32xf32>, <f32>, <?x?xf8E5M2>
  lpgemm.amax %t, %a within %d[%i, %i] at [%i, %i]
      : !lpgemm.frag<32x32xf32>, !lpgemm.global<f32>,
        !lpgemm.global<?x?xf8E5M2>
  return
}

// CHECK-LABEL: func @elements(
// CHECK-SAME: %[[X:.*]]: f32, %[[Q:.*]]: f8E4M3FNUZ)
func.func @elements(%x: f32, %q: f8E4M3FNUZ) {
  // CHECK: lpgemm.decode %[[Q]] : f8E4M3FNUZ to f32
  %0 = lpgemm.decode %q : f8E4M3FNUZ to f32
  // CHECK: lpgemm.encode %[[X]] : f32 to f8E4M3FN
  %1 = lpgemm.encode %x : f32 to f8E4M3FN
  // CHECK: lpgemm.encode %[[X]] nosat : f32 to f8E5M2FNUZ
  %2 = lpgemm.encode %x nosat : f32 to f8E5M2FNUZ
  return
}
