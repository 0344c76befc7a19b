// RUN: lpgemm-opt %s --split-input-file --verify-diagnostics --lpgemm-materialize-storage

func.func @element(%x: tensor<4x8xf4E2M1FN>, %i: index) -> f4E2M1FN {
  // expected-error @+1 {{'tensor.extract' op does not take elements that lpgemm-materialize-storage has packed into bytes, but got 'tensor<4x8xf4E2M1FN>'; ops that do are those of lpgemm, func.func, func.call, func.return, scf.for, scf.if, scf.while, tensor.empty, tensor.cast, tensor.dim, tensor.extract_slice, tensor.insert_slice, arith.constant, arith.select, linalg.fill, bufferization.alloc_tensor and bufferization.materialize_in_destination}}
  %0 = tensor.extract %x[%i, %i] : tensor<4x8xf4E2M1FN>
  return %0 : f4E2M1FN
}

// -----

// Every op is named, and nothing is changed.

func.func @blocks(%x: tensor<4x8xf6E2M3FN>) -> tensor<4x8xf6E2M3FN> {
  // expected-error @+1 {{'cf.br' op does not take elements that lpgemm-materialize-storage has packed into bytes, but got 'tensor<4x8xf6E2M3FN>'; ops that do are those of lpgemm, func.func, func.call, func.return, scf.for, scf.if, scf.while, tensor.empty, tensor.cast, tensor.dim, tensor.extract_slice, tensor.insert_slice, arith.constant, arith.select, linalg.fill, bufferization.alloc_tensor and bufferization.materialize_in_destination}}
  cf.br ^bb1(%x : tensor<4x8xf6E2M3FN>)
^bb1(%t: tensor<4x8xf6E2M3FN>):
  // expected-error @+1 {{'math.absf' op does not take elements that lpgemm-materialize-storage has packed into bytes, but got 'tensor<4x8xf6E2M3FN>'; ops that do are those of lpgemm, func.func, func.call, func.return, scf.for, scf.if, scf.while, tensor.empty, tensor.cast, tensor.dim, tensor.extract_slice, tensor.insert_slice, arith.constant, arith.select, linalg.fill, bufferization.alloc_tensor and bufferization.materialize_in_destination}}
  %0 = math.absf %t : tensor<4x8xf6E2M3FN>
  return %0 : tensor<4x8xf6E2M3FN>
}

// -----

func.func @region(%x: tensor<8xf6E3M2FN>) -> tensor<8xf6E3M2FN> {
  // expected-error @+1 {{'scf.execute_region' op does not take elements that lpgemm-materialize-storage has packed into bytes, but got 'tensor<8xf6E3M2FN>'; ops that do are those of lpgemm, func.func, func.call, func.return, scf.for, scf.if, scf.while, tensor.empty, tensor.cast, tensor.dim, tensor.extract_slice, tensor.insert_slice, arith.constant, arith.select, linalg.fill, bufferization.alloc_tensor and bufferization.materialize_in_destination}}
  %0 = scf.execute_region -> tensor<8xf6E3M2FN> {
    // expected-error @+1 {{'scf.yield' op does not take elements that lpgemm-materialize-storage has packed into bytes, but got 'tensor<8xf6E3M2FN>'; ops that do are those of lpgemm, func.func, func.call, func.return, scf.for, scf.if, scf.while, tensor.empty, tensor.cast, tensor.dim, tensor.extract_slice, tensor.insert_slice, arith.constant, arith.select, linalg.fill, bufferization.alloc_tensor and bufferization.materialize_in_destination}}
    scf.yield %x : tensor<8xf6E3M2FN>
  }
  return %0 : tensor<8xf6E3M2FN>
}

// -----

// A type within a type.

func.func private @callee(tensor<8xf6E3M2FN>)
func.func @reference() {
  // expected-error @+1 {{'func.constant' op does not take elements that lpgemm-materialize-storage has packed into bytes, but got 'tensor<8xf6E3M2FN>'; ops that do are those of lpgemm, func.func, func.call, func.return, scf.for, scf.if, scf.while, tensor.empty, tensor.cast, tensor.dim, tensor.extract_slice, tensor.insert_slice, arith.constant, arith.select, linalg.fill, bufferization.alloc_tensor and bufferization.materialize_in_destination}}
  %0 = func.constant @callee : (tensor<8xf6E3M2FN>) -> ()
  return
}

