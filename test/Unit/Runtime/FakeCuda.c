//===- FakeCuda.c - a CUDA driver that records calls ----------------------===//
//
// Part of the LPGEMM project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A libcuda.so.1 whose calls are written down, with the streams that they are
// for: "1" is the first that is created.
//
//===----------------------------------------------------------------------===//

#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct Config {
  unsigned grid[3], block[3], sharedBytes;
  void *stream;
  void *attributes;
  unsigned numAttributes;
};

static char calls[4096];
static uintptr_t numStreams;

/// What was called since the last time.
const char *takeFakeCudaCalls(void) {
  static char taken[sizeof(calls)];
  memcpy(taken, calls, sizeof(calls));
  calls[0] = 0;
  return taken;
}

static int record(const char *what, const void *stream) {
  size_t length = strlen(calls);
  snprintf(calls + length, sizeof(calls) - length, "%s %u\n", what,
           (unsigned)(uintptr_t)stream);
  return 0;
}

int cuStreamCreate(void **stream, unsigned flags) {
  *stream = (void *)++numStreams;
  return record("create", *stream);
}
int cuStreamDestroy_v2(void *stream) { return record("destroy", stream); }
int cuStreamSynchronize(void *stream) { return record("wait for", stream); }
int cuEventRecord(void *event, void *stream) { return record("event", stream); }
int cuLaunchKernelEx(const struct Config *config, void *function,
                     void **arguments, void **extra) {
  return record("launch", config->stream);
}
int cuFuncSetAttribute(void *function, int attribute, int value) {
  return attribute == 8 && value <= 227 * 1024 ? record("shared", NULL) : 1;
}
int cuEventElapsedTime(float *time, void *first, void *last) {
  *time = 0.5f;
  return 0;
}
int cuCtxGetCurrent(void **context) {
  *context = calls;
  return 0;
}
int cuGetErrorString(int code, const char **text) {
  *text = "invalid argument";
  return 0;
}

// What else there has to be.

static int succeed(void) { return 0; }
#define FAKE(name)                                                             \
  int name(void) { return succeed(); }
FAKE(cuInit)
FAKE(cuCtxPushCurrent_v2)
FAKE(cuCtxPopCurrent_v2)
FAKE(cuDevicePrimaryCtxRetain)
FAKE(cuCtxSynchronize)
FAKE(cuCtxGetDevice)
FAKE(cuDeviceGetAttribute)
FAKE(cuTensorMapEncodeTiled)
FAKE(cuMemAlloc_v2)
FAKE(cuMemFree_v2)
FAKE(cuMemsetD8_v2)
FAKE(cuMemcpyHtoD_v2)
FAKE(cuMemcpyDtoH_v2)
FAKE(cuModuleLoadData)
FAKE(cuModuleUnload)
FAKE(cuModuleGetFunction)
FAKE(cuEventDestroy_v2)
FAKE(cuEventSynchronize)

int cuEventCreate(void **event, unsigned flags) {
  *event = calls;
  return 0;
}
