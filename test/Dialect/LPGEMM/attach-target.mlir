// RUN: lpgemm-opt %s --lpgemm-attach-target=chip=gfx950 | FileCheck %s
// RUN: lpgemm-opt %s --lpgemm-attach-target=chip=gfx950 --lpgemm-attach-target=chip=gfx950 | FileCheck %s
// RUN: not lpgemm-opt %s --lpgemm-attach-target=chip=gfx900 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not lpgemm-opt %s --lpgemm-attach-target 2>&1 | FileCheck %s --check-prefix=NONE

// CHECK: module attributes {lpgemm.target = #lpgemm.target<"gfx950">}
// UNKNOWN: error: option 'chip': unknown chip 'gfx900', expected one of gfx950
// NONE: error: option 'chip': unknown chip '', expected one of gfx950
module {
}
