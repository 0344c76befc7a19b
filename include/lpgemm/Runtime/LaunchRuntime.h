//===- LaunchRuntime.h - launches of the gpu dialect ------------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// What upstream's gpu-to-llvm makes of launches calls the functions below, as
// it calls those of MLIR's mlir_cuda_runtime, which a program may link instead.
// They load the CUDA driver when they first need it. What goes wrong they tell
// the handler of CudaDriver.h; what follows then does nothing.
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_RUNTIME_LAUNCHRUNTIME_H
#define LPGEMM_RUNTIME_LAUNCHRUNTIME_H

#include "lpgemm/Runtime/CudaDriver.h"
#include <vector>

namespace mlir::lpgemm::cuda {

/// While there is one, the launches of this thread are timed by events around
/// each of them.
class LaunchTimer {
public:
  LaunchTimer();
  LaunchTimer(const LaunchTimer &) = delete;
  LaunchTimer &operator=(const LaunchTimer &) = delete;
  ~LaunchTimer();

  /// Waits for the launches so far; how long each took, in milliseconds.
  std::vector<float> getMilliseconds() const;

  void begin(const Driver &driver, void *stream);
  void end(const Driver &driver, void *stream);

private:
  struct Interval {
    void *first = nullptr, *last = nullptr;
  };
  std::vector<Interval> intervals;
};

} // namespace mlir::lpgemm::cuda

extern "C" {

void *mgpuModuleLoad(const void *data, size_t size);
void *mgpuModuleLoadJIT(void *data, int level);
void mgpuModuleUnload(void *module);
void *mgpuModuleGetFunction(void *module, const char *name);
void mgpuLaunchKernel(void *function, intptr_t gridX, intptr_t gridY,
                      intptr_t gridZ, intptr_t blockX, intptr_t blockY,
                      intptr_t blockZ, int32_t sharedBytes, void *stream,
                      void **arguments, void **extra, size_t numArguments);
void mgpuLaunchClusterKernel(void *function, intptr_t clusterX,
                             intptr_t clusterY, intptr_t clusterZ,
                             intptr_t gridX, intptr_t gridY, intptr_t gridZ,
                             intptr_t blockX, intptr_t blockY, intptr_t blockZ,
                             int32_t sharedBytes, void *stream,
                             void **arguments, void **extra);
void *mgpuStreamCreate();
void mgpuStreamDestroy(void *stream);
void mgpuStreamSynchronize(void *stream);

} // extern "C"

#endif // LPGEMM_RUNTIME_LAUNCHRUNTIME_H
