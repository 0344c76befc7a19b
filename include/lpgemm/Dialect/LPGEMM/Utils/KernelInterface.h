//===- KernelInterface.h - what a host must know of a kernel ----*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_DIALECT_LPGEMM_UTILS_KERNELINTERFACE_H
#define LPGEMM_DIALECT_LPGEMM_UTILS_KERNELINTERFACE_H

#include "lpgemm/Dialect/LPGEMM/IR/LPGEMM.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include <array>

namespace mlir::lpgemm {

/// Discardable attribute of an outlined kernel: its KernelInterface. It stays
/// on the kernel down to the LLVM dialect.
inline constexpr StringLiteral kKernelAttrName = "lpgemm.kernel";
/// The same: the numbers of the arguments that are tensor maps, as an array.
inline constexpr StringLiteral kTensorMapsAttrName = "lpgemm.tensor_maps";
/// The same: the bytes of dynamic shared memory that a launch has to give.
inline constexpr StringLiteral kSharedMemoryAttrName =
    "lpgemm.dynamic_shared_memory";

/// What is passed for a tensor map, by value.
Type getTensorMapType(MLIRContext *context);

/// One argument of a kernel.
struct KernelArgument {
  enum class Kind {
    Address, // 64-bit, of the first element of an operand
    Extent,  // i32
    Pitch,   // i64, from one row of an operand to the next: elements, or bytes
             // if they are packed
    Stride,  // i64, the same for one of its batch dimensions
    Factor,  // f32
    TensorMap, // CUtensorMap of an operand, 128 bytes that are passed by
               // value; what the kernel has is their address
    Workspace, // 64-bit, of memory of the device that holds what workgroups
               // have of the sums over K
    Workgroups // i32, how many of them are launched
  };

  /// Such as "lhs", "M", "lhs_pitch", "lhs_stride_0", "lhs_map"; no two are
  /// alike.
  std::string getName() const;
  Type getType(MLIRContext *context) const;

  Kind kind;
  /// The operand, the extent, or the factor; of the others their name.
  StringRef subject;

  // Of an address or a workspace.
  Type elementType = {};
  /// In terms of the extents of the interface: AffineDimExpr i is extents[i].
  /// Apart from batch dimensions, of rank 2, 1, where the pitch is from one
  /// element to the next, or 0, where there is none. The rank of a scale in a
  /// layout of tiles is higher; its pitch is the stride of the first dimension,
  /// and the others are contiguous. A workspace has the number of parts in
  /// front of the dimensions of the result; all are contiguous, parts of one
  /// entry of the batch next to each other.
  SmallVector<AffineExpr> shape = {};
  std::optional<ScaleAttr> scale = {};
  bool isWritten = false;

  /// What the host must check of an extent or a pitch. That of a pitch matters
  /// only where the operand has more than one row, or such a layout.
  int64_t atMost = 0;

  /// Of a stride: which batch dimension it belongs to.
  int64_t batchDim = 0;

  // Of a tensor map.
  /// Columns and rows of what one copy moves.
  std::array<int64_t, 2> box = {};
  /// Bytes of a row in shared memory whose pieces are exchanged; 0: none are.
  int64_t swizzleBytes = 0;
  /// Which of the maps of its operand it is.
  int64_t mapNumber = 0;

  bool hasTiledLayout() const { return scale && scale->hasTiledLayout(); }
};

/// The arguments of a kernel and its grid: lpgemm-outline makes the kernel, its
/// launch and the checks in front of it from this description alone.
struct KernelInterface {
  /// Of a product on memrefs that has a schedule.
  static KernelInterface describe(MatmulOp op);

  /// Of one thread that fills the single element `operand`, of which this
  /// kernel is to start.
  KernelInterface describeFill(StringRef operand) const;

  /// Of what adds the parts of a workspace: the same arguments, tiles of
  /// `schedule`, and workgroups of so many threads.
  KernelInterface describeSum(ScheduleAttr schedule, int64_t threads) const;

  /// The interface that `kernel` has as an attribute; empty if it has none. An
  /// error is emitted at `kernel` if the attribute is malformed or does not fit
  /// the arguments of the kernel.
  static FailureOr<std::optional<KernelInterface>>
  lookup(FunctionOpInterface kernel);

  DictionaryAttr toAttribute(MLIRContext *context) const;

  /// The number of the argument that is such a map, which is added at the end
  /// if there is none yet.
  unsigned addTensorMap(StringRef operand, std::array<int64_t, 2> box,
                        int64_t swizzleBytes);

  auto getArguments(KernelArgument::Kind kind) const {
    return llvm::make_filter_range(arguments,
                                   [kind](const KernelArgument &argument) {
                                     return argument.kind == kind;
                                   });
  }
  const KernelArgument &lookupAddress(StringRef operand) const;
  /// The numbers of the arguments that are strides of an operand: one for each
  /// dimension of the batch that it has.
  SmallVector<unsigned> findStrides(StringRef operand) const;
  /// Null if the kernel needs no workspace.
  const KernelArgument *lookupWorkspace() const;
  /// Null if the kernel is not told how many workgroups there are.
  const KernelArgument *lookupWorkgroups() const;
  /// "8 * M * N", or nothing without a workspace.
  std::string printWorkspaceBytes() const;
  /// The number of batch dimensions; their extents are the first.
  unsigned getNumBatch() const { return tiles.size() - 2; }
  /// Which dimensions of an operand are no batch dimensions. These come in the
  /// order of the operand; one that is broadcast has extent 1.
  SmallVector<unsigned> getMatrixDims(const KernelArgument &address) const;
  /// The largest value that the host passes for an extent; without a limit
  /// where the kernel does not know it.
  int64_t getLargest(StringRef extent) const;
  /// Which of the extents an argument is.
  size_t findExtent(const KernelArgument &argument) const;
  /// "ceil(M / 128)".
  std::string print(AffineExpr expr) const;
  /// The number of workgroups as such a text.
  std::string printGrid() const;

  /// Name of the op, and of the function it is in.
  StringRef op, function;
  SmallVector<StringRef> extents;
  /// In the order of the kernel's.
  SmallVector<KernelArgument> arguments;
  /// The number of workgroups along x is the product of these; it is 1 along y
  /// and z. Nothing is launched if it is 0. Workgroups go through the tiles of
  /// the result in its order: batch dimensions, rows, columns.
  SmallVector<AffineExpr> tiles;
  int64_t maxWorkgroups = 0;
  /// Workgroups of a cluster, along x; their number is a multiple of it.
  int64_t clusterSize = 1;
  /// A workgroup goes on with another tile after its own, so that a launch
  /// needs no more workgroups than the device holds at once.
  bool isPersistent = false;
  /// Kernels to be launched in front of this one, in this order, also where it
  /// is not launched itself.
  SmallVector<StringRef> fills;
  /// The same behind this one: what adds the parts of its workspace.
  SmallVector<StringRef> sums;
};

/// Whether persistent workgroups share out the K tiles of all tiles of the
/// result: stream-K.
inline bool isStreamK(ScheduleAttr schedule) {
  return schedule.getPersistent() && schedule.getSplitK() > 1;
}

/// The schedule of what adds the parts of a product with `schedule`.
ScheduleAttr getSumSchedule(ScheduleAttr schedule);

/// Threads of a workgroup of the kernel for `op`, which has a schedule.
int64_t getNumThreads(MatmulOp op);

} // namespace mlir::lpgemm

#endif // LPGEMM_DIALECT_LPGEMM_UTILS_KERNELINTERFACE_H
