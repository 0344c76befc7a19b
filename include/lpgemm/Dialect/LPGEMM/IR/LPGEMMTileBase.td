//===- LPGEMMTileBase.td - what tile ops share -------------*- tablegen -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_DIALECT_LPGEMM_IR_LPGEMMTILEBASE_TD
#define LPGEMM_DIALECT_LPGEMM_IR_LPGEMMTILEBASE_TD

include "lpgemm/Dialect/LPGEMM/IR/LPGEMMTypes.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class LPGEMM_TileOp<string mnemonic, list<Trait> traits = []>
    : Op<LPGEMM_Dialect, mnemonic, traits>;

def LPGEMM_GlobalMemory : Resource<"::mlir::lpgemm::GlobalMemory">;
def LPGEMM_SharedMemory : Resource<"::mlir::lpgemm::SharedMemory">;
def LPGEMM_SyncState : Resource<"::mlir::lpgemm::SyncState">;

/// Synchronisation: nothing that touches shared memory may move across it.
defvar LPGEMM_SyncEffects = [
  MemoryEffects<[MemRead<LPGEMM_SharedMemory>, MemWrite<LPGEMM_SharedMemory>,
                 MemRead<LPGEMM_SyncState>, MemWrite<LPGEMM_SyncState>]>];

#endif // LPGEMM_DIALECT_LPGEMM_IR_LPGEMMTILEBASE_TD
