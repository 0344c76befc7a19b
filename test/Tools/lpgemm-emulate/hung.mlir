// What a GPU would hang or fault in ends the launch with a report.

// DEFINE: %{run} = lpgemm-emulate %s --block=128 --arg=x:i32[4]=zeros

// RUN: not %{run} --kernel=null --arg=i64=16 --emulator-checks=off | FileCheck %s --check-prefix=NULL --match-full-lines
// NULL: Crash (1): 'llvm.load' at {{.*}}hung.mlir:[[#]]:[[#]] is the last operation that is known of a work item that crashed: an access to address 0x10 (SIGSEGV) (kernel null, workgroup 0,0,0, wave 0 lane 0)
// With checks it is not even tried.
// RUN: not %{run} --kernel=null --arg=i64=16 | FileCheck %s --check-prefix=CHECKED
// CHECKED: GlobalOutOfBounds (1): 'llvm.load' at {{.*}} accesses 4 bytes at

// RUN: not %{run} --kernel=divide --arg=i32=0 | FileCheck %s --check-prefix=DIVIDE
// DIVIDE: Crash (1): 'llvm.sdiv' at {{.*}} divides by zero (kernel divide, workgroup 0,0,0, wave 0 lane 0)
// RUN: not %{run} --kernel=overflow --arg=i32=-1 | FileCheck %s --check-prefix=OVERFLOW
// OVERFLOW: Crash (1): 'llvm.sdiv' at {{.*}} that crashed: a division that overflows (SIGFPE) (kernel overflow,
// RUN: %{run} --kernel=divide --arg=i32=2 | count 0

// RUN: not %{run} --kernel=trap --arg=i32=0 | FileCheck %s --check-prefix=TRAP
// TRAP: Crash (1): {{.*}} that crashed: a trap, or code that cannot be reached (kernel trap,

// RUN: not %{run} --kernel=recursion --arg=i32=1000000000 | FileCheck %s --check-prefix=STACK
// STACK: Crash (1): 'llvm.call' at {{.*}} that crashed: its stack of 1024 KiB is too small: a recursion without end, or large private memory (kernel recursion,
// RUN: %{run} --kernel=recursion --arg=i32=100 | count 0

// RUN: not %{run} --kernel=large --arg=i32=1000000 | FileCheck %s --check-prefix=LARGE
// LARGE: Crash (1): {{.*}} its stack of 1024 KiB is too small
// RUN: %{run} --kernel=large --arg=i32=10000 | count 0

// RUN: not %{run} --kernel=itself --arg=i32=0 --step-budget=5000 | FileCheck %s --check-prefix=ITSELF
// ITSELF: NoProgress (1): 'llvm.br' at {{.*}} is in a loop that does not end: after 5000 passes, of 128 lanes {{[0-9]+}} run in 'llvm.br' at

// The second wave sets what the first one polls, or does not.
// RUN: %{run} --kernel=poll --arg=i32=1 --print=x | FileCheck %s --check-prefix=POLL
// POLL: x: 4xi32 [1, 64, 0, 0]
// RUN: not %{run} --kernel=poll --arg=i32=0 --step-budget=100000 | FileCheck %s --check-prefix=NOBODY
// NOBODY: NoProgress (1): 'llvm.cond_br' at {{.*}}: after 100000 passes, of 128 lanes 64 run in 'llvm.cond_br' at {{.*}}, 64 exited (kernel poll, workgroup 0,0,0, wave 0

// A launch after a crash would be a new process: here the tool goes on to tell
// and to write.
// RUN: rm -f %t.npy %t.json
// RUN: not %{run} --kernel=divide --arg=i32=0 --save=x=%t.npy --json=%t.json --print=x | FileCheck %s --check-prefix=AFTER
// AFTER: Crash (1)
// AFTER: x: 4xi32 [0, 0, 0, 0]
// RUN: FileCheck %s --check-prefix=JSON --input-file=%t.json
// JSON: "kind": "Crash"
// JSON: "verdict": "failed"
// RUN: test -f %t.npy

