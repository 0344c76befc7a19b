//===- Passes.td - passes of the emulator ------------------*- tablegen -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_EMULATOR_PASSES_TD
#define LPGEMM_EMULATOR_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertGPUToEmulatorPass
    : Pass<"convert-gpu-to-emulator", "::mlir::ModuleOp"> {
  let summary = "Turn lowered kernels into host code for the emulator";
  let description = [{
    Takes a module of host code with `gpu.launch_func`, and of `gpu.module`s
    whose kernels are already `llvm.func` (the result of
    `convert-gpu-to-rocdl`). Each kernel becomes a function of the host module,
    in which every device operation is a call of the emulator's runtime; each
    launch becomes a call of `emu_launch`; `gpu.alloc` and `gpu.dealloc` become
    those of memref. The host code around it is left as it is. Asynchronous
    launches and allocations are errors.

    An operation that the emulator does not model, or that the chip does not
    have, is an error: nothing is ignored that could change the result. The chip
    is the one that `lpgemm.target` or a `#rocdl.target` of the `gpu.module`
    names, else the option. Without any, operations that the chips understand
    differently are errors, and LDS is that of the largest.

    Before:

    ```mlir
    gpu.module @m {
      llvm.func @k(%out: !llvm.ptr) attributes {gpu.kernel, rocdl.kernel} {
        %tid = rocdl.workitem.id.x : i32
        llvm.store %tid, %out : i32, !llvm.ptr
        llvm.return
      }
    }
    ```

    After:

    ```mlir
    llvm.func @emu_rocdl_workitem_id_x() -> i32
    llvm.func @emu_global_store(i32, !llvm.ptr, i32)
    llvm.func internal @m_k(%out: !llvm.ptr) {
      %tid = llvm.call @emu_rocdl_workitem_id_x() : () -> i32
      llvm.call @emu_global_store(%site, %out, %size) : ...
      llvm.store %tid, %out {alignment = 1 : i64} : i32, !llvm.ptr
      llvm.return
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::memref::MemRefDialect"];
  let options = [Option<"chip", "chip", "std::string", "\"\"",
                        "The chip of gpu.modules that name none">];
}

def IsolateEmulatorKernelsPass
    : Pass<"isolate-emulator-kernels", "::mlir::ModuleOp"> {
  let summary = "Leave nothing of a module but its kernels";
  let description = [{
    Prepares a module for a host that launches its kernels by name. The host
    code beside `gpu.module`s goes away; without a `gpu.module`, all that the
    module holds goes into one, `@kernels`. A function that is a kernel in the
    NVVM or ROCDL dialect becomes a `gpu.kernel` too. Data layouts of the device
    are dropped: the kernels run on the host.

    Before:

    ```mlir
    llvm.func @k(%out: !llvm.ptr) attributes {rocdl.kernel} { ... }
    ```

    After:

    ```mlir
    gpu.module @kernels {
      llvm.func @k(%out: !llvm.ptr) attributes {gpu.kernel, rocdl.kernel} { ... }
    }
    ```
  }];
  let dependentDialects = ["::mlir::gpu::GPUDialect"];
}

#endif // LPGEMM_EMULATOR_PASSES_TD
