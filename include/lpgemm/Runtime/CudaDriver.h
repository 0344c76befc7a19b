//===- CudaDriver.h - the CUDA driver, loaded when needed -------*- C++ -*-===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LPGEMM_RUNTIME_CUDADRIVER_H
#define LPGEMM_RUNTIME_CUDADRIVER_H

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace mlir::lpgemm::cuda {

// Types and numbers of cuda.h, which need not be there when this is compiled.

constexpr int kSuccess = 0;
/// CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT.
constexpr int kMultiprocessorCount = 16;
/// CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES.
constexpr int kMaxDynamicSharedBytes = 8;
/// CU_STREAM_NON_BLOCKING.
constexpr unsigned kNonBlocking = 1;
/// CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION.
constexpr int kClusterDimension = 4;

/// CUdeviceptr.
using Address = uint64_t;

/// CUlaunchAttribute.
struct LaunchAttribute {
  int id;
  alignas(8) unsigned value[16];
};

/// CUlaunchConfig.
struct LaunchConfig {
  unsigned grid[3];
  unsigned block[3];
  unsigned sharedBytes;
  void *stream;
  LaunchAttribute *attributes;
  unsigned numAttributes;
};

/// The functions of the driver that are called here, by what the driver API
/// calls them. They return a CUresult.
struct Driver {
  /// That of libcuda; null after a line to the handler if it is not there.
  static const Driver *get();

  int (*init)(unsigned);
  int (*getErrorString)(int, const char **);
  int (*getCurrentContext)(void **);
  int (*pushContext)(void *);
  int (*popContext)(void **);
  int (*retainPrimaryContext)(void **, int);
  int (*synchronizeContext)();
  int (*getCurrentDevice)(int *);
  int (*getAttribute)(int *, int, int);
  int (*encodeTiled)(void *, int, uint32_t, void *, const uint64_t *,
                     const uint64_t *, const uint32_t *, const uint32_t *, int,
                     int, int, int);
  int (*allocate)(Address *, size_t);
  int (*free)(Address);
  int (*fill)(Address, unsigned char, size_t);
  int (*copyToDevice)(Address, const void *, size_t);
  int (*copyToHost)(void *, Address, size_t);
  int (*loadModule)(void **, const void *);
  int (*unloadModule)(void *);
  int (*getFunction)(void **, void *, const char *);
  int (*setFunctionAttribute)(void *, int, int);
  int (*launch)(const LaunchConfig *, void *, void **, void **);
  int (*createStream)(void **, unsigned);
  int (*destroyStream)(void *);
  int (*synchronizeStream)(void *);
  int (*createEvent)(void **, unsigned);
  int (*destroyEvent)(void *);
  int (*recordEvent)(void *, void *);
  int (*synchronizeEvent)(void *);
  int (*getElapsed)(float *, void *, void *);
};

/// Receives the lines that say what went wrong.
using ErrorHandler = std::function<void(const std::string &line)>;

/// Sets what takes the lines of this process; nothing: they go to stderr behind
/// "lpgemm: ".
void setErrorHandler(ErrorHandler handler);

/// Whether a call of the driver went well; tells the handler if not.
bool check(const char *function, int code);

/// A context is current in this thread while there is one of these that is
/// valid: that which is current anyway, or the primary one of device 0. Tells
/// the handler why it is not valid.
class ContextScope {
public:
  ContextScope();
  ContextScope(const ContextScope &) = delete;
  ContextScope &operator=(const ContextScope &) = delete;
  ~ContextScope();

  bool isValid() const { return driver && hasContext; }
  const Driver *operator->() const { return driver; }

private:
  const Driver *driver;
  bool hasContext = false, isPushed = false;
};

} // namespace mlir::lpgemm::cuda

#endif // LPGEMM_RUNTIME_CUDADRIVER_H