// -----

// expected-error @+1 {{'func.func' op expects elements that lpgemm-materialize-storage packs into bytes to be in ranked tensors with rows and without an encoding, but got 'tensor<f4E2M1FN>'}}
func.func private @rank_0(tensor<f4E2M1FN>)

// -----

// expected-error @+1 {{'func.func' op expects elements that lpgemm-materialize-storage packs into bytes to be in ranked tensors with rows and without an encoding, but got 'tensor<*xf6E2M3FN>'}}
func.func private @unranked(tensor<8xf6E2M3FN>, tensor<*xf6E2M3FN>)

// -----

// expected-error @+1 {{'func.func' op expects elements that lpgemm-materialize-storage packs into bytes to be in ranked tensors with rows and without an encoding, but got 'tensor<8xf6E2M3FN, "blocked">'}}
func.func private @encoding(tensor<8xf6E2M3FN, "blocked">)

// -----

// expected-error @+1 {{'func.func' op expects elements that lpgemm-materialize-storage packs into bytes to be in ranked tensors with rows and without an encoding, but got 'memref<4x8xf4E2M1FN>'}}
func.func private @memref(memref<4x8xf4E2M1FN>)

// -----

func.func @resource() -> tensor<4xf4E2M1FN> {
  // expected-error @+1 {{'arith.constant' op expects dense elements to pack into bytes, but got another attribute of type 'tensor<4xf4E2M1FN>'}}
  %0 = arith.constant dense_resource<weights> : tensor<4xf4E2M1FN>
  return %0 : tensor<4xf4E2M1FN>
}

