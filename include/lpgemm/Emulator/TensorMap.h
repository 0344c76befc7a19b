//===- TensorMap.h - tensor maps and their copies ---------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A tensor map describes a tensor in global memory, a box that one copy moves,
// and how the box lies in shared memory (PTX ISA, "Tensors" and
// "cp.async.bulk.tensor"). On the device it is 128 opaque bytes that
// cuTensorMapEncodeTiled of the CUDA driver API writes; here it is 128 bytes
// that encodeTensorMap writes under the same rules.
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_EMULATOR_TENSORMAP_H
#define LPGEMM_EMULATOR_TENSORMAP_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mlir::lpgemm::emulator {

constexpr size_t kTensorMapBytes = 128;
constexpr size_t kTensorMapAlignment = 64;
constexpr uint32_t kMaxTensorRank = 5;

/// CUtensorMapDataType, in its order.
enum class TensorType : uint8_t {
  UInt8,
  UInt16,
  UInt32,
  Int32,
  UInt64,
  Int64,
  Float16,
  Float32,
  Float64,
  BFloat16,
  Float32Ftz,
  TFloat32,
  TFloat32Ftz,
  Packed16U4Align8,
  Packed16U4Align16,
  Packed16U6Align16,
};

/// CUtensorMapInterleave, in its order.
enum class TensorInterleave : uint8_t { None, Bytes16, Bytes32 };

/// CUtensorMapSwizzle, in its order.
enum class TensorSwizzle : uint8_t {
  None,
  Bytes32,
  Bytes64,
  Bytes128,
  Bytes128Atom32,
  Bytes128Atom32Flip8,
  Bytes128Atom64,
};

/// CUtensorMapFloatOOBfill, in its order: what a load writes for elements
/// outside of the tensor.
enum class TensorFill : uint8_t { Zeros, NaN };

/// What cuTensorMapEncodeTiled takes. Dimensions are counted from the innermost
/// one; its elements are contiguous.
struct TensorMapDesc {
  uintptr_t address = 0;
  TensorType type = TensorType::UInt8;
  uint32_t rank = 1;
  /// In elements.
  uint64_t dims[kMaxTensorRank] = {1, 1, 1, 1, 1};
  /// In bytes, of the dimensions from 1 on.
  uint64_t strides[kMaxTensorRank - 1] = {0, 0, 0, 0};
  /// In elements, before element strides apply.
  uint32_t box[kMaxTensorRank] = {1, 1, 1, 1, 1};
  /// A copy moves every so many elements of the box.
  uint32_t elementStrides[kMaxTensorRank] = {1, 1, 1, 1, 1};
  TensorInterleave interleave = TensorInterleave::None;
  TensorSwizzle swizzle = TensorSwizzle::None;
  TensorFill fill = TensorFill::Zeros;
};

/// Of an element; 0 for types that the emulator does not model.
uint32_t tensorTypeBytes(TensorType type);
/// The name after CU_TENSOR_MAP_DATA_TYPE_.
std::string_view tensorTypeName(TensorType type);

/// What is wrong with a description, in one line, or nothing.
std::string checkTensorMap(const TensorMapDesc &desc);

/// Writes kTensorMapBytes bytes at `block`, unless the description or the
/// alignment of `block` is wrong; then returns what is wrong.
std::string encodeTensorMap(const TensorMapDesc &desc, void *block);

/// The other direction. Fails for a pointer that is not aligned as a tensor
/// map, and for bytes that are none. The bytes must be readable.
std::string decodeTensorMap(const void *block, TensorMapDesc &desc);

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

/// The shared memory address that holds what would lie at `address` without a
/// swizzle. It depends on bits of the address itself, not of the place in the
/// box.
uint32_t swizzleSharedAddress(TensorSwizzle swizzle, uint32_t address);

/// Contiguous bytes of a copy.
struct TensorPiece {
  uint32_t sharedAddress;
  uint32_t bytes;
  /// 0 for what is outside of the tensor.
  uintptr_t globalAddress;

  bool isInBounds() const { return globalAddress != 0; }
};

/// Bytes of a whole copy, whether inside of the tensor or not: what it counts
/// at an mbarrier.
uint32_t tensorBoxBytes(const TensorMapDesc &desc);

/// The alignment that a copy's shared memory address must have (PTX ISA,
/// "cp.async.bulk.tensor").
constexpr uint32_t kTensorSharedAlignment = 128;

/// What is wrong with the operands of a copy, or nothing. The innermost
/// coordinate is in steps of 16 bytes, or the H200 ends the kernel.
std::string checkTensorCopy(const TensorMapDesc &desc, uint32_t sharedAddress,
                            const int32_t *coordinates);

/// The pieces of the copy of the box at `coordinates`, one for each dimension
/// of the tensor, in the order of the box in shared memory at `sharedAddress`.
/// With a swizzle the rows there are as far apart as its span is wide.
std::vector<TensorPiece> tensorPieces(const TensorMapDesc &desc,
                                      uint32_t sharedAddress,
                                      const int32_t *coordinates);

/// Fills what is outside of the tensor: `bytes` bytes at `target`, a multiple
/// of the type's size.
void fillOutOfBounds(const TensorMapDesc &desc, void *target, uint32_t bytes);

/// What a load makes of the elements that it has moved to `target`: those of
/// TFLOAT32 are rounded to nearest, and a NaN becomes 0x7fffe000. Subnormal
/// numbers stay, also of the types that say FTZ (as seen on an H200).
void convertLoaded(const TensorMapDesc &desc, void *target, uint32_t bytes);

} // namespace mlir::lpgemm::emulator

#endif // LPGEMM_EMULATOR_TENSORMAP_H
