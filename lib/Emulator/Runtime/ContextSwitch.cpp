//===- ContextSwitch.cpp - switching between stacks -----------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// By hand, because swapcontext makes a system call for the signal mask: 259 ns
// against 15 ns, and a wave operation switches 64 times.
//
//===----------------------------------------------------------------------===//

#include "ContextSwitch.h"

#include <cstdint>
#include <cstring>

#if defined(__x86_64__)
asm(R"(
.text
.globl lpgemm_emu_switch
.hidden lpgemm_emu_switch
.type lpgemm_emu_switch,@function
lpgemm_emu_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size lpgemm_emu_switch,.-lpgemm_emu_switch
)");
// Six registers, the address of the function, and a return address of zero,
// which also leaves the stack as the ABI wants it at a function's entry.
static constexpr unsigned kFrameWords = 8;
static constexpr unsigned kEntryWord = 6;
#elif defined(__aarch64__)
asm(R"(
.text
.globl lpgemm_emu_switch
.hidden lpgemm_emu_switch
.type lpgemm_emu_switch,@function
lpgemm_emu_switch:
  sub sp, sp, #160
  stp x19, x20, [sp, #0]
  stp x21, x22, [sp, #16]
  stp x23, x24, [sp, #32]
  stp x25, x26, [sp, #48]
  stp x27, x28, [sp, #64]
  stp x29, x30, [sp, #80]
  stp d8, d9, [sp, #96]
  stp d10, d11, [sp, #112]
  stp d12, d13, [sp, #128]
  stp d14, d15, [sp, #144]
  mov x9, sp
  str x9, [x0]
  mov sp, x1
  ldp x19, x20, [sp, #0]
  ldp x21, x22, [sp, #16]
  ldp x23, x24, [sp, #32]
  ldp x25, x26, [sp, #48]
  ldp x27, x28, [sp, #64]
  ldp x29, x30, [sp, #80]
  ldp d8, d9, [sp, #96]
  ldp d10, d11, [sp, #112]
  ldp d12, d13, [sp, #128]
  ldp d14, d15, [sp, #144]
  add sp, sp, #160
  ret
.size lpgemm_emu_switch,.-lpgemm_emu_switch
)");
// x19 to x30 and d8 to d15; the return address is x30.
static constexpr unsigned kFrameWords = 20;
static constexpr unsigned kEntryWord = 11;
#else
#error "the emulator has a context switch for x86-64 and AArch64 only"
#endif

void *mlir::lpgemm::emulator::makeContext(void *top, void (*function)()) {
  uintptr_t *frame = static_cast<uintptr_t *>(top) - kFrameWords;
  std::memset(frame, 0, kFrameWords * sizeof(*frame));
  frame[kEntryWord] = reinterpret_cast<uintptr_t>(function);
  return frame;
}
