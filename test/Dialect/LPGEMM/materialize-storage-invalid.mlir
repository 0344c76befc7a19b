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
