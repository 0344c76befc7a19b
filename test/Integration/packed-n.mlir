// RUN: lpgemm-run %s --init=codes:1 -o %t.d.npy,%t.s.npy
// RUN: %python -c "import struct; d = open(r'%t.d.npy', 'rb').read(); n, = struct.unpack('<H', d[8:10]); print(d[10:10 + n].decode())" | FileCheck %s

// (L-11) No operand but packed ones tells N: it is that of the full bytes of a
// row of rhs.

// CHECK: 'shape': (4, 4)

!sd = tensor<4x1xf8E8M0FNU>
func.func @f(%a: tensor<4x64xf8E4M3FN>, %b: tensor<64x4xf4E2M1FN>,
             %d: tensor<4x4xf6E2M3FN>, %s: !sd) -> (tensor<4x4xf6E2M3FN>, !sd) {
  %0:2 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x4xf4E2M1FN>)
      outs(%d : tensor<4x4xf6E2M3FN>) scale_outs(%s : !sd, <mx>, rceil)
      -> tensor<4x4xf6E2M3FN>, !sd
  return %0#0, %0#1 : tensor<4x4xf6E2M3FN>, !sd
}
