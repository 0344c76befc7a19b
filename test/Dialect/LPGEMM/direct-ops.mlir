// RUN: lpgemm-opt %s | lpgemm-opt | FileCheck %s
// RUN: lpgemm-opt %s --canonicalize --cse | FileCheck %s

// Ops of loops whose copies an engine makes. Nothing goes that only orders
// others, and no two of them become one; slots and reaches of which nobody needs
// a second one do.

!g = !lpgemm.global<?x?xf8E4M3FN>
!buf = !lpgemm.buf<64x128xf8E4M3FN, shared>

// CHECK-LABEL: func @order(
// CHECK-SAME: %[[G:.*]]: !lpgemm.global<?x?xf8E4M3FN>, %[[S:.*]]: !lpgemm.buf<64x128xf8E4M3FN, shared>, %[[K:.*]]: index)
// CHECK: lpgemm.copy %[[G]][%[[K]], %[[K]]] into %[[S]] whole(%[[K]]) lds_dma :
// CHECK-NEXT: lpgemm.sched_fence
// CHECK-NEXT: lpgemm.sched_fence
// CHECK-NEXT: lpgemm.priority 1
// CHECK-NEXT: lpgemm.copy {{.*}} lds_dma {note} :
// CHECK-NEXT: lpgemm.priority 0
// CHECK-NEXT: lpgemm.priority 3
// CHECK-NEXT: lpgemm.priority 3
// CHECK-NEXT: lpgemm.wait
func.func @order(%g: !g, %s: !buf, %k: index) {
  %t0 = lpgemm.copy %g[%k, %k] into %s whole(%k) lds_dma : !g to !buf
  lpgemm.sched_fence
  lpgemm.sched_fence
  lpgemm.priority 1
  %t1 = lpgemm.copy %g[%k, %k] into %s whole(%k) lds_dma {note} : !g to !buf
  lpgemm.priority 0
  lpgemm.priority 3
  lpgemm.priority 3
  lpgemm.wait %t0, %t1
  return
}

// The other attribute of a schedule, and its default, which is not printed.
// CHECK-LABEL: func @strategies()
// CHECK-SAME: p = #lpgemm.schedule<{{.*}}, stages = 2, strategy = ping_pong>
// CHECK-SAME: t = #lpgemm.schedule<{{.*}}, stages = 3>
func.func @strategies() attributes {
    p = #lpgemm.schedule<tile = [256, 256, 128], waves = [2, 4],
      instr = mfma_scale_f32_16x16x128_f8f6f4, home = <a = shared, b = shared>,
      stages = 2, strategy = ping_pong>,
    t = #lpgemm.schedule<tile = [256, 256, 128], waves = [2, 4],
      instr = mfma_scale_f32_16x16x128_f8f6f4, home = <a = shared, b = shared>,
      stages = 3, strategy = together>} {
  return
}
