// RUN: lpgemm-opt %s --lpgemm-attach-target=chip=gfx942 | FileCheck %s -DCHIP=gfx942
// RUN: lpgemm-opt %s --lpgemm-attach-target=chip=gfx950 | FileCheck %s -DCHIP=gfx950
// RUN: lpgemm-opt %s --lpgemm-attach-target=chip=gfx1250 | FileCheck %s -DCHIP=gfx1250
// RUN: lpgemm-opt %s --lpgemm-attach-target=chip=sm_80 | FileCheck %s -DCHIP=sm_80
// RUN: lpgemm-opt %s --lpgemm-attach-target=chip=sm_89 | FileCheck %s -DCHIP=sm_89
// RUN: lpgemm-opt %s --lpgemm-attach-target=chip=sm_90a | FileCheck %s -DCHIP=sm_90a
// RUN: lpgemm-opt %s --lpgemm-attach-target=chip=sm_100a | FileCheck %s -DCHIP=sm_100a
// RUN: lpgemm-opt %s --lpgemm-attach-target=chip=sm_103a | FileCheck %s -DCHIP=sm_103a
// RUN: lpgemm-opt %s --lpgemm-attach-target=chip=sm_120a | FileCheck %s -DCHIP=sm_120a
// RUN: lpgemm-opt %s --lpgemm-attach-target=chip=sm_121a | FileCheck %s -DCHIP=sm_121a
// RUN: lpgemm-opt %s --lpgemm-attach-target=chip=gfx950 --lpgemm-attach-target=chip=gfx950 | FileCheck %s -DCHIP=gfx950
// RUN: not lpgemm-opt %s --lpgemm-attach-target=chip=gfx900 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not lpgemm-opt %s --lpgemm-attach-target 2>&1 | FileCheck %s --check-prefix=NONE

// Every known chip takes FP8 products, gfx942 and sm_80 through a conversion.

// CHECK: module attributes {lpgemm.target = #lpgemm.target<"[[CHIP]]">}
// UNKNOWN: error: option 'chip': unknown chip 'gfx900', expected one of gfx942, gfx950, gfx1250, sm_80, sm_89, sm_90a, sm_100a, sm_103a, sm_120a, sm_121a{{$}}
// NONE: error: option 'chip': unknown chip '', expected one of gfx942, gfx950, gfx1250, sm_80, sm_89, sm_90a, sm_100a, sm_103a, sm_120a, sm_121a{{$}}
module {
func.func @fp8(%a: tensor<?x?xf8E4M3FN>, %b: tensor<?x?xf8E5M2>,
                 %sa: tensor<?x?xf8E8M0FNU>, %sb: tensor<?x?xf8E8M0FNU>,
                 %d: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = lpgemm.matmul
      ins(%a, %b : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E5M2>)
      lhs_scale(%sa : tensor<?x?xf8E8M0FNU>, <mx>)
      rhs_scale(%sb : tensor<?x?xf8E8M0FNU>, <mx>)
      outs(%d : tensor<?x?xf32>) transpose_b -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
}