{-# dialect_resources: { builtin: { weights: "0x0100000001020304" } } #-}

// -----

// Rows end within a byte, or may.

func.func @fill_odd(%x: tensor<4x3xf4E2M1FN>) -> tensor<4x3xf4E2M1FN> {
  %one = arith.constant 1.0 : f4E2M1FN
  // expected-error @+1 {{'linalg.fill' op expects a constant 'f4E2M1FN' that fills all packed bytes alike: 0, or, in rows of a static multiple of 2 elements, any; but got a fill of 'tensor<4x3xf4E2M1FN>'}}
  %0 = linalg.fill ins(%one : f4E2M1FN) outs(%x : tensor<4x3xf4E2M1FN>) -> tensor<4x3xf4E2M1FN>
  return %0 : tensor<4x3xf4E2M1FN>
}

// -----

func.func @fill_dynamic(%x: tensor<4x?xf4E2M1FN>) -> tensor<4x?xf4E2M1FN> {
  %one = arith.constant 1.0 : f4E2M1FN
  // expected-error @+1 {{'linalg.fill' op expects a constant 'f4E2M1FN' that fills all packed bytes alike: 0, or, in rows of a static multiple of 2 elements, any; but got a fill of 'tensor<4x?xf4E2M1FN>'}}
  %0 = linalg.fill ins(%one : f4E2M1FN) outs(%x : tensor<4x?xf4E2M1FN>) -> tensor<4x?xf4E2M1FN>
  return %0 : tensor<4x?xf4E2M1FN>
}

// -----

func.func @fill_fp6(%x: tensor<4x4xf6E2M3FN>) -> tensor<4x4xf6E2M3FN> {
  %one = arith.constant 1.0 : f6E2M3FN
  // expected-error @+1 {{'linalg.fill' op expects a constant 'f6E2M3FN' that fills all packed bytes alike: 0, or, in rows of a static multiple of 4 elements, the one whose bits are all 1; but got a fill of 'tensor<4x4xf6E2M3FN>'}}
  %0 = linalg.fill ins(%one : f6E2M3FN) outs(%x : tensor<4x4xf6E2M3FN>) -> tensor<4x4xf6E2M3FN>
  return %0 : tensor<4x4xf6E2M3FN>
}

// -----

func.func @fill_value(%x: tensor<4x4xf4E2M1FN>, %v: f4E2M1FN) -> tensor<4x4xf4E2M1FN> {
  // expected-error @+1 {{'linalg.fill' op expects a constant 'f4E2M1FN' that fills all packed bytes alike: 0, or, in rows of a static multiple of 2 elements, any; but got a fill of 'tensor<4x4xf4E2M1FN>'}}
  %0 = linalg.fill ins(%v : f4E2M1FN) outs(%x : tensor<4x4xf4E2M1FN>) -> tensor<4x4xf4E2M1FN>
  return %0 : tensor<4x4xf4E2M1FN>
}

// -----

func.func @dim(%x: tensor<4x8xf4E2M1FN>, %i: index) -> index {
  // expected-error @+1 {{'tensor.dim' op expects a constant index of a dimension of packed bytes, but got one of 'tensor<4x8xf4E2M1FN>' that is known at run time only}}
  %0 = tensor.dim %x, %i : tensor<4x8xf4E2M1FN>
  return %0 : index
}

// -----

func.func @select(%c: tensor<8xi1>, %x: tensor<8xf4E2M1FN>) -> tensor<8xf4E2M1FN> {
  // expected-error @+1 {{'arith.select' op expects a condition of type 'i1' to select among packed bytes, but got 'tensor<8xi1>'}}
  %0 = arith.select %c, %x, %x : tensor<8xi1>, tensor<8xf4E2M1FN>
  return %0 : tensor<8xf4E2M1FN>
}

// -----

func.func @slice_offset(%x: tensor<4x8xf4E2M1FN>) -> tensor<4x4xf4E2M1FN> {
  // expected-error @+1 {{'tensor.extract_slice' op expects a slice of whole bytes along the last dimension: an offset and a size that are known to be multiples of 2, or the whole dimension, with stride 1, which stays a dimension; but got one of 'tensor<4x8xf4E2M1FN>'}}
  %0 = tensor.extract_slice %x[0, 1] [4, 4] [1, 1] : tensor<4x8xf4E2M1FN> to tensor<4x4xf4E2M1FN>
  return %0 : tensor<4x4xf4E2M1FN>
}

// -----

func.func @slice_size(%x: tensor<4x16xf6E2M3FN>) -> tensor<4x6xf6E2M3FN> {
  // expected-error @+1 {{'tensor.extract_slice' op expects a slice of whole bytes along the last dimension: an offset and a size that are known to be multiples of 4, or the whole dimension, with stride 1, which stays a dimension; but got one of 'tensor<4x16xf6E2M3FN>'}}
  %0 = tensor.extract_slice %x[0, 4] [4, 6] [1, 1] : tensor<4x16xf6E2M3FN> to tensor<4x6xf6E2M3FN>
  return %0 : tensor<4x6xf6E2M3FN>
}

// -----

func.func @slice_stride(%x: tensor<4x8xf4E2M1FN>) -> tensor<4x4xf4E2M1FN> {
  // expected-error @+1 {{'tensor.extract_slice' op expects a slice of whole bytes along the last dimension: an offset and a size that are known to be multiples of 2, or the whole dimension, with stride 1, which stays a dimension; but got one of 'tensor<4x8xf4E2M1FN>'}}
  %0 = tensor.extract_slice %x[0, 0] [4, 4] [1, 2] : tensor<4x8xf4E2M1FN> to tensor<4x4xf4E2M1FN>
  return %0 : tensor<4x4xf4E2M1FN>
}

// -----

func.func @slice_run_time(%x: tensor<4x8xf4E2M1FN>, %n: index) -> tensor<4x?xf4E2M1FN> {
  // expected-error @+1 {{'tensor.extract_slice' op expects a slice of whole bytes along the last dimension: an offset and a size that are known to be multiples of 2, or the whole dimension, with stride 1, which stays a dimension; but got one of 'tensor<4x8xf4E2M1FN>'}}
  %0 = tensor.extract_slice %x[0, 0] [4, %n] [1, 1] : tensor<4x8xf4E2M1FN> to tensor<4x?xf4E2M1FN>
  return %0 : tensor<4x?xf4E2M1FN>
}

// -----

// A sum of a multiple of 2 and one of 3.

func.func @slice_computed(%x: tensor<4x8xf4E2M1FN>, %i: index) -> tensor<4x4xf4E2M1FN> {
  %two = arith.constant 2 : index
  %three = arith.constant 3 : index
  %a = arith.muli %i, %two : index
  %b = arith.muli %i, %three : index
  %offset = arith.addi %a, %b : index
  // expected-error @+1 {{'tensor.extract_slice' op expects a slice of whole bytes along the last dimension: an offset and a size that are known to be multiples of 2, or the whole dimension, with stride 1, which stays a dimension; but got one of 'tensor<4x8xf4E2M1FN>'}}
  %0 = tensor.extract_slice %x[0, %offset] [4, 4] [1, 1] : tensor<4x8xf4E2M1FN> to tensor<4x4xf4E2M1FN>
  return %0 : tensor<4x4xf4E2M1FN>
}

// -----

// Each of these values is used twice by the next one: of 2^48 ways back from the
// last one few are followed.

func.func @slice_doubled(%x: tensor<4x8xf4E2M1FN>, %x0: index) -> tensor<4x4xf4E2M1FN> {
  %x1 = arith.addi %x0, %x0 : index
  %x2 = arith.addi %x1, %x1 : index
  %x3 = arith.addi %x2, %x2 : index
  %x4 = arith.addi %x3, %x3 : index
  %x5 = arith.addi %x4, %x4 : index
  %x6 = arith.addi %x5, %x5 : index
  %x7 = arith.addi %x6, %x6 : index
  %x8 = arith.addi %x7, %x7 : index
  %x9 = arith.addi %x8, %x8 : index
  %x10 = arith.addi %x9, %x9 : index
  %x11 = arith.addi %x10, %x10 : index
  %x12 = arith.addi %x11, %x11 : index
  %x13 = arith.addi %x12, %x12 : index
  %x14 = arith.addi %x13, %x13 : index
  %x15 = arith.addi %x14, %x14 : index
  %x16 = arith.addi %x15, %x15 : index
  %x17 = arith.addi %x16, %x16 : index
  %x18 = arith.addi %x17, %x17 : index
  %x19 = arith.addi %x18, %x18 : index
  %x20 = arith.addi %x19, %x19 : index
  %x21 = arith.addi %x20, %x20 : index
  %x22 = arith.addi %x21, %x21 : index
  %x23 = arith.addi %x22, %x22 : index
  %x24 = arith.addi %x23, %x23 : index
  %x25 = arith.addi %x24, %x24 : index
  %x26 = arith.addi %x25, %x25 : index
  %x27 = arith.addi %x26, %x26 : index
  %x28 = arith.addi %x27, %x27 : index
  %x29 = arith.addi %x28, %x28 : index
  %x30 = arith.addi %x29, %x29 : index
  %x31 = arith.addi %x30, %x30 : index
  %x32 = arith.addi %x31, %x31 : index
  %x33 = arith.addi %x32, %x32 : index
  %x34 = arith.addi %x33, %x33 : index
  %x35 = arith.addi %x34, %x34 : index
  %x36 = arith.addi %x35, %x35 : index
  %x37 = arith.addi %x36, %x36 : index
  %x38 = arith.addi %x37, %x37 : index
  %x39 = arith.addi %x38, %x38 : index
  %x40 = arith.addi %x39, %x39 : index
  %x41 = arith.addi %x40, %x40 : index
  %x42 = arith.addi %x41, %x41 : index
  %x43 = arith.addi %x42, %x42 : index
  %x44 = arith.addi %x43, %x43 : index
  %x45 = arith.addi %x44, %x44 : index
  %x46 = arith.addi %x45, %x45 : index
  %x47 = arith.addi %x46, %x46 : index
  %x48 = arith.addi %x47, %x47 : index
  // expected-error @+1 {{'tensor.extract_slice' op expects a slice of whole bytes along the last dimension: an offset and a size that are known to be multiples of 2, or the whole dimension, with stride 1, which stays a dimension; but got one of 'tensor<4x8xf4E2M1FN>'}}
  %0 = tensor.extract_slice %x[0, %x48] [4, 4] [1, 1] : tensor<4x8xf4E2M1FN> to tensor<4x4xf4E2M1FN>
  return %0 : tensor<4x4xf4E2M1FN>
}

// -----

// The size of another tensor, which may be shorter.

func.func @slice_of_another(%x: tensor<4x?xf4E2M1FN>, %y: tensor<4x?xf4E2M1FN>) -> tensor<4x?xf4E2M1FN> {
  %one = arith.constant 1 : index
  %n = tensor.dim %y, %one : tensor<4x?xf4E2M1FN>
  // expected-error @+1 {{'tensor.extract_slice' op expects a slice of whole bytes along the last dimension: an offset and a size that are known to be multiples of 2, or the whole dimension, with stride 1, which stays a dimension; but got one of 'tensor<4x?xf4E2M1FN>'}}
  %0 = tensor.extract_slice %x[0, 0] [4, %n] [1, 1] : tensor<4x?xf4E2M1FN> to tensor<4x?xf4E2M1FN>
  return %0 : tensor<4x?xf4E2M1FN>
}

// -----

func.func @slice_dropped(%x: tensor<4x1xf4E2M1FN>) -> tensor<4xf4E2M1FN> {
  // expected-error @+1 {{'tensor.extract_slice' op expects a slice of whole bytes along the last dimension: an offset and a size that are known to be multiples of 2, or the whole dimension, with stride 1, which stays a dimension; but got one of 'tensor<4x1xf4E2M1FN>'}}
  %0 = tensor.extract_slice %x[0, 0] [4, 1] [1, 1] : tensor<4x1xf4E2M1FN> to tensor<4xf4E2M1FN>
  return %0 : tensor<4xf4E2M1FN>
}

// -----

func.func @insert(%x: tensor<4x8xf4E2M1FN>, %y: tensor<4x3xf4E2M1FN>) -> tensor<4x8xf4E2M1FN> {
  // expected-error @+1 {{'tensor.insert_slice' op expects a slice of whole bytes along the last dimension: an offset and a size that are known to be multiples of 2, or the whole dimension, with stride 1, which stays a dimension; but got one of 'tensor<4x8xf4E2M1FN>'}}
  %0 = tensor.insert_slice %y into %x[0, 2] [4, 3] [1, 1] : tensor<4x3xf4E2M1FN> into tensor<4x8xf4E2M1FN>
  return %0 : tensor<4x8xf4E2M1FN>
}

// -----

// K = 5 and 6 have as many bytes, but not as many blocks of 5.

func.func @odd_blocks(%a: tensor<?x?xf4E2M1FN>, %b: tensor<?x?xf4E2M1FN>, %sa: tensor<?x?xf32>, %d: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-error @+1 {{'lpgemm.matmul' op expects lhs_scale to have blocks of an even length along K, or a static K, because the packed bytes of lhs and rhs do not tell an odd K, but got <1x5>}}
  %0 = lpgemm.matmul ins(%a, %b : tensor<?x?xf4E2M1FN>, tensor<?x?xf4E2M1FN>)
      lhs_scale(%sa : tensor<?x?xf32>, <1x5>)
      outs(%d : tensor<?x?xf32>) transpose_b -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

func.func @columns(%a: tensor<4x64xf8E4M3FN>, %b: tensor<64x5xf6E2M3FN>, %d: tensor<4x5xf4E2M1FN>, %sd: tensor<4x1xf8E8M0FNU>) -> (tensor<4x5xf4E2M1FN>, tensor<4x1xf8E8M0FNU>) {
  // expected-error @+1 {{'lpgemm.matmul' op expects N of rhs to be static and a multiple of 4, or c, bias, rhs_scale of N or transpose_b, because the packed bytes of rhs and init do not tell N, but got 'tensor<64x5xf6E2M3FN>'}}
  %0:2 = lpgemm.matmul ins(%a, %b : tensor<4x64xf8E4M3FN>, tensor<64x5xf6E2M3FN>)
      outs(%d : tensor<4x5xf4E2M1FN>)
      scale_outs(%sd : tensor<4x1xf8E8M0FNU>, <mx>, rceil)
      -> tensor<4x5xf4E2M1FN>, tensor<4x1xf8E8M0FNU>
  return %0#0, %0#1 : tensor<4x5xf4E2M1FN>, tensor<4x1xf8E8M0FNU>
}
