//===- LaunchRuntime.cpp - launches of the gpu dialect --------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lpgemm/Runtime/LaunchRuntime.h"

#include "lpgemm/Runtime/HostRuntime.h"
#include <algorithm>
#include <iterator>
#include <optional>

using namespace mlir::lpgemm::cuda;

//===----------------------------------------------------------------------===//
// Time
//===----------------------------------------------------------------------===//

static thread_local LaunchTimer *timer = nullptr;

LaunchTimer::LaunchTimer() { timer = this; }

LaunchTimer::~LaunchTimer() {
  timer = nullptr;
  if (intervals.empty())
    return;
  ContextScope scope;
  for (const Interval &interval : intervals)
    for (void *event : {interval.first, interval.last})
      if (scope.isValid() && event)
        check("cuEventDestroy", scope->destroyEvent(event));
}

static void *recordEvent(const Driver &driver, void *stream) {
  void *event = nullptr;
  if (!check("cuEventCreate", driver.createEvent(&event, /*flags=*/0)))
    return nullptr;
  check("cuEventRecord", driver.recordEvent(event, stream));
  return event;
}

void LaunchTimer::begin(const Driver &driver, void *stream) {
  intervals.emplace_back().first = recordEvent(driver, stream);
}

void LaunchTimer::end(const Driver &driver, void *stream) {
  intervals.back().last = recordEvent(driver, stream);
}

std::vector<float> LaunchTimer::getMilliseconds() const {
  std::vector<float> times;
  if (intervals.empty())
    return times;
  ContextScope scope;
  for (const Interval &interval : intervals) {
    float time = 0;
    if (scope.isValid() && interval.first && interval.last &&
        check("cuEventSynchronize", scope->synchronizeEvent(interval.last)) &&
        check("cuEventElapsedTime",
              scope->getElapsed(&time, interval.first, interval.last)))
      times.push_back(time);
  }
  return times;
}

//===----------------------------------------------------------------------===//
// Streams
//===----------------------------------------------------------------------===//

static thread_local std::optional<void *> callerStream;

void lpgemmSetStream(void *stream) { callerStream = stream; }

void lpgemmUnsetStream() { callerStream.reset(); }

void *mgpuStreamCreate() {
  if (callerStream)
    return *callerStream;
  ContextScope scope;
  void *stream = nullptr;
  if (scope.isValid())
    check("cuStreamCreate", scope->createStream(&stream, kNonBlocking));
  return stream;
}

void mgpuStreamDestroy(void *stream) {
  if (stream == callerStream || !stream)
    return;
  ContextScope scope;
  if (scope.isValid())
    check("cuStreamDestroy", scope->destroyStream(stream));
}

void mgpuStreamSynchronize(void *stream) {
  if (stream == callerStream || !stream)
    return;
  ContextScope scope;
  if (scope.isValid())
    check("cuStreamSynchronize", scope->synchronizeStream(stream));
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

/// A cubin, or the text of PTX, which the driver compiles.
static void *loadModule(const void *data) {
  ContextScope scope;
  void *module = nullptr;
  if (scope.isValid())
    check("cuModuleLoadData", scope->loadModule(&module, data));
  return module;
}

void *mgpuModuleLoad(const void *data, size_t) { return loadModule(data); }

void *mgpuModuleLoadJIT(void *data, int) { return loadModule(data); }

void mgpuModuleUnload(void *module) {
  if (!module)
    return;
  ContextScope scope;
  if (scope.isValid())
    check("cuModuleUnload", scope->unloadModule(module));
}

void *mgpuModuleGetFunction(void *module, const char *name) {
  if (!module)
    return nullptr;
  ContextScope scope;
  void *function = nullptr;
  if (scope.isValid())
    check("cuModuleGetFunction", scope->getFunction(&function, module, name));
  return function;
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

static void launch(void *function, LaunchConfig config, void **arguments,
                   void **extra) {
  if (!function)
    return;
  ContextScope scope;
  if (!scope.isValid())
    return;
  // More than 48 KiB have to be asked for.
  if (config.sharedBytes != 0 &&
      !check("cuFuncSetAttribute",
             scope->setFunctionAttribute(function, kMaxDynamicSharedBytes,
                                         config.sharedBytes)))
    return;
  if (timer)
    timer->begin(*scope.operator->(), config.stream);
  check("cuLaunchKernelEx", scope->launch(&config, function, arguments, extra));
  if (timer)
    timer->end(*scope.operator->(), config.stream);
}

static LaunchConfig makeConfig(const intptr_t (&grid)[3],
                               const intptr_t (&block)[3], int32_t sharedBytes,
                               void *stream) {
  LaunchConfig config = {};
  std::copy(std::begin(grid), std::end(grid), config.grid);
  std::copy(std::begin(block), std::end(block), config.block);
  config.sharedBytes = sharedBytes;
  config.stream = stream;
  return config;
}

void mgpuLaunchKernel(void *function, intptr_t gridX, intptr_t gridY,
                      intptr_t gridZ, intptr_t blockX, intptr_t blockY,
                      intptr_t blockZ, int32_t sharedBytes, void *stream,
                      void **arguments, void **extra, size_t) {
  launch(function,
         makeConfig({gridX, gridY, gridZ}, {blockX, blockY, blockZ},
                    sharedBytes, stream),
         arguments, extra);
}

void mgpuLaunchClusterKernel(void *function, intptr_t clusterX,
                             intptr_t clusterY, intptr_t clusterZ,
                             intptr_t gridX, intptr_t gridY, intptr_t gridZ,
                             intptr_t blockX, intptr_t blockY, intptr_t blockZ,
                             int32_t sharedBytes, void *stream,
                             void **arguments, void **extra) {
  LaunchAttribute cluster = {kClusterDimension,
                             {static_cast<unsigned>(clusterX),
                              static_cast<unsigned>(clusterY),
                              static_cast<unsigned>(clusterZ)}};
  LaunchConfig config = makeConfig(
      {gridX, gridY, gridZ}, {blockX, blockY, blockZ}, sharedBytes, stream);
  config.attributes = &cluster;
  config.numAttributes = 1;
  launch(function, config, arguments, extra);
}