llvm.func @null(%x: !llvm.ptr, %y: !llvm.ptr) attributes {rocdl.kernel} {
  %0 = llvm.load %y : !llvm.ptr -> i32
  llvm.store %0, %x : i32, !llvm.ptr
  llvm.return
}

llvm.func @divide(%x: !llvm.ptr, %y: i32) attributes {gpu.kernel} {
  %c7 = llvm.mlir.constant(7 : i32) : i32
  %zero = llvm.mlir.constant(0 : i32) : i32
  %0 = llvm.sdiv %c7, %y : i32
  %1 = llvm.icmp "eq" %0, %zero : i32
  llvm.cond_br %1, ^store, ^end
^store:
  llvm.store %0, %x : i32, !llvm.ptr
  llvm.br ^end
^end:
  llvm.return
}

llvm.func @overflow(%x: !llvm.ptr, %y: i32) attributes {rocdl.kernel} {
  %least = llvm.mlir.constant(0x80000000 : i32) : i32
  %0 = llvm.sdiv %least, %y : i32
  %1 = llvm.icmp "eq" %0, %y : i32
  llvm.cond_br %1, ^store, ^end
^store:
  llvm.store %0, %x : i32, !llvm.ptr
  llvm.br ^end
^end:
  llvm.return
}

llvm.func @trap(%x: !llvm.ptr, %y: i32) attributes {rocdl.kernel} {
  "llvm.intr.trap"() : () -> ()
  llvm.return
}

llvm.func @depth(%x: !llvm.ptr, %n: i32) -> i32 {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %isLast = llvm.icmp "eq" %n, %c0 : i32
  llvm.cond_br %isLast, ^last, ^more
^last:
  llvm.return %c0 : i32
^more:
  %less = llvm.sub %n, %c1 : i32
  %0 = llvm.call @depth(%x, %less) : (!llvm.ptr, i32) -> i32
  %1 = llvm.mul %0, %0 : i32
  %2 = llvm.add %1, %n : i32
  llvm.return %2 : i32
}

llvm.func @recursion(%x: !llvm.ptr, %n: i32) attributes {rocdl.kernel} {
  %0 = llvm.call @depth(%x, %n) : (!llvm.ptr, i32) -> i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %isOne = llvm.icmp "eq" %0, %c1 : i32
  llvm.cond_br %isOne, ^store, ^end
^store:
  llvm.store %0, %x : i32, !llvm.ptr
  llvm.br ^end
^end:
  llvm.return
}

llvm.func @large(%x: !llvm.ptr, %n: i32) attributes {rocdl.kernel} {
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %0 = llvm.alloca %n x i32 : (i32) -> !llvm.ptr<5>
  %last = llvm.sub %n, %c1 : i32
  %1 = llvm.getelementptr %0[%last] : (!llvm.ptr<5>, i32) -> !llvm.ptr<5>, i32
  llvm.store volatile %n, %0 : i32, !llvm.ptr<5>
  llvm.store volatile %n, %1 : i32, !llvm.ptr<5>
  llvm.return
}

llvm.func @itself(%x: !llvm.ptr, %y: i32) attributes {rocdl.kernel} {
  llvm.br ^loop
^loop:
  llvm.br ^loop
}

llvm.func @poll(%x: !llvm.ptr, %sets: i32) attributes {rocdl.kernel} {
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %c64 = llvm.mlir.constant(64 : i32) : i32
  %tid = rocdl.workitem.id.x : i32
  %isFirst = llvm.icmp "slt" %tid, %c64 : i32
  %count = llvm.getelementptr %x[1] : (!llvm.ptr) -> !llvm.ptr, i32
  llvm.cond_br %isFirst, ^wait, ^set
^set:
  %old = llvm.atomicrmw umax %x, %sets monotonic : !llvm.ptr, i32
  llvm.return
^wait:
  %seen = llvm.atomicrmw umax %x, %c0 monotonic : !llvm.ptr, i32
  %isSet = llvm.icmp "eq" %seen, %c1 : i32
  llvm.cond_br %isSet, ^done, ^wait
^done:
  %before = llvm.atomicrmw add %count, %c1 monotonic : !llvm.ptr, i32
  llvm.return
}
