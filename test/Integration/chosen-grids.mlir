// Orders of workgroups that are chosen on gfx950: bands of rows that dies share,
// workgroups that go on with other tiles, and those that share out K tiles. Exact
// sums are equal in each bit, whatever the number of workgroups.

// RUN: lpgemm-opt %s --lpgemm-attach-target=chip=gfx950 --lpgemm-select-schedule | FileCheck %s --check-prefix=CHOSEN
// RUN: lpgemm-run %s --entry=bands --chip=gfx950 --device=emulate --init=exact:1 --poison --compare=reference | FileCheck %s
// RUN: lpgemm-run %s --entry=persistent --chip=gfx950 --device=emulate --init=exact:1 --poison --size=600x300x512 --compare=reference | FileCheck %s
// RUN: lpgemm-run %s --entry=persistent --chip=gfx950 --device=emulate --emulator-multiprocessors=5 --emulator-order=reverse --emulator-loads=early --init=exact:2 --poison --size=600x300x512 --compare=reference | FileCheck %s
// RUN: lpgemm-run %s --entry=stream --chip=gfx950 --device=emulate --emulator-multiprocessors=61 --init=exact:2 --poison --compare=reference | FileCheck %s

// CHECK: ok: {{.*}} 0 of {{[1-9][0-9]*}} not bit-equal

// CHOSEN-LABEL: func @bands
// CHOSEN: schedule(<{{.*}}raster = 8
func.func @bands(%a: tensor<832x256xf8E4M3FN>, %b: tensor<1088x256xf8E4M3FN>,
                 %d: tensor<832x1088xf32>) -> tensor<832x1088xf32> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<832x256xf8E4M3FN>, tensor<1088x256xf8E4M3FN>)
      outs(%d : tensor<832x1088xf32>) transpose_b -> tensor<832x1088xf32>
  return %0 : tensor<832x1088xf32>
}

// CHOSEN-LABEL: func @persistent
// CHOSEN: schedule(<tile = [256, 256, 128], {{.*}}persistent = true
func.func @persistent(%a: tensor<?x512xf8E4M3FN>, %b: tensor<?x512xf8E4M3FN>,
                      %d: tensor<?x?xbf16>) -> tensor<?x?xbf16> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<?x512xf8E4M3FN>, tensor<?x512xf8E4M3FN>)
      outs(%d : tensor<?x?xbf16>) transpose_b -> tensor<?x?xbf16>
  return %0 : tensor<?x?xbf16>
}

// CHOSEN-LABEL: func @stream
// CHOSEN: schedule(<{{.*}}persistent = true, split_k = 8
func.func @stream(%a: tensor<64x32768xf8E4M3FN>, %b: tensor<1088x32768xf8E4M3FN>,
                  %d: tensor<64x1088xbf16>) -> tensor<64x1088xbf16> {
  %0 = lpgemm.matmul ins(%a, %b : tensor<64x32768xf8E4M3FN>, tensor<1088x32768xf8E4M3FN>)
      outs(%d : tensor<64x1088xbf16>) transpose_b -> tensor<64x1088xbf16>
  return %0 : tensor<64x1088xbf16>
}
