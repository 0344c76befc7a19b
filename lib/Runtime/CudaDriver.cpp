//===- CudaDriver.cpp - the CUDA driver, loaded when needed ---------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Runtime/CudaDriver.h"

#include "llvm/Support/DynamicLibrary.h"
#include <cstdio>
#include <cstring>
#include <optional>

using namespace mlir::lpgemm::cuda;

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

static ErrorHandler &getHandler() {
  static ErrorHandler handler;
  return handler;
}

void mlir::lpgemm::cuda::setErrorHandler(ErrorHandler handler) {
  getHandler() = std::move(handler);
}

static void report(const std::string &what, const std::string &why) {
  std::string line = what + ": " + why;
  if (const ErrorHandler &handler = getHandler())
    handler(line);
  else
    std::fprintf(stderr, "lpgemm: %s\n", line.c_str());
}

/// "invalid argument (CUDA error 1)".
static std::string describe(const Driver &driver, int code) {
  const char *text = nullptr;
  std::string number = "CUDA error " + std::to_string(code);
  if (driver.getErrorString(code, &text) != kSuccess || !text)
    return number;
  return std::string(text) + " (" + number + ")";
}

bool mlir::lpgemm::cuda::check(const char *function, int code) {
  const Driver *driver = Driver::get();
  if (driver && code != kSuccess)
    report(function, describe(*driver, code));
  return driver && code == kSuccess;
}

//===----------------------------------------------------------------------===//
// The driver
//===----------------------------------------------------------------------===//

namespace {
/// Looks up functions of libcuda.
class Library {
public:
  Library() {
    library =
        llvm::sys::DynamicLibrary::getPermanentLibrary("libcuda.so.1", &error);
  }

  template <typename Function>
  void find(const char *name, Function &function) {
    void *address =
        library.isValid() ? library.getAddressOfSymbol(name) : nullptr;
    if (!address && missing.empty())
      missing = name;
    std::memcpy(&function, &address, sizeof(address));
  }

  /// Whether everything that was looked up is there.
  bool isComplete() const {
    if (!library.isValid())
      report("no CUDA driver", error);
    else if (!missing.empty())
      report("a CUDA driver without a function that is needed", missing);
    return library.isValid() && missing.empty();
  }

private:
  llvm::sys::DynamicLibrary library;
  std::string error, missing;
};
} // namespace

static std::optional<Driver> loadDriver() {
  Library library;
  Driver driver;
  library.find("cuInit", driver.init);
  library.find("cuGetErrorString", driver.getErrorString);
  library.find("cuCtxGetCurrent", driver.getCurrentContext);
  library.find("cuCtxPushCurrent_v2", driver.pushContext);
  library.find("cuCtxPopCurrent_v2", driver.popContext);
  library.find("cuDevicePrimaryCtxRetain", driver.retainPrimaryContext);
  library.find("cuCtxSynchronize", driver.synchronizeContext);
  library.find("cuCtxGetDevice", driver.getCurrentDevice);
  library.find("cuDeviceGetAttribute", driver.getAttribute);
  library.find("cuTensorMapEncodeTiled", driver.encodeTiled);
  library.find("cuMemAlloc_v2", driver.allocate);
  library.find("cuMemFree_v2", driver.free);
  library.find("cuMemsetD8_v2", driver.fill);
  library.find("cuMemcpyHtoD_v2", driver.copyToDevice);
  library.find("cuMemcpyDtoH_v2", driver.copyToHost);
  library.find("cuModuleLoadData", driver.loadModule);
  library.find("cuModuleUnload", driver.unloadModule);
  library.find("cuModuleGetFunction", driver.getFunction);
  library.find("cuFuncSetAttribute", driver.setFunctionAttribute);
  library.find("cuLaunchKernelEx", driver.launch);
  library.find("cuStreamCreate", driver.createStream);
  library.find("cuStreamDestroy_v2", driver.destroyStream);
  library.find("cuStreamSynchronize", driver.synchronizeStream);
  library.find("cuEventCreate", driver.createEvent);
  library.find("cuEventDestroy_v2", driver.destroyEvent);
  library.find("cuEventRecord", driver.recordEvent);
  library.find("cuEventSynchronize", driver.synchronizeEvent);
  library.find("cuEventElapsedTime", driver.getElapsed);
  return library.isComplete() ? std::optional(driver) : std::nullopt;
}

const Driver *Driver::get() {
  static const std::optional<Driver> driver = loadDriver();
  return driver ? &*driver : nullptr;
}

//===----------------------------------------------------------------------===//
// Contexts
//===----------------------------------------------------------------------===//

/// The primary context of device 0, for which a program that has none current
/// launches its kernels; null after a line to the handler.
static void *getPrimaryContext(const Driver &driver) {
  static void *const context = [&]() -> void * {
    void *retained = nullptr;
    bool isGood = check("cuInit", driver.init(0)) &&
                  check("cuDevicePrimaryCtxRetain",
                        driver.retainPrimaryContext(&retained, 0));
    return isGood ? retained : nullptr;
  }();
  return context;
}

ContextScope::ContextScope() : driver(Driver::get()) {
  if (!driver)
    return;
  void *context = nullptr;
  hasContext = driver->getCurrentContext(&context) == kSuccess && context;
  if (hasContext)
    return;
  context = getPrimaryContext(*driver);
  isPushed = context && check("cuCtxPushCurrent", driver->pushContext(context));
  hasContext = isPushed;
}

ContextScope::~ContextScope() {
  void *context = nullptr;
  if (isPushed)
    driver->popContext(&context);
}
